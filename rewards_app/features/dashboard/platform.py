"""Everybody's figures on a player's home."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.dashboard.rules import SAMPLE_ONLINE
from rewards_app.features.dashboard.state import PlatformState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge, skeleton, status
from rewards_app.ui.icons import icon, icon_tile
from rewards_app.ui.markup import NBSP, hidden_text
from rewards_app.ui.numbers import compact, number

TILES = (
    ("players", "users"),
    ("ads_today", "circle-play"),
    ("coins", "coins"),
    ("rewards", "gift"),
)


def platform() -> rx.Component:
    """Four tiles; figures that stand in for the real ones carry a mark.

    Who is ahead stands beside the title on a desk, and below the tiles on a phone.
    """
    return rx.el.section(
        rx.el.div(
            rx.el.h2(t("home.platform"), class_name="text-lg"),
            rx.cond(
                PlatformState.is_sample,
                badge(icon("triangle-alert", 14), t("home.sample"), tone="danger"),
                status(t("home.live"), "good"),
            ),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-2",
        ),
        rx.el.div(
            rx.cond(
                PlatformState.is_sample,
                rx.el.p(t("home.sample_text"), class_name="mt-1 text-quiet"),
            ),
            class_name="lg:col-span-full",
            role="status",
        ),
        rx.el.dl(*(_tile(*one) for one in TILES), class_name=_TILES),
        _people(),
        class_name="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[auto_minmax(0,1fr)] lg:gap-x-6",
    )


_TILES = "mt-4 grid grid-cols-2 gap-3 sm:gap-4 lg:col-span-full lg:grid-cols-4"


def _tile(name: str, icon_name: str) -> rx.Component:
    figures = PlatformState.figures
    figure = _rewards() if name == "rewards" else compact(figures[name])
    return rx.el.div(
        rx.el.dt(
            icon_tile(icon_name, "text-lilac"),
            rx.el.span(t(f"home.platform_{name}"), class_name="block text-sm text-quiet"),
            class_name="contents",
        ),
        rx.el.dd(
            rx.cond(figures, figure, skeleton("line", "my-1.5 w-16")),
            class_name="tnum font-display text-xl/tight font-bold",
        ),
        class_name=_TILE,
    )


def _rewards() -> rx.Component:
    """Where orders could not be counted, about how many."""
    figures: Any = PlatformState.figures
    written = compact(figures["rewards"])
    return rx.cond(
        figures["are_rewards_estimated"].to(bool),
        rx.fragment(
            rx.el.span("≈", NBSP, written, aria_hidden="true"),
            hidden_text(t("shop.about", amount=written)),
        ),
        rx.fragment(written),
    )


# The label comes first for readers, and stands below its number.
_TILE = (
    "grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-x-4 rounded-panel border border-line"
    " bg-panel p-4 sm:grid-cols-[auto_minmax(0,1fr)] sm:content-center"
    " [&_dd]:max-sm:mt-3 [&_dt>:first-child]:sm:row-span-2 [&_dt>:last-child]:order-1"
)


def _people() -> rx.Component:
    """Who is ahead, and how many are here."""
    ads = PlatformState.figures["top_ads"]
    online = rx.cond(PlatformState.is_sample, SAMPLE_ONLINE, AppState.players_online)
    return rx.el.div(
        rx.cond(
            PlatformState.figures,
            rx.fragment(
                rx.cond(
                    ads > 0,
                    rx.el.span(
                        icon("trophy", 18, class_name="mt-0.5 text-lilac"),
                        rx.el.span(
                            rx.cond(
                                PlatformState.top_name,
                                t(
                                    "home.top_player",
                                    name=PlatformState.top_name,
                                    shown=number(ads),
                                ),
                                t("home.top_player_unnamed", shown=number(ads)),
                            ),
                            class_name="min-w-0 wrap-anywhere",
                        ),
                        class_name="flex min-w-0 gap-2",
                    ),
                ),
                rx.el.span(
                    icon("radio", 18, class_name="mt-0.5 text-lilac"),
                    t("frame.players_online", count=online, shown=number(online)),
                    class_name="flex gap-2",
                ),
            ),
            skeleton("line", "my-1 w-64 max-w-full"),
        ),
        class_name=(
            "tnum mt-3 flex flex-wrap gap-x-6 gap-y-1 text-quiet lg:col-start-2 lg:row-start-1"
            " lg:mt-0 lg:items-center lg:justify-end lg:text-sm"
        ),
    )
