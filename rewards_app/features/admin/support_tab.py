"""The inbox of support: who waits, what was said, and the answer; lost second factors below."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.parts import failed, further
from rewards_app.features.admin.resets_panel import resets_panel
from rewards_app.features.admin.state import PATH
from rewards_app.features.admin.support_state import QUERY, TAB, SupportDeskState
from rewards_app.features.admin.ticket_panel import missing_ticket, ticket_panel
from rewards_app.features.support.inbox import LONGEST_QUERY
from rewards_app.features.support.rules import Status
from rewards_app.features.support.ticket_page import subject_of, ticket_status
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, panel, skeleton
from rewards_app.ui.inputs import Option, seg
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.markup import attributes
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import ago
from rewards_app.ui.search import search_form
from rewards_app.ui.tables import Column, table


def support_tab() -> rx.Component:
    """The ticket that the address names stands in the place of everything else."""
    match: Any = rx.match
    return rx.cond(
        SupportDeskState.has_failed,
        failed(t("admin.support.not_loaded"), SupportDeskState.load),
        match(
            SupportDeskState.shows,
            ("list", _inbox()),
            ("ticket", ticket_panel()),
            ("missing", missing_ticket()),
            rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
        ),
    )


def _inbox() -> rx.Component:
    return rx.el.div(
        resets_panel(),
        rx.el.div(
            _search(),
            rx.cond(SupportDeskState.tickets, _tickets(), _nothing()),
            class_name="grid grid-cols-[minmax(0,1fr)] gap-4",
        ),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
    )


def _search() -> rx.Component:
    counts: Any = SupportDeskState.counts
    choices = [
        *(
            Option(status.value, t(f"admin.support.which.{status}"), counts[status.value].to(int))
            for status in Status
        ),
        Option("", t("admin.support.which.all"), counts["all"].to(int)),
    ]
    return rx.el.div(
        rx.el.div(
            seg(
                "status",
                t("admin.support.which_label"),
                choices,
                SupportDeskState.status,
                SupportDeskState.choose,
            ),
            class_name="overflow-x-auto max-sm:w-full",
        ),
        search_form(
            "search",
            t("admin.support.search"),
            t("admin.support.find"),
            on_submit=SupportDeskState.find,
            placeholder=t("admin.support.search_hint"),
            default_value=SupportDeskState.search,
            max_length=LONGEST_QUERY,
            key=SupportDeskState.round,
            class_name="flex-[0_1_420px] max-sm:flex-auto",
        ),
        class_name="flex flex-wrap items-end justify-between gap-x-4 gap-y-3",
    )


def _tickets() -> rx.Component:
    return panel(
        table(
            [
                Column(t("admin.support.ticket"), is_main=True),
                Column(t("admin.support.who")),
                Column(t("admin.support.status")),
                Column(
                    rx.cond(
                        SupportDeskState.is_by_wait,
                        t("admin.support.asked"),
                        t("admin.support.changed"),
                    )
                ),
            ],
            SupportDeskState.tickets,
            _cells,
            caption=t("admin.tabs.support"),
            cell_on_phone=132,
        ),
        further(SupportDeskState.next_after, SupportDeskState.load_more),
        flush=True,
    )


def _cells(ticket: Any) -> list[Any]:
    subject = subject_of(ticket)
    return [
        rx.el.span(
            anchor(
                subject,
                href=rx.Var.create(f"{PATH}?tab={TAB}&{QUERY}={ticket['number']}"),
                class_name=f"target font-medium wrap-anywhere {LINK}",
                custom_attrs=attributes(
                    aria_label=t(
                        "admin.support.open", number=ticket["number"].to(str), subject=subject
                    )
                ),
            ),
            rx.el.span(
                rx.Var.create(f"#{ticket['number']}"),
                class_name="tnum block text-sm font-normal text-quiet",
            ),
        ),
        rx.el.span(
            rx.el.span(name_of(ticket["name"].to(str)), class_name="block wrap-anywhere"),
            rx.el.span(t(f"roles.{ticket['role']}"), class_name="block text-sm text-quiet"),
        ),
        ticket_status(ticket["status"]),
        rx.el.span(ago(ticket["at"].to(str)), class_name="text-quiet"),
    ]


def _nothing() -> rx.Component:
    """Nobody waits, or nothing is found."""
    is_searched = (SupportDeskState.search != "") | (SupportDeskState.status != Status.OPEN.value)
    return rx.cond(
        is_searched,
        empty_state(
            "search-x",
            t("admin.support.not_found"),
            t("admin.support.not_found_text"),
            button(t("admin.support.show_all"), kind="ghost", on_click=SupportDeskState.show_all),
        ),
        empty_state("inbox", t("admin.support.none"), t("admin.support.none_text")),
    )
