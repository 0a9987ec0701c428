"""The economy on the admins' overview: four figures, and the way to all of them."""

from typing import Any

import reflex as rx

from rewards_app.features.dashboard.economy_state import EconomySummaryState
from rewards_app.features.economy.rules import USUAL_PERIOD
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.cards import key_figure, key_figures, skeleton
from rewards_app.ui.feedback import could_not_load
from rewards_app.ui.links import link
from rewards_app.ui.numbers import ago, dollars_of_parts, kronor, signed_kronor

EVERYTHING = "/admin?tab=economy"


def economy_card() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2(t("admin.tabs.economy"), class_name="text-lg"),
            link(t("overview.all_figures"), href=EVERYTHING, class_name="target"),
            class_name="mb-4 flex flex-wrap items-center justify-between gap-x-4",
        ),
        rx.cond(
            EconomySummaryState.summary,
            _figures(),
            rx.cond(
                EconomySummaryState.has_failed,
                could_not_load(t("economy.not_loaded"), EconomySummaryState.load),
                skeleton("tile", "h-[207px] min-[700px]:h-[105px]"),
            ),
        ),
    )


def _figures() -> rx.Component:
    known: Any = EconomySummaryState.summary
    lately = t(f"economy.periods_long.{USUAL_PERIOD.value}")
    return key_figures(
        key_figure(
            t("economy.outstanding"),
            coins(known["coins"].to(int)),
            previous=ago(known["at"].to(str)),
        ),
        key_figure(
            t("economy.worth"), kronor(known["ore"].to(int)), previous=t("economy.worth_text")
        ),
        key_figure(t("economy.spend"), dollars_of_parts(known["spend"].to(int)), previous=lately),
        key_figure(
            t("economy.margin_ore"), signed_kronor(known["margin_ore"].to(int)), previous=lately
        ),
    )
