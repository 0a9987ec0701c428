"""The reason of a restriction and the appeal against it, wherever its owner meets them."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.accounts.restriction_rules import GROUNDS
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.features.support.rules import TICKET
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, textarea_field
from rewards_app.ui.inputs import MessageForm
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import ago, date
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal

DIALOG = "appeal"
OPEN, ANSWERED = "open", "answered"


def reason_of(held: Any) -> Any:
    """What an admin wrote, or what every automatic one says."""
    return rx.cond(
        held["is_automatic"].to(bool), t("restrictions.automatic"), held["reason"].to(str)
    )


def grounds_of(held: Any) -> rx.Component:
    """What the rules saw that decided it by themselves; nothing where a person did."""
    grounds: Any = held["grounds"].to(list[str])
    return rx.cond(
        grounds.length() > 0,
        rx.el.div(
            rx.el.p(t("restrictions.saw")),
            rx.el.ul(
                rx.foreach(
                    grounds,
                    lambda ground: rx.el.li(
                        t(f"{GROUNDS}{ground}"), class_name="first-letter:uppercase"
                    ),
                ),
                class_name="list-disc pl-5",
            ),
        ),
    )


def appeal_form(*others: Child) -> rx.Component:
    """`others` stand before the button that sends it."""
    return MessageForm.create(
        textarea_field(
            "message",
            t("restrictions.appeal_label"),
            hint=t("restrictions.appeal_hint"),
            rows=4,
            error=field_error(AppState.refusal, "message"),
            required=True,
            field_id="field-appeal",
        ),
        other_refusal(AppState.refusal),
        actions(
            *others, button(t("restrictions.appeal_send"), submits=True, busy=AppState.is_busy)
        ),
        on_send=RestrictionState.appeal,
        class_name="grid gap-4",
    )


def appeal_mark(held: Any) -> rx.Component:
    """The appeal that there is: its number, and how it stands."""
    match: Any = rx.match
    state = held["status"].to(str)
    return rx.el.p(
        anchor(
            t("restrictions.ticket", number=held["ticket"].to(str)),
            href=rx.Var.create(f"{TICKET}{held['ticket']}"),
            class_name=f"target font-semibold {LINK}",
        ),
        status_mark(
            t(f"restrictions.appeal_status.{state}"),
            match(state, (OPEN, "action"), (ANSWERED, "good"), "quiet"),
        ),
        rx.el.span(ago(held["asked_at"].to(str)), class_name="text-sm text-quiet"),
        class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
    )


def appeal_answer(held: Any) -> rx.Component:
    """What support said last to it, where it said something."""
    return rx.cond(
        held["answer"].to(str),
        rx.el.div(
            rx.el.p(t("restrictions.appeal_answer"), class_name="text-sm text-quiet"),
            rx.el.blockquote(
                held["answer"].to(str),
                class_name=(
                    "mt-1 rounded-control border-l-2 border-purple bg-bg p-3 whitespace-pre-line"
                    " wrap-anywhere"
                ),
            ),
        ),
    )


def can_appeal(held: Any) -> rx.Var[bool]:
    """No appeal against it waits for its answer."""
    state: Any = held["status"].to(str)
    return (state != OPEN) & (state != ANSWERED)


def paused_banner(class_name: str = "") -> rx.Component:
    """Above what earns coins: said before anybody presses a button in vain."""
    held: Any = RestrictionState.paused
    return rx.el.div(
        rx.cond(
            RestrictionState.paused,
            banner(
                "warning",
                t("restrictions.paused_title"),
                rx.el.div(
                    rx.el.p(t("restrictions.paused_text")),
                    rx.el.p(
                        rx.el.span(t("restrictions.reason"), ": ", class_name="font-semibold"),
                        reason_of(held),
                        class_name="whitespace-pre-line wrap-anywhere text-text",
                    ),
                    grounds_of(held),
                    rx.el.p(t("restrictions.since_day", day=date(held["since"].to(str)))),
                    rx.cond(held["ticket"].to(str), appeal_mark(held)),
                    appeal_answer(held),
                    class_name="grid gap-1",
                ),
                rx.cond(
                    can_appeal(held),
                    button(
                        t("restrictions.appeal"),
                        kind="ghost",
                        size="sm",
                        on_click=RestrictionState.ask,
                    ),
                ),
                is_news=True,
            ),
        ),
        _dialog(),
        class_name=f"not-has-[>[role=status]]:hidden {class_name}".strip(),
    )


def _dialog() -> rx.Component:
    return dialog(
        rx.cond(
            RestrictionState.is_appealing,
            rx.el.div(
                rx.el.p(t("restrictions.appeal_text"), class_name="text-quiet"),
                appeal_form(
                    button(t("ui.cancel"), kind="ghost", on_click=RestrictionState.cancel),
                ),
                class_name="grid gap-4",
            ),
        ),
        id=DIALOG,
        title=t("restrictions.appeal"),
        open=RestrictionState.is_appealing,
        on_close=RestrictionState.cancel,
        width=520,
    )
