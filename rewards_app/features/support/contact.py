"""Writing to support: the form, how else it is reached, and what helps before."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.support.rules import LONGEST_MESSAGE, LONGEST_SUBJECT
from rewards_app.features.support.state import SupportState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import panel
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.forms import actions, form, form_row, text_field, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, browser_link
from rewards_app.ui.numbers import number
from rewards_app.ui.refusal import field_error, other_refusal

TIPS = (("mail", "codes"), ("rotate-cw", "ads"), ("wifi", "connection"), ("life-buoy", "problems"))


def contact_form() -> rx.Component:
    refusal = AppState.refusal
    return panel(
        form(
            form_row(
                text_field(
                    "name",
                    t("support.form.name"),
                    autocomplete="name",
                    error=field_error(refusal, "name"),
                    aria_required="true",
                    default_value=AppState.name,
                ),
                text_field(
                    "email",
                    t("support.form.email"),
                    type_="email",
                    autocomplete="email",
                    hint=t("support.form.email_hint", email=AppState.email),
                    error=field_error(refusal, "email"),
                    aria_required="true",
                    default_value=AppState.email,
                ),
            ),
            text_field(
                "subject",
                t("support.form.subject"),
                autocomplete="off",
                hint=t("support.form.subject_hint", most=number(LONGEST_SUBJECT)),
                error=field_error(refusal, "subject"),
            ),
            textarea_field(
                "message",
                t("support.form.message"),
                rows=6,
                hint=_how_long(),
                error=field_error(refusal, "message"),
                aria_required="true",
            ),
            other_refusal(refusal),
            actions(
                button(t("support.form.send"), icon="send", submits=True, busy=AppState.is_busy)
            ),
            on_submit=SupportState.send,
            key=SupportState.round,
        ),
        title=t("support.contact_title"),
        class_name="scroll-mt-30",
    )


def reply_form() -> rx.Component:
    return form(
        textarea_field(
            "reply",
            t("support.thread.reply"),
            rows=4,
            hint=_how_long(),
            error=field_error(AppState.refusal, "reply"),
            aria_required="true",
        ),
        other_refusal(AppState.refusal),
        actions(
            rx.cond(
                SupportState.ticket["can_close"].to(bool),
                button(t("support.thread.close"), kind="ghost", on_click=SupportState.close),
            ),
            button(t("support.thread.send"), icon="send", submits=True, busy=AppState.is_busy),
        ),
        on_submit=SupportState.reply,
        key=SupportState.round,
    )


def _how_long() -> Any:
    return t("support.form.message_hint", most=number(LONGEST_MESSAGE))


def contact_card() -> rx.Component:
    """How support is reached without the form; the hours are those of its office."""
    contact: Any = SupportState.contact
    email, phone = contact["email"].to(str), contact["phone"].to(str)
    return panel(
        rx.el.ul(
            _way("mail", t("support.card.email"), _address(f"mailto:{email}", email)),
            _way(
                "phone",
                t("support.card.phone"),
                _address(contact["phone_link"].to(str), phone),
                rx.el.p(t("support.card.hours"), class_name="text-sm text-quiet"),
                rx.cond(
                    contact["is_open"].to(bool),
                    status_mark(t("support.card.open_now"), "good"),
                    status_mark(t("support.card.closed_now")),
                ),
            ),
            _way(
                "map-pin",
                t("support.card.office"),
                rx.el.p(contact["address"].to(str), class_name="wrap-anywhere"),
            ),
            class_name="grid gap-4",
        ),
        title=t("support.card.title"),
    )


def _way(sign: str, label: Any, *parts: Any) -> rx.Component:
    return rx.el.li(
        icon(sign, 18, class_name="mt-1 text-lilac"),
        rx.el.div(
            rx.el.p(label, class_name="text-sm text-quiet"),
            *parts,
            class_name="grid min-w-0 justify-items-start gap-1",
        ),
        class_name="flex gap-3",
    )


def _address(href: Any, words: Any) -> rx.Component:
    return browser_link(words, href=rx.Var.create(href), class_name=f"target wrap-anywhere {LINK}")


def quick_tips() -> rx.Component:
    return panel(
        rx.el.ul(
            *(
                rx.el.li(
                    icon(sign, 18, class_name="mt-0.5 text-cyan"),
                    rx.el.span(t(f"support.tips.{name}"), class_name="min-w-0"),
                    class_name="flex gap-3",
                )
                for sign, name in TIPS
            ),
            class_name="grid gap-3",
        ),
        title=t("support.tips.title"),
    )
