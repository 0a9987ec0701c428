"""Two workers on one Redis: what one of them does, the tabs of the other learn."""

import asyncio
import contextlib
import os
import time
from contextlib import AsyncExitStack

import httpx
import psutil
import pytest

from tests.ads import an_ad
from tests.beside import beside
from tests.hostile.client import APP, BAR, SESSION, WATCH, Browser, Tab
from tests.hostile.identities import role_of, the_one_who_is
from tests.hostile.workers import workers_of
from tests.serving import Served

TABS = 8
MOST_TABS = 60
SOON = 5.0
BACK_WITHIN = 60.0


@pytest.fixture
async def player(two_workers: Served) -> Browser:
    return await the_one_who_is("player", two_workers)


async def many_tabs(browser: Browser, house: AsyncExitStack) -> list[Tab]:
    """So many that both workers hold some; the second one may start a little later."""
    tabs: list[Tab] = []
    while len(tabs) < TABS or len(workers_of(browser.served)) < 2:
        assert len(tabs) < MOST_TABS, "one worker holds them all"
        tabs.append(await house.enter_async_context(browser.tab("/")))
    return tabs


class TestTwoWorkers:
    async def test_share_the_tabs_between_them(self, two_workers: Served, player: Browser):
        async with AsyncExitStack() as house:
            await many_tabs(player, house)
            assert len(workers_of(two_workers)) == 2

    async def test_a_sign_out_reaches_the_tabs_of_both(self, player: Browser):
        async with AsyncExitStack() as house:
            first, *others = await many_tabs(player, house)
            assert {tab.says("role") for tab in others} == {"player"}
            await first.call(f"{SESSION}.sign_out")
            await asyncio.gather(
                *(tab.until(lambda tab=tab: tab.says("role") == "visitor", SOON) for tab in others)
            )

    async def test_a_page_goes_on_where_it_was_after_its_socket_was_cut(self, player: Browser):
        token = "a-token-of-this-test"
        async with player.tab("/", token=token) as tab:
            await tab.call(f"{APP}.choose_language", {"code": "sv"})
        with contextlib.suppress(TimeoutError):
            await asyncio.sleep(0.2)
        async with player.tab("/", token=token) as again:
            assert again.says("role") == "player"

    async def test_both_count_the_same_players(self, two_workers: Served, player: Browser):
        moderator = await the_one_who_is("moderator", two_workers)
        async with AsyncExitStack() as house:
            tabs = [*await many_tabs(player, house), *await many_tabs(moderator, house)]
            await asyncio.gather(
                *(tab.until(lambda tab=tab: tab.says("players_online") == 2, 15) for tab in tabs)
            )

    async def test_coins_earned_in_one_tab_show_in_the_tabs_of_both(
        self, two_workers: Served, player: Browser
    ):
        async with beside(two_workers):
            ad = await an_ad(seconds=5, reward=15)
        async with AsyncExitStack() as house:
            first, *others = await many_tabs(player, house)
            await first.call(f"{BAR}.load")
            expected = first.says(f"{BAR}.balance") + 15
            start = {"ad_id": str(ad.id), "fingerprint": "a browser"}
            await first.call(f"{WATCH}.start", start)
            await asyncio.sleep(5.1)
            view = first.says("running")["session_id"]
            await first.call(f"{WATCH}.finish", {"session_id": view, "watch_time": 5})
            await asyncio.gather(
                *(
                    tab.until(lambda tab=tab: tab.says(f"{BAR}.balance") == expected, SOON)
                    for tab in [first, *others]
                )
            )


def server_of(served: Served) -> psutil.Process:
    """Who starts the workers."""
    return psutil.Process(int((served.data / "server.pid").read_text()))


def workers_after(server: psutil.Process, before: set[int]) -> list[int]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return [one.pid for one in server.children() if one.pid not in before]
    return []


async def is_served_anew(served: Served, ended: psutil.Process) -> None:
    deadline = time.monotonic() + BACK_WITHIN
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError, psutil.NoSuchProcess, ValueError):
            ready = httpx.get(f"{served.url}/readyz", timeout=2).is_success
            if ready and server_of(served).pid != ended.pid:
                return
        await asyncio.sleep(0.2)
    raise AssertionError(f"not served again: {served.log.read_text()[-2000:]}")


@pytest.mark.timeout(180)
class TestAServerThatEndsByItself:
    """It is started again by who runs it, and everybody is still who they were."""

    async def test_since_it_was_killed(self, two_workers: Served, player: Browser):
        server = server_of(two_workers)
        workers = server.children()
        server.kill()
        await is_served_anew(two_workers, server)
        assert [one for one in workers if one.is_running()] == []
        assert await role_of(player) == "player"

    async def test_since_a_worker_died_that_was_new(self, two_workers: Served, player: Browser):
        """Granian takes that for a crash loop, and gives up."""
        server = server_of(two_workers)
        before = {one.pid for one in server.children()}
        os.kill(min(before), 9)
        deadline = time.monotonic() + BACK_WITHIN
        while not (new := workers_after(server, before)):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
        os.kill(new[0], 9)
        await is_served_anew(two_workers, server)
        assert await role_of(player) == "player"
