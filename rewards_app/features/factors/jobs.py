"""What happens to second factors by itself."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.factors import resets


async def perform_resets(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        done = await resets.perform_due(session, now=utc_now())
    return {"done": done}


PERFORM_RESETS = jobs.Job(
    "factors.perform_resets",
    perform_resets,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="*/10 * * * *",
)
