"""What is done about payments without anybody asking."""

from uuid import UUID

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.features.payments import news, retention, sandbox, service, webhook

A_DAY_OF_HALF_MINUTES = 24 * 60 * 2
PATIENTLY = procrastinate.RetryStrategy(max_attempts=A_DAY_OF_HALF_MINUTES, wait=30)


async def look_at_what_waits(timestamp: int) -> jobs.Counts:
    return {"asked": await service.look_at_what_waits(now=utc_now())}


async def return_money(payment_id: str) -> None:
    await service.return_money(UUID(payment_id))


async def forget_test_checkouts(timestamp: int) -> jobs.Counts:
    return {"deleted": await retention.forget_test_checkouts(now=utc_now())}


async def tell_test_webhook(body: str) -> None:
    await webhook.receive(body.encode(), sandbox.signature_of(body))


RECONCILE = jobs.Job(
    "payments.reconcile",
    look_at_what_waits,
    procrastinate.RetryStrategy(max_attempts=1),
    cron="* * * * *",
)
RETURN_MONEY = jobs.Job(news.RETURN_MONEY, return_money, PATIENTLY)
TELL_TEST_WEBHOOK = jobs.Job(sandbox.TELL, tell_test_webhook, PATIENTLY)
FORGET_TEST_CHECKOUTS = jobs.Job(
    "payments.forget_test_checkouts",
    forget_test_checkouts,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="21 4 * * *",
)
JOBS = (RECONCILE, RETURN_MONEY, TELL_TEST_WEBHOOK, FORGET_TEST_CHECKOUTS)
