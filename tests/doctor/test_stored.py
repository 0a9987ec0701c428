"""What the doctor reads in a real database, as it should be and as it should not."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine
from rewards_app.core.ids import new_id
from rewards_app.core.postgres import schema
from rewards_app.core.settings import settings
from rewards_app.doctor import stored
from rewards_app.doctor.findings import Kind
from rewards_app.features.accounts.rules import DEMO_DOMAIN
from tests.keyring import FIRST, SECOND, keys
from tests.people import an_account
from tests.servers import OwnServer
from tests.shop import a_buyer

MINUTELY = "ads.sweep"
PASSWORD = "never-to-be-told"  # pragma: allowlist secret


@pytest.fixture(autouse=True)
def _never_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When somebody built the pages of this copy is nothing that these tests may see."""
    monkeypatch.setenv("REFLEX_WEB_WORKDIR", str(tmp_path / "web"))


async def told(kind: Kind) -> list[str]:
    return [one.what for one in await stored.findings() if one.kind is kind]


def a_run(database: str, job: str, ago: timedelta, *, error: str = "") -> None:
    began = utc_now() - ago
    with psycopg.connect(database) as connection:
        connection.execute(
            "insert into job_runs (id, job, started_at, ended_at, error, did)"
            " values (%s, %s, %s, %s, %s, '{}')",
            (new_id(), job, began, began, error),
        )


class TestAFreshDatabase:
    async def test_is_fine_and_no_job_need_have_run(self, database: str):
        assert await told(Kind.WRONG) == []
        assert await told(Kind.WORTH_KNOWING) == [
            "No job has run yet: one should a minute after the first start."
        ]

    async def test_tells_its_version_its_schema_and_its_clock(self, database: str):
        fine = " ".join(await told(Kind.FINE))
        for part in ("PostgreSQL 18", "newest migration", "connections", "clock", "ledger"):
            assert part in fine

    async def test_is_only_read(self, database: str):
        async with stored.reading() as session:
            assert (await stored._one(session, "show transaction_read_only"))[0] == "on"


class TestTheSchema:
    async def test_of_another_version_is_named_and_nothing_else_is_asked(self, database: str):
        with psycopg.connect(database) as connection:
            connection.execute("update alembic_version set version_num = 'later'")
        [wrong] = await told(Kind.WRONG)
        assert "newer version" in wrong
        assert not any("ledger" in line for line in await told(Kind.FINE))
        with psycopg.connect(database) as connection:
            newest = schema.newest_revision()
            connection.execute("update alembic_version set version_num = %s", [newest])


class TestJobs:
    async def test_that_ran_a_minute_ago_are_fine(self, database: str):
        a_run(database, MINUTELY, timedelta(minutes=1))
        assert "Every job ran when it should." in await told(Kind.FINE)

    async def test_later_than_twice_their_period_are_wrong(self, database: str):
        a_run(database, MINUTELY, timedelta(minutes=3))
        assert any(f"The job {MINUTELY} is later" in line for line in await told(Kind.WRONG))

    async def test_that_failed_are_worth_knowing(self, database: str):
        a_run(database, MINUTELY, timedelta(minutes=1), error="KeyError")
        assert any(MINUTELY in line for line in await told(Kind.WORTH_KNOWING))

    async def test_that_came_with_a_new_version_have_time(self, database: str, tmp_path: Path):
        a_run(database, MINUTELY, timedelta(days=30))
        assert len(await told(Kind.WRONG)) > 1
        stamp = tmp_path / "web" / "built-from"
        stamp.parent.mkdir()
        stamp.touch()
        assert await told(Kind.WRONG) == []


@pytest.fixture
def redis_at() -> Iterator[Callable[[str], None]]:
    with pytest.MonkeyPatch.context() as environment:

        def set_to(url: str) -> None:
            environment.setenv("REDIS_URL", url)
            settings.cache_clear()

        yield set_to
    settings.cache_clear()


def workers_at_work(database: str, number: int) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(
            "insert into procrastinate_workers (last_heartbeat)"
            " select now() from generate_series(1, %s)",
            (number,),
        )


class TestWorkers:
    async def test_of_every_machine_are_counted(self, database: str):
        workers_at_work(database, 9)
        [said] = [what for what in await told(Kind.WORTH_KNOWING) if "workers" in what]
        assert "9 workers may open 315" in said

    async def test_of_which_two_have_no_redis_are_wrong(self, database: str):
        workers_at_work(database, 2)
        [wrong] = await told(Kind.WRONG)
        assert "2 workers were heard of within half a minute" in wrong
        assert "pages lose their state" in wrong

    @pytest.mark.parametrize(("workers", "url"), [(1, ""), (2, "redis://127.0.0.1/0")])
    async def test_of_which_one_has_none_or_two_have_one_are_not(
        self, database: str, redis_at: Callable[[str], None], workers: int, url: str
    ):
        redis_at(url)
        workers_at_work(database, workers)
        assert await told(Kind.WRONG) == []


class TestTheLedger:
    async def test_that_adds_up_is_fine(self, database: str):
        await a_buyer(coins_owned=89)
        assert "The ledger's entries and balances have the same sum." in await told(Kind.FINE)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_that_does_not_is_wrong_by_how_much(self, database: str):
        await a_buyer(coins_owned=89)
        with psycopg.connect(database) as connection:
            connection.execute("update coin_balances set balance = balance + 7")
        [wrong] = await told(Kind.WRONG)
        assert "-7 coins" in wrong


class TestWhatIsSealed:
    async def test_with_a_key_that_is_here_is_fine(self, database: str):
        with keys(FIRST):
            await an_account()
        with keys(SECOND, FIRST):
            assert await told(Kind.WRONG) == []

    async def test_with_another_key_is_wrong(self, database: str):
        with keys(FIRST):
            await an_account()
        with keys(SECOND):
            [wrong] = await told(Kind.WRONG)
        assert "1 values were sealed with a key that is not here" in wrong


class TestTheDemo:
    async def test_is_told_with_its_accounts(self, database: str):
        assert "There is no demo data." in await told(Kind.FINE)
        await an_account(f"maja@{DEMO_DOMAIN}")
        assert any("There are 1 demo accounts" in one for one in await told(Kind.WORTH_KNOWING))


class TestADatabaseOfBefore:
    async def test_is_named_until_it_is_gone(self, own_server: OwnServer):
        name = f"watchcoins_before_{utc_now():%Y%m%dt%H%M%S}"
        assert not [what for what in await told(Kind.WORTH_KNOWING) if "dropdb" in what]
        with psycopg.connect(own_server.url, autocommit=True) as connection:
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
            [said] = [what for what in await told(Kind.WORTH_KNOWING) if "dropdb" in what]
            connection.execute(sql.SQL("drop database {}").format(sql.Identifier(name)))
        assert f"The database {name} has people in it" in said


class TestADatabaseThatIsAway:
    async def test_is_one_line_that_says_where(self, own_server: OwnServer):
        with own_server.away():
            [found] = await stored.findings()
        assert found.kind is Kind.WRONG
        assert "does not answer" in found.what
        assert {one.kind for one in await stored.findings()} >= {Kind.FINE}

    async def test_that_lets_nobody_in_tells_no_password(self, monkeypatch: pytest.MonkeyPatch):
        address = f"postgresql://app:{PASSWORD}@127.0.0.1:9/rewards"
        monkeypatch.setattr(settings(), "database_url", address)
        await dispose_engine()
        [found] = await stored.findings()
        await dispose_engine()
        assert "on 127.0.0.1 does not answer" in found.what
        assert PASSWORD not in found.what
