"""What the orders show of a checkout that was left without having paid."""

from typing import Any

import pytest

from rewards_app.features.shop.orders_state import OrdersState
from tests.paying import an_order
from tests.shop import orders_of
from tests.states import acting, at, calls
from tests.stripe_server import StripeServer


@pytest.fixture
async def orders(page: Any) -> OrdersState:
    return await page.get_state(OrdersState)


async def comes_back(orders: OrdersState, page: Any, order_id: Any, came: str) -> None:
    at(page, f"/shop/orders?order={order_id}&came={came}")
    await calls(OrdersState.load, orders)
    await calls(OrdersState.come_back, orders, order_id=order_id, has_cancelled=came == "cancelled")


async def test_that_it_was_cancelled(page: Any, orders: OrdersState, stripe: StripeServer):
    buyer, bought = await an_order()
    with acting(buyer):
        await comes_back(orders, page, bought.purchase_id, "cancelled")
    (row,) = orders.orders
    assert (row["status"], orders.has_left) == ("cancelled", True)


async def test_that_it_was_left_where_nobody_could_close_it(
    page: Any, orders: OrdersState, stripe: StripeServer
):
    buyer, bought = await an_order()
    stripe.is_away = True
    with acting(buyer):
        await comes_back(orders, page, bought.purchase_id, "cancelled")
    (row,) = orders.orders
    assert (row["status"], orders.has_left) == ("waiting", True)
    assert orders.notice["text"] == "errors.shop.cannot_cancel_now"


async def test_that_it_is_paid_already_where_it_was(
    page: Any, orders: OrdersState, stripe: StripeServer
):
    buyer, bought = await an_order()
    with acting(buyer):
        at(page, f"/shop/orders?order={bought.purchase_id}&came=cancelled")
        await calls(OrdersState.load, orders)
        stripe.promise_to_pay(stripe.newest_session["id"])
        await calls(OrdersState.come_back, orders, order_id=bought.purchase_id, has_cancelled=True)
    (row,) = orders.orders
    assert (row["status"], row["is_under_way"]) == ("waiting", True)
    assert orders.notice["text"] == "errors.shop.payment_under_way"


async def test_nothing_of_who_comes_having_paid(
    page: Any, orders: OrdersState, stripe: StripeServer
):
    buyer, bought = await an_order()
    with acting(buyer):
        await comes_back(orders, page, bought.purchase_id, "cancelled")
        await comes_back(orders, page, bought.purchase_id, "paid")
        assert not orders.has_left
        assert [order.status for order in await orders_of(buyer)] == ["cancelled"]
