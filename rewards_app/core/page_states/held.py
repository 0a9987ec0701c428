"""Pages' states in Redis: a worker holds one for the moment in which its events follow each other.

A page that opens sends ten events. Each would take the lock of its state, fetch the state and write
it back, which costs more than all that the events do. Another worker that wants the state gets it
at once; with a worker that is killed goes what a page showed in its last second, no more.

A lock that nobody keeps up ends ten seconds after it was taken, and what is written without it is
thrown away. Who waits for somebody else that long, as a card's checkout may have them do, keeps it.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import reflex as rx
from redis.exceptions import RedisError
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import BaseState
from reflex_base.environment import environment

from rewards_app.core.page_states.released_locks import hear_while_waiting

HELD = timedelta(seconds=1)
LONGEST_EVENT = timedelta(seconds=90)
"""Whoever takes longer is stuck, and must not keep others from the page."""
KEPT_UP_IN_ONE_LIFE = 3
"""So often before it would end: one answer of Redis that fails to come loses no lock."""
TIDIED_EVERY_SECONDS = 60.0
_lock = StateManagerRedis._lock  # pyright: ignore[reportPrivateUsage]


def hold_states() -> None:
    """To be said before there is an app."""
    environment.REFLEX_OPLOCK_ENABLED.set(True)
    environment.REFLEX_OPLOCK_HOLD_TIME.set(HELD)
    hear_while_waiting()
    manager: Any = StateManagerRedis
    manager._lock = _lock_for_as_long_as_it_takes


@asynccontextmanager
async def _lock_for_as_long_as_it_takes(
    manager: Any, token: Any, event_name: str | None = None
) -> AsyncGenerator[bytes]:
    async with _lock(manager, token, event_name=event_name) as lock_id:
        keeping = asyncio.create_task(_keep_up(manager, manager._lock_key(token), lock_id))
        try:
            yield lock_id
        finally:
            keeping.cancel()


async def _keep_up(manager: Any, lock_key: bytes, lock_id: bytes) -> None:
    until = time.monotonic() + LONGEST_EVENT.total_seconds()
    while time.monotonic() < until:
        await asyncio.sleep(manager.lock_expiration / 1000 / KEPT_UP_IN_ONE_LIFE)
        # It may answer the next time.
        with suppress(RedisError, OSError):
            if await manager.redis.get(lock_key) != lock_id:
                return
            await manager._try_extend_lock(lock_key)


async def keep_tidy(app: rx.App) -> None:
    """Run for the life of a worker: Reflex keeps a lock for each page that there ever was."""
    while isinstance(app.state_manager, StateManagerRedis):
        await asyncio.sleep(TIDIED_EVERY_SECONDS)
        forget_locks(app.state_manager)


def forget_locks(manager: Any) -> None:
    """Those that nobody holds or waits for, and that belong to no state which is held."""
    locks: dict[str, Any] = manager._cached_states_locks
    for key in [key for key, lock in locks.items() if not (lock.locked() or lock._waiters)]:
        if key not in manager._local_leases and key not in manager._cached_states:
            del locks[key]


def held_by(manager: Any) -> dict[str, BaseState]:
    """The pages' states that this worker holds, by their keys."""
    return dict(manager._cached_states)


async def write_states(manager: Any, keys: list[str]) -> None:
    """Hold these no longer."""
    leases = [lease for key in keys if (lease := manager._local_leases.get(key))]
    for lease in leases:
        lease.cancel()
    await asyncio.gather(*leases, return_exceptions=True)
