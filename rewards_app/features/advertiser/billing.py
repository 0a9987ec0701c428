"""The money of a company: what it has, how it is topped up, where every cent came and went."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.advertiser.billing_rules import LEAST_CENTS, MOST_CENTS, Status
from rewards_app.features.advertiser.billing_state import BillingState
from rewards_app.features.advertiser.company_fields import other_refusal
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.money_parts import (
    TOP_UP_LINE,
    invoice_link,
    statement_panel,
    top_up_status,
    top_up_sum,
)
from rewards_app.features.advertiser.settings_state import SettingsState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import facts, panel, skeleton
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, form, text_field
from rewards_app.ui.icons import spinner
from rewards_app.ui.lists import each
from rewards_app.ui.numbers import balance, dollars, dollars_of_parts, time
from rewards_app.ui.once import AskedOnce
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error

TOP_UP = "top-up"


def billing_card() -> rx.Component:
    return panel(
        facts(
            (t("billing.balance"), _sum(AdvertiserState.balance, written=balance)),
            (t("billing.set_aside"), _sum(AdvertiserState.set_aside)),
            (t("billing.spent_this_month"), _sum(SettingsState.spent_this_month)),
        ),
        rx.el.p(t("billing.set_aside_text"), class_name="mt-3 text-sm text-quiet"),
        rx.cond(
            AdvertiserState.is_owner,
            rx.el.div(
                button(t("billing.top_up"), icon="plus", wide=True, opens=TOP_UP),
                class_name="mt-4",
            ),
            rx.el.p(t("billing.owner_only"), class_name="mt-3 text-sm text-quiet"),
        ),
        _dialog(),
        title=t("billing.title"),
    )


def _sum(parts: Any, written: Any = dollars_of_parts) -> rx.Component:
    return rx.el.span(
        written(parts),
        class_name=rx.cond(parts < 0, "whitespace-nowrap text-danger", "whitespace-nowrap"),
    )


def _dialog() -> rx.Component:
    least, most = dollars(LEAST_CENTS), dollars(MOST_CENTS)
    return dialog(
        form(
            rx.el.p(t("billing.top_up_text"), class_name="text-quiet"),
            text_field(
                "amount",
                t("billing.amount"),
                inputmode="decimal",
                autocomplete="off",
                required=True,
                placeholder="250",
                hint=t("billing.amount_hint", least=least, most=most),
                error=field_error(AppState.refusal, "amount"),
            ),
            rx.el.input(type="hidden", name="attempt", value=BillingState.attempt),
            other_refusal(),
            actions(
                button(t("ui.cancel"), kind="ghost", closes=TOP_UP),
                button(t("billing.to_checkout"), submits=True, busy=AppState.is_busy),
            ),
            on_submit=BillingState.top_up,
            no_validate=True,
        ),
        id=TOP_UP,
        title=t("billing.top_up"),
        width=460,
    )


def money_panels() -> rx.Component:
    """The owner's alone."""
    return rx.cond(
        AdvertiserState.is_owner,
        rx.cond(
            BillingState.is_loaded,
            rx.fragment(
                _top_ups(),
                statement_panel(
                    BillingState.entries, BillingState.next_before, BillingState.load_more
                ),
            ),
            skeleton("card"),
        ),
    )


def _top_ups() -> rx.Component:
    load_more: Any = BillingState.load_more_top_ups
    older = BillingState.top_ups_before
    return panel(
        rx.cond(
            BillingState.top_ups,
            rx.el.ul(each(BillingState.top_ups, _top_up), class_name="divide-y divide-line"),
            rx.el.p(t("billing.no_top_ups"), class_name="text-quiet"),
        ),
        rx.cond(
            older != "",
            rx.el.div(
                button(t("statement.more"), kind="ghost", on_click=load_more(older)),
                class_name="mt-3 flex justify-center border-t border-line pt-4",
            ),
        ),
        title=t("billing.top_ups"),
    )


def _top_up(one: Any) -> rx.Component:
    return rx.el.li(
        top_up_sum(one),
        top_up_status(one),
        invoice_link(one),
        rx.cond(
            one["status"].to(str) == Status.WAITING.value,
            rx.cond(one["is_under_way"].to(bool), _under_way(one), _to_be_paid(one)),
        ),
        class_name=TOP_UP_LINE,
    )


def _to_be_paid(one: Any) -> rx.Component:
    cancel: Any = BillingState.cancel
    return rx.fragment(
        rx.cond(
            one["url"].to(str) != "",
            link_button(t("billing.pay"), href=one["url"].to(str), kind="ghost", size="sm"),
        ),
        button(
            t("billing.cancel"),
            kind="danger",
            size="sm",
            busy=AppState.is_busy,
            on_click=cancel(one["id"].to(str)),
        ),
        rx.el.span(
            t("orders.until", time=time(one["until"].to(str))),
            class_name="tnum text-sm text-quiet",
        ),
    )


def _under_way(one: Any) -> rx.Component:
    return rx.el.p(
        t("billing.under_way_text", amount=dollars(one["cents"].to(int))),
        class_name="w-full text-sm text-quiet",
    )


def came_back() -> rx.Component:
    """What became of the top-up whose checkout was just left; it changes by itself."""
    return rx.cond(
        BillingState.came_back_to != "",
        rx.el.div(
            rx.cond(BillingState.has_left, AskedOnce.create(name="came")),
            rx.foreach(BillingState.top_ups, _came_back_to),
            class_name="empty:hidden",
        ),
    )


def _confirming(one: Any) -> rx.Component:
    look_again: Any = BillingState.look_again
    return banner(
        "info",
        rx.el.span(spinner(), t("billing.confirming"), class_name="flex items-center gap-3"),  # pyright: ignore[reportArgumentType]
        t("billing.confirming_text", amount=dollars(one["cents"].to(int))),
        button(
            t("orders.look_again"), kind="ghost", size="sm", on_click=look_again(one["id"].to(str))
        ),
        is_news=True,
    )


def _came_back_to(one: Any) -> rx.Component:
    """One that was left unpaid, and waits still, is paid or cancelled below like any other."""
    match: Any = rx.match
    is_to_be_paid = (one["status"] == Status.WAITING.value) & ~one["is_under_way"].to(bool)
    amount = dollars(one["cents"].to(int))
    return rx.cond(
        (one["id"].to(str) == BillingState.came_back_to) & ~(BillingState.has_left & is_to_be_paid),
        match(
            one["status"].to(str),
            (
                Status.PAID.value,
                banner(
                    "good",
                    t("billing.paid", amount=amount),
                    rx.cond(
                        SettingsState.switches["starts_by_itself"],
                        t("billing.paid_text", invoice=one["invoice"].to(str)),
                        t("billing.paid_text_by_hand", invoice=one["invoice"].to(str)),
                    ),
                    is_news=True,
                ),
            ),
            (
                Status.WAITING.value,
                rx.cond(
                    one["is_under_way"].to(bool),
                    banner(
                        "info",
                        t("orders.under_way"),
                        t("billing.under_way_text", amount=amount),
                        is_news=True,
                    ),
                    _confirming(one),
                ),
            ),
            (
                Status.RETURNED.value,
                banner(
                    "info",
                    t("billing.returned", amount=amount),
                    t("billing.returned_text"),
                    is_news=True,
                ),
            ),
            banner("warning", t("billing.not_paid"), t("billing.not_paid_text"), is_news=True),
        ),
    )
