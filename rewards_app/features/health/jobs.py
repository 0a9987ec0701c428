"""A sample each minute, whoever looks."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.health import service

NEXT_TIME = procrastinate.RetryStrategy(max_attempts=1)


async def sample(timestamp: int) -> None:
    await service.sample(now=utc_now())


JOBS = (jobs.Job("health.sample", sample, NEXT_TIME, cron="* * * * *"),)
