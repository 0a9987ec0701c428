"""What a page shows lives for as long as its tab is open, in memory and in Redis."""

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

from rewards_app.core.open_pages import AT_ONCE, keep, keys_of, open_here
from rewards_app.core.state import AppState
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
async def in_redis(redis: Redis) -> AsyncIterator[StateManagerRedis]:
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
    async def test_every_part_is_kept_and_none_of_another_page(self, in_redis: StateManagerRedis):
        mine, left = await a_page(in_redis), await a_page(in_redis)
        for token in (mine, left):
            for key in keys_of(token):
                await in_redis.redis.expire(key, SOON)
        await keep(in_redis, [mine])
        kept = await seconds_left(in_redis, mine)
        assert len(kept) >= 2
        assert AN_HOUR - SOON < kept[0] <= AN_HOUR
        assert (await seconds_left(in_redis, left))[-1] <= SOON

    async def test_more_than_are_asked_for_at_once(self, in_redis: StateManagerRedis):
        pages = [await a_page(in_redis) for _ in range(2 * AT_ONCE + 1)]
        for token in pages:
            await in_redis.redis.expire(keys_of(token)[0], SOON)
        await keep(in_redis, pages)
        assert all([(await seconds_left(in_redis, one))[0] > SOON for one in pages])

    async def test_a_page_that_shows_nothing_yet_is_not_made(self, in_redis: StateManagerRedis):
        await keep(in_redis, ["a tab"])
        assert await in_redis.redis.keys() == []

    async def test_that_is_away_is_tried_again(self, redis: Redis, in_redis: StateManagerRedis):
        mine = await a_page(in_redis)
        with redis.away():
            await keep(in_redis, [mine])
            with pytest.raises(RedisError):
                await in_redis.redis.ping()


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


def test_each_worker_keeps_those_whose_sockets_it_has():
    sockets: Any = SimpleNamespace(
        instance_id="here",
        token_to_socket={
            "mine": SocketRecord(instance_id="here", sid="1"),
            "elsewhere": SocketRecord(instance_id="there", sid="2"),
        },
    )
    assert open_here(cast(TokenManager, sockets)) == ["mine"]
