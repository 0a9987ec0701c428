"""Icons: Lucide's, silent for screen readers unless they carry the meaning alone."""

import reflex as rx

from rewards_app.ui.markup import Text, attributes, sized


def icon(
    name: str, size: int = 20, label: Text | None = None, class_name: str = ""
) -> rx.Component:
    """One icon in the colour of the text around it."""
    speech = (
        attributes(aria_hidden="true", focusable="false")
        if label is None
        else attributes(role="img", aria_label=label)
    )
    return rx.icon(
        name,
        size=size,
        class_name=f"shrink-0 {class_name}".strip(),
        custom_attrs={"strokeWidth": 1.75, **speech},
    )


_TILE = "grid size-11 shrink-0 place-items-center rounded-control bg-raised"


def icon_tile(name: str, class_name: str = "text-cyan") -> rx.Component:
    """An icon on a raised square, for cards and empty places."""
    return rx.el.span(
        icon(name),
        class_name=f"{_TILE} {class_name}",
    )


def spinner(size: int = 18) -> rx.Component:
    """Turning while something is under way."""
    return rx.el.span(
        class_name=(
            "inline-block shrink-0 animate-spin rounded-full border-2 border-current"
            " border-t-transparent"
        ),
        custom_attrs=sized(size),
        aria_hidden="true",
    )
