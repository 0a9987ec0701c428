"""What the shop says of a purchase, also where something of ours breaks on the way."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
import time_machine
from prometheus_client import REGISTRY

from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.payments import news
from rewards_app.features.shop import purse, repository, service
from rewards_app.features.shop.orders_state import OrdersState, ProblemState
from rewards_app.features.shop.rules import Status
from rewards_app.features.shop.state import ShopState
from rewards_app.features.support.rules import LONGEST_MESSAGE
from tests.guardians import has_consent, is_born
from tests.paying import payment_of
from tests.shop import (
    NOON,
    PRICE,
    THE_PACKAGE,
    a_buyer,
    buys,
    earns,
    orders_of,
    stock,
    was_of_what_is_sold_no_more,
)
from tests.states import acting, calls

FOURTEEN = f"{NOON.year - 14}-01-01"


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    """With coins for one package, and a code of it in stock."""
    with time_machine.travel(NOON, tick=False):
        await stock(1)
        with acting(await a_buyer(coins_owned=PRICE)) as actor:
            yield actor


@pytest.fixture
async def shop(page: Any) -> ShopState:
    shop = await page.get_state(ShopState)
    await calls(ShopState.load, shop)
    return shop


async def presses(shop: ShopState) -> None:
    await calls(
        ShopState.purchase,
        shop,
        currency_id=shop.currency_id,
        package_id=THE_PACKAGE,
        coins=shop.offer["coins"],
        attempt=UUID(shop.attempt),
    )


async def has_no_time_left(order_id: UUID) -> None:
    payment = await payment_of(order_id)
    async with transaction() as session:
        await news.expire(session, payment.id, now=NOON)


def cannot_be_shown(monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    async def breaks(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(purse, "purse_of", breaks)


async def test_what_was_bought_is_thanked_for(shop: ShopState):
    await presses(shop)
    assert shop.done["package_id"] == THE_PACKAGE
    assert (shop.balance, shop.notice, shop.is_busy) == (0, {}, False)


@pytest.mark.parametrize("failure", [RuntimeError(), StorageAway()], ids=["bug", "away"])
class TestWhatWasBoughtAndCannotBeShown:
    async def test_has_not_failed(self, shop: ShopState, maja: Actor, monkeypatch, failure):
        cannot_be_shown(monkeypatch, failure)
        await presses(shop)
        assert len(await orders_of(maja)) == 1
        assert (shop.notice["title"], shop.notice["text"]) == (
            "errors.title",
            "errors.shop.no_answer",
        )
        assert not shop.is_busy

    async def test_is_shown_when_the_button_is_pressed_again(
        self, shop: ShopState, maja: Actor, monkeypatch, failure
    ):
        with monkeypatch.context() as meanwhile:
            cannot_be_shown(meanwhile, failure)
            await presses(shop)
        await presses(shop)
        (order,) = await orders_of(maja)
        assert shop.done["id"] == str(order.id)

    async def test_is_shown_also_where_the_button_says_sold_out_by_then(
        self, shop: ShopState, maja: Actor, monkeypatch, failure
    ):
        """It was the last code."""
        with monkeypatch.context() as meanwhile:
            cannot_be_shown(meanwhile, failure)
            await presses(shop)
        await calls(ShopState.refresh, shop)
        assert shop.offer["is_sold_out"]
        await presses(shop)
        (order,) = await orders_of(maja)
        assert shop.done["id"] == str(order.id)


class TestAPurchaseThatNobodyCanBeAskedAbout:
    @pytest.fixture(autouse=True)
    def _away_after_the_purchase(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As when the database goes away with its answer, and stays away."""
        completes = repository.complete

        async def completes_and_is_away(*details: Any, **more: Any) -> None:
            await completes(*details, **more)
            await details[0].commit()
            monkeypatch.setattr(repository, "of_attempt", is_away)
            raise StorageAway

        async def is_away(*_: object) -> None:
            raise StorageAway

        monkeypatch.setattr(repository, "complete", completes_and_is_away)

    async def test_is_not_told_as_failed(self, shop: ShopState, maja: Actor):
        await presses(shop)
        assert [order.status for order in await orders_of(maja)] == [Status.COMPLETED]
        assert (shop.notice["title"], shop.notice["text"]) == (
            "errors.title",
            "errors.shop.no_answer",
        )
        assert not shop.is_busy


