"""Orders: found by code, email or name; each with its story, and the decision on a refund."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.order_dialog import (
    order_dialog,
    provider_name,
    purchase_code,
    ticket_link,
)
from rewards_app.features.admin.orders_state import OrderDeskState
from rewards_app.features.admin.parts import further
from rewards_app.features.admin.state import LONGEST_SEARCH
from rewards_app.features.shop.parts import order_status, product
from rewards_app.features.shop.rules import Status
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, panel, skeleton
from rewards_app.ui.forms import select_field
from rewards_app.ui.links import LINK
from rewards_app.ui.markup import Text, attributes
from rewards_app.ui.names import mail_address, name_of, unbroken
from rewards_app.ui.numbers import date_and_time, kronor
from rewards_app.ui.search import search_form
from rewards_app.ui.tables import Column, table


def orders_tab() -> rx.Component:
    return rx.fragment(
        _search(),
        rx.cond(
            OrderDeskState.is_loaded,
            rx.cond(OrderDeskState.orders, _orders(), _nothing()),
            rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
        ),
        order_dialog(),
    )


def _search() -> rx.Component:
    statuses: list[tuple[str, Text]] = [
        ("", t("admin.orders.every_status")),
        *((status.value, t(f"orders.status.{status}")) for status in Status),
    ]
    return rx.el.div(
        search_form(
            "search",
            t("admin.orders.search"),
            t("admin.orders.find"),
            on_submit=OrderDeskState.find,
            placeholder=t("admin.orders.search_hint"),
            default_value=OrderDeskState.search,
            max_length=LONGEST_SEARCH,
            key=OrderDeskState.round,
            class_name="flex-[1_1_320px]",
        ),
        rx.el.div(
            select_field(
                "status",
                t("admin.orders.status"),
                statuses,
                value=OrderDeskState.status,
                on_change=OrderDeskState.choose_status,
            ),
            class_name="flex-[0_1_240px] max-sm:flex-auto",
        ),
        class_name="mb-6 flex flex-wrap items-end gap-x-4 gap-y-3",
    )


def _nothing() -> rx.Component:
    """No orders at all, or none that the search finds."""
    has_search = (OrderDeskState.search != "") | (OrderDeskState.status != "")
    show_all = button(t("admin.orders.show_all"), kind="ghost", on_click=OrderDeskState.show_all)
    return rx.cond(
        has_search,
        empty_state(
            "search-x", t("admin.orders.not_found"), t("admin.orders.not_found_text"), show_all
        ),
        empty_state("receipt-text", t("admin.orders.none"), t("admin.orders.none_text")),
    )


def _orders() -> rx.Component:
    return panel(
        table(
            [
                Column(t("admin.orders.order"), is_main=True),
                Column(t("admin.orders.player"), is_wide=True),
                Column(t("admin.orders.when")),
                Column(t("admin.orders.coins"), is_number=True),
                Column(t("admin.orders.money"), is_number=True),
                Column(t("admin.orders.status")),
            ],
            OrderDeskState.orders,
            _cells,
            caption=t("admin.tabs.orders"),
            cell_on_phone=132,
        ),
        further(OrderDeskState.next_before, OrderDeskState.load_more),
        flush=True,
    )


def _cells(order: Any) -> list[Any]:
    ore = order["ore"].to(int)
    return [
        rx.el.span(
            _way_in(order),
            rx.el.span(purchase_code(order), class_name="lg:whitespace-nowrap"),
        ),
        rx.el.span(
            rx.el.span(name_of(order["who"].to(str)), class_name="block wrap-anywhere"),
            rx.el.span(
                mail_address(order["email"]), class_name="block text-sm wrap-anywhere text-quiet"
            ),
        ),
        rx.el.span(date_and_time(order["at"].to(str)), class_name="text-quiet"),
        rx.cond(order["coins"].to(int) > 0, coins(order["coins"].to(int)), _none()),
        rx.cond(
            ore > 0,
            rx.el.span(
                rx.el.span(kronor(ore), class_name="block"),
                rx.el.span(provider_name(order), class_name="block text-sm text-quiet"),
            ),
            _none(),
        ),
        rx.el.span(
            order_status(order),
            rx.cond(order["ticket"].to(str) != "", ticket_link(order)),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
        ),
    ]


def _way_in(order: Any) -> rx.Component:
    """Opens the order; among many its name for readers says whose it is."""
    look: Any = OrderDeskState.look_into
    return rx.el.button(
        unbroken(product(order)),
        type="button",
        on_click=look(order["id"].to(str)),
        class_name=f"target text-left font-medium {LINK}",
        custom_attrs=attributes(
            aria_label=t(
                "admin.orders.details_of",
                product=product(order),
                name=name_of(order["who"].to(str)),
            )
        ),
    )


def _none() -> rx.Component:
    return rx.el.span("–", class_name="text-quiet")
