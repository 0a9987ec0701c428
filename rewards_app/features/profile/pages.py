"""The pages of profiles: one's own, adding a game to it, another player's."""

from collections.abc import Collection, Sequence
from typing import Any

import reflex as rx

from rewards_app.core.actor import MEMBER_ROLES, PLAYING_ROLES
from rewards_app.core.page import Page
from rewards_app.features.accounts import restrictions, sessions
from rewards_app.features.forum.appeal_dialog import appeal_dialog
from rewards_app.features.forum.appeal_state import ForumAppealState
from rewards_app.features.forum.report_state import ReportState
from rewards_app.features.guardians import service as guardians
from rewards_app.features.guardians.card import card as guardian_card
from rewards_app.features.guardians.state import GuardianState
from rewards_app.features.leaderboard.service import CHANGED as RANKS_CHANGED
from rewards_app.features.profile.achievements_panel import PLACE, achievements_panel
from rewards_app.features.profile.add_game import add_game
from rewards_app.features.profile.add_game_state import PROFILE, AddGameState
from rewards_app.features.profile.games_panel import ADD_GAME, games_panel
from rewards_app.features.profile.hidden_words import hidden_words
from rewards_app.features.profile.info_card import info_card
from rewards_app.features.profile.player_page import player_page
from rewards_app.features.profile.player_state import PATH, PlayerState
from rewards_app.features.profile.service import CHANGED
from rewards_app.features.profile.side import side
from rewards_app.features.profile.state import ProfileState
from rewards_app.features.profile.unlocking import UNLOCKED
from rewards_app.features.security.account_security import account_security_dialog
from rewards_app.features.security.danger_state import DangerState
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.i18n.page_text import t
from rewards_app.ui.feedback import login_needed

COLUMNS = (
    "grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]"
    " lg:grid-rows-[auto_1fr]"
)
MAIN = "grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 lg:col-start-1 lg:row-start-1"


def profile(there: Collection[str]) -> rx.Component:
    """`there` are the paths that a player can go to."""
    return rx.el.div(
        hidden_words(),
        info_card(),
        rx.el.div(
            _guardian(),
            rx.el.div(
                games_panel(),
                rx.el.div(
                    achievements_panel(
                        ProfileState.achievements, ProfileState.profile["unlocked"].to(int)
                    ),
                    id=PLACE,
                    class_name="scroll-mt-32",
                ),
                class_name=rx.cond(GuardianState.card, f"{MAIN} lg:row-span-2", MAIN),
            ),
            side(there),
            class_name=COLUMNS,
        ),
        account_security_dialog(),
        appeal_dialog(),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
    )


def _guardian() -> Any:
    """What waits for a guardian comes first on a phone, and first beside the rest on a desk."""
    return rx.cond(GuardianState.card, rx.el.div(guardian_card(), class_name="lg:col-start-2"))


def pages(others: Sequence[Page]) -> list[Page]:
    """With ways to those of the `others` that a player has."""
    there = frozenset(page.path for page in others if page.roles & PLAYING_ROLES)

    def own() -> rx.Component:
        return profile(there)

    return [
        Page(
            PROFILE,
            own,
            "profile.page_title",
            roles=PLAYING_ROLES,
            on_load=[
                DangerState.stay,
                AccountSecurityState.close_dialog,
                ForumAppealState.close,
                ProfileState.load,
                GuardianState.load,
            ],
            refreshes=[ProfileState.refresh],
            is_told=[GuardianState.load, SessionsState.refresh, AccountSecurityState.refresh],
            follows={
                CHANGED: [ProfileState.refresh],
                UNLOCKED: [ProfileState.refresh],
                RANKS_CHANGED: [ProfileState.refresh_figures],
            },
        ),
        Page(
            ADD_GAME,
            add_game,
            "games.page_title",
            roles=PLAYING_ROLES,
            on_load=[AddGameState.load],
            denied_to_visitors=lambda: login_needed(t("games.login_needed_text")),
        ),
        Page(
            PATH,
            player_page,
            "profile.player_page_title",
            roles=MEMBER_ROLES,
            on_load=[ReportState.close, PlayerState.load],
            follows={
                CHANGED: [PlayerState.refresh],
                UNLOCKED: [PlayerState.refresh],
                guardians.CHANGED: [PlayerState.refresh],
                restrictions.CHANGED: [PlayerState.refresh],
                sessions.ACCOUNT_CHANGED: [PlayerState.refresh],
                RANKS_CHANGED: [PlayerState.refresh_figures],
            },
        ),
    ]
