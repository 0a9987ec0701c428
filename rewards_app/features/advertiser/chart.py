"""A period day by day: what was seen, clicked and spent, as a chart and as a table."""

from typing import Any

import reflex as rx


class DailyChart(rx.Component):
    """Its lines are drawn by Recharts, which the browser fetches only when it shows some."""

    library = "$/public/chart"
    tag = "DailyChart"
    lib_dependencies: list[str] = ["recharts"]

    days: rx.Var[list[dict[str, Any]]]
    """Those that have ended."""
    today: rx.Var[dict[str, Any]]


def daily_chart(days: Any, today: Any) -> rx.Component:
    return DailyChart.create(days=days, today=today)
