"""When the office is there: on weekdays, but for those on which Swedish offices are closed.

Pure.
"""

from datetime import date, timedelta

FRIDAY, SATURDAY = 4, 5
FIXED = frozenset({(1, 1), (1, 6), (5, 1), (6, 6), (12, 24), (12, 25), (12, 26), (12, 31)})
"""Months and days. Christmas Eve and New Year's Eve are no public holidays, and nobody works."""
AFTER_EASTER = (timedelta(days=-2), timedelta(days=1), timedelta(days=39))
"""Good Friday, Easter Monday and Ascension Day: all other feasts are on a weekend."""
MIDSUMMER_EVE = frozenset((6, day) for day in range(19, 26))
"""The Friday among these."""


def is_working_day(day: date) -> bool:
    return day.weekday() < SATURDAY and not _is_holiday(day)


def _is_holiday(day: date) -> bool:
    this = (day.month, day.day)
    is_midsummer_eve = day.weekday() == FRIDAY and this in MIDSUMMER_EVE
    return this in FIXED or is_midsummer_eve or day - easter(day.year) in AFTER_EASTER


def easter(year: int) -> date:
    """Its Sunday, as J.-M. Oudin reckons it from the moon of the Gregorian calendar."""
    century, golden = year // 100, year % 19
    shift = (century - (century - 17) // 25) // 3
    epact = (century - century // 4 - shift + 19 * golden + 15) % 30
    epact -= (epact // 28) * (1 - (29 // (epact + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + epact + 2 - century + century // 4) % 7
    return date(year, 3, 28) + timedelta(days=epact - weekday)
