"""The shop: what can be bought, for how much, and the latest orders."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.page import Page
from rewards_app.core.state import AppState
from rewards_app.features.shop.cards import currencies, packages
from rewards_app.features.shop.orders import latest_orders, order_history
from rewards_app.features.shop.orders_state import OrdersState, ProblemState
from rewards_app.features.shop.parts import ORDERS, SHOP, Checkout
from rewards_app.features.shop.state import ShopState
from rewards_app.features.shop.summary import buy_bar, summary
from rewards_app.features.support import tickets
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import balance
from rewards_app.ui.cards import page_head, skeleton
from rewards_app.ui.feedback import login_needed
from rewards_app.ui.glyphs import chip_sprite


def shop() -> rx.Component:
    return rx.fragment(
        chip_sprite(),
        rx.el.div(
            page_head(t("shop.title"), t("shop.text")),
            _balance(),
            class_name="flex items-start justify-between gap-4",
        ),
        _checkout(
            rx.el.div(
                rx.el.div(
                    currencies(), packages(), class_name="grid min-w-0 content-start gap-3 sm:gap-4"
                ),
                rx.el.div(
                    summary(),
                    class_name=(
                        "min-w-0 lg:sticky lg:top-32 lg:col-start-2 lg:row-span-2 lg:row-start-1"
                        " lg:self-start"
                    ),
                ),
                rx.el.div(
                    latest_orders(),
                    class_name="min-w-0",
                    # Not there before: what was nothing would be said to move.
                    key=rx.cond(ShopState.is_loaded, "known", "opening"),
                ),
                class_name=(
                    "grid grid-cols-[minmax(0,1fr)] items-start gap-6"
                    " lg:grid-cols-[minmax(0,1fr)_336px]"
                ),
            ),
            buy_bar(),
        ),
    )


def _balance() -> rx.Component:
    """On a phone the bar above says it."""
    return rx.el.div(
        rx.el.span(t("shop.balance"), class_name="block text-sm text-quiet"),
        rx.cond(
            ShopState.is_loaded, balance(ShopState.balance), skeleton("line", "h-[27px]! w-32!")
        ),
        class_name="text-right max-sm:hidden",
    )


def _checkout(*children: rx.Component) -> rx.Component:
    notice: Any = AppState.notice
    opened: Any = ShopState.opened
    done: Any = ShopState.done
    said = f"{opened['id']} {done['id']} {notice['id']} {ShopState.attempt}"
    return Checkout.create(
        *children,
        offer=ShopState.offer,
        chosen={"currency": ShopState.currency_id, "package": ShopState.package_id},
        opened=ShopState.opened,
        attempt=ShopState.attempt,
        answer=rx.Var.create(said),
        is_busy=AppState.is_busy,
        on_use_coins=ShopState.use_coins,
        on_purchase=ShopState.purchase,
    )


PAGES = [
    Page(
        SHOP,
        shop,
        "shop.page_title",
        roles=PLAYING_ROLES,
        on_load=[ShopState.load],
        refreshes=[ShopState.refresh],
        denied_to_visitors=lambda: login_needed(t("shop.login_needed")),
    ),
    Page(
        ORDERS,
        order_history,
        "orders.page_title",
        roles=PLAYING_ROLES,
        on_load=[ProblemState.cancel, OrdersState.load],
        refreshes=[OrdersState.refresh],
        follows={tickets.CHANGED: [OrdersState.refresh]},
        even_suspended=True,
    ),
]
