"""Queue, mails, workers, people and samples, in the database."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, LiteralString

from rewards_app.core import mail
from rewards_app.core.database import AsyncSession, rows, write

SILENT_AFTER = timedelta(seconds=30)
"""A worker or a player who has said nothing for so long is gone."""

QUEUE: LiteralString = """
with waiting as (
    select id, scheduled_at, task_name from procrastinate_jobs where status = 'todo'
),
due as (select * from waiting where scheduled_at is null or scheduled_at <= %(now)s)
select (select count(*) from due),
    (select coalesce(extract(epoch from %(now)s - min(coalesce(scheduled_at,
        (select min(at) from procrastinate_events where job_id = due.id)))), 0)::bigint from due),
    (select count(*) from procrastinate_jobs where status = 'doing'),
    (select count(*) from procrastinate_jobs where status = 'failed'),
    (select count(*) from waiting where task_name = any(%(letters)s)),
    (select count(*) from procrastinate_workers where last_heartbeat > %(heard)s)
"""


@dataclass(frozen=True, slots=True)
class Queue:
    waiting: int
    """Jobs that could run now."""
    oldest_seconds: int
    """How long the first of them has waited."""
    running: int
    failed: int
    """For good: nobody tries them again."""
    mails: int
    """Letters that are not sent yet, also while they wait for their next try."""
    workers: int
    """Who take jobs, and were heard of just now."""


async def queue(session: AsyncSession, *, now: datetime) -> Queue:
    values = {"now": now, "letters": mail.tasks(), "heard": now - SILENT_AFTER}
    waiting, oldest, *rest = (await rows(session, QUEUE, values))[0]
    return Queue(waiting, max(0, oldest), *rest)


PEOPLE: LiteralString = """
select (select count(distinct account_id) from presence where seen_at > %(seen)s),
    (select coalesce(sum(completions + refused), 0)::bigint from ad_days where day = %(day)s)
"""


async def people(session: AsyncSession, day: date, *, now: datetime) -> tuple[int, int]:
    """Who is connected, and how often an ad was watched to its end on this day, rewarded or not."""
    values = {"seen": now - SILENT_AFTER, "day": day}
    online, views = (await rows(session, PEOPLE, values))[0]
    return online, views


KEEP: LiteralString = """
insert into health_samples (minute, database_us, redis_us, workers, jobs_waiting,
    oldest_job_seconds, mails_waiting, disk_free, disk_size)
values (%(minute)s, %(database_us)s, %(redis_us)s, %(workers)s, %(waiting)s, %(oldest)s, %(mails)s,
    %(disk_free)s, %(disk_size)s)
on conflict (minute) do nothing
"""
# The newest of the older ones stays: it says that the first minutes without any were measured.
FORGET: LiteralString = """
delete from health_samples
where minute < (select max(minute) from health_samples where minute <= %(before)s)
"""


async def keep(
    session: AsyncSession, sample: dict[str, Any], *, before: datetime
) -> dict[str, int]:
    """One sample a minute; those from `before` are forgotten but for the last. How many of each."""
    connection = await session.connection()
    kept = await connection.exec_driver_sql(KEEP, sample)
    forgotten = await connection.exec_driver_sql(FORGET, {"before": before})
    return {"samples": kept.rowcount, "deleted": forgotten.rowcount}


COUNT: LiteralString = """
select count(*) filter (where minute > %(since)s), min(minute) from health_samples
where minute <= %(now)s
"""


async def sampled(
    session: AsyncSession, since: datetime, *, now: datetime
) -> tuple[int, datetime | None]:
    """How many minutes have a sample since then, and which is the first of all."""
    count, first = await write(session, COUNT, {"since": since, "now": now})
    return count, first


@dataclass(frozen=True, slots=True)
class Stretch:
    """Ten minutes, and the worst that was measured in them."""

    at: datetime
    database_us: int
    jobs: int
    mails: int
    workers: int


STRETCHES: LiteralString = """
select date_bin('10 minutes', minute, 'epoch'::timestamptz) as at, max(database_us),
    max(jobs_waiting), max(mails_waiting), min(workers)
from health_samples where minute > %(since)s and minute <= %(now)s group by 1 order by 1
"""


async def stretches(session: AsyncSession, since: datetime, *, now: datetime) -> list[Stretch]:
    return [Stretch(*row) for row in await rows(session, STRETCHES, {"since": since, "now": now})]
