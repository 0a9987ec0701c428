"""Pages' states in Redis: a worker holds one for the moment in which its events follow each other.

A page that opens sends ten events. Each would take the lock of its state, fetch the state and write
it back, which costs more than all that the events do. Another worker that wants the state gets it
at once; with a worker that is killed goes what a page showed in its last second, no more.
"""

import asyncio
from datetime import timedelta
from typing import Any

import reflex as rx
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import BaseState
from reflex_base.environment import environment

from rewards_app.core.released_locks import hear_while_waiting

HELD = timedelta(seconds=1)
TIDIED_EVERY_SECONDS = 60.0


def hold_states() -> None:
    """To be said before there is an app."""
    environment.REFLEX_OPLOCK_ENABLED.set(True)
    environment.REFLEX_OPLOCK_HOLD_TIME.set(HELD)
    hear_while_waiting()


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
