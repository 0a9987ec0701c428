"""What PostgreSQL says reaches whoever listens, and a lost server is noticed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import LiteralString
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from psycopg import AsyncConnection

from rewards_app.core.connections import hearing
from rewards_app.core.database import statement
from rewards_app.core.settings import settings
from tests import steady
from tests.chaos.proxy import Lines, Proxy, at_socket

CHANNEL = "of_these_tests"


@pytest.fixture
async def connection(database: str) -> AsyncIterator[AsyncConnection]:
    async with hearing.listening([CHANNEL, "another"], name="who listens") as made:
        yield made


@pytest.fixture
def behind(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """The way to the server, which can be held up."""
    at = urlsplit(database)
    lines = Lines()
    proxy = Proxy(lines, at_socket(f"{parse_qs(at.query)['host'][0]}/.s.PGSQL.5432"))
    url = f"postgresql://postgres@127.0.0.1:{proxy.port}{at.path}"
    monkeypatch.setattr(settings(), "database_url", url)
    yield proxy
    proxy.close()
    lines.close()


async def say(*words: str, channel: str = CHANNEL) -> None:
    for word in words:
        await statement("select pg_notify(%s, %s)", (channel, word))


async def the_next(connection: AsyncConnection, count: int) -> list[str]:
    heard: list[str] = []
    async with steady.timeout(5):
        async for notice in hearing.notices(connection):
            heard.append(notice.payload)
            if len(heard) == count:
                break
    return heard


class TestNotices:
    async def test_come_in_their_order_also_those_from_before(self, connection: AsyncConnection):
        await say("a", "b")
        later = asyncio.create_task(the_next(connection, 5))
        await asyncio.sleep(0.2)
        await say("c", "d")
        await say("e", channel="another")
        assert await later == ["a", "b", "c", "d", "e"]

    async def test_end_with_the_connection(self, connection: AsyncConnection):
        hearing_on = asyncio.create_task(the_next(connection, 1))
        await asyncio.sleep(0.2)
        assert await statement(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where application_name = %s and datname = current_database()",
            ("who listens",),
        ) == (True,)
        with pytest.raises(psycopg.OperationalError):
            await hearing_on

    async def test_are_heard_after_long_silences_in_which_the_server_was_asked(
        self, connection: AsyncConnection, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(hearing, "ASKED_EVERY_SECONDS", 0.05)
        later = asyncio.create_task(the_next(connection, 1))
        said_last: LiteralString = (
            "select query from pg_stat_activity where application_name = %s"
            " and datname = current_database()"
        )
        async with steady.timeout(5):
            while await statement(said_last, ("who listens",)) != ("select 1",):
                await asyncio.sleep(0.05)
        await say("a")
        assert await later == ["a"]

    async def test_end_where_the_server_stands_still(
        self, behind: Proxy, monkeypatch: pytest.MonkeyPatch
    ):
        async with hearing.listening([CHANNEL]) as connection:
            monkeypatch.setattr(hearing, "ASKED_EVERY_SECONDS", 0.05)
            monkeypatch.setattr(hearing, "ANSWERS_WITHIN_SECONDS", 0.5)
            behind.stands_still()
            with pytest.raises(psycopg.OperationalError):
                await the_next(connection, 1)

    async def test_cost_nothing_while_there_are_none(
        self, connection: AsyncConnection, monkeypatch: pytest.MonkeyPatch
    ):
        looks = 0
        notifies = connection.notifies

        def counted(**options: float) -> AsyncIterator[psycopg.Notify]:
            nonlocal looks
            looks += 1
            return notifies(**options)

        monkeypatch.setattr(connection, "notifies", counted)
        later = asyncio.create_task(the_next(connection, 1))
        await asyncio.sleep(0.6)
        assert looks == 1
        await say("a")
        assert await later == ["a"]
