"""What is done about companies and their campaigns without anybody asking."""

from uuid import UUID

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.advertiser import books, invoices, lifecycle, reports
from rewards_app.features.advertiser.top_up_repository import START_WHAT_WAITED


async def tend_campaigns(timestamp: int) -> jobs.Counts:
    return await lifecycle.tend(now=utc_now())


TEND = jobs.Job(
    "advertiser.tend_campaigns",
    tend_campaigns,
    procrastinate.RetryStrategy(max_attempts=1),
    cron="* * * * *",
)


async def start_what_waited(advertiser_id: str) -> None:
    """Money has come: campaigns that lacked it start."""
    async with transaction() as session:
        await lifecycle.start_what_can(session, advertiser_id=UUID(advertiser_id), now=utc_now())


START = jobs.Job(
    START_WHAT_WAITED,
    start_what_waited,
    procrastinate.RetryStrategy(max_attempts=10, exponential_wait=2),
)


async def check_money(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        audit = await books.check_and_alert(session, now=utc_now())
    return {"checked": audit.companies, "wrong": len(audit.wrong)}


async def report_weeks(timestamp: int) -> jobs.Counts:
    """In one transaction: tried again, nobody is told twice."""
    async with transaction() as session:
        return {"mailed": await reports.send(session, now=utc_now())}


CHECK_MONEY = jobs.Job(
    "advertiser.check_money",
    check_money,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="37 3 * * *",
)
REPORT_WEEKS = jobs.Job(
    "advertiser.report_weeks",
    report_weeks,
    procrastinate.RetryStrategy(max_attempts=10, exponential_wait=4),
    cron="0 6 * * 1",
)
JOBS = (TEND, START, invoices.SENDING, CHECK_MONEY, REPORT_WEEKS)
