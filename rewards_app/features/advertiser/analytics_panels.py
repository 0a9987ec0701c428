"""The best ads of a period, how old their viewers are, and what is worth knowing."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from rewards_app.features.ads.audience import SMALLEST_GROUP
from rewards_app.features.advertiser.addresses import ADS
from rewards_app.features.advertiser.analytics_state import AnalyticsState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import panel
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import day, length, number, percent
from rewards_app.ui.tables import Column, table


def best_ads() -> rx.Component:
    return panel(
        rx.cond(
            AnalyticsState.best_ads,
            table(
                [
                    Column(t("analytics.ad"), is_main=True),
                    Column(t("analytics.kind")),
                    Column(t("analytics.impressions"), is_number=True),
                    Column(t("analytics.clicks"), is_number=True),
                    Column(t("analytics.ctr_short"), is_number=True),
                ],
                AnalyticsState.best_ads,
                _ad_cells,
                caption=t("analytics.best_ads"),
                cell_on_phone=120,
            ),
            rx.el.p(t("analytics.no_ads"), class_name="px-4 pb-4 text-quiet sm:px-5"),
        ),
        title=t("analytics.best_ads"),
        aside=link(t("analytics.all_ads"), href=ADS, class_name="target"),
        flush=True,
    )


def _ad_cells(ad: Any) -> Sequence[Child]:
    return [
        rx.el.span(
            rx.el.span(
                rx.cond(ad["title"], ad["title"], t("analytics.untitled")),
                class_name="block font-semibold",
            ),
            rx.el.span(
                rx.cond(AnalyticsState.is_of_all, rx.el.span(ad["company"], " · ")),
                ad["campaign"],
                class_name="block text-sm font-normal text-quiet",
            ),
        ),
        rx.el.span(_kind(ad), class_name="whitespace-nowrap"),
        number(ad["impressions"].to(int)),
        number(ad["clicks"].to(int)),
        _rate(ad),
    ]


def _rate(ad: Any) -> rx.Component:
    """Of few impressions it says little yet, and the ad stands behind those of more."""
    rate = percent(ad["ctr"].to(float), 2)
    return rx.cond(
        ad["is_little_seen"].to(bool),
        rx.el.span(
            rx.el.span(rate, class_name="block"),
            rx.el.span(t("analytics.few_impressions"), class_name="block text-sm"),
            class_name="text-quiet",
        ),
        rx.el.span(rate, class_name="font-semibold"),
    )


def _kind(ad: Any) -> rx.Var[str]:
    seconds = number(ad["seconds"].to(int))
    return rx.cond(
        ad["kind"] == "video",
        t("analytics.video_of", seconds=seconds),
        t(f"ads_desk.kind.{ad['kind'].to(str)}"),
    )


def audience() -> rx.Component:
    return panel(
        rx.cond(
            AnalyticsState.viewers,
            rx.fragment(
                rx.el.ul(rx.foreach(AnalyticsState.ages, _age), class_name="grid gap-4"),
                rx.el.p(
                    t(
                        "analytics.shares_of",
                        count=AnalyticsState.viewers,
                        shown=number(AnalyticsState.viewers),
                    ),
                    " ",
                    t("analytics.groups_of", least=number(SMALLEST_GROUP)),
                    class_name="mt-4 text-sm text-quiet",
                ),
            ),
            rx.el.div(
                rx.el.p(t("analytics.too_few"), class_name="font-semibold"),
                rx.el.p(
                    t("analytics.groups_of", least=number(SMALLEST_GROUP)),
                    class_name="mt-1 text-quiet",
                ),
            ),
        ),
        title=t("analytics.audience"),
    )


def _age(age: Any) -> rx.Component:
    viewers = age["viewers"].to(int)
    return rx.el.li(
        rx.el.div(
            rx.el.span(t(f"analytics.ages.{age['group'].to(str)}")),
            rx.cond(
                viewers > 0,
                rx.el.span(
                    rx.el.span(
                        t("analytics.viewers", count=viewers, shown=number(viewers)),
                        class_name="text-sm text-quiet",
                    ),
                    rx.el.span(percent(age["share"].to(float)), class_name="ml-2 font-semibold"),
                    class_name="tnum",
                ),
                rx.el.span(t("analytics.too_few"), class_name="text-quiet"),
            ),
            class_name="flex flex-wrap items-baseline justify-between gap-x-3",
        ),
        rx.cond(
            viewers > 0,
            rx.el.div(
                rx.el.div(
                    class_name="h-full rounded-full bg-purple",
                    style={"width": length(age["share"].to(float), 1)},
                ),
                class_name="mt-1.5 h-1.5 overflow-hidden rounded-full bg-raised",
                aria_hidden="true",
            ),
        ),
    )


def activity() -> rx.Component:
    return panel(
        rx.cond(
            AnalyticsState.notes,
            rx.el.ul(rx.foreach(AnalyticsState.notes, _note)),
            rx.el.p(t("analytics.no_notes"), class_name="text-quiet"),
        ),
        title=t("analytics.activity"),
    )


def _note(note: Any) -> rx.Component:
    match: Any = rx.match
    count, of = note["count"].to(int), note["of"].to(int)
    return rx.el.li(
        match(
            note["name"],
            ("running", icon("megaphone", 18, class_name="mt-0.5 text-quiet")),
            ("reached", icon("eye", 18, class_name="mt-0.5 text-quiet")),
            ("low_ctr", icon("trending-down", 18, class_name="mt-0.5 text-quiet")),
            icon("clock", 18, class_name="mt-0.5 text-quiet"),
        ),
        rx.el.span(
            t(
                f"analytics.notes.{note['name'].to(str)}",
                count=count,
                shown=number(count),
                of=number(of),
                name=note["subject"].to(str),
            ),
            class_name="min-w-0 flex-1 wrap-anywhere",
        ),
        rx.el.span(
            match(
                note["name"],
                ("running", t("analytics.now")),
                ("daily_budget", t("analytics.last_on", day=day(note["day"].to(str)))),
                t("analytics.this_period"),
            ),
            class_name="text-sm whitespace-nowrap text-quiet",
        ),
        class_name=(
            "flex flex-wrap items-start gap-x-3 gap-y-1 border-t border-line py-3"
            " first:border-t-0 first:pt-0 last:pb-0"
        ),
    )
