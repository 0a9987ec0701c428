"""The first start: stock to try the shop out with, and a past whose books are clean."""

import asyncio
from datetime import timedelta

import pytest

from rewards_app import seeding
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository as accounts
from rewards_app.features.coins import service as coins
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import books, demo, service, stock
from rewards_app.features.shop.catalogue import PACKAGES
from rewards_app.features.shop.repository import PURPOSE
from rewards_app.features.shop.rules import Status
from tests.ads import the_actor
from tests.people import NOON
from tests.shop import GONE, a_buyer, balance_of, orders_of

A_DAY = timedelta(days=1)

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def template(demo: str) -> str:
    return demo


async def the_demo_player():
    async with transaction() as session:
        account = await accounts.account_by_email(session, f"{Role.PLAYER}@demo.watchcoins.example")
    assert account
    return the_actor(account)


class TestSeeding:
    async def test_every_package_has_a_dozen_demo_codes(self):
        async with transaction() as session:
            levels = await stock.levels(session)
        assert {(one.package_id, one.free, one.demo) for one in levels} == {
            (package_id, demo.CODES_A_PACKAGE, demo.CODES_A_PACKAGE) for package_id in PACKAGES
        }

    async def test_a_second_start_adds_nothing(self):
        assert not await seeding.seed_once()
        async with transaction() as session:
            assert sum(one.free for one in await stock.levels(session)) == 12 * len(PACKAGES)

    async def test_the_demo_player_has_orders_newest_first_and_coins_left(self):
        player = await the_demo_player()
        orders = await orders_of(player)
        assert [order.package_id for order in orders] == ["cod-500", "robux-400", "valorant-475"]
        assert {order.status for order in orders} == {Status.COMPLETED}
        assert all(order.is_demo and order.was_completed for order in orders)
        assert [order.is_test for order in orders] == [True, False, True]
        balance, held = await balance_of(player)
        assert balance > 0
        assert held == 0

    async def test_a_code_of_the_past_can_be_shown(self):
        player = await the_demo_player()
        newest, *_ = await orders_of(player)
        assert (await service.code_of(player, newest.id)).startswith("DEMO-COD-500-")

    async def test_has_no_past_of_what_is_sold_no_more_or_costs_less_now(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        dear, gone = demo.DemoOrder("robux-400", 60, A_DAY), demo.DemoOrder(GONE, 5, A_DAY)
        monkeypatch.setattr(demo, "DEMO_ORDERS", (dear, gone))
        buyer = await a_buyer(coins_owned=100, now=NOON - 2 * A_DAY)
        async with transaction() as session:
            await demo.add_past(session, buyer.user_id, now=NOON)
        (order,) = await orders_of(buyer)
        assert (order.package_id, order.coins, order.to_pay_kr) == ("robux-400", 45, 0)

    async def test_the_books_of_coins_and_orders_are_clean(self):
        async with transaction() as session:
            orders, ledger = await books.check(session), await coins.check(session)
        assert orders.purchases == len(demo.DEMO_ORDERS)
        assert orders.is_clean
        assert ledger.is_clean

    async def test_an_order_of_the_past_can_be_refunded(self):
        player = await the_demo_player()
        newest, *_ = await orders_of(player)
        async with transaction() as session:
            await service.refund(session, None, newest.id, "Only a demo", now=NOON)
        payment = await payments.of_subject(PURPOSE, newest.id)
        assert payment
        await asyncio.gather(*(payments.return_money(payment.id) for _ in range(2)))
        assert (await orders_of(player))[0].status is Status.REFUNDED
        async with transaction() as session:
            assert (await books.check(session)).is_clean
