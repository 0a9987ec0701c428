"""How often a job runs, when next, and when it is late."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from croniter import croniter
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.health.schedule_rules import (
    Rhythm,
    Run,
    State,
    UnknownHours,
    hours_of,
    next_run,
    state_of,
)

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
CRONS = ("* * * * *", "*/5 * * * *", "13 * * * *", "17 3 * * *", "0 6 * * 1", "30 23 * * 0")


class TestHours:
    @pytest.mark.parametrize(
        ("cron", "rhythm", "minutes"),
        [
            ("* * * * *", Rhythm.MINUTES, 1),
            ("*/10 * * * *", Rhythm.MINUTES, 10),
            ("13 * * * *", Rhythm.HOUR, 60),
            ("17 3 * * *", Rhythm.DAY, 1440),
            ("0 6 * * 1", Rhythm.WEEK, 10080),
        ],
    )
    def test_have_a_rhythm(self, cron: str, rhythm: Rhythm, minutes: int):
        found = hours_of(cron)
        assert (found.rhythm, found.minutes) == (rhythm, minutes)

    @pytest.mark.parametrize(
        "cron", ["0 0 1 * *", "*/7 * * * *", "0,30 * * * *", "* 3 * * *", "0 0 * 5 *"]
    )
    def test_without_words_are_refused(self, cron: str):
        with pytest.raises(UnknownHours):
            hours_of(cron)

    @given(
        cron=st.sampled_from(CRONS),
        now=st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC)),
    )
    def test_name_the_same_next_run_as_the_queue(self, cron: str, now: datetime):
        assert next_run(hours_of(cron), now=now) == croniter(cron, now).get_next(datetime)


def the_state(last: Run | None, *, watched: timedelta = 3 * DAY) -> State:
    return state_of(last, hours_of("17 3 * * *"), watched_since=NOON - watched, now=NOON)


def a_run(ago: timedelta, *, error: str = "", has_ended: bool = True) -> Run:
    began = NOON - ago
    return Run(began, began + MINUTE if has_ended else None, error)


class TestAJob:
    def test_is_fine_until_it_lacks_two_runs(self):
        assert the_state(a_run(2 * DAY)) is State.FINE
        assert the_state(a_run(2 * DAY + MINUTE)) is State.LATE

    def test_is_not_late_while_nobody_could_have_run_it(self):
        assert the_state(a_run(30 * DAY), watched=DAY) is State.FINE

    def test_that_never_ran_is_new_until_it_is_late(self):
        assert the_state(None, watched=2 * DAY) is State.NEW
        assert the_state(None, watched=2 * DAY + MINUTE) is State.LATE

    def test_that_failed_says_so(self):
        assert the_state(a_run(DAY, error="KeyError")) is State.FAILED

    def test_that_has_not_ended_runs_or_was_broken_off(self):
        assert the_state(a_run(59 * MINUTE, has_ended=False)) is State.RUNNING
        assert the_state(a_run(60 * MINUTE, has_ended=False)) is State.BROKEN_OFF

    def test_that_a_worker_has_in_hand_runs_however_long_it_takes(self):
        proving = replace(a_run(DAY, has_ended=False), is_in_hand=True)
        assert the_state(proving) is State.RUNNING
        assert the_state(replace(proving, started_at=NOON - 3 * DAY)) is State.LATE
