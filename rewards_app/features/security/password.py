"""The section Password: a new one, and the address of the account."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.accounts.strength import is_refused_as_weak, strength
from rewards_app.features.security.parts import head, own_password, step
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, form, password_field, text_field
from rewards_app.ui.names import mail_address
from rewards_app.ui.refusal import field_error, other_refusal


def password_section() -> rx.Component:
    return rx.cond(
        AccountSecurityState.is_moving,
        _another_address(),
        rx.fragment(_password(), _address()),
    )


def _password() -> rx.Component:
    weigh: Any = AuthState.weigh_password
    has_one = AccountSecurityState.has_password
    return rx.fragment(
        head(
            rx.cond(has_one, t("security.change_password"), t("security.set_password")).to(str),
            t("security.change_password_text"),
        ),
        form(
            own_password("security.current_password"),
            password_field(
                "new",
                t("security.new_password"),
                autocomplete="new-password",
                on_change=weigh.debounce(250),
            ),
            strength(),
            password_field("again", t("security.confirm_password"), autocomplete="new-password"),
            rx.cond(is_refused_as_weak(), rx.fragment(), other_refusal(AppState.refusal)),
            actions(button(t("security.update_password"), submits=True, busy=AppState.is_busy)),
            on_submit=AccountSecurityState.change_password,
            no_validate=True,
        ),
    )


def _address() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.h2(t("security.address"), class_name="font-display text-lg font-bold"),
            rx.el.p(mail_address(AppState.email), class_name="mt-1 wrap-anywhere text-quiet"),
            # Beside the button only where an address has room.
            class_name="min-w-0 flex-[1_1_260px]",
        ),
        button(
            t("security.change_address"), kind="ghost", on_click=AccountSecurityState.begin_moving
        ),
        rx.cond(
            (AccountSecurityState.moves_to != "")
            & (AccountSecurityState.moves_to != AppState.email),
            rx.el.div(
                banner(
                    "info",
                    t("security.address_asked"),
                    t("security.address_asked_text", email=AccountSecurityState.moves_to),
                    is_news=True,
                ),
                class_name="w-full wrap-anywhere",
            ),
        ),
        class_name="mt-8 flex flex-wrap items-center gap-4 border-t border-line pt-6",
    )


def _another_address() -> rx.Component:
    return rx.fragment(
        head(t("security.change_address"), t("security.change_address_text")),
        step(
            text_field(
                "email",
                t("security.new_address"),
                type_="email",
                autocomplete="email",
                error=field_error(AppState.refusal, "email"),
                required=True,
                auto_focus=True,
            ),
            own_password(),
            does=t("security.mail_link"),
            on_submit=AccountSecurityState.move,
            on_cancel=AccountSecurityState.stay,
        ),
    )
