"""How a job ended is written down also where the connection is lost over it.

The queue's worker says it once. What it could not say would stay as being done for as long as the
worker lives: nobody takes it up, since its worker is well.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import LiteralString

import psycopg
import structlog
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

_log = structlog.get_logger(__name__)

INSISTS_FOR_SECONDS = 60.0
"""A worker whose database is away for longer ends, and what it had in hand is taken up."""
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 5.0

STILL_IN_HAND: LiteralString = """
select exists (
    select from procrastinate_jobs
    where id = %(id)s and status = 'doing' and attempts = %(attempts)s
        and worker_id is not distinct from %(worker_id)s::bigint
) as is_so
"""


class Outcomes(JobManager):
    """Writes until it is written. The answer alone may be lost, so it looks before it says again:
    a job that is to be tried again may be somebody else's by then."""

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        await self._insist(job, partial(super().finish_job, job, status, delete_job))

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        await self._insist(job, partial(super().retry_job, job, retry_at, priority, queue, lock))

    async def update_heartbeat(self, worker_id: int) -> None:
        """The next one makes up for one that is lost.

        The queue's worker would go on without any, and others do again what it is doing.
        """
        try:
            await super().update_heartbeat(worker_id)
        except ConnectorException as failure:
            _log.warning("jobs.heartbeat_lost", error=type(failure.__cause__).__name__)

    async def _insist(self, job: Job, write: Callable[[], Awaitable[None]]) -> None:
        begun, pause, is_unsure = time.monotonic(), FIRST_PAUSE_SECONDS, False
        while True:
            try:
                if not is_unsure or await self._is_still_in_hand(job):
                    await write()
                return
            except ConnectorException as failure:
                why = failure.__cause__
                is_late = time.monotonic() - begun >= INSISTS_FOR_SECONDS
                if is_late or not isinstance(why, psycopg.OperationalError):
                    raise
                _log.warning(
                    "jobs.outcome_not_written", task=job.task_name, error=type(why).__name__
                )
            is_unsure = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _is_still_in_hand(self, job: Job) -> bool:
        found = await self.connector.execute_query_one_async(
            STILL_IN_HAND, id=job.id, attempts=job.attempts, worker_id=job.worker_id
        )
        return found["is_so"]
