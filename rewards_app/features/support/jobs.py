"""What support forgets at night: tickets that were answered or closed two years ago."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.support import service


async def forget(timestamp: int) -> jobs.Counts:
    """Batch by batch: a job that is stopped goes on where it was."""
    forgotten = 0
    while True:
        async with transaction() as session:
            taken = await service.forget(session, now=utc_now())
        forgotten += taken
        if taken < service.FORGET_AT_ONCE:
            return {"deleted": forgotten}


JOBS = (
    jobs.Job(
        "support.forget",
        forget,
        procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
        cron="31 4 * * *",
    ),
)
