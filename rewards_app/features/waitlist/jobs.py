"""What is done for waiting people without anybody waiting for it."""

from datetime import datetime

import procrastinate
import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.waitlist import service

_log = structlog.get_logger(__name__)


async def tell_that_the_doors_are_open(until: str) -> None:
    """Batch by batch: begun again after a crash, it goes on with those who were not told.

    Who read that they would be told, since the doors were not open yet, has confirmed by now.
    """
    confirmed_until = max(datetime.fromisoformat(until), utc_now())
    is_anybody_left = True
    while is_anybody_left:
        async with transaction() as session:
            is_anybody_left = await service.tell_some(session, until=confirmed_until, now=utc_now())


async def forget(timestamp: int) -> dict[str, int]:
    async with transaction() as session:
        forgotten = await service.forget(session, now=utc_now())
    _log.info("waitlist.forgotten", people=forgotten)
    return {"deleted": forgotten}


RETRY = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)
JOBS = (
    jobs.Job(service.TELLING, tell_that_the_doors_are_open, RETRY),
    jobs.Job("waitlist.forget", forget, RETRY, cron="33 3 * * *"),
)
