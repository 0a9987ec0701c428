"""Where a link leads to nothing: what is the matter, in one sentence, and one way on."""

import reflex as rx

from rewards_app.ui.cards import panel
from rewards_app.ui.icons import icon_tile
from rewards_app.ui.markup import Child, Text


def dead_end(sign: str, title: Text, text: Child, way: Child) -> rx.Component:
    """In the place of a whole page."""
    return panel(
        dead_end_words(sign, title, text, way),
        glows=True,
        class_name="mx-auto w-full max-w-[520px]",
    )


def dead_end_words(sign: str, title: Text, text: Child, way: Child) -> rx.Component:
    """On a card that is there already."""
    return rx.el.div(
        icon_tile(sign, "text-lilac"),
        rx.el.h1(title, class_name="mt-2 text-2xl text-balance wrap-anywhere"),
        rx.el.p(text, class_name="max-w-[44ch] text-balance wrap-anywhere text-quiet"),
        rx.el.div(way, class_name="mt-3"),
        class_name="grid justify-items-center gap-1.5 py-5 text-center",
    )
