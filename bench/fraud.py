"""What the fraud rules make of a labelled population, and how quickly a month is tried again.

The simulator is measured as it runs: a process of its own, beside a worker whose events are timed
with and without it. Reading alone is the same rows through the same cursor, and nothing else.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
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
from bench.fraud_people import Verdicts, judge
from bench.house import NOBODY, ONE_AD
from bench.report import Row
from bench.sites import Sites
from rewards_app.core import apart
from rewards_app.core.clock import utc_now
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import settings
from rewards_app.features.fraud import replay, simulations
from rewards_app.features.fraud.rules import Consequence

SEED, OF_EACH = 1, 100
VIEWS, PLAYERS, SIGNALS = 1_000_000, 50_000, 100_000
ROUNDS = 5
SPEED_GOAL, EVENTS_GOAL = 0.5, 1.5
TABS, EVENT_ROUNDS = 50, 6
STOPPED = (Consequence.EARNING_PAUSED, Consequence.ACCOUNT_SUSPENDED)
SUSPENDED = Consequence.ACCOUNT_SUSPENDED

PLAYING: LiteralString = f"""
insert into accounts (id, email, password_changed_at, role, asked_for_admin, username,
    display_name, country, language, created_at)
    select person(n), 'bench' || n || '@example.com', now(), 'player', false, 'P' || n, 'P' || n,
        'SE', 'en', now()
    from generate_series(1, {PLAYERS}) n;
"""
A_MONTH: LiteralString = f"""
set session_replication_role = replica;
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, rewarded_at, ended_at, tab_hash, device_hash, day, price, holds_place,
    invalid_reason)
    select id_at(at, n), person(1 + n * 7919 % {PLAYERS}), '{NOBODY}', 'rewarded', at, 5, 15, at, 0,
        at, at, '', '', at::date, 0, false, ''
    from generate_series(1::bigint, {VIEWS}) n,
        lateral (select now() - interval '29 days' + n * interval '29 days' / {VIEWS} as at) m;
insert into fraud_signals (id, account_id, rule, risk_score, patterns, action_taken, evidence,
    created_at)
    select person(n), person(1 + n * 31 % 5000), (array['early_completion', 'made_up_session',
        'clock_mismatch', 'replayed_completion', 'impossible_pace', 'clockwork'])[1 + n % 6], 40,
        '{{}}', 'none', jsonb_build_object('view', n::text),
        now() - interval '29 days' + n * interval '29 days' / {SIGNALS}
    from generate_series(1::bigint, {SIGNALS}) n;
"""
ASKED: LiteralString = """
insert into fraud_simulations (id, asked_by, status, before, weights, since, views, expected,
    result, asked_at, heard_at)
    values (%s, person(1), 'running', '{}', %s, now() - interval '30 days', 0, 0, '{}', now(),
        now())
