"""What one worker says, every worker hears; a lost connection is taken up again."""

import asyncio

import psycopg
import pytest
from sqlalchemy import text

from rewards_app.core import live
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import DomainError
from tests.servers import OwnServer
from tests.waiting import hears_the_others


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


async def both_ways():
    """What a worker does all its life: it listens, and it sends what was announced."""
    tasks = [asyncio.create_task(live.listen()), asyncio.create_task(live.tell())]
    await hears_the_others()
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
async def listening(database: str):
    async for _ in both_ways():
        yield


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
        keys, taken_up = await heard("four"), await heard(live.TAKEN_UP)
        cut = live.heard_by()
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where query ilike 'listen %' and datname = current_database()"
            )
        await hears_the_others(anew_after=cut)
        await say("four", "again")
        await until(lambda: keys == ["again"])
        assert taken_up == [""], "whoever listens again knows that it may have missed something"


async def announce_and_end(key: str, failure: Exception | None) -> None:
    async with transaction() as session:
        live.announce_after(session, "after", key)
        await run(session, text("create temporary table changed (n int) on commit drop"))
        await asyncio.sleep(3 * live.TELL_EVERY_SECONDS)
        if failure:
            raise failure


class Kept(DomainError):
    code = "not_allowed"
    is_recorded = True


@pytest.mark.usefixtures("listening")
class TestAnnouncements:
    async def test_are_heard(self):
        keys = await heard("soon")
        live.announce("soon", "a")
        await until(lambda: keys == ["a"])

    async def test_of_the_same_travel_once(self):
        keys = await heard("often")
        for number in range(100):
            live.announce("often", "ab"[number % 2])
        live.announce("often", "last")
        await until(lambda: "last" in keys and len(keys) >= 3)
        assert sorted(keys) == ["a", "b", "last"]

    async def test_of_the_same_later_on_are_told_again(self):
        keys = await heard("again")
        live.announce("again", "a")
        await until(lambda: keys == ["a"])
        live.announce("again", "a")
        await until(lambda: keys == ["a", "a"])

    async def test_of_the_same_while_they_are_told_are_told_once_more(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        keys, lookup = await heard("twice"), live.lookup

        async def and_changes_again(*asked):
            monkeypatch.setattr(live, "lookup", lookup)
            live.announce("twice", "a")
            return await lookup(*asked)

        monkeypatch.setattr(live, "lookup", and_changes_again)
        live.announce("twice", "a")
        await until(lambda: keys == ["a", "a"])

    async def test_of_a_transaction_are_told_once_it_commits(self):
        keys = await heard("after")
        task = asyncio.create_task(announce_and_end("kept", None))
        await asyncio.sleep(2 * live.TELL_EVERY_SECONDS)
        assert keys == []
        await task
        await until(lambda: keys == ["kept"])

    async def test_of_a_transaction_that_failed_are_told_to_nobody(self):
        keys = await heard("after")
        with pytest.raises(ZeroDivisionError):
            await announce_and_end("lost", ZeroDivisionError())
        await announce_and_end("kept", None)
        await until(lambda: keys)
        assert keys == ["kept"]

    async def test_of_a_refusal_that_is_recorded_are_told(self):
        keys = await heard("after")
        with pytest.raises(Kept):
            await announce_and_end("recorded", Kept())
        await until(lambda: keys == ["recorded"])

    async def test_of_more_than_one_message_can_hold_are_all_heard(self):
        keys = await heard("many")
        for number in range(2000):
            live.announce("many", str(number))
        await until(lambda: len(keys) == 2000)


async def test_announcements_are_told_in_each_life_of_a_program(monkeypatch: pytest.MonkeyPatch):
    told: list[int] = []

    async def tell_now() -> None:
        told.append(len(live._waiting))
        live._waiting.clear()

    async def a_life() -> None:
        telling = asyncio.create_task(live.tell())
        await asyncio.sleep(0.05)
        live.announce("life", "a")
        await until(lambda: not live._waiting)
        telling.cancel()

    monkeypatch.setattr(live, "tell_now", tell_now)
    monkeypatch.setattr(live, "_waiting", {})
    for _ in range(2):
        await asyncio.to_thread(asyncio.run, a_life())
    assert told == [1, 1]


class TestAnnouncementsToAServerThatIsAway:
    """About six seconds: who waits for the server waits for five."""

    @pytest.fixture
    async def listening(self, own_server: OwnServer):
        async for _ in both_ways():
            yield

    @pytest.mark.usefixtures("listening")
    async def test_wait_until_it_is_back(self, own_server: OwnServer):
        keys = await heard("away")
        with own_server.away():
            live.announce("away", "meanwhile")
            await asyncio.sleep(4 * live.TELL_EVERY_SECONDS)
            assert ("away", "meanwhile") in live._waiting
        await until(lambda: not live._waiting, seconds=15)
        await until(lambda: live.announce("away", "after") or "after" in keys, seconds=15)
