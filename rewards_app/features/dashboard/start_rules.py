"""The first steps of a new player, and which of them are done. Pure."""

from dataclasses import dataclass
from enum import StrEnum

KEPT_AT = 50
"""Whoever has earned so many coins, and spent none, keeps them: as many as the best ad gives."""


class Step(StrEnum):
    """In their order; each has its words in every catalogue, under `auth.steps.`."""

    VERIFY = "verify"
    WATCH = "watch"
    COINS = "coins"


@dataclass(frozen=True, slots=True)
class Facts:
    is_verified: bool
    ads_watched: int
    """Ads that were rewarded."""
    earned: int
    """Coins, ever: what was spent meanwhile was earned all the same."""
    has_spent: bool


def steps_done(facts: Facts) -> frozenset[Step]:
    is_done = {
        Step.VERIFY: facts.is_verified,
        Step.WATCH: facts.ads_watched > 0,
        Step.COINS: facts.has_spent or facts.earned >= KEPT_AT,
    }
    return frozenset(step for step in Step if is_done[step])


def next_step(done: frozenset[Step]) -> Step | None:
    """The first that is not done; None when all are."""
    return next((step for step in Step if step not in done), None)
