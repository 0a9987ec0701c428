"""When coins of somebody who never comes any more expire. Pure."""

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

FIRST_WARNING = timedelta(days=30)
"""Before the coins go; and no coin goes sooner after it."""
LAST_WARNING = timedelta(days=7)
A_DAY = timedelta(days=1)


class Step(StrEnum):
    WARN = "warn"
    WARN_AGAIN = "warn_again"
    EXPIRE = "expire"


@dataclass(frozen=True, slots=True)
class Warned:
    """What somebody was told, who had been away since `inactive_since` by then."""

    inactive_since: datetime
    first_told_at: datetime
    last_told_at: datetime | None


def due_at(active_at: datetime, months: int) -> datetime:
    """Midnight after the day on which the last activity is so many months ago.

    Days count: activity is written down once a day. Where the month has no such day, its last one.
    """
    active_on = active_at.astimezone(UTC).date()
    return datetime.combine(months_after(active_on, months) + A_DAY, time(0), UTC)


def months_after(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def away_since(months: int, *, now: datetime) -> datetime:
    """Whoever was active from here on is not even warned yet."""
    day = (now + FIRST_WARNING).astimezone(UTC).date()
    return datetime.combine(months_after(day, -months) + A_DAY, time(0), UTC)


def valid(warned: Warned | None, active_at: datetime, months: int) -> Warned | None:
    """What counts of a warning: none that activity, or another setting, has overtaken."""
    if warned is None or warned.inactive_since != active_at:
        return None
    is_too_early = warned.first_told_at < due_at(active_at, months) - FIRST_WARNING
    return None if is_too_early else warned


def step(
    warned: Warned | None, active_at: datetime, months: int, *, now: datetime
) -> tuple[Step, datetime] | None:
    """What is to be done now, and when the coins go; both warnings come first, however late."""
    due = due_at(active_at, months)
    known = valid(warned, active_at, months)
    if known is None:
        is_time = now >= due - FIRST_WARNING
        return (Step.WARN, max(due, now + FIRST_WARNING)) if is_time else None
    goes_at = max(due, known.first_told_at + FIRST_WARNING)
    if known.last_told_at is None:
        is_time = now >= goes_at - LAST_WARNING
        return (Step.WARN_AGAIN, max(goes_at, now + LAST_WARNING)) if is_time else None
    goes_at = max(goes_at, known.last_told_at + LAST_WARNING)
    return (Step.EXPIRE, goes_at) if now >= goes_at else None
