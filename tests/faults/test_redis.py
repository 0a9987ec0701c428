"""Redis holds only what pages show: while it is away nothing is lost, and nobody gets more."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import redis.asyncio as redis_client

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import id_at, new_id
from rewards_app.core.settings import settings
from rewards_app.features.ads import past, standings
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.rules import DAILY_LIMIT, DailyLimitReached
from rewards_app.models import Ad, AdView
from tests.ads import an_ad, starts, the_actor
from tests.beside import beside
from tests.hostile.client import SHOP, WATCH, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.identities import a_new_email, a_visitor, signs_in, the_one_who_is
from tests.hostile.watching import starts_the_shortest
from tests.ledger import what_is_wrong
from tests.people import an_account
from tests.serving import Redis, Served
from tests.shop import PRICE, THE_PACKAGE, buys, earns, stock
from tests.stripe_server import StripeServer

AD_SECONDS = 5
AWAY = float(os.environ.get("REDIS_AWAY", "1.5"))
"""Seconds; `make promises` takes a minute."""
COINS = 26


@asynccontextmanager
async def away(redis: Redis) -> AsyncIterator[None]:
    """Killed, and everything in it is forgotten; started again after a while."""
    with redis.away():
        yield
        await asyncio.sleep(AWAY)


@dataclass(frozen=True)
class Player:
    """Somebody of one test alone."""

    actor: Actor
    browser: Browser
    ad: Ad


@pytest.fixture
async def maja(two_workers: Served) -> Player:
    """She has coins for three orders, and codes wait for them."""
    async with beside(two_workers):
        email = a_new_email("maja")
        actor = the_actor(await an_account(email, now=utc_now()))
        await earns(actor, 3 * PRICE, now=utc_now())
        await stock(3)
        ad = await an_ad(seconds=AD_SECONDS, reward=15)
    return Player(actor, await signs_in(await a_visitor(two_workers), email), ad)


async def was_paid_for(player: Player, ads: int) -> None:
    """So many ads of this very day."""
    now = utc_now()
    views = [
        AdView(
            id=id_at(now),
            account_id=player.actor.user_id,
            ad_id=player.ad.id,
            status="rewarded",
            started_at=now,
            required_seconds=player.ad.duration,
            reward_coins=player.ad.reward_coins,
            expires_at=now,
            rewarded_at=now,
            ended_at=now,
            tab_hash="",
            day=platform_day(now),
        )
        for _ in range(ads)
    ]
    async with transaction() as session:
        await standings.todays_watcher(session, player.actor.user_id, now=now)
        await past.keep(session, views)


@asynccontextmanager
async def beside_without(redis: Redis, served: Served) -> AsyncIterator[None]:
    """Work as a worker of the app that cannot reach its Redis."""
    async with beside(served):
        settings().redis_url = redis.url
        limits.forget_everything()
        try:
            yield
        finally:
            limits.forget_everything()


@pytest.fixture
async def player(two_workers: Served) -> Browser:
    async with beside(two_workers):
        await an_ad(seconds=AD_SECONDS, reward=15)
    return await the_one_who_is("player", two_workers)


class TestRedisGoesAway:
    async def test_a_finished_ad_is_paid_once_when_it_is_back(
        self, redis: Redis, two_workers: Served, player: Browser
    ):
        async with player.tab("/watch") as tab:
            finished = await _watches(tab)
            async with _away_while_nobody_holds(tab, redis):
                await tab.tell(f"{WATCH}.finish", finished)
                await tab.until(lambda: _says_storage_is_away(tab), within=10)
            await _asks_until_it_is_paid(tab, finished)
        assert _paid_for(finished, two_workers) == 1

    async def test_a_finished_ad_is_paid_once_whether_a_worker_holds_its_page_or_not(
        self, redis: Redis, two_workers: Served, player: Browser
    ):
        """Who holds it pays at once, and then cannot write down what the page shows."""
        async with player.tab("/watch") as tab:
            finished = await _watches(tab)
            await tab.settle()
            async with away(redis):
                await tab.tell(f"{WATCH}.finish", finished)
                await tab.until(lambda: _says_storage_is_away(tab) or _is_paid(tab), within=10)
            await _asks_until_it_is_paid(tab, finished)
        assert _paid_for(finished, two_workers) == 1

    async def test_nobody_is_signed_out(self, redis: Redis, player: Browser):
        async with away(redis):
            pass
        await asyncio.sleep(1)
        async with player.tab("/watch") as tab:
            assert tab.says("role") == "player"

    async def test_the_day_goes_on_where_it_was(
        self, redis: Redis, two_workers: Served, maja: Player
    ):
        async with beside(two_workers):
            await was_paid_for(maja, 7)
        assert await _ads_today(maja) == 7
        async with away(redis):
            pass
        await asyncio.sleep(1)
        assert await _ads_today(maja) == 7

    async def test_nobody_passes_the_ads_of_a_day(
        self, redis: Redis, two_workers: Served, maja: Player
    ):
        async with beside(two_workers):
            await was_paid_for(maja, DAILY_LIMIT)
        wanted = {"ad_id": str(maja.ad.id), "fingerprint": "a browser"}
        async with maja.browser.tab("/watch") as tab:
            async with away(redis):
                for _ in range(3):
                    await tab.tell(f"{WATCH}.start", wanted)
                async with beside_without(redis, two_workers):
                    with pytest.raises(DailyLimitReached):
                        await starts(maja.actor, maja.ad, now=utc_now())
            await asyncio.sleep(1)
        async with maja.browser.tab("/watch") as tab:
            await tab.until(lambda: tab.says("is_loaded") is True)
            assert tab.says("ads_today") == DAILY_LIMIT
            answer = await tab.call(f"{WATCH}.start", wanted)
            assert answer.refused_as == DailyLimitReached.code
        views = "select status, count(*) from ad_views where account_id = %s group by status"
        assert Vault(two_workers).ask(views, maja.actor.user_id) == [("rewarded", DAILY_LIMIT)]

    async def test_an_order_that_is_made_meanwhile_is_kept(
        self, redis: Redis, two_workers: Served, maja: Player
    ):
        pressed = _a_press(PRICE)
        async with maja.browser.tab("/shop") as tab:
            async with away(redis):
                await tab.tell(f"{SHOP}.purchase", pressed)
                async with beside_without(redis, two_workers):
                    bought = await buys(maja.actor, PRICE, now=utc_now())
            await asyncio.sleep(1)
        async with maja.browser.tab("/shop") as tab:
            await tab.call(f"{SHOP}.purchase", pressed)
        orders = "select status, count(*) from purchases where account_id = %s group by status"
        vault = Vault(two_workers)
        assert vault.ask(orders, maja.actor.user_id) == [("completed", 2)]
        codes = "select status from gift_codes where purchase_id = %s"
        assert vault.ask(codes, bought.purchase_id) == [("delivered",)]
        balance = "select balance, held from coin_balances where account_id = %s"
        assert vault.ask(balance, maja.actor.user_id) == [(PRICE, 0)]
        assert not what_is_wrong(two_workers.database)

    async def test_an_order_that_is_paid_meanwhile_is_delivered(
        self, redis: Redis, two_workers: Served, cards: StripeServer, maja: Player
    ):
        vault = Vault(two_workers)
        async with maja.browser.tab("/shop") as tab:
            await tab.call(f"{SHOP}.purchase", _a_press(COINS))
            order = tab.says("opened")["id"]
        checkout = vault.one("select checkout_id from payments where subject_id = %s", order)
        async with away(redis):
            await asyncio.to_thread(cards.pay, checkout)
            await _until_it_is_completed(vault, order)
        assert vault.one("select count(*) from gift_codes where purchase_id = %s", order) == 1
        assert not what_is_wrong(two_workers.database)


def _a_press(coins: int) -> dict[str, Any]:
    return {
        "currency_id": "vbucks",
        "package_id": THE_PACKAGE,
        "coins": coins,
        "attempt": str(new_id()),
    }


async def _ads_today(player: Player) -> int:
    async with player.browser.tab("/watch") as tab:
        await tab.until(lambda: tab.says("is_loaded") is True)
        return tab.says("ads_today")


async def _until_it_is_completed(vault: Vault, order: str) -> None:
    for _ in range(100):
        if vault.one("select status from purchases where id = %s", order) == "completed":
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it was paid, and is not delivered")


async def _watches(tab: Tab) -> dict[str, object]:
    view = await starts_the_shortest(tab)
    await asyncio.sleep(AD_SECONDS + 0.2)
    return {"session_id": view, "watch_time": AD_SECONDS}


@asynccontextmanager
async def _away_while_nobody_holds(tab: Tab, redis: Redis) -> AsyncIterator[None]:
    """Whoever else comes online is news for a page: its state may be held at any moment.

    Nobody takes one while Redis waits with what would change anything.
    """
    async with redis_client.Redis.from_url(redis.url) as client:
        while True:
            await client.execute_command("CLIENT", "PAUSE", 5000, "WRITE")
            if not await client.exists(f"{tab.token}_lock"):
                break
            await client.execute_command("CLIENT", "UNPAUSE")
            await asyncio.sleep(0.1)
        with redis.away():
            yield


async def _asks_until_it_is_paid(tab: Tab, finished: dict[str, object]) -> None:
    for _ in range(20):
        await tab.tell(f"{WATCH}.ask_again", finished)
        await asyncio.sleep(0.5)
        if _is_paid(tab):
            return
    raise AssertionError(f"not paid; heard {tab.heard[-3:]}")


def _says_storage_is_away(tab: Tab) -> bool:
    return (tab.says("notice") or {}).get("text") == "errors.storage_away"


def _is_paid(tab: Tab) -> bool:
    return tab.says("stage") == "rewarded"


def _paid_for(finished: dict[str, object], served: Served) -> int:
    wanted = "select count(*) from coin_entries where cause = %s"
    return Vault(served).one(wanted, f"ad:{finished['session_id']}")
