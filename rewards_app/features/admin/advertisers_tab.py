"""Applications of companies: what is known of each, and the decision on it."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.advertisers_state import AdvertisersState
from rewards_app.features.admin.parts import failed, further, or_none, outward_link, reason_field
from rewards_app.features.advertiser.rules import Status
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, facts, panel, skeleton, status
from rewards_app.ui.forms import actions, form
from rewards_app.ui.lists import each
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import date, date_and_time
from rewards_app.ui.overlays import dialog
from rewards_app.ui.tables import Column, table


def advertisers_tab() -> rx.Component:
    return rx.fragment(
        rx.cond(
            AdvertisersState.is_loaded,
            rx.el.div(_pending(), _processed(), class_name="grid gap-6"),
            rx.cond(
                AdvertisersState.has_failed,
                failed(t("admin.advertisers.not_loaded"), AdvertisersState.load),
                _loading(),
            ),
        ),
        _decision(),
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
        _known_of(known),
        rx.el.div(
            _ask(known, Status.REJECTED, "danger"),
            _ask(known, Status.APPROVED, "ghost"),
            class_name="mt-4 flex flex-wrap justify-end gap-2 max-sm:*:flex-auto",
        ),
        class_name="border-t border-line px-4 py-5 first:border-t-0 sm:px-5",
    )


def _known_of(known: Any) -> rx.Component:
    return facts(
        (t("admin.advertisers.email"), or_none(known["email"], mail_address(known["email"]))),
        (t("admin.advertisers.account"), _account(known)),
        (t("admin.advertisers.phone"), or_none(known["phone"])),
        (t("admin.advertisers.role"), _role(known)),
        (t("admin.advertisers.website"), outward_link(known["website"], known["link"])),
        (t("admin.advertisers.since"), or_none(known["since"], date(known["since"].to(str)))),
        columns=2,
    )


def _account(known: Any) -> rx.Component:
    return rx.cond(
        known["has_account"].to(bool),
        rx.el.span(
            name_of(known["name"].to(str)),
            rx.el.span(
                known["account_email"].to(str), class_name="block text-sm font-normal text-quiet"
            ),
            class_name="wrap-anywhere",
        ),
        rx.el.span(t("admin.advertisers.erased"), class_name="text-quiet"),
    )


def _role(known: Any) -> rx.Component:
    return rx.cond(
        known["has_account"].to(bool),
        rx.el.span(
            t(f"roles.{known['role']}"),
            rx.cond(
                known["is_verified"].to(bool),
                status(t("admin.advertisers.verified"), "good"),
                status(t("admin.advertisers.unverified"), "danger"),
            ),
            class_name="inline-flex flex-wrap items-center justify-end gap-2",
        ),
        rx.el.span("–", class_name="text-quiet"),
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
        panel(
            table(
                [
                    Column(t("admin.advertisers.company"), is_main=True),
                    Column(t("admin.advertisers.status")),
                    Column(t("admin.advertisers.decided")),
                    Column(t("admin.advertisers.by")),
                    Column(t("admin.advertisers.decision"), hides_label=True),
                ],
                AdvertisersState.processed,
                _cells,
                caption=t("admin.advertisers.processed"),
                cell_on_phone=132,
            ),
            further(AdvertisersState.processed_before, more),
            title=t("admin.advertisers.processed"),
            flush=True,
        ),
        empty_state(
            "building-2",
            t("admin.advertisers.none_processed"),
            t("admin.advertisers.none_processed_text"),
        ),
    )


def _cells(known: Any) -> list[Any]:
    is_rejected = known["status"].to(str) == Status.REJECTED.value
    return [
        rx.el.span(
            rx.el.span(known["company"].to(str), class_name="block font-medium wrap-anywhere"),
            rx.el.span(
                mail_address(known["email"]),
                class_name="block text-sm font-normal wrap-anywhere text-quiet empty:hidden",
            ),
        ),
        rx.el.span(
            rx.cond(
                is_rejected,
                status(t("admin.advertisers.status_rejected"), "danger"),
                status(t("admin.advertisers.status_approved"), "good"),
            ),
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
        rx.cond(known["can_approve"].to(bool), _ask(known, Status.APPROVED, "ghost")),
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
