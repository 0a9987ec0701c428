"""How long is kept how jobs went, what never could be done, and who seemed connected."""

from datetime import datetime, timedelta

from rewards_app.core.forgetting import forget, rows_of

RUNS_ARE_KEPT = timedelta(days=90)
FAILED_JOBS_ARE_KEPT = timedelta(days=30)
"""Nobody tries them again, and a letter among them names its recipient."""
PRESENCE_IS_KEPT = timedelta(days=1)
"""Workers that died leave it behind."""

RUNS = rows_of("job_runs", "id", "started_at < %(before)s")
FAILED_JOBS = rows_of(
    "procrastinate_jobs",
    "id",
    """status in ('failed', 'cancelled', 'aborted')
        and not exists (select from procrastinate_events event
            where event.job_id = procrastinate_jobs.id and event.at >= %(before)s)""",
)
PRESENCE = rows_of("presence", "worker_id, account_id", "seen_at < %(before)s")


async def forget_old(*, now: datetime) -> dict[str, int]:
    return {
        "runs": await forget(RUNS, before=now - RUNS_ARE_KEPT),
        "failed": await forget(FAILED_JOBS, before=now - FAILED_JOBS_ARE_KEPT),
        "presence": await forget(PRESENCE, before=now - PRESENCE_IS_KEPT),
    }
