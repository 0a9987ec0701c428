"""What a page shows lives for as long as its tab is open, in memory and in Redis."""

import asyncio
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest
from redis.asyncio import Redis as RedisClient
from redis.exceptions import RedisError
from reflex.istate.manager import StateManager
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State
from reflex.utils.token_manager import SocketRecord, TokenManager

from rewards_app.core.page_states.open_pages import (
    AT_ONCE,
    keep,
    keep_open_pages,
    keys_of,
    open_here,
)
from rewards_app.core.state import AppState
from rewards_app.rewards_app import app
from tests.serving import Redis

AN_HOUR = 3600
SOON = 5


async def a_page(manager: StateManager, name: str = "Maja") -> str:
    token = BaseStateToken(ident=str(uuid4()), cls=State)
    async with manager.modify_state(token) as root:
        state = await root.get_state(AppState)
        state.name = name
        root.is_hydrated = True
    return token.ident


@pytest.fixture
async def pages(redis: Redis) -> AsyncIterator[StateManagerRedis]:
    client = RedisClient.from_url(redis.url)
    await client.flushdb()
    manager = StateManagerRedis(redis=client)
    yield manager
    await manager.close()


async def seconds_left(manager: StateManagerRedis, token: str) -> list[int]:
    """Of each part that there is, the shortest first."""
    left = [await manager.redis.ttl(key) for key in keys_of(token)]
    return sorted(seconds for seconds in left if seconds != -2)


class TestInRedis:
    async def test_every_part_is_kept_and_none_of_another_page(self, pages: StateManagerRedis):
        mine, left = await a_page(pages), await a_page(pages)
        for token in (mine, left):
            for key in keys_of(token):
                await pages.redis.expire(key, SOON)
        await keep(pages, [mine])
        kept = await seconds_left(pages, mine)
        assert len(kept) >= 2
        assert AN_HOUR - SOON < kept[0] <= AN_HOUR
        assert (await seconds_left(pages, left))[-1] <= SOON

    async def test_more_than_are_asked_for_at_once(self, pages: StateManagerRedis):
        many = [await a_page(pages) for _ in range(2 * AT_ONCE + 1)]
        for token in many:
            await pages.redis.expire(keys_of(token)[0], SOON)
        await keep(pages, many)
        assert all([(await seconds_left(pages, one))[0] > SOON for one in many])

    async def test_a_page_that_shows_nothing_yet_is_not_made(self, pages: StateManagerRedis):
        await keep(pages, ["a tab"])
        assert await pages.redis.keys() == []

    async def test_that_is_away_keeps_nothing_and_ends_no_worker(
        self, redis: Redis, pages: StateManagerRedis
    ):
        with redis.away():
            await keep(pages, ["a tab"])
            with pytest.raises(RedisError):
                await pages.redis.ping()


class TestInMemory:
    async def test_is_not_forgotten_an_hour_after_it_changed_last(self):
        manager = StateManagerMemory()
        mine, left = await a_page(manager), await a_page(manager, "Ola")
        for token in (mine, left):
            _, page = manager._token_expires_at[token]
            manager._token_expires_at[token] = (time.time() + SOON, page)
        await keep(manager, [mine, "a tab that shows nothing yet"])
        ends = {token: at - time.time() for token, (at, _) in manager._token_expires_at.items()}
        assert AN_HOUR - SOON < ends[mine] <= AN_HOUR
        assert ends[left] <= SOON
        assert set(ends) == {mine, left}
        await manager.close()


def sockets_of(*, here: str, there: str) -> Any:
    known = {
        here: SocketRecord(instance_id="here", sid="1"),
        there: SocketRecord(instance_id="there", sid="2"),
    }
    return SimpleNamespace(instance_id="here", token_to_socket=known)


class TestAWorker:
    def test_keeps_those_whose_sockets_it_has(self):
        sockets = cast(TokenManager, sockets_of(here="mine", there="elsewhere"))
        assert open_here(sockets) == ["mine"]

    async def test_does_so_for_as_long_as_it_lives(self, pages: StateManagerRedis):
        mine, left = await a_page(pages), await a_page(pages)
        for token in (mine, left):
            await pages.redis.expire(keys_of(token)[0], SOON)
        names = SimpleNamespace(_token_manager=sockets_of(here=mine, there=left))
        made: Any = SimpleNamespace(state_manager=pages, event_namespace=names)
        keeping = asyncio.create_task(keep_open_pages(made))
        async with asyncio.timeout(10):
            while (await seconds_left(pages, mine))[0] <= SOON:
                await asyncio.sleep(0.02)
        keeping.cancel()
        assert (await seconds_left(pages, left))[0] <= SOON

    def test_is_told_to(self):
        assert keep_open_pages in app.get_lifespan_tasks()
