"""Whatever keeps a purchase from being made has its name, and moves neither coins nor codes."""

from dataclasses import replace
from typing import Any

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.coins.rules import NotEnoughCoins
from rewards_app.features.payments.rules import CardsAreOff
from rewards_app.features.shop import books, buying, rules, service
from rewards_app.features.shop.buying import Wish
from rewards_app.features.shop.catalogue import NoPackage
from rewards_app.features.shop.rules import Status
from tests.paying import ask
from tests.shop import NOON, PRICE, THE_PACKAGE, a_buyer, a_wish, balance_of, buys, orders_of, stock

pytestmark = pytest.mark.usefixtures("database")

COINS = 50


@pytest.fixture
async def maja(database: str) -> Actor:
    await stock(5)
    return await a_buyer(coins_owned=COINS)


async def refused(buyer: Actor, wish: Wish) -> DomainError:
    """Why; the buyer's coins, orders and the stock are then as before."""
    before = await balance_of(buyer), await orders_of(buyer)
    with pytest.raises(DomainError) as refusal:
        await buying.buy(buyer, wish, language="en", now=NOON)
    assert (await balance_of(buyer), await orders_of(buyer)) == before
    return refusal.value


class TestThePackage:
    async def test_must_be_one_of_its_currency(self, maja: Actor):
        for package_id in ("", "vbucks", "vbucks-9", "robux-400", "vbucks-1000 "):
            said = await refused(maja, Wish("vbucks", package_id, 0, new_id()))
            assert isinstance(said, NoPackage)
            assert said.title == "errors.shop.failed_title"
        assert isinstance(await refused(maja, Wish("robux", THE_PACKAGE, 0, new_id())), NoPackage)

    async def test_must_be_in_stock(self, maja: Actor, database: str):
        said = await refused(maja, a_wish(45, "robux-400"))
        assert isinstance(said, rules.SoldOut)
        assert ask(database, "select count(*) from gift_codes where status = 'free'") == [(5,)]


class TestTheCoins:
    async def test_must_be_a_whole_number_within_the_price(self, maja: Actor):
        strange: list[Any] = [-1, 90, 10**12, 1.5, "26", None, True, [26]]
        for coins in strange:
            said = await refused(maja, replace(a_wish(), coins=coins))
            assert isinstance(said, rules.NotThatManyCoins), coins

    async def test_must_be_owned(self, maja: Actor):
        for coins, missing in ((51, 1), (86, 36), (89, 39)):
            said = await refused(maja, a_wish(coins))
            assert isinstance(said, NotEnoughCoins)
            assert said.params == {"count": missing}

    async def test_must_leave_what_a_card_can_pay(self, maja: Actor):
        assert isinstance(await refused(maja, a_wish(88)), rules.BelowCardMinimum)

    async def test_that_are_held_by_another_order_are_not_there(self, maja: Actor):
        await buys(maja, COINS)
        said = await refused(maja, a_wish(1))
        assert isinstance(said, NotEnoughCoins)
        assert await balance_of(maja) == (0, COINS)


class TestTheBuyer:
    async def test_must_have_said_when_they_were_born(self, maja: Actor):
        said = await refused(replace(maja, is_age_verified=False), a_wish(COINS))
        assert isinstance(said, rules.AgeUnknown)

    async def test_has_three_unpaid_orders_at_most(self, maja: Actor):
        waiting = [await buys(maja, 10) for _ in range(3)]
        said = await refused(maja, a_wish(10))
        assert isinstance(said, rules.TooManyWaiting)
        await service.cancel(maja, waiting[0].purchase_id)
        assert (await buys(maja, 10)).status is Status.WAITING

    async def test_may_buy_with_coins_alone_however_many_orders_wait(self, maja: Actor):
        eva = await a_buyer("Eva", coins_owned=PRICE)
        for _ in range(3):
            await buys(eva)
        assert (await buys(eva, PRICE)).status is Status.COMPLETED

    async def test_opens_a_dozen_checkouts_in_ten_minutes_at_most(self, maja: Actor):
        for _ in range(12):
            await service.cancel(maja, (await buys(maja)).purchase_id)
        assert isinstance(await refused(maja, a_wish()), TooManyAttempts)

    async def test_pays_by_card_only_where_cards_are_taken(self, maja: Actor, monkeypatch):
        monkeypatch.setattr(type(settings()), "offers_test_payments", False)
        assert isinstance(await refused(maja, a_wish(COINS)), CardsAreOff)


class TestAStory:
    async def test_of_refusals_leaves_no_trace_but_clean_books(self, maja: Actor, database: str):
        for wish in (a_wish(-1), a_wish(60), a_wish(88), a_wish(45, "robux-400")):
            await refused(maja, wish)
        counts = "select (select count(*) from {}) + (select count(*) from {})"
        assert ask(database, counts.format("purchases", "payments")) == [(0,)]
        assert ask(database, counts.format("coin_holds", "procrastinate_jobs")) == [(0,)]
        async with transaction() as session:
            assert (await books.check(session)).purchases == 0
