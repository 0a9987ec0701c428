"""Each of several workers knows which one it is; one that is gone is not waited for."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import psycopg
import pytest

from rewards_app.core import live
from rewards_app.core.database import lookup
from rewards_app.core.queue import turns
from rewards_app.core.queue.turns import ALONE, Turn
from tests.servers import OwnServer, soon_given_up
from tests.waiting import hears_the_others


@contextmanager
def a_worker(database: str, name: str = live.WORKER) -> Iterator[None]:
    """Another one, as far as this one can see."""
    with psycopg.connect(database, autocommit=True, application_name=name) as connection:
        pid = connection.info.backend_pid
        yield
    has_left(database, pid)


def has_left(database: str, pid: int) -> None:
    """Come back when PostgreSQL has noticed: what was closed is listed a little longer."""
    with psycopg.connect(database, autocommit=True) as watching:
        listed = "select 1 from pg_stat_activity where pid = %s"
        while watching.execute(listed, (pid,)).fetchone():
            time.sleep(0.01)


@contextmanager
def workers(database: str, count: int) -> Iterator[None]:
    if count == 0:
        yield
        return
    with a_worker(database), workers(database, count - 1):
        yield


async def counted() -> Turn:
    await turns.count_once()
    return turns.turn()


async def listening_as(database: str, name: str) -> AsyncIterator[None]:
    task = asyncio.create_task(live.listen(name=name))
    pid = await hears_the_others()
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await turns.count_once()
    assert turns.turn() == ALONE, "a worker that has stopped counts no more"
    has_left(database, pid)


@pytest.fixture
async def listening(database: str) -> AsyncIterator[None]:
    async for _ in listening_as(database, live.WORKER):
        yield


class TestTurns:
    def test_every_key_is_the_turn_of_one(self):
        three = [Turn(number, 3) for number in range(3)]
        for key in (0, 1, 2, 3, 1_000_003):
            assert len([one for one in three if one.has(key)]) == 1

    def test_one_alone_has_them_all(self):
        assert ALONE.is_first
        assert all(ALONE.has(key) for key in range(5))


@pytest.mark.usefixtures("listening")
class TestCounting:
    async def test_one_alone_is_the_first(self):
        assert await counted() == Turn(0, 1)

    async def test_who_came_later_comes_after(self, database: str):
        with workers(database, 3):
            assert await counted() == Turn(0, 4)

    async def test_other_programs_are_no_workers(self, database: str):
        with a_worker(database, "psql"), a_worker(database, ""):
            assert await counted() == Turn(0, 1)


class TestWhoCameFirst:
    async def test_goes_first_until_it_is_gone(self, database: str):
        with workers(database, 2):
            async for _ in listening_as(database, live.WORKER):
                assert await counted() == Turn(2, 3)
                assert not turns.turn().is_first
        async for _ in listening_as(database, live.WORKER):
            assert await counted() == Turn(0, 1)

    async def test_a_program_that_only_listens_counts_itself_alone(self, database: str):
        with workers(database, 2):
            async for _ in listening_as(database, ""):
                assert await counted() == ALONE

    async def test_stays_as_it_was_while_the_database_is_away(self, own_server: OwnServer):
        await lookup("select 1", ())
        with workers(own_server.url, 1):
            async for _ in listening_as(own_server.url, live.WORKER):
                assert await counted() == Turn(1, 2)
                own_server.stop()
                with soon_given_up():
                    assert await counted() == Turn(1, 2)
                own_server.start()
