"""What a test waits for before it goes on: transactions that stand in line, a worker that hears."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import psycopg

from rewards_app.core import live

A_TURN = 0.02
WAITING = """
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
"""


async def are_waiting(database: str, count: int = 1) -> None:
    """Comes back when so many transactions wait for what another one has locked."""
    with psycopg.connect(database, autocommit=True) as connection:
        while connection.execute(WAITING).fetchall()[0][0] < count:
            await asyncio.sleep(0.01)


async def until(holds: Callable[[], Any], within: float = 2.0) -> None:
    """What is waited for runs in this loop: while a busy machine holds us up, it stands as well."""
    begun = time.thread_time()
    for _turn in range(round(within / A_TURN)):
        if holds():
            break
        await asyncio.sleep(A_TURN)
    assert holds(), f"not within {within} s"
    assert time.thread_time() - begun < within, "the loop was busy for longer"


async def hears_the_others(*, anew_after: int | None = None, within: float = 10) -> int:
    """Comes back when this worker listens: through which process of PostgreSQL it does."""
    async with asyncio.timeout(within):
        while (pid := live.heard_by()) in (None, anew_after):
            await asyncio.sleep(0.02)
    assert pid
    return pid
