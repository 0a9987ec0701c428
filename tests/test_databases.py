"""A swept database is as its template is, and an engine keeps nothing but what it compiled."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import func, select
from sqlalchemy.engine.interfaces import CacheStats

from rewards_app.core.database import dispose_engine, engine, run, transaction
from rewards_app.core.settings import settings
from tests.databases import Swept

SPOILT = {
    "a table is another one": "alter table ad_views rename to views",
    "a trigger sleeps": "alter table audit_entries disable trigger all",
    "a row of the template is another one": "update invoice_numbers set last = last + 1",
    "a table is new": "create table kept (number int)",
}


@pytest.fixture
def swept(postgres: str, template: str) -> Iterator[Swept]:
    one = Swept(postgres, template)
    yield one
    one.drop()


def asked(one: Swept, query: str) -> object:
    with psycopg.connect(one.url, autocommit=True) as connection:
        done = connection.execute(query)
        return done.fetchone() if done.description else None


WRITE = "insert into procrastinate_jobs (queue_name, task_name) values ('a', 'b') returning id"


def test_what_was_written_is_gone_and_counted_anew(swept: Swept):
    first = asked(swept, WRITE)

    assert swept.sweep()

    assert asked(swept, "select count(*) from procrastinate_jobs") == (0,)
    assert asked(swept, "select pg_relation_size('procrastinate_jobs')") == (0,)
    assert asked(swept, WRITE) == first


def test_connections_that_were_left_open_are_ended(swept: Swept):
    with psycopg.connect(swept.url, autocommit=True) as left:
        assert swept.sweep()
        with pytest.raises(psycopg.OperationalError):
            left.execute("select 1")


@pytest.mark.parametrize("change", SPOILT.values(), ids=SPOILT)
def test_is_given_to_nobody_where(swept: Swept, change: str):
    asked(swept, change)

    assert not swept.sweep()


async def asks_who_serves() -> tuple[int, CacheStats]:
    """And whether the question had been compiled before."""
    async with transaction() as session:
        found = await run(session, select(func.pg_backend_pid()))
        return found.scalar_one(), found.context.cache_hit


class TestTheEngine:
    async def test_keeps_what_it_compiled_and_no_connection(self, database: str):
        before, _ = await asks_who_serves()
        await dispose_engine()
        after, cache = await asks_who_serves()
        assert after != before
        assert cache is CacheStats.CACHE_HIT

    async def test_of_another_database_is_another_one(
        self, database: str, postgres: str, monkeypatch: pytest.MonkeyPatch
    ):
        before = engine()
        await dispose_engine()
        monkeypatch.setattr(settings(), "database_url", postgres)
        assert engine() is not before
