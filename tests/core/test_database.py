"""One unit of work; what the database refuses becomes words."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
from psycopg import errors as postgres
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from rewards_app.core import database as house
from rewards_app.core.connections.resting import has_something_to_read
from rewards_app.core.database import (
    MOST_POOLED,
    at_the_end,
    dispose_engine,
    lookup,
    run,
    statement,
    transaction,
)
from rewards_app.core.errors import DomainError, NotAllowed, StorageAway, StorageFull
from rewards_app.core.settings import settings
from tests.servers import OwnServer

database_of_its_own = pytest.mark.usefixtures("database")


@pytest.fixture
async def only_read(database: str) -> AsyncIterator[None]:
    """Whatever is opened from now on."""
    change = sql.SQL("alter database {} set default_transaction_read_only to {}")
    with psycopg.connect(database, autocommit=True) as before:
        name = sql.Identifier(before.info.dbname)
        before.execute(change.format(name, sql.SQL("on")))
        await dispose_engine()
        yield
        before.execute(change.format(name, sql.SQL("off")))
    await dispose_engine()


async def failing(cause: Exception) -> None:
    await failing_with(OperationalError("insert", {}, cause))


async def failing_with(failure: DBAPIError) -> None:
    async with transaction():
        raise failure


@database_of_its_own
class TestTransaction:
    async def test_keeps_all_or_nothing(self):
        async def half() -> None:
            async with transaction() as session:
                await run(session, text("create table half (n int)"))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await half()
        async with transaction() as session:
            found = await run(session, text("select to_regclass('half')"))
            assert found.scalar() is None

    async def test_does_last_what_locks_much_and_before_the_commit(self):
        done: list[str] = []

        async def last() -> None:
            await run(session, text("create table last (n int)"))
            done.append("last")

        async with transaction() as session:
            at_the_end(session, last)
            done.append("first")
        async with transaction() as session:
            found = await run(session, text("select to_regclass('last')"))
            assert found.scalar() == "last"
        assert done == ["first", "last"]

    async def test_that_fails_does_not_even_begin_with_what_comes_last(self):
        done: list[str] = []

        async def last() -> None:
            done.append("last")

        async def fails() -> None:
            async with transaction() as session:
                at_the_end(session, last)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fails()
        assert not done

    async def test_that_refuses_something_says_so_although_its_connection_broke(self, database):
        async def is_refused() -> None:
            async with transaction() as session:
                found = await run(session, text("select pg_backend_pid()"))
                with psycopg.connect(database) as other:
                    other.execute("select pg_terminate_backend(%s, 5000)", (found.scalar(),))
                raise NotAllowed

        for _ in range(MOST_POOLED + 1):
            with pytest.raises(NotAllowed):
                await is_refused()
        async with transaction() as session:
            assert (await run(session, text("select 1"))).scalar() == 1

    async def test_a_full_disk_is_said_in_words(self):
        with pytest.raises(StorageFull):
            await failing(postgres.DiskFull("no space left"))

    async def test_a_server_that_only_lets_itself_be_read_is_said_in_words(self, only_read: None):
        with pytest.raises(StorageAway):
            await make_table("refused (n int)")

    async def test_a_server_that_stops_is_said_in_words(self):
        with pytest.raises(StorageAway):
            await failing(postgres.AdminShutdown("terminating connection"))

    async def test_a_connection_that_broke_over_what_names_no_reason_is_said_in_words(self):
        cause = psycopg.DatabaseError("server closed the connection unexpectedly")
        with pytest.raises(StorageAway):
            await failing_with(DatabaseError("select 1", {}, cause, connection_invalidated=True))
        with pytest.raises(DatabaseError):
            await failing_with(DatabaseError("select 1", {}, cause))

    async def test_a_server_that_is_not_there_is_said_in_words(self, monkeypatch):
        await dispose_engine()
        monkeypatch.setattr(settings(), "database_url", "postgresql://nobody@127.0.0.1:1/none")

        async def ask() -> None:
            async with transaction() as session:
                await run(session, text("select 1"))

        with pytest.raises(StorageAway):
            await ask()
        await dispose_engine()


class Refused(DomainError):
    code = "not_allowed"


class RefusedAndKept(DomainError):
    code = "not_allowed"
    is_recorded = True


async def make_table(definition: str) -> None:
    async with transaction() as session:
        await run(session, text(f"create table {definition}"))


async def write_and_raise(refusal: Exception) -> None:
    async with transaction() as session:
        await run(session, text("insert into noted values (1)"))
        raise refusal


@database_of_its_own
class TestRefusals:
    @pytest.fixture(autouse=True)
    async def noted(self, database: str) -> None:
        await make_table("noted (n int check (n < 9))")

    async def count(self) -> int:
        found = await lookup("select count(*) from noted", ())
        return found[0] if found else -1

    async def test_that_are_recorded_keep_what_was_written_and_are_raised(self):
        refusal = RefusedAndKept(count=3)
        with pytest.raises(RefusedAndKept) as raised:
            await write_and_raise(refusal)
        assert raised.value is refusal
        assert await self.count() == 1

    async def test_of_all_other_kinds_leave_nothing(self):
        with pytest.raises(Refused):
            await write_and_raise(Refused())
        assert await self.count() == 0

    async def test_that_are_recorded_keep_nothing_that_the_database_refused(self):
        async def write_nonsense_and_refuse() -> None:
            async with transaction() as session:
                await run(session, text("insert into noted values (1)"))
                try:
                    await run(session, text("insert into noted values (9)"))
                except Exception:
                    raise RefusedAndKept from None

        with pytest.raises(RefusedAndKept):
            await write_nonsense_and_refuse()
        assert await self.count() == 0

    async def test_leave_the_next_transaction_alone(self):
        with pytest.raises(RefusedAndKept):
            await write_and_raise(RefusedAndKept())
        with pytest.raises(Refused):
            await write_and_raise(Refused())
        assert await self.count() == 1


@database_of_its_own
class TestOneStatement:
    async def test_gives_back_its_first_row(self):
        assert await statement("select n from generate_series(%s::int, 9) as n", (3,)) == (3,)

    async def test_that_finds_nothing_gives_nothing_back(self):
        assert await lookup("select 1 where false", ()) is None

    async def test_is_done_wholly_or_not_at_all(self):
        await make_table("half (n int check (n < 3))")
        with pytest.raises(postgres.CheckViolation):
            await statement("insert into half select generate_series(1, 3) returning n", ())
        assert await lookup("select count(*) from half", ()) == (0,)

    async def test_on_a_server_that_only_lets_itself_be_read_is_said_in_words(
        self, only_read: None
    ):
        with pytest.raises(StorageAway):
            await statement("create table refused (n int)", ())

    async def test_takes_values_as_values(self):
        hostile = "'; drop table accounts; --"
        assert await lookup("select %s::text", (hostile,)) == (hostile,)

    async def test_works_for_more_callers_than_there_are_connections(self):
        found = await asyncio.gather(
            *(lookup("select %s::int, pg_sleep(0.01)", (n,)) for n in range(50))
        )
        assert [row[0] for row in found if row] == list(range(50))


async def process_of_a_transaction(*, rests: float = 0) -> int:
    async with transaction() as session:
        found = await run(
            session, text("select pg_backend_pid(), pg_sleep(:rests)"), {"rests": rests}
        )
        return found.scalar_one()


async def process_of_a_statement(*, rests: float = 0) -> int:
    found = await lookup("select pg_backend_pid(), pg_sleep(%s)", (rests,))
    assert found
    return found[0]


@database_of_its_own
class TestConnections:
    @pytest.mark.parametrize("process", [process_of_a_transaction, process_of_a_statement])
    async def test_the_one_that_was_used_last_is_used_next(self, process):
        at_once = await asyncio.gather(*(process(rests=0.05) for _ in range(5)))
        assert len(set(at_once)) > 1
        assert len({await process() for _ in range(10)}) == 1

    async def test_that_broke_while_they_rested_are_replaced(self):
        async with transaction() as session:
            raw = await (await session.connection()).get_raw_connection()
            driver = raw.driver_connection
        assert isinstance(driver, psycopg.AsyncConnection)
        await driver.close()
        assert await process_of_a_transaction()

    async def test_are_not_asked_whether_they_live_while_their_server_says_nothing(self):
        async with await psycopg.AsyncConnection.connect(settings().database_url) as resting:
            assert not has_something_to_read(resting.fileno())
            end = "select pg_terminate_backend(%s, 5000)"
            assert await statement(end, (resting.info.backend_pid,)) == (True,)
            assert has_something_to_read(resting.fileno())


class TestAServerThatStops:
    """About ten seconds: who waits for a server that is away waits for five."""

    async def open_connections(self) -> None:
        await asyncio.gather(*(lookup("select pg_sleep(0.05)", ()) for _ in range(10)))

    async def test_and_starts_again_is_not_noticed_by_who_only_reads(self, own_server: OwnServer):
        await self.open_connections()
        own_server.restart()
        found = await asyncio.gather(*(lookup("select 1", ()) for _ in range(20)))
        assert found == [(1,)] * 20

    async def test_and_starts_again_is_not_noticed_by_who_begins_something(
        self, own_server: OwnServer
    ):
        await asyncio.gather(*(process_of_a_transaction(rests=0.05) for _ in range(5)))
        own_server.restart()
        assert all(await asyncio.gather(*(process_of_a_transaction() for _ in range(20))))

    async def test_and_starts_again_fails_one_statement_at_most(self, own_server: OwnServer):
        await self.open_connections()
        own_server.restart()
        first, *others = [await self.says_one() for _ in range(20)]
        assert first in (True, StorageAway), "a connection may have died unnoticed"
        assert others == [True] * 19

    async def says_one(self) -> object:
        try:
            return await statement("select 1", ()) == (1,)
        except StorageAway as refusal:
            return type(refusal)

    async def test_between_two_statements_is_said_in_words(self, own_server: OwnServer):
        async def is_interrupted() -> None:
            async with transaction() as session:
                await run(session, text("select 1"))
                own_server.crash()
                await run(session, text("select 1"))

        for _ in range(5):
            with pytest.raises(StorageAway):
                await is_interrupted()
            own_server.start()

    async def test_is_said_in_words_whatever_is_asked(self, own_server: OwnServer):
        async def ask() -> None:
            async with transaction() as session:
                await run(session, text("select 1"))

        await asyncio.gather(self.open_connections(), ask())
        calls = [lambda: lookup("select 1", ()), lambda: statement("select 1", ()), ask]
        with own_server.away():
            said = await asyncio.gather(*(call() for call in calls), return_exceptions=True)
        assert [type(one) for one in said] == [StorageAway] * 3
        await ask()
        assert await statement("select 1", ()) == (1,)

    async def test_for_long_is_looked_for_all_the_time(self):
        """The pool doubles its waits until it gives up: after 40 s away we were back after 17."""
        assert house._statements().reconnect_timeout <= house._statements().timeout
