"""What the shop shows, and what buying asks for."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

import structlog
from pydantic import Field

from rewards_app.core.access import Identifier, allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, DoneNotShown
from rewards_app.core.ids import new_id
from rewards_app.core.rounding import half_up
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, then_shown
from rewards_app.features.coins.rules import NotEnoughCoins
from rewards_app.features.guardians.rules import ConsentNeeded
from rewards_app.features.payments.rules import CardsAreOff
from rewards_app.features.shop import exchange, purse, rules, service, watching_rules
from rewards_app.features.shop.buying import Bought, Wish, buy
from rewards_app.features.shop.catalogue import (
    CATALOGUE,
    CURRENCIES,
    CURRENCY_OF,
    PACKAGES,
    Currency,
    NoPackage,
    Package,
    currency_name,
    package_of,
    tint_of,
)
from rewards_app.features.shop.purse import Purse
from rewards_app.features.shop.rules import Card, Offer, Status
from rewards_app.features.shop.service import Order

_log = structlog.get_logger(__name__)

CoinCount = Annotated[int, Field(ge=0, le=10**6)]
LATEST = 3
SEEN_TOO_LATE = (
    rules.SoldOut,
    rules.TooManyWaiting,
    rules.AllUnderWay,
    NotEnoughCoins,
    ConsentNeeded,
    CardsAreOff,
)
"""Refusals of what the page would not have offered, had it been read once more."""
NOT_FAILED = (rules.NoAnswer, rules.StillOpening)
"""Nobody may be told that a purchase failed which is made, or may be."""


class ShopState(AppState):
    """One package is always chosen; what it costs is worked out here, never in the browser."""

    is_loaded: bool = False
    balance: int = 0
    currency_id: str = CATALOGUE[0].id
    package_id: str = ""
    packages: list[dict[str, Any]] = []
    """The chosen currency's, each with what it costs this player."""
    offer: dict = {}  # pyright: ignore[reportMissingTypeArgument]
    """The chosen package with the coins on it. Its type says no more, else each key is checked."""
    attempt: str = ""
    """Of this offer: pressing twice buys once."""
    opened: dict[str, Any] = {}
    """The order whose checkout waits in another tab, at its `url`."""
    done: dict[str, Any] = {}
    """The order that has just come to its end: completed, or what became of it instead."""
    latest: list[dict[str, Any]] = []
    order_count: int = 0

    _purse: Purse | None = None
    _cards: tuple[Purse, Currency, dict[str, dict[str, Any]]] | None = None
    """The cards by their package, and what they were worked out for."""
    _is_buying: bool = False
    _wished: int = 0
    """Coins that shall be on the package: those that are away for a while are on it again later."""

    @property
    def _package_at_hand(self) -> str:
        """One is always chosen, also by whoever asks before the shop was ever shown, or had chosen
        what is sold no more."""
        return self.package_id if self.package_id in PACKAGES else _first(self.currency_id)

    @allow(*PLAYING_ROLES)
    async def load(self):
        self.opened, self.done = {}, {}
        await self._load()
        self._choose(self._package_at_hand)
        self.is_loaded = True

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh(self):
        """Coins or orders of this player have changed, perhaps in another tab."""
        await self._renew()

    @allow(*PLAYING_ROLES)
    async def choose_currency(self, currency_id: str):
        if currency_id not in CURRENCIES:
            raise NoPackage
        self._choose(_first(currency_id))

    @allow(*PLAYING_ROLES)
    async def choose_package(self, package_id: str):
        package_of(self.currency_id, package_id)
        self._choose(package_id)

    @allow(*PLAYING_ROLES)
    async def use_coins(self, coins: CoinCount):
        """The slider was moved."""
        self._begin_anew()
        self._wished = coins
        self._price()

    @allow(*PLAYING_ROLES)
    async def purchase(
        self, currency_id: str, package_id: str, coins: CoinCount, attempt: Identifier
    ):
        """The button: what was on the screen is what is asked for; the price is ours."""
        self._forget_refusal()
        self.is_busy = self._is_buying = True
        yield
        only_looks = self._is_shown_as_sold_out(package_id)
        wish = Wish(currency_id, package_id, coins, attempt, only_looks=only_looks)
        try:
            bought = await buy(self._actor, wish, language=self._language, now=utc_now())
        except SEEN_TOO_LATE:
            with suppress(DoneNotShown):
                await then_show(self._renew)
            if not only_looks or self._is_shown_as_sold_out(package_id):
                raise
            self.is_busy = self._is_buying = False
            return
        self._take(bought, await self._load_bought(bought.purchase_id))
        self.is_busy = self._is_buying = False

    @allow(*PLAYING_ROLES)
    async def cancel(self, order_id: Identifier):
        """The checkout in the other tab is not wanted any more."""
        self.is_busy = True
        yield
        text = rules.cancelled_text([self.opened, *self.latest], order_id)
        async with then_shown(self._renew):
            await service.cancel(self._actor, order_id)
            self._notify("orders.cancelled_title", text)
        self.is_busy = False

    @allow(*PLAYING_ROLES)
    async def shop_on(self):
        """The thank-you was seen."""
        self._choose(self._package_at_hand)

    def _is_shown_as_sold_out(self, package_id: str) -> bool:
        return package_id == self.package_id and bool(self.offer.get("is_sold_out"))

    async def _renew(self) -> None:
        await self._load()
        self._price()

    async def _load(self, *bought: UUID) -> dict[UUID, Order]:
        """The newest orders, and those that this page shows or has `bought`, however old."""
        shown = {UUID(order["id"]) for order in (self.opened, self.done) if order}
        async with transaction() as session:
            self._purse = await purse.purse_of(session, self._actor, now=utc_now())
            latest = (await service.orders(session, self._actor, limit=LATEST)).shown
            self.order_count = await service.order_count(session, self._actor)
            orders = {order.id: order for order in latest}
            if older := (shown | {*bought}) - orders.keys():
                found = await service.these_orders(session, self._actor, older)
                orders |= {order.id: order for order in found}
        self.balance = self._purse.balance
        self.latest = [order_row(order) for order in latest]
        self._follow(orders)
        return orders

    async def _load_bought(self, purchase_id: UUID) -> Order | None:
        """What is bought by now has not failed, whatever keeps it from being shown."""
        try:
            return (await self._load(purchase_id)).get(purchase_id)
        except Exception as failure:
            _log.exception("purchase.not_shown")
            raise rules.NoAnswer from failure

    def _follow(self, orders: Mapping[UUID, Order]) -> None:
        """What is shown of an order is what has become of it by now."""
        if self.opened and (order := orders.get(UUID(self.opened["id"]))):
            self._follow_opened(order)
        elif self.done and (order := orders.get(UUID(self.done["id"]))):
            self._follow_done(order)

    def _follow_opened(self, order: Order) -> None:
        """The checkout in the other tab has come to its end, or waits for a bank."""
        if order.is_under_way:
            self.opened = self.opened | {"is_under_way": True, "url": ""}
        elif order.status is Status.CANCELLED:
            # By the player, who goes on choosing.
            self._choose(self._package_at_hand)
        elif order.status is not Status.WAITING:
            self._end_with(order)

    def _follow_done(self, order: Order) -> None:
        if order.status.value != self.done["status"]:
            self.done = self.done | order_row(order)

    def _take(self, bought: Bought, order: Order | None) -> None:
        if order and bought.status is Status.COMPLETED:
            self._end_with(order)
        elif order and bought.checkout_url:
            row = order_row(order)
            url = "" if order.is_under_way else bought.checkout_url
            self.opened = row | {"url": url, "price": _price_of(row)}
        elif bought.status is Status.WAITING:
            # It may still come to where it is paid.
            self._refuse(rules.StillOpening())
        else:
            # An older press of the same button.
            self._refuse(rules.PurchaseFailed(is_over=True))

    def _end_with(self, order: Order) -> None:
        """With the thanks for it, or what became of it instead; and with what is left then."""
        self.done = order_row(order) | {"left": self.balance}
        self._begin_anew()
        self._price()

    def _choose(self, package_id: str) -> None:
        """Choose a package, with as many coins on it as it takes."""
        if self.done:
            self.done = {}
        currency = CURRENCY_OF[package_id]
        if self.currency_id != currency.id:
            self.currency_id = currency.id
        self.package_id = package_id
        self._begin_anew()
        self._wished = PACKAGES[package_id].price_kr
        self._price()

    def _begin_anew(self) -> None:
        self.attempt = str(new_id())
        if self.opened:
            self.opened = {}

    def _price(self) -> None:
        """The chosen package with as many of the wished coins on it as it takes and there are."""
        purse = self._purse
        if purse is None or self.package_id not in PACKAGES:
            return
        currency, package = package_of(self.currency_id, self.package_id)
        card = self._cards_of(currency, purse)[package.id]
        offer = Offer(package.price_kr, min(self._wished, card["most"]))
        self.offer = card | _offer(offer, purse)

    def _cards_of(self, currency: Currency, purse: Purse) -> dict[str, dict[str, Any]]:
        """Most of what a player does leaves the cards as they are."""
        if self._cards and self._cards[:2] == (purse, currency):
            return self._cards[2]
        cards = {one.id: _card(one, purse) for one in currency.packages}
        self._cards = (purse, currency, cards)
        self.packages = [*cards.values()]
        return cards

    def _refuse(self, error: DomainError) -> None:
        super()._refuse(error)
        if self._is_buying and not isinstance(error, NOT_FAILED):
            self.notice = self.notice | {"title": rules.FAILED_TITLE}
        self._is_buying = False
        if isinstance(error, rules.PurchaseFailed) and error.is_over:
            self._begin_anew()


