"""Somebody's own tickets: the list of them, and one with all that was said."""

from typing import Any

import reflex as rx

from rewards_app.core.routes import SUPPORT
from rewards_app.features.support.contact import reply_form
from rewards_app.features.support.rules import TICKET
from rewards_app.features.support.state import SupportState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import badge, page_head, panel
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.dead_ends import dead_end
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor, link
from rewards_app.ui.lists import each
from rewards_app.ui.markup import hidden_text
from rewards_app.ui.numbers import ago, date_and_time, number


def tickets_panel() -> rx.Component:
    """Only where there are some."""
    more: Any = SupportState.load_more
    return rx.cond(
        SupportState.tickets,
        panel(
            rx.el.ul(each(SupportState.tickets, _line)),
            rx.cond(
                SupportState.next_before > 0,
                rx.el.div(
                    button(
                        t("statement.more"),
                        kind="ghost",
                        on_click=more(SupportState.next_before),
                    ),
                    class_name="flex justify-center border-t border-line p-3",
                ),
            ),
            title=t("support.tickets_title"),
            flush=True,
        ),
    )


def _line(ticket: Any) -> rx.Component:
    unread = ticket["unread"].to(int)
    return rx.el.li(
        rx.el.div(
            anchor(
                subject_of(ticket),
                href=rx.Var.create(f"{TICKET}{ticket['number']}"),
                class_name=f"target min-w-0 font-medium wrap-anywhere {LINK}",
            ),
            rx.cond(
                unread > 0,
                badge(
                    rx.el.span(number(unread), aria_hidden="true"),
                    hidden_text(t("support.unread", count=unread, shown=number(unread))),
                    tone="purple",
                ),
            ),
            class_name="flex min-w-0 flex-[1_1_220px] flex-wrap items-center gap-x-3 gap-y-1",
        ),
        rx.el.div(
            rx.el.span(f"#{ticket['number']}", class_name="tnum"),
            ticket_status(ticket["status"]),
            rx.el.span(ago(ticket["at"].to(str))),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet",
        ),
        class_name=(
            "flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-t border-line"
            " px-4 py-3 first:border-t-0 sm:px-5"
        ),
    )


def subject_of(ticket: Any) -> Any:
    """An appeal is called by what it is about, in the reader's language."""
    key = ticket["subject_key"].to(str)
    return rx.cond(key != "", t(key), ticket["subject"].to(str))


def ticket_status(status: Any) -> rx.Component:
    match: Any = rx.match
    known = status.to(str)
    tone = match(known, ("open", "action"), ("answered", "good"), "quiet")
    return status_mark(t(f"support.status.{known}"), tone)


def thread() -> rx.Component:
    ticket: Any = SupportState.ticket
    return rx.fragment(
        _way_back(),
        page_head(
            subject_of(ticket),
            rx.el.span(
                rx.el.span(rx.Var.create(f"#{ticket['number']}"), class_name="tnum"),
                ticket_status(ticket["status"]),
                class_name="flex flex-wrap items-center gap-3",
            ),
        ),
        rx.el.div(
            rx.el.ol(
                rx.foreach(SupportState.said, _said),
                class_name="grid gap-4",
                aria_label=t("support.thread.label"),
            ),
            rx.cond(
                ticket["can_reply"].to(bool),
                panel(reply_form(), title=t("support.thread.more")),
                panel(rx.el.p(t("support.thread.settled"), class_name="text-quiet")),
            ),
            class_name="grid max-w-[760px] gap-6",
        ),
    )


def _way_back() -> rx.Component:
    return rx.el.p(
        link(
            icon("arrow-left", 16),
            t("support.thread.back"),
            href=SUPPORT,
            quiet=True,
            class_name="inline-flex items-center gap-1.5",
        ),
        class_name="mb-3",
    )


def _said(said: Any) -> rx.Component:
    is_answer = said["is_answer"].to(bool)
    return rx.el.li(
        rx.el.p(
            rx.cond(
                is_answer,
                rx.el.span(
                    icon("life-buoy", 16, class_name="text-lilac"),
                    t("support.thread.support"),
                    class_name="inline-flex items-center gap-1.5 font-semibold",
                ),
                rx.el.span(t("support.thread.you"), class_name="font-semibold"),
            ),
            rx.el.time(
                date_and_time(said["at"].to(str)),
                class_name="tnum text-sm text-quiet",
                date_time=said["at"].to(str),
            ),
            rx.cond(said["is_new"].to(bool), badge(t("support.thread.new"), tone="purple")),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
        ),
        rx.el.p(said["text"].to(str), class_name="mt-2 whitespace-pre-line wrap-anywhere"),
        class_name=rx.cond(
            is_answer,
            f"{_SAID} border-l-2 border-l-purple bg-raised",
            f"{_SAID} bg-panel",
        ),
    )


_SAID = "min-w-0 rounded-panel border border-line p-4 sm:px-5"


def missing() -> rx.Component:
    return dead_end(
        "file-question",
        t("support.missing_title"),
        t("support.missing_text"),
        link_button(t("support.thread.back"), href=SUPPORT),
    )
