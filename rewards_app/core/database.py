"""The engine and `transaction()`: the only place that commits."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, LiteralString, TypeVar
from uuid import UUID

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
from sqlalchemy.pool import QueuePool
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from rewards_app.core.connections import resting
from rewards_app.core.connections.silence import PATIENCE
from rewards_app.core.errors import DomainError, StorageAway, StorageFull
from rewards_app.core.settings import settings
from rewards_app.core.watching import traces

__all__ = [
    "AsyncSession",
    "at_the_end",
    "dispose_engine",
    "driver_url",
    "engine",
    "lock_row",
    "lookup",
    "lookup_all",
    "plan_for_these_values",
    "pools",
    "rows",
    "run",
    "statement",
    "transaction",
    "write",
]


LAST = "at_the_end"
TAKES_NOTHING = postgres.ReadOnlySqlTransaction
"""Who rents out databases lets one only be read once its disk is full, or another leads."""
POOLED, MOST_POOLED, MOST_STATEMENTS = 10, 20, 10
Row = TypeVar("Row", bound=SQLModel)
Values = Sequence[Any] | Mapping[str, Any]


def driver_url(url: str) -> str:
    """`url` for SQLAlchemy with psycopg 3, whatever spelling the environment used."""
    return "postgresql+psycopg://" + url.split("://", 1)[1]


@lru_cache(maxsize=1)
def engine() -> AsyncEngine:
    made = create_async_engine(
        driver_url(settings().database_url),
        pool_size=POOLED,
        max_overflow=MOST_POOLED - POOLED,
        pool_timeout=5,
        # What broke quotes its statement: the words of people would stand in the log.
        hide_parameters=True,
        # The one that was used last: its server's process has at hand what it did before.
        pool_use_lifo=True,
        connect_args={**PATIENCE, "options": "-c timezone=UTC"},
    )
    resting.look_before_use(made.sync_engine)
    traces.follow(made.sync_engine)
    return made


def pools() -> tuple[dict[str, float], dict[str, float]]:
    """How many connections each pool of this process has in use, and how many it may open."""
    used, most = {"transactions": 0.0, "statements": 0.0}, {"transactions": float(MOST_POOLED)}
    if engine.cache_info().currsize and isinstance(pool := engine().pool, QueuePool):
        used["transactions"] = pool.checkedout()
    if _statements.cache_info().currsize:
        told = _statements().get_stats()
        used["statements"] = told.get("pool_size", 0) - told.get("pool_available", 0)
    most["statements"] = MOST_STATEMENTS
    return used, most


@lru_cache(maxsize=1)
def _sessions() -> async_sessionmaker[AsyncSession]:
    return async_sessionmaker(engine(), class_=AsyncSession, expire_on_commit=False)


@asynccontextmanager
async def transaction() -> AsyncGenerator[AsyncSession]:
    """One unit of work: committed when the block ends well, rolled back on any error.

    A refusal that is recorded keeps what was written before it. What was not used costs nothing.
    """
    refusal: DomainError | None = None
    session = _sessions()()
    try:
        try:
            yield session
        except DomainError as raised:
            if not raised.is_recorded:
                raise
            refusal = raised
        for work in session.info.pop(LAST, ()):
            await work()
        if _is_used(session):
            await session.commit()
    except DBAPIError as failure:
        if isinstance(failure.orig, postgres.DiskFull):
            raise StorageFull from failure
        if _lost_server(failure) or isinstance(failure.orig, TAKES_NOTHING):
            raise StorageAway from failure
        raise
    except PoolTimeout as failure:
        raise StorageAway from failure
    finally:
        if _is_used(session):
            await asyncio.shield(_end(session))
    if refusal:
        raise refusal


async def _end(session: AsyncSession) -> None:
    """What was not committed is undone: where the connection is lost, by the server itself.

    Whoever was refused meanwhile is told why, and not that the connection is lost.
    """
    try:
        await session.close()
    except DBAPIError as failure:
        if not _lost_server(failure):
            raise


def at_the_end(session: AsyncSession, work: Callable[[], Awaitable[None]]) -> None:
    """Do this last, right before the commit: it locks what every other transaction waits for."""
    session.info.setdefault(LAST, []).append(work)


def _is_used(session: AsyncSession) -> bool:
    return session.in_transaction() or bool(session.new)


async def lock_row(session: AsyncSession, kind: type[Row], key: UUID) -> Row | None:
    """The row as it is by now, which nobody changes before this transaction ends.

    Others may name it meanwhile. Who locks something of an account, too, locks the account first.
    """
    return await session.get(kind, key, with_for_update={"key_share": True}, populate_existing=True)


async def run(
    session: AsyncSession, statement: Executable, parameters: dict[str, Any] | None = None
) -> CursorResult[Any]:
    """Execute what selects no model: plain SQL, or an insert with its conflict clause."""
    connection = await session.connection()
    return await connection.execute(statement, parameters)


async def write(session: AsyncSession, query: LiteralString, values: Values) -> Any:
    """One written statement in this transaction; the first row that it returns."""
    connection = await session.connection()
    found = await connection.exec_driver_sql(query, values)  # pyright: ignore[reportArgumentType]
    return found.first()


async def rows(session: AsyncSession, query: LiteralString, values: Values) -> Sequence[Any]:
    """All rows of one statement in this transaction."""
    connection = await session.connection()
    found = await connection.exec_driver_sql(query, values)  # pyright: ignore[reportArgumentType]
    return found.all()


async def plan_for_these_values(session: AsyncSession) -> None:
    """From here on in this transaction each statement is planned for the values it comes with.

    What is found by the beginning of a word is a million rows or one: no plan is good for both.
    """
    connection = await session.connection()
    await connection.exec_driver_sql("set local plan_cache_mode = force_custom_plan")


PLAN_ONCE = "-c timezone=UTC -c plan_cache_mode=force_generic_plan"
"""These few statements find their rows by keys: planning them again takes longer than they do."""


class _LastUsedFirst(AsyncConnectionPool[AsyncConnection[TupleRow]]):
    """As the engine's: what all of them have at hand is in no processor's caches."""

    async def _get_ready_connection(self, timeout: float | None) -> Any:  # noqa: ASYNC109  (its)
        self._pool.rotate(1)
        return await super()._get_ready_connection(timeout)


@lru_cache(maxsize=1)
def _statements() -> AsyncConnectionPool[AsyncConnection[TupleRow]]:
    return _LastUsedFirst(
        settings().database_url,
        # Once it has succeeded: also the connection that is used least hardly ever plans again.
        # Not before: the driver forgets one that fails, and the server does not.
        kwargs={**PATIENCE, "autocommit": True, "options": PLAN_ONCE, "prepare_threshold": 1},
        min_size=1,
        max_size=MOST_STATEMENTS,
        timeout=5,
        # Else it tries less and less often, and a server that is back would not be noticed.
        reconnect_timeout=4,
        open=False,
    )


async def lookup(query: LiteralString, values: Values) -> TupleRow | None:
    """Read one row outside any transaction, a tenth of the usual work: what every event asks."""
    return next(iter(await lookup_all(query, values)), None)


async def lookup_all(query: LiteralString, values: Values) -> Sequence[TupleRow]:
    """Read the rows of one statement outside any transaction.

    Connections that died with their server are noticed at their first use, so each may fail once.
    """
    pool = _statements()
    for _ in range(pool.max_size + 1):
        try:
            return await _rows_of(pool, query, values)
        except psycopg.OperationalError:
            continue
    raise StorageAway


async def statement(query: LiteralString, values: Values) -> TupleRow | None:
    """Run one writing statement as a transaction of its own; the first row that it returns.

    StorageAway leaves open whether it was done: whoever asks again must be safe to ask twice.
    """
    pool = _statements()
    try:
        return next(iter(await _rows_of(pool, query, values)), None)
    except postgres.DiskFull as failure:
        raise StorageFull from failure
    except (psycopg.OperationalError, TAKES_NOTHING) as failure:
        await pool.check()
        raise StorageAway from failure


async def _rows_of(
    pool: AsyncConnectionPool[AsyncConnection[TupleRow]], query: LiteralString, values: Values
) -> Sequence[TupleRow]:
    await pool.open()
    try:
        async with pool.connection() as connection:
            with traces.statement_span(query):
                return await (await connection.execute(query, values)).fetchall()
    except PoolTimeoutError as failure:
        raise StorageAway from failure


def _lost_server(failure: DBAPIError) -> bool:
    """A connection that broke is of no use whatever was said last, which need not be its end."""
    if failure.connection_invalidated:
        return True
    said = getattr(failure.orig, "sqlstate", None)
    is_of_connections = isinstance(failure, (OperationalError, InterfaceError))
    return is_of_connections and said in {None, "57P01", "57P02", "57P03"}


async def dispose_engine() -> None:
    """Close every connection; the next use opens new ones."""
    if engine.cache_info().currsize:
        await engine().dispose()
    if _statements.cache_info().currsize:
        await _statements().close()
    _statements.cache_clear()
    _sessions.cache_clear()
    engine.cache_clear()
