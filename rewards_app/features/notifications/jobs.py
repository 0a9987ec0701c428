"""Mails that gather what happened in one place, and what is forgotten at night."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.notifications import letters, service


async def mail_gathered(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        count = await letters.tell_gathered(session, now=utc_now())
    return {"mailed": count}


async def forget(timestamp: int) -> jobs.Counts:
    return {"deleted": await service.forget(now=utc_now())}


RETRY = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)
JOBS = (
    jobs.Job("notifications.mail_gathered", mail_gathered, RETRY, cron="* * * * *"),
    jobs.Job("notifications.forget", forget, RETRY, cron="52 3 * * *"),
)
