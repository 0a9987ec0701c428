"""What happens to second factors by itself."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.factors import resets


async def perform_resets(timestamp: int) -> jobs.Counts:
    """One after the other: who holds many accounts at once waits for others in a circle."""
    now = utc_now()
    async with transaction() as session:
        due = await resets.due(session, now=now)
    done = 0
    for account_id in due:
        async with transaction() as session:
            done += await resets.perform(session, account_id, now=now)
    return {"done": done}


PERFORM_RESETS = jobs.Job(
    "factors.perform_resets",
    perform_resets,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="*/10 * * * *",
)
