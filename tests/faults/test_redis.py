"""Redis holds only what pages show: while it is away nothing is lost, and nobody gets more."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import redis.asyncio as redis_client

from tests.ads import an_ad
from tests.beside import beside
from tests.hostile.client import WATCH, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.identities import the_one_who_is
from tests.hostile.watching import starts_the_shortest
from tests.serving import Redis, Served

AD_SECONDS = 5


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
            with redis.away():
                await tab.tell(f"{WATCH}.finish", finished)
                await tab.until(lambda: _says_storage_is_away(tab) or _is_paid(tab), within=10)
                await asyncio.sleep(1.5)
            await _asks_until_it_is_paid(tab, finished)
        assert _paid_for(finished, two_workers) == 1

    async def test_nobody_is_signed_out(self, redis: Redis, player: Browser):
        with redis.away():
            pass
        await asyncio.sleep(1)
        async with player.tab("/watch") as tab:
            assert tab.says("role") == "player"

    async def test_the_day_goes_on_where_it_was(self, redis: Redis, player: Browser):
        async with player.tab("/watch") as tab:
            await tab.until(lambda: tab.says("is_loaded") is True)
            before = tab.says("ads_today")
        with redis.away():
            pass
        await asyncio.sleep(1)
        async with player.tab("/watch") as tab:
            await tab.until(lambda: tab.says("is_loaded") is True)
            assert tab.says("ads_today") == before


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
