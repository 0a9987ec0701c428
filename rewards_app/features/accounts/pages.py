"""The auth screen: sign-up and sign-in with their ways around, and what mailed links lead to."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE
from rewards_app.core.page import Page
from rewards_app.core.state import AppState
from rewards_app.features.accounts.auth_forms import (
    forgot,
    head,
    reset,
    sign_in,
    sign_up,
    way_on,
)
from rewards_app.features.accounts.letters import MAILED
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.accounts.step_forms import alone, keep_factor, step
from rewards_app.features.accounts.step_state import KeepFactorState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.dead_ends import dead_end_words
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.refusal import Words, refusal_line


def auth() -> rx.Component:
    return rx.el.div(
        link(
            icon("arrow-left", 16),
            t("auth.back_home"),
            href="/",
            quiet=True,
            class_name="inline-flex items-center gap-2",
        ),
        panel(
            rx.match(
                AuthState.mode,
                ("", _opening()),
                ("login", sign_in()),
                ("second", step()),
                ("sent", _mailed("sent")),
                ("unverified", _mailed("unverified")),
                *_of_mails(),
                sign_up(),
            ),
            glows=True,
            class_name="mt-4",
        ),
        class_name="mx-auto w-full max-w-[520px] px-4 py-8 sm:py-12",
    )


def mailed() -> rx.Component:
    """The page that a mail leads to, for its owner wherever they are signed in."""
    return rx.el.div(
        panel(rx.match(AuthState.mode, *_of_mails(), _opening()), glows=True), class_name=alone()
    )


def _of_mails() -> list[tuple[Any, ...]]:
    """Shown on the auth screen too: links under way lead there, and who forgot a password."""
    return [
        ("forgot", forgot()),
        ("reset", reset()),
        ("verify", _verifying()),
        ("to_verify", _to_verify()),
        ("verified", _done("circle-check", "verified", way_on())),
        ("reset_sent", _done("mail", "reset_sent", way_on(), to=AuthState.mailed_to)),
    ]


def _opening() -> rx.Component:
    return rx.el.div(
        loading_line(),
        skeleton("title"),
        *(skeleton("row") for _ in range(4)),
        class_name="grid gap-4",
        aria_busy="true",
    )


def _verifying() -> rx.Component:
    return rx.cond(
        AppState.refusal,
        rx.el.div(
            dead_end_words(
                "link-2-off",
                t("auth.verify_failed_title"),
                rx.fragment(Words.create(says=AppState.refusal), " ", t("auth.verify_failed_text")),
                way_on(),
            ),
            role="alert",
        ),
        head(t("auth.verifying_title"), t("auth.verifying_text")),
    )


def _to_verify() -> rx.Component:
    """Where somebody else may have signed up: its owner says whether it was them."""
    return rx.fragment(
        head(t("auth.to_verify_title"), t("auth.to_verify_text")),
        rx.el.div(
            refusal_line(AppState.refusal),
            button(
                t("auth.to_verify_go"), on_click=AuthState.verify, busy=AppState.is_busy, wide=True
            ),
            class_name="grid gap-3",
        ),
    )


def _mailed(outcome: str) -> rx.Component:
    """An account that waits for its email to be verified."""
    return _done(
        "mail",
        outcome,
        rx.el.div(
            rx.cond(AuthState.has_first_steps, _first_steps()),
            refusal_line(AppState.refusal),
            way_on(),
            button(
                t("auth.send_again"),
                kind="ghost",
                on_click=AuthState.send_again,
                busy=AppState.is_busy,
                wide=True,
            ),
            class_name="grid gap-3",
        ),
        to=AuthState.mailed_to,
    )


def _first_steps() -> rx.Component:
    """What a new player has ahead; at home the same steps go on."""
    return rx.el.div(
        rx.el.h2(t("auth.steps.title"), class_name="text-base"),
        rx.el.ol(
            *(
                rx.el.li(t(f"auth.steps.{step}"), class_name="pl-1")
                for step in ("verify", "watch", "coins")
            ),
            class_name="mt-1 grid list-decimal gap-1 pl-5 text-quiet",
        ),
        class_name="mb-2",
    )


def _done(
    sign: str, outcome: str, action: rx.Component, to: rx.Var[str] | str = ""
) -> rx.Component:
    return rx.el.div(
        icon(sign, 32, class_name="text-cyan"),
        rx.el.h1(t(f"auth.{outcome}_title"), class_name="mt-3 text-2xl text-balance"),
        rx.el.p(t(f"auth.{outcome}_text", email=to), class_name="mt-1.5 mb-5 text-quiet"),
        action,
        role="status",
    )


PAGES = [
    Page(
        "/auth",
        auth,
        "auth.page_title",
        visitors=True,
        on_load=[AuthState.open],
        is_shown_at_once=True,
        description="landing.lead",
    ),
    Page(
        MAILED,
        mailed,
        "auth.page_title",
        roles=EVERY_ROLE,
        visitors=True,
        on_load=[AuthState.follow],
        even_suspended=True,
    ),
    Page(
        "/keep-factor",
        keep_factor,
        "auth.keep_page_title",
        roles=EVERY_ROLE,
        visitors=True,
        on_load=[KeepFactorState.open],
        even_suspended=True,
    ),
]
