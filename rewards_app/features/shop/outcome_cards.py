"""What came of a purchase: a checkout that waits in another tab, or the code and the thanks."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.shop.parts import (
    SECTION,
    Arrival,
    game_sign,
    gift_code,
    kr,
    pay_link,
    product,
    receipt_link,
    section_head,
    sum_line,
)
from rewards_app.features.shop.state import ShopState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coin, coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import badge
from rewards_app.ui.confetti import Confetti
from rewards_app.ui.glyphs import chip
from rewards_app.ui.links import LINK
from rewards_app.ui.names import unbroken
from rewards_app.ui.numbers import counting


def opened() -> rx.Component:
    """The rest is being paid in another tab."""
    order: Any = ShopState.opened
    used = order["coins"].to(int)
    return Arrival.create(
        section_head(game_sign(order, 48), unbroken(product(order)), order["game"].to(str)),
        rx.el.dl(
            sum_line(t("shop.package_price"), kr(order["price"])),
            rx.cond(used > 0, sum_line(t("shop.coins_held"), coins(used))),
            sum_line(t("shop.to_pay"), kr(order["to_pay_kr"])),
            class_name=f"{SECTION} grid gap-2",
        ),
        rx.cond(order["is_under_way"], _under_way(), _to_be_paid(order)),
        class_name="scroll-mt-30 scroll-mb-20 outline-none",
    )


def _to_be_paid(order: Any) -> rx.Component:
    cancel: Any = ShopState.cancel
    return rx.el.div(
        rx.el.div(
            rx.el.h3(t("shop.opened_title"), class_name="text-lg"),
            rx.el.p(t("shop.opened_text"), class_name="mt-1 text-quiet"),
            role="status",
        ),
        pay_link(order["url"].to(str), is_primary=True),
        button(
            t("shop.cancel_order"),
            kind="ghost",
            wide=True,
            busy=AppState.is_busy,
            on_click=cancel(order["id"].to(str)),
        ),
        class_name=f"{SECTION} grid gap-3",
    )


def _under_way() -> rx.Component:
    """Paid there, by a way that takes days."""
    return rx.el.div(
        rx.el.div(
            rx.el.h3(t("orders.under_way"), class_name="text-lg"),
            rx.el.p(t("orders.under_way_text"), class_name="mt-1 text-quiet"),
            role="status",
        ),
        button(t("shop.shop_on"), kind="ghost", wide=True, on_click=ShopState.shop_on),
        class_name=f"{SECTION} grid gap-3",
    )


def thanks(order: Any, *, leads_on: bool = True) -> rx.Component:
    """Bought: the code, where else it is; in the shop, what is left and the way on."""
    tint = order["tint"].to(str)
    return Arrival.create(
        rx.cond(order["to_pay_kr"].to(int) == 0, Confetti.create()),
        rx.cond(tint, rx.el.div(chip(tint, 88), class_name="-mb-2")),
        rx.el.div(
            rx.el.h2(
                unbroken(t("shop.yours", product=product(order))),
                class_name="tnum text-xl text-balance",
            ),
            rx.el.p(
                t("shop.mailed", email=AppState.email), class_name="mt-1 text-quiet wrap-anywhere"
            ),
            role="status",
        ),
        _demo(order),
        gift_code(order["id"].to(str)),
        receipt_link(order["id"].to(str), AppState.language, _RECEIPT),
        *(_way_on(order) if leads_on else ()),
        class_name=(
            "grid scroll-mt-30 scroll-mb-20 justify-items-center gap-4 p-5 pt-8 text-center"
            " outline-none"
        ),
    )


def over(order: Any, way_on: rx.Component) -> rx.Component:
    """Without a code, or with none any more."""
    words = f"orders.ended.{order['status'].to(str)}"
    return Arrival.create(
        rx.el.div(
            rx.el.h2(
                unbroken(t(words, product=product(order))), class_name="tnum text-lg text-balance"
            ),
            rx.el.p(_what_comes_back(order), class_name="mt-3 text-quiet"),
            role="status",
        ),
        way_on,
        key="over",
        class_name="grid justify-items-center gap-3 p-6 text-center outline-none",
    )


def _what_comes_back(order: Any) -> Any:
    """Paid and without a code: too late, or not as agreed. Of coins only where some were used."""
    has_coins = order["coins"].to(int) > 0

    def words(kind: str) -> Any:
        return rx.cond(has_coins, t(f"orders.{kind}"), t(f"orders.card_alone.{kind}"))

    return rx.cond(
        order["was_taken"],
        words("taken_text"),
        rx.cond(
            order["was_completed"],
            rx.cond(
                order["to_pay_kr"].to(int) > 0,
                words("refund_text"),
                t("orders.coins_alone.refund_text"),
            ),
            rx.cond(order["was_paid"], words("paid_back_text"), words("ended_text")),
        ),
    )


def _way_on(order: Any) -> tuple[rx.Component, rx.Component]:
    return (
        rx.el.p(
            t("shop.balance_after"),
            coin(14),
            rx.el.span(counting(order["left"].to(int)), class_name="tnum font-semibold text-gold"),
            class_name="flex flex-wrap items-center justify-center gap-1.5 text-sm text-quiet",
        ),
        button(t("shop.shop_on"), kind="ghost", wide=True, on_click=ShopState.shop_on),
    )


_RECEIPT = f"target inline-flex items-center gap-2 {LINK}"


def _demo(order: Any) -> rx.Component:
    return rx.cond(order["is_demo"], badge(t("shop.demo"), tone="action"))
