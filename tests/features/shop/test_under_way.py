"""What the shop says of an order that is paid by a way that takes days."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.errors import DomainError
from rewards_app.features.shop import rules, service
from rewards_app.features.shop.orders_state import OrdersState
from rewards_app.features.shop.state import ShopState
from tests.shop import THE_PACKAGE, a_buyer, buys, orders_of, stock
from tests.states import acting, calls
from tests.stripe_server import StripeServer


@pytest.fixture(autouse=True)
async def maja(stripe: StripeServer) -> AsyncIterator[Actor]:
    """Without a coin, in front of a shop that has a code."""
    await stock(1)
    with acting(await a_buyer()) as actor:
        yield actor


async def test_the_shop_offers_no_checkout_any_more(page: Any, maja: Actor, stripe: StripeServer):
    shop = await page.get_state(ShopState)
    await calls(ShopState.load, shop)
    wish = {"currency_id": shop.currency_id, "package_id": THE_PACKAGE, "coins": 0}
    await calls(ShopState.purchase, shop, **wish, attempt=UUID(shop.attempt))
    assert (bool(shop.opened["url"]), shop.opened["is_under_way"]) == (True, False)
    stripe.promise_to_pay(stripe.newest_session["id"])
    await service.look_again(maja, UUID(shop.opened["id"]))
    await calls(ShopState.refresh, shop)
    assert (shop.opened["url"], shop.opened["is_under_way"]) == ("", True)
    (order,) = shop.latest
    assert (order["checkout_url"], order["is_under_way"]) == ("", True)


async def test_the_shop_advises_nobody_to_cancel_what_nobody_can(maja: Actor, stripe: StripeServer):
    await stock(3)
    refused = []
    for _ in range(3):
        await buys(maja, 0, now=utc_now())
        stripe.promise_to_pay(stripe.newest_session["id"])
    for _ in range(2):
        with pytest.raises(DomainError) as refusal:
            await buys(maja, 0, now=utc_now())
        refused.append(type(refusal.value))
        for order in await orders_of(maja):
            await service.look_again(maja, order.id)
    assert refused == [rules.TooManyWaiting, rules.AllUnderWay]


async def test_the_orders_refuse_to_cancel_it_and_show_why(
    page: Any, maja: Actor, stripe: StripeServer
):
    bought = await buys(maja, 0, now=utc_now())
    orders = await page.get_state(OrdersState)
    await calls(OrdersState.load, orders)
    stripe.promise_to_pay(stripe.newest_session["id"])
    await calls(OrdersState.cancel, orders, order_id=bought.purchase_id)
    assert orders.notice["text"] == "errors.shop.payment_under_way"
    (row,) = orders.orders
    assert (row["status"], row["is_under_way"]) == ("waiting", True)
    assert (row["checkout_url"], row["expires_at"]) == ("", "")
    assert [order.is_under_way for order in await orders_of(maja)] == [True]
