"""What one more of everything costs: bytes on disk, processor time, memory.

docs/growth.md counts on it. Rows are as the app writes them, each table with its indexes, packed.
"""

import asyncio
import dataclasses
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import LiteralString

import psutil
import psycopg
from redis import Redis as Client

from bench import completions
from bench.client import Tab, opened
from bench.house import NOBODY, ONE_AD
from bench.report import Row
from bench.sites import Site, Sites
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine
from rewards_app.core.settings import settings
from rewards_app.features.leaderboard import counting
from tests.serving import Redis

PLAYERS = 20_000
VIEWS_EACH = 10
TABS = 100
SETTLED_SECONDS = 2
BYTES, SECONDS = "bytes", "ms of processor"

PEOPLE: LiteralString = f"""
{ONE_AD}
insert into accounts (id, email, email_verified_at, password_hash, password_changed_at, role,
    asked_for_admin, username, display_name, country, language, created_at)
    select person(n), 'player-' || n || '@example.com', now(), repeat('x', 97), now(), 'player',
        false, 'Player' || n, 'Player ' || n, 'SE', 'en', now()
    from generate_series(1, {PLAYERS}) n;
insert into account_handles (handle, account_id)
    select 'player' || n, person(n) from generate_series(1, {PLAYERS}) n;
insert into watchers (account_id, time_zone, day_starts_at, day_ends_at)
    select person(n), 'Europe/Stockholm', now(), now() + interval '1 day'
    from generate_series(1, {PLAYERS}) n;
"""
VIEWS: LiteralString = f"""
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, rewarded_at, ended_at, client_seconds, tab_hash, device_hash, day, price,
    holds_place, age_group, invalid_reason)
    select id_at(at, n), person(1 + n % {PLAYERS}), '{NOBODY}', 'rewarded', at, 15, 15,
        at + interval '10 minutes', 0, at + interval '15 seconds', at + interval '15 seconds', 15,
        encode(sha256(n::text::bytea), 'hex'), encode(sha256(n::text::bytea), 'hex'), at::date,
        2500, false, 2, ''
    from generate_series(1::bigint, {PLAYERS * VIEWS_EACH}) n,
        lateral (select now() - ({PLAYERS * VIEWS_EACH} - n) * interval '1 millisecond' as at) m
    order by n
"""
ENTRIES: LiteralString = """
insert into coin_entries
    (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause('ad:' || id), account_id, 15, 'ad', 'ad:' || id, 'An ad of a company', 15,
        rewarded_at
    from ad_views order by id
"""
BALANCES: LiteralString = """
insert into coin_balances (account_id, total, balance, held, ads)
    select account_id, sum(amount), sum(amount), 0, count(*) from coin_entries group by 1
"""
SIZE: LiteralString = """
select sum(pg_total_relation_size(relid)) from pg_partition_tree(%s::regclass) where isleaf
"""
PLAIN_SIZE: LiteralString = "select pg_total_relation_size(%s::regclass)"
OF_A_PLAYER = (
    "accounts",
    "account_handles",
    "watchers",
    "coin_balances",
    "board_scores",
    "streaks",
)


def measure(sites: Sites) -> list[Row]:
    return [*_of_rows(), *_of_completions(), *_of_tabs(sites)]


def _of_rows() -> list[Row]:
    """With all boards counted, as they are when everybody has watched in this week and month."""
    with _filled() as url:
        asyncio.run(_count(url))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("vacuum full")
            count = PLAYERS * VIEWS_EACH
            views = _size(connection, SIZE, "ad_views") / count
            entries = _size(connection, SIZE, "coin_entries") / count
            player = sum(_size(connection, PLAIN_SIZE, table) for table in OF_A_PLAYER) / PLAYERS
    how = f"{PLAYERS:,} players, {count:,} views, with indexes, packed"
    return [
        Row("a view of an ad", views, BYTES, against=how),
        Row("an entry of the ledger", entries, BYTES, against=how),
        Row("a player, with balance, places and scores", player, BYTES, against=how),
    ]


@contextmanager
def _filled() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        completions.a_database(folder, completions.PERSON, PEOPLE, VIEWS, ENTRIES, BALANCES) as url,
    ):
        yield url


async def _count(url: str) -> None:
    os.environ["DATABASE_URL"] = url
    settings.cache_clear()
    await counting.rebuild(now=utc_now())
    await dispose_engine()


def _size(connection: psycopg.Connection, query: LiteralString, table: str) -> int:
    found = connection.execute(query, [table]).fetchone()
    assert found, "a size is a row"
    return int(found[0])


def _of_completions() -> list[Row]:
    """Of this process and of the database, for ads that are finished one after the other."""
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        completions.a_database(folder, completions.PERSON, completions.POPULATE) as url,
    ):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(completions.AGAIN)
            known = completions.known_of(connection)
        ours, theirs = psutil.Process(), _server(url)
        time.sleep(completions.WATCHED_SECONDS)

        async def finish() -> tuple[float, float]:
            await completions.finish(1, known)
            before = _spent([ours]), _spent(theirs())
            for number in range(2, 2002):
                await completions.finish(number, known)
            after = _spent([ours]), _spent(theirs())
            await dispose_engine()
            return after[0] - before[0], after[1] - before[1]

        mine, its = asyncio.run(finish())
    how = "2,000 ads finished one after the other, without the page"
    return [
        Row("finishing an ad, worker", mine / 2.0, SECONDS, against=how),
        Row("finishing an ad, database", its / 2.0, SECONDS, against=how),
    ]


def _server(url: str) -> Callable[[], list[psutil.Process]]:
    """The processes of the database, whichever there are when it is asked."""
    with psycopg.connect(url) as connection:
        found = connection.execute("select pg_backend_pid()").fetchone()
        assert found
        head = psutil.Process(found[0]).parent()
    assert head
    return lambda: [head, *head.children()]


def _spent(processes: list[psutil.Process]) -> float:
    times = [process.cpu_times() for process in processes]
    return sum(one.user + one.system for one in times)


def _of_tabs(sites: Sites) -> list[Row]:
    ours = sites.ours
    redis = Redis()
    try:
        with_redis = {**ours.environment, "REDIS_URL": redis.url, "GRANIAN_WORKERS": "1"}
        site = dataclasses.replace(ours, environment=with_redis)
        with site.started() as worker, Client.from_url(redis.url) as store:
            grown = asyncio.run(_growth(worker, store, site, sites.sessions))
    finally:
        redis.stop()
    how = f"{TABS} signed-in tabs on the home page, one worker with Redis"
    return [
        Row("an open tab, worker", grown[0] / TABS, BYTES, against=how),
        Row("an open tab, Redis", grown[1] / TABS, BYTES, against=how),
    ]


async def _growth(
    worker: psutil.Process, store: Client, site: Site, sessions: list[str]
) -> tuple[int, int]:
    def tabs(count: int) -> list[Tab]:
        return [Tab(site.origin, "/", sessions[n % len(sessions)]) for n in range(count)]

    def kept() -> tuple[int, int]:
        return worker.memory_info().rss, int(store.info("memory")["used_memory"])  # pyright: ignore

    async with opened(tabs(20)):
        await asyncio.sleep(SETTLED_SECONDS)
        before = kept()
        async with opened(tabs(TABS)):
            await asyncio.sleep(SETTLED_SECONDS)
            after = kept()
    return after[0] - before[0], after[1] - before[1]
