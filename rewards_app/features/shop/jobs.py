"""What the shop does without anybody asking: letters now, proof at night."""

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.shop import books, letters


async def check_orders(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        proof = await books.check_and_alert(session, now=utc_now())
    return {"checked": proof.purchases, "wrong": len(proof.wrong)}


CHECK_ORDERS = jobs.Job(
    "shop.check_orders",
    check_orders,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="27 3 * * *",
)
JOBS = (letters.SENDING_CODES, CHECK_ORDERS)