def defects_of(handler: Any) -> float:
    """What the alarm for broken handlers hears."""
    return (
        REGISTRY.get_sample_value("watchcoins_broken_total", {"where": handler.fn.__qualname__})
        or 0
    )


@pytest.mark.parametrize("failure", [RuntimeError(), StorageAway()], ids=["bug", "away"])
class TestACancelledOrderThatCannotBeShown:
    async def test_was_cancelled_all_the_same(
        self, shop: ShopState, maja: Actor, monkeypatch, failure
    ):
        bought = await buys(maja, PRICE - 10)
        cannot_be_shown(monkeypatch, failure)
        before = defects_of(ShopState.cancel)
        await calls(ShopState.cancel, shop, order_id=bought.purchase_id)
        assert [order.status for order in await orders_of(maja)] == [Status.CANCELLED]
        assert (shop.notice["title"], shop.notice["text"]) == (
            "errors.done_not_shown_title",
            "errors.done_not_shown",
        )
        assert not shop.is_busy
        assert defects_of(ShopState.cancel) == before + isinstance(failure, RuntimeError)

    async def test_is_refused_in_its_own_words_where_it_was_not(
        self, shop: ShopState, monkeypatch, failure
    ):
        cannot_be_shown(monkeypatch, failure)
        await calls(ShopState.cancel, shop, order_id=new_id())
        assert shop.notice["text"] == "errors.shop.unknown_purchase"
        assert not shop.is_busy


class TestAnOrderThatIsShown:
    @pytest.fixture
    async def opened(self, shop: ShopState, maja: Actor) -> UUID:
        """The order of a checkout that waits in another tab."""
        await calls(ShopState.use_coins, shop, coins=26)
        await presses(shop)
        assert shop.opened["url"]
        return UUID(shop.opened["id"])

    async def test_says_that_its_time_is_over(self, shop: ShopState, opened: UUID):
        await has_no_time_left(opened)
        await calls(ShopState.refresh, shop)
        assert (shop.opened, shop.done["id"]) == ({}, str(opened))
        assert (shop.done["status"], shop.done["was_paid"]) == ("expired", False)

    async def test_that_was_cancelled_elsewhere_leads_back_to_its_offer(
        self, shop: ShopState, opened: UUID, maja: Actor
    ):
        await service.cancel(maja, opened)
        await calls(ShopState.refresh, shop)
        assert (shop.opened, shop.done, shop.offer["coins"]) == ({}, {}, PRICE)

    async def test_is_followed_behind_newer_ones(self, shop: ShopState, opened: UUID, maja: Actor):
        await stock(3)
        await earns(maja, 3 * PRICE)
        for _ in range(3):
            await buys(maja, PRICE)
        await has_no_time_left(opened)
        await calls(ShopState.refresh, shop)
        assert (shop.opened, shop.done["status"]) == ({}, "expired")

    async def test_is_thanked_for_no_more_once_it_is_refunded(self, shop: ShopState):
        await presses(shop)
        assert (shop.done["status"], shop.done["left"]) == ("completed", 0)
        async with transaction() as session:
            await service.refund(
                session, None, UUID(shop.done["id"]), "It was taken twice.", now=NOON
            )
        await calls(ShopState.refresh, shop)
        assert (shop.done["status"], shop.balance) == ("refunded", PRICE)

    async def test_keeps_what_was_left_after_it(self, shop: ShopState, maja: Actor):
        await presses(shop)
        await earns(maja, 15)
        await calls(ShopState.refresh, shop)
        assert (shop.done["left"], shop.balance) == (0, 15)


