"""What is done about companies and their campaigns without anybody asking."""

from uuid import UUID

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.advertiser import invoices, lifecycle
from rewards_app.features.advertiser.top_up_repository import START_WHAT_WAITED


async def tend_campaigns(timestamp: int) -> None:
    await lifecycle.tend(now=utc_now())


TEND = jobs.Job(
    "advertiser.tend_campaigns",
    tend_campaigns,
    procrastinate.RetryStrategy(max_attempts=1),
    cron="* * * * *",
)


async def start_what_waited(advertiser_id: str) -> None:
    """Money has come: campaigns that lacked it start."""
    async with transaction() as session:
        await lifecycle.start_what_can(session, advertiser_id=UUID(advertiser_id), now=utc_now())


START = jobs.Job(
    START_WHAT_WAITED,
    start_what_waited,
    procrastinate.RetryStrategy(max_attempts=10, exponential_wait=2),
)
JOBS = (TEND, START, invoices.SENDING)
