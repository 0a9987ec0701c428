"""What the forum forgets at night: drafts that nobody came back to."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.forum import retention


async def forget_drafts(timestamp: int) -> jobs.Counts:
    return {"deleted": await retention.forget_drafts(now=utc_now())}


JOBS = (
    jobs.Job(
        "forum.forget_drafts",
        forget_drafts,
        procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
        cron="19 4 * * *",
    ),
)
