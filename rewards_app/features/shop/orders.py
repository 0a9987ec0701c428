"""The orders of a player: the latest beside the shop, all of them on a page of their own."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.shop.orders_state import OrdersState
from rewards_app.features.shop.outcome_cards import over, thanks
from rewards_app.features.shop.parts import (
    ORDERS,
    SHOP,
    Arrival,
    HiddenCode,
    game_sign,
    order_status,
    paid,
    pay_link,
    product,
    receipt_link,
    turning,
)
from rewards_app.features.shop.problem import problem_button, problem_dialog
from rewards_app.features.shop.state import ShopState
from rewards_app.features.support.rules import TICKET
from rewards_app.features.support.ticket_page import ticket_status
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button, look
from rewards_app.ui.cards import empty_state, page_head, panel, skeleton
from rewards_app.ui.copying import copyable
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.glyphs import chip_sprite
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor, link
from rewards_app.ui.lists import each
from rewards_app.ui.names import unbroken
from rewards_app.ui.numbers import date, number, time
from rewards_app.ui.once import AskedOnce

WAITING, COMPLETED = "waiting", "completed"
_LIST = "@container divide-y divide-line"
"""Its lines stand side by side where the list is wide enough, whatever the screen is."""
_LINE = (
    "grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-4 sm:gap-x-4"
    " sm:px-5"
)
_COLUMNS = " @2xl:grid-cols-[40px_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.9fr)_auto]"
_SMALL = look("ghost", "sm").replace("enabled:", "")


def latest_orders() -> rx.Component:
    """Beside the shop; the rest is one press away."""
    return panel(
        rx.cond(
            ShopState.is_loaded,
            rx.cond(
                ShopState.latest,
                rx.el.ul(each(ShopState.latest, _latest), class_name=_LIST),
                rx.el.p(t("shop.no_orders"), class_name="px-4 pb-5 text-quiet sm:px-5"),
            ),
            rx.el.div(*(skeleton("row") for _ in range(3)), class_name="grid gap-3 p-4 sm:px-5"),
        ),
        title=t("shop.your_orders"),
        aside=rx.cond(
            ShopState.order_count > 0,
            link(
                t(
                    "shop.all_orders",
                    count=ShopState.order_count,
                    shown=number(ShopState.order_count),
                ),
                href=ORDERS,
                class_name="target text-sm",
            ),
        ),
        flush=True,
    )


def _latest(order: Any) -> rx.Component:
    is_settled = order["status"] == COMPLETED
    return rx.el.li(
        *_head(order),
        rx.el.div(
            rx.cond(
                is_settled,
                _purchase_code(order),
                rx.el.div(
                    order_status(order),
                    rx.cond(order["checkout_url"], pay_link(order["checkout_url"].to(str))),
                    class_name="flex flex-wrap items-center gap-x-3 gap-y-2",
                ),
            ),
            class_name=f"col-span-full min-w-0 {_BELOW} @2xl:col-span-2 @2xl:pl-0",
        ),
        class_name=_LINE + _COLUMNS,
    )


_BELOW = "pl-[52px] sm:pl-14"


def _head(order: Any) -> list[rx.Component]:
    """What, when, and for how much."""
    return [
        game_sign(order),
        rx.el.div(
            rx.el.p(unbroken(product(order)), class_name="font-semibold"),
            rx.el.p(date(order["created_at"].to(str)), class_name="tnum text-sm text-quiet"),
            class_name="min-w-0",
        ),
        rx.el.div(paid(order), class_name="text-right @2xl:text-left"),
    ]


def _purchase_code(order: Any) -> rx.Component:
    return copyable(
        order["purchase_code"].to(str),
        t("orders.copy_number", product=product(order)),
        "max-w-full",
    )


def order_history() -> rx.Component:
    return rx.fragment(
        chip_sprite(),
        page_head(t("orders.title"), t("orders.text")),
        rx.cond(
            OrdersState.is_loaded,
            rx.cond(OrdersState.orders, _history(), _nothing_yet()),
            rx.el.div(
                loading_line(),
                *(skeleton("tile") for _ in range(4)),
                class_name="relative grid gap-3",
            ),
        ),
        problem_dialog(),
    )


def _nothing_yet() -> rx.Component:
    return empty_state(
        "receipt-text",
        t("orders.empty_title"),
        t("orders.empty_text"),
        link_button(t("orders.to_shop"), href=SHOP, icon="shopping-bag"),
    )


def _history() -> rx.Component:
    load_more: Any = OrdersState.load_more
    return rx.el.div(
        rx.cond(OrdersState.has_left, AskedOnce.create(name="came")),
        rx.foreach(OrdersState.orders, _came_back_to),
        panel(
            rx.el.ul(each(OrdersState.orders, _order), class_name=_LIST),
            rx.cond(
                OrdersState.next_before,
                rx.el.div(
                    button(
                        t("orders.more"), kind="ghost", on_click=load_more(OrdersState.next_before)
                    ),
                    class_name="flex justify-center border-t border-line p-4",
                ),
            ),
            flush=True,
        ),
        rx.el.div(
            link_button(t("orders.to_shop"), href=SHOP, kind="ghost", icon="shopping-bag"),
            class_name="flex justify-center",
        ),
        class_name="grid gap-6",
    )


def _order(order: Any) -> rx.Component:
    return rx.el.li(
        *_head(order),
        rx.el.div(
            _purchase_code(order),
            class_name=f"col-span-full min-w-0 {_BELOW} @2xl:col-span-1 @2xl:pl-0",
        ),
        rx.el.div(
            order_status(order), class_name=f"col-span-full {_BELOW} @2xl:col-span-1 @2xl:pl-0"
        ),
        rx.el.div(
            _marks(order),
            rx.cond(
                order["refund_reason"],
                rx.el.p(
                    t("orders.refund_reason", reason=order["refund_reason"].to(str)),
                    class_name="text-sm text-quiet wrap-anywhere",
                ),
            ),
            _actions(order),
            class_name=f"col-span-full grid gap-2 {_BELOW}",
        ),
        class_name=_LINE + _COLUMNS,
    )


def _marks(order: Any) -> rx.Component:
    is_test, is_demo = order["is_test"].to(bool), order["is_demo"].to(bool)
    return rx.cond(
        is_test | is_demo,
        rx.el.p(
            rx.cond(is_test, t("orders.test_payment"), ""),
            rx.cond(is_test & is_demo, " · ", ""),
            rx.cond(is_demo, t("shop.demo"), ""),
            class_name="text-sm text-quiet",
        ),
    )


def _actions(order: Any) -> rx.Component:
    order_id = order["id"].to(str)
    return rx.el.div(
        rx.cond(
            order["status"] == WAITING,
            _while_waiting(order),
            rx.cond(
                order["was_completed"],
                rx.fragment(
                    rx.cond(order["status"] == COMPLETED, _hidden_code(order)),
                    receipt_link(order_id, AppState.language, _SMALL),
                ),
            ),
        ),
        rx.cond(
            order["ticket"].to(str) != "",
            _ticket(order),
            problem_button(order),
        ),
        class_name="flex flex-wrap items-center gap-2",
    )


def _ticket(order: Any) -> rx.Component:
    """What was asked about it is read, and gone on with, at support."""
    number = order["ticket"].to(str)
    return rx.el.span(
        anchor(
            icon("life-buoy", 16),
            t("orders.ticket", number=number),
            href=rx.Var.create(f"{TICKET}{number}"),
            class_name=f"target tnum inline-flex items-center gap-2 {LINK}",
        ),
        ticket_status(order["ticket_status"]),
        class_name="inline-flex min-h-9 flex-wrap items-center gap-x-3 text-sm",
    )


def _while_waiting(order: Any) -> rx.Component:
    cancel: Any = OrdersState.cancel
    return rx.cond(
        order["is_under_way"],
        rx.el.p(t("orders.under_way_text"), class_name="w-full text-sm text-quiet"),
        rx.fragment(
            rx.cond(order["checkout_url"], pay_link(order["checkout_url"].to(str))),
            button(
                t("shop.cancel_order"),
                kind="danger",
                size="sm",
                busy=AppState.is_busy,
                on_click=cancel(order["id"].to(str)),
            ),
            rx.cond(
                order["expires_at"],
                rx.el.span(
                    t("orders.until", time=time(order["expires_at"].to(str))),
                    class_name="tnum text-sm text-quiet",
                ),
            ),
        ),
    )


def _hidden_code(order: Any) -> rx.Component:
    return HiddenCode.create(
        order_id=order["id"].to(str),
        product=product(order),
        primary=look("primary", wide=True),
        quiet=look("ghost", wide=True),
        class_name=_SMALL,
    )


def _came_back_to(order: Any) -> rx.Component:
    """The order whose checkout was just left: confirmed, waiting or over.

    One that was left unpaid, and waits still, is paid or cancelled below like any other.
    """
    match: Any = rx.match
    is_to_be_paid = (order["status"] == WAITING) & ~order["is_under_way"].to(bool)
    return rx.cond(
        (order["id"].to(str) == OrdersState.came_back_to) & ~(OrdersState.has_left & is_to_be_paid),
        panel(
            match(
                order["status"].to(str),
                (COMPLETED, thanks(order, leads_on=False)),
                (WAITING, _unsettled(order)),
                over(order, link_button(t("orders.to_shop"), href=SHOP)),
            ),
            glows=True,
            flush=True,
            class_name="mx-auto w-full max-w-[440px]",
        ),
    )


def _unsettled(order: Any) -> rx.Component:
    look_again: Any = OrdersState.look_again
    return Arrival.create(
        rx.cond(
            order["is_under_way"],
            rx.fragment(
                rx.el.h2(t("orders.under_way"), class_name="text-lg"),
                rx.el.p(t("orders.under_way_text"), class_name="text-quiet"),
            ),
            rx.fragment(
                turning(t("orders.confirming")),
                rx.el.p(
                    unbroken(t("orders.confirming_text", product=product(order))),
                    class_name="text-quiet",
                ),
                button(
                    t("orders.look_again"),
                    kind="ghost",
                    icon="refresh-cw",
                    on_click=look_again(order["id"].to(str)),
                ),
            ),
        ),
        class_name="grid justify-items-center gap-3 p-6 text-center outline-none",
    )
