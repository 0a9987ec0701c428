"""What the leaderboard does at night: prove that the boards are right, forget the old ones."""

import procrastinate
import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.leaderboard import counting

_log = structlog.get_logger(__name__)


async def check_boards(timestamp: int) -> None:
    async with transaction() as session:
        wrong = await counting.check_and_rebuild(session, now=utc_now())
    _log.info("leaderboard.checked", wrong=wrong)


async def forget_old_boards(timestamp: int) -> None:
    forgotten = await counting.forget_old_boards(now=utc_now())
    _log.info("leaderboard.forgotten", scores=forgotten)


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
