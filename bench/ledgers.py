"""A ledger of many players and many more views, made in the database itself within minutes.

The first players watch far more than the last ones, as it is among people, so that a board has
both lonely scores at its top and thousands who share one further down.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import LiteralString

import psycopg

from bench.completions import PERSON
from bench.house import ONE_AD
from rewards_app.core.clock import utc_now
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import settings
from rewards_app.features.ads.days import PLATFORM_CALENDAR, platform_day, start_of

PEOPLE: tuple[LiteralString, ...] = (
    """insert into accounts (id, email, email_verified_at, password_changed_at, role,
        asked_for_admin, username, display_name, country, language, created_at)
    select person(n), 'player-' || n || '@example.com', now(), now(), 'player', false, 'P' || n,
        'Player ' || n, 'SE', 'en', now() - n * interval '1 second'
    from generate_series(1, %(players)s) n""",
    """insert into account_handles (handle, account_id)
    select 'p' || n, person(n) from generate_series(1, %(players)s) n""",
    """insert into watchers (account_id, time_zone, day_starts_at, day_ends_at)
    select person(n), 'Europe/Stockholm', %(today)s, %(tomorrow)s
    from generate_series(1, %(players)s) n""",
)
# Sown by the golden ratio: nobody is left out, and neighbours in time are no neighbours here.
VIEWS: tuple[LiteralString, ...] = (
    "drop index ix_coin_entries_account_id_number",
    """insert into coin_entries
        (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(cause),
        person(1 + floor(%(players)s * power(sown - floor(sown), 2))::bigint),
        (array[5, 10, 15, 15, 20, 30])[1 + n %% 6], 'ad', cause, 'Bench', 15, at
    from generate_series(1::bigint, %(views)s) n,
        lateral (select n * 0.6180339887498949::float8 as sown,
            %(since)s + (now() - %(since)s) * n / %(views)s as at) as seeds,
        lateral (select 'ad:' || id_at(at, n) as cause) as named
    order by n""",
    "create index ix_coin_entries_account_id_number on coin_entries (account_id, number)",
    """insert into coin_balances (account_id, total, balance, held, ads)
    select account_id, sum(amount), sum(amount), 0, count(*) from coin_entries group by 1""",
)
QUICKLY: tuple[LiteralString, ...] = (
    "set session_replication_role = replica",
    "set synchronous_commit = off",
    "set maintenance_work_mem = '512MB'",
    "set work_mem = '256MB'",
)
"""Whoever is named is there; nothing is checked while it is filled."""


def newest_period(now: datetime) -> datetime:
    """Since when the present week and the present month have both begun."""
    today = platform_day(now)
    monday = today - timedelta(days=today.weekday())
    return _start(max(monday, today.replace(day=1)))


def _start(day: date) -> datetime:
    return start_of(PLATFORM_CALENDAR.zone, day)


@contextmanager
def two_databases(folder: str) -> Iterator[tuple[str, str]]:
    """Of one server, both with our tables and nobody in them yet."""
    with embedded.embedded_database(Path(folder)) as running:
        use(running.url)
        schema.upgrade()
        large = running.url.replace(f"/{embedded.DATABASE}?", "/large?")
        maintenance = running.url.replace(f"/{embedded.DATABASE}?", "/postgres?")
        with psycopg.connect(maintenance, autocommit=True) as connection:
            connection.execute(f"create database large template {embedded.DATABASE}")
        yield running.url, large


def use(url: str) -> None:
    """From here on the app's own functions speak to this database."""
    os.environ["DATABASE_URL"] = url
    settings.cache_clear()


def fill(url: str, *, players: int, views: int) -> None:
    """All views are of the present week and month: every board is as large as it can be."""
    now = utc_now()
    today = platform_day(now)
    values = {
        "players": players,
        "views": views,
        "since": newest_period(now),
        "today": _start(today),
        "tomorrow": _start(today + timedelta(days=1)),
    }
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(PERSON)
        for statement in QUICKLY:
            connection.execute(statement)
        connection.execute(ONE_AD)
        for statement in (*PEOPLE, *VIEWS):
            connection.execute(statement, values)
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")
