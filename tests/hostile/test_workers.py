"""Two workers on one Redis: what one of them does, the tabs of the other learn."""

import asyncio
import contextlib
from contextlib import AsyncExitStack

import psutil
import pytest

from tests.hostile.client import APP, SESSION, Browser, Tab
from tests.hostile.identities import the_one_who_is
from tests.serving import Served

TABS = 8
SOON = 5.0


@pytest.fixture
async def player(two_workers: Served) -> Browser:
    return await the_one_who_is("player", two_workers)


async def many_tabs(browser: Browser, house: AsyncExitStack) -> list[Tab]:
    """So many that both workers hold some."""
    return [await house.enter_async_context(browser.tab("/")) for _ in range(TABS)]


def workers_of(served: Served) -> list[int]:
    """The processes that hold sockets."""
    family = psutil.Process(served.process.pid).children(recursive=True)
    return [
        one.pid
        for one in family
        if any(link.status == "ESTABLISHED" for link in one.net_connections("tcp"))
    ]


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
