"""Two workers on one Redis: what one of them does, the tabs of the other learn."""

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import psutil
import pytest
import redis.asyncio as redis_client

from rewards_app.core import limits
from rewards_app.core.caller import digest
from rewards_app.core.sockets.frames import LONGEST_TOKEN
from rewards_app.core.sockets.new_pages import LIMIT, NEW_PAGES
from tests.ads import an_ad
from tests.beside import beside
from tests.hostile.client import (
    APP,
    AUTH,
    BAR,
    HOME,
    HYDRATE,
    NAMESPACE,
    ORDERS,
    SESSION,
    WATCH,
    Browser,
    Tab,
)
from tests.hostile.evidence import Vault
from tests.hostile.identities import a_mailed_link, a_visitor, role_of, the_one_who_is
from tests.hostile.raw_socket import RawSocket
from tests.hostile.workers import workers_of
from tests.serving import Redis, Served

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

    async def test_a_page_that_is_back_before_its_old_socket_has_ended_goes_on_at_either(
        self, player: Browser
    ):
        async with AsyncExitStack() as house:
            tabs = await many_tabs(player, house)
            for token in ["x" * LONGEST_TOKEN, *(f"of words {number}" for number in range(TABS))]:
                # News of it must not be taken for something else.
                tabs.append(await house.enter_async_context(player.tab("/", token=token)))
            for tab in [*tabs[TABS:], *tabs[:TABS]]:
                back = await house.enter_async_context(player.tab("/", token=tab.token))
                assert not back.has_new_token
                assert back.says("role") == "player"
                await tab.until(lambda tab=tab: not tab.is_open, SOON)
                await back.call(f"{HOME}.load")
                assert back.is_open

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


@pytest.fixture
async def states(redis: Redis) -> AsyncIterator[redis_client.Redis]:
    """What Redis keeps of the tabs."""
    async with redis_client.Redis.from_url(redis.url) as keeps:
        yield keeps


async def is_let_go(states: redis_client.Redis, token: str) -> None:
    """No worker holds the tab's state any more: the next event has what it needs from Redis."""
    async with asyncio.timeout(10):
        while await states.exists(f"{token}_lock"):
            await asyncio.sleep(0.05)


async def bytes_kept_of(states: redis_client.Redis, token: str) -> int:
    await is_let_go(states, token)
    keys = [key async for key in states.scan_iter(f"{token}_*")]
    return sum([await states.strlen(key) for key in keys])


async def all_that_is_kept(states: redis_client.Redis) -> bytes:
    keys = [key async for key in states.scan_iter(_type="string")]
    return b"".join([await states.get(key) or b"" for key in keys])


class TestRedis:
    async def test_keeps_nothing_of_what_came_beside_an_address(
        self, two_workers: Served, states: redis_client.Redis
    ):
        """Each event would add what it brings, until Redis is full for everybody."""
        visitor = await a_visitor(two_workers)
        async with visitor.tab("/landing") as tab:
            before = await bytes_kept_of(states, tab.token)
            for number in range(5):
                beside = {f"beside {number}": "x" * 500_000, "query": {f"{number}": ["x" * 50_000]}}
                await tab.call(f"{APP}.check_in", {}, router_data={"pathname": "/forum"} | beside)
            assert await bytes_kept_of(states, tab.token) < before + 5_000

    async def test_keeps_no_cookie_of_anybody(self, player: Browser, states: redis_client.Redis):
        """Whoever reads its disk would be everybody of the last hour."""
        async with player.tab("/") as tab:
            await tab.call(f"{BAR}.load")
            await is_let_go(states, tab.token)
            kept = await all_that_is_kept(states)
        assert digest(player.cookies["session"]).encode() in kept
        assert not [name for name, word in player.cookies.items() if word.encode() in kept]


