"""Who starts ads like a machine, and who only plays a lot."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from rewards_app.features.fraud import clockwork
from rewards_app.features.fraud.clockwork import GAPS, Watched
from tests.people import NOON

AD = timedelta(seconds=30)


def watched(gaps: Sequence[float], *, begin: datetime = NOON) -> list[Watched]:
    """Ads of half a minute, with so many seconds between them."""
    views, start = [(begin, begin + AD)], begin + AD
    for gap in gaps:
        start += timedelta(seconds=gap)
        views.append((start, start + AD))
        start += AD
    return views


def ticks(gaps: Sequence[float]) -> bool:
    return clockwork.is_clockwork(clockwork.spread_of(clockwork.gaps_between(watched(gaps))))


class TestClockwork:
    def test_is_twenty_gaps_that_are_the_same(self):
        assert ticks([5.0] * GAPS)

    def test_is_not_yet_nineteen(self):
        assert not ticks([5.0] * (GAPS - 1))

    def test_looks_at_the_last_twenty(self):
        assert ticks([*range(10, 60), *[5.0] * GAPS])
        assert not ticks([*[5.0] * GAPS, *range(10, 20)])

    def test_forgives_a_connection_that_hung_now_and_then(self):
        assert ticks([*[5.0] * 16, 5.9, 7.2, 4.1, 3.9])
        assert not ticks([*[5.0] * 15, 5.9, 7.2, 4.1, 3.9, 6.4])

    @pytest.mark.parametrize(("spread", "is_one"), [(0.1, True), (0.101, False)])
    def test_lies_within_a_tenth_of_a_second(self, spread: float, is_one: bool):
        gaps = [5.0] * 2 + [5.0] * 8 + [5.0 + spread] * 8 + [5.0 + spread] * 2
        assert ticks(gaps) is is_one

    def test_counts_no_breaks(self):
        with_breaks = [gap for _ in range(GAPS) for gap in (5.0, 3600.0)]
        assert ticks(with_breaks)

    @pytest.mark.parametrize("jitter", [0.01, 0.02, 0.03])
    def test_is_a_program_behind_a_network(self, jitter: float):
        noise = random.Random(6)
        found = [ticks([4 + noise.gauss(0, jitter) for _ in range(GAPS)]) for _ in range(200)]
        assert sum(found) > 180

    def test_is_nobody_who_presses_as_quickly_as_people_can(self):
        """Three seconds until the ad has closed, then a reaction like a sprinter's, all day."""
        noise = random.Random(6)
        days = [[3.2 + noise.gammavariate(4, 0.12) for _ in range(49)] for _ in range(500)]
        assert not any(ticks(day[:end]) for day in days for end in range(GAPS, len(day) + 1))


class TestAnotherDay:
    MIDNIGHT = NOON + timedelta(hours=11)

    def may_be_noted(self, noted_at: datetime | None, *, after: timedelta) -> bool:
        now = (noted_at or NOON) + after
        return clockwork.is_another_day(noted_at, today=self.MIDNIGHT, now=now)

    def test_is_the_first_one(self):
        assert self.may_be_noted(None, after=timedelta(0))

    def test_is_not_what_was_noted_today(self):
        assert not self.may_be_noted(self.MIDNIGHT, after=timedelta(hours=23))

    def test_is_half_a_day_later_at_the_earliest(self):
        late = self.MIDNIGHT - timedelta(minutes=5)
        assert not self.may_be_noted(late, after=timedelta(hours=12) - timedelta(microseconds=1))
        assert self.may_be_noted(late, after=timedelta(hours=12))


class TestWatchedSince:
    def test_is_everything_while_it_was_never_noted(self):
        views = watched([5.0] * 3)
        assert clockwork.watched_since(None, views) == views

    def test_is_what_started_after_it_was_noted(self):
        views = watched([5.0] * 3)
        assert clockwork.watched_since(views[1][0], views) == views[2:]
