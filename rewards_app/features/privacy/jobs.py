"""What is done about people's data without anybody waiting for it."""

from uuid import UUID

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.privacy import exports, resealing


async def make_export(export_id: str) -> None:
    await exports.make(UUID(export_id))


async def tidy_exports(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        return await exports.tidy(session, now=utc_now())


async def reseal(timestamp: int) -> jobs.Counts:
    return await resealing.reseal()


MAKE_EXPORT = jobs.Job(
    exports.MAKE, make_export, procrastinate.RetryStrategy(max_attempts=5, wait=20)
)
TIDY_EXPORTS = jobs.Job(
    "privacy.tidy_exports",
    tidy_exports,
    procrastinate.RetryStrategy(max_attempts=1),
    cron="*/5 * * * *",
)
RESEAL = jobs.Job(
    "privacy.reseal",
    reseal,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="51 2 * * *",
)
JOBS = (MAKE_EXPORT, TIDY_EXPORTS, RESEAL)
