"""Numbers, money and moments as the server writes them, each as its reader's language does."""

import re
from datetime import datetime
from decimal import Decimal

from babel import Locale
from babel.dates import format_date, format_time, get_timezone_gmt
from babel.lists import format_list
from babel.numbers import format_decimal

from rewards_app.i18n import languages

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
RUSSIAN_YEAR = re.compile(r"\sг\.")
"""An abbreviation, whose full stop would be a second one at the end of a sentence."""
ORE_IN_A_KRONA = 100
LONGEST_COUNT = 15
"""In digits: nobody counts what has more of them."""
CENTS_IN_A_DOLLAR = 100


def number(value: int, language: str) -> str:
    return _with_minus(format_decimal(value, locale=languages.known(language)))


def counted(name: str, language: str) -> str:
    """A name that begins with how many, which never part: 2800 V-Bucks as 2,800 V-Bucks."""
    amount, _, unit = name.partition(" ")
    if not amount.isdecimal() or len(amount) > LONGEST_COUNT:
        return name
    return f"{number(int(amount), language)}{NBSP}{unit}"


def kronor(ore: int, language: str) -> str:
    """As every page shows prices: öre only where there are some."""
    pattern = "#,##0.00" if ore % ORE_IN_A_KRONA else "#,##0"
    locale = languages.known(language)
    return f"{_with_minus(format_decimal(Decimal(ore) / ORE_IN_A_KRONA, pattern, locale))}{NBSP}kr"


def dollars(cents: int | Decimal, language: str, *, decimals: int = 2) -> str:
    """As every page shows amounts of companies: $1,234.50 in English, 1 234,50 $ in Swedish.

    `decimals` is how many there may be at most, where a part of a cent is written, too.
    """
    locale = languages.known(language)
    pattern = Locale(locale).currency_formats["standard"].pattern.replace("\N{CURRENCY SIGN}", "$")
    pattern = pattern.replace("0.00", "0.00" + "#" * (decimals - 2))
    written = format_decimal(Decimal(cents) / CENTS_IN_A_DOLLAR, pattern, locale)
    return _with_minus(written).replace(" ", NBSP)


def day(moment: datetime, language: str) -> str:
    return RUSSIAN_YEAR.sub("", format_date(moment, "long", languages.known(language)))


def time_of_day(moment: datetime, language: str) -> str:
    """In the zone that `moment` is in, and which: UTC or UTC+01:00."""
    time = format_time(moment, "short", moment.tzinfo, languages.known(language))
    zone = get_timezone_gmt(moment, "iso8601", return_z=True).replace("Z", "")
    return f"{time}{NBSP}UTC{zone}"


def together(parts: list[str], language: str) -> str:
    """`parts` as one phrase: a, b and c."""
    return format_list(parts, locale=languages.known(language))


def _with_minus(written: str) -> str:
    return written.replace("-", MINUS)
