"""What a company's money is shown by: a top-up, and every entry of its statement."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.advertiser.billing_rules import Status
from rewards_app.features.advertiser.money import Kind
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import badge, panel, status
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, browser_link
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import date_and_time, dollars, dollars_of_parts
from rewards_app.ui.tables import Column, table

ALL_DECIMALS = 5
"""Of a dollar: a part of a cent in the statement is in the balance."""
SIGNS = {
    Kind.OPENING: "door-open",
    Kind.TOP_UP: "credit-card",
    Kind.SET_ASIDE: "megaphone",
    Kind.GIVEN_BACK: "undo-2",
    Kind.CREDITED: "badge-minus",
    Kind.RETURNED: "receipt-text",
}
TONES = {
    Status.WAITING: "action",
    Status.PAID: "good",
    Status.FAILED: "danger",
}
TOP_UP_LINE = "flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"


def top_up_sum(one: Any, *known: Child) -> rx.Component:
    """How much and when, and below it what else is `known`."""
    return rx.el.div(
        rx.el.p(dollars(one["cents"].to(int)), class_name="tnum font-semibold"),
        rx.el.p(date_and_time(one["at"].to(str)), class_name="tnum text-sm text-quiet"),
        _paid_back(one),
        *known,
        class_name="min-w-0 flex-[1_1_140px]",
    )


def _paid_back(one: Any) -> rx.Component:
    """A part: where all of it went back, its status says so."""
    is_a_part = (one["status"].to(str) == Status.PAID.value) & (one["returned"].to(int) > 0)
    return rx.cond(
        is_a_part,
        rx.el.p(
            t("billing.paid_back", amount=dollars(one["returned"].to(int))),
            class_name="tnum text-sm text-quiet",
        ),
    )


def top_up_status(one: Any) -> rx.Component:
    match: Any = rx.match
    tone = match(
        one["status"].to(str), *((known.value, tone) for known, tone in TONES.items()), "quiet"
    )
    return rx.fragment(
        rx.cond(one["is_test"].to(bool), badge(t("orders.test_payment"))),
        rx.cond(
            one["is_under_way"].to(bool),
            status(t("orders.under_way"), "action"),
            status(t(f"billing.status.{one['status'].to(str)}"), tone.to(str)),
        ),
    )


def invoice_link(one: Any) -> rx.Component:
    """Nothing where nothing was paid."""
    return rx.cond(
        one["invoice"].to(str) != "",
        browser_link(
            icon("file-text", 16),
            t("billing.invoice", number=one["invoice"].to(str)),
            href=f"/invoices/{one['id'].to(str)}.pdf?language={AppState.language}",
            class_name=f"target inline-flex items-center gap-2 text-sm {LINK}",
            custom_attrs={"download": True},
        ),
    )


def statement_panel(entries: Any, older: Any, load_more: Any) -> rx.Component:
    """Every entry, the newest first; `older` is the number before which the rest of them comes."""
    return panel(
        rx.cond(
            entries,
            table(
                [
                    Column(t("billing.what"), is_main=True),
                    Column(t("statement.when")),
                    Column(t("statement.amount"), is_number=True),
                    Column(t("statement.left"), is_number=True),
                ],
                entries,
                _cells,
                caption=t("billing.statement"),
                is_ledger=True,
            ),
            rx.el.p(t("billing.no_entries"), class_name="px-4 pb-5 text-quiet sm:px-5"),
        ),
        rx.cond(
            older > 0,
            rx.el.div(
                button(t("statement.more"), kind="ghost", on_click=load_more(older)),
                class_name="flex justify-center border-t border-line p-4",
            ),
        ),
        title=t("billing.statement"),
        flush=True,
    )


def _cells(entry: Any) -> list[Any]:
    amount = entry["amount"].to(int)
    return [
        rx.el.span(
            _sign(entry["kind"]),
            rx.el.span(
                t(f"billing.kinds.{entry['kind'].to(str)}", subject=entry["subject"].to(str)),
                class_name="min-w-0 font-medium wrap-anywhere",
            ),
            class_name="flex items-center gap-3",
        ),
        rx.el.span(date_and_time(entry["at"].to(str)), class_name="text-quiet"),
        rx.el.span(
            rx.cond(amount > 0, "+", ""),
            dollars_of_parts(amount, ALL_DECIMALS),
            class_name="whitespace-nowrap",
        ),
        rx.el.span(
            dollars_of_parts(entry["left"].to(int), ALL_DECIMALS),
            class_name="whitespace-nowrap text-quiet",
        ),
    ]


def _sign(kind: Any) -> rx.Component:
    match: Any = rx.match
    signs = ((known.value, _icon(name)) for known, name in SIGNS.items())
    return match(kind, *signs, _icon("circle-dollar-sign"))


def _icon(name: str) -> rx.Component:
    return icon(name, 18, class_name="text-lilac")
