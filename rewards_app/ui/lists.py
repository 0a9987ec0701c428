"""Lists whose rows come, go and move while somebody looks."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.numbers import number


def each(rows: Any, view: Callable[[Any], rx.Component]) -> rx.Component:
    """One `view` a row, known by the row's `id`.

    What the browser alone knows of a row moves with it: what is unfolded, opened or typed.
    """

    def known(row: Any) -> rx.Component:
        shown = view(row)
        shown.key = row["id"].to(str)
        return shown

    return rx.foreach(rows, known)


def shown_of(shown: Any, everything: Any) -> rx.Component:
    """Below a list of what is to be decided that ends before everything is in it."""
    return rx.cond(
        shown < everything,
        rx.el.p(
            t("lists.shown_of", shown=number(shown), all=number(everything)),
            class_name="border-t border-line px-4 py-3 text-sm text-quiet sm:px-5",
        ),
    )