class TestNewPages:
    """Each is kept for an hour, whoever opens it and whether or not they stay."""

    @pytest.mark.usefixtures("in_redis")
    async def test_of_one_address_are_refused_from_a_number_on_and_nothing_is_kept_of_them(
        self, two_workers: Served, states: redis_client.Redis
    ):
        visitor, neighbour = await a_visitor(two_workers), await a_visitor(two_workers)
        async with visitor.tab("/landing") as known:
            async with beside(two_workers):
                while await limits.spend_if_left(NEW_PAGES, LIMIT, visitor.address):
                    pass
            await is_let_go(states, known.token)
            before = await names_of_pages(states)
            for number in range(5):
                assert await is_refused(visitor, f"unheard-of-{number}")
            # A copy of an open tab would be given a name of its own.
            assert await is_refused(visitor, known.token)
            assert await names_of_pages(states) <= before
            await known.call(f"{APP}.check_in", {})
            assert known.is_open
            async with neighbour.tab("/landing") as other:
                assert other.says("role") == "visitor"
        async with visitor.tab("/landing", token=known.token) as again:
            assert again.says("role") == "visitor"


async def names_of_pages(states: redis_client.Redis) -> set[bytes]:
    return {key.split(b"_reflex___")[0] for key in await states.keys("*_reflex___*")}


async def is_refused(browser: Browser, token: str) -> bool:
    raw = await RawSocket(browser).open(token)
    boot = {"event": {"name": HYDRATE, "payload": {"vars": {}, "hashes": ["0" * 32]}}}
    await raw.send(f"40{NAMESPACE},{json.dumps(boot)}".encode())
    try:
        await raw.hears(f"44{NAMESPACE},".encode(), within=5)
    except TimeoutError:
        return False
    finally:
        await raw.close()
    return True


class TestALeftTab:
    """Of what lies in Redis an event has a part. Whoever else knows the token finds nothing."""

    async def test_is_found_empty_whatever_is_asked_first(
        self, two_workers: Served, player: Browser, states: redis_client.Redis
    ):
        async with player.tab("/orders") as left:
            await left.call(f"{ORDERS}.load")
            assert left.says(f"{ORDERS}.orders")
        await is_let_go(states, left.token)
        thief = await a_visitor(two_workers)
        async with thief.tab("/", token=left.token, is_silent=True) as stolen:
            await is_let_go(states, left.token)
            await stolen.call(f"{HOME}.load")
            await is_let_go(states, left.token)
            await stolen.call(HYDRATE, {"vars": {}})
            assert stolen.says(f"{ORDERS}.orders") == []

    async def test_opens_nothing_with_the_link_it_was_left_with(
        self, two_workers: Served, states: redis_client.Redis
    ):
        vault = Vault(two_workers)
        email = two_workers.accounts["moderator"]["email"]
        owner, thief = [await a_visitor(two_workers) for _ in range(2)]
        link = a_mailed_link(vault, email, "reset")
        async with owner.tab(f"/auth?mode=reset&token={link}") as left:
            assert left.says("mode") == "reset"
        await is_let_go(states, left.token)
        query = "select password_hash from accounts where email = %s"
        before = vault.one(query, email)
        async with thief.tab("/landing", token=left.token, is_silent=True) as stolen:
            await is_let_go(states, left.token)
            await stolen.call(f"{HOME}.load")
            await is_let_go(states, left.token)
            await stolen.call(f"{AUTH}.reset_password", {"form": {"password": "Quick-Badger5!"}})
        assert vault.one(query, email) == before

    async def test_is_found_empty_where_nobody_knows_any_more_whose_it_was(
        self, two_workers: Served, player: Browser, states: redis_client.Redis
    ):
        """Each part is kept for an hour from when it was last changed."""
        async with player.tab("/orders") as left:
            await left.call(f"{ORDERS}.load")
        await is_let_go(states, left.token)
        assert await states.delete(f"{left.token}_{APP}") == 1
        thief = await a_visitor(two_workers)
        async with thief.tab("/", token=left.token) as stolen:
            assert stolen.says(f"{ORDERS}.orders") == []


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
