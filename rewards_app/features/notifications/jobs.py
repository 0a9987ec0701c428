"""Mails that gather what happened in one place, and what is forgotten at night."""

import procrastinate
import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.notifications import letters, service

_log = structlog.get_logger(__name__)


async def mail_gathered(timestamp: int) -> None:
    async with transaction() as session:
        count = await letters.tell_gathered(session, now=utc_now())
    if count:
        _log.info("notifications.mailed", letters=count)


async def forget(timestamp: int) -> None:
    async with transaction() as session:
        forgotten = await service.forget(session, now=utc_now())
    _log.info("notifications.forgotten", notifications=forgotten)


RETRY = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)
JOBS = (
    jobs.Job("notifications.mail_gathered", mail_gathered, RETRY, cron="* * * * *"),
    jobs.Job("notifications.forget", forget, RETRY, cron="52 3 * * *"),
)
