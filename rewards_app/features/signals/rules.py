"""The table of named rules, and the risk that their signals add up to. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from rewards_app.core.errors import DomainError, FieldRefused

HIGHEST_RISK = 100
HIGH_RISK = 70
"""From here on somebody looks: the badge is red, and automation asks whether to act."""
HEAVIEST = 100
COUNTS_FOR = timedelta(hours=24)
ENOUGH_OF_A_RULE = HIGHEST_RISK
"""Of one account in that time: what weighs anything weighs a point at least, so that these reach
the highest risk whatever an admin made of the weights."""
ACCOUNTS_A_DEVICE = 3
ACCOUNTS_A_MODEL = 300
"""More than so many are the owners of one model of phone, whose browsers tell the same."""
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
    CLOCKWORK = "clockwork"


COUNTS_LONGER = {Rule.CLOCKWORK: timedelta(hours=48)}
"""Noted once a day, and more than 24 hours apart of whoever begins a little later each day."""
LONGEST = max(COUNTS_FOR, *COUNTS_LONGER.values())


def counts_for(rule: Rule) -> timedelta:
    return COUNTS_LONGER.get(rule, COUNTS_FOR)


@dataclass(frozen=True, slots=True)
class Weight:
    """What the first signal that counts weighs, and each further one."""

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
    # Whose clock is wrong has a wrong clock all day: the next ads say nothing new.
    Rule.CLOCK_MISMATCH: Weight(5, 0),
    # Siblings share a computer: a weight, never a ground by itself.
    Rule.SHARED_DEVICE: Weight(15, 0),
    # Noted once a day. One day may be chance; the next one makes it a machine.
    Rule.CLOCKWORK: Weight(40, 30),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """What every rule weighs: the code's own weights, or what an admin made of them."""

    weights: Mapping[Rule, Weight]

    def __getitem__(self, rule: Rule) -> Weight:
        return self.weights[rule]

    def with_weights(self, changed: Mapping[Rule, Weight]) -> "Policy":
        return Policy({**self.weights, **changed})

    def different_from(self, other: "Policy") -> list[Rule]:
        return [rule for rule in Rule if self[rule] != other[rule]]


DEFAULT = Policy(WEIGHTS)


class NotEveryRule(DomainError):
    """A policy names each rule once, and nothing else."""

    code = "fraud.not_every_rule"


class WeightOutOfRange(FieldRefused):
    """A weight is a whole number from 0 to `most`."""

    code = "fraud.weight_out_of_range"


class NothingChanged(DomainError):
    code = "fraud.nothing_changed"


class WeightsChangedMeanwhile(DomainError):
    """Another admin has changed the weights since these were decided on."""

    code = "fraud.weights_changed_meanwhile"


def policy_from(typed: Mapping[str, tuple[object, object]]) -> Policy:
    """The policy that was typed: every rule by name, each weight a whole number in its range."""
    if set(typed) != {rule.value for rule in Rule}:
        raise NotEveryRule
    return Policy(
        {
            rule: Weight(
                _weight(f"{rule}.first", typed[rule][0]),
                _weight(f"{rule}.each_more", typed[rule][1]),
            )
            for rule in Rule
        }
    )


def _weight(field: str, typed: object) -> int:
    written = str(typed).strip() if isinstance(typed, str | int) else ""
    if not (written.isascii() and written.isdecimal() and len(written) <= len(str(HEAVIEST))):
        raise WeightOutOfRange(field, most=HEAVIEST)
    if int(written) > HEAVIEST:
        raise WeightOutOfRange(field, most=HEAVIEST)
    return int(written)


def risk_of_counts(counted: Mapping[Rule, int], policy: Policy = DEFAULT) -> int:
    """The risk score that the signals that count add up to, at most 100."""
    risk = sum(
        policy[rule].first + policy[rule].each_more * (times - 1)
        for rule, times in counted.items()
        if times
    )
    return min(HIGHEST_RISK, risk)


def is_shared(accounts: int) -> bool:
    """Whether so many accounts on one device are more than a household's, and not a model's."""
    return ACCOUNTS_A_DEVICE < accounts <= ACCOUNTS_A_MODEL


def clocks_differ(client: timedelta, server: timedelta, *, since: timedelta | None = None) -> bool:
    """Whether the page has counted otherwise; `since` it may have stood still, by the server."""
    least = server if since is None else since
    return not least - CLOCKS_MAY_DIFFER <= client <= server + CLOCKS_MAY_DIFFER
