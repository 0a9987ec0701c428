"""What the ledger does at night."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.coins import service


async def check_ledger(timestamp: int) -> None:
    async with transaction() as session:
        await service.check_and_alert(session, now=utc_now())


CHECK_LEDGER = jobs.Job(
    "coins.check_ledger",
    check_ledger,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="17 3 * * *",
)
