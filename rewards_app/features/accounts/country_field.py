"""Countries on a page: a field that offers them, and one by its name."""

from collections.abc import Mapping, Sequence

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.forms import select_field
from rewards_app.ui.markup import Text


class CountryOptions(rx.Component):
    """The options of a country list, named and sorted by the browser."""

    library = "$/public/countries"
    tag = "CountryOptions"
    codes: rx.Var[list[str]]
    dialling: rx.Var[dict[str, int]]


class CountryName(rx.Component):
    """A country as the browser names it."""

    library = "$/public/countries"
    tag = "CountryName"
    code: rx.Var[str]


def country_field(
    name: str,
    label: str,
    codes: Sequence[str],
    dialling: Mapping[str, int] | None = None,
    *,
    chosen: Text,
    error: rx.Var[str],
) -> rx.Component:
    """`label` is a key of the catalogue; with `dialling` codes it is where a number belongs to."""
    return select_field(
        name,
        t(label),
        CountryOptions.create(codes=list(codes), dialling=dict(dialling or {})),
        required=True,
        autocomplete="tel-country-code" if dialling else "country",
        default_value=chosen,
        error=error,
    )
