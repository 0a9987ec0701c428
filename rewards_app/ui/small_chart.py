"""A small chart of one or two lines over days or hours, and the same as a table."""

from collections.abc import Sequence
from typing import Any, Literal

import reflex as rx

from rewards_app.ui.markup import Text


class SmallChart(rx.Component):
    library = "$/public/small_chart"
    tag = "SmallChart"

    name: rx.Var[str]
    points: rx.Var[list[dict[str, Any]]]
    lines: rx.Var[list[dict[str, Any]]]
    written: rx.Var[str]
    scale: rx.Var[str]


def small_chart(
    name: Text,
    points: Any,
    lines: Sequence[tuple[str, Text]],
    *,
    written: Literal["number", "kronor", "ms"] = "number",
    scale: Literal["day", "time"] = "day",
) -> rx.Component:
    """Each point has `at` and a figure for each line; `lines` are their keys and names."""
    named = [{"key": key, "name": label} for key, label in lines]
    return SmallChart.create(name=name, points=points, lines=named, written=written, scale=scale)
