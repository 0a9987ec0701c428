"""Where moderators look after the forum, and the way there."""

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.core.state import AppState
from rewards_app.features.forum.desk import desk
from rewards_app.features.forum.desk_state import DeskCountState, DeskState, ModerationLogState
from rewards_app.features.forum.reports import DESK
from rewards_app.features.support.service import APPEALED_ELSEWHERE
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import look
from rewards_app.ui.cards import page_head
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.waiting import waiting_badge

PATH = "/forum/moderation"


def desk_link() -> rx.Component:
    """For moderators, with how much waits; load and follow it by `DeskCountState.count`."""
    return rx.cond(
        AppState.role == Role.MODERATOR.value,
        anchor(
            icon("shield-check", 18),
            t("forum.desk.title"),
            waiting_badge(DeskCountState.waiting),
            href=PATH,
            class_name=look("ghost").replace("enabled:", ""),
        ),
    )


def _page() -> rx.Component:
    return rx.fragment(page_head(t("forum.desk.title"), t("forum.desk.subtitle")), desk())


PAGES = [
    Page(
        PATH,
        _page,
        "forum.desk.page_title",
        roles=frozenset({Role.MODERATOR}),
        on_load=[DeskState.load, ModerationLogState.load],
        follows={
            DESK: [DeskState.refresh, ModerationLogState.refresh],
            APPEALED_ELSEWHERE: [DeskState.refresh],
        },
    )
]