"""
WEIGHTS = '{"early_completion": [40, 30], "clockwork": [60, 30]}'


def measure(sites: Sites) -> list[Row]:
    return [*_verdicts(), *_speed(), _events(sites)]


def _verdicts() -> list[Row]:
    verdicts = Verdicts.of(judge(SEED, OF_EACH))
    against = f"{OF_EACH} of each of 17 kinds, a month each, seed {SEED}"
    return [
        Row("honest players suspended", verdicts.honest(SUSPENDED), "people", 0, against),
        Row("honest players paused", verdicts.honest(STOPPED[0]), "people", against=against),
        Row("precision, paused or suspended", verdicts.precision(*STOPPED), "", against=against),
        Row("recall, paused or suspended", verdicts.recall(*STOPPED), "", against=against),
        Row("precision, suspended", verdicts.precision(SUSPENDED), "", against=against),
        Row("recall, suspended", verdicts.recall(SUSPENDED), "", against=against),
    ]


def _speed() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder, _database(folder) as url:
        reading, trying = [], []
        for number in range(ROUNDS):
            reading.append(_timed(lambda: _read(url)))
            trying.append(_timed(lambda number=number: _try(url, UUID(int=number + 1))))
    fast, slow = median(reading), median(trying)
    return [
        Row(
            f"trying weights on {VIEWS:,} views, speed / reading alone",
            fast / slow,
            "x",
            SPEED_GOAL,
            f"{VIEWS / slow:,.0f} / {VIEWS / fast:,.0f} views a second, {SIGNALS:,} signals"
            f" included, median of {ROUNDS}, in turns",
            is_least=True,
        )
    ]


@contextmanager
def _database(folder: str) -> Iterator[str]:
    with embedded.embedded_database(Path(folder)) as running:
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        schema.upgrade()
        with psycopg.connect(running.url, autocommit=True) as connection:
            connection.execute(PERSON)
            connection.execute(ONE_AD)
        _fill(running.url)
        yield running.url


def _fill(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(PLAYING)
        connection.execute(A_MONTH)
        connection.execute("vacuum analyze ad_views, fraud_signals")


def _timed(work: object) -> float:
    begun = time.perf_counter()
    assert callable(work)
    work()
    return time.perf_counter() - begun


def _read(url: str) -> None:
    """The rows of views, in chunks of the same size, thrown away."""
    with psycopg.connect(url, options="-c timezone=UTC") as connection:
        count = 0
        for found in replay.chunks(connection, replay.VIEWS, utc_now() - simulations.DAYS):
            for _account, _reward, _at in found:
                count += 1
        assert count == VIEWS


def _try(url: str, simulation_id: UUID) -> None:
    """All that the process does once it runs."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ASKED, (simulation_id, WEIGHTS))
        replay.answer(simulation_id, url)
        found = connection.execute(
            "select status, views from fraud_simulations where id = %s", (simulation_id,)
        )
        assert found.fetchone() == ("done", VIEWS)


def _events(sites: Sites) -> Row:
    """What an event takes while a simulation runs, against when none does, in turns."""
    ours = sites.ours
    with ours.started() as worker:
        url = embedded.url_of_running(sites.scratch / "data")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(PERSON.replace("create function", "create or replace function"))
            connection.execute(ONE_AD)
        _fill(url)
        alone, beside, ended = asyncio.run(_in_turn(ours.origin, worker, sites.sessions, url))
    return Row(
        "an event beside a simulation / alone",
        median(beside) / median(alone),
        "x",
        EVENTS_GOAL,
        f"{median(beside):.1f} ms / {median(alone):.1f} ms, {TABS} tabs, median of {EVENT_ROUNDS}"
        f" rounds each, in turns; {ended} of the simulations had ended before the events",
    )


async def _in_turn(
    origin: str, worker: psutil.Process, sessions: Sequence[str], url: str
) -> tuple[list[float], list[float], int]:
    alone: list[float] = []
    beside: list[float] = []
    ended = 0
    async with opened(Tab(origin, "/", session=secret) for secret in sessions[:TABS]) as tabs:
        side = Side(worker, tabs, CHOICES)
        for number in range(EVENT_ROUNDS):
            await side.round()
            alone.append(side.milliseconds[-1])
            process = await _simulating(url, UUID(int=1000 + number))
            await side.round()
            beside.append(side.milliseconds[-1])
            ended += process.returncode is not None
            await process.wait()
    return alone, beside, ended


async def _simulating(url: str, simulation_id: UUID) -> asyncio.subprocess.Process:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ASKED, (simulation_id, WEIGHTS))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", simulations.PROGRAM, str(simulation_id)),
        stdin=asyncio.subprocess.PIPE,
        env=apart.environment(),
    )
    assert process.stdin
    process.stdin.write(f"{url}\n".encode())
    while process.returncode is None and not _has_begun(url, simulation_id):
        await asyncio.sleep(0.02)
    return process


def _has_begun(url: str, simulation_id: UUID) -> bool:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select heard_at > asked_at from fraud_simulations where id = %s", (simulation_id,)
        ).fetchone()
    return bool(found and found[0])
