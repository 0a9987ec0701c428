"""Days in a row, each of the player's own: when one more counts, and when it is over. Pure."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from rewards_app.features.ads.days import A_WHOLE_DAY, Calendar, Day, day_at, turned

CLOCKS_CHANGE_BY = timedelta(hours=3)
"""Days whose lengths are not known exactly still touch: no clock is changed by more."""


@dataclass(frozen=True, slots=True)
class Streak:
    """As others see it: 0 days once it is over."""

    days: int = 0
    best: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """Days in a row up to `day`, the last one that counted."""

    days: int
    best: int
    day: Day
    holds_until: datetime
    """The end of the following day, or later: without an ad until then it is over."""


@dataclass(frozen=True, slots=True)
class OwnDays:
    """A player's calendar, and the last day of it that was looked at."""

    calendar: Calendar
    known: Day | None = None

    def at(self, moment: datetime) -> Day:
        """The day that `moment` is in."""
        calendar = turned(self.calendar, self.known, moment) if self.known else self.calendar
        if calendar.since and moment < calendar.since - 2 * A_WHOLE_DAY:
            # Long before the zone changed: when its day ended is not known, but that it did.
            return Day(moment, moment + A_WHOLE_DAY)
        if calendar.since and moment < calendar.since:
            # An ad of before the zone changed: its day ended when the new zone began.
            return Day(min(calendar.since - A_WHOLE_DAY, moment), calendar.since)
        return day_at(calendar, moment)


def gone_on(run: Run | None, days: OwnDays, moment: datetime) -> Run:
    """What an ad that was over at `moment` makes of it; of a day that counted, nothing."""
    if run and moment < run.day.ends_at:
        return run
    day = days.at(moment)
    length = run.days + 1 if run and _follows(run, day, moment) else 1
    best = max(length, run.best if run else 0)
    return Run(length, best, day, holds_until=days.at(day.ends_at).ends_at)


def _follows(run: Run, day: Day, moment: datetime) -> bool:
    return moment < run.holds_until or day.starts_at - run.day.ends_at < CLOCKS_CHANGE_BY


def carried_on(run: Run, days: OwnDays, lifted_at: datetime) -> Run:
    """A run that lived when a restriction began, which was lifted then.

    It holds as if that day had counted: nobody could watch meanwhile.
    """
    following = days.at(days.at(lifted_at).ends_at)
    return replace(run, holds_until=max(run.holds_until, following.ends_at))
