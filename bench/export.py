"""What making a copy of somebody's data takes: against pg_dump, in memory, and beside events.

The process is started as the queue starts it. Its speed is set against pg_dump of a database that
has the same rows and nobody else's, packed as its archives are by default. Its events are timed
with and without it, on the worker whose database it reads.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import LiteralString
from uuid import UUID

import psutil
import psycopg

from bench.client import Tab, opened
from bench.completions import PERSON
from bench.event_round_trip import CHOICES, Side
from bench.report import Row
from bench.sites import Sites
from rewards_app.core import apart
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import settings
from rewards_app.features.privacy import export_repository, exports

ROWS, FEWER = 100_000, 10_000
ROUNDS, TABS, EVENT_ROUNDS = 5, 50, 6
TIME_GOAL, EVENTS_GOAL, MEMORY_GOAL = 3.0, 1.5, 1.15

OWNER: LiteralString = """
insert into accounts (id, email, password_changed_at, role, asked_for_admin, username,
    display_name, country, language, created_at)
    select person(n), 'bench-export' || n || '@example.com', now(), 'player', false, 'P' || n,
        'P' || n, 'SE', 'en', now()
    from generate_series(800001, 800001) n;
"""
HELD: LiteralString = """
set session_replication_role = replica;
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, rewarded_at, ended_at, tab_hash, device_hash, day, price, holds_place,
    invalid_reason)
    select id_at(at, n), person(800001), person(1 + n % 40), 'rewarded', at, 15, 15, at, 0, at, at,
        md5(n::text), md5('device'), at::date, 1000, false, ''
    from generate_series(1::bigint, {views}) n,
        lateral (select now() - n * interval '5 minutes' as at) m;
