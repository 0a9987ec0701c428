"""What the shop's pages are made of: what happens in the browser, and how an order reads."""

from typing import Any
from uuid import UUID

import reflex as rx
from reflex_base.event import passthrough_event_spec

from rewards_app.features.shop.rules import ORE_PER_KR
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import look
from rewards_app.ui.cards import Tone
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.glyphs import glyph_tile
from rewards_app.ui.icons import icon, icon_tile, spinner
from rewards_app.ui.links import browser_link
from rewards_app.ui.markup import NBSP, Child, Text
from rewards_app.ui.numbers import kronor, money, number

ORDERS = "/shop/orders"
SHOP = "/shop"
GUARDIAN = "/gdpr"
"""Where a parent's or guardian's consent is asked for."""
_LIBRARY = "$/public/shop"
SECTION = "border-t border-line p-4 first:border-t-0 sm:p-5"
"""A stretch of a panel, parted from the one above by a hairline."""
_TONES: dict[str, Tone] = {
    "waiting": "action",
    "completed": "good",
    "refunding": "house",
    "refunded": "house",
    "failed": "danger",
}


class Checkout(rx.Component):
    """Around the shop: what is chosen, and the one press at a time that buys it."""

    library = _LIBRARY
    tag = "Checkout"

    offer: rx.Var[dict[str, Any]]
    chosen: rx.Var[dict[str, str]]
    opened: rx.Var[dict[str, Any]]
    attempt: rx.Var[str]
    answer: rx.Var[str]
    is_busy: rx.Var[bool]
    on_use_coins: rx.EventHandler[passthrough_event_spec(int)]
    on_purchase: rx.EventHandler[passthrough_event_spec(str, str, int, UUID)]


class CoinSlider(rx.Component):
    library = _LIBRARY
    tag = "CoinSlider"

    label: rx.Var[str]


class CoinsOnIt(rx.Component):
    """As many as the slider says, before the server knows."""

    library = _LIBRARY
    tag = "CoinsOnIt"


class PurchaseButton(rx.Component):
    library = _LIBRARY
    tag = "PurchaseButton"


class PayLink(rx.Component):
    """To a checkout that waits, in a tab of its own; to nowhere unsafe."""

    library = _LIBRARY
    tag = "PayLink"

    to: rx.Var[str]


class Arrival(rx.Component):
    library = _LIBRARY
    tag = "Arrival"


class GiftCode(rx.Component):
    """The code, fetched by the browser for its owner, with a button that copies it."""

    library = _LIBRARY
    tag = "GiftCode"

    order_id: rx.Var[str]
    primary: rx.Var[str]
    quiet: rx.Var[str]


class HiddenCode(rx.Component):
    library = _LIBRARY
    tag = "HiddenCode"

    order_id: rx.Var[str]
    product: rx.Var[str]
    primary: rx.Var[str]
    quiet: rx.Var[str]


def product(row: Any) -> Any:
    """2,800 V-Bucks."""
    return f"{number(row['amount'].to(int))}{NBSP}{row['name'].to(str)}"


def game_sign(row: Any, size: int = 40) -> rx.Component:
    """Its game's, or a bag where the catalogue has nothing of that game any more."""
    tint = row["tint"].to(str)
    return rx.cond(tint, glyph_tile(tint, size), icon_tile("shopping-bag", "text-lilac"))


def kr(amount: Any) -> rx.Var[str]:
    return kronor(amount.to(int) * ORE_PER_KR)


def idea(offer: Any, amount: str) -> rx.Component:
    """What it is in the player's own money, in small print: charged are kronor.

    Where kronor are due, and too few for one of that money, nothing: it is not free.
    """
    code = offer["money"].to(str)
    written = money(offer[amount].to(int), code)
    is_told = (offer[amount].to(int) > 0) | offer["is_free"].to(bool)
    return rx.cond(
        (code != "") & is_told,
        rx.el.span(
            rx.el.span("≈", NBSP, written, aria_hidden="true"),
            rx.el.span(t("shop.about", amount=written), class_name="sr-only"),
            class_name="block text-sm/tight whitespace-nowrap text-quiet",
        ),
    )


def paid(row: Any) -> rx.Component:
    """What an order costs: coins, kronor or both."""
    money = row["to_pay_kr"].to(int)
    spent = row["coins"].to(int)
    return rx.cond(
        spent > 0,
        rx.el.span(
            coins(spent),
            rx.cond(
                money > 0,
                rx.el.span(t("orders.and_money", amount=kr(money)), class_name="text-quiet"),
            ),
            class_name="tnum inline-flex flex-wrap items-center gap-x-1.5",
        ),
        rx.el.span(kr(money), class_name="tnum"),
    )


def order_status(row: Any) -> rx.Component:
    match: Any = rx.match
    state = row["status"].to(str)
    return rx.cond(
        row["is_under_way"],
        status_mark(t("orders.under_way"), "action"),
        status_mark(t(f"orders.status.{state}"), match(state, *_TONES.items(), "quiet")),
    )


def pay_link(url: Any, *, is_primary: bool = False) -> rx.Component:
    style = look("primary", wide=True) if is_primary else look("ghost", "sm")
    return PayLink.create(
        t("shop.continue"),
        icon("external-link", 16),
        to=url,
        class_name=style.replace("enabled:", ""),
    )


def gift_code(order_id: Any) -> rx.Component:
    return GiftCode.create(
        order_id=order_id, primary=look("primary", wide=True), quiet=look("ghost", wide=True)
    )


def receipt_link(order_id: Any, language: Text, class_name: str) -> rx.Component:
    return browser_link(
        icon("file-text", 16),
        t("shop.receipt"),
        href=f"/orders/{order_id}/receipt.pdf?language={language}",
        class_name=class_name,
        custom_attrs={"download": True},
    )


def turning(words: Child) -> rx.Component:
    return rx.el.p(
        spinner(), words, class_name="flex items-center gap-3 font-semibold", role="status"
    )


def section_head(sign: rx.Component, title: Child, text: Child) -> rx.Component:
    return rx.el.div(
        sign,
        rx.el.div(
            rx.el.h2(title, class_name="tnum text-lg"),
            rx.el.p(text, class_name="text-sm text-quiet"),
            class_name="min-w-0",
        ),
        class_name=f"{SECTION} flex items-center gap-3",
    )


def sum_line(name: Child, amount: Child) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-quiet"),
        rx.el.dd(amount, class_name="tnum text-right whitespace-nowrap"),
        class_name="flex items-center justify-between gap-4",
    )
