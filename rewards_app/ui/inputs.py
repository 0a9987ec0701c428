"""Controls that answer at once in the browser: password, segments, menus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex_base.event import passthrough_event_spec

from rewards_app.i18n.page_text import t
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Handler, Text

_LIBRARY = "$/public/inputs"


@dataclass(frozen=True, slots=True)
class Option:
    """One choice: what it means, what it is called, and how many things it holds."""

    value: str
    label: Text
    count: rx.Var[int] | int | None = None

    def as_prop(self) -> dict[str, Any]:
        counted = {} if self.count is None else {"count": self.count}
        return {"value": self.value, "label": self.label, **counted}


class PasswordInput(rx.Component):
    """A password field with a button that shows what is typed."""

    library = _LIBRARY
    tag = "PasswordInput"
    _is_form_control = True

    name: rx.Var[str]
    auto_complete: rx.Var[str]
    required: rx.Var[bool]
    auto_focus: rx.Var[bool]
    show_label: rx.Var[str]
    hide_label: rx.Var[str]
    weighed_with: rx.Var[list[str]]
    on_change: rx.EventHandler[passthrough_event_spec(str, list[str])]


class Segments(rx.Component):
    """A few choices in a row, of which one is taken."""

    library = _LIBRARY
    tag = "Segments"

    name: rx.Var[str]
    label: rx.Var[str]
    value: rx.Var[str]
    options: rx.Var[list[dict[str, Any]]]
    on_change: rx.EventHandler[passthrough_event_spec(str)]


class MenuSelect(rx.Component):
    """The system's own list behind a small pill."""

    library = _LIBRARY
    tag = "MenuSelect"

    label: rx.Var[str]
    value: rx.Var[str]
    options: rx.Var[list[dict[str, Any]]]
    shows: rx.Var[str]
    on_change: rx.EventHandler[passthrough_event_spec(str)]


class ThemeSelect(rx.Component):
    """Light, dark or as the system: kept by Reflex in the browser, under `theme`."""

    library = _LIBRARY
    tag = "ThemeSelect"

    label: rx.Var[str]
    options: rx.Var[list[dict[str, Any]]]


class RadioInput(rx.Component):
    """One of several cards to choose from: the choice shows before the server answers."""

    library = _LIBRARY
    tag = "RadioInput"

    name: rx.Var[str]
    value: rx.Var[str]
    chosen: rx.Var[str]
    on_choose: rx.EventHandler[passthrough_event_spec(str)]


class MessageForm(rx.Component):
    """A form around a field named `message`, which may hold several lines."""

    library = _LIBRARY
    tag = "MessageForm"

    on_send: rx.EventHandler[passthrough_event_spec(str)]


def seg(
    name: str,
    label: Text,
    options: Sequence[Option],
    value: Text,
    on_change: Handler,
) -> rx.Component:
    """One out of a few: periods, filters. The choice shows before the server answers."""
    return Segments.create(
        name=name,
        label=label,
        value=value,
        options=[option.as_prop() for option in options],
        on_change=on_change,
    )


def menu_select(
    icon_name: str,
    label: Text,
    options: Sequence[Option],
    value: Text,
    on_change: Handler,
    *,
    shows_value: bool = True,
) -> rx.Component:
    """A pill with an icon; the pill shows the value itself (EN) or only the icon."""
    return MenuSelect.create(
        icon(icon_name, 16, class_name="max-sm:hidden" if shows_value else ""),
        label=label,
        value=value,
        options=[option.as_prop() for option in options],
        shows="value" if shows_value else "",
        on_change=on_change,
    )


def language_menu(
    languages: Sequence[tuple[str, str]], value: Text, on_change: Handler
) -> rx.Component:
    """The languages, each in its own name; the pill shows the code."""
    options = [Option(code, name) for code, name in languages]
    return menu_select("globe", t("frame.language"), options, value, on_change)


def theme_menu() -> rx.Component:
    """Light, dark, or what the system says."""
    modes = ("system", "light", "dark")
    return ThemeSelect.create(
        label=t("frame.theme"),
        options=[Option(mode, t(f"frame.theme_{mode}")).as_prop() for mode in modes],
    )
