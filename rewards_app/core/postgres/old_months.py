"""Months that are let go: cut off from their table first, dropped when nobody missed them.

What is cut off is written down before it happens: a run that was stopped is taken up by the next.
"""

from datetime import date, datetime, timedelta
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from rewards_app.core.postgres.months import CUTS, PATIENCE, Cut, attached, name_of

KEPT_APART = timedelta(days=30)
"""So long a month that was cut off can still be attached again, or be found in a backup."""

NOTE: LiteralString = """
insert into detached_months (table_name, month, rows, detached_at) values (%s, %s, %s, %s)
on conflict (table_name, month) do nothing
"""
BEGUN: LiteralString = """
select table_name, month from detached_months where dropped_at is null order by month
"""
PENDING: LiteralString = """
select inhdetachpending from pg_inherits where inhrelid = to_regclass(%s)
"""
DUE: LiteralString = """
select table_name, month from detached_months where dropped_at is null and detached_at < %s
"""
DROPPED: LiteralString = """
update detached_months set dropped_at = %s where table_name = %s and month = %s
"""


def note(connection: psycopg.Connection[Any], cut: Cut, month: date, *, now: datetime) -> None:
    """This month is to be cut off."""
    count = sql.SQL("select count(*) from {}").format(sql.Identifier(name_of(cut, month)))
    found = connection.execute(count).fetchone()
    assert found, "a count is a row"
    connection.execute(NOTE, (cut.table, month, found[0], now))


def cut_off(connection: psycopg.Connection[Any]) -> int:
    """Cut off what was noted. Nobody waits for it but whoever looks at that very month."""
    done = 0
    for cut, month in _months(connection, BEGUN, ()):
        name = name_of(cut, month)
        pending = connection.execute(PENDING, (name,)).fetchone()
        if pending is None:
            continue
        how = "finalize" if pending[0] else "concurrently"
        connection.execute(
            sql.SQL("alter table {} detach partition {} {}").format(
                sql.Identifier(cut.table), sql.Identifier(name), sql.SQL(how)
            )
        )
        done += 1
    return done


def drop(connection: psycopg.Connection[Any], *, now: datetime) -> int:
    """Drop what was cut off long enough ago, and is not attached again."""
    dropped = 0
    for cut, month in _months(connection, DUE, (now - KEPT_APART,)):
        if month in attached(connection, cut):
            continue
        name = sql.Identifier(name_of(cut, month))
        with connection.transaction():
            connection.execute(PATIENCE)
            connection.execute(sql.SQL("drop table if exists {}").format(name))
            connection.execute(DROPPED, (now, cut.table, month))
        dropped += 1
    return dropped


def _months(
    connection: psycopg.Connection[Any], query: LiteralString, values: tuple[Any, ...]
) -> list[tuple[Cut, date]]:
    cuts = {cut.table: cut for cut in CUTS}
    return [(cuts[table], month) for table, month in connection.execute(query, values).fetchall()]
