"""The database of a test: swept after each one, and made anew only where that is not enough."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import psycopg
from psycopg import sql
from sqlalchemy.ext.asyncio import AsyncEngine

from rewards_app.core import database
from rewards_app.core.postgres import embedded
from rewards_app.core.settings import settings
from rewards_app.core.watching import traces

TEMPLATE = "template_rewards"
Filled = TypeVar("Filled")
WRITTEN = """
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
"""
GROWN = """
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 512 * 1024
    order by 1
"""
"""An index that has grown stays large when its table is empty, and is asked less gladly."""
SEND_AWAY = """
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
"""
COUNT_ANEW = """
    select setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences where last_value is not null
"""
OURS = 16_384
"""From this number on, what is in a catalogue was not there when the server was made."""
CATALOGUES = {
    "pg_class": "oid",
    "pg_attribute": "attrelid",
    "pg_attrdef": "adrelid",
    "pg_constraint": "oid",
    "pg_index": "indexrelid",
    "pg_trigger": "oid",
    "pg_proc": "oid",
    "pg_type": "oid",
    "pg_namespace": "oid",
    "pg_extension": "oid",
    "pg_db_role_setting": "setdatabase",
}
SHAPE = " union all ".join(
    f"select '{name}', count(*), max(xmin::text::bigint) from {name} where {number} >= {OURS}"
    for name, number in CATALOGUES.items()
)
"""Another one as soon as a table, a column, a rule or a trigger is new, gone or different."""


class Swept:
    """One database, as its template is: for one test after the other, never for two at once."""

    def __init__(self, server: str, template: str) -> None:
        self.server = server
        self.template = template
        self.name = f"test_{os.urandom(6).hex()}"
        with self._maintaining() as connection:
            make = sql.SQL("create database {} template {} strategy file_copy")
            connection.execute(make.format(*map(sql.Identifier, (self.name, template))))
        self.connection = psycopg.connect(self.url, autocommit=True)
        # Otherwise a ledger that is never emptied would not be emptied here, either.
        self.connection.execute("set session_replication_role = replica")
        if self._is_kept:
            self._shape = self._asked(SHAPE)
            self._given = self._rows_of(self._written())
            self._grown = self._asked(GROWN)

    @property
    def url(self) -> str:
        return named(self.server, self.name)

    @property
    def _is_kept(self) -> bool:
        """All that other templates have would take longer to look through than to copy."""
        return self.template == TEMPLATE

    def sweep(self) -> bool:
        """Empty what was written; False where more was changed than that, and a new one is due."""
        if not self._is_kept:
            return False
        self._asked(SEND_AWAY)
        is_as_given = self._rows_of(list(self._given)) == self._given
        if not is_as_given or self._asked(SHAPE) != self._shape:
            return False
        if self._asked(GROWN) != self._grown:
            return False
        if written := [name for name in self._written() if name not in self._given]:
            tables = [sql.Identifier(name) for name in written]
            with self.connection.transaction():
                for table in tables:
                    self.connection.execute(sql.SQL("delete from {}").format(table))
            # Without a page it is a table again that was never written.
            self.connection.execute(sql.SQL("vacuum {}").format(sql.SQL(", ").join(tables)))
        self._asked(COUNT_ANEW)
        return True

    def drop(self) -> None:
        self.connection.close()
        with self._maintaining() as connection:
            drop = sql.SQL("drop database {} with (force)")
            connection.execute(drop.format(sql.Identifier(self.name)))

    def _maintaining(self) -> psycopg.Connection:
        return psycopg.connect(named(self.server, "postgres"), autocommit=True)

    def _written(self) -> list[str]:
        return [name for (name,) in self._asked(WRITTEN)]

    def _rows_of(self, tables: list[str]) -> dict[str, list[tuple[Any, ...]]]:
        query = sql.SQL("select t::text from {} t order by 1")
        return {name: self._asked(query.format(sql.Identifier(name))) for name in tables}

    def _asked(self, query: str | sql.Composed) -> list[tuple[Any, ...]]:
        return self.connection.execute(query).fetchall()


def named(url: str, database: str) -> str:
    return url.replace(f"/{embedded.DATABASE}?", f"/{database}?")


@asynccontextmanager
async def template_with(
    server: str, fill: Callable[[], Awaitable[Filled]]
) -> AsyncIterator[tuple[str, Filled]]:
    """A template with what that writes, made once for many tests; and what that returns."""
    name = f"template_{os.urandom(6).hex()}"
    with psycopg.connect(named(server, "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} template {TEMPLATE} strategy file_copy")
        with connected_to(named(server, name)):
            await database.dispose_engine()
            filled = await fill()
            await database.dispose_engine()
        yield name, filled
        connection.execute(f"drop database {name} with (force)")


@contextmanager
def connected_to(url: str) -> Iterator[None]:
    before = os.environ.get("DATABASE_URL")
    os.environ["DATABASE_URL"] = url
    settings.cache_clear()
    try:
        yield
    finally:
        os.environ.pop("DATABASE_URL")
        if before:
            os.environ["DATABASE_URL"] = before
        settings.cache_clear()


_made = database.engine.__wrapped__


@lru_cache(maxsize=3)
def _kept(_url: str) -> AsyncEngine:
    return _made()


@lru_cache(maxsize=1)
def lasting_engine() -> AsyncEngine:
    """In the place of the app's: what it has compiled stays, when `dispose_engine` closes all else.

    Whoever listens to it has to stop before the next test. Traces listen from the beginning.
    """
    return _made() if traces._tracer else _kept(settings().database_url)
