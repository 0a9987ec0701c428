"""What the ledger does at night."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.coins import expiry, service


async def check_ledger(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        audit = await service.check_and_alert(session, now=utc_now())
    return {"checked": audit.accounts, "wrong": len(audit.wrong) + len(audit.skips)}


CHECK_LEDGER = jobs.Job(
    "coins.check_ledger",
    check_ledger,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="17 3 * * *",
)


async def expire_coins(timestamp: int) -> jobs.Counts:
    return await expiry.expire(now=utc_now())


EXPIRE_COINS = jobs.Job(
    "coins.expire",
    expire_coins,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="7 4 * * *",
)
JOBS = (CHECK_LEDGER, EXPIRE_COINS)
