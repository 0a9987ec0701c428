"""The way to appeal, beside what moderation did to one's own text, and the dialog for it."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.forum.appeal_state import ForumAppealState
from rewards_app.features.forum.desk_rules import Target
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, textarea_field
from rewards_app.ui.inputs import MessageForm
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal


def appeal_button(target: Target, thing_id: Any) -> rx.Component:
    """For the author of what was hidden, removed, masked or locked.

    The page needs `appeal_dialog()`.
    """
    ask: Any = ForumAppealState.ask
    return button(
        t("forum.appeals.appeal"),
        kind="ghost",
        size="sm",
        icon="scale",
        on_click=ask(target.value, thing_id),
    )


def appeal_dialog() -> rx.Component:
    state = ForumAppealState
    return dialog(
        rx.cond(
            state.is_open,
            rx.cond(
                state.waits != "",
                banner(
                    "info",
                    t("forum.appeals.waits_title", number=state.waits),
                    t("forum.appeals.waits_text"),
                ),
                rx.cond(
                    state.can_appeal,
                    _form(),
                    banner("info", t("forum.appeals.over_title"), _over()),
                ),
            ),
        ),
        id="forum-appeal",
        title=t("forum.appeals.title"),
        open=state.is_open,
        on_close=state.close,
        width=520,
    )


def _over() -> rx.Component:
    return rx.fragment(
        t("forum.appeals.over_text"),
        rx.cond(ForumAppealState.can_change, rx.el.span(" ", t("forum.appeals.over_change"))),
    )


def _form() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("forum.appeals.text"), class_name="mb-4 text-quiet"),
        MessageForm.create(
            textarea_field(
                "message",
                t("forum.appeals.label"),
                hint=t("restrictions.appeal_hint"),
                rows=5,
                error=field_error(AppState.refusal, "message"),
                required=True,
                field_id="field-forum-appeal",
            ),
            other_refusal(AppState.refusal),
            actions(
                button(t("ui.cancel"), kind="ghost", on_click=ForumAppealState.close),
                button(t("forum.appeals.send"), submits=True, busy=AppState.is_busy),
            ),
            on_send=ForumAppealState.send,
            class_name="grid gap-4",
        ),
    )
