"""The page of Account Security, and the one that links of a change of address lead to."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE
from rewards_app.core.page import Page
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.accounts import addresses
from rewards_app.features.accounts.addresses import Does, Done
from rewards_app.features.accounts.rules import AddressMoved
from rewards_app.features.accounts.step_forms import alone, to_new_password
from rewards_app.features.security.account_security import PATH, account_security
from rewards_app.features.security.danger_state import DangerState
from rewards_app.features.security.email_state import EmailState
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import page_head, panel
from rewards_app.ui.dead_ends import dead_end_words
from rewards_app.ui.icons import icon
from rewards_app.ui.names import with_mail_link
from rewards_app.ui.refusal import Words, refusal_line


def security() -> rx.Component:
    return rx.fragment(
        page_head(t("security.title"), t("security.subtitle")),
        rx.el.div(account_security(), class_name="max-w-[840px]"),
    )


def email() -> rx.Component:
    return rx.el.div(
        panel(
            rx.match(
                EmailState.stage,
                (Does.USE.value, _question(Does.USE, EmailState.use)),
                (Does.STOP.value, _question(Does.STOP, EmailState.stop)),
                (Does.BRING_BACK.value, _question(Does.BRING_BACK, EmailState.stop)),
                (Done.USED.value, _done("circle-check", Done.USED, _home())),
                (Done.STOPPED.value, _done("circle-check", Done.STOPPED, to_new_password())),
                (Done.BACK.value, _done("circle-check", Done.BACK, to_new_password())),
                _not_yet(),
            ),
            glows=True,
        ),
        class_name=alone(),
    )


def _question(does: Does, decide: Any) -> rx.Component:
    """What the link would do, which its owner decides."""
    return rx.fragment(
        _head("mail", does),
        rx.el.div(
            refusal_line(AppState.refusal),
            button(t(f"auth.email.{does}_go"), on_click=decide, busy=AppState.is_busy, wide=True),
            class_name="grid gap-3",
        ),
    )


def _not_yet() -> rx.Component:
    return rx.cond(
        AppState.refusal,
        rx.el.div(
            rx.cond(AppState.refusal["code"] == AddressMoved.code, _refused("moved"), _refused()),
            role="alert",
        ),
        _head("mail", "working"),
    )


def _refused(outcome: str = "failed") -> rx.Component:
    support = settings().support_email
    return dead_end_words(
        "link-2-off",
        t(f"auth.email.{outcome}_title"),
        rx.fragment(
            Words.create(says=AppState.refusal),
            " ",
            with_mail_link(t(f"auth.email.{outcome}_text", support=support), support),
        ),
        link_button(t("auth.email.go_on"), href="/"),
    )


def _done(sign: str, outcome: str, way: rx.Component) -> rx.Component:
    return rx.el.div(_head(sign, outcome), way, role="status")


def _head(sign: str, outcome: str) -> rx.Component:
    return rx.fragment(
        icon(sign, 32, class_name="text-cyan"),
        rx.el.h1(t(f"auth.email.{outcome}_title"), class_name="mt-3 text-2xl text-balance"),
        rx.el.p(
            t(f"auth.email.{outcome}_text", email=EmailState.address),
            class_name="mt-1.5 mb-5 wrap-anywhere text-quiet",
        ),
    )


def _home() -> rx.Component:
    return link_button(t("auth.email.go_on"), href="/", wide=True)


PAGES = [
    Page(
        PATH,
        security,
        "security.page_title",
        roles=EVERY_ROLE,
        on_load=[DangerState.stay, AccountSecurityState.open_page],
        is_told=[SessionsState.refresh, AccountSecurityState.refresh],
        even_suspended=True,
    ),
    Page(
        addresses.PATH,
        email,
        "auth.email.page_title",
        roles=EVERY_ROLE,
        visitors=True,
        on_load=[EmailState.open],
        even_suspended=True,
    ),
]
