"""Buttons: one filled purple button a screen, everything else is quieter."""

from typing import Any, Literal

import reflex as rx

from rewards_app.ui.icons import icon as icon_of
from rewards_app.ui.icons import spinner
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child, Flag, Handler, Text, attributes

Kind = Literal["primary", "ghost", "danger", "link"]
Size = Literal["md", "sm"]

_BASE = (
    "target inline-flex shrink-0 items-center justify-center gap-2 rounded-control border"
    " text-center font-semibold no-underline select-none"
    " disabled:opacity-55 aria-disabled:opacity-70 aria-disabled:cursor-progress"
)
_KINDS: dict[Kind, str] = {
    "primary": "border-transparent bg-purple-strong text-on-purple enabled:hover:brightness-110",
    "ghost": "border-line text-text enabled:hover:border-edge enabled:hover:bg-raised",
    "danger": "border-line text-danger enabled:hover:border-danger",
    "link": "border-transparent text-cyan underline-offset-4 enabled:hover:underline",
}
_SIZES: dict[Size, str] = {
    "md": "min-h-11 px-[18px] py-1.5 text-base",
    "sm": "min-h-9 px-3 py-1 text-sm",
}


def look(kind: Kind, size: Size = "md", wide: bool = False) -> str:
    """The classes of a button, for whatever must look like one."""
    padding = _SIZES[size] if kind != "link" else _SIZES[size].replace("px-[18px]", "px-2")
    return " ".join([_BASE, _KINDS[kind], padding, "w-full" if wide else ""]).strip()


def button(
    *label: Child,
    kind: Kind = "primary",
    size: Size = "md",
    icon: str | None = None,
    on_click: Handler = None,
    submits: bool = False,
    busy: Flag = False,
    disabled: Flag = False,
    wide: bool = False,
    opens: str | None = None,
    closes: str | None = None,
    label_for_readers: Text | None = None,
    **props: Any,
) -> rx.Component:
    """A button. `opens` and `closes` name a dialog or drawer: the browser does it alone.

    While `busy` it keeps the focus and does nothing: a disabled button would lose it.
    """
    return rx.el.button(
        _sign(icon, busy),
        *label,
        type=_type(submits, busy),
        disabled=disabled,
        class_name=look(kind, size, wide),
        custom_attrs=attributes(
            data_opens=opens,
            data_closes=closes,
            aria_label=label_for_readers,
            aria_disabled=_when(busy),
            aria_busy=_when(busy),
        ),
        **_clicks(on_click, busy),
        **props,
    )


def icon_button(
    name: str,
    label: Text,
    *,
    on_click: Handler = None,
    opens: str | None = None,
    closes: str | None = None,
    disabled: Flag = False,
    class_name: str = "",
    **props: Any,
) -> rx.Component:
    """A square button that is only an icon; `label` says what it does."""
    return rx.el.button(
        icon_of(name),
        type="button",
        disabled=disabled,
        title=label,
        class_name=(
            "grid size-11 shrink-0 place-items-center rounded-control text-quiet"
            f" enabled:hover:bg-raised enabled:hover:text-text disabled:opacity-55 {class_name}"
        ),
        custom_attrs=attributes(aria_label=label, data_opens=opens, data_closes=closes),
        **_clicks(on_click, False),
        **props,
    )


def link_button(
    *label: Child,
    href: Text,
    kind: Kind = "primary",
    size: Size = "md",
    icon: str | None = None,
    wide: bool = False,
) -> rx.Component:
    """A link that looks like a button, because it is the next step."""
    parts: list[Child] = [icon_of(icon, 18)] if icon else []
    classes = look(kind, size, wide).replace("enabled:", "")
    return anchor(*parts, *label, href=href, class_name=classes)


def _sign(name: str | None, busy: Flag) -> rx.Component:
    sign = icon_of(name, 18) if name else rx.fragment()
    return sign if busy is False else rx.cond(busy, spinner(), sign)


def _type(submits: bool, busy: Flag) -> Any:
    # A busy submit button must not send the form again, by click or by Enter.
    if not submits:
        return "button"
    return "submit" if busy is False else rx.cond(busy, "button", "submit")


def _when(busy: Flag) -> Any:
    return None if busy is False else rx.cond(busy, "true", "false")


def _clicks(on_click: Handler, busy: Flag) -> dict[str, Any]:
    if on_click is None:
        return {}
    return {"on_click": on_click if busy is False else rx.cond(busy, rx.noop(), on_click)}
