"""The list from the fourth place on, and below it the player's own place with its neighbours."""

from typing import Any

import reflex as rx

from rewards_app.features.leaderboard.podium import ads_of, days_of, player_name
from rewards_app.features.leaderboard.state import LeaderboardState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import panel, status
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Text, attributes, hidden_text
from rewards_app.ui.numbers import number
from rewards_app.ui.ranks import Calm, rank_face

LIST = "rankings"
COLUMNS = (
    ("rank", "w-16"),
    ("player", ""),
    ("level", "number on-desk"),
    ("streak", "number on-desk"),
    ("ads", "number on-desk"),
    ("coins", "number"),
)


def rankings(title: Text) -> rx.Component:
    return panel(
        rx.el.div(
            rx.el.table(
                rx.el.caption(title, class_name="sr-only"),
                rx.el.thead(
                    rx.el.tr(
                        *(
                            rx.el.th(t(f"leaderboard.{name}"), scope="col", class_name=look)
                            for name, look in COLUMNS
                        )
                    )
                ),
                rx.el.tbody(
                    rx.foreach(LeaderboardState.ranking, _row),
                    rx.cond(LeaderboardState.has_gap, _gap()),
                    rx.foreach(LeaderboardState.near, _row),
                ),
                class_name="ranks",
                id=LIST,
            ),
            class_name="ranks-frame",
        ),
        Calm.create(list=LIST, watch=LeaderboardState.ranking, near=LeaderboardState.near),
        rx.cond(
            LeaderboardState.has_more,
            rx.el.div(
                button(
                    rx.cond(
                        LeaderboardState.can_show_all,
                        t("leaderboard.show_all"),
                        t("leaderboard.show_hundred"),
                    ),
                    kind="ghost",
                    on_click=LeaderboardState.show_all,
                ),
                class_name="flex justify-center border-t border-line p-4",
            ),
        ),
        title=title,
        aside=status(t("home.live"), "good"),
        flush=True,
    )


def _gap() -> rx.Component:
    return rx.el.tr(
        rx.el.td(
            hidden_text(t("leaderboard.between")),
            rx.el.span("• • •", aria_hidden="true"),
            col_span=len(COLUMNS),
            class_name="text-center text-quiet",
        )
    )


def _row(row: Any) -> rx.Component:
    return rx.el.tr(
        rx.el.td(
            number(row["rank"].to(int)),
            class_name="tnum font-display text-lg font-bold text-quiet",
        ),
        rx.el.td(
            rx.el.div(
                rank_face(row["rank"].to(int), 40),
                rx.el.div(
                    rx.el.span(player_name(row), class_name="block font-semibold wrap-anywhere"),
                    _second_line(row),
                    class_name="min-w-0",
                ),
                class_name="flex min-w-0 items-center gap-3",
            )
        ),
        rx.el.td(number(row["level"].to(int)), class_name="number on-desk"),
        rx.el.td(days_of(row["streak"]), class_name="number on-desk"),
        rx.el.td(number(row["ads"].to(int)), class_name="number on-desk"),
        rx.el.td(
            coins(row["coins"].to(int), size=16),
            rx.el.span(ads_of(row["ads"]), class_name="on-phone justify-end text-sm text-quiet"),
            class_name="number",
        ),
        key=row["key"].to(str),
        custom_attrs=attributes(
            data_row=row["key"].to(str),
            aria_current=rx.cond(row["is_own"].to(bool), "true", "false"),
        ),
    )


def _second_line(row: Any) -> rx.Component:
    """On a phone the columns that have no room stand here."""
    return rx.el.span(
        rx.el.span(t("leaderboard.level_of", level=number(row["level"].to(int)))),
        rx.el.span(
            icon("flame", 14),
            number(row["streak"].to(int)),
            hidden_text(" ", t("leaderboard.streak")),
            class_name="inline-flex items-center gap-1",
        ),
        class_name="on-phone tnum flex-wrap gap-x-3 text-sm text-quiet",
    )
