"""Which boards there are, what their periods are, and what a rank says. Pure."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from math import ceil
from uuid import UUID

from rewards_app.core import rounding
from rewards_app.features.ads.days import PLATFORM_CALENDAR, platform_day, start_of
from rewards_app.features.ads.rules import breaks_between, midnights_before

TOP = 100


class Period(StrEnum):
    WEEK = "week"
    MONTH = "month"
    ALL = "all"


USUAL_PERIOD = Period.MONTH
EVER = "all"
"""The board of all time."""


def period_from(raw: str) -> Period:
    """What an address says; anything else is the usual one."""
    return Period(raw) if raw in set(Period) else USUAL_PERIOD


def board_of(period: Period, now: datetime) -> str:
    """The name of the board of the period that `now` is in."""
    return _board(period, platform_day(now))


def _board(period: Period, today: date) -> str:
    match period:
        case Period.WEEK:
            return f"w:{_monday(today).isoformat()}"
        case Period.MONTH:
            return f"m:{today:%Y-%m}"
        case Period.ALL:
            return EVER


def kept_boards(now: datetime) -> list[str]:
    """Those of now, and the week and the month before."""
    today = platform_day(now)
    before = {
        Period.WEEK: _monday(today) - timedelta(days=1),
        Period.MONTH: today.replace(day=1) - timedelta(days=1),
    }
    names = [_board(period, day) for period in before for day in (today, before[period])]
    return [EVER, *names]


def kept_since(now: datetime) -> dict[Period, datetime]:
    """When the oldest week and the oldest month began whose boards are kept."""
    today = platform_day(now)
    month_before = today.replace(day=1) - timedelta(days=1)
    return {
        Period.WEEK: _start(_monday(today) - timedelta(days=7)),
        Period.MONTH: _start(month_before.replace(day=1)),
    }


def days_left(period: Period, now: datetime) -> int | None:
    """The present day counts; of all time there is no end."""
    today = platform_day(now)
    match period:
        case Period.WEEK:
            return 7 - today.weekday()
        case Period.MONTH:
            following = (today.replace(day=28) + timedelta(days=4)).replace(day=1)
            return (following - today).days
        case Period.ALL:
            return None


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _start(day: date) -> datetime:
    return start_of(PLATFORM_CALENDAR.zone, day)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands on a board; without a rank while they have earned nothing there."""

    rank: int | None
    coins: int
    ads: int
    players: int
    """How many the board has."""

    @property
    def top_percent(self) -> int | None:
        """The smallest whole share of all players that this rank is in."""
        return ceil(100 * self.rank / self.players) if self.rank and self.players else None


@dataclass(frozen=True, slots=True)
class Row:
    """A player on a board. Equals share a rank; of them the older account comes first."""

    rank: int
    account_id: UUID
    name: str
    handle: str
    """Empty where an account has none."""
    level: int
    streak: int
    ads: int
    coins: int
    is_public: bool
    """Whether others may open the profile."""


@dataclass(frozen=True, slots=True)
class Around:
    """A player's own row, those beside it, and the next one that has more coins."""

    own: Row
    above: Row | None
    below: Row | None
    following: Row | None

    @property
    def rows(self) -> list[Row]:
        return [row for row in (self.above, self.own, self.below) if row]


@dataclass(frozen=True, slots=True)
class BoardFigures:
    players: int
    """Who earned something in the period."""
    ads: int

    @property
    def average(self) -> int:
        """Ads of one player."""
        return rounding.average(self.ads, self.players)


@dataclass(frozen=True, slots=True)
class WayUp:
    """What it takes to stand beside the next player above."""

    coins: int
    ads: int
    minutes: int
    days: int
    """0 for today, 1 for tomorrow."""


def way_up(
    missing: int,
    *,
    coins_an_ad: float,
    seconds_an_ad: float,
    left_today: int,
    left_in_sitting: int | None = None,
) -> WayUp:
    """`left_in_sitting` is None for whoever needs no break; the others' are part of the minutes."""
    ads = ceil(missing / coins_an_ad)
    breaks = breaks_between(ads, left_today=left_today, left_in_sitting=left_in_sitting)
    minutes = ceil((timedelta(seconds=ads * seconds_an_ad) + breaks) / timedelta(minutes=1))
    return WayUp(missing, ads, minutes, days=midnights_before(ads, left_today=left_today))
