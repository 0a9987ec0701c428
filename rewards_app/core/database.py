"""The engine and `transaction()`: the only place that commits."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any

from psycopg import errors as postgres
from sqlalchemy import CursorResult, Executable
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.core.settings import settings

__all__ = ["AsyncSession", "dispose_engine", "driver_url", "engine", "run", "transaction"]


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
    _sessions.cache_clear()
    engine.cache_clear()
