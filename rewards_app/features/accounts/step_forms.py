"""What a sign-in asks after the password: a second factor, or whether an account is kept."""

import reflex as rx

from rewards_app.core.routes import SIGN_IN
from rewards_app.core.state import AppState, is_member
from rewards_app.features.accounts import step_state
from rewards_app.features.accounts.step_state import KeepFactorState, StepState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.dead_ends import dead_end_words
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.forms import form, text_field
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import date, date_and_time
from rewards_app.ui.opening import opening
from rewards_app.ui.passkeys import passkey_button
from rewards_app.ui.refusal import refusal_line

LONGEST_CODE = 40


def step() -> rx.Component:
    return rx.el.div(
        rx.match(
            StepState.waits_for,
            (step_state.FACTOR, _factor()),
            (step_state.LOST, _lost()),
            (step_state.ASKED, _asked()),
            (step_state.CLOSING, _closing()),
            (step_state.OVER, _over()),
            rx.el.div(loading_line(), skeleton("title"), skeleton("row"), class_name="grid gap-4"),
        )
    )


def _factor() -> rx.Component:
    return rx.fragment(
        _head(
            t("auth.second_title"),
            rx.cond(StepState.has_app, t("auth.second_text"), t("auth.second_passkey_text")),
        ),
        form(
            text_field(
                "code",
                t("auth.second_code"),
                autocomplete="one-time-code",
                required=True,
                max_length=LONGEST_CODE,
                auto_capitalize="characters",
                spell_check=False,
            ),
            refusal_line(AppState.refusal),
            button(t("auth.sign_in"), submits=True, busy=AppState.is_busy, wide=True),
            on_submit=StepState.answer_code,
        ),
        rx.el.div(
            rx.cond(
                StepState.has_passkey,
                passkey_button(
                    t("auth.second_passkey"),
                    options=StepState.options,
                    on_answer=StepState.answer_passkey,
                    on_trouble=StepState.say_trouble,
                    kind="ghost",
                    wide=True,
                ),
            ),
            button(t("auth.second_lost"), kind="link", on_click=StepState.lose),
            class_name="mt-4 grid gap-2.5",
        ),
    )


def _lost() -> rx.Component:
    return rx.fragment(
        _head(t("auth.lost_title"), t("auth.lost_text")),
        rx.el.div(
            refusal_line(AppState.refusal),
            button(
                t("auth.lost_ask"), on_click=StepState.ask_support, busy=AppState.is_busy, wide=True
            ),
            button(t("auth.lost_back"), kind="ghost", on_click=StepState.look_again, wide=True),
            class_name="grid gap-3",
        ),
    )


def _asked() -> rx.Component:
    return rx.el.div(
        icon("mail", 32, class_name="text-cyan"),
        _head(
            t("auth.asked_title"), t("auth.asked_text", when=date_and_time(StepState.when)), "mt-3"
        ),
        button(t("auth.lost_back"), kind="ghost", on_click=StepState.look_again, wide=True),
        role="status",
    )


def _closing() -> rx.Component:
    return rx.fragment(
        _head(t("auth.closing_title"), t("auth.closing_text", when=date(StepState.when))),
        rx.el.div(
            refusal_line(AppState.refusal),
            button(
                t("auth.closing_keep"),
                on_click=StepState.keep_account,
                busy=AppState.is_busy,
                wide=True,
            ),
            button(t("auth.closing_leave"), kind="ghost", on_click=StepState.leave, wide=True),
            class_name="grid gap-3",
        ),
    )


def _over() -> rx.Component:
    return rx.el.div(
        refusal_line(AppState.refusal),
        link_button(t("auth.to_sign_in"), href=SIGN_IN, wide=True),
        class_name="grid gap-4",
    )


def keep_factor() -> rx.Component:
    """The page that a mail leads to, for its owner wherever they are signed in."""
    return rx.el.div(
        panel(
            rx.match(
                KeepFactorState.stage,
                ("open", _keep()),
                ("over", _keep_over()),
                ("kept", _kept()),
                opening(AppState.refusal),
            ),
            glows=True,
        ),
        class_name=alone(),
    )


def alone() -> rx.Var[str]:
    """The look of a card that a mail leads to: only pages of members have an edge of their own."""
    look = "mx-auto w-full max-w-[520px] py-8 sm:py-12"
    return rx.cond(is_member(), look, f"{look} px-4")


def _keep() -> rx.Component:
    return rx.fragment(
        _head(t("auth.keep_title"), t("auth.keep_text")),
        rx.el.div(
            refusal_line(AppState.refusal),
            button(
                t("auth.keep_go"), on_click=KeepFactorState.keep, busy=AppState.is_busy, wide=True
            ),
            class_name="grid gap-3",
        ),
    )


def _keep_over() -> rx.Component:
    """Nothing is left to stop, and nothing to press but the way on."""
    return rx.el.div(
        dead_end_words(
            "link-2-off", t("guardian.over_title"), t("auth.keep_over_text"), to_new_password()
        ),
        role="status",
    )


def _kept() -> rx.Component:
    return rx.el.div(
        icon("shield-check", 32, class_name="text-cyan"),
        _head(t("auth.factor_kept_title"), t("auth.factor_kept_text"), "mt-3"),
        to_new_password(),
        role="status",
    )


def to_new_password() -> rx.Component:
    """For somebody who has read that their password is known: here, or by mail where they left."""
    words = t("auth.reset_title")
    return rx.cond(
        is_member(),
        link_button(words, href="/security", wide=True),
        link_button(words, href="/auth?mode=forgot", wide=True),
    )


def _head(title: rx.Var[str], text: rx.Var[str], class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.h1(title, class_name="text-2xl text-balance"),
        rx.el.p(text, class_name="mt-1.5 text-quiet text-pretty"),
        class_name=f"{class_name} mb-5".strip(),
    )
