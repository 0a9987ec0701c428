"""Figures may be asked of a second database, which follows the first one by streaming replication.

Never what decides about coins, money or rights: it is behind, by how much is looked at. While it is
away or too far behind, the same questions are answered by the first one.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import LiteralString, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine

from rewards_app.core.connections import resting
from rewards_app.core.connections.no_longer import no_longer_than
from rewards_app.core.connections.silence import PATIENCE
from rewards_app.core.database import AsyncSession, driver_url, lookup, rows, transaction
from rewards_app.core.settings import settings

_log = structlog.get_logger(__name__)

MOST_BEHIND_SECONDS = 30.0
LOOKED_AT_EVERY_SECONDS = 5.0
ON_ITS_WAY_SECONDS = 1.0
ANSWERS_WITHIN_SECONDS = 3
TELLS_WITHIN_SECONDS = 20
"""How long figures may take there: one that hangs instead of being away is left all the same."""
READ_ONLY = "-c timezone=UTC -c default_transaction_read_only=on"

Answer = TypeVar("Answer")

WRITTEN: LiteralString = "select pg_current_wal_lsn()::text"
REPLAYED: LiteralString = """
select coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= %s::pg_lsn, false)
"""


@lru_cache(maxsize=1)
def _engine() -> AsyncEngine:
    made = create_async_engine(
        driver_url(settings().analytics_database_url),
        pool_size=5,
        max_overflow=5,
        pool_timeout=ANSWERS_WITHIN_SECONDS,
        hide_parameters=True,
        connect_args={
            **PATIENCE,
            "connect_timeout": ANSWERS_WITHIN_SECONDS,
            "options": READ_ONLY,
        },
    )
    resting.look_before_use(made.sync_engine)
    return made


@lru_cache(maxsize=1)
def _sessions() -> async_sessionmaker[AsyncSession]:
    return async_sessionmaker(_engine(), class_=AsyncSession, expire_on_commit=False)


async def read(
    ask: Callable[[AsyncSession], Awaitable[Answer]], *, is_news: bool = False
) -> Answer:
    """Ask for figures: the second database where there is one that is near, else the first.

    News are what was written until now: near is not enough for who is told only once to look.
    """
    watch = _watch()
    if settings().analytics_database_url and await watch.is_near():
        try:
            if not is_news or await _has(await _written()):
                return await no_longer_than(TELLS_WITHIN_SECONDS, _asked_there(ask))
        except (DBAPIError, PoolTimeout, OSError) as failure:
            watch.turn_to(is_near=False, why=type(failure).__name__)
    async with transaction() as session:
        return await ask(session)


async def _asked_there(ask: Callable[[AsyncSession], Awaitable[Answer]]) -> Answer:
    async with _sessions()() as session:
        return await ask(session)


async def seconds_behind() -> float | None:
    """How long it takes until what is written now is there, too; None: it does not come."""
    begun = time.monotonic()
    written = await _written()
    try:
        if await _comes(written, within=MOST_BEHIND_SECONDS):
            return time.monotonic() - begun
    except (DBAPIError, PoolTimeout, OSError):
        pass
    return None


class _Watch:
    """Whether the second database has what was written at most half a minute ago."""

    def __init__(self) -> None:
        self._written: deque[tuple[float, str]] = deque()
        self._looked_at = float("-inf")
        self._is_near = False
        self._looking = asyncio.Lock()

    async def is_near(self) -> bool:
        async with self._looking:
            if time.monotonic() - self._looked_at >= LOOKED_AT_EVERY_SECONDS:
                await self._look()
        return self._is_near

    async def _look(self) -> None:
        self._looked_at = time.monotonic()
        try:
            self._written.append((self._looked_at, await _written()))
            while self._looked_at - self._written[0][0] > MOST_BEHIND_SECONDS:
                self._written.popleft()
            written_at, written = self._written[0]
            # Who looks seldom knows of nothing older than what is on its way at this moment.
            on_its_way = max(0.0, ON_ITS_WAY_SECONDS - (self._looked_at - written_at))
            self.turn_to(is_near=await _comes(written, within=on_its_way), why="behind")
        except (DBAPIError, PoolTimeout, OSError) as failure:
            self.turn_to(is_near=False, why=type(failure).__name__)

    def turn_to(self, *, is_near: bool, why: str) -> None:
        if self._is_near and not is_near:
            _log.warning("replica.turned_away", why=why)
        if is_near and not self._is_near:
            _log.info("replica.near")
        self._is_near = is_near


@lru_cache(maxsize=1)
def _watch() -> _Watch:
    return _Watch()


async def _written() -> str:
    found = await lookup(WRITTEN, ())
    assert found, "a server says where it is"
    return found[0]


async def _has(written: str) -> bool:
    """Whether the second database has this; one that follows nobody never has."""
    asking = _asked_there(lambda session: rows(session, REPLAYED, (written,)))
    return bool((await no_longer_than(ANSWERS_WITHIN_SECONDS, asking))[0][0])


async def _comes(written: str, *, within: float) -> bool:
    """Whether the second database has this, or gets it so soon."""
    begun = time.monotonic()
    while not await _has(written):
        if time.monotonic() - begun >= within:
            return False
        await asyncio.sleep(0.05)
    return True


async def dispose() -> None:
    """Close every connection and forget what was seen."""
    if _engine.cache_info().currsize:
        await _engine().dispose()
    for known in (_engine, _sessions, _watch):
        known.cache_clear()
