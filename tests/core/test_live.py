"""What one worker says, every worker hears; a lost connection is taken up again."""

import asyncio

import psycopg
import pytest

from rewards_app.core import live
from rewards_app.core.database import transaction

pytestmark = pytest.mark.usefixtures("database")


async def heard(topic: str) -> list[str]:
    keys: list[str] = []

    async def note(key: str) -> None:
        keys.append(key)

    live.on(topic, note)
    return keys


async def until(is_done, seconds: float = 5) -> None:
    for _ in range(int(seconds * 20)):
        if is_done():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen")


async def say(topic: str, key: str) -> None:
    async with transaction() as session:
        await live.publish(session, topic, key)


@pytest.fixture
async def listening(database: str):
    task = asyncio.create_task(live.listen())
    await asyncio.sleep(0.3)
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.usefixtures("listening")
class TestLive:
    async def test_a_committed_change_is_heard(self):
        keys = await heard("one")
        await say("one", "a")
        await until(lambda: keys == ["a"])

    async def test_a_change_that_was_rolled_back_is_not(self):
        keys = await heard("two")

        async def say_and_fail() -> None:
            async with transaction() as session:
                await live.publish(session, "two", "lost")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await say_and_fail()
        await say("two", "kept")
        await until(lambda: keys)
        assert keys == ["kept"]

    async def test_one_listener_that_fails_does_not_silence_the_others(self):
        async def broken(_key: str) -> None:
            raise ValueError

        live.on("three", broken)
        keys = await heard("three")
        await say("three", "a")
        await until(lambda: keys)

    async def test_is_taken_up_again_after_the_connection_was_cut(self, database: str):
        keys = await heard("four")
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where query ilike 'listen %' and datname = current_database()"
            )
        await asyncio.sleep(live.RECONNECT_SECONDS + 0.5)
        await say("four", "again")
        await until(lambda: keys == ["again"])
