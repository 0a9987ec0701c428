"""The drill of a bad hour: back to a moment, with the scripts of `deploy/` and nothing else."""

import asyncio
import os
import re
import subprocess
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from rewards_app.backups import proving
from rewards_app.core.database import dispose_engine
from rewards_app.core.postgres import schema
from rewards_app.core.settings import settings
from rewards_app.doctor import stored
from rewards_app.doctor.findings import Kind
from rewards_app.features.health.site import ARCHIVE_FAILS, SITE
from tests.backups.point_in_time import Machine, Server, programs
from tests.serving import PROJECT
from tests.shop import a_buyer, balance_of, buys, earns, stock

HANDBOOK = (PROJECT / "docs/operating.md").read_text("utf-8")
FILES_OF_A_BASE = ("base.tar.gz", "pg_wal.tar.gz", "backup_manifest")


@pytest.fixture
async def server(blank: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    machine = Machine()
    first = Server(machine, "first")
    first.make(blank)
    first.start()
    machine.must("createdb", "watchcoins")
    monkeypatch.setenv("DATABASE_URL", first.url)
    await _leave()
    try:
        yield first
    finally:
        monkeypatch.undo()
        await _leave()
        for name in ("first", "second", "third"):
            if (machine.folder / name / "postmaster.pid").exists():
                Server(machine, name).stop()
        machine.remove()


async def _leave() -> None:
    await dispose_engine()
    settings.cache_clear()


def the_time(server: Server) -> datetime:
    with psycopg.connect(server.url) as connection:
        found = connection.execute("select clock_timestamp()").fetchone()
        assert found
        return found[0].astimezone(UTC)


def to_the_next_name() -> float:
    """In seconds, which bases are named by."""
    return 1 - time.time() % 1


def archive(server: Server) -> None:
    """As a minute without work does it."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        row = connection.execute("select pg_walfile_name(pg_current_wal_lsn())").fetchone()
        assert row
        connection.execute("select pg_switch_wal()")
        for _ in range(600):
            kept = list((server.machine.backups / "wal").glob(f"{row[0]}.gz"))
            if kept:
                return
            connection.execute("select pg_sleep(0.1)")
        told = connection.execute("select * from pg_stat_archiver").fetchone()
    raise AssertionError(f"{row[0]} is not archived: {told}")


async def test_what_happened_before_the_moment_is_there_and_nothing_after(server: Server):
    machine = server.machine
    await asyncio.to_thread(schema.upgrade)
    await stock(3)
    buyer = await a_buyer(coins_owned=89)
    await asyncio.to_thread(machine.must, machine.folder / "base-backup")
    await asyncio.sleep(to_the_next_name())
    await buys(buyer, 89)
    moment = the_time(server)
    await earns(buyer, 5_000)
    await asyncio.to_thread(archive, server)
    assert (await balance_of(buyer))[0] == 5_000
    await _leave()
    await asyncio.to_thread(server.stop)

    second = Server(machine, "second")
    a_fresh_volume(second)
    said = await asyncio.to_thread(
        machine.must, machine.folder / "restore-to", without_a_zone(moment), second.data
    )
    assert "goes on to" in said
    await asyncio.to_thread(second.start)
    await _until_open(second)

    assert (await balance_of(buyer))[0] == 0
    proof = await proving.prove([])
    assert proof.problems == []
    assert (proof.purchases, proof.accounts) == (1, 1)
    with psycopg.connect(second.url) as connection:
        assert connection.execute("show archive_mode").fetchone() == ("off",)
    [wrong] = [one.what for one in await stored.findings() if one.kind is Kind.WRONG]
    assert "taken back to a point in time" in wrong


def without_a_zone(moment: datetime) -> str:
    """Which is UTC then, wherever the server is."""
    return moment.replace(tzinfo=None).isoformat(sep=" ")


def a_fresh_volume(server: Server) -> None:
    """As a container finds it: empty, and everybody's until PostgreSQL has it."""
    server.machine.must("install", "-d", "-m", "1777", server.data)


async def test_who_goes_back_again_begins_another_line(server: Server):
    """To a moment before the first base of the server that went back before."""
    machine = server.machine
    await asyncio.to_thread(machine.must, machine.folder / "base-backup")
    await asyncio.sleep(to_the_next_name())
    moment = the_time(server)
    await asyncio.to_thread(write_and_archive, server)
    lines: list[str] = []
    for name in ("second", "third"):
        await asyncio.to_thread(server.stop)
        server = Server(machine, name)
        said = moment.isoformat(sep=" ")
        await _goes_on(server, said)
        await asyncio.to_thread(takes_its_place, server)
        await asyncio.to_thread(write_and_archive, server)
        with psycopg.connect(server.url) as connection:
            query = "select left(pg_walfile_name(pg_current_wal_lsn()), 8), failed_count"
            row = connection.execute(f"{query} from pg_stat_archiver").fetchone()
        assert row
        assert row[1] == 0
        lines.append(row[0])
    assert lines == ["00000002", "00000003"]


async def test_an_old_server_that_is_back_is_followed_on_its_own_line(server: Server):
    """One that went back took its place for a while, and the log of both is kept."""
    machine, second = server.machine, Server(server.machine, "second")
    await asyncio.to_thread(machine.must, machine.folder / "base-backup")
    await asyncio.sleep(to_the_next_name())
    moment = the_time(server).isoformat(sep=" ")
    await asyncio.to_thread(write_and_archive, server)
    await asyncio.to_thread(server.stop)
    await _goes_on(second, moment)
    await asyncio.to_thread(takes_its_place, second)
    await asyncio.to_thread(write_and_archive, second)
    await asyncio.to_thread(second.stop)

    await asyncio.to_thread(server.start)
    await asyncio.sleep(to_the_next_name())
    await asyncio.to_thread(machine.must, machine.folder / "base-backup")
    with psycopg.connect(server.url) as connection:
        connection.execute("create table written_after ()")
    await asyncio.to_thread(archive, server)
    await asyncio.to_thread(server.crash)

    third = Server(machine, "third")
    await _goes_on(third, "end")
    assert tables(third) == {"of_first", "written_after"}


async def test_a_base_from_before_more_connections_goes_on_once_it_may_have_as_many(server: Server):
    machine = server.machine
    await asyncio.to_thread(machine.must, machine.folder / "base-backup")
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("alter system set max_connections = 300")
    server.stop()
    server.start()
    with psycopg.connect(server.url) as connection:
        connection.execute("create table written_after as select 1 as one")
    await asyncio.to_thread(archive, server)
    server.stop()

    second = Server(machine, "second")
    a_fresh_volume(second)
    await asyncio.to_thread(machine.must, machine.folder / "restore-to", "end", second.data)
    second.start()
    log = machine.folder / "second.log"
    for _ in range(600):
        if "recovery has paused" in log.read_text():
            break
        await asyncio.sleep(0.1)
    assert "max_connections = 100 is a lower setting" in log.read_text()
    with psycopg.connect(second.url) as connection:
        assert connection.execute("select pg_is_in_recovery()").fetchone() == (True,)

    [line] = re.findall(r"`(echo '[^`]+ >>\S+/postgresql\.auto\.conf)`", HANDBOOK)
    typed = line.replace("/var/lib/postgresql/15/main", str(second.data))
    machine.must("sh", "-c", typed)
    second.stop()
    second.start()
    await _until_open(second)
    with psycopg.connect(second.url) as connection:
        assert connection.execute("select one from written_after").fetchone() == (1,)


@pytest.mark.parametrize("has_disk", [False, True], ids=["alone", "and its disk"])
async def test_of_a_machine_that_died_all_is_there_that_was_handed_over(
    server: Server, has_disk: bool
):
    """And what was not, where its disk can be read; whatever moment its base still names."""
    machine = server.machine
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("alter system set recovery_target_time = '2026-03-14 12:00:00+00'")
    await asyncio.to_thread(machine.must, machine.folder / "base-backup")
    await asyncio.to_thread(write_and_archive, server)
    with psycopg.connect(server.url) as connection:
        connection.execute("create table of_the_last_minute ()")
    await asyncio.to_thread(server.crash)

    second = Server(machine, "second")
    said = await asyncio.to_thread(machine.must, machine.folder / "restore-to", "end", second.data)
    assert "goes on to the end of the log once" in said
    if has_disk:
        machine.must("sh", "-c", f"cp {server.data}/pg_wal/0* {second.data}/pg_wal")
    await asyncio.to_thread(second.start)
    await _until_open(second)
    assert tables(second) == {"of_first"} | ({"of_the_last_minute"} if has_disk else set[str]())
    await asyncio.to_thread(takes_its_place, second)
    await asyncio.to_thread(write_and_archive, second)


async def test_a_replica_that_took_over_keeps_a_log_of_its_own(server: Server):
    """In an empty folder, as where the first one's is gone with its machine."""
    machine, replica = server.machine, Server(server.machine, "second")
    copied = ("pg_basebackup", "-D", replica.data, "-R", "-c", "fast")
    await asyncio.to_thread(machine.must, *copied)
    await asyncio.to_thread(server.crash)
    for piece in (machine.backups / "wal").iterdir():
        piece.unlink()
    await asyncio.to_thread(replica.start)
    await asyncio.to_thread(replica.promote)
    await asyncio.to_thread(machine.must, machine.folder / "base-backup")
    await asyncio.to_thread(write_and_archive, replica)
    await asyncio.to_thread(replica.stop)

    third = Server(machine, "third")
    await _goes_on(third, "end")
    assert tables(third) == {"of_second"}


def tables(server: Server) -> set[str]:
    with psycopg.connect(server.url) as connection:
        return {name for (name,) in connection.execute("select relname from pg_stat_user_tables")}


def write_and_archive(server: Server) -> None:
    with psycopg.connect(server.url) as connection:
        connection.execute(f"create table of_{server.name} ()")
    archive(server)


def takes_its_place(server: Server) -> None:
    """As the handbook says."""
    [names, _] = re.findall(r"^for name in (.+ restore_command .+); do$", HANDBOOK, re.MULTILINE)
    with psycopg.connect(server.url, autocommit=True) as connection:
        for name in names.split():
            connection.execute(sql.SQL("alter system reset {}").format(sql.Identifier(name)))
    server.stop()
    server.start()
    server.machine.must(server.machine.folder / "base-backup")


class TestAnArchive:
    @pytest.mark.parametrize("command", ["", "true", " /bin/true ", "/usr/bin/true"])
    async def test_that_throws_the_log_away_is_wrong(self, server: Server, command: str):
        await asyncio.to_thread(hands_over_by, server, command)
        wrong = [one.what for one in await stored.findings() if one.kind is Kind.WRONG]
        assert any("does not keep its log for a point in time" in one for one in wrong)
        assert archive_fails(server)

    def test_that_never_took_anything_is_wrong_once_it_is_late(self, server: Server):
        assert not archive_fails(server, minutes_later=15)
        assert archive_fails(server, minutes_later=17)

    def test_that_works_is_fine_until_nothing_comes_any_more(self, server: Server):
        archive(server)
        assert not archive_fails(server, minutes_later=15)
        assert archive_fails(server, minutes_later=17)

    def test_that_waits_for_whole_pieces_of_the_log_is_never_late(self, server: Server):
        hands_over_by(server, "exit 0", archive_timeout="0")
        assert not archive_fails(server, minutes_later=600)

    def test_is_looked_at_alike_for_the_figures_and_by_the_doctor(self):
        assert ARCHIVE_FAILS in SITE
        assert ARCHIVE_FAILS in stored.ARCHIVE


def hands_over_by(server: Server, command: str, **others: str) -> None:
    chosen = {"archive_command": command, **others}
    with psycopg.connect(server.url, autocommit=True) as connection:
        for name, value in chosen.items():
            setting = sql.SQL("alter system set {} = {}")
            connection.execute(setting.format(sql.Identifier(name), sql.Literal(value)))
        connection.execute("select pg_reload_conf()")
        for name, value in chosen.items():
            while connection.execute("select current_setting(%s)", [name]).fetchone() != (value,):
                time.sleep(0.05)


def archive_fails(server: Server, *, minutes_later: int = 0) -> bool:
    """As a role without rights finds it, and by a clock that is so far ahead."""
    with psycopg.connect(server.url) as connection:
        connection.execute(
            "create role app; create schema later; grant usage on schema later to app"
        )
        connection.execute(
            sql.SQL(
                "create function later.now() returns timestamptz language sql as"
                " $$select pg_catalog.now() + {} * interval '1 minute'$$"
            ).format(minutes_later)
        )
        connection.execute("set local role app; set local search_path = later, pg_catalog")
        found = connection.execute(
            f"select coalesce({ARCHIVE_FAILS}, false) from pg_stat_archiver"
        ).fetchone()
        connection.rollback()
    assert found
    return found[0]


class TestABase:
    def test_is_whole_however_long_the_copy_takes(self, server: Server):
        """Meanwhile the server writes more of its log than it keeps by itself."""
        machine = server.machine
        path = copies_slowly(machine, rate="8M")
        copying = threading.Thread(target=works_while_it_is_copied, args=(server,))
        copying.start()
        machine.must(machine.folder / "base-backup", PATH=path)
        copying.join()
        second = Server(machine, "second")
        said = without_a_zone(the_time(server))
        machine.must(machine.folder / "restore-to", said, second.data)
        label = (second.data / "backup_label").read_text()
        [first] = re.findall(r"^START WAL LOCATION: .* \(file (\w+)\)$", label, re.MULTILINE)
        assert (second.data / "pg_wal" / first).exists()

    def test_makes_room_for_the_next_one_before_it_is_copied(self, server: Server):
        machine = server.machine
        for _ in range(2):
            machine.must(machine.folder / "base-backup")
            time.sleep(to_the_next_name())
            archive(server)
        old, newest = bases(machine)
        needed = pieces(machine)
        away = {"PGHOST": "/nowhere", "KEEP": "1"}
        assert machine.run(machine.folder / "base-backup", **away).returncode != 0
        assert bases(machine) == [newest]
        assert old < newest
        assert pieces(machine) < needed
        assert machine.run(machine.folder / "base-backup", **away).returncode != 0
        assert bases(machine) == [newest]
        none = machine.run(machine.folder / "base-backup", KEEP="0")
        assert "one is kept at least" in none.stderr
        assert bases(machine) == [newest]

    def test_is_not_disturbed_by_another_one(self, server: Server):
        machine = server.machine
        path = copies_slowly(machine, rate="8M")
        with ThreadPoolExecutor() as beside:
            first = beside.submit(machine.must, machine.folder / "base-backup", PATH=path)
            while not bases(machine):
                time.sleep(0.05)
            second = machine.run(machine.folder / "base-backup")
            assert second.returncode == 1
            assert second.stderr == "Another base backup is being made. Nothing was changed.\n"
            first.result()
        [made] = bases(machine)
        assert not made.endswith(".part")
        time.sleep(to_the_next_name())
        machine.must(machine.folder / "base-backup")
        assert len(bases(machine)) == 2

    def test_is_refused_while_something_lies_where_nothing_would_bring_it_back_from(
        self, server: Server
    ):
        machine = server.machine
        machine.must("install", "-d", "-m", "700", machine.folder / "slow")
        with psycopg.connect(server.url, autocommit=True) as connection:
            place = sql.Literal(str(machine.folder / "slow"))
            connection.execute(sql.SQL("create tablespace slow location {}").format(place))
            refused = machine.run(machine.folder / "base-backup")
            assert refused.returncode == 1
            assert "what is in tablespaces (slow)" in refused.stderr
            assert bases(machine) == []
            connection.execute("drop tablespace slow")
        machine.must(machine.folder / "base-backup")
        assert len(bases(machine)) == 1

    @pytest.mark.parametrize("missing", FILES_OF_A_BASE)
    def test_that_came_here_half_is_not_gone_by(self, server: Server, missing: str):
        """Of a machine that died while it was copied elsewhere: the one before it serves."""
        machine = server.machine
        machine.must(machine.folder / "base-backup")
        [made] = bases(machine)
        half = machine.backups / "base" / made.replace("Z", "Z1")
        machine.must("cp", "-r", machine.backups / "base" / made, half)
        (half / missing).unlink()
        second = Server(machine, "second")
        said = machine.must(machine.folder / "restore-to", "end", second.data)
        assert f"has the base of {made}, and" in said

    def test_that_was_not_finished_takes_no_room(self, server: Server):
        machine = server.machine
        path = copies_slowly(machine, rate="1M", ending="timeout -s KILL 2")
        assert machine.run(machine.folder / "base-backup", PATH=path).returncode != 0
        assert bases(machine) == []


def copies_slowly(machine: Machine, *, rate: str, ending: str = "") -> str:
    """As from a large server, or onto a slow disk; the path on which that program comes first."""
    program = machine.folder / "slow/pg_basebackup"
    program.parent.mkdir()
    copy = f"{ending} {programs()}/pg_basebackup --max-rate={rate}"
    program.write_text(f'#!/bin/sh\nexec {copy} "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}:{machine.path}"


def works_while_it_is_copied(server: Server) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        query = "select count(*) from pg_stat_progress_basebackup where backup_streamed > 4 << 20"
        while connection.execute(query).fetchone() == (0,):
            time.sleep(0.05)
        for number in range(4):
            connection.execute(f"create table of_minute_{number} ()")
            connection.execute("select pg_switch_wal()")
            connection.execute("checkpoint")
        assert connection.execute(query).fetchone() != (0,)


def bases(machine: Machine) -> list[str]:
    return sorted(one.name for one in (machine.backups / "base").iterdir())


def pieces(machine: Machine) -> set[str]:
    """All that is kept of the log, beside what those who bring it wait at."""
    return {one.name for one in (machine.backups / "wal").iterdir()} - {".lock"}


async def _goes_on(server: Server, until: str) -> None:
    """A new one, from the last base, to that moment."""
    restore = server.machine.folder / "restore-to"
    await asyncio.to_thread(server.machine.must, restore, until, server.data)
    await asyncio.to_thread(server.start)
    await _until_open(server)


async def _until_open(server: Server) -> None:
    for _ in range(600):
        with psycopg.connect(server.url) as connection:
            row = connection.execute("select pg_is_in_recovery()").fetchone()
            if row == (False,):
                return
        await asyncio.sleep(0.1)
    raise AssertionError("still recovering")


def a_base(machine: Machine) -> None:
    """Of All Saints', with all files, the packed ones cut off."""
    base = machine.backups / "base/20251101T000000Z"
    base.mkdir()
    for name in FILES_OF_A_BASE:
        (base / name).write_bytes(b"cut off")


class TestTheScripts:
    @pytest.fixture
    def machine(self):
        found = Machine()
        yield found
        found.remove()

    def test_a_piece_of_the_log_is_kept_once_and_never_replaced(self, machine: Machine):
        piece = machine.folder / "piece"
        piece.write_bytes(b"one" * 1000)
        name = "0" * 23 + "1"
        assert machine.run(machine.folder / "archive-wal", piece, name).returncode == 0
        assert machine.run(machine.folder / "archive-wal", piece, name).returncode == 0
        piece.write_bytes(b"two" * 1000)
        again = machine.run(machine.folder / "archive-wal", piece, name)
        assert again.returncode == 1
        assert "is another one" in again.stderr
        assert pieces(machine) == {f"{name}.gz"}

    def test_a_piece_that_several_bring_at_once_is_whole_for_each_of_them(self, machine: Machine):
        """The server hands over the history of its line, and a base backup does so, too."""
        piece, name = machine.folder / "piece", "00000002.history"
        piece.write_bytes(os.urandom(4_000_000))
        bring = partial(machine.run, machine.folder / "archive-wal", piece, name)
        with ThreadPoolExecutor() as many:
            done = [one.result() for one in [many.submit(bring) for _ in range(6)]]
        assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * 6
        assert pieces(machine) == {f"{name}.gz"}

    @pytest.mark.parametrize(
        "command", [("archive-wal", "piece", "0" * 24), ("base-backup",)], ids=lambda one: one[0]
    )
    def test_nothing_is_written_below_a_disk_that_is_not_mounted(
        self, machine: Machine, command: tuple[str, ...]
    ):
        (machine.folder / "piece").write_bytes(b"one" * 1000)
        for part in machine.backups.iterdir():
            part.rmdir()
        refused = machine.run(machine.folder / command[0], *command[1:])
        assert refused.returncode == 1
        assert "is its disk mounted?" in refused.stderr
        assert list(machine.backups.iterdir()) == []

    def test_a_moment_before_the_first_base_is_refused(self, machine: Machine):
        a_base(machine)
        done = machine.run(
            machine.folder / "restore-to", "2025-10-31 23:59:00+00", machine.folder / "new"
        )
        assert done.returncode == 1
        assert "20251101T000000Z" in done.stderr
        assert not (machine.folder / "new").exists()

    def test_a_folder_with_something_in_it_is_refused(self, machine: Machine):
        a_base(machine)
        there = machine.folder / "there"
        there.mkdir()
        (there / "precious").touch()
        done = machine.run(machine.folder / "restore-to", "2025-11-02 00:00:00+00", there)
        assert done.returncode == 1
        assert "is not empty" in done.stderr
        assert [file.name for file in there.iterdir()] == ["precious"]

    def test_a_server_on_a_half_of_it_does_not_open(self, machine: Machine):
        """It asks to recover, and knows of nothing to recover from: PostgreSQL refuses that."""
        a_base(machine)
        half = machine.folder / "half"
        done = machine.run(machine.folder / "restore-to", "2025-11-02 00:00:00+00", half)
        assert done.returncode != 0
        assert [file.name for file in half.iterdir()] == ["recovery.signal"]

    @pytest.mark.parametrize(
        ("script", "words"),
        [
            ("restore-to", []),
            ("restore-to", ["2025-11-02 00:00:00+00"]),
            ("restore-to", ["2025-11-02", "00:00:00+00", "new"]),
            ("base-backup", ["new"]),
        ],
    )
    def test_say_how_they_are_called(self, machine: Machine, script: str, words: list[str]):
        done = machine.run(machine.folder / script, *words)
        assert done.returncode == 2
        assert f"Usage, as the user postgres: {script}" in done.stderr
        assert not (machine.folder / "new").exists()
        assert (bases(machine), pieces(machine)) == ([], set())

    def test_a_moment_that_is_yet_to_come_is_refused(self, machine: Machine):
        """The server would wait for it at the end of the log, and end."""
        a_base(machine)
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat(sep=" ")
        done = machine.run(machine.folder / "restore-to", tomorrow, machine.folder / "new")
        assert done.returncode == 1
        assert "is yet to come" in done.stderr
        assert not (machine.folder / "new").exists()

    @pytest.mark.parametrize(
        ("script", "words"),
        [("restore-to", ["2025-11-02 00:00:00+00", "new"]), ("base-backup", [])],
    )
    def test_are_nothing_for_whom_the_folder_is_closed(
        self, machine: Machine, script: str, words: list[str]
    ):
        machine.must("install", "-d", "-m", "0", machine.backups)
        done = machine.run(machine.folder / script, *words)
        machine.must("chmod", "700", machine.backups)
        assert done.returncode == 1
        assert "be the user postgres" in done.stderr
        assert not (machine.folder / "new").exists()

    @pytest.mark.skipif(os.geteuid() != 0, reason="Only root is root.")
    @pytest.mark.parametrize(
        ("script", "words"),
        [("restore-to", ["2025-11-02 00:00:00+00", "new"]), ("base-backup", [])],
    )
    def test_write_nothing_that_is_only_roots(
        self, machine: Machine, script: str, words: list[str]
    ):
        done = subprocess.run(
            [machine.folder / script, *words],
            cwd=machine.folder,
            env={"PATH": machine.path, "POINT_IN_TIME": str(machine.backups)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        assert "runuser -u postgres" in done.stderr
        assert (bases(machine), pieces(machine)) == ([], set())
