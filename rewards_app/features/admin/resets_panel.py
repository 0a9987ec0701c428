"""Lost second factors: who asks to sign in without, since when, and what a decision means."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.resets_state import GRANT, ResetsState
from rewards_app.features.factors.rules import SHORTEST_REASON
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import panel
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.forms import actions, form, textarea_field
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.lists import each
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import ago, date_and_time
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal


def resets_panel() -> rx.Component:
    """Only where there are some."""
    return rx.fragment(
        rx.cond(
            ResetsState.waiting,
            panel(
                rx.el.p(
                    t("admin.resets.text"), class_name="max-w-[76ch] px-4 pb-3 text-quiet sm:px-5"
                ),
                rx.el.ul(each(ResetsState.waiting, _one)),
                title=t("admin.resets.title"),
                flush=True,
            ),
        ),
        _dialog(),
    )


def _one(wish: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            anchor(
                name_of(wish["name"].to(str)),
                href=wish["person"].to(str),
                class_name=f"target font-medium wrap-anywhere {LINK}",
            ),
            rx.el.span(mail_address(wish["email"]), class_name="text-sm wrap-anywhere text-quiet"),
            rx.el.span(
                t("admin.resets.asked", ago=ago(wish["asked_at"].to(str))),
                " · ",
                t("admin.resets.not_before", moment=date_and_time(wish["ready_at"].to(str))),
                class_name="tnum text-sm text-quiet",
            ),
            class_name="grid min-w-0 flex-[1_1_280px] justify-items-start gap-0.5",
        ),
        rx.cond(
            wish["is_open"].to(bool),
            rx.el.div(
                _way(wish, "refuse", "danger"),
                _way(wish, GRANT, "ghost"),
                class_name="flex flex-wrap gap-2",
            ),
            status_mark(t("admin.resets.is_granted"), "good"),
        ),
        class_name=(
            "flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3"
            " sm:px-5"
        ),
    )


def _way(wish: Any, deed: str, kind: Any) -> rx.Component:
    ask: Any = ResetsState.ask
    return button(
        t(f"admin.resets.{deed}"),
        kind=kind,
        size="sm",
        on_click=ask(wish["id"].to(str), deed),
        label_for_readers=t(f"admin.resets.{deed}_of", name=name_of(wish["name"].to(str))),
    )


def _dialog() -> rx.Component:
    is_grant = ResetsState.deed == GRANT
    return dialog(
        rx.cond(
            ResetsState.deed != "",
            rx.cond(
                is_grant, _form("grant", ResetsState.grant), _form("refuse", ResetsState.refuse)
            ),
        ),
        id="reset-decision",
        title=rx.cond(is_grant, t("admin.resets.grant_title"), t("admin.resets.refuse_title")),
        open=ResetsState.deed != "",
        on_close=ResetsState.close,
        width=520,
    )


def _form(deed: str, handler: Any) -> rx.Component:
    asked: Any = ResetsState.asked
    moment = date_and_time(asked["ready_at"].to(str))
    return form(
        rx.el.p(
            rx.el.span(name_of(asked["name"].to(str)), class_name="font-semibold"),
            " · ",
            mail_address(asked["email"]),
            class_name="wrap-anywhere",
        ),
        rx.el.p(t(f"admin.resets.{deed}_means", moment=moment), class_name="text-quiet"),
        textarea_field(
            "reason",
            t("admin.reason"),
            rows=3,
            hint=t("admin.resets.reason_hint"),
            error=field_error(AppState.refusal, "reason"),
            required=True,
            min_length=SHORTEST_REASON,
            field_id="reset-reason",
        ),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=ResetsState.close),
            button(
                t(f"admin.resets.{deed}_now"),
                kind="primary" if deed == GRANT else "danger",
                submits=True,
                busy=AppState.is_busy,
            ),
        ),
        on_submit=handler,
    )
