"""What is known of a company, and whose account it applied with."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.parts import or_none, outward_link
from rewards_app.features.advertiser.rules import Status
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import facts, status
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import date


def known_of(known: Any) -> rx.Component:
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


def application_status(known: Any) -> rx.Component:
    match: Any = rx.match
    return match(
        known["status"].to(str),
        (Status.APPROVED.value, status(t("admin.advertisers.status_approved"), "good")),
        (Status.REJECTED.value, status(t("admin.advertisers.status_rejected"), "danger")),
        status(t("admin.advertisers.status_pending"), "action"),
    )
