"""One ticket as an admin answers it: what was said, who asks, what an answer means."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.state import PATH
from rewards_app.features.admin.support_state import TAB, SupportDeskState
from rewards_app.features.support.rules import LONGEST_ANSWER, Status
from rewards_app.features.support.ticket_page import subject_of, ticket_status
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import badge, empty_state, facts, panel
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, form, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor, link
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import date, date_and_time, number
from rewards_app.ui.refusal import field_error, other_refusal

INBOX = f"{PATH}?tab={TAB}"


def ticket_panel() -> rx.Component:
    ticket: Any = SupportDeskState.ticket
    return rx.fragment(
        rx.el.p(
            link(
                icon("arrow-left", 16),
                t("admin.support.back"),
                href=INBOX,
                quiet=True,
                class_name="inline-flex items-center gap-1.5",
            ),
            class_name="mb-3",
        ),
        rx.el.div(
            rx.el.h2(subject_of(ticket), class_name="min-w-0 text-xl wrap-anywhere"),
            rx.el.span(rx.Var.create(f"#{ticket['number']}"), class_name="tnum text-quiet"),
            ticket_status(ticket["status"]),
            class_name="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1.5",
        ),
        rx.el.div(
            rx.el.div(_stale(), _thread(), _answering(ticket), class_name="grid min-w-0 gap-6"),
            rx.el.div(
                _sender(ticket), _typed(ticket), class_name="grid min-w-0 content-start gap-6"
            ),
            class_name="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]",
        ),
    )


def _stale() -> rx.Component:
    return rx.el.div(
        rx.cond(
            SupportDeskState.is_stale,
            banner(
                "warning",
                t("admin.support.stale_title"),
                t("admin.support.stale_text"),
                button(
                    t("admin.support.read_again"),
                    kind="ghost",
                    size="sm",
                    on_click=SupportDeskState.read_again,
                ),
                is_news=True,
            ),
        ),
        class_name="empty:hidden",
    )


def _thread() -> rx.Component:
    return panel(
        rx.el.ol(rx.foreach(SupportDeskState.said, _said), aria_label=t("support.thread.label")),
        flush=True,
    )


def _said(said: Any) -> rx.Component:
    is_answer = said["is_answer"].to(bool)
    return rx.el.li(
        rx.el.p(
            rx.el.span(
                rx.cond(
                    is_answer,
                    t("support.thread.support"),
                    name_of(SupportDeskState.ticket["name"].to(str)),
                ),
                class_name="font-semibold wrap-anywhere",
            ),
            rx.el.span(date_and_time(said["at"].to(str)), class_name="tnum text-sm text-quiet"),
            rx.cond(
                is_answer & said["is_read"].to(bool),
                rx.el.span(
                    icon("check", 16),
                    t("admin.support.seen"),
                    class_name="inline-flex items-center gap-1 text-sm text-quiet",
                ),
            ),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
        ),
        rx.el.p(said["text"].to(str), class_name="mt-2 whitespace-pre-line wrap-anywhere"),
        class_name=rx.cond(is_answer, f"{_SAID} bg-raised", _SAID),
    )


_SAID = "border-t border-line px-4 py-4 first:border-t-0 sm:px-5"


def _answering(ticket: Any) -> rx.Component:
    return rx.cond(
        ticket["can_answer"].to(bool),
        panel(_answer_form(ticket), title=t("admin.support.answer_title")),
        panel(
            rx.el.p(
                rx.cond(
                    ticket["is_elsewhere"].to(bool)
                    & (ticket["status"].to(str) != Status.CLOSED.value),
                    t("admin.support.elsewhere_text"),
                    t("admin.support.settled_text"),
                ),
                class_name="text-quiet",
            ),
            _elsewhere(ticket),
        ),
    )


def _answer_form(ticket: Any) -> rx.Component:
    is_open = ticket["status"].to(str) == Status.OPEN.value
    return rx.fragment(
        rx.el.p(
            rx.cond(
                ticket["is_restriction"].to(bool),
                t("admin.support.appeal_means"),
                rx.cond(
                    ticket["is_mailed"].to(bool),
                    t("admin.support.answer_means"),
                    t("admin.support.answer_means_unmailed"),
                ),
            ),
            class_name="mb-4 max-w-[68ch] text-quiet",
        ),
        form(
            textarea_field(
                "answer",
                t("admin.support.answer"),
                rows=6,
                hint=t("admin.support.answer_hint", most=number(LONGEST_ANSWER)),
                error=field_error(AppState.refusal, "answer"),
            ),
            other_refusal(AppState.refusal),
            actions(
                _elsewhere(ticket),
                rx.cond(
                    (ticket["status"].to(str) != Status.CLOSED.value)
                    & (~is_open | ticket["reopens"].to(bool)),
                    button(
                        t("admin.support.close"),
                        kind="ghost",
                        on_click=SupportDeskState.close_ticket,
                    ),
                ),
                button(t("admin.support.send"), icon="send", submits=True, busy=AppState.is_busy),
            ),
            on_submit=SupportDeskState.answer,
            # What was typed for one ticket never stands under another.
            key=f"{ticket['number']}-{SupportDeskState.round}",
        ),
    )


def _elsewhere(ticket: Any) -> rx.Component:
    """The way to where more can be done than to answer."""
    return rx.cond(
        ticket["decided_at"].to(str) != "",
        anchor(
            rx.cond(
                ticket["is_restriction"].to(bool),
                t("admin.support.to_case"),
                rx.cond(
                    ticket["is_elsewhere"].to(bool),
                    t("admin.support.to_reports"),
                    t("admin.support.to_order"),
                ),
            ),
            href=ticket["decided_at"].to(str),
            class_name=f"target inline-flex min-h-11 items-center font-medium {LINK}",
        ),
    )


def _sender(ticket: Any) -> rx.Component:
    return panel(
        facts(
            (
                t("admin.support.name"),
                rx.el.span(
                    anchor(
                        name_of(ticket["name"].to(str)),
                        href=ticket["person"].to(str),
                        class_name=f"target wrap-anywhere {LINK}",
                    ),
                    rx.cond(
                        ticket["is_closed"].to(bool),
                        rx.el.span(badge(t("admin.people.is_closing")), class_name="block"),
                    ),
                ),
            ),
            (
                t("admin.support.email"),
                rx.el.span(
                    rx.el.span(mail_address(ticket["email"]), class_name="block wrap-anywhere"),
                    rx.cond(
                        ticket["is_verified"].to(bool),
                        rx.fragment(),
                        badge(t("admin.support.unproven"), tone="danger"),
                    ),
                ),
            ),
            (t("admin.support.role"), t(f"roles.{ticket['role']}")),
            (t("admin.support.language"), rx.el.span(ticket["language"].to(str).upper())),
            (t("admin.support.joined"), date(ticket["joined_at"].to(str))),
        ),
        rx.foreach(
            ticket["restrictions"].to(list[str]),
            lambda kind: rx.el.p(
                badge(t(f"admin.case.holding.{kind}"), tone="danger"), class_name="mt-2"
            ),
        ),
        rx.cond(
            ticket["company_card"].to(str) != "",
            rx.el.p(
                link(
                    t("admin.case.acts_for", company=ticket["company"].to(str)),
                    href=ticket["company_card"].to(str),
                    class_name="target wrap-anywhere",
                ),
                class_name="mt-3",
            ),
        ),
        rx.el.p(
            anchor(
                t("admin.support.case"),
                href=ticket["case"].to(str),
                class_name=f"target {LINK}",
            ),
            class_name="mt-3",
        ),
        title=t("admin.support.who"),
    )


def _typed(ticket: Any) -> rx.Component:
    """What the form said: nobody has proved it."""
    return rx.cond(
        ticket["typed_email"].to(str) != "",
        panel(
            rx.el.p(t("admin.support.typed_text"), class_name="mb-2 text-sm text-quiet"),
            facts(
                (t("admin.support.name"), _wrapped(ticket["typed_name"])),
                (t("admin.support.email"), _wrapped(ticket["typed_email"])),
            ),
            title=t("admin.support.typed"),
        ),
    )


def _wrapped(text: Any) -> rx.Component:
    return rx.el.span(text.to(str), class_name="wrap-anywhere")


def missing_ticket() -> rx.Component:
    return empty_state(
        "file-question",
        t("support.missing_title"),
        t("admin.support.missing_text"),
        link_button(t("admin.support.back"), href=INBOX, kind="ghost"),
    )
