"""A player's own day: local midnights, and what happens when the time zone changes. Pure."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from rewards_app.core.house import ZONE_NAME

A_WHOLE_DAY = timedelta(hours=24)
DEFAULT_ZONE = "UTC"


@dataclass(frozen=True, slots=True)
class Day:
    """From one moment up to, not including, another."""

    starts_at: datetime
    ends_at: datetime

    def __contains__(self, moment: datetime) -> bool:
        return self.starts_at <= moment < self.ends_at


@dataclass(frozen=True, slots=True)
class Calendar:
    """The zone that a player's days follow. `since` is when it replaced another one.

    `following` takes over when the present day ends, so that a change buys no second day.
    """

    zone: str = ""
    """Empty while no browser has told it: then days are those of UTC."""
    since: datetime | None = None
    following: str | None = None


PLATFORM_CALENDAR = Calendar(ZONE_NAME)
"""Everybody's figures need one day for all: that of the house, which is Swedish, as its prices."""


def platform_day(now: datetime) -> date:
    return local_date(PLATFORM_CALENDAR.zone, now)


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def is_zone(name: str) -> bool:
    return name in _zones()


def day_at(calendar: Calendar, now: datetime) -> Day:
    """The day that `now` is in.

    The first day after a change lasts until a midnight at least 24 hours away: zones that are
    changed back and forth give no more midnights than one that stays.
    """
    zone = _zone(calendar.zone)
    if calendar.since and now >= calendar.since:
        first_end = _first_midnight(calendar.since + A_WHOLE_DAY, zone)
        if now < first_end:
            return Day(calendar.since, first_end)
    today = now.astimezone(zone).date()
    return Day(_midnight(today, zone), _midnight(today + timedelta(days=1), zone))


def turned(calendar: Calendar, day: Day, now: datetime) -> Calendar:
    """The calendar that holds `now`, when `day` was the last one known."""
    if calendar.following and now >= day.ends_at:
        return Calendar(calendar.following, since=day.ends_at)
    return calendar


def told(calendar: Calendar, zone: str, *, is_first: bool) -> Calendar:
    """The browser says which zone it is in. Only the first time it counts at once."""
    if is_first:
        return Calendar(zone)
    following = None if zone == calendar.zone else zone
    return Calendar(calendar.zone, calendar.since, following)


def local_date(zone: str, now: datetime) -> date:
    return now.astimezone(_zone(zone)).date()


def start_of(zone: str, day: date) -> datetime:
    """When a day of the zone begins."""
    return _midnight(day, _zone(zone))


def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name or DEFAULT_ZONE)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """When `day` begins. Where clocks skip midnight, that is the moment of the skip."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def _first_midnight(moment: datetime, zone: ZoneInfo) -> datetime:
    """The first beginning of a day at `moment` or later."""
    today = moment.astimezone(zone).date()
    start = _midnight(today, zone)
    return start if start >= moment else _midnight(today + timedelta(days=1), zone)
