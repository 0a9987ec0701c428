"""Buying: coins, money and code move together, or not at all."""

import asyncio

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.guardians.rules import ConsentNeeded
from rewards_app.features.shop import books, rules, service
from rewards_app.features.shop.rules import Status
from tests.guardians import has_consent, is_born
from tests.shop import PRICE, a_buyer, balance_of, buys, orders_of, stock
from tests.waiting import are_waiting

CUT_OFF = """
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
"""
pytestmark = pytest.mark.usefixtures("database")


class TestWithCoinsAlone:
    async def test_takes_the_coins_and_gives_the_code(self):
        codes = await stock(1)
        maja = await a_buyer(coins_owned=100)
        bought = await buys(maja, PRICE)
        assert bought.status is Status.COMPLETED
        assert await balance_of(maja) == (100 - PRICE, 0)
        assert await service.code_of(maja, bought.purchase_id) == codes[0]

    async def test_pressed_twice_it_buys_once(self):
        await stock(2)
        maja = await a_buyer(coins_owned=200)
        attempt = new_id()
        first = await buys(maja, PRICE, attempt=attempt)
        again = await buys(maja, PRICE, attempt=attempt)
        assert again == first
        assert len(await orders_of(maja)) == 1

    async def test_pressed_again_it_is_found_though_the_connection_is_lost(self, database: str):
        await stock(2)
        maja = await a_buyer(coins_owned=200)
        attempt = new_id()
        first = await buys(maja, PRICE, attempt=attempt)
        with psycopg.connect(database) as other:
            other.execute("lock gift_codes")
            again = asyncio.create_task(buys(maja, PRICE, attempt=attempt))
            await are_waiting(database)
            other.execute(CUT_OFF)
            assert await again == first
        assert len(await orders_of(maja)) == 1

    async def test_refuses_when_the_stock_is_empty_and_moves_nothing(self):
        maja = await a_buyer(coins_owned=100)
        with pytest.raises(rules.SoldOut):
            await buys(maja, PRICE)
        assert await balance_of(maja) == (100, 0)
        assert await orders_of(maja) == []


class TestByCard:
    async def test_holds_the_coins_and_opens_a_checkout(self):
        await stock(1)
        maja = await a_buyer(coins_owned=50)
        bought = await buys(maja, 50)
        assert bought.status is Status.WAITING
        assert bought.checkout_url
        assert await balance_of(maja) == (0, 50)

    async def test_cancelled_gives_the_coins_and_the_code_back(self):
        await stock(1)
        maja = await a_buyer(coins_owned=50)
        bought = await buys(maja, 50)
        await service.cancel(maja, bought.purchase_id)
        assert await balance_of(maja) == (50, 0)
        assert [order.status for order in await orders_of(maja)] == [Status.CANCELLED]
        async with transaction() as session:
            assert (await books.check(session)).is_clean


class TestUnderSixteen:
    async def test_pays_nothing_by_card_without_a_guardians_consent(self):
        await stock(1)
        maja = await a_buyer(coins_owned=50)
        await is_born(maja, "2011-05-17")
        with pytest.raises(ConsentNeeded):
            await buys(maja, 50)
        assert await balance_of(maja) == (50, 0)
        assert await orders_of(maja) == []

    async def test_buys_with_coins_alone(self):
        await stock(1)
        maja = await a_buyer(coins_owned=100)
        await is_born(maja, "2011-05-17")
        assert (await buys(maja, PRICE)).status is Status.COMPLETED

    async def test_pays_by_card_with_it(self):
        await stock(1)
        maja = await a_buyer(coins_owned=50)
        await is_born(maja, "2011-05-17")
        await has_consent(maja)
        assert (await buys(maja, 50)).status is Status.WAITING
