"""What others see of a player."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.report_dialog import report_dialog, report_profile_button
from rewards_app.features.profile.achievements import RULES
from rewards_app.features.profile.achievements_panel import achievements_panel
from rewards_app.features.profile.add_game_state import PROFILE
from rewards_app.features.profile.games_panel import (
    GAME_TITLE,
    about_game,
    bio_text,
    game_card,
    game_list,
    kind_line,
    won_in_game,
)
from rewards_app.features.profile.info_card import fact, who
from rewards_app.features.profile.player_state import MISSING, PRIVATE, SHOWN, PlayerState
from rewards_app.features.profile.side import days_in_a_row
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import key_figure, key_figures, panel, skeleton
from rewards_app.ui.dead_ends import dead_end
from rewards_app.ui.feedback import banner, loading_line
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import month, number

PLAYER = PlayerState.player


def player_page() -> rx.Component:
    match: Any = rx.match
    return match(
        PlayerState.found,
        (SHOWN, _shown()),
        (PRIVATE, _private()),
        (MISSING, _missing()),
        rx.el.div(
            loading_line(),
            skeleton("tile"),
            skeleton("tile"),
            skeleton("card"),
            class_name="relative grid gap-6",
        ),
    )


def _missing() -> rx.Component:
    return dead_end(
        "user-x",
        t("profile.missing_title"),
        t("profile.missing_text"),
        link_button(t("profile.to_home"), href="/"),
    )


def _private() -> rx.Component:
    return dead_end(
        "lock",
        t("profile.private_title"),
        t("profile.private_text"),
        link_button(t("profile.to_home"), href="/"),
    )


def _shown() -> rx.Component:
    return rx.el.div(
        rx.cond(PLAYER["is_own"], _own_banner()),
        panel(
            rx.cond(
                PLAYER["is_own"],
                _who(),
                _who(report_profile_button(PLAYER["id"].to(str))),
            ),
            glows=True,
        ),
        _figures(),
        _games(),
        achievements_panel(
            PlayerState.player_achievements, PLAYER["unlocked"].to(int), shows_progress=False
        ),
        report_dialog(),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
    )


def _who(action: Child | None = None) -> rx.Component:
    return who(
        PLAYER["face"],
        PLAYER["display_name"].to(str),
        PLAYER["handle"].to(str),
        fact(
            "calendar-days",
            t("profile.member_month", month=month(PLAYER["member_since"].to(str))),
        ),
        action=action,
    )


def _own_banner() -> rx.Component:
    way = link_button(t("nav.profile"), href=PROFILE, kind="ghost", size="sm")
    return rx.cond(
        PLAYER["is_private"],
        banner("warning", t("profile.nobody_sees"), t("profile.nobody_sees_text"), way),
        banner("info", t("profile.others_see"), t("profile.others_see_text"), way),
    )


def _figures() -> rx.Component:
    rank: Any = PLAYER["rank"].to(int)
    return key_figures(
        key_figure(t("home.level"), number(PLAYER["level"].to(int))),
        key_figure(t("profile.stats.rank"), rx.cond(rank > 0, number(rank), "–")),
        key_figure(t("profile.stats.streak"), days_in_a_row(PLAYER["streak"].to(int))),
        key_figure(
            t("profile.stats.achievements"),
            t(
                "achievements.done_of",
                done=number(PLAYER["unlocked"].to(int)),
                all=number(len(RULES)),
            ),
        ),
    )


def _games() -> rx.Component:
    bio, removed = PLAYER["bio"].to(str), PLAYER["bio_removed"].to(str)
    return panel(
        rx.cond(
            bio | removed,
            rx.el.div(bio_text(text_or_why_not(bio, removed)), class_name="mb-5"),
        ),
        rx.cond(
            PlayerState.player_games,
            game_list(PlayerState.player_games, _game),
            rx.el.p(t("profile.shows_no_games"), class_name="text-quiet"),
        ),
        title=t("profile.gaming"),
    )


def text_or_why_not(text: Any, removed: Any) -> Any:
    """A player's words, or the words that stand where they were."""
    return rx.cond(removed, t(f"moderation.removed.{removed}"), text)


def _seen(game: Any, field: str) -> Any:
    return text_or_why_not(game[field].to(str), game[f"{field}_removed"].to(str))


def _game(game: Any) -> rx.Component:
    return game_card(
        game,
        rx.el.h3(_seen(game, "title"), class_name=GAME_TITLE),
        _words(game),
    )


def _words(game: Any) -> Child:
    return rx.fragment(
        kind_line(game, _seen(game, "platform")),
        about_game(game, _seen(game, "description")),
        won_in_game(_seen(game, "achievements")),
    )
