"""The section Danger Zone, and the dialog in which an account is deleted; others show it, too."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.state import AppState
from rewards_app.features.security.danger_state import DangerState
from rewards_app.features.security.parts import head
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, form, password_field
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import dollars
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal

DIALOG = "delete-account"


def danger_section() -> rx.Component:
    return rx.fragment(
        head(t("security.danger_title"), t("security.danger_text")),
        banner("danger", t("security.irreversible"), t("gdpr.delete_text")),
        rx.el.div(delete_account(), class_name="mt-5"),
    )


def delete_account() -> rx.Component:
    """The button, and the question behind it: for any page of a signed-in person."""
    return rx.fragment(
        button(
            t("security.delete_account"), kind="danger", icon="trash-2", on_click=DangerState.ask
        ),
        dialog(
            rx.cond(DangerState.is_asked, _question()),
            id=DIALOG,
            title=t("security.delete_account"),
            open=DangerState.is_asked,
            on_close=DangerState.stay,
        ),
    )


def _question() -> rx.Component:
    return form(
        rx.el.p(t("security.delete_sure"), class_name="font-semibold"),
        rx.el.ul(
            _point("log-out", t("security.deletes.at_once")),
            _point("calendar-x", t("security.deletes.later")),
            _point("rotate-ccw", t("security.deletes.keep")),
            _of_this_role(),
            _of_their_company(),
            class_name="grid gap-3",
        ),
        rx.cond(
            DangerState.has_password,
            password_field(
                "password",
                t("security.your_password"),
                autocomplete="current-password",
                error=field_error(AppState.refusal, "password"),
                field_id="delete-password",
            ),
            rx.el.p(t("security.no_password_text"), class_name="text-sm text-quiet"),
        ),
        other_refusal(AppState.refusal),
        actions(
            button(t("security.keep_account"), kind="ghost", on_click=DangerState.stay),
            button(
                t("security.delete_account"), kind="danger", submits=True, busy=AppState.is_busy
            ),
        ),
        on_submit=DangerState.delete,
        no_validate=True,
    )


def _of_this_role() -> Any:
    match: Any = rx.match
    players = [role.value for role in sorted(PLAYING_ROLES)]
    return match(
        AppState.role,
        (
            *players,
            rx.fragment(
                _point("coins", t("security.deletes.coins"), coins(DangerState.balance)),
                _point("receipt-text", t("security.deletes.orders")),
            ),
        ),
        rx.fragment(),
    )


def _of_their_company() -> rx.Component:
    """A player or a moderator may own one, too."""
    return rx.cond(
        DangerState.stranded > 0,
        _point(
            "circle-dollar-sign",
            t("security.deletes.balance", amount=dollars(DangerState.stranded)),
        ),
        rx.cond(
            AppState.role == Role.COMPANY.value,
            _point("megaphone", t("security.deletes.company")),
        ),
    )


def _point(sign: str, words: Child, *more: Child) -> rx.Component:
    return rx.el.li(
        icon(sign, 18, class_name="mt-0.5 text-quiet"),
        rx.el.span(words, *((" ", *more) if more else ()), class_name="min-w-0 flex-1"),
        class_name="flex gap-3",
    )
