"""Dialogs and drawers on the native <dialog>: the browser traps the focus and gives it back.

A button opens one with `opens="its-id"` and closes it with `closes="its-id"`: no server needed.
"""

from typing import Any

import reflex as rx
from reflex_base.event import no_args_event_spec

from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import icon_button
from rewards_app.ui.markup import Child, Flag, Handler, Text, attributes

_DIALOG = (
    "dialog m-auto flex-col overflow-hidden bg-panel p-0 text-text open:flex"
    " max-sm:m-0 max-sm:size-full max-sm:max-h-none max-sm:max-w-none"
    " sm:max-h-[calc(100dvh-48px)] sm:rounded-2xl sm:border sm:border-line sm:shadow-2xl"
)
_DRAWER = (
    "dialog drawer m-0 h-dvh max-h-none w-[min(320px,86vw)] flex-col overflow-hidden"
    " border-r border-line bg-panel p-0 text-text open:flex"
)


class Overlay(rx.Component):
    """A native dialog that React and the server may open too."""

    library = "$/public/overlays"
    tag = "Overlay"

    open: rx.Var[bool]
    pinned: rx.Var[bool]
    on_close: rx.EventHandler[no_args_event_spec]


def dialog(
    *children: Child,
    id: str,
    title: Text,
    open: Flag | None = None,
    on_close: Handler = None,
    is_pinned: bool = False,
    footer: Child | None = None,
    width: int = 560,
    flush: bool = False,
    close: Text | None = None,
) -> rx.Component:
    """A modal question or task; below 640 px it fills the screen.

    `close` names what closes it where the page speaks a language of its own.
    Without `open` the browser alone opens it. `is_pinned`: only the app closes it, not the person.
    """
    return Overlay.create(
        _head(title, id, is_pinned, t("ui.close") if close is None else close),
        rx.el.div(
            *children,
            class_name=f"min-h-0 flex-1 overflow-y-auto {'' if flush else 'px-4 py-5 sm:px-6'}",
        ),
        *([] if footer is None else [rx.el.div(footer, class_name=_FOOT)]),
        class_name=_DIALOG,
        style={"--width": f"{width}px"},
        custom_attrs=attributes(id=id, aria_labelledby=f"{id}-title"),
        **_control(open, on_close, is_pinned),
    )


def drawer(
    *children: Child, id: str, label: Text, open: Flag | None = None, on_close: Handler = None
) -> rx.Component:
    """A panel from the left; following a link in it closes it."""
    return Overlay.create(
        *children,
        class_name=_DRAWER,
        custom_attrs=attributes(id=id, aria_label=label, data_drawer="true"),
        **_control(open, on_close, False),
    )


def _head(title: Text, element_id: str, is_pinned: bool, close: Text) -> rx.Component:
    closes = icon_button("x", close, closes=element_id)
    return rx.el.div(
        rx.el.h2(
            title,
            class_name="min-w-0 flex-1 py-2.5 text-lg wrap-anywhere",
            custom_attrs=attributes(id=f"{element_id}-title"),
        ),
        *([] if is_pinned else [closes]),
        class_name="flex shrink-0 items-center gap-3 border-b border-line py-1.5 pr-2 pl-4 sm:pl-6",
    )


_FOOT = "shrink-0 border-t border-line bg-panel px-4 py-3 sm:px-6"


def _control(open_: Flag | None, on_close: Handler, is_pinned: bool) -> dict[str, Any]:
    props: dict[str, Any] = {"pinned": is_pinned}
    if open_ is not None:
        props["open"] = open_
    if on_close is not None:
        props["on_close"] = on_close
    return props
