"""How it stands with the consent of somebody's guardian, and the form that asks for it."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.guardians.state import GuardianState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import Tone, panel, status
from rewards_app.ui.forms import form, text_field
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import date
from rewards_app.ui.refusal import field_error, other_refusal

CARD = GuardianState.card
ASKED = "asked"
TONES: dict[str, Tone] = {
    "unasked": "danger",
    "asked": "action",
    "expired": "danger",
    "given": "good",
    "refused": "danger",
    "withdrawn": "danger",
}


def card() -> rx.Component:
    """For those under 16; for everybody else there is nothing."""
    is_given = CARD["status"].to(str) == "given"
    return rx.cond(
        GuardianState.card,
        panel(
            rx.el.div(
                _how_it_stands(),
                rx.cond(
                    is_given,
                    rx.fragment(),
                    rx.fragment(
                        rx.el.p(t("guardians.waits"), class_name="text-quiet"),
                        _form("card"),
                    ),
                ),
                class_name="grid gap-4",
            ),
            title=t("guardians.title"),
        ),
    )


def request() -> rx.Component:
    """Right after somebody has told their age: what waits, and the form."""
    return rx.el.div(
        rx.el.p(t("guardians.waits")),
        rx.cond(CARD["status"].to(str) == ASKED, _how_it_stands(), _form("notice", is_first=True)),
        class_name="grid gap-4",
    )


def _how_it_stands() -> rx.Component:
    match: Any = rx.match
    known = CARD["status"].to(str)
    return rx.el.div(
        match(
            known,
            *((one, status(_word(one), tone)) for one, tone in TONES.items()),
            rx.fragment(),
        ),
        rx.el.p(match(known, *((one, _said(one)) for one in TONES), ""), class_name="mt-2"),
        role="status",
        class_name="wrap-anywhere",
    )


def _word(one: str) -> rx.Var[str]:
    return t(f"guardians.status.{one}")


def _said(one: str) -> Child:
    return t(
        f"guardians.said.{one}",
        email=CARD["email"].to(str),
        asked=date(CARD["asked_at"].to(str)),
        until=date(CARD["until"].to(str)),
        answered=date(CARD["answered_at"].to(str)),
    )


def _form(place: str, *, is_first: bool = False) -> rx.Component:
    is_asked = CARD["status"].to(str) == ASKED
    return form(
        text_field(
            "guardian_email",
            t("guardians.email"),
            type_="email",
            autocomplete="off",
            hint=t("guardians.email_hint"),
            error=field_error(AppState.refusal, "guardian_email"),
            required=True,
            field_id=f"guardian-{place}",
        ),
        other_refusal(AppState.refusal),
        button(
            rx.cond(is_asked, t("guardians.ask_again"), t("guardians.ask")),
            kind="primary" if is_first else "ghost",
            submits=True,
            busy=GuardianState.is_asking,
            wide=is_first,
        ),
        on_submit=GuardianState.ask,
        reset_on_submit=not is_first,
    )
