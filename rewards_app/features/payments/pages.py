"""The sandbox's checkout: as plain as a real one, and marked so that nobody takes it for one."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.core.routes import BILLING
from rewards_app.core.state import AppState
from rewards_app.features.payments.sandbox import PATH
from rewards_app.features.payments.state import PAYERS, TestPaymentState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import badge, skeleton
from rewards_app.ui.dead_ends import dead_end
from rewards_app.ui.feedback import banner, loading_line
from rewards_app.ui.forms import checkbox
from rewards_app.ui.numbers import dollars, kronor

ORDERS = "/shop/orders"


def test_payment() -> rx.Component:
    checkout: Any = TestPaymentState.checkout
    return rx.el.div(
        rx.cond(
            TestPaymentState.is_loaded,
            rx.cond(checkout["status"] == "open", _checkout(checkout), _nothing_to_pay()),
            rx.el.div(loading_line(), skeleton("card"), class_name="relative"),
        ),
        class_name="mx-auto w-full max-w-[520px]",
    )


def _nothing_to_pay() -> rx.Component:
    is_company = TestPaymentState.is_for_company | (AppState.role == Role.COMPANY.value)
    return dead_end(
        "credit-card",
        t("test_payment.over_title"),
        rx.cond(is_company, t("test_payment.over_text_company"), t("test_payment.over_text")),
        rx.cond(
            is_company,
            link_button(t("test_payment.to_billing"), href=BILLING),
            link_button(t("test_payment.to_orders"), href=ORDERS),
        ),
    )


def _checkout(checkout: Any) -> rx.Component:
    amount = _amount(checkout)
    return rx.el.section(
        rx.el.div(
            badge(t("test_payment.mark"), tone="action"),
            rx.el.h1(t("test_payment.title"), class_name="mt-3 text-2xl"),
            rx.el.p(t("test_payment.text"), class_name="mt-1 text-quiet"),
            class_name="p-5 sm:p-6",
        ),
        rx.el.dl(
            rx.el.div(
                rx.el.dt(checkout["description"].to(str), class_name="min-w-0 font-semibold"),
                rx.el.dd(amount, class_name="tnum font-display text-2xl font-bold"),
                class_name="flex flex-wrap items-baseline justify-between gap-x-4",
            ),
            class_name="border-t border-line p-5 sm:p-6",
        ),
        rx.el.div(
            rx.cond(
                TestPaymentState.was_declined,
                banner(
                    "danger",
                    t("test_payment.declined_title"),
                    rx.cond(
                        TestPaymentState.is_for_company,
                        t("test_payment.declined_text_company"),
                        t("test_payment.declined_text"),
                    ),
                    is_news=True,
                ),
            ),
            *_ways(checkout["id"].to(str), amount),
            class_name="grid gap-3 border-t border-line p-5 sm:p-6",
        ),
        rx.el.div(
            checkbox(
                "loses-webhook",
                t("test_payment.lose_webhook"),
                hint=t("test_payment.lose_webhook_hint"),
                on_change=TestPaymentState.lose_webhook,
                is_switch=True,
            ),
            class_name="border-t border-line p-5 sm:p-6",
        ),
        class_name="rounded-panel border border-line bg-panel",
    )


def _amount(checkout: Any) -> Any:
    """Companies pay in dollars, players in kronor."""
    smallest = checkout["amount"].to(int)
    return rx.cond(checkout["currency"].to(str) == "usd", dollars(smallest), kronor(smallest))


def _ways(checkout_id: Any, amount: Any) -> list[rx.Component]:
    pay: Any = TestPaymentState.pay
    decline: Any = TestPaymentState.decline
    cancel: Any = TestPaymentState.cancel
    busy = AppState.is_busy
    return [
        button(
            t("test_payment.pay", amount=amount), wide=True, busy=busy, on_click=pay(checkout_id)
        ),
        rx.el.div(
            button(
                t("test_payment.decline"),
                kind="ghost",
                wide=True,
                busy=busy,
                on_click=decline(checkout_id),
            ),
            button(
                t("test_payment.cancel"),
                kind="ghost",
                wide=True,
                busy=busy,
                on_click=cancel(checkout_id),
            ),
            class_name="grid gap-3 sm:grid-cols-2",
        ),
    ]


PAGES = [
    Page(
        PATH,
        test_payment,
        "test_payment.page_title",
        roles=PAYERS,
        on_load=[TestPaymentState.load],
    )
]
