"""Tables: rows on a desk, cards on a phone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from rewards_app.ui.markup import Child, Text, attributes


@dataclass(frozen=True, slots=True)
class Column:
    """A column: numbers stand right and tabular, the main one heads the card on a phone."""

    label: Text
    is_number: bool = False
    is_main: bool = False
    is_wide: bool = False
    """On a phone it has a line of the card to itself: addresses, sentences."""
    hides_label: bool = False
    """For a column of buttons: its name is for screen readers only."""


def table(
    columns: Sequence[Column],
    rows: Sequence[Any] | rx.Var[Any],
    cells: Callable[[Any], Sequence[Child]],
    *,
    caption: Text,
    is_current: Callable[[Any], Any] | None = None,
    is_ledger: bool = False,
    cell_on_phone: int = 88,
) -> rx.Component:
    """`cells(row)` gives one child a column; `is_current(row)` marks the row that is yours.

    In a card on a phone each cell is at least `cell_on_phone` pixels wide.
    A ledger has four columns: what, when, how much, what is left; on a phone they take two lines.
    """

    def written(row: Any) -> rx.Component:
        return _row(columns, cells(row), None if is_current is None else is_current(row))

    body: list[Any] = (
        [rx.foreach(rows, written)] if isinstance(rows, rx.Var) else [written(row) for row in rows]
    )
    # The roles repeat what the tags say: browsers forget them once a table is laid out as cards.
    return rx.el.table(
        rx.el.caption(caption, class_name="sr-only"),
        rx.el.thead(
            rx.el.tr(*(_heading(column) for column in columns), role="row"), role="rowgroup"
        ),
        rx.el.tbody(*body, role="rowgroup"),
        class_name=f"cards-on-phone {'ledger' if is_ledger else ''} w-full border-collapse",
        style={"--cell": f"{cell_on_phone}px"},
        role="table",
    )


def _heading(column: Column) -> rx.Component:
    label = rx.el.span(column.label, class_name="sr-only") if column.hides_label else column.label
    return rx.el.th(
        label,
        scope="col",
        class_name="number" if column.is_number else "",
        role="columnheader",
    )


def _row(columns: Sequence[Column], children: Sequence[Child], current: Any) -> rx.Component:
    return rx.el.tr(
        *(_cell(column, child) for column, child in zip(columns, children, strict=True)),
        role="row",
        custom_attrs=attributes(
            aria_current=None if current is None else rx.cond(current, "true", "false")
        ),
    )


def _cell(column: Column, child: Child) -> rx.Component:
    looks = {"number": column.is_number, "main": column.is_main, "wide": column.is_wide}
    look = " ".join(name for name, holds in looks.items() if holds)
    label = None if column.is_main or column.hides_label else column.label
    return rx.el.td(child, role="cell", class_name=look, custom_attrs=attributes(data_label=label))
