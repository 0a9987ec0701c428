"""Replying to a topic: the form, and beside each reply the way into it."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.forum.own_state import OwnState
from rewards_app.features.forum.reply_state import ReplyState
from rewards_app.features.forum.rules import LONGEST_REPLY
from rewards_app.features.forum.thing_parts import ACTION, is_gone, is_removed
from rewards_app.features.forum.topic_state import TopicState
from rewards_app.features.forum.writing_parts import draft_line, preview_panel
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import panel
from rewards_app.ui.forms import actions, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import hidden_text
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import number
from rewards_app.ui.refusal import field_error, other_refusal
from rewards_app.ui.talk import Answer, Writing

TOPIC: Any = TopicState.topic
REPLY_PLACE = "reply"
REPLY_FIELD = "reply-content"


def is_about_it() -> Any:
    """The form's topic is this one."""
    return ReplyState.about == TOPIC["id"].to(str)  # pyright: ignore


def is_open() -> Any:
    return (TOPIC["state"].to(str) == "shown") & ~is_removed(TOPIC)


def answer_button(reply: Any) -> rx.Component:
    """To what others wrote, where anybody can still reply."""
    can_reply = is_about_it() & is_open() & ~TOPIC["is_locked"].to(bool)
    return rx.cond(
        can_reply & ~reply["is_own"].to(bool) & ~is_gone(reply),
        Answer.create(
            icon("reply", 18),
            t("forum.reply"),
            hidden_text(": ", name_of(reply["author"].to(str))),
            handle=reply["handle"].to(str),
            into=REPLY_FIELD,
            class_name=ACTION,
        ),
    )


def begun() -> rx.Component:
    """Who was writing when nobody could reply any more still has their words."""
    words: Any = ReplyState.begun
    return rx.cond(
        words != "",
        panel(
            textarea_field(
                "begun",
                t("forum.topic.your_reply"),
                field_id="reply-begun",
                value=words,
                read_only=True,
            ),
        ),
    )


def reply_form() -> rx.Component:
    note: Any = ReplyState.note
    send: Any = ReplyState.send
    post_id = TOPIC["id"].to(str)
    is_own_refusal = ReplyState.is_tried & (OwnState.asked == "")  # pyright: ignore
    refusal = rx.cond(is_own_refusal, AppState.refusal, {})
    return panel(
        Writing.create(
            textarea_field(
                "content",
                t("forum.topic.your_reply"),
                rows=4,
                hint=t("forum.topic.reply_hint", most=number(LONGEST_REPLY)),
                error=field_error(refusal, "content"),
                required=True,
                field_id=REPLY_FIELD,
                default_value=ReplyState.begun,
            ),
            draft_line(ReplyState.is_cut),
            preview_panel(ReplyState.preview, ReplyState.is_outdated),
            other_refusal(refusal),
            actions(button(t("forum.reply"), icon="send", submits=True, busy=AppState.is_busy)),
            focus_at=f"#{REPLY_PLACE}",
            key=post_id + ReplyState.turn.to(str),  # pyright: ignore
            class_name="grid gap-3",
            on_note=lambda typed: note(ReplyState.turn, post_id, typed["content"]),
            on_send=lambda typed: send(post_id, typed["content"]),
        ),
    )
