"""The figures on the front page: true, counted once for all, and unknown where they are."""

import asyncio

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.features.accounts import service as accounts
from rewards_app.features.landing.figures import Counted, PublicFigures
from rewards_app.features.shop import service as shop
from rewards_app.features.shop.history_repository import COMPLETED
from tests.ads import an_ad, the_player, watches
from tests.paying import an_order, hears, is_paid_at
from tests.plans import plan_of
from tests.shop import NOON, PRICE, a_buyer, buys, stock
from tests.stripe_server import StripeServer


class Clock:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


async def rewards() -> int:
    found = await Counted().fresh()
    assert found
    return found.rewards


@pytest.mark.usefixtures("database")
class TestTheFigures:
    async def test_of_an_empty_house_are_nothing(self):
        assert await Counted().fresh() == PublicFigures(0, 0, 0)

    async def test_count_players_and_what_they_watched(self):
        await watches(await the_player("Maja"), await an_ad())
        await the_player("Emil")
        assert await Counted().fresh() == PublicFigures(players=2, ads=1, rewards=0)

    async def test_count_an_order_that_was_paid_by_card_alone(self, stripe: StripeServer):
        _, bought = await an_order(coins_used=0)
        await hears(stripe, await is_paid_at(stripe, bought))
        assert await rewards() == 1

    async def test_count_no_order_that_nobody_has_paid(self, stripe: StripeServer):
        await an_order(coins_used=0)
        assert await rewards() == 0

    async def test_count_no_order_that_was_refunded(self):
        await stock(2)
        maja = await a_buyer(coins_owned=2 * PRICE)
        _, returned = await buys(maja, PRICE), await buys(maja, PRICE)
        assert await rewards() == 2
        async with transaction() as session:
            await shop.refund(session, None, returned.purchase_id, "wrong game", now=NOON)
        assert await rewards() == 1

    async def test_count_orders_without_reading_them(self, database: str):
        with psycopg.connect(database) as connection:
            connection.execute("set enable_seqscan = off")
            plan = plan_of(connection, COMPLETED)
        assert plan.indexes == {"ix_purchases_completed"}
        assert "Index Only Scan" in plan.text

    async def test_are_counted_once_for_all_who_ask_and_anew_after_a_while(self, monkeypatch):
        times, players = 0, accounts.players

        async def counting() -> int:
            nonlocal times
            times += 1
            return await players()

        monkeypatch.setattr(accounts, "players", counting)
        clock = Clock()
        counted = Counted(clock)
        await asyncio.gather(*(counted.fresh() for _ in range(100)))
        clock.seconds += 29.9
        await counted.fresh()
        assert times == 1
        clock.seconds += 0.1
        await counted.fresh()
        assert times == 2

    async def test_that_cannot_be_counted_are_unknown_until_they_can_again(self, monkeypatch):
        async def breaks() -> int:
            raise RuntimeError("x")

        clock = Clock()
        counted = Counted(clock)
        with monkeypatch.context() as broken:
            broken.setattr(accounts, "players", breaks)
            assert await counted.fresh() is None
        clock.seconds += 30
        assert await counted.fresh() == PublicFigures(0, 0, 0)
