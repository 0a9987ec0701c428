"""Locks of pages' states: a worker hears which ones are let go while it waits for one.

Reflex has every worker hear of every lock that any of them takes and lets go, which is three
notices for each moment in which a page does something. Of several workers all but one woke for
nothing: of all that four wake more often than one, that was about half.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog
from redis.exceptions import RedisError, ResponseError
from reflex.istate.manager.redis import StateManagerRedis

SECONDS_TO_HEAR = 5.0
SECONDS_TO_RECONNECT = 0.5
_log = structlog.get_logger(__name__)
_wait_lock = StateManagerRedis._wait_lock  # pyright: ignore[reportPrivateUsage]


def hear_while_waiting() -> None:
    """To be said before there is an app."""
    manager: Any = StateManagerRedis
    manager._subscribe_lock_updates = _hear_who_waits
    manager._wait_lock = _wait


async def _hear_who_waits(manager: Any) -> None:
    """Other workers want a state that this one holds: rarely, and at once."""
    async with manager.redis.pubsub() as heard:
        await heard.psubscribe(
            **{_keys(manager, "*_lock_waiters"): manager._handle_lock_contention}
        )
        try:
            async for message in heard.listen():
                if message["type"] == "psubscribe":
                    await _have_keys_told(manager)
                    manager._lock_updates_subscribed.set()
        finally:
            manager._lock_updates_subscribed.clear()


async def _wait(manager: Any, lock_key: bytes, lock_id: bytes) -> None:
    is_first = not manager._n_lock_waiters(lock_key)
    if is_first and await manager._try_get_lock(lock_key, lock_id):
        return
    async with _releases_of(manager).are_heard():
        # It tries again before it waits: what was let go meanwhile is not missed.
        await _wait_lock(manager, lock_key, lock_id)


class _Releases:
    def __init__(self, manager: Any) -> None:
        self._manager = manager
        self._waiting = 0
        self._hearing: asyncio.Task[None] | None = None
        self._is_heard = asyncio.Event()

    @asynccontextmanager
    async def are_heard(self) -> AsyncGenerator[None]:
        self._waiting += 1
        if self._hearing is None:
            self._is_heard.clear()
            self._hearing = asyncio.create_task(self._hear())
        try:
            # Whoever does not hear looks again when the lock would have expired.
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_TO_HEAR):
                    await self._is_heard.wait()
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._hearing.cancel()
                self._hearing = None

    async def _hear(self) -> None:
        while True:
            try:
                await self._hear_until_cut_off()
            except (RedisError, OSError) as failure:
                _log.warning("locks.cut_off", error=type(failure).__name__)
            await asyncio.sleep(SECONDS_TO_RECONNECT)

    async def _hear_until_cut_off(self) -> None:
        manager = self._manager
        async with manager.redis.pubsub() as heard:
            await heard.psubscribe(**{_keys(manager, "*_lock"): manager._handle_lock_release})
            async for message in heard.listen():
                if message["type"] == "psubscribe":
                    await _have_keys_told(manager)
                    self._is_heard.set()
                    # What was let go before, nobody has told.
                    for lock_key in list(manager._lock_waiters):
                        manager._notify_next_waiter(lock_key)


async def _have_keys_told(manager: Any) -> None:
    """At each subscription: a Redis that was started anew has forgotten that it was asked to.

    The connection to it comes back by itself and is as good as ever, but for what it hears. Where
    it takes no such wish, whoever runs it may have set it there.
    """
    manager._redis_notify_keyspace_events_enabled = False
    try:
        await manager._enable_keyspace_notifications()
    except ResponseError as refusal:
        _log.warning("locks.keys_not_told", error=str(refusal))


def _releases_of(manager: Any) -> _Releases:
    known: _Releases | None = getattr(manager, "_releases", None)
    if known is None:
        known = manager._releases = _Releases(manager)
    return known


def _keys(manager: Any, pattern: str) -> str:
    return f"__keyspace@{manager.redis.get_connection_kwargs().get('db', 0)}__:{pattern}"
