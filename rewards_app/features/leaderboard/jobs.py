"""What the leaderboard does at night: prove that the boards are right, forget the old ones."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.leaderboard import counting


async def check_boards(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        return {"wrong": await counting.check_and_rebuild(session, now=utc_now())}


async def forget_old_boards(timestamp: int) -> jobs.Counts:
    return {"deleted": await counting.forget_old_boards(now=utc_now())}


JOBS = (
    jobs.Job(
        "leaderboard.check_boards",
        check_boards,
        procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
        cron="47 3 * * *",
    ),
    jobs.Job(
        "leaderboard.forget_old_boards",
        forget_old_boards,
        procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
        cron="53 3 * * *",
    ),
)
