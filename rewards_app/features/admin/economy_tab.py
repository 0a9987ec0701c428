"""The economy: coins that are out, what came and went, and ads that cost more than they bring."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.arrivals_panel import arrivals_panel
from rewards_app.features.admin.economy_state import EconomyState
from rewards_app.features.admin.parts import failed
from rewards_app.features.admin.state import PATH
from rewards_app.features.ads.funding import Funding
from rewards_app.features.advertiser.metric_cards import metric_card
from rewards_app.features.economy.rules import Period
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.cards import facts, key_figure, key_figures, panel, skeleton
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import attributes, hidden_text
from rewards_app.ui.numbers import ago, days, dollars_of_parts, kronor, number, signed_kronor
from rewards_app.ui.small_chart import small_chart
from rewards_app.ui.tables import Column, table


def economy_tab() -> rx.Component:
    return rx.cond(
        EconomyState.is_loaded,
        rx.el.div(
            _head(),
            _outstanding(),
            _money(),
            _coins(),
            panel(
                small_chart(
                    t("economy.chart"),
                    EconomyState.days,
                    [("spend", t("economy.spend")), ("rewards", t("economy.rewards"))],
                    written="kronor",
                )
            ),
            rx.el.div(
                # On a phone before the long list.
                rx.el.div(_setting(), class_name="min-w-0 lg:col-start-2 lg:row-start-1"),
                rx.el.div(_gaps(), class_name="min-w-0"),
                class_name=_TWO,
            ),
            arrivals_panel(),
            class_name="grid grid-cols-[minmax(0,1fr)] gap-4",
        ),
        rx.cond(
            EconomyState.has_failed,
            failed(t("economy.not_loaded"), EconomyState.load),
            rx.el.div(
                *(skeleton("tile") for _ in range(3)), skeleton("card"), class_name="grid gap-4"
            ),
        ),
    )


_TWO = "grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_352px]"


def _head() -> rx.Component:
    span = EconomyState.span
    return rx.el.div(
        rx.el.div(
            rx.el.p(
                t(
                    "analytics.compared",
                    span=days(span["first"], span["last"]),
                    count=span["length"],
                    shown=number(span["length"]),
                )
            ),
            rx.el.p(t("economy.rate"), class_name="text-sm"),
            class_name="min-w-0 flex-[1_1_280px] text-quiet",
        ),
        rx.el.nav(
            *(_period(period) for period in Period),
            class_name="inline-flex gap-0.5 rounded-[10px] border border-line bg-panel p-[3px]",
            aria_label=t("analytics.period"),
        ),
        class_name="flex flex-wrap items-center gap-4",
    )


def _period(period: Period) -> rx.Component:
    return anchor(
        rx.el.span(t(f"economy.periods.{period}"), aria_hidden="true"),
        hidden_text(t(f"economy.periods_long.{period}")),
        href=f"{PATH}?tab=economy&period={period}",
        class_name=(
            "inline-flex min-h-9 flex-auto items-center justify-center rounded-[7px] px-3.5"
            " text-sm font-semibold text-quiet no-underline hover:text-text"
            " aria-[current=true]:bg-raised aria-[current=true]:text-text"
            " aria-[current=true]:ring-1 aria-[current=true]:ring-inset"
            " aria-[current=true]:ring-purple pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        ),
        custom_attrs=attributes(
            aria_current=rx.cond(EconomyState.period == period.value, "true", "false")
        ),
    )


def _outstanding() -> rx.Component:
    known: Any = EconomyState.outstanding
    return key_figures(
        key_figure(
            t("economy.outstanding"),
            coins(known["coins"].to(int)),
            previous=t("economy.counted", when=ago(known["at"].to(str))),
        ),
        key_figure(
            t("economy.worth"),
            kronor(known["ore"].to(int)),
            previous=t("economy.worth_text"),
        ),
        key_figure(
            t("economy.held"),
            coins(known["held"].to(int)),
            previous=t("economy.held_text"),
        ),
    )


def _money() -> rx.Component:
    return key_figures(
        _metric("spend", dollars_of_parts),
        _metric("spend_ore", kronor),
        _metric("rewards_ore", kronor),
        _metric("margin_ore", signed_kronor),
        _metric("funded_ore", kronor),
        _metric("unfunded_ore", kronor),
    )


def _coins() -> rx.Component:
    return key_figures(
        _metric("earned", number),
        _metric("spent", number),
        _metric("refunded", number),
        _metric("expired", number),
    )


def _metric(name: str, written: Any) -> rx.Component:
    return metric_card(t(f"economy.{name}"), EconomyState.metrics[name], written)


def _gaps() -> rx.Component:
    return panel(
        rx.cond(
            EconomyState.gaps,
            table(
                [
                    Column(t("economy.ad"), is_main=True),
                    Column(t("economy.spend"), is_number=True),
                    Column(t("economy.rewards"), is_number=True),
                    Column(t("economy.gap"), is_number=True),
                ],
                EconomyState.gaps,
                _cells,
                caption=t("economy.gaps"),
                cell_on_phone=120,
            ),
            rx.el.p(t("economy.no_gaps"), class_name="px-4 pb-4 text-quiet sm:px-5"),
        ),
        title=t("economy.gaps"),
        flush=True,
    )


def _cells(ad: Any) -> list[Any]:
    return [
        rx.el.span(
            rx.el.span(ad["title"].to(str), class_name="block font-medium wrap-anywhere"),
            rx.el.span(
                rx.cond(ad["is_house"].to(bool), rx.el.span(t("economy.house_ad"), " · ")),
                ad["company"].to(str),
                class_name="block text-sm font-normal wrap-anywhere text-quiet",
            ),
        ),
        kronor(ad["spend_ore"].to(int)),
        kronor(ad["rewards_ore"].to(int)),
        rx.el.span(kronor(ad["gap_ore"].to(int)), class_name="font-semibold"),
    ]


def _setting() -> rx.Component:
    match: Any = rx.match
    funding: Any = rx.Var.create(EconomyState.funding)
    explained = [(one.value, rx.el.p(t(f"economy.funding_means.{one}"))) for one in Funding]
    return panel(
        rx.el.div(
            facts(
                (
                    t("economy.in_force"),
                    rx.el.code("REWARD_FUNDING=", funding, class_name="font-mono wrap-anywhere"),
                ),
                (t("economy.decides_on"), _share()),
                (t("economy.house_share"), kronor(EconomyState.house_ore)),
            ),
            match(funding, *explained, rx.fragment()),
            rx.el.p(_otherwise(funding), class_name="text-quiet"),
            class_name="grid gap-3",
        ),
        title=t("economy.cover"),
    )


def _share() -> rx.Var[str]:
    return t(
        "economy.of_ads",
        count=EconomyState.shown,
        some=number(EconomyState.uncovered),
        shown=number(EconomyState.shown),
    )


def _otherwise(funding: Any) -> Any:
    """What the other settings would change."""
    ads = {"count": EconomyState.uncovered, "shown": number(EconomyState.uncovered)}
    return rx.cond(
        rx.Var.create(EconomyState.uncovered) == 0,
        t("economy.would_change_nothing"),
        rx.cond(
            funding == Funding.ENFORCE.value,
            t("economy.would_return", **ads),
            t("economy.would_stop", **ads),
        ),
    )
