"""Closed accounts, and those never proven: who is reminded, and forgotten when time is up."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing
from rewards_app.features.privacy import erasing, never_proven


async def remind(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        return {"warned": await closing.remind(session, now=utc_now())}


async def erase_due(timestamp: int) -> jobs.Counts:
    return await erasing.erase_due(now=utc_now())


async def forget_never_proven(timestamp: int) -> jobs.Counts:
    return await never_proven.forget(now=utc_now())


RETRY = procrastinate.RetryStrategy(max_attempts=3, exponential_wait=4)
JOBS = (
    jobs.Job("privacy.remind_closing", remind, RETRY, cron="13 * * * *"),
    jobs.Job("privacy.erase_due", erase_due, RETRY, cron="23 * * * *"),
    jobs.Job("privacy.forget_never_proven", forget_never_proven, RETRY, cron="43 3 * * *"),
)
