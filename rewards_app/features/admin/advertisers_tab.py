"""Companies: those that wait for a decision, those that had one, and any that is looked for."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.advertisers_state import AdvertisersState
from rewards_app.features.admin.application_parts import application_status, known_of
from rewards_app.features.admin.company_card import company_card
from rewards_app.features.admin.company_state import CompanyState
from rewards_app.features.admin.parts import company_link, failed, further, or_none, reason_field
from rewards_app.features.admin.state import LONGEST_SEARCH
from rewards_app.features.advertiser.rules import Status
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, panel, skeleton
from rewards_app.ui.forms import actions, form
from rewards_app.ui.lists import each
from rewards_app.ui.names import mail_address
from rewards_app.ui.numbers import date_and_time
from rewards_app.ui.overlays import dialog
from rewards_app.ui.search import search_form
from rewards_app.ui.tables import Column, table


def advertisers_tab() -> rx.Component:
    """The company that the address names stands in the place of everything else."""
    return rx.cond(CompanyState.company_id != "", company_card(), _overview())


def _overview() -> rx.Component:
    return rx.fragment(
        rx.cond(
            AdvertisersState.has_failed,
            failed(t("admin.advertisers.not_loaded"), AdvertisersState.load),
            rx.el.div(
                _search(),
                rx.cond(
                    AdvertisersState.is_loaded,
                    rx.cond(
                        AdvertisersState.search != "",
                        _found(),
                        rx.fragment(_pending(), _processed()),
                    ),
                    _loading(),
                ),
                class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
            ),
        ),
        _decision(),
    )


def _search() -> rx.Component:
    return search_form(
        "search",
        t("admin.advertisers.search"),
        t("admin.advertisers.find"),
        on_submit=AdvertisersState.find,
        placeholder=t("admin.advertisers.search_hint"),
        default_value=AdvertisersState.search,
        max_length=LONGEST_SEARCH,
        key=AdvertisersState.round,
        class_name="w-full max-w-[480px]",
    )


def _found() -> rx.Component:
    more: Any = AdvertisersState.load_more_found
    show_all = button(
        t("admin.advertisers.show_all"), kind="ghost", on_click=AdvertisersState.show_all
    )
    return rx.cond(
        AdvertisersState.found,
        rx.fragment(
            _companies(
                t("admin.advertisers.found"),
                AdvertisersState.found,
                further(AdvertisersState.found_before, more),
            ),
            rx.el.div(show_all, class_name="flex justify-center"),
        ),
        empty_state(
            "search-x",
            t("admin.advertisers.not_found"),
            t("admin.advertisers.not_found_text"),
            show_all,
        ),
    )


def _loading() -> rx.Component:
    return rx.el.div(
        *(skeleton("card") for _ in range(2)),
        *(skeleton("row") for _ in range(4)),
        class_name="grid gap-3",
    )


def _pending() -> rx.Component:
    more: Any = AdvertisersState.load_more_pending
    return rx.cond(
        AdvertisersState.pending,
        panel(
            rx.el.ul(each(AdvertisersState.pending, _application)),
            further(AdvertisersState.pending_before, more),
            title=t("admin.advertisers.pending"),
            flush=True,
        ),
        empty_state(
            "inbox", t("admin.advertisers.none_pending"), t("admin.advertisers.none_pending_text")
        ),
    )


def _application(known: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h3(known["company"].to(str), class_name="min-w-0 text-base wrap-anywhere"),
            rx.el.p(
                t("admin.advertisers.sent", when=date_and_time(known["sent_at"].to(str))),
                class_name="text-sm text-quiet",
            ),
            class_name="mb-2 flex flex-wrap items-baseline justify-between gap-x-4",
        ),
        known_of(known),
        rx.el.div(
            _ask(known, Status.REJECTED, "danger"),
            _ask(known, Status.APPROVED, "ghost"),
            class_name="mt-4 flex flex-wrap justify-end gap-2 max-sm:*:flex-auto",
        ),
        class_name="border-t border-line px-4 py-5 first:border-t-0 sm:px-5",
    )


def _ask(known: Any, decision: Status, kind: Any) -> rx.Component:
    """Opens the decision; among many its name for readers says whom it is about."""
    ask: Any = AdvertisersState.ask
    words = t(f"admin.advertisers.decide_{decision}")
    return button(
        words,
        kind=kind,
        on_click=ask(known["id"].to(str), decision.value),
        label_for_readers=rx.Var.create(f"{words}: {known['company']}"),
    )


def _processed() -> rx.Component:
    more: Any = AdvertisersState.load_more_processed
    return rx.cond(
        AdvertisersState.processed,
        _companies(
            t("admin.advertisers.processed"),
            AdvertisersState.processed,
            further(AdvertisersState.processed_before, more),
        ),
        empty_state(
            "building-2",
            t("admin.advertisers.none_processed"),
            t("admin.advertisers.none_processed_text"),
        ),
    )


def _companies(title: Any, shown: Any, rest: rx.Component) -> rx.Component:
    return panel(
        table(
            [
                Column(t("admin.advertisers.company"), is_main=True),
                Column(t("admin.advertisers.status")),
                Column(t("admin.advertisers.decided")),
                Column(t("admin.advertisers.by")),
                Column(t("admin.advertisers.decision"), hides_label=True),
            ],
            shown,
            _cells,
            caption=title,
            cell_on_phone=132,
        ),
        rest,
        title=title,
        flush=True,
    )


def _cells(known: Any) -> list[Any]:
    return [
        rx.el.span(
            company_link(known["company"], known["card"]),
            rx.el.span(
                mail_address(known["email"]),
                class_name="block text-sm font-normal wrap-anywhere text-quiet empty:hidden",
            ),
        ),
        rx.el.span(
            application_status(known),
            rx.el.span(
                known["reason"].to(str),
                class_name="mt-1 block max-w-[36ch] text-sm wrap-anywhere text-quiet empty:hidden",
            ),
        ),
        rx.el.span(
            or_none(known["decided_at"], date_and_time(known["decided_at"].to(str))),
            class_name="text-quiet lg:whitespace-nowrap",
        ),
        or_none(known["decided_by"]),
        rx.el.span(
            rx.cond(known["is_pending"].to(bool), _ask(known, Status.REJECTED, "danger")),
            rx.cond(known["can_approve"].to(bool), _ask(known, Status.APPROVED, "ghost")),
            class_name="flex flex-wrap gap-2 empty:hidden",
        ),
    ]


def _decision() -> rx.Component:
    asked: Any = AdvertisersState.asked
    is_open = asked.contains("id")
    rejects = asked["decision"].to(str) == Status.REJECTED.value
    company = asked["company"].to(str)
    return dialog(
        rx.cond(is_open, rx.cond(rejects, _rejection(company), _approval(company))),
        id="decision",
        title=rx.cond(
            rejects,
            t("admin.advertisers.reject_title", company=company),
            t("admin.advertisers.approve_title", company=company),
        ),
        open=is_open,
        on_close=AdvertisersState.close,
        width=520,
    )


def _approval(company: Any) -> rx.Component:
    return form(
        rx.el.p(t("admin.advertisers.approve_means", company=company)),
        rx.el.p(t("admin.advertisers.is_mailed"), class_name="text-quiet"),
        actions(
            button(t("ui.cancel"), kind="ghost", closes="decision"),
            button(t("admin.advertisers.decide_approved"), submits=True, busy=AppState.is_busy),
        ),
        on_submit=AdvertisersState.decide,
        class_name="wrap-anywhere",
    )


def _rejection(company: Any) -> rx.Component:
    return form(
        rx.el.p(t("admin.advertisers.reject_means", company=company)),
        reason_field(t("admin.advertisers.reason_hint", company=company)),
        actions(
            button(t("ui.cancel"), kind="ghost", closes="decision"),
            button(
                t("admin.advertisers.decide_rejected"),
                kind="danger",
                submits=True,
                busy=AppState.is_busy,
            ),
        ),
        on_submit=AdvertisersState.decide,
        class_name="wrap-anywhere",
    )
