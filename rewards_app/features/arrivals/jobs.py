"""What is forgotten at night of campaigns."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.arrivals import retention


async def forget(timestamp: int) -> jobs.Counts:
    return {"deleted": await retention.forget_old(now=utc_now())}


JOBS = (
    jobs.Job(
        "arrivals.forget",
        forget,
        procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
        cron="33 4 * * *",
    ),
)
