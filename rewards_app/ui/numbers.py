"""Numbers and dates on a page, written by the browser in the language that is chosen."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import LiteralVar, Var, VarData

from rewards_app.i18n.page_text import t
from rewards_app.ui.markup import Number, Text

_FORMATS = VarData(
    imports={"$/public/formats": [ImportVar(tag="useFormats")]},
    hooks={"const formats = useFormats();": None},
)
_IN_SWEDISH = VarData(
    imports={"$/public/formats": [ImportVar(tag="useFormats")]},
    hooks={'const swedish = useFormats("sv");': None},
)
_CLOCK = VarData(
    imports={"$/public/clock": [ImportVar(tag="useMinutes")]},
    hooks={"useMinutes();": None},
)


def number(value: Number, decimals: int = 0) -> rx.Var[str]:
    """1,284 in English, 1 284 in Swedish."""
    return _format("number", value, decimals)


def number_in_swedish(value: Number) -> rx.Var[str]:
    """1 284 in every language, where a page is Swedish in all of them."""
    return _format("number", value, of="swedish")


def signed(value: Number) -> rx.Var[str]:
    """+15 or −89."""
    return _format("signed", value)


def compact(value: Number) -> rx.Var[str]:
    """As it is up to a million, above it 1.2M."""
    return _format("compact", value)


def percent(share: Number, decimals: int = 0) -> rx.Var[str]:
    """A share of one as 12%."""
    return _format("percent", share, decimals)


def change(share: Number) -> rx.Var[str]:
    """A share of one as what it changed: +12.4% or −3.1%."""
    return _format("change", share)


def points(share: Number) -> rx.Var[str]:
    """What lies between two shares of one, in percentage points: +0.40 or −1.20."""
    return _format("points", share)


def length(value: Number, maximum: Number) -> rx.Var[str]:
    """How long a bar is, for CSS."""
    return _format("length", value, maximum)


def kronor(ore: Number) -> rx.Var[str]:
    """An amount in öre as kronor; öre show only where there are some."""
    return _format("kronor", ore)


def signed_kronor(ore: Number) -> rx.Var[str]:
    """A margin says by its sign whether it is one."""
    amount = kronor(ore)
    return rx.cond(rx.Var.create(ore).to(float) > 0, rx.Var.create(f"+{amount}"), amount).to(str)


def dollars(cents: Number) -> rx.Var[str]:
    """An amount of a company, in cents: $1,234.50."""
    return _format("dollars", cents)


def dollars_of_parts(parts: Number, most_decimals: int = 2) -> rx.Var[str]:
    """An amount in thousandths of a cent; prices need more decimals than sums: $0.0125."""
    return _format("dollarsOfParts", parts, most_decimals)


def balance(parts: Number) -> rx.Var[str]:
    """What a company has, in thousandths of a cent, as whole cents that it can spend."""
    return _format("balance", parts)


def money(value: Number, code: Text) -> rx.Var[str]:
    """Whole ones of another currency, to give an idea: $8, 65 NOK."""
    return _format("money", value, code)


def day(iso: Text) -> rx.Var[str]:
    """A day of the platform's calendar, as it is, wherever its reader is."""
    return _format("day", iso)


def days(first: Text, last: Text) -> rx.Var[str]:
    """From one day of the platform's calendar to another."""
    return _format("days", first, last)


def date(moment: Text) -> rx.Var[str]:
    """The day of an ISO moment, in the browser's time zone."""
    return _format("date", moment)


def time(moment: Text) -> rx.Var[str]:
    """The hour of an ISO moment, in the browser's time zone."""
    return _format("time", moment)


def date_and_time(moment: Text) -> rx.Var[str]:
    return _format("dateAndTime", moment)


def today() -> rx.Var[str]:
    """The reader's own day as ISO 8601; only where nothing is prerendered."""
    return _format("today")


def time_zone() -> rx.Var[str]:
    """The one that the reader's browser is in."""
    return _format("timeZone")


def ago(moment: Text) -> rx.Var[str]:
    """How long an ISO moment is past, written again each minute: 4 minutes ago, 1 day ago."""
    return _format("ago", moment, ticks=True)


def since(moment: Text) -> rx.Var[str]:
    """How long an ISO moment is past, in minutes, hours or days: Just now, 3 hours ago."""
    return _format("since", moment, t("ui.just_now"), ticks=True)


def month(moment: Text) -> rx.Var[str]:
    """March 2026."""
    return _format("month", moment)


def duration(seconds: Number) -> rx.Var[str]:
    """A length of time in its two largest units: 3 days 4 hr."""
    return _format("duration", seconds)


def gigabytes(count: Number) -> rx.Var[str]:
    """So many bytes: 12.3 GB."""
    return _format("gigabytes", count)


class CountUp(rx.Component):
    """A number that counts to its new value; with reduced motion it is simply there."""

    library = "$/public/formats"
    tag = "CountUp"
    value: rx.Var[int]


def counting(value: Number) -> rx.Component:
    return CountUp.create(value=value)


def _format(
    function: str, *arguments: Any, ticks: bool = False, of: str = "formats"
) -> rx.Var[str]:
    known = _FORMATS if of == "formats" else _IN_SWEDISH
    given = [LiteralVar.create(argument) for argument in arguments]
    needed = (var._get_all_var_data() for var in given)  # pyright: ignore[reportPrivateUsage]
    return Var(
        _js_expr=f"{of}.{function}({', '.join(map(str, given))})",
        _var_type=str,
        _var_data=VarData.merge(known, _CLOCK if ticks else None, *needed),
    ).to(str)
