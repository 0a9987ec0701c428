"""Lists whose rows come, go and move while somebody looks."""

from collections.abc import Callable
from typing import Any

import reflex as rx


def each(rows: Any, view: Callable[[Any], rx.Component]) -> rx.Component:
    """One `view` a row, known by the row's `id`.

    What the browser alone knows of a row moves with it: what is unfolded, opened or typed.
    """

    def known(row: Any) -> rx.Component:
        shown = view(row)
        shown.key = row["id"].to(str)
        return shown

    return rx.foreach(rows, known)
