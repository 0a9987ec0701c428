"""Redis holds only what pages show: while it is away nothing is lost, and nobody gets more."""

import asyncio

import pytest

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
        vault = Vault(two_workers)
        async with player.tab("/watch") as tab:
            view = await starts_the_shortest(tab)
            await asyncio.sleep(AD_SECONDS + 0.2)
            redis.stop()
            await tab.tell(f"{WATCH}.finish", {"session_id": view, "watch_time": AD_SECONDS})
            await tab.until(lambda: _says_storage_is_away(tab), within=10)
            redis.start()
            again = {"session_id": view, "watch_time": AD_SECONDS}
            for _ in range(20):
                await tab.tell(f"{WATCH}.ask_again", again)
                await asyncio.sleep(0.5)
                if tab.says("stage") == "rewarded":
                    break
            assert tab.says("stage") == "rewarded"
        assert vault.one("select count(*) from coin_entries where cause = %s", f"ad:{view}") == 1

    async def test_nobody_is_signed_out(self, redis: Redis, player: Browser):
        redis.stop()
        redis.start()
        await asyncio.sleep(1)
        async with player.tab("/watch") as tab:
            assert tab.says("role") == "player"

    async def test_the_day_goes_on_where_it_was(self, redis: Redis, player: Browser):
        async with player.tab("/watch") as tab:
            await tab.until(lambda: tab.says("is_loaded") is True)
            before = tab.says("ads_today")
        redis.stop()
        redis.start()
        await asyncio.sleep(1)
        async with player.tab("/watch") as tab:
            await tab.until(lambda: tab.says("is_loaded") is True)
            assert tab.says("ads_today") == before


def _says_storage_is_away(tab: Tab) -> bool:
    return (tab.says("notice") or {}).get("text") == "errors.storage_away"
