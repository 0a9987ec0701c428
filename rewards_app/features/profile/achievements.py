"""The eight achievements: what each asks for, and how far somebody has come. Pure."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from rewards_app.features.ads.rules import DAILY_LIMIT


@dataclass(frozen=True, slots=True)
class Deeds:
    """What a player has done so far, as it is measured."""

    ads: int = 0
    purchases: int = 0
    """With coins; one is enough, so no more are counted."""
    best_streak: int = 0
    games: int = 0
    posts: int = 0
    """Topics and replies that others can read."""
    best_day: int = 0
    """Ads on the day with most of them."""
    level: int = 1

    def with_best_day(self, ads: int, *, was_full: bool) -> "Deeds":
        """Today may be the best one, or an earlier day.

        That is cut by the zone of today, which may have been told later: where no day was full as
        the limit counted it, none looks full.
        """
        earlier = ads if was_full else min(ads, DAILY_LIMIT - 1)
        return replace(self, best_day=max(self.best_day, earlier))


class Achievement(StrEnum):
    """Each has its words in every catalogue, under `achievements.`."""

    FIRST_WATCH = "first_watch"
    FIRST_REWARD = "first_reward"
    SEVEN_IN_A_ROW = "seven_in_a_row"
    SQUAD_READY = "squad_ready"
    CENTURY = "century"
    VOICE_OF_THE_ARENA = "voice_of_the_arena"
    FULL_HOUSE = "full_house"
    LIVING_LEGEND = "living_legend"


@dataclass(frozen=True, slots=True)
class Rule:
    icon: str
    counts: str
    """The figure of `Deeds` that grows towards the goal."""
    goal: int

    def progress(self, deeds: Deeds) -> int:
        return min(getattr(deeds, self.counts), self.goal)

    def is_met(self, deeds: Deeds) -> bool:
        return getattr(deeds, self.counts) >= self.goal


RULES = {
    Achievement.FIRST_WATCH: Rule("circle-play", "ads", 1),
    Achievement.FIRST_REWARD: Rule("shopping-bag", "purchases", 1),
    Achievement.SEVEN_IN_A_ROW: Rule("flame", "best_streak", 7),
    Achievement.SQUAD_READY: Rule("users", "games", 3),
    Achievement.CENTURY: Rule("gauge", "ads", 100),
    Achievement.VOICE_OF_THE_ARENA: Rule("message-square-text", "posts", 10),
    Achievement.FULL_HOUSE: Rule("clock", "best_day", DAILY_LIMIT),
    Achievement.LIVING_LEGEND: Rule("trophy", "level", 15),
}


def newly_met(deeds: Deeds, unlocked: Collection[str]) -> list[Achievement]:
    """What these deeds unlock that was locked, in the order of the table."""
    return [one for one, rule in RULES.items() if one not in unlocked and rule.is_met(deeds)]
