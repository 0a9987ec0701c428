"""What companies type, one field at a time: a clean value, or why it cannot be. Pure.

Every refusal names its field, so that the form can say it there.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlsplit, urlunsplit

import idna
import phonenumbers
from email_validator import EmailNotValidError, validate_email

from rewards_app.core.errors import FieldRefused
from rewards_app.core.house import HOUSE_ZONE

LONGEST_ADDRESS = 500
LONGEST_EMAIL = 254
AMOUNT = re.compile(r"(\d{1,12})(?:[.,](\d{1,2}))?")
WHOLE = re.compile(r"\d{1,6}")
LARGEST_CENTS = 100_000_000
LATEST_YEAR = 2200
BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")
"""Letters and signs, by their kind, that leave their place empty."""
OWN_CREATIVE = re.compile(r"/ads/[a-z0-9-]+\.(webm|webp)")
"""A file that this app brings."""
NOT_PUBLIC = ("localhost", "local", "internal", "lan", "home", "intranet", "arpa", "onion")


class Missing(FieldRefused):
    code = "field.missing"


class TooLong(FieldRefused):
    """Longer than `most` characters."""

    code = "field.too_long"


class Unseen(FieldRefused):
    """Contains characters that nobody sees, or that turn the order of others around."""

    code = "field.unseen"


class BadAddress(FieldRefused):
    """No address of a web page."""

    code = "field.bad_address"


class BadScheme(FieldRefused):
    """Something else than https."""

    code = "field.bad_scheme"


class AddressWithCredentials(FieldRefused):
    code = "field.address_with_credentials"


class PrivateAddress(FieldRefused):
    """A number instead of a name, or a name that only some networks know."""

    code = "field.private_address"


class BadEmail(FieldRefused):
    code = "field.bad_email"


class BadPhone(FieldRefused):
    code = "field.bad_phone"


class BadAmount(FieldRefused):
    """No amount of money."""

    code = "field.bad_amount"


class AmountOutOfRange(FieldRefused):
    """Not from `least` to `most`, in dollars."""

    code = "field.amount_range"


class NumberOutOfRange(FieldRefused):
    """Not a whole number from `least` to `most`."""

    code = "field.number_range"


class BadDate(FieldRefused):
    code = "field.bad_date"


def retyped(form: Mapping[str, str], shown: Mapping[str, str]) -> dict[str, str]:
    """What was typed over what the form showed: of all else somebody may have saved more since."""
    return {name: raw for name, raw in form.items() if _plain(raw) != _plain(shown.get(name, ""))}


def _plain(raw: str) -> str:
    """Browsers end lines in more than one way."""
    return "\n".join(raw.strip().splitlines())


def line_from(raw: str, field: str, *, longest: int, required: bool = True) -> str:
    """One line without anything that hides in it."""
    line = " ".join(unicodedata.normalize("NFC", raw).split())
    return _checked(line, field, longest=longest, required=required)


def text_from(raw: str, field: str, *, longest: int, required: bool = False) -> str:
    """Several lines."""
    lines = unicodedata.normalize("NFC", raw).strip().splitlines()
    text = "\n".join(" ".join(line.split()) for line in lines)
    return _checked(text, field, longest=longest, required=required)


def _checked(text: str, field: str, *, longest: int, required: bool) -> str:
    if required and not text:
        raise Missing(field)
    if len(text) > longest:
        raise TooLong(field, most=longest)
    if any(unicodedata.category(c) in {"Cc", "Cf", "Cn", "Co", "Cs"} for c in text if c != "\n"):
        raise Unseen(field)
    if BLANK.search(text) or (text and not any(_can_be_seen(c) for c in text)):
        raise Unseen(field)
    return text


def _can_be_seen(character: str) -> bool:
    """By itself: accents and what picks a variant of a sign need one that they stand on."""
    return unicodedata.category(character)[0] in "LNPS"


def address_from(
    raw: str,
    field: str,
    *,
    required: bool = False,
    allows_own: bool = False,
    allows_http: bool,
) -> str:
    """A public web page's address, its host in punycode, so that it is what it looks like.

    `allows_own` also takes a creative that this app brings.
    """
    address = raw.strip()
    if not address:
        if required:
            raise Missing(field)
        return ""
    if allows_own and OWN_CREATIVE.fullmatch(address):
        return address
    if len(address) > LONGEST_ADDRESS:
        raise TooLong(field, most=LONGEST_ADDRESS)
    if "\\" in address or any(c.isspace() or unicodedata.category(c)[0] == "C" for c in address):
        raise BadAddress(field)
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise BadAddress(field) from None
    if parts.scheme not in ({"https", "http"} if allows_http else {"https"}):
        raise BadScheme(field)
    if parts.username is not None or parts.password is not None:
        raise AddressWithCredentials(field)
    host = _public_host(parts.hostname or "", field)
    address = urlunsplit(parts._replace(netloc=f"{host}:{port}" if port else host))
    if len(address) > LONGEST_ADDRESS:
        raise TooLong(field, most=LONGEST_ADDRESS)
    return address


def _public_host(host: str, field: str) -> str:
    if not host:
        raise BadAddress(field)
    if _is_number(host):
        raise PrivateAddress(field)
    try:
        # Other scripts' full stops are dots by now, too.
        name = idna.encode(host, uts46=True, transitional=False).decode().rstrip(".")
    except idna.IDNAError:
        raise BadAddress(field) from None
    last = name.rsplit(".", 1)[-1]
    # A browser reads a host that ends in a number as an address, however it is written.
    if "." not in name or last in NOT_PUBLIC or re.fullmatch(r"\d+|0x[0-9a-f]*", last):
        raise PrivateAddress(field)
    return name


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]").split("%")[0])
    except ValueError:
        return False
    return True


def email_from(raw: str, field: str) -> str:
    """An address as all of ours are kept: in small letters."""
    typed = line_from(raw, field, longest=LONGEST_EMAIL)
    try:
        checked = validate_email(typed, check_deliverability=False, allow_domain_literal=False)
    except EmailNotValidError:
        raise BadEmail(field) from None
    if not checked.ascii_email:
        raise BadEmail(field)
    return checked.ascii_email.lower()


def phone_from(raw: str, field: str, *, country: str) -> str | None:
    """In international form; without a prefix it is a number of `country`. None for none."""
    typed = raw.strip()
    if not typed:
        return None
    try:
        parsed = phonenumbers.parse(typed, country)
    except phonenumbers.NumberParseException:
        raise BadPhone(field) from None
    if not phonenumbers.is_valid_number(parsed):
        raise BadPhone(field)
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)


def cents_from(
    raw: str, field: str, *, least: int = 100, most: int = LARGEST_CENTS, required: bool = True
) -> int | None:
    """Dollars with at most two decimals, as cents."""
    typed = raw.strip()
    if not typed:
        if required:
            raise Missing(field)
        return None
    found = AMOUNT.fullmatch(typed)
    if found is None or not typed.isascii():
        raise BadAmount(field)
    whole, decimals = found.groups()
    cents = int(whole) * 100 + int((decimals or "").ljust(2, "0"))
    if not least <= cents <= most:
        raise AmountOutOfRange(field, least=least // 100, most=most // 100)
    return cents


def number_from(raw: str, field: str, *, least: int, most: int) -> int:
    typed = raw.strip()
    if not typed:
        raise Missing(field)
    is_whole = WHOLE.fullmatch(typed) and typed.isascii()
    if not is_whole or not least <= int(typed) <= most:
        raise NumberOutOfRange(field, least=least, most=most)
    return int(typed)


def moment_from(raw: str, field: str, *, is_end: bool = False) -> datetime:
    """A day, or a minute of a day, of the house's zone. A day that ends something is its last."""
    typed = raw.strip()
    if not typed:
        raise Missing(field)
    try:
        local = datetime.fromisoformat(typed)
        if local.tzinfo or not 2000 <= local.year <= LATEST_YEAR:
            raise BadDate(field)
        if len(typed) <= len("2026-12-31"):
            day = date.fromisoformat(typed) + timedelta(days=1 if is_end else 0)
            local = datetime.combine(day, time())
    except ValueError:
        raise BadDate(field) from None
    return local.replace(tzinfo=HOUSE_ZONE).astimezone(UTC)
