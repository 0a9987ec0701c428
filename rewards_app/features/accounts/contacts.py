"""Addresses and numbers of people: what the well-kept libraries know about them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

import phonenumbers
from babel import Locale
from disposable_email_domains import blocklist
from email_validator import EmailNotValidError, validate_email
from zxcvbn_rs_py import zxcvbn

from rewards_app.core.errors import Faults
from rewards_app.features.accounts import rules
from rewards_app.features.accounts.password_rules import KnownPassword, PersonalPassword
from rewards_app.i18n import languages

LEAST_GUESSABILITY = 2
"""On zxcvbn's scale of 0 to 4: below it falls within minutes."""
LONG = 24
"""Up to it an estimate takes a twentieth of a second at worst, where every sign may stand for a
letter."""
ESTIMATED_AT_ONCE = 40
"""So many take a tenth of a second at worst; a hundred would take more than one. Nothing else
happens meanwhile: zxcvbn keeps Python's lock, in a thread too."""


def sign_up_from(form: rules.SignUpForm, kind: rules.AccountKind, language: str) -> rules.SignUp:
    """All that is wrong at once: what the rules refuse, and what only the libraries know.

    Whether the password is guessable takes longer to find out, and is asked within limits.
    """
    with Faults() as faults:
        wanted = faults.read(
            rules.validated_sign_up, kind, form, countries=country_codes(), language=language
        )
        if kind is rules.AccountKind.PLAYER:
            faults.about("phone", normal_phone, form.phone, form.phone_country)
        faults.about("email", _email, form.email)
    return wanted


def _email(typed: str) -> None:
    refuse_bad_email(rules.email_from(typed))


def refuse_bad_email(email: str) -> None:
    """Refuse what is no address, and addresses made to be thrown away."""
    try:
        checked = validate_email(email, check_deliverability=False, allow_domain_literal=False)
    except EmailNotValidError:
        raise rules.BadEmail from None
    if not checked.ascii_email or checked.ascii_email.lower() != email:
        raise rules.BadEmail
    if checked.ascii_domain.lower() in blocklist:
        raise rules.DisposableEmail


def refuse_guessable(password: str, *, about: Iterable[str]) -> None:
    """Refuse what falls within minutes.

    Whether the owner's name makes it so takes as long again: a long one is not asked that.
    """
    words = [word for word in about if word]
    if not _is_guessable(password, words):
        return
    is_personal = words and len(password) <= LONG and not _is_guessable(password, [])
    raise PersonalPassword if is_personal else KnownPassword


def _is_guessable(password: str, words: list[str]) -> bool:
    """Whether each piece of it is: what one piece keeps from falling does not fall."""
    return all(
        int(zxcvbn(password[at : at + ESTIMATED_AT_ONCE], words).score) < LEAST_GUESSABILITY
        for at in range(0, len(password), ESTIMATED_AT_ONCE)
    )


def normal_phone(number: str, country: str) -> str:
    """The number in international form, whichever way it was typed."""
    try:
        parsed = phonenumbers.parse(number, country)
    except phonenumbers.NumberParseException:
        raise rules.BadPhone from None
    if not phonenumbers.is_valid_number_for_region(parsed, country):
        raise rules.BadPhone
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)


@lru_cache(maxsize=1)
def country_codes() -> frozenset[str]:
    """Every country of today; browsers name them in the language of the page."""
    territories = [str(code) for code in Locale(languages.DEFAULT).territories]
    return (
        frozenset(code for code in territories if len(code) == 2 and code.isalpha()) - NO_COUNTRIES
    )


NO_COUNTRIES = frozenset({"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"})


def dialling_codes() -> dict[str, int]:
    """Of the countries whose numbers are taken, in the order in which they are offered."""
    return {code: phonenumbers.country_code_for_region(code) for code in rules.PHONE_COUNTRIES}


class TypedPhone(NamedTuple):
    """A number as its owner would type it."""

    country: str
    number: str


def typed_phone(phone: str) -> TypedPhone:
    """What a form shows of a number in international form."""
    if not phone:
        return TypedPhone(rules.PHONE_COUNTRIES[0], "")
    parsed = phonenumbers.parse(phone)
    country = phonenumbers.region_code_for_number(parsed)
    if country not in rules.PHONE_COUNTRIES:
        return TypedPhone(rules.PHONE_COUNTRIES[0], written_phone(phone))
    national = phonenumbers.PhoneNumberFormat.NATIONAL
    return TypedPhone(country, phonenumbers.format_number(parsed, national))


def written_phone(phone: str) -> str:
    """In groups, as people read it: +46 70 123 45 67."""
    international = phonenumbers.PhoneNumberFormat.INTERNATIONAL
    return phonenumbers.format_number(phonenumbers.parse(phone), international) if phone else ""


def corrected(form: Mapping[str, str], known: rules.Details) -> rules.Details:
    """What somebody says of themselves from now on; all that is wrong at once, as at sign-up.

    What they never told may stay untold, and what the form does not ask stays as it is.
    """
    with Faults() as faults:
        country = form.get("country", "")
        return rules.Details(
            country=faults.about("country", rules.country_from, country, country_codes()),
            phone=faults.about("phone", _phone, form, known.phone),
            gender=faults.about("gender", rules.corrected_gender, form, known.gender),
        )


def _phone(form: Mapping[str, str], known: str) -> str:
    if "phone" not in form:
        return known
    typed = TypedPhone(form.get("phone_country", ""), form["phone"].strip())
    # What was valid when it was told is kept, whatever its country has made of it since.
    if typed == typed_phone(known) or not (typed.number or known):
        return known
    return normal_phone(rules.phone_from(typed.number, typed.country), typed.country)
