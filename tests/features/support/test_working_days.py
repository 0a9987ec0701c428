"""When the office is there: the holidays of several years, as Swedish almanacs have them."""

from datetime import date, timedelta

import pytest

from rewards_app.features.support.working_days import easter, is_working_day

WEEKDAYS_OFF = {
    2024: "01-01 03-29 04-01 05-01 05-09 06-06 06-21 12-24 12-25 12-26 12-31",
    2025: "01-01 01-06 04-18 04-21 05-01 05-29 06-06 06-20 12-24 12-25 12-26 12-31",
    2026: "01-01 01-06 04-03 04-06 05-01 05-14 06-19 12-24 12-25 12-31",
    2027: "01-01 01-06 03-26 03-29 05-06 06-25 12-24 12-31",
    2028: "01-06 04-14 04-17 05-01 05-25 06-06 06-23 12-25 12-26",
}


def weekdays_off(year: int) -> list[str]:
    days = [date(year, 1, 1) + timedelta(days=count) for count in range(366)]
    weekdays = [day for day in days if day.year == year and day.weekday() < 5]
    return [f"{day:%m-%d}" for day in weekdays if not is_working_day(day)]


@pytest.mark.parametrize("year", WEEKDAYS_OFF)
def test_on_holidays_nobody_is_there(year: int):
    assert weekdays_off(year) == WEEKDAYS_OFF[year].split()


@pytest.mark.parametrize("day", [date(2026, 6, 20), date(2026, 10, 31), date(2026, 4, 5)])
def test_on_weekends_nobody_is_there_either(day: date):
    assert not is_working_day(day)


@pytest.mark.parametrize(
    ("year", "sunday"),
    [(2008, (3, 23)), (2011, (4, 24)), (2019, (4, 21)), (2038, (4, 25)), (2049, (4, 18))],
)
def test_easter_is_when_the_church_says(year: int, sunday: tuple[int, int]):
    assert easter(year) == date(year, *sunday)
