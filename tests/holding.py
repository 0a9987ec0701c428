"""A worker's way to the pages' states in Redis, which it holds for a moment."""

import asyncio

import pytest
from redis.asyncio import Redis as RedisClient
from reflex.istate.manager.redis import StateManagerRedis

from rewards_app.core.held_states import hold_states
from tests.serving import Redis


async def a_holder(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> StateManagerRedis:
    """Until it hears who else wants a state, it holds none."""
    for name in ("REFLEX_OPLOCK_ENABLED", "REFLEX_OPLOCK_HOLD_TIME"):
        monkeypatch.setenv(name, "")
    hold_states()
    holder = StateManagerRedis(redis=RedisClient.from_url(redis.url))
    holder._ensure_lock_task()
    await asyncio.wait_for(holder._lock_updates_subscribed.wait(), 10)
    return holder
