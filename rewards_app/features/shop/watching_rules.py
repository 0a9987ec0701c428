"""How much watching brings a package down to coins alone. Pure."""

import math
from dataclasses import dataclass
from datetime import timedelta

from rewards_app.features.ads.rules import breaks_between, midnights_before


@dataclass(frozen=True, slots=True)
class Earning:
    """What watching pays at present, and how much of today is left."""

    coins_an_ad: float
    seconds_an_ad: float
    left_today: int
    left_in_sitting: int | None = None
    """Before a break; None for whoever needs none."""


@dataclass(frozen=True, slots=True)
class WayToFree:
    """How far a package is from costing coins alone."""

    coins: int
    ads: int
    minutes: int
    days: int
    """0 for today, 1 for tomorrow."""


def way_to_free(price_kr: int, balance: int, earning: Earning) -> WayToFree:
    missing = max(0, price_kr - balance)
    ads = math.ceil(missing / earning.coins_an_ad)
    breaks = breaks_between(
        ads, left_today=earning.left_today, left_in_sitting=earning.left_in_sitting
    )
    time = timedelta(seconds=ads * earning.seconds_an_ad) + breaks
    minutes = math.ceil(time / timedelta(minutes=1))
    days = midnights_before(ads, left_today=earning.left_today)
    return WayToFree(missing, ads, minutes, days)
