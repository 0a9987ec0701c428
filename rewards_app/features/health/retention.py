"""How long is kept how jobs went, what never could be done, and who seemed connected."""

from datetime import datetime, timedelta
from typing import LiteralString

from rewards_app.core.forgetting import forget

RUNS_ARE_KEPT = timedelta(days=90)
FAILED_JOBS_ARE_KEPT = timedelta(days=30)
"""Nobody tries them again, and a letter among them names its recipient."""
PRESENCE_IS_KEPT = timedelta(days=1)
"""Workers that died leave it behind."""

RUNS: LiteralString = """
with old as (
    delete from job_runs where id in (
        select id from job_runs where started_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
FAILED_JOBS: LiteralString = """
with old as (
    delete from procrastinate_jobs where id in (
        select id from procrastinate_jobs job where status in ('failed', 'cancelled', 'aborted')
            and not exists (select from procrastinate_events event
                where event.job_id = job.id and event.at >= %(before)s)
        limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
PRESENCE: LiteralString = """
with old as (
    delete from presence where (worker_id, account_id) in (
        select worker_id, account_id from presence where seen_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""


async def forget_old(*, now: datetime) -> dict[str, int]:
    return {
        "runs": await forget(RUNS, before=now - RUNS_ARE_KEPT),
        "failed": await forget(FAILED_JOBS, before=now - FAILED_JOBS_ARE_KEPT),
        "presence": await forget(PRESENCE, before=now - PRESENCE_IS_KEPT),
    }
