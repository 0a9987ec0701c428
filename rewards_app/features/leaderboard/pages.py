"""Top Players: who earned most this week, this month and ever, and where oneself stands."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.page import Page
from rewards_app.core.routes import WATCH
from rewards_app.features.leaderboard.own_place import (
    own_bar,
    own_place,
    streak_note,
    title_of_period,
)
from rewards_app.features.leaderboard.podium import podium
from rewards_app.features.leaderboard.rankings import rankings
from rewards_app.features.leaderboard.rules import Period
from rewards_app.features.leaderboard.service import CHANGED
from rewards_app.features.leaderboard.state import PATH, LeaderboardState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import empty_state, page_head, skeleton
from rewards_app.ui.feedback import could_not_load
from rewards_app.ui.icons import icon_tile
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child, Text, attributes
from rewards_app.ui.numbers import number


def leaderboard() -> rx.Component:
    return rx.fragment(
        page_head(t("leaderboard.title"), _subtitle(), [_periods()]),
        rx.cond(
            LeaderboardState.is_loaded,
            rx.cond(
                LeaderboardState.podium,
                _board(),
                rx.cond(LeaderboardState.is_away, _away(), _nobody()),
            ),
            _loading(),
        ),
    )


def _subtitle() -> rx.Component:
    days = LeaderboardState.days_left
    match: Any = rx.match
    left = {
        period: t(f"leaderboard.text_{period}", count=days, shown=number(days))
        for period in (Period.WEEK, Period.MONTH)
    }
    return rx.cond(
        LeaderboardState.is_loaded & ~LeaderboardState.is_away,  # pyright: ignore
        match(
            LeaderboardState.period,
            *((period.value, text) for period, text in left.items()),
            t("leaderboard.text_all"),
        ),
        rx.el.span(
            class_name="my-1 inline-block h-4 w-80 max-w-full animate-pulse rounded bg-raised"
        ),
    )


def _periods() -> rx.Component:
    return rx.el.nav(
        *(_period(period) for period in Period),
        class_name="flex gap-1 rounded-panel border border-line bg-panel p-1",
        custom_attrs=attributes(aria_label=t("leaderboard.period")),
    )


def _period(period: Period) -> rx.Component:
    return anchor(
        t(f"leaderboard.periods.{period}"),
        href=f"{PATH}?period={period}",
        class_name=(
            "target inline-flex min-h-9 flex-auto items-center justify-center rounded-control px-3"
            " text-center font-semibold text-quiet no-underline hover:text-text sm:px-4"
            " aria-[current=page]:bg-purple-strong aria-[current=page]:text-on-purple"
            " pointer-coarse:min-h-11"
        ),
        custom_attrs=attributes(
            aria_current=rx.cond(LeaderboardState.period == period.value, "page", "false")
        ),
    )


def _board() -> rx.Component:
    ranking: Any = LeaderboardState.ranking
    near: Any = LeaderboardState.near
    return rx.fragment(
        rx.el.div(
            rx.el.div(podium(), class_name="min-w-0 lg:col-start-1"),
            rx.el.div(
                own_place(),
                rx.el.div(_tiles(), streak_note(), class_name="grid gap-4 max-lg:hidden"),
                class_name=(
                    "grid min-w-0 gap-4 lg:sticky lg:top-32 lg:col-start-2 lg:row-span-2"
                    " lg:row-start-1 lg:mt-5 lg:self-start"
                ),
            ),
            rx.cond(
                ranking.length() + near.length() > 0,
                rx.el.div(
                    rankings(title_of_period("rankings")), class_name="min-w-0 lg:col-start-1"
                ),
            ),
            rx.el.div(_tiles(), streak_note(), class_name="grid gap-4 lg:hidden"),
            class_name=(
                "grid grid-cols-[minmax(0,1fr)] items-start gap-6"
                " lg:grid-cols-[minmax(0,1fr)_304px] lg:grid-rows-[auto_1fr]"
            ),
        ),
        own_bar(),
    )


def _tiles() -> rx.Component:
    figures = LeaderboardState.figures
    return rx.el.dl(
        _tile("gamepad-2", title_of_period("active"), number(figures["players"])),
        _tile("circle-play", t("leaderboard.total_ads"), number(figures["ads"])),
        _tile("crosshair", t("leaderboard.average"), number(figures["average"])),
        class_name=(
            "divide-y divide-line overflow-hidden rounded-panel border border-line bg-panel"
        ),
    )


def _tile(icon_name: str, label: Text, value: Child) -> rx.Component:
    """The label comes first for readers, and stands below its number."""
    return rx.el.div(
        rx.el.dt(
            icon_tile(icon_name, "text-lilac row-span-2"),
            rx.el.span(label, class_name="order-1 text-sm text-quiet"),
            class_name="contents",
        ),
        rx.el.dd(value, class_name="tnum self-end font-display text-xl/tight font-bold"),
        class_name="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 p-4",
    )


def _nobody() -> rx.Component:
    return empty_state(
        "crown",
        t("leaderboard.empty"),
        title_of_period("empty"),
        link_button(t("leaderboard.watch_ads"), href=WATCH, icon="circle-play"),
    )


def _away() -> rx.Component:
    return could_not_load(t("leaderboard.away"), LeaderboardState.load)


def _loading() -> rx.Component:
    return rx.el.div(
        rx.el.div(*(skeleton("card") for _ in range(3)), class_name="grid gap-4 sm:grid-cols-3"),
        *(skeleton("row") for _ in range(7)),
        class_name="grid gap-4",
    )


PAGES = [
    Page(
        PATH,
        leaderboard,
        "leaderboard.page_title",
        roles=PLAYING_ROLES,
        on_load=[LeaderboardState.load],
        refreshes=[LeaderboardState.refresh],
        follows={CHANGED: [LeaderboardState.refresh]},
    )
]
