"""What waits in the queue, worked off at once as a worker does it."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, LiteralString

import procrastinate
import psycopg
from psycopg import sql
from sqlalchemy import text

from rewards_app.core import jobs
from rewards_app.core.database import run, transaction
from rewards_app.core.sealed import unseal

LISTENING: LiteralString = (
    "select 1 from pg_stat_activity where query ilike 'listen %procrastinate%'"
    " and datname = current_database() and state = 'idle'"
)
"""Finds a worker that hears of new jobs of this database."""


@asynccontextmanager
async def a_worker(database: str, *, until: LiteralString = LISTENING) -> AsyncGenerator[None]:
    """One that runs on its own meanwhile, from when that can be seen of it."""
    working = asyncio.create_task(jobs.work())
    try:
        with psycopg.connect(database, autocommit=True) as connection:
            while not connection.execute(until).fetchone():
                await asyncio.sleep(0.02)
        yield
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def work_off(
    queue: procrastinate.App, *, is_frequent_due: bool = False, **options: Any
) -> None:
    """Whatever the hour is: a worker that begins also takes up what was due before it came.

    Of what has its hours nothing comes, or only what comes every few minutes.
    """
    by_the_clock = queue.periodic_registry.periodic_tasks
    for key, task in list(by_the_clock.items()):
        if not (is_frequent_due and task.cron.startswith("*")):
            del by_the_clock[key]
    await queue.run_worker_async(wait=False, install_signal_handlers=False, **options)


CUT_OFF_ONCE = """
create sequence tries;
create function cut_off_once() returns trigger language plpgsql as $$
begin
    if nextval('tries') = 1 then
        perform pg_terminate_backend(pg_backend_pid()), pg_sleep(10);
    end if;
    return coalesce(new, old);
end $$;
create trigger cut_off_once before {what} for each row when ({when})
    execute function cut_off_once();
"""


def cut_off_once(database: str, what: LiteralString, when: LiteralString = "true") -> None:
    """The first who does `what`, as triggers name it, loses the connection over it."""
    with psycopg.connect(database) as connection:
        connection.execute(sql.SQL(CUT_OFF_ONCE).format(what=sql.SQL(what), when=sql.SQL(when)))


async def done(*offered: jobs.Job) -> None:
    """These jobs, as often as they wait: the letters that they queue wait on."""
    for job in offered:
        query = text("delete from procrastinate_jobs where task_name = :name returning args")
        async with transaction() as session:
            waiting = (await run(session, query, {"name": job.name})).all()
        for [args] in waiting:
            await job.run(**(args if isinstance(args, dict) else json.loads(args)))


def as_read(letter: dict[str, Any]) -> dict[str, Any]:
    """As it will be read: its links lie sealed in the queue."""
    links = {name: unseal(link) for name, link in letter.get("sealed_links", {}).items()}
    return {name: value for name, value in letter.items() if name != "sealed_links"} | links


async def letters() -> list[dict[str, Any]]:
    """What every job was asked, in their order: where only mail is sent, its letters."""
    async with transaction() as session:
        rows = await run(session, text("select args from procrastinate_jobs order by id"))
        asked = [row[0] if isinstance(row[0], dict) else json.loads(row[0]) for row in rows]
    return list(map(as_read, asked))
