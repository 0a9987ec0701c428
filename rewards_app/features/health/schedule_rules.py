"""The hours of jobs: how often each runs, when next, and when it is late. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

A_MINUTE = timedelta(minutes=1)
AN_HOUR = timedelta(hours=1)
A_DAY = timedelta(days=1)
A_WEEK = timedelta(days=7)
DAYS_A_WEEK = 7
MINUTES_AN_HOUR = 60
EVERY = "*"

DID = frozenset(
    {
        *("asked", "challenges", "checked", "deleted", "devices", "done", "emptied", "ended"),
        *("erased", "expired", "failed", "folded", "forgotten", "found", "freed", "links"),
        *("mailed", "pieces_deleted", "postponed", "presence", "restrictions", "runs", "samples"),
        *("sessions", "settled", "signals", "started", "steps", "tickets", "void"),
        *("warned", "warned_again", "wrong"),
        *("away", "behind", "cut_off", "dropped", "made", "without_month"),
        *("marked", "not_opened", "resealed"),
    }
)
"""What runs count; each has its words in every catalogue, under `schedule.did.`."""


class UnknownHours(ValueError):
    """Nobody has words for these hours."""


class Rhythm(StrEnum):
    """How often; each has its words in every catalogue, under `schedule.every.`."""

    MINUTES = "minutes"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class Hours:
    rhythm: Rhythm
    interval: timedelta
    offset: timedelta
    """How long after midnight, on Monday where it is once a week."""

    @property
    def minutes(self) -> int:
        return self.interval // A_MINUTE


def hours_of(cron: str) -> Hours:
    """What `cron` says, as far as there are words for it: minutes, hourly, daily, weekly."""
    minute, hour, day, month, weekday = cron.split()
    if (day, month) != (EVERY, EVERY):
        raise UnknownHours(cron)
    if weekday != EVERY:
        return Hours(Rhythm.WEEK, A_WEEK, _day_of(weekday) + _time_of(hour, minute, cron))
    if hour != EVERY:
        return Hours(Rhythm.DAY, A_DAY, _time_of(hour, minute, cron))
    if minute.isdecimal():
        return Hours(Rhythm.HOUR, AN_HOUR, int(minute) * A_MINUTE)
    return Hours(Rhythm.MINUTES, _step_of(minute, cron) * A_MINUTE, timedelta(0))


def _day_of(weekday: str) -> timedelta:
    """Since Monday; cron counts from Sunday."""
    return ((int(weekday) - 1) % DAYS_A_WEEK) * A_DAY


def _time_of(hour: str, minute: str, cron: str) -> timedelta:
    if not (hour.isdecimal() and minute.isdecimal()):
        raise UnknownHours(cron)
    return int(hour) * AN_HOUR + int(minute) * A_MINUTE


def _step_of(minute: str, cron: str) -> int:
    step = "1" if minute == EVERY else minute.removeprefix("*/")
    if not step.isdecimal() or MINUTES_AN_HOUR % int(step):
        raise UnknownHours(cron)
    return int(step)


def next_run(hours: Hours, *, now: datetime) -> datetime:
    """The first moment after `now` that these hours name."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - today.weekday() * A_DAY
    begin = (monday if hours.rhythm is Rhythm.WEEK else today) + hours.offset
    return begin + ((now - begin) // hours.interval + 1) * hours.interval


@dataclass(frozen=True, slots=True)
class Run:
    started_at: datetime
    ended_at: datetime | None
    error: str
    is_in_hand: bool = False
    """A worker that was heard of just now does it."""


class State(StrEnum):
    """How a job is; each has its words in every catalogue, under `schedule.states.`."""

    FINE = "fine"
    RUNNING = "running"
    NEW = "new"
    """It has not run yet, and need not have."""
    LATE = "late"
    FAILED = "failed"
    BROKEN_OFF = "broken_off"
    """Its worker died in the middle of it."""


def state_of(last: Run | None, hours: Hours, *, watched_since: datetime, now: datetime) -> State:
    """Late is what did not begin for twice as long as it should have, since anybody watched."""
    seen = max(watched_since, last.started_at) if last else watched_since
    if now - seen > 2 * hours.interval:
        return State.LATE
    if last is None:
        return State.NEW
    if last.error:
        return State.FAILED
    if last.ended_at:
        return State.FINE
    if last.is_in_hand or now - last.started_at < AN_HOUR:
        return State.RUNNING
    return State.BROKEN_OFF
