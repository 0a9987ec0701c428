"""Visits and sign-ups by the campaign that led to them, or that there were none."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.arrivals_state import ArrivalsState
from rewards_app.features.arrivals.service import MOST_SHOWN
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.numbers import number
from rewards_app.ui.tables import Column, table


def arrivals_panel() -> rx.Component:
    return panel(
        rx.el.p(
            t("admin.arrivals.text", shown=MOST_SHOWN),
            class_name="max-w-[76ch] px-4 pb-3 text-quiet sm:px-5",
        ),
        rx.cond(
            ArrivalsState.arrivals,
            table(
                [
                    Column(t("admin.arrivals.campaign"), is_main=True),
                    Column(t("admin.arrivals.source")),
                    Column(t("admin.arrivals.medium")),
                    Column(t("admin.arrivals.visits"), is_number=True),
                    Column(t("admin.arrivals.sign_ups"), is_number=True),
                ],
                ArrivalsState.arrivals,
                _cells,
                caption=t("admin.arrivals.title"),
                cell_on_phone=120,
            ),
            rx.cond(
                ArrivalsState.are_counted,
                rx.el.p(t("admin.arrivals.none"), class_name="px-4 pb-4 font-medium sm:px-5"),
                rx.el.div(skeleton("line", "w-64 max-w-full"), class_name="px-4 pb-4 sm:px-5"),
            ),
        ),
        title=t("admin.arrivals.title"),
        flush=True,
    )


def _cells(one: Any) -> list[Any]:
    return [
        rx.cond(one["are_others"].to(bool), t("admin.arrivals.others"), _word(one["name"].to(str))),
        _word(one["source"].to(str)),
        _word(one["medium"].to(str)),
        number(one["visits"].to(int)),
        number(one["sign_ups"].to(int)),
    ]


def _word(word: Any) -> rx.Component:
    return rx.cond(
        word,
        rx.el.span(word, class_name="wrap-anywhere"),
        rx.el.span("–", class_name="text-quiet"),
    )
