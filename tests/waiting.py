"""Transactions that wait for each other, one after the other on purpose."""

import asyncio

import psycopg

WAITING = """
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
"""


async def are_waiting(database: str, count: int = 1) -> None:
    """Comes back when so many transactions wait for what another one has locked."""
    with psycopg.connect(database, autocommit=True) as connection:
        while connection.execute(WAITING).fetchall()[0][0] < count:
            await asyncio.sleep(0.01)
