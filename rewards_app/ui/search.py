"""Searching: a line with a magnifying glass in it, sent by its arrow or read while it is typed."""

from typing import Any

import reflex as rx

from rewards_app.ui.forms import CONTROL, FieldNames, form
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Handler, Text, attributes

SEARCH = {"role": "search"}


def search_field(
    name: Text,
    label: Text,
    *,
    placeholder: Text,
    hides_label: bool = False,
    field_id: Text | None = None,
    arrow: rx.Component | None = None,
    **limits: Any,
) -> rx.Component:
    """What is looked for; `limits` are the input's own, like max_length, default_value."""
    names = FieldNames(name, field_id)
    field = rx.el.input(
        name=name,
        type="search",
        placeholder=placeholder,
        auto_complete="off",
        spell_check=False,
        class_name=f"{CONTROL} pl-11" + ("" if arrow is None else " pr-12"),
        custom_attrs=names.described(None, None),
        **limits,
    )
    return names.around(
        rx.el.div(
            icon("search", 18, class_name="pointer-events-none absolute left-3.5 text-quiet"),
            field,
            *([] if arrow is None else [arrow]),
            class_name="relative flex items-center",
        ),
        label=label,
        hint=None,
        error=None,
        hides_label=hides_label,
    )


def search_form(
    name: Text,
    label: Text,
    find: Text,
    *,
    on_submit: Handler,
    key: Any = None,
    class_name: str = "",
    **field: Any,
) -> rx.Component:
    """The field, and an arrow called `find`; with another `key`, a state var, it begins anew."""
    arrow = rx.el.button(
        icon("arrow-right", 18),
        type="submit",
        class_name=(
            "absolute right-0 grid size-11 place-items-center rounded-control text-quiet"
            " hover:text-text"
        ),
        custom_attrs=attributes(aria_label=find),
    )
    return form(
        search_field(name, label, arrow=arrow, **field),
        on_submit=on_submit,
        class_name=f"min-w-0 {class_name}".strip(),
        custom_attrs=SEARCH,
        **({} if key is None else {"key": key}),
    )