insert into coin_entries
    (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(cause), person(800001), 15, 'ad', cause, 'An ad of a company', n * 15, at
    from generate_series(1::bigint, {entries}) n,
        lateral (select now() - n * interval '5 minutes' as at) m,
        lateral (select 'ad:' || id_at(at, n) as cause) named;
vacuum analyze ad_views, coin_entries;
"""
ASKED: LiteralString = """
insert into data_exports (id, account_id, status, rows_done, rows_expected, size, heard_at,
    created_at)
    values (%s, person(800001), 'waiting', 0, 0, 0, now(), now())
"""
FORGOTTEN: LiteralString = "delete from data_exports where account_id = person(800001)"


def measure(sites: Sites) -> list[Row]:
    return [*_alone(), _events(sites)]


def _alone() -> list[Row]:
    small = max(_peak(FEWER) for _ in range(2))
    with _database(ROWS) as (url, folder):
        dumping: list[float] = []
        making: list[float] = []
        for number in range(ROUNDS):
            dumping.append(_timed(lambda: _dump(folder)))
            making.append(_timed(lambda number=number: _make(url, UUID(int=number + 1))))
        large = _peak_of(url, UUID(int=99))
    fast, slow = median(dumping), median(making)
    return [
        Row(
            f"an export of {ROWS:,} rows / pg_dump of the same",
            slow / fast,
            "x",
            TIME_GOAL,
            f"{slow:.2f} s / {fast:.2f} s, as JSON and CSV, packed, sealed and put down; median of"
            f" {ROUNDS}, in turns",
        ),
        Row(
            f"memory of its process, {ROWS:,} / {FEWER:,} rows",
            large / small,
            "x",
            MEMORY_GOAL,
            f"at most {large / 1024:.1f} MB / {small / 1024:.1f} MB resident",
        ),
    ]


@contextmanager
def _database(rows: int) -> Generator[tuple[str, Path]]:
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        embedded.embedded_database(Path(folder)) as running,
    ):
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        schema.upgrade()
        with psycopg.connect(running.url, autocommit=True) as connection:
            connection.execute(PERSON)
        _fill(running.url, rows)
        yield running.url, Path(folder)


def _fill(url: str, rows: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(OWNER)
        for words in HELD.format(views=rows // 2, entries=rows // 2).strip(";\n").split(";"):
            connection.execute(words.encode())


def _timed(work: Callable[[], None]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _dump(folder: Path) -> None:
    command = [
        *(embedded.binary("pg_dump"), "-Fc", "--data-only"),
        # Views and entries lie in a table for each month.
        *("-t", "accounts", "-t", "ad_views*", "-t", "coin_entries*"),
        *("-f", str(folder / "dump"), settings().database_url),
    ]
    subprocess.run(command, check=True)
    assert (folder / "dump").stat().st_size > 10 * ROWS, "it has the rows"


def _make(url: str, export_id: UUID) -> None:
    _ask(url, export_id)
    asyncio.run(_made(export_id))
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "select status, rows_done from data_exports where id = %s", (export_id,)
        ).fetchone()
        assert found
        assert found[0] == "ready"
        assert found[1] >= ROWS
        connection.execute(FORGOTTEN)


async def _made(export_id: UUID) -> None:
    try:
        await exports.make(export_id)
    finally:
        await dispose_engine()


def _ask(url: str, export_id: UUID) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(FORGOTTEN)
        connection.execute(ASKED, (export_id,))


def _peak(rows: int) -> int:
    with _database(rows) as (url, _):
        return _peak_of(url, UUID(int=7))


def _peak_of(url: str, export_id: UUID) -> int:
    """In kilobytes."""
    _ask(url, export_id)
    process = subprocess.Popen(
        [sys.executable, "-m", exports.PROGRAM], stdin=subprocess.PIPE, env=apart.environment()
    )
    assert process.stdin
    process.stdin.write(f"{asyncio.run(_task(export_id))}\n".encode())
    process.stdin.flush()
    most = 0
    while process.poll() is None:
        most = max(most, _most_resident(process.pid))
        time.sleep(0.002)
    assert process.returncode == 0
    return most


def _most_resident(pid: int) -> int:
    """What the system counts of a child when it ends has its parent's size in it."""
    try:
        said = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = (line.split()[1] for line in said.splitlines() if line.startswith("VmHWM"))
    return int(next(found, "0"))


async def _task(export_id: UUID) -> str:
    try:
        async with transaction() as session:
            account = await export_repository.account_of(session, export_id)
        assert account
        return exports.task_of(export_id, account)
    finally:
        await dispose_engine()


def _events(sites: Sites) -> Row:
    """What an event takes while a copy is made, against when none is, in turns."""
    ours = sites.ours
    with ours.started() as worker:
        url = embedded.url_of_running(sites.scratch / "data")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(PERSON.replace("create function", "create or replace function"))
        _fill(url, ROWS)
        os.environ["DATABASE_URL"] = url
        settings.cache_clear()
        alone, beside = asyncio.run(_in_turn(ours.origin, worker, sites.sessions, url))
    return Row(
        "an event beside an export / alone",
        median(beside) / median(alone),
        "x",
        EVENTS_GOAL,
        f"{median(beside):.1f} ms / {median(alone):.1f} ms, {TABS} tabs, median of {EVENT_ROUNDS}"
        " rounds each, in turns; copies are made one after the other all the while",
    )


async def _in_turn(
    origin: str, worker: psutil.Process, sessions: Sequence[str], url: str
) -> tuple[list[float], list[float]]:
    alone: list[float] = []
    beside: list[float] = []
    async with opened(Tab(origin, "/", session=secret) for secret in sessions[:TABS]) as tabs:
        side = Side(worker, tabs, CHOICES)
        for number in range(EVENT_ROUNDS):
            await side.round()
            alone.append(side.milliseconds[-1])
            making = asyncio.create_task(_keep_making(url, number))
            await asyncio.sleep(0.5)
            await side.round()
            beside.append(side.milliseconds[-1])
            making.cancel()
            await asyncio.gather(making, return_exceptions=True)
    await dispose_engine()
    return alone, beside


async def _keep_making(url: str, number: int) -> None:
    for again in range(1000):
        export_id = UUID(int=10_000 * (number + 1) + again)
        _ask(url, export_id)
        await exports.make(export_id)
