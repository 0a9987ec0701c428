"""The first three, each with a medal; and how a player is named everywhere on the page."""

from typing import Any

import reflex as rx

from rewards_app.features.leaderboard.state import LeaderboardState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.cards import badge
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import number
from rewards_app.ui.ranks import medal, medal_paint, rank_face

PLAYER = "/player?name="


def player_name(row: Any) -> rx.Component:
    """Leads to the profile of who lets others see it."""
    name = rx.cond(
        row["name"].to(str),
        row["name"].to(str),
        t("leaderboard.unnamed", number=row["rank"].to(int).to_string()),
    )
    return rx.fragment(
        rx.cond(
            row["handle"].to(str),
            anchor(
                name,
                href=rx.Var.create(f"{PLAYER}{row['handle']}"),
                class_name=(
                    "target inline-block max-w-full text-text no-underline underline-offset-4"
                    " hover:underline"
                ),
            ),
            name,
        ),
        rx.cond(
            row["is_own"].to(bool),
            rx.fragment(" ", badge(t("leaderboard.you"), tone="purple")),
        ),
    )


def podium() -> rx.Component:
    """On a desk the first stands in the middle; readers hear them in their order."""
    return rx.el.section(
        medal_paint(),
        rx.el.ol(
            rx.foreach(LeaderboardState.podium, _step),
            class_name=(
                "grid grid-cols-2 gap-3 pt-5 max-sm:gap-y-8 sm:grid-cols-3 sm:items-end sm:gap-4"
            ),
        ),
        custom_attrs=attributes(aria_label=t("leaderboard.podium")),
    )


_STEP = (
    "relative grid min-w-0 content-start justify-items-center gap-1.5 rounded-panel border px-3"
    " pt-8 pb-4 text-center"
)
_FIRST = f"{_STEP} podium-first max-sm:col-span-2 sm:order-2 sm:pt-10 sm:pb-6"
_OTHER = f"{_STEP} border-line bg-panel"


def _step(row: Any, place: rx.Var[int]) -> rx.Component:
    is_first = place == 0
    return rx.el.li(
        rx.el.div(
            medal(row["rank"].to(int)), class_name="absolute -top-5 left-1/2 -translate-x-1/2"
        ),
        rx.cond(is_first, rank_face(row["rank"].to(int), 84), rank_face(row["rank"].to(int), 64)),
        rx.el.h2(player_name(row), class_name="max-w-full text-lg wrap-anywhere"),
        rx.el.p(
            t("leaderboard.level_of", level=number(row["level"].to(int))),
            class_name="text-sm text-quiet",
        ),
        rx.cond(
            is_first,
            coins(
                row["coins"].to(int), size=24, class_name="font-display text-2xl lg:max-xl:text-lg"
            ),
            coins(row["coins"].to(int), class_name="text-lg"),
        ),
        rx.el.p(
            _fact("circle-play", ads_of(row["ads"])),
            _fact("flame", days_of(row["streak"])),
            class_name="tnum flex flex-wrap justify-center gap-x-4 gap-y-1 text-sm text-quiet",
        ),
        key=row["key"].to(str),
        class_name=rx.match(
            place, (0, _FIRST), (1, f"{_OTHER} sm:order-1"), f"{_OTHER} sm:order-3"
        ),
        custom_attrs=attributes(
            aria_current=rx.cond(row["is_own"].to(bool), "true", "false"),
            data_place=row["rank"].to(int),
        ),
    )


def _fact(icon_name: str, words: Any) -> rx.Component:
    return rx.el.span(
        icon(icon_name, 16), words, class_name="inline-flex items-center gap-1.5 whitespace-nowrap"
    )


def ads_of(count: Any) -> rx.Var[str]:
    return t("leaderboard.ads_of", count=count.to(int), shown=number(count.to(int)))


def days_of(count: Any) -> rx.Var[str]:
    return t("leaderboard.days_of", count=count.to(int), shown=number(count.to(int)))