def _first(currency_id: str) -> str:
    return CURRENCIES.get(currency_id, CATALOGUE[0]).packages[0].id


def _price_of(order: dict[str, Any]) -> int:
    return order["coins"] + order["to_pay_kr"]


def _card(package: Package, purse: Purse) -> dict[str, Any]:
    """A package with all the coins on it that this player has for it; `money` is empty for kronor.

    What its price is in the player's own money gives an idea.
    """
    best = Offer(package.price_kr, rules.most_coins(package, purse.balance))
    way = watching_rules.way_to_free(package.price_kr, purse.balance, purse.earning)
    is_foreign = purse.money != exchange.SEK
    return {
        "id": package.id,
        "amount": package.amount,
        "price": package.price_kr,
        "money": purse.money.code if is_foreign else "",
        "converted_price": exchange.converted(package.price_kr, purse.money) if is_foreign else 0,
        "flag": package.flag or "",
        "unit_tenth_ore": half_up(package.price_kr * 1000, package.amount),
        "most": best.coins,
        "to_pay": best.to_pay_kr,
        "savings": best.savings_percent,
        "missing": way.coins,
        "ads": way.ads,
        "minutes": way.minutes,
        "days": way.days,
        "is_sold_out": package.id not in purse.in_stock,
    }


def _offer(offer: Offer, purse: Purse) -> dict[str, Any]:
    """What the button buys; `converted` is what is left to pay in the player's own money."""
    return {
        "coins": offer.coins,
        "to_pay": offer.to_pay_kr,
        "savings": offer.savings_percent,
        "is_free": offer.is_free,
        "fewer_for_card": offer.coins_too_many_for_a_card,
        "converted": exchange.converted(offer.to_pay_kr, purse.money),
        "left": purse.balance - offer.coins,
        "card": (Card.TAKEN if offer.is_free else purse.card).value,
    }


def order_row(order: Order) -> dict[str, Any]:
    """An order as pages show it, by what it holds itself; its gift code is never among it."""
    return asdict(order) | {
        "id": str(order.id),
        "status": order.status.value,
        "name": currency_name(order.product_name, order.amount),
        "tint": tint_of(order.package_id),
        "created_at": order.created_at.isoformat(),
        "expires_at": order.expires_at.isoformat() if order.expires_at else "",
        "checkout_url": order.checkout_url or "",
        "ticket": str(order.ticket or ""),
    }
