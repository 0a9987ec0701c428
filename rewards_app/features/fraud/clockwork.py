"""Whether somebody starts ads like a machine. Pure.

What counts is the time between the end of one ad and the start of the next. A page closes an
ad three seconds after its reward; then a person must look up, choose and click. Those who wait
for nothing but a light that goes on differ from one try to the next by a tenth of a second and
more; those who watch ads differ by seconds, since nobody stares at the last frame of twenty ads in
a row. A program differs by what its network does: some hundredths of a second.

So twenty gaps are looked at, the two shortest and the two longest are left out (a connection
that hung, a door bell), and the other sixteen must lie within a tenth of a second. Playing a lot,
every day and at the same hour, is no sign of anything.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

GAPS = 20
LEFT_OUT = 2
WITHIN = timedelta(milliseconds=100)
APART = timedelta(hours=12)
"""What is noted again sooner may be the same sitting: midnight makes no second day of it."""
A_BREAK = timedelta(minutes=10)
"""Whoever comes back after so long has paused: that is no gap."""

Watched = tuple[datetime, datetime]
"""When a view started, and when it ended."""


def gaps_between(views: Sequence[Watched]) -> list[timedelta]:
    """From the end of each view to the start of the next, without breaks; oldest first."""
    gaps = (later[0] - earlier[1] for earlier, later in pairwise(views))
    return [gap for gap in gaps if timedelta(0) <= gap < A_BREAK]


def spread_of(gaps: Sequence[timedelta]) -> timedelta | None:
    """How far the last gaps lie apart, the extreme ones left out; None while there are too few."""
    if len(gaps) < GAPS:
        return None
    ordered = sorted(gaps[-GAPS:])[LEFT_OUT:-LEFT_OUT]
    return ordered[-1] - ordered[0]


def is_clockwork(spread: timedelta | None) -> bool:
    return spread is not None and spread <= WITHIN


def is_another_day(noted_at: datetime | None, *, today: datetime, now: datetime) -> bool:
    """Whether it may be noted now; `today` is when the day began."""
    return noted_at is None or (noted_at < today and now - noted_at >= APART)


def watched_since(noted_at: datetime | None, views: Sequence[Watched]) -> list[Watched]:
    """What is judged: nothing that was noted once is a part of what is noted the next day."""
    return [view for view in views if noted_at is None or view[0] > noted_at]
