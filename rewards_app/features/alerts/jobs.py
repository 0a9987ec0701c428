"""What is forgotten of alerts at night."""

import procrastinate
import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.alerts import service

_log = structlog.get_logger(__name__)


async def forget_addresses(timestamp: int) -> None:
    async with transaction() as session:
        forgotten = await service.forget_addresses(session, now=utc_now())
    _log.info("alerts.addresses_forgotten", alerts=forgotten)


FORGET_ADDRESSES = jobs.Job(
    "alerts.forget_addresses",
    forget_addresses,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="41 3 * * *",
)
