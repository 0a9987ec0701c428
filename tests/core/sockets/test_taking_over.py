"""Which worker goes on with a tab: two of Reflex's own records of sockets on one real Redis."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis as Connection
from reflex.state import StateUpdate
from reflex.utils.token_manager import RedisTokenManager

from rewards_app.core.sockets import taking_over
from rewards_app.core.sockets.taking_over import (
    LOOKS,
    SECONDS_BETWEEN_LOOKS,
    _lives,
    take_over_from_the_dead,
)
from tests.serving import Redis

TOKEN = "a-tab-of-these-tests"
LOCK = f"{TOKEN}_lock"


async def told(update: StateUpdate, token: str) -> None:
    """Whoever has the socket passes it on to the page."""


async def a_worker(redis: Redis) -> RedisTokenManager:
    owners = RedisTokenManager(Connection.from_url(redis.url))
    take_over_from_the_dead(owners)
    owners.ensure_lost_and_found_task(told)
    async with asyncio.timeout(10):
        while not await _lives(owners, owners.instance_id, TOKEN):
            await asyncio.sleep(0.02)
    return owners


async def dies(worker: RedisTokenManager) -> None:
    """Its connections are gone, and nothing was taken off the record."""
    await worker.close()
    await asyncio.sleep(0.1)


@pytest.fixture
async def two(redis: Redis) -> AsyncIterator[tuple[RedisTokenManager, RedisTokenManager]]:
    one, other = await a_worker(redis), await a_worker(redis)
    await one.redis.delete(TOKEN, LOCK, one._get_redis_key(TOKEN))
    yield one, other
    await one.close()
    await other.close()


Two = tuple[RedisTokenManager, RedisTokenManager]


async def holder(worker: RedisTokenManager) -> Any:
    return await worker._get_token_owner(TOKEN, refresh=True)


class TestATab:
    async def test_keeps_its_token_when_its_worker_died(self, two: Two):
        one, other = two
        await one.link_token_to_sid(TOKEN, "first socket")
        await dies(one)
        assert await other.link_token_to_sid(TOKEN, "second socket") is None
        assert await holder(other) == other.instance_id

    async def test_does_not_wait_for_the_lock_of_a_dead_worker(self, two: Two):
        one, other = two
        await one.link_token_to_sid(TOKEN, "first socket")
        await one.redis.set(LOCK, "in the middle of an event")
        await dies(one)
        await other.link_token_to_sid(TOKEN, "second socket")
        assert await other.redis.get(LOCK) is None

    async def test_keeps_its_token_when_its_worker_lets_it_go_a_little_later(self, two: Two):
        one, other = two
        await one.link_token_to_sid(TOKEN, "first socket")
        coming = asyncio.create_task(other.link_token_to_sid(TOKEN, "second socket"))
        await asyncio.sleep(0.3)
        await one.disconnect_token(TOKEN, "first socket")
        assert await coming is None

    async def test_that_is_back_keeps_its_token_however_busy_its_worker_is(self, two: Two):
        """It was told to let the page go, and does so as soon as it comes to that."""
        one, other = two
        await one.link_token_to_sid(TOKEN, "first socket")

        async def is_back() -> str | None:
            taking_over._is_back.set(True)
            return await other.link_token_to_sid(TOKEN, "second socket")

        coming = asyncio.create_task(is_back())
        await asyncio.sleep(LOOKS * SECONDS_BETWEEN_LOOKS + 0.5)
        assert not coming.done()
        await one.disconnect_token(TOKEN, "first socket")
        assert await coming is None

    async def test_that_is_open_elsewhere_is_not_taken_away(self, two: Two):
        one, other = two
        await one.redis.set(LOCK, "in the middle of an event")
        await one.link_token_to_sid(TOKEN, "first socket")
        new = await other.link_token_to_sid(TOKEN, "a copy's socket")
        assert new not in (None, TOKEN)
        assert await holder(one) == one.instance_id
        assert await one.redis.get(LOCK) == b"in the middle of an event"
