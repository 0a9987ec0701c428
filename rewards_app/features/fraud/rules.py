"""What follows by itself from the signals that count. Pure.

Automation may stop somebody from earning, and must be surer to suspend them: then they must hold
proof that sessions were replayed or forged. What honest people do, too, adds to the risk that
admins see, and never decides: a shared device, a second ad that was refused while one runs on
another device, and calls that a bad connection sent again. Without those the risk must reach the
limit.
"""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from rewards_app.features.signals.rules import Policy, Rule, risk_of_counts

PAUSE_AT = 70
SUSPEND_AT = 90
PROOFS_TO_SUSPEND = 3
"""A family on one phone may meet one that it did not make, even two."""
HONEST_REPEATS = 2
"""So often a bad connection sends the same call again by itself, at most: that proves nothing."""

HONEST = frozenset({Rule.SHARED_DEVICE, Rule.PARALLEL_SESSIONS})
"""Siblings share a computer, and whoever has two screens presses on both: that earns nothing."""

FORGED = frozenset({Rule.FOREIGN_SESSION, Rule.MADE_UP_SESSION})
REPLAYED = frozenset({Rule.REPLAYED_COMPLETION})
PROVING = FORGED | REPLAYED


class Consequence(StrEnum):
    """As a signal's `action_taken` says it."""

    NONE = "none"
    EARNING_PAUSED = "earning_paused"
    ACCOUNT_SUSPENDED = "account_suspended"


def proofs_in(rule: Rule, times: int) -> int:
    """What `times` signals of one rule about one session prove.

    A page may hold the session of whoever used it before, and call it once and twice again: the
    first call of a forged session counts, and whatever is more than honest repeats.
    """
    if times == 0:
        return 0
    if rule in FORGED:
        return 1 + max(0, times - 1 - HONEST_REPEATS)
    return max(0, times - HONEST_REPEATS) if rule in REPLAYED else 0


def proofs_of(calls: Mapping[tuple[Rule, str], int]) -> Counter[Rule]:
    """How often each rule noticed each session, and how many proofs of each rule that makes."""
    proofs = Counter[Rule]()
    for (rule, _), times in calls.items():
        proofs[rule] += proofs_in(rule, times)
    return proofs


def consequence_of(
    counted: Mapping[Rule, int], proofs: Mapping[Rule, int], policy: Policy
) -> Consequence:
    """What the signals that count lead to; `counted` says how often each rule noticed something."""
    risk = risk_of_counts(deciding(counted, proofs), policy)
    if risk >= SUSPEND_AT and sum(proofs.values()) >= PROOFS_TO_SUSPEND:
        return Consequence.ACCOUNT_SUSPENDED
    return Consequence.EARNING_PAUSED if risk >= PAUSE_AT else Consequence.NONE


def grounds_of(
    counted: Mapping[Rule, int], proofs: Mapping[Rule, int], policy: Policy
) -> list[Rule]:
    """The rules that a consequence comes of, what weighs most first: its owner is told them."""
    weighs = {
        rule: risk_of_counts({rule: times}, policy)
        for rule, times in deciding(counted, proofs).items()
    }
    return sorted(filter(weighs.get, weighs), key=lambda rule: (-weighs[rule], rule))


def deciding(counted: Mapping[Rule, int], proofs: Mapping[Rule, int]) -> dict[Rule, int]:
    """What of it honest people do not do."""
    return {
        rule: proofs.get(rule, 0) if rule in PROVING else times
        for rule, times in counted.items()
        if rule not in HONEST
    }
