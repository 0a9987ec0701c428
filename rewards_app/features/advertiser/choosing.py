"""Choosing from a list that may be too long: so many are listed, the others are searched for."""

from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.markup import Handler, Text
from rewards_app.ui.numbers import number
from rewards_app.ui.search import search_form


def choice_search(
    name: str, label: Text, *, are_more: Any, searched: Any, on_submit: Handler
) -> rx.Component:
    """Above the form, for it is one of its own; nothing where all are listed."""
    return rx.cond(
        are_more | (searched != ""),
        search_form(
            name,
            label,
            t("narrowed.find"),
            on_submit=on_submit,
            placeholder=t("narrowed.part_of_name"),
            max_length=300,
            class_name="mb-4",
        ),
    )


def choice_hint(count: Any, *, are_more: Any, searched: Any) -> Any:
    """What of it is listed, where that is not all."""
    return rx.cond(
        are_more,
        t("narrowed.first_of_more", count=count, shown=number(count)),
        rx.cond(
            searched == "",
            "",
            rx.cond(
                count > 0,
                t("narrowed.found", count=count, shown=number(count), search=searched),
                t("narrowed.found_none", search=searched),
            ),
        ),
    )
