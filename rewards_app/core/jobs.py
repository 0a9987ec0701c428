"""Work for later: queued in the transaction that asks for it, run by a worker, tried again.

Each run of a job that has its hours is written down: when, how long, what it did, how it failed.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Any, LiteralString
from uuid import UUID

import procrastinate
import psycopg
import structlog
from procrastinate.exceptions import ConnectorException
from procrastinate.tasks import Task
from sqlalchemy import text

from rewards_app.core.clock import utc_now
from rewards_app.core.connections.silence import PATIENCE
from rewards_app.core.database import AsyncSession, lookup, run, statement
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.core.queue import missed, right_time
from rewards_app.core.queue.fetching import Fetching, Shared
from rewards_app.core.settings import settings
from rewards_app.core.watching import watch

_log = structlog.get_logger(__name__)

SECONDS_TO_RECONNECT = 1.0
SECONDS_BETWEEN_LOOKS = 5.0
SECONDS_UNTIL_SILENT = 30.0
SECONDS_TO_ANSWER = 2.0
"""What takes PostgreSQL longer may have been asked before it was away, and answered after."""
SECONDS_UNTIL_FORGOTTEN = 24 * 3600.0


class Urgency(IntEnum):
    """What is taken up first, however long the other has waited."""

    WORK = 0
    LETTER = -1
    LETTER_TO_MANY = -2
    """Thousands of them at once keep nobody's new password waiting."""


QUEUE_SQL = text(
    "select procrastinate_defer_jobs_v1(array[row('default', :task, :urgency, null, null,"
    " cast(:arguments as jsonb), null)::procrastinate_job_to_defer_v1])"
)
QUEUEING: LiteralString = """
queued as (
    select procrastinate_defer_jobs_v1(array[row('default', task, -is_letter::int, null, null,
        arguments, null)::procrastinate_job_to_defer_v1]) as ids
    from later
)
"""
"""A part of one statement `with later as (…), …`: each row, a task with its arguments, is queued.

Letters say so. The statement must read `queued`, else nothing is.
"""


Counts = Mapping[str, int]
"""What a run did, by name: found, told, deleted."""


@dataclass(frozen=True, slots=True)
class Job:
    """What the queue may run, under a name that stays: queued work outlives a deploy."""

    name: str
    run: Callable[..., Awaitable[Counts | None]]
    retry: procrastinate.RetryStrategy
    cron: str | None = None
    """When it runs by itself, in UTC; once, however many workers there are."""
    is_told_which: bool = False
    """Whether it hears which one of its kind it is, the same at each try, as `queued_as`."""


JOBS: dict[str, Job] = {}


def offer(job: Job) -> None:
    JOBS[job.name] = job


def queue() -> procrastinate.App:
    """The queue on this database, with every job on offer."""
    connector = Shared(
        conninfo=settings().database_url, kwargs=dict(PATIENCE), min_size=1, max_size=3
    )
    app = procrastinate.App(connector=connector)
    app.job_manager = Fetching(connector)
    for job in JOBS.values():
        if job.cron:
            task = app.task(name=job.name, retry=job.retry)(_watched(job.name, _written_down(job)))
            app.periodic(cron=job.cron)(task)  # pyright: ignore[reportArgumentType]
        elif job.is_told_which:
            known = _told_which(_watched(job.name, job.run))
            app.task(name=job.name, retry=job.retry, pass_context=True)(known)
        else:
            app.task(name=job.name, retry=job.retry)(_watched(job.name, job.run))
    app.tasks = _Known(app.tasks)
    app.task(name=UNKNOWN, retry=UNTIL_THEY_COME, pass_context=True)(_leave_to_others)
    return app


UNKNOWN = "jobs.unknown"
UNTIL_THEY_COME = procrastinate.RetryStrategy(max_attempts=120, wait=30)
"""As long as a new version may take to replace this one everywhere."""


class _Known(dict[str, Task[..., Any, Any]]):
    """What a newer version has queued, and this one does not know, is left to the newer one."""

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key) or super().get(UNKNOWN, default)


class OfAnotherVersion(Exception):
    """This worker does not know how to do it."""


async def _leave_to_others(context: procrastinate.JobContext, **_: Any) -> None:
    _log.warning("jobs.of_another_version", task=context.job.task_name)
    raise OfAnotherVersion


