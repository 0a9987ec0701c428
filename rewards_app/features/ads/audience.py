"""How old the people are who see ads, in groups wide enough to say nothing of one person. Pure."""

from enum import IntEnum

from rewards_app.features.ads.rules import ADULT_AT

SMALLEST_GROUP = 20
"""A group of fewer viewers is not shown."""


class AgeGroup(IntEnum):
    """Kept as a number; its name is the youngest age in it."""

    UNDER_18 = 0
    FROM_18 = 1
    FROM_25 = 2
    FROM_35 = 3
    FROM_45 = 4


_FROM = ((45, AgeGroup.FROM_45), (35, AgeGroup.FROM_35), (25, AgeGroup.FROM_25))


def group_of(age: int) -> AgeGroup:
    if age < ADULT_AT:
        return AgeGroup.UNDER_18
    return next((group for youngest, group in _FROM if age >= youngest), AgeGroup.FROM_18)
