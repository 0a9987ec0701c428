"""The player's own rank, always in sight: a card beside the list, on a phone a bar as well."""

from typing import Any

import reflex as rx

from rewards_app.core.routes import WATCH
from rewards_app.features.leaderboard.podium import ads_of
from rewards_app.features.leaderboard.rules import Period
from rewards_app.features.leaderboard.state import LeaderboardState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import panel
from rewards_app.ui.feedback import progress
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import number, percent

UPPER_HALF = 50


def title_of_period(key: str) -> rx.Var[str]:
    """The text of `leaderboard.<key>_<period>`."""
    match: Any = rx.match
    texts = {period: t(f"leaderboard.{key}_{period}") for period in Period}
    return match(
        LeaderboardState.period,
        *((period.value, text) for period, text in texts.items()),
        texts[Period.MONTH],
    )


def own_place() -> rx.Component:
    own: Any = LeaderboardState.own
    return panel(
        rx.el.h2(title_of_period("own"), class_name="font-sans text-base font-semibold text-quiet"),
        rx.cond(LeaderboardState.own, _place(own), _no_place()),
        link_button(t("leaderboard.watch_ads"), href=WATCH, icon="circle-play", wide=True),
        glows=True,
        class_name="grid gap-3",
    )


def _place(own: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(
            rx.el.span(
                number(own["rank"].to(int)), class_name="font-display text-3xl/none font-bold"
            ),
            " ",
            rx.el.span(_among(own), class_name="text-quiet"),
            class_name="tnum",
        ),
        rx.cond(own["next_rank"].to(int) > 0, _way_up(own), _leading(own)),
        class_name="grid gap-3",
        custom_attrs={"data-own": "true"},
    )


def _among(own: Any) -> Any:
    """Which share of all one is in is told to the upper half: to others it says nothing good."""
    players = number(own["players"].to(int))
    share = percent(own["percent"].to(int) / 100)
    return rx.cond(
        own["percent"].to(int) <= UPPER_HALF,
        t("leaderboard.of_players", players=players, percent=share),
        t("leaderboard.of_all", players=players),
    )


def _leading(own: Any) -> rx.Component:
    return rx.fragment(
        coins(own["coins"].to(int)),
        rx.el.p(t("leaderboard.leading"), class_name="font-semibold"),
    )


def _way_up(own: Any) -> rx.Component:
    name = rx.cond(
        own["next_name"].to(str),
        own["next_name"].to(str),
        t("leaderboard.unnamed", number=own["next_rank"].to(int).to_string()),
    )
    return rx.fragment(
        rx.el.div(
            rx.el.p(
                coins(own["coins"].to(int)),
                rx.el.span(
                    t(
                        "leaderboard.next_has",
                        name=name,
                        coins=number(own["next_coins"].to(int)),
                    ),
                    class_name="min-w-0 text-sm text-quiet wrap-anywhere",
                ),
                class_name="tnum mb-2 flex flex-wrap items-center justify-between gap-x-3",
            ),
            progress(own["coins"].to(int), own["next_coins"].to(int), t("leaderboard.progress")),
        ),
        rx.el.p(
            rx.el.span(_missing(own), class_name="font-semibold"),
            rx.cond(
                own["ads"].to(int) > 0,
                rx.el.span(" ", _effort(own), class_name="text-quiet"),
            ),
        ),
    )


def _missing(own: Any) -> rx.Var[str]:
    return t(
        "leaderboard.to_next",
        count=own["missing"].to(int),
        shown=number(own["missing"].to(int)),
        rank=number(own["next_rank"].to(int)),
    )


def _effort(own: Any) -> rx.Var[str]:
    """How many ads, and how long they take: past today's limit it is tomorrow, or days."""
    match: Any = rx.match
    days, minutes = own["days"].to(int), own["minutes"].to(int)
    time = match(
        days,
        (0, t("leaderboard.minutes", count=minutes, shown=number(minutes))),
        (1, t("leaderboard.tomorrow")),
        t("leaderboard.days", count=days, shown=number(days)),
    )
    return rx.Var.create(f"{ads_of(own['ads'])}, {time}.")


def _no_place() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("leaderboard.unranked"), class_name="font-display text-xl font-bold"),
        rx.el.p(t("leaderboard.unranked_text"), class_name="text-quiet"),
    )


def own_bar() -> rx.Component:
    """Stays at the foot of a phone while the list is read; the corner belongs to the badge."""
    own: Any = LeaderboardState.own
    return rx.cond(
        LeaderboardState.own,
        rx.el.aside(
            rx.el.span(
                "#",
                number(own["rank"].to(int)),
                class_name="tnum font-display text-xl/tight font-bold whitespace-nowrap",
            ),
            rx.el.span(
                coins(own["coins"].to(int), size=16),
                rx.el.span(
                    rx.cond(own["next_rank"].to(int) > 0, _missing(own), t("leaderboard.leading")),
                    class_name="block text-sm/tight text-quiet",
                ),
                class_name="min-w-0 flex-1",
            ),
            class_name=(
                "foot-bar fixed inset-x-0 bottom-(--banner,0px) z-10 flex items-center gap-4"
                " border-t border-line bg-panel py-3 pr-18 pl-4 lg:hidden"
            ),
            custom_attrs={"aria-label": title_of_period("own")},
        ),
    )


def streak_note() -> rx.Component:
    streak: Any = LeaderboardState.streak
    days, best = streak["days"].to(int), streak["best"].to(int)
    own = t("leaderboard.own_streak", count=days, shown=number(days), best=number(best))
    return rx.el.p(
        icon("flame", 16, class_name="mt-0.5"),
        rx.el.span(
            t("leaderboard.streak_rule"),
            " ",
            rx.cond(best > 0, own, ""),
        ),
        class_name="tnum flex gap-2.5 px-1 text-sm text-quiet",
    )