class TestAProblemWithAnOrder:
    async def test_in_too_many_words_is_refused_beside_them(self, page: Any, shop: ShopState):
        await presses(shop)
        problem = await page.get_state(ProblemState)
        order_id = UUID(shop.done["id"])
        await calls(ProblemState.ask, problem, order_id=order_id, product="1,000 V-Bucks")
        declared = access_of(ProblemState.send.fn)
        assert declared
        await calls(ProblemState.send, problem, **declared.checked({"message": "x" * 19_000}))
        assert problem.refusal["params"] == {"count": LONGEST_MESSAGE, "field": "message"}
        assert (problem.order_id, problem.is_busy) == (str(order_id), False)


class TestACancelledOrder:
    @pytest.mark.parametrize(
        ("coins", "text"), [(26, "orders.cancelled_text"), (0, "orders.card_alone.cancelled_text")]
    )
    async def test_speaks_of_coins_where_some_were_on_it(
        self, page: Any, shop: ShopState, maja: Actor, coins: int, text: str
    ):
        orders = await page.get_state(OrdersState)
        for state, handler in ((shop, ShopState), (orders, OrdersState)):
            bought = await buys(maja, coins)
            await calls(handler.load, state)
            await calls(handler.cancel, state, order_id=bought.purchase_id)
            assert state.notice["text"] == text


class TestAPressOfAnOlderButton:
    async def test_is_thanked_for_behind_newer_orders(self, shop: ShopState, maja: Actor):
        """Its answer was lost, and more was bought in another tab since."""
        bought = await buys(maja, PRICE, attempt=UUID(shop.attempt))
        await stock(3)
        await earns(maja, 3 * PRICE)
        for _ in range(3):
            await buys(maja, PRICE)
        await presses(shop)
        assert (shop.notice, shop.done["id"]) == ({}, str(bought.purchase_id))


async def test_a_button_that_says_sold_out_looks_again_and_spends_nothing(
    shop: ShopState, maja: Actor
):
    await buys(await a_buyer(coins_owned=PRICE), PRICE)
    for _ in range(2):
        await presses(shop)
        assert shop.notice["text"] == "errors.shop.sold_out"
    await stock(1)
    await presses(shop)
    assert (shop.offer["is_sold_out"], shop.done, shop.is_busy) == (False, {}, False)
    assert (shop.balance, len(await orders_of(maja))) == (PRICE, 0)
    await presses(shop)
    assert shop.done["package_id"] == THE_PACKAGE


async def test_what_is_sold_out_says_so_once_it_was_refused(shop: ShopState):
    await buys(await a_buyer("Eva", coins_owned=PRICE), PRICE)
    await presses(shop)
    assert shop.notice["text"] == "errors.shop.sold_out"
    assert (shop.offer["is_sold_out"], shop.packages[0]["is_sold_out"]) == (True, True)


class TestTheCoinsOnAPackage:
    async def test_are_on_it_again_once_they_are_back(self, shop: ShopState, maja: Actor):
        bought = await buys(maja, PRICE - 10)
        await calls(ShopState.refresh, shop)
        assert shop.offer["coins"] == 10
        await service.cancel(maja, bought.purchase_id)
        await calls(ShopState.refresh, shop)
        assert (shop.offer["coins"], shop.offer["to_pay"]) == (PRICE, 0)

    async def test_are_no_more_than_were_chosen(self, shop: ShopState, maja: Actor):
        await calls(ShopState.use_coins, shop, coins=26)
        bought = await buys(maja, PRICE - 10)
        await calls(ShopState.refresh, shop)
        await service.cancel(maja, bought.purchase_id)
        await calls(ShopState.refresh, shop)
        assert shop.offer["coins"] == 26


