"""Pages that forgotten people left: what the app keeps of each for an hour goes at once.

Reflex keeps the state of a page after its tab is closed, in this process or in Redis, with the
address and the browser that it came from and the digests of its cookies.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from itertools import islice
from typing import Any

import reflex as rx
import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState, State

from rewards_app.core import live
from rewards_app.core.page_states.held import held_by, write_states
from rewards_app.core.page_states.open_pages import keys_of
from rewards_app.core.state import AppState
from rewards_app.features.privacy import erasing

_log = structlog.get_logger(__name__)

SETTLING_SECONDS = 1.0
"""Tabs that are open are told first, and what is told to them is kept."""
AT_ONCE = 500


class LeftPages:
    """Forgets the pages of this app that belong to the sessions and browsers of the forgotten."""

    def __init__(self, app: rx.App) -> None:
        self.app = app
        self._marks: set[str] = set()
        self._news = asyncio.Event()
        live.on(erasing.FORGOTTEN, self._on_forgotten)

    async def _on_forgotten(self, mark: str) -> None:
        self._marks.add(mark)
        self._news.set()

    async def keep_dropping(self) -> None:
        """Run for the life of a worker."""
        while True:
            await self._news.wait()
            await asyncio.sleep(SETTLING_SECONDS)
            self._news.clear()
            marks, self._marks = self._marks, set()
            try:
                await drop_pages(self.app.state_manager, marks)
            except RedisError as failure:
                # They are gone with the Redis, or in an hour.
                _log.warning("pages.not_dropped", reason=type(failure).__name__)
            except Exception:
                _log.exception("pages.not_dropped")


async def drop_pages(manager: Any, marks: Iterable[str]) -> int:
    """Drop the pages of these sessions and doors; not what somebody else does in that browser."""
    wanted = frozenset(marks)
    if isinstance(manager, StateManagerRedis):
        held = held_by(manager).items()
        theirs = [key for key, root in held if _is_theirs(_ours_in(root), wanted)]
        await write_states(manager, theirs)
        return await _drop_from_redis(manager.redis, wanted)
    if isinstance(manager, StateManagerMemory):
        return _drop_from_memory(manager, wanted)
    return 0


def _drop_from_memory(manager: StateManagerMemory, marks: frozenset[str]) -> int:
    left = [token for token, root in manager.states.items() if _is_theirs(_ours_in(root), marks)]
    for token in left:
        manager._purge_token(BaseStateToken(ident=token, cls=State))
    return len(left)


def _ours_in(root: BaseState) -> BaseState | None:
    return root.substates.get(AppState.get_name())


async def _drop_from_redis(redis: "Redis", marks: frozenset[str]) -> int:
    ending = f"_{AppState.get_full_name()}"
    dropped = 0
    async for kept in _in_batches(redis, f"*{ending}"):
        for key in [key for key, raw in kept.items() if _is_theirs(_opened(raw, marks), marks)]:
            dropped += bool(await redis.delete(*keys_of(key.removesuffix(ending))))
    return dropped


async def _in_batches(redis: "Redis", pattern: str) -> AsyncGenerator[Mapping[str, bytes | None]]:
    found: list[str] = []
    async for key in redis.scan_iter(match=pattern, count=AT_ONCE):
        found.append(key.decode())
    names = iter(found)
    while batch := list(islice(names, AT_ONCE)):
        yield dict(zip(batch, await redis.mget(batch), strict=True))


def _opened(raw: bytes | None, marks: frozenset[str]) -> BaseState | None:
    """Only where one of the marks stands: to open them all would keep the worker busy."""
    if raw is None or not any(mark.encode() in raw for mark in marks):
        return None
    return BaseState._deserialize(data=raw)


def _is_theirs(state: BaseState | None, marks: frozenset[str]) -> bool:
    if not isinstance(state, AppState):
        return False
    is_theirs = state._session_hash in marks or state._door_hash in marks
    return is_theirs and state._session_hash in {"", *marks}
