"""How old somebody is, and what follows from it. Pure: the day is an argument."""

import re
from calendar import isleap
from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from rewards_app.core.errors import DomainError
from rewards_app.core.house import HOUSE_ZONE
from rewards_app.features.accounts.rules import YOUNGEST, TooYoung

YOUNGEST_WITHOUT_PARENTS = 16
GROWN_UP = 18
"""Who is younger by what they typed is asked whether that is right: it cannot be changed later."""
EARLIEST_YEAR = 1900
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class BirthDateMissing(DomainError):
    """Nothing, no date, or one that nobody can have been born on."""

    code = "accounts.birth_date_missing"
    title = "errors.accounts.birth_date_missing_title"


class SignInFirst(DomainError):
    """An age belongs to an account; this caller has no session."""

    code = "accounts.sign_in_first"
    title = "errors.accounts.sign_in_first_title"


class AgeAlreadyVerified(DomainError):
    """A birth date is told once."""

    code = "accounts.age_already_verified"


class AgeNotTold(DomainError):
    """There is no birth date to forget."""

    code = "directory.age_not_told"


class AgeNotSaved(DomainError):
    """The database did not take it; what was typed stays."""

    code = "accounts.age_not_saved"
    title = "errors.accounts.age_not_saved_title"


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def day_in(zones: Iterable[str], now: datetime) -> date:
    """The day of whoever is in the first of these that is a time zone; else that of the house.

    Of a birthday counts where somebody lives: it begins up to 14 hours before UTC's.
    """
    known = next((zone for zone in zones if zone in _zones()), None)
    return now.astimezone(ZoneInfo(known) if known else HOUSE_ZONE).date()


def age_on(birth_date: date, day: date) -> int:
    """In whole years; who was born on 29 February has a birthday on 1 March in common years."""
    has_birthday_ahead = (day.month, day.day) < (birth_date.month, birth_date.day)
    return day.year - birth_date.year - has_birthday_ahead


def age_at(birth_date: date, zone: str, now: datetime) -> int:
    """How old somebody is who lives by `zone`: a birthday begins with the day there."""
    return age_on(birth_date, day_in([zone], now))


def latest_birth_date(age: int, day: date) -> date:
    """Nobody who was so old on `day` can have been born later: as if it was their birthday."""
    year = day.year - age
    is_no_day = (day.month, day.day) == (2, 29) and not isleap(year)
    return day.replace(year=year, day=28 if is_no_day else day.day)


def accepted_birth_date(raw: str, *, today: date) -> date:
    """The birth date that was typed, if somebody that old may be here."""
    birth_date = _date_from(raw)
    if birth_date.year < EARLIEST_YEAR or birth_date > today:
        raise BirthDateMissing
    if age_on(birth_date, today) < YOUNGEST:
        raise TooYoung
    return birth_date


def is_to_be_sure(years: int, confirmed: str) -> bool:
    """Whether they are asked again; `confirmed` are the years that they said yes to."""
    return years < GROWN_UP and confirmed != str(years)


def needs_parents(birth_date: date, *, today: date) -> bool:
    return age_on(birth_date, today) < YOUNGEST_WITHOUT_PARENTS


def _date_from(raw: str) -> date:
    if not ISO_DATE.fullmatch(raw):
        raise BirthDateMissing
    try:
        return date.fromisoformat(raw)
    except ValueError:
        raise BirthDateMissing from None
