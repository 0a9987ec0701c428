"""What is done about campaigns without anybody asking."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.advertiser import lifecycle


async def tend_campaigns(timestamp: int) -> None:
    await lifecycle.tend(now=utc_now())


TEND = jobs.Job(
    "advertiser.tend_campaigns",
    tend_campaigns,
    procrastinate.RetryStrategy(max_attempts=1),
    cron="* * * * *",
)
JOBS = (TEND,)
