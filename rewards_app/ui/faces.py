"""What somebody is recognised by: the first letter of their name in a tint of their own."""

from typing import Any

import reflex as rx

from rewards_app.ui.glyphs import STAR
from rewards_app.ui.markup import sized

SMALL, LARGE = 40, 80


def face(known: Any, size: int = SMALL, class_name: str = "") -> rx.Component:
    """Of a `letter` and a `tint`; the name beside it says whose it is, a star stands for nobody."""
    told: Any = rx.Var.create(known).to(dict[str, str])
    letter, tint = told["letter"], told["tint"]
    type_size = "text-lg" if size <= SMALL else "text-3xl"
    return rx.el.span(
        rx.cond(letter != "", letter, _star()),
        class_name=(
            f"face tint-{tint} grid shrink-0 place-items-center rounded-full"
            f" font-display font-bold {type_size} {class_name}"
        ).strip(),
        custom_attrs=sized(size),
        aria_hidden="true",
    )


def _star() -> rx.Component:
    return rx.el.svg(
        rx.el.svg.path(d=STAR, fill_rule="evenodd"),
        view_box="0 0 24 24",
        class_name="size-1/2 fill-current",
    )
