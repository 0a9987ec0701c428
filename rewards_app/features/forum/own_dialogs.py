"""The dialogs in which somebody changes or deletes what they wrote."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.forum.own_state import DELETE, EDIT, OwnState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, icon_button
from rewards_app.ui.forms import actions, text_field, textarea_field
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal
from rewards_app.ui.talk import Writing


def own_buttons(target: Target, thing: Any) -> rx.Component:
    """For its author."""
    ask: Any = OwnState.ask
    thing_id = thing["id"].to(str)
    return rx.cond(
        thing["is_own"].to(bool),
        rx.el.span(
            rx.cond(
                thing["can_edit"].to(bool),
                icon_button(
                    "pencil",
                    t(f"forum.own.edit_{target}"),
                    on_click=ask(EDIT, target.value, thing_id),
                ),
            ),
            icon_button(
                "trash-2",
                t(f"forum.own.delete_{target}"),
                on_click=ask(DELETE, target.value, thing_id),
            ),
            class_name="ml-auto inline-flex",
        ),
    )


def own_dialogs() -> rx.Component:
    return rx.fragment(_edit(), _delete())


def _by_target(words: str) -> Any:
    is_post = OwnState.thing["target"] == Target.POST.value
    return rx.cond(is_post, t(f"forum.own.{words}_post"), t(f"forum.own.{words}_reply")).to(str)


def _edit() -> rx.Component:
    save: Any = OwnState.save
    thing = OwnState.thing
    is_asked: Any = OwnState.asked == EDIT
    is_post = thing["target"] == Target.POST.value
    return dialog(
        rx.cond(
            is_asked,
            Writing.create(
                rx.cond(
                    is_post,
                    text_field(
                        "title",
                        t("forum.form.title"),
                        error=field_error(AppState.refusal, "title"),
                        autocomplete="off",
                        required=True,
                        field_id="own-title",
                        default_value=thing["title"],
                    ),
                    rx.el.input(type="hidden", name="title", value=""),
                ),
                textarea_field(
                    "content",
                    t("forum.form.message"),
                    rows=6,
                    error=field_error(AppState.refusal, "content"),
                    required=True,
                    field_id="own-content",
                    default_value=thing["content"],
                ),
                other_refusal(AppState.refusal),
                actions(
                    button(t("ui.cancel"), kind="ghost", on_click=OwnState.close),
                    button(t("forum.own.save"), submits=True, busy=AppState.is_busy),
                ),
                class_name="grid gap-4",
                on_note=rx.noop(),
                on_send=lambda typed: save(typed["title"], typed["content"]),
                key=thing["id"],
            ),
        ),
        id="own-edit",
        title=_by_target("edit"),
        open=is_asked,
        on_close=OwnState.close,
        width=640,
    )


def _delete() -> rx.Component:
    is_asked: Any = OwnState.asked == DELETE
    return dialog(
        rx.cond(
            is_asked,
            rx.el.div(
                rx.el.p(_by_target("delete_text")),
                other_refusal(AppState.refusal),
                actions(
                    button(t("ui.cancel"), kind="ghost", on_click=OwnState.close),
                    button(
                        _by_target("delete"),
                        kind="danger",
                        busy=AppState.is_busy,
                        on_click=OwnState.delete,
                    ),
                ),
                class_name="grid gap-5",
            ),
        ),
        id="own-delete",
        title=_by_target("delete"),
        open=is_asked,
        on_close=OwnState.close,
        width=480,
    )
