"""What is forgotten at night of what was noticed."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.signals import retention


async def forget(timestamp: int) -> jobs.Counts:
    return await retention.forget_old(now=utc_now())


JOBS = (
    jobs.Job(
        "signals.forget",
        forget,
        procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
        cron="17 4 * * *",
    ),
)
