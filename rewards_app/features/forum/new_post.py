"""The dialog for a new topic: its draft waits, and moderation says beforehand what it changes."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.forum.board_state import BoardState
from rewards_app.features.forum.new_post_state import NewPostState
from rewards_app.features.forum.rules import CATEGORIES, LONGEST_TEXT, LONGEST_TITLE, SHORTEST_TEXT
from rewards_app.features.forum.writing_parts import draft_line, preview_panel
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.forms import actions, select_field, text_field, textarea_field
from rewards_app.ui.numbers import number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal
from rewards_app.ui.talk import Writing


def new_post_button() -> rx.Component:
    """On a phone at hand, however far down the list somebody reads."""
    begin: Any = NewPostState.open
    return rx.el.div(
        button(t("forum.new_post"), icon="plus", wide=True, on_click=begin(BoardState.category)),
        class_name=(
            "foot-bar-phone max-sm:fixed max-sm:inset-x-0 max-sm:bottom-(--banner,0px) max-sm:z-10"
            " max-sm:border-t max-sm:border-line max-sm:bg-panel max-sm:py-3 max-sm:pr-18"
            " max-sm:pl-4"
        ),
    )


def new_post_dialog() -> rx.Component:
    return dialog(
        rx.cond(NewPostState.is_open, _form()),
        id="new-post",
        title=t("forum.new_post"),
        open=NewPostState.is_open,
        on_close=NewPostState.close,
        width=640,
    )


def _form() -> rx.Component:
    note: Any = NewPostState.note
    post: Any = NewPostState.post
    return Writing.create(
        rx.cond(NewPostState.has_draft, _draft()),
        _fields(),
        draft_line(NewPostState.is_cut),
        preview_panel(NewPostState.preview, NewPostState.is_outdated),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=NewPostState.close),
            button(t("forum.form.post"), submits=True, busy=AppState.is_busy),
        ),
        key=NewPostState.turn.to(str),  # pyright: ignore
        class_name="grid gap-4",
        on_note=lambda typed: note(
            NewPostState.turn, typed["category"], typed["title"], typed["content"]
        ),
        on_send=lambda typed: post(typed["category"], typed["title"], typed["content"]),
    )


def _draft() -> rx.Component:
    return rx.el.p(
        rx.el.span(t("forum.form.draft"), class_name="min-w-0 flex-1"),
        button(
            t("forum.form.start_over"),
            kind="link",
            size="sm",
            on_click=NewPostState.start_over,
        ),
        class_name="flex flex-wrap items-center gap-x-3 text-sm text-quiet",
    )


def _fields() -> rx.Component:
    draft = NewPostState.draft
    refusal = AppState.refusal
    categories = [(one, t(f"forum.categories.{one}")) for one in CATEGORIES]
    return rx.fragment(
        rx.el.div(
            text_field(
                "title",
                t("forum.form.title"),
                error=field_error(refusal, "title"),
                hint=t("forum.form.title_hint", most=number(LONGEST_TITLE)),
                autocomplete="off",
                required=True,
                field_id="post-title",
                default_value=draft["title"],
            ),
            select_field(
                "category",
                t("forum.form.category"),
                [("", t("forum.form.choose")), *categories],
                error=field_error(refusal, "category"),
                required=True,
                field_id="post-category",
                default_value=draft["category"],
            ),
            class_name="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_200px]",
        ),
        textarea_field(
            "content",
            t("forum.form.message"),
            rows=6,
            hint=t(
                "forum.form.message_hint", least=number(SHORTEST_TEXT), most=number(LONGEST_TEXT)
            ),
            error=field_error(refusal, "content"),
            required=True,
            field_id="post-content",
            default_value=draft["content"],
        ),
    )
