"""How old somebody is, and who may be here."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.accounts import age_rules
from rewards_app.features.accounts.rules import TooYoung

TODAY = date(2026, 3, 14)
DAY = timedelta(days=1)


def accepted(raw: str, today: date = TODAY) -> date:
    return age_rules.accepted_birth_date(raw, today=today)


class TestAgeOn:
    @pytest.mark.parametrize(
        ("birth_date", "day", "age"),
        [
            ("2010-03-14", "2026-03-13", 15),
            ("2010-03-14", "2026-03-14", 16),
            ("2010-03-14", "2026-03-15", 16),
            ("2010-12-31", "2026-01-01", 15),
            ("2010-01-01", "2026-12-31", 16),
            ("2026-03-14", "2026-03-14", 0),
            ("1900-01-01", "2026-03-14", 126),
        ],
    )
    def test_counts_whole_years(self, birth_date: str, day: str, age: int):
        assert age_rules.age_on(date.fromisoformat(birth_date), date.fromisoformat(day)) == age

    @pytest.mark.parametrize(
        ("day", "age"),
        [("2025-02-28", 12), ("2025-03-01", 13), ("2028-02-28", 15), ("2028-02-29", 16)],
    )
    def test_knows_who_was_born_on_a_leap_day(self, day: str, age: int):
        assert age_rules.age_on(date(2012, 2, 29), date.fromisoformat(day)) == age

    @given(st.dates(date(1900, 1, 1), TODAY), st.dates(date(1900, 1, 1), TODAY))
    def test_grows_by_one_at_most_from_one_day_to_the_next(self, birth_date: date, day: date):
        growth = age_rules.age_on(birth_date, day + DAY) - age_rules.age_on(birth_date, day)
        assert growth in (0, 1)


class TestAgeAt:
    @pytest.mark.parametrize(
        ("zone", "begins"),
        [
            ("Pacific/Kiritimati", datetime(2026, 3, 13, 10, tzinfo=UTC)),
            ("Europe/London", datetime(2026, 3, 14, tzinfo=UTC)),
            ("America/Los_Angeles", datetime(2026, 3, 14, 7, tzinfo=UTC)),
            ("Pacific/Pago_Pago", datetime(2026, 3, 14, 11, tzinfo=UTC)),
            ("", datetime(2026, 3, 13, 23, tzinfo=UTC)),
            ("Mars/Olympus", datetime(2026, 3, 13, 23, tzinfo=UTC)),
        ],
    )
    def test_grows_with_the_midnight_of_the_zone_or_of_the_house(self, zone: str, begins: datetime):
        born = date(2008, 3, 14)
        assert age_rules.age_at(born, zone, begins - timedelta(seconds=1)) == 17
        assert age_rules.age_at(born, zone, begins) == 18


class TestLatestBirthDate:
    @pytest.mark.parametrize(
        ("age", "day", "born"),
        [
            (15, "2026-03-14", "2011-03-14"),
            (16, "2028-02-29", "2012-02-29"),
            (15, "2028-02-29", "2013-02-28"),
        ],
    )
    def test_is_a_birthday_of_that_day(self, age: int, day: str, born: str):
        latest = age_rules.latest_birth_date(age, date.fromisoformat(day))
        assert latest == date.fromisoformat(born)

    @given(st.integers(13, 99), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
    def test_is_the_last_day_that_makes_somebody_so_old(self, age: int, day: date):
        latest = age_rules.latest_birth_date(age, day)
        assert age_rules.age_on(latest, day) == age
        assert age_rules.age_on(latest + DAY, day) == age - 1


class TestAcceptedBirthDate:
    def test_takes_whoever_turns_thirteen_today(self):
        assert accepted("2013-03-14") == date(2013, 3, 14)

    @pytest.mark.parametrize("raw", ["2013-03-15", "2020-01-01", "2026-03-14"])
    def test_refuses_whoever_is_younger(self, raw: str):
        with pytest.raises(TooYoung):
            accepted(raw)

    @pytest.mark.parametrize("raw", ["1900-01-01", "2012-02-29"])
    def test_takes_old_people_and_leap_days(self, raw: str):
        assert accepted(raw) == date.fromisoformat(raw)

    @pytest.mark.parametrize(
        "raw",
        [
            *("", " ", "x", "2013", "2013-03", "14/03/2013", "2013-3-4", "20130314", "2013-W11-4"),
            *("2013-02-29", "2013-13-01", "2013-00-10", "2013-04-31", "0000-01-01"),
            *("1899-12-31", "0013-03-14", "2026-03-15", "9999-12-31", "02013-03-14"),
            *(
                "2013-03-14T00:00",
                "2013-03-14\n",
                " 2013-03-14",
                "-013-03-14",
                "２０１３-０３-１４",
            ),
        ],
    )
    def test_refuses_what_is_no_birth_date(self, raw: str):
        with pytest.raises(age_rules.BirthDateMissing):
            accepted(raw)

    @given(st.text(max_size=12))
    def test_never_breaks(self, raw: str):
        with suppress(age_rules.BirthDateMissing, TooYoung):
            accepted(raw)


class TestNeedsParents:
    @pytest.mark.parametrize(
        ("birth_date", "is_needed"),
        [("2013-03-14", True), ("2010-03-15", True), ("2010-03-14", False), ("1980-01-01", False)],
    )
    def test_below_sixteen(self, birth_date: str, is_needed: bool):
        assert age_rules.needs_parents(date.fromisoformat(birth_date), today=TODAY) is is_needed
