"""What runs by itself: how each job went last, and when it runs next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import LiteralString

from rewards_app.core import jobs
from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.health import schedule_rules
from rewards_app.features.health.probes import BEGAN_AT, seconds_since
from rewards_app.features.health.repository import SILENT_AFTER
from rewards_app.features.health.schedule_rules import Hours, Run, State


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A job that runs by itself."""

    name: str
    hours: Hours
    state: State
    last: Run | None
    did: Mapping[str, int]
    """What its last run counted."""
    found: Mapping[str, int]
    """What the last run counted that went to its end without a fault: what is known since."""
    failing_since: datetime | None
    error: str
    """What the latest of its failed runs since then met; a run after it may go on, or broke off."""
    next_at: datetime


# Each part is found by the index of job and beginning, however many runs are kept.
RUNS: LiteralString = """
select name, last.started_at, last.ended_at, last.error, last.did, good.did,
    bad.started_at, coalesce(latest.error, ''), exists (
        select from procrastinate_jobs as queued
        join procrastinate_workers as worker on worker.id = queued.worker_id
        where task_name = name and status = 'doing' and last_heartbeat > %(heard)s
    )
from unnest(%(names)s::text[]) with ordinality as wanted(name, place)
left join lateral (
    select started_at, ended_at, error, did from job_runs where job = name
    order by started_at desc limit 1
) last on true
left join lateral (
    select started_at, did from job_runs
    where job = name and error = '' and ended_at is not null
    order by started_at desc limit 1
) good on true
left join lateral (
    select started_at from job_runs
    where job = name and error <> ''
        and started_at > coalesce(good.started_at, '-infinity'::timestamptz)
    order by started_at limit 1
) bad on true
left join lateral (
    select error from job_runs
    where job = name and error <> '' and started_at >= bad.started_at
    order by started_at desc limit 1
) latest on true
order by place
"""


async def of_now(
    session: AsyncSession, *, now: datetime, watched_since: datetime | None = None
) -> Sequence[Scheduled]:
    """Every job with hours of its own, those that need a look first.

    Watched by this process since it began, unless somebody knows better.
    """
    names = sorted(name for name, job in jobs.JOBS.items() if job.cron)
    asked = {"names": names, "heard": now - SILENT_AFTER}
    watched_since = watched_since or now - timedelta(seconds=seconds_since(BEGAN_AT))
    found: list[Scheduled] = []
    for name, *run, did, known, since, error, held in await rows(session, RUNS, asked):
        started, ended, met = run
        hours = schedule_rules.hours_of(jobs.JOBS[name].cron or "")
        last = Run(started, ended, met, held) if started else None
        state = schedule_rules.state_of(last, hours, watched_since=watched_since, now=now)
        next_at = schedule_rules.next_run(hours, now=now)
        found.append(
            Scheduled(name, hours, state, last, did or {}, known or {}, since, error, next_at)
        )
    return sorted(found, key=_fine_ones_last)


def _fine_ones_last(job: Scheduled) -> tuple[bool, str]:
    return job.state not in (State.LATE, State.FAILED, State.BROKEN_OFF), job.name
