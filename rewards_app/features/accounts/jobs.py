"""What is forgotten of people at night: old activity, and what has expired."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.accounts import retention

RETRY = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)


async def forget_activity(timestamp: int) -> jobs.Counts:
    return await retention.forget_activity(now=utc_now())


async def forget_expired(timestamp: int) -> jobs.Counts:
    return await retention.forget_expired(now=utc_now())


JOBS = (
    jobs.Job("accounts.forget_activity", forget_activity, RETRY, cron="11 4 * * *"),
    jobs.Job("accounts.forget_expired", forget_expired, RETRY, cron="13 4 * * *"),
)
