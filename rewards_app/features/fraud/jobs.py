"""What is done about fraud without anybody asking."""

from dataclasses import replace
from uuid import UUID

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.fraud import service, simulations
from rewards_app.features.signals.service import JUDGE

AN_HOUR_OF_MINUTES = 60


async def judge(signal: str) -> None:
    """Also what came while this waited: nobody queued anything for that."""
    async with transaction() as session:
        waiting = await service.to_judge(session, UUID(signal))
    for one in waiting:
        async with transaction() as session:
            await service.judge(session, one, now=utc_now())


async def find_clockwork(timestamp: int) -> jobs.Counts:
    return {"found": await service.find_clockwork(now=utc_now())}


async def forget_simulations(timestamp: int) -> jobs.Counts:
    async with transaction() as session:
        return {"deleted": await simulations.forget_old(session, now=utc_now())}


JUDGING = jobs.Job(
    JUDGE, judge, procrastinate.RetryStrategy(max_attempts=AN_HOUR_OF_MINUTES, wait=60)
)
JUDGING_ONE = replace(JUDGING, name="fraud.judge")
"""As workers of the version before queue it; they judge one signal alone, so that what counts on
those after it has a name that they leave to others."""
CLOCKWORK = jobs.Job(
    "fraud.find_clockwork",
    find_clockwork,
    procrastinate.RetryStrategy(max_attempts=1),
    cron="*/5 * * * *",
)
FORGETTING = jobs.Job(
    "fraud.forget_simulations",
    forget_simulations,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="27 4 * * *",
)
JOBS = (JUDGING, JUDGING_ONE, CLOCKWORK, FORGETTING)
