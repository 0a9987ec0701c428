"""The table of named rules, and the risk that their signals add up to. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

HIGHEST_RISK = 100
COUNTS_FOR = timedelta(hours=24)
ACCOUNTS_A_DEVICE = 3
DEVICE_REMEMBERED_FOR = timedelta(days=30)
CLOCKS_MAY_DIFFER = timedelta(seconds=5)


class Rule(StrEnum):
    EARLY_COMPLETION = "early_completion"
    REPLAYED_COMPLETION = "replayed_completion"
    PARALLEL_SESSIONS = "parallel_sessions"
    IMPOSSIBLE_PACE = "impossible_pace"
    FOREIGN_SESSION = "foreign_session"
    MADE_UP_SESSION = "made_up_session"
    CLOCK_MISMATCH = "clock_mismatch"
    SHARED_DEVICE = "shared_device"


@dataclass(frozen=True, slots=True)
class Weight:
    """What the first signal of a day weighs, and each further one."""

    first: int
    each_more: int


WEIGHTS: dict[Rule, Weight] = {
    # A page finishes too early when its clock runs wrong; only who goes on weighs much.
    Rule.EARLY_COMPLETION: Weight(10, 8),
    # A repeated call is what a bad connection does, too.
    Rule.REPLAYED_COMPLETION: Weight(10, 10),
    Rule.PARALLEL_SESSIONS: Weight(5, 5),
    Rule.IMPOSSIBLE_PACE: Weight(30, 20),
    Rule.FOREIGN_SESSION: Weight(40, 30),
    Rule.MADE_UP_SESSION: Weight(25, 20),
    Rule.CLOCK_MISMATCH: Weight(5, 3),
    # Siblings share a computer: a weight, never a ground by itself.
    Rule.SHARED_DEVICE: Weight(15, 0),
}


def risk_of(signals: Iterable[Rule]) -> int:
    """The risk score that the signals of one day add up to, at most 100."""
    counted: dict[Rule, int] = {}
    for rule in signals:
        counted[rule] = counted.get(rule, 0) + 1
    risk = sum(
        WEIGHTS[rule].first + WEIGHTS[rule].each_more * (times - 1)
        for rule, times in counted.items()
    )
    return min(HIGHEST_RISK, risk)


def is_shared(accounts: int) -> bool:
    """Whether so many accounts on one device are more than a household's."""
    return accounts > ACCOUNTS_A_DEVICE


def clocks_differ(client: timedelta, server: timedelta) -> bool:
    return abs(client - server) > CLOCKS_MAY_DIFFER
