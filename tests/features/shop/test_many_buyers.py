"""Many presses at the same moment: coins are spent once, and each code has one buyer."""

import asyncio
from collections import Counter

import pytest

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import Mode, settings
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import NotEnoughCoins
from rewards_app.features.shop import books, purse, rules, service
from rewards_app.features.shop import stock as shelves
from rewards_app.features.shop.buying import Bought
from tests.crowds import all_at_once
from tests.paying import ask, letters_queued
from tests.shop import NOON, PRICE, THE_PACKAGE, a_buyer, balance_of, buys, orders_of, stock

pytestmark = pytest.mark.usefixtures("database")

SPENDS, BALANCE, A_SPEND = 2000, 315, 100
BUYERS, CODES = 1000, 100


def names_of(came: list) -> Counter[str]:
    """How often each thing came of it: a status, or a refusal's name."""
    return Counter(
        type(one).__name__ if isinstance(one, BaseException) else one.status.value for one in came
    )


async def the_books_are_clean() -> bool:
    async with transaction() as session:
        return (await books.check(session)).is_clean and (await coins.check(session)).is_clean


class TestTwoTabs:
    async def test_spend_the_same_coins_once(self):
        await stock(2)
        maja = await a_buyer(coins_owned=PRICE)
        came = await asyncio.gather(*(buys(maja, PRICE) for _ in range(2)), return_exceptions=True)
        assert names_of(came)["completed"] == 1
        assert await balance_of(maja) == (0, 0)
        assert len(await orders_of(maja)) == 1

    async def test_hold_the_same_coins_once(self):
        await stock(2)
        maja = await a_buyer(coins_owned=50)
        came = await asyncio.gather(*(buys(maja, 50) for _ in range(2)), return_exceptions=True)
        assert names_of(came)["waiting"] == 1
        assert await balance_of(maja) == (0, 50)

    @pytest.mark.parametrize("coins_used", [PRICE, 26, 0])
    async def test_pressing_one_offer_at_once_buy_once(self, database: str, coins_used: int):
        """One code, and just the coins for it: whoever comes second lacks both."""
        await stock(1)
        maja = await a_buyer(coins_owned=coins_used)
        attempt = new_id()
        came = await asyncio.gather(*(buys(maja, coins_used, attempt=attempt) for _ in range(8)))
        assert len({bought.purchase_id for bought in came}) == 1
        assert ask(database, "select count(*) from purchases") == [(1,)]

    async def test_share_no_offer_with_another_player(self):
        await stock(2)
        attempt = new_id()
        maja, eva = [await a_buyer(name, coins_owned=PRICE) for name in ("Maja", "Eva")]
        hers, evas = [await buys(player, PRICE, attempt=attempt) for player in (maja, eva)]
        assert hers.purchase_id != evas.purchase_id


class TestHoarding:
    async def test_in_many_tabs_at_once_keeps_three_codes_at_most(self, database: str):
        await stock(12)
        maja = await a_buyer()
        came = await asyncio.gather(*(buys(maja) for _ in range(10)), return_exceptions=True)
        assert names_of(came) == {"waiting": 3, "TooManyWaiting": 7}
        reserved = "select count(*) from gift_codes where status = 'reserved'"
        assert ask(database, reserved) == [(3,)]


class TestTwoThousandSpends:
    async def test_of_a_hundred_from_three_hundred_and_fifteen_win_three_times(self):
        maja = await a_buyer(coins_owned=BALANCE)

        async def spends() -> None:
            cause = f"test:{new_id()}"
            async with transaction() as session:
                hold = await coins.hold(session, maja.user_id, A_SPEND, cause, now=NOON)
            async with transaction() as session:
                await coins.settle(session, hold, now=NOON)

        came = await all_at_once(spends() for _ in range(SPENDS))
        refused = [one for one in came if isinstance(one, NotEnoughCoins)]
        assert (came.count(None), len(refused)) == (3, SPENDS - 3)
        assert await balance_of(maja) == (15, 0)

    async def test_by_buying_win_as_often_as_the_coins_reach(self):
        await stock(10, "vbucks-1000")
        maja = await a_buyer(coins_owned=BALANCE)
        came = await all_at_once(buys(maja, PRICE) for _ in range(200))
        assert names_of(came)["completed"] == BALANCE // PRICE == 3
        assert await balance_of(maja) == (BALANCE - 3 * PRICE, 0)


class TestAThousandBuyers:
    async def test_for_a_hundred_codes_leave_nine_hundred_with_their_coins(self, database: str):
        codes = await stock(CODES)
        buyers = [await a_buyer(f"Player{n}", coins_owned=PRICE) for n in range(BUYERS)]
        came = await all_at_once(buys(buyer, PRICE) for buyer in buyers)
        assert names_of(came) == {"completed": CODES, "SoldOut": BUYERS - CODES}
        winners = [
            (buyer, bought.purchase_id)
            for buyer, bought in zip(buyers, came, strict=True)
            if isinstance(bought, Bought)
        ]
        given = [await service.code_of(buyer, purchase_id) for buyer, purchase_id in winners]
        assert sorted(given) == sorted(codes)
        assert len(letters_queued(database)) == CODES
        counted = "select balance, count(*) from coin_balances group by 1 order by 1"
        assert ask(database, counted) == [(0, CODES), (PRICE, BUYERS - CODES)]
        assert await the_books_are_clean()


class TestDemoCodes:
    async def test_are_not_sold_in_production(self, monkeypatch: pytest.MonkeyPatch):
        await stock(2, is_demo=True)
        maja = await a_buyer(coins_owned=4 * PRICE)
        monkeypatch.setattr(settings(), "mode", Mode.PRODUCTION)
        async with transaction() as session:
            assert (await purse.purse_of(session, maja, now=NOON)).in_stock == set()
            levels = {one.package_id: one for one in await shelves.levels(session)}
        assert (levels[THE_PACKAGE].free, levels[THE_PACKAGE].demo) == (0, 2)
        with pytest.raises(rules.SoldOut):
            await buys(maja, PRICE)
        assert await balance_of(maja) == (4 * PRICE, 0)
        (real,) = await stock(1)
        bought = await buys(maja, PRICE)
        assert await service.code_of(maja, bought.purchase_id) == real

    async def test_are_taken_last(self):
        await stock(2, is_demo=True)
        real = await stock(2)
        maja = await a_buyer(coins_owned=4 * PRICE)
        bought = [(await buys(maja, PRICE)).purchase_id for _ in range(4)]
        given = [await service.code_of(maja, purchase_id) for purchase_id in bought]
        assert set(given[:2]) == set(real)
        assert not set(given[2:]) & set(real)
        are_demo = {order.id: order.is_demo for order in await orders_of(maja)}
        assert [are_demo[purchase_id] for purchase_id in bought] == [False, False, True, True]
