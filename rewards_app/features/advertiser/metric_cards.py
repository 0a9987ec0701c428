"""The six figures of a period, each beside the one before it."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rewards_app.features.advertiser.analytics_state import AnalyticsState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import key_figures
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Text
from rewards_app.ui.numbers import change, dollars_of_parts, number, percent, points

PRICE_DECIMALS = 4


def metric_cards() -> rx.Component:
    return key_figures(
        _metric("impressions", number),
        _metric("completions", number),
        _metric("clicks", number),
        _metric("ctr", _rate, written_change=_in_points),
        _metric("spend", dollars_of_parts),
        _metric("cost", _price),
    )


def _rate(share: Any) -> rx.Var[str]:
    return percent(share, 2)


def _price(parts: Any) -> rx.Var[str]:
    return dollars_of_parts(parts, PRICE_DECIMALS)


def _in_points(by: Any) -> rx.Var[str]:
    return t("analytics.points", value=points(by))


def _metric(
    name: str,
    written: Callable[[Any], rx.Var[str]],
    *,
    written_change: Callable[[Any], rx.Var[str]] = change,
) -> rx.Component:
    metric = AnalyticsState.metrics[name]
    return metric_card(t(f"analytics.{name}"), metric, written, written_change=written_change)


def metric_card(
    label: Text,
    metric: Any,
    written: Callable[[Any], rx.Var[str]],
    *,
    written_change: Callable[[Any], rx.Var[str]] = change,
) -> rx.Component:
    """What it is, what it was, and what that means: a change has arrow, sign and colour."""
    now: Any = written(metric["now"].to(float))
    return rx.el.div(
        rx.el.dt(label, class_name="text-sm text-quiet"),
        rx.el.dd(
            rx.el.span(
                rx.cond(metric["is_known"], now, "–"),
                # A sum of many digits keeps to one line in the narrowest column.
                class_name=(
                    "tnum block font-display"
                    " text-[clamp(15px,calc(165cqi/var(--characters)),22px)]/7 font-bold"
                    " whitespace-nowrap"
                ),
                style={"--characters": now.to(str).length()},
            ),
            class_name="@container mt-0.5",
        ),
        rx.el.dd(
            _change(metric, written_change),
            _from(metric, written),
            class_name="tnum flex min-h-5 flex-wrap gap-x-1 text-sm font-semibold",
        ),
        class_name="min-w-0 px-3 py-4 sm:px-5",
    )


def _change(metric: Any, written: Callable[[Any], rx.Var[str]]) -> rx.Component:
    match: Any = rx.match
    said = written(metric["by"].to(float))
    return match(
        metric["way"],
        ("up", _moved("arrow-up-right", said, metric["tone"])),
        ("down", _moved("arrow-down-right", said, metric["tone"])),
        ("same", rx.el.span(t("analytics.same"), class_name="text-quiet")),
        ("new", rx.el.span(t("analytics.new"), class_name="text-quiet")),
        rx.fragment(),
    )


def _moved(arrow: str, said: Text, tone: Any) -> rx.Component:
    match: Any = rx.match
    return rx.el.span(
        icon(arrow, 14),
        said,
        class_name=[
            "inline-flex items-center gap-0.5 whitespace-nowrap",
            match(tone, ("good", "text-good"), ("danger", "text-danger"), "text-quiet"),
        ],
    )


def _from(metric: Any, written: Callable[[Any], rx.Var[str]]) -> rx.Component:
    return rx.cond(
        (metric["way"] == "up") | (metric["way"] == "down"),
        rx.el.span(
            t("analytics.from", value=written(metric["before"].to(float))),
            class_name="font-normal whitespace-nowrap text-quiet",
        ),
    )