class TestWhereNoCardPays:
    async def test_a_rest_is_not_for_sale(self, shop: ShopState, monkeypatch: pytest.MonkeyPatch):
        assert shop.offer["card"] == "taken"
        monkeypatch.setattr(type(settings()), "offers_test_payments", False)
        await calls(ShopState.use_coins, shop, coins=26)
        await calls(ShopState.refresh, shop)
        assert (shop.offer["to_pay"], shop.offer["card"]) == (PRICE - 26, "off")

    async def test_coins_alone_buy_as_ever(self, shop: ShopState, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(type(settings()), "offers_test_payments", False)
        await calls(ShopState.refresh, shop)
        assert (shop.offer["is_free"], shop.offer["card"]) == (True, "taken")

    async def test_a_guardians_yes_is_waited_for(self, shop: ShopState, maja: Actor):
        await is_born(maja, FOURTEEN)
        await calls(ShopState.use_coins, shop, coins=26)
        await calls(ShopState.refresh, shop)
        assert shop.offer["card"] == "needs_guardian"
        await has_consent(maja)
        await calls(ShopState.refresh, shop)
        assert shop.offer["card"] == "taken"


class TestOlderOrders:
    """Below the newest two, of which a page begins: the oldest waits for its payment."""

    @pytest.fixture
    async def orders(self, page: Any, maja: Actor, monkeypatch: pytest.MonkeyPatch) -> OrdersState:
        monkeypatch.setattr(service, "A_PAGE", 2)
        await stock(3)
        await earns(maja, 3 * PRICE)
        for coins in (PRICE - 10, PRICE, PRICE, PRICE):
            await buys(maja, coins)
        orders = await page.get_state(OrdersState)
        await calls(OrdersState.load, orders)
        await calls(OrdersState.load_more, orders, before=UUID(orders.next_before))
        assert _statuses(orders) == ["completed"] * 3 + ["waiting"]
        return orders

    async def test_show_what_became_of_them(self, orders: OrdersState, maja: Actor):
        await service.cancel(maja, UUID(orders.orders[3]["id"]))
        await calls(OrdersState.refresh, orders)
        assert _statuses(orders) == ["completed"] * 3 + ["cancelled"]

    async def test_stay_where_they_are_when_one_is_cancelled(self, orders: OrdersState):
        await calls(OrdersState.cancel, orders, order_id=UUID(orders.orders[3]["id"]))
        assert _statuses(orders) == ["completed"] * 3 + ["cancelled"]
        assert orders.notice["title"] == "orders.cancelled_title"


def _statuses(orders: OrdersState) -> list[str]:
    return [row["status"] for row in orders.orders]


class TestWhatIsSoldNoMore:
    async def test_closes_the_shop_for_nobody_who_bought_it(self, page: Any, maja: Actor):
        bought = await buys(maja, PRICE)
        await was_of_what_is_sold_no_more(bought.purchase_id)
        shop = await page.get_state(ShopState)
        await calls(ShopState.load, shop)
        (row,) = shop.latest
        assert shop.is_loaded
        assert shop.offer["id"] == THE_PACKAGE
        assert (row["amount"], row["name"], row["game"]) == (50, "Doubloons", "Port Royal")
        assert row["tint"] == ""

    async def test_stays_among_their_orders_with_its_code(self, page: Any, maja: Actor):
        bought = await buys(maja, PRICE)
        await was_of_what_is_sold_no_more(bought.purchase_id, "vbucks-50", "50 V-Bucks")
        orders = await page.get_state(OrdersState)
        await calls(OrdersState.load, orders)
        (row,) = orders.orders
        assert (row["amount"], row["name"], row["tint"]) == (50, "V-Bucks", "sky")
        assert (await service.code_of(maja, bought.purchase_id)).startswith("CODE-")

    @pytest.mark.parametrize(
        ("currency_id", "package_id", "then"),
        [("robux", "robux-50", "robux-400"), ("doubloons", "doubloons-50", THE_PACKAGE)],
    )
    async def test_is_chosen_no_more(
        self, shop: ShopState, currency_id: str, package_id: str, then: str
    ):
        shop.currency_id, shop.package_id = currency_id, package_id
        await calls(ShopState.refresh, shop)
        await calls(ShopState.load, shop)
        assert (shop.package_id, shop.currency_id) == (then, then.partition("-")[0])
        assert shop.offer["id"] == then

    async def test_is_shown_no_more_and_nothing_at_its_old_price(self, shop: ShopState):
        assert shop._cards
        purse, currency, _ = shop._cards
        (first, *_) = currency.packages
        shop._cards = (purse, replace(currency, packages=(replace(first, price_kr=1),)), {})
        await calls(ShopState.refresh, shop)
        assert (shop.offer["price"], len(shop.packages)) == (PRICE, 4)
