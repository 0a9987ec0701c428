"""A worker's way to the pages' states in Redis, which it holds for a moment."""

import asyncio

import pytest
from redis.asyncio import Redis as RedisClient
from redis.exceptions import RedisError
from reflex.istate.manager.redis import StateManagerRedis

from rewards_app.core.page_states.held import hold_states
from tests.serving import Redis


async def a_holder(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, *, signed_in: str = ""
) -> StateManagerRedis:
    """Until it hears who else wants a state, it holds none. `signed_in` is `name:password@`."""
    for name in ("REFLEX_OPLOCK_ENABLED", "REFLEX_OPLOCK_HOLD_TIME"):
        monkeypatch.setenv(name, "")
    hold_states()
    # As Reflex makes it: a connection that was cut off comes back once.
    url = redis.url.replace("//", f"//{signed_in}", 1)
    client = RedisClient.from_url(url, retry_on_error=[RedisError])
    holder = StateManagerRedis(redis=client)
    holder._ensure_lock_task()
    await asyncio.wait_for(holder._lock_updates_subscribed.wait(), 10)
    return holder
