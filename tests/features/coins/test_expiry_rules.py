"""When coins expire: exact at the ends of months, and never without both warnings in time."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.coins.expiry_rules import (
    Step,
    Warned,
    away_since,
    due_at,
    months_after,
    step,
)

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


ACTIVE = at("2025-03-14 12:00")
DUE = at("2026-03-15 00:00")


def warned(first: datetime, last: datetime | None = None, since: datetime = ACTIVE) -> Warned:
    return Warned(since, first, last)


def next_step(known: Warned | None, now: datetime, months: int = 12) -> Step | None:
    found = step(known, ACTIVE, months, now=now)
    return found[0] if found else None


class TestTheDay:
    @pytest.mark.parametrize(
        ("day", "months", "then"),
        [
            (date(2025, 3, 14), 12, date(2026, 3, 14)),
            (date(2024, 2, 29), 12, date(2025, 2, 28)),
            (date(2023, 2, 28), 12, date(2024, 2, 28)),
            (date(2024, 2, 29), 48, date(2028, 2, 29)),
            (date(2025, 8, 31), 6, date(2026, 2, 28)),
            (date(2025, 1, 31), 1, date(2025, 2, 28)),
            (date(2025, 12, 31), 1, date(2026, 1, 31)),
            (date(2025, 11, 30), 1, date(2025, 12, 30)),
            (date(2026, 3, 14), -12, date(2025, 3, 14)),
            (date(2025, 3, 31), -1, date(2025, 2, 28)),
        ],
    )
    def test_is_so_many_months_later(self, day: date, months: int, then: date):
        assert months_after(day, months) == then

    @pytest.mark.parametrize("hour", ["00:00", "12:00", "23:59:59"])
    def test_begins_after_the_last_one_that_counts(self, hour: str):
        assert due_at(at(f"2025-03-14 {hour}"), 12) == DUE

    def test_after_a_leap_day_is_the_first_of_march(self):
        assert due_at(at("2024-02-29 09:00"), 12) == at("2025-03-01 00:00")

    @given(
        active=st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),
        now=st.datetimes(datetime(2020, 1, 1), datetime(2041, 1, 1), timezones=st.just(UTC)),
        months=st.integers(1, 120),
    )
    def test_nobody_who_is_to_be_warned_is_overlooked(
        self, active: datetime, now: datetime, months: int
    ):
        if step(None, active, months, now=now):
            assert active < away_since(months, now=now)


class TestAStep:
    def test_is_the_first_warning_thirty_days_before(self):
        assert next_step(None, DUE - 30 * DAY - SECOND) is None
        assert step(None, ACTIVE, 12, now=DUE - 30 * DAY) == (Step.WARN, DUE)

    def test_is_the_last_warning_seven_days_before(self):
        known = warned(DUE - 30 * DAY)
        assert next_step(known, DUE - 7 * DAY - SECOND) is None
        assert step(known, ACTIVE, 12, now=DUE - 7 * DAY) == (Step.WARN_AGAIN, DUE)

    def test_is_the_end_when_the_day_has_come(self):
        known = warned(DUE - 30 * DAY, DUE - 7 * DAY)
        assert next_step(known, DUE - SECOND) is None
        assert next_step(known, DUE) is Step.EXPIRE

    def test_after_a_job_that_was_down_is_a_warning_with_its_full_time(self):
        now = DUE + 100 * DAY
        assert step(None, ACTIVE, 12, now=now) == (Step.WARN, now + 30 * DAY)
        known = warned(now)
        assert next_step(known, now + 23 * DAY - SECOND) is None
        assert next_step(known, now + 23 * DAY) is Step.WARN_AGAIN
        both = warned(now, now + 23 * DAY)
        assert next_step(both, now + 30 * DAY - SECOND) is None
        assert next_step(both, now + 30 * DAY) is Step.EXPIRE

    def test_after_a_late_last_warning_waits_a_week(self):
        now = DUE + 3 * DAY
        first = warned(DUE - 30 * DAY)
        assert step(first, ACTIVE, 12, now=now) == (Step.WARN_AGAIN, now + 7 * DAY)
        both = warned(DUE - 30 * DAY, now)
        assert next_step(both, now + 7 * DAY - SECOND) is None
        assert next_step(both, now + 7 * DAY) is Step.EXPIRE

    def test_begins_anew_after_any_activity(self):
        known = warned(DUE - 30 * DAY, DUE - 7 * DAY, since=ACTIVE - DAY)
        assert next_step(known, DUE) is Step.WARN

    def test_begins_anew_where_the_months_were_made_more(self):
        known = warned(DUE - 30 * DAY, DUE - 7 * DAY)
        later = due_at(ACTIVE, 24)
        assert next_step(known, later - 30 * DAY - SECOND, months=24) is None
        assert next_step(known, later, months=24) is Step.WARN

    @given(late=st.lists(st.integers(0, 90), min_size=3, max_size=3), months=st.integers(1, 60))
    def test_takes_nothing_sooner_than_both_mails_said(self, late: list[int], months: int):
        due = due_at(ACTIVE, months)
        first = due - 30 * DAY + late[0] * DAY
        last = first + 23 * DAY + late[1] * DAY
        gone = step(warned(first, last), ACTIVE, months, now=last + late[2] * DAY)
        if gone:
            now = last + late[2] * DAY
            assert now >= max(due, first + 30 * DAY, last + 7 * DAY)
