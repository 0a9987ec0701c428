"""The engine and `transaction()`: the only place that commits."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection
from psycopg import errors as postgres
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool
from psycopg_pool import PoolTimeout as PoolTimeoutError
from sqlalchemy import CursorResult, Executable
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.core.settings import settings

__all__ = ["AsyncSession", "dispose_engine", "driver_url", "engine", "lookup", "run", "transaction"]


def driver_url(url: str) -> str:
    """`url` for SQLAlchemy with psycopg 3, whatever spelling the environment used."""
    return "postgresql+psycopg://" + url.split("://", 1)[1]


@lru_cache(maxsize=1)
def engine() -> AsyncEngine:
    return create_async_engine(
        driver_url(settings().database_url),
        pool_size=10,
        max_overflow=10,
        pool_timeout=5,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5, "options": "-c timezone=UTC"},
    )


@lru_cache(maxsize=1)
def _sessions() -> async_sessionmaker[AsyncSession]:
    return async_sessionmaker(engine(), class_=AsyncSession, expire_on_commit=False)


@asynccontextmanager
async def transaction() -> AsyncGenerator[AsyncSession]:
    """One unit of work: committed when the block ends well, rolled back on any error."""
    try:
        async with _sessions().begin() as session:
            yield session
    except DBAPIError as failure:
        if isinstance(failure.orig, postgres.DiskFull):
            raise StorageFull from failure
        if isinstance(failure, (OperationalError, InterfaceError)) and _lost_server(failure):
            raise StorageAway from failure
        raise
    except PoolTimeout as failure:
        raise StorageAway from failure


async def run(
    session: AsyncSession, statement: Executable, parameters: dict[str, Any] | None = None
) -> CursorResult[Any]:
    """Execute what selects no model: plain SQL, or an insert with its conflict clause."""
    connection = await session.connection()
    return await connection.execute(statement, parameters)


@lru_cache(maxsize=1)
def _lookups() -> AsyncConnectionPool[AsyncConnection[TupleRow]]:
    return AsyncConnectionPool(
        settings().database_url,
        kwargs={"autocommit": True, "options": "-c timezone=UTC", "connect_timeout": 5},
        min_size=1,
        max_size=4,
        timeout=5,
        open=False,
    )


async def lookup(query: LiteralString, parameters: Sequence[Any]) -> TupleRow | None:
    """Read one row outside any transaction, a tenth of the usual work: what every event asks.

    Connections that died with their server are noticed at their first use, so each may fail once.
    """
    pool = _lookups()
    await pool.open()
    for _ in range(pool.max_size + 1):
        try:
            async with pool.connection() as connection:
                return await (await connection.execute(query, parameters)).fetchone()
        except PoolTimeoutError as failure:
            raise StorageAway from failure
        except psycopg.OperationalError:
            continue
    raise StorageAway


def _lost_server(failure: DBAPIError) -> bool:
    return failure.connection_invalidated or getattr(failure.orig, "sqlstate", None) in {
        None,
        "57P01",
        "57P02",
        "57P03",
    }


async def dispose_engine() -> None:
    """Close every connection; the next use opens new ones."""
    if engine.cache_info().currsize:
        await engine().dispose()
    if _lookups.cache_info().currsize:
        await _lookups().close()
    _lookups.cache_clear()
    _sessions.cache_clear()
    engine.cache_clear()
