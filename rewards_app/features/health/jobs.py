"""A sample each minute, whoever looks; and what is forgotten at night."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.health import growing, retention, service

NEXT_TIME = procrastinate.RetryStrategy(max_attempts=1)


async def sample(timestamp: int) -> jobs.Counts:
    return await service.sample(now=utc_now())


async def forget(timestamp: int) -> jobs.Counts:
    return await retention.forget_old(now=utc_now())


async def make_months(timestamp: int) -> jobs.Counts:
    return await growing.make_months(now=utc_now())


async def watch_replica(timestamp: int) -> jobs.Counts:
    return await growing.watch_replica(now=utc_now())


JOBS = (
    jobs.Job("health.watch_replica", watch_replica, NEXT_TIME, cron="*/10 * * * *"),
    jobs.Job("health.make_months", make_months, NEXT_TIME, cron="47 1 * * *"),
    jobs.Job("health.sample", sample, NEXT_TIME, cron="* * * * *"),
    jobs.Job(
        "health.forget",
        forget,
        procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
        cron="23 4 * * *",
    ),
)