def _watched(name: str, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def run_and_count(**arguments: Any) -> Any:
        with watch.job(name):
            return await work(**arguments)

    return run_and_count


def _told_which(work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def run(context: procrastinate.JobContext, **arguments: Any) -> Any:
        return await work(queued_as=context.job.id, **arguments)

    return run


BEGUN: LiteralString = """
insert into job_runs (id, job, started_at, error, did)
values (%(id)s, %(job)s, %(now)s, '', '{}')
"""
ENDED: LiteralString = """
update job_runs set ended_at = %(now)s, error = %(error)s, did = %(did)s::jsonb where id = %(id)s
"""
LONGEST_ERROR = 80


def _written_down(job: Job) -> Callable[..., Awaitable[None]]:
    """The job, and a row for each of its runs; a row that cannot be written stops no job."""

    async def run_and_tell(**arguments: Any) -> None:
        known = new_id()
        await _write(BEGUN, known, job=job.name)
        try:
            did = await job.run(**arguments)
        except Exception as failure:
            await _write_end(known, {}, type(failure).__name__)
            raise
        await _write_end(known, did or {}, "")

    return run_and_tell


LAST_BEGUN: LiteralString = """
select max(started_at) from job_runs where job = %(job)s and started_at <= %(before)s
"""


async def last_begun(job: str, *, before: datetime) -> datetime | None:
    """When it last began and the database took a word of that."""
    found = await lookup(LAST_BEGUN, {"job": job, "before": before})
    return found[0] if found else None


async def _write_end(run_id: UUID, did: Counts, error: str) -> None:
    await _write(ENDED, run_id, did=json.dumps(dict(did)), error=error[:LONGEST_ERROR])


async def _write(query: LiteralString, run_id: UUID, **values: str) -> None:
    try:
        await statement(f"{query} returning id", {"id": run_id, "now": utc_now(), **values})
    except (DomainError, psycopg.Error, OSError) as failure:
        _log.warning("jobs.run_not_written", error=type(failure).__name__)


async def later(
    session: AsyncSession, task: str, *, urgency: Urgency = Urgency.WORK, **arguments: Any
) -> None:
    """Queue `task`; it runs only if this transaction commits."""
    queued = {"task": task, "urgency": urgency.value, "arguments": json.dumps(arguments)}
    await run(session, QUEUE_SQL, queued)


TELL_AGAIN = text(
    "select pg_notify('procrastinate_any_queue_v1',"
    " json_build_object('type', 'job_inserted', 'job_id', cast(:id as bigint))::text)"
)


async def tell_again(session: AsyncSession, job_id: int) -> None:
    """Once this transaction has committed, of a job whose row it holds.

    Who heard of the job meanwhile has passed over it, and would find it at their next look only.
    """
    await run(session, TELL_AGAIN, {"id": job_id})


async def work() -> None:
    """Run jobs for the life of a worker process; a database that went away is waited for."""
    while True:
        try:
            await _work_while_connected()
        except (ConnectorException, psycopg.Error, OSError) as failure:
            _log.warning("jobs.cut_off", error=type(failure).__name__)
        await asyncio.sleep(SECONDS_TO_RECONNECT)


async def _work_while_connected() -> None:
    """Until the connection is lost, or the clock is wrong."""
    await right_time.until_it_is()
    app = queue()
    async with app.open_async():
        if names := await missed.catch_up(app, now=utc_now()):
            _log.info("jobs.caught_up", jobs=names)
        clock = missed.clock_of(app)
        working = asyncio.create_task(_work_off(app))
        gone_wrong = asyncio.create_task(right_time.until_it_is_not())
        beside = [
            asyncio.create_task(work)
            for work in (_take_up_what_was_dropped(app), _queue_by_the_clock(clock))
        ]
        try:
            await asyncio.wait({working, gone_wrong}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                await working
        finally:
            for task in (*beside, gone_wrong, working):
                task.cancel()
            await asyncio.gather(working, return_exceptions=True)


async def _work_off(app: procrastinate.App) -> None:
    await app.run_worker_async(
        install_signal_handlers=False,
        concurrency=4,
        fetch_job_polling_interval=SECONDS_BETWEEN_LOOKS,
        delete_jobs="successful",
        shutdown_graceful_timeout=5,
        # It looks once, as it begins: after PostgreSQL was away those that are well are not heard.
        stalled_worker_timeout=SECONDS_UNTIL_FORGOTTEN,
    )


async def _queue_by_the_clock(clock: missed.Clock) -> None:
    while True:
        try:
            await clock.worker()
        except (ConnectorException, psycopg.Error) as failure:
            _log.warning("jobs.not_queued", error=type(failure).__name__)
        await asyncio.sleep(SECONDS_TO_RECONNECT)


async def _take_up_what_was_dropped(app: procrastinate.App) -> None:
    """A worker that died in the middle of a job leaves it behind, marked as being done.

    While PostgreSQL is away nobody is heard: those that are well first have the time to say so.
    """
    heard_since = time.monotonic()
    while True:
        asked_at = time.monotonic()
        try:
            await app.connector.execute_query_async("select 1")
            if time.monotonic() - asked_at > SECONDS_TO_ANSWER:
                heard_since = time.monotonic()
            elif time.monotonic() - heard_since >= SECONDS_UNTIL_SILENT:
                await take_up_dropped_jobs(app)
        except (ConnectorException, psycopg.Error) as failure:
            heard_since = time.monotonic()
            _log.warning("jobs.not_taken_up", error=type(failure).__name__)
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


TAKE_UP: LiteralString = """
with silent as (
    select id from procrastinate_workers
    where last_heartbeat < now() - make_interval(secs => %(silent)s)
), dropped as (
    select id, task_name from procrastinate_jobs
    where status = 'doing' and (worker_id is null or worker_id in (select id from silent))
    for update skip locked
)
select task_name, procrastinate_retry_job_v2(id, now(), null, null, null) from dropped
"""
"""Looked for and queued at once: whoever looks at the same moment leaves them, and what somebody
has fetched since stays theirs."""


async def take_up_dropped_jobs(app: procrastinate.App) -> int:
    """Queue the jobs of workers that are silent again; how many there were."""
    dropped = await app.connector.execute_query_all_async(TAKE_UP, silent=SECONDS_UNTIL_SILENT)
    for job in dropped:
        _log.warning("jobs.taken_up", task=job["task_name"])
    return len(dropped)
