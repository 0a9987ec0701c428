"""What is forgotten at night: the addresses of guardians who did not say yes."""

import procrastinate
import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.guardians import service

_log = structlog.get_logger(__name__)


async def forget(timestamp: int) -> dict[str, int]:
    async with transaction() as session:
        forgotten = await service.forget(session, now=utc_now())
    _log.info("guardians.forgotten", requests=forgotten)
    return {"deleted": forgotten}


RETRY = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)
JOBS = (jobs.Job("guardians.forget", forget, RETRY, cron="37 3 * * *"),)
