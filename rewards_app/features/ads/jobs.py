"""What is done about ads without anybody asking."""

import asyncio

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import months
from rewards_app.features.ads import old_months, places, retention, service

NEXT_TIME = procrastinate.RetryStrategy(max_attempts=1)


async def sweep(timestamp: int) -> jobs.Counts:
    now = utc_now()
    # Half a minute: the one before began a minute ago, give or take what each took to be begun.
    seen_at = await jobs.last_begun(SWEEP.name, before=now - places.GRACE / 2)
    return {"freed": await service.sweep(seen_at=seen_at, now=now)}


async def fold_old_days(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        return {"folded": await places.fold_old_days(session, now=utc_now())}


async def forget_traces(timestamp: int) -> jobs.Counts:
    return {"emptied": await retention.forget_traces(now=utc_now())}


async def let_months_go(timestamp: int) -> jobs.Counts:
    return await asyncio.to_thread(_let_go)


def _let_go() -> jobs.Counts:
    return old_months.let_go(now=utc_now()) if months.may_change() else {}


SWEEP = jobs.Job("ads.sweep", sweep, NEXT_TIME, cron="* * * * *")
FOLD = jobs.Job("ads.fold_old_days", fold_old_days, NEXT_TIME, cron="17 2 * * *")
FORGET_TRACES = jobs.Job(
    "ads.forget_traces",
    forget_traces,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="29 4 * * *",
)
LET_MONTHS_GO = jobs.Job("ads.let_months_go", let_months_go, NEXT_TIME, cron="37 4 * * *")
JOBS = (SWEEP, FOLD, FORGET_TRACES, LET_MONTHS_GO)
