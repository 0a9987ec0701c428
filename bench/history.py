"""What a long history costs: the daily limit and the figures at 10,000 and at 1,000,000 views."""

import asyncio
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from uuid import UUID

import psycopg

from bench.completions import PERSON
from bench.house import NOBODY, ONE_AD
from bench.report import Row
from bench.sites import Sites
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import settings
from rewards_app.features.ads import repository as ads
from rewards_app.features.dashboard import service as dashboard
from rewards_app.features.leaderboard import counting

PLAYERS = 500
SHORT, LONG = 10_000, 1_000_000
TODAY = 5
ROUNDS = 6
TIMES = 60
WARM_UP = 20
GOAL = 1.5

PEOPLE = f"""
{PERSON};
{ONE_AD}
insert into accounts (id, email, password_changed_at, role, asked_for_admin, username,
    display_name, country, language, created_at)
    select person(n), n || '@example.com', now(), 'player', false, 'P' || n, 'P' || n, 'SE', 'en',
        now()
    from generate_series(1, {PLAYERS}) n;
insert into watchers (account_id, time_zone, day_starts_at, day_ends_at)
    select person(n), 'UTC', now() - interval '1 hour', now() + interval '23 hours'
    from generate_series(1, {PLAYERS}) n;
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, tab_hash, device_hash, day, price, holds_place, invalid_reason)
    select person(n), person(n), '{NOBODY}', 'running', now(), 5, 15, now() + '1 day', 0, '', '',
        current_date, 0, false, ''
    from generate_series(1, {PLAYERS}) n;
"""
VIEWS = f"""
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, rewarded_at, ended_at, tab_hash, device_hash, day, price, holds_place,
    invalid_reason)
    select id_at(at, n), person(1 + n %% {PLAYERS}), '{NOBODY}', 'rewarded', at, 5, 15, at, 0,
        at, at, '', '', at::date, 0, false, ''
    from generate_series(1, %(count)s) n,
        lateral (select now() - interval '2 days' - n * interval '20 seconds' as at) as moments;
insert into coin_entries
    (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause('ad:' || id), account_id, 15, 'ad', 'ad:' || id, 'Bench', 15, rewarded_at
    from ad_views
    where rewarded_at is not null and not exists (
        select from coin_entries where cause = 'ad:' || ad_views.id);
"""
BOOKS = """
insert into coin_balances (account_id, total, balance, held, ads)
    select account_id, sum(amount), sum(amount), 0, count(*) from coin_entries group by account_id
    on conflict (account_id) do update
        set total = excluded.total, balance = excluded.balance, ads = excluded.ads;
"""
OF_TODAY = f"""
update ad_views set id = id_at(now(), ('x' || right(id::text, 12))::bit(48)::bigint),
    started_at = now(), rewarded_at = now() where id in (
    select id from (select id, row_number() over (partition by account_id) from ad_views
        where status = 'rewarded') as counted where row_number <= {TODAY});
"""

Question = Callable[[int], Awaitable[object]]
Waits = dict[str, list[float]]


def measure(_: Sites) -> list[Row]:
    short: Waits = defaultdict(list)
    long: Waits = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder, _databases(folder) as urls:
        for _ in range(ROUNDS):
            for url, waits in zip(urls, (short, long), strict=True):
                _at(url, _ask_everything(waits))
    return [
        Row(
            f"{name}, {LONG:,} views / {SHORT:,}",
            median(long[name]) / median(short[name]),
            "x",
            GOAL,
            f"{median(long[name]) * 1e3:.2f} ms / {median(short[name]) * 1e3:.2f} ms, median of"
            f" {len(long[name])}, in turns",
        )
        for name in short
    ]


async def _ask_everything(waits: Waits) -> None:
    count = dashboard.PlatformCount()
    await count.count(utc_now())

    async def limit(number: int) -> object:
        person = UUID(int=1 + number % PLAYERS)
        return await ads.watched(person, person, now=utc_now())

    async def own(number: int) -> object:
        person = UUID(int=1 + number % PLAYERS)
        actor = Actor(person, person, Role.PLAYER, "P", "p@example.com", utc_now(), True)
        return await dashboard.own_day(actor, now=utc_now())

    async def platform(_: int) -> object:
        return await count.count(utc_now())

    questions = {"daily limit": limit, "a player's figures": own, "platform figures": platform}
    try:
        for name, ask in questions.items():
            waits[name] += await _waits(ask)
    finally:
        await dispose_engine()


async def _waits(ask: Question) -> list[float]:
    waits: list[float] = []
    for number in range(WARM_UP + TIMES):
        begun = time.perf_counter()
        await ask(number)
        waits.append(time.perf_counter() - begun)
    return waits[WARM_UP:]


@contextmanager
def _databases(folder: str) -> Iterator[tuple[str, str]]:
    """Two on one server, alike but for the length of their history."""
    with embedded.embedded_database(Path(folder)) as running:
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        schema.upgrade()
        long = running.url.replace(f"/{embedded.DATABASE}?", "/long?")
        with psycopg.connect(running.url, autocommit=True) as connection:
            connection.execute(PEOPLE)
        _grow(running.url, SHORT, with_today=True)
        maintenance = running.url.replace(f"/{embedded.DATABASE}?", "/postgres?")
        with psycopg.connect(maintenance, autocommit=True) as connection:
            connection.execute(f"create database long template {embedded.DATABASE}")
        _grow(long, LONG - SHORT, with_today=False)
        for url in (running.url, long):
            _at(url, _count())
        yield running.url, long


async def _count() -> None:
    """As a worker does each second: what is counted is not added up again."""
    try:
        await counting.rebuild(now=utc_now())
    finally:
        await dispose_engine()


def _at(url: str, work: Coroutine[None, None, None]) -> None:
    os.environ["DATABASE_URL"] = url
    settings.cache_clear()
    asyncio.run(work)


def _grow(url: str, count: int, *, with_today: bool) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in (VIEWS % {"count": count}).split(";\n"):
            if statement.strip():
                connection.execute(statement)  # pyright: ignore[reportArgumentType]
        if with_today:
            connection.execute(OF_TODAY)
        connection.execute(BOOKS)
        connection.execute("vacuum analyze")
