"""What is forgotten of alerts at night."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.alerts import retention, service

RETRY = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)


async def forget_addresses(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        return {"emptied": await service.forget_addresses(session, now=utc_now())}


async def forget_resolved(timestamp: int) -> jobs.Counts:
    return {"deleted": await retention.forget_resolved(now=utc_now())}


JOBS = (
    jobs.Job("alerts.forget_addresses", forget_addresses, RETRY, cron="41 3 * * *"),
    jobs.Job("alerts.forget_resolved", forget_resolved, RETRY, cron="43 3 * * *"),
)
