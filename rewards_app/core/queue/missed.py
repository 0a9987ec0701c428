"""Jobs by the clock whose hour came while no worker ran, or while its machine slept: a pause at
six costs no week's report, and a long one is no crowd of jobs before the first letter."""

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Any, LiteralString

from procrastinate import App
from procrastinate.exceptions import ConnectorException
from procrastinate.periodic import (
    PeriodicDeferrer,
    PeriodicRegistry,
    PeriodicTask,
    TaskAtTime,
)

LAST: LiteralString = (
    "select task_name, max(defer_timestamp) as at from procrastinate_periodic_defers group by 1"
)


async def catch_up(app: App, *, now: datetime) -> list[str]:
    """Queue each of them once, however often it was missed and however many workers begin.

    Nothing was missed before a job has run for the first time.
    """
    last = {
        row["task_name"]: row["at"] for row in await app.connector.execute_query_all_async(LAST)
    }
    clock = PeriodicDeferrer(registry=app.periodic_registry, max_delay=math.inf)
    missed = [
        (one, at)
        for one, at in clock.get_previous_tasks(now.timestamp())
        if last.get(one.task.name, at) < at
    ]
    await clock.defer_jobs(missed)
    return [one.task.name for one, _ in missed]


class Clock(PeriodicDeferrer):
    """Queues each job at its hours, on a machine whose clock may jump."""

    def get_timestamps(
        self, periodic_task: PeriodicTask[..., Any, Any], since: int | None, until: float
    ) -> Iterable[int]:
        """The last hour that has come since then: once, however many have.

        Where the clock was ahead and is right again, the job goes on from now.
        """
        if since is None or since > until:
            return super().get_timestamps(periodic_task, None, until)
        hours = periodic_task.croniter
        hours.set_current(start_time=until)
        last = round(hours.get_prev(ret_type=float))
        return [last] if last > since else []

    async def defer_jobs(self, jobs_to_defer: Iterable[TaskAtTime]) -> None:
        """One that could not be queued has not been: its hour is still to come."""
        for one, at in jobs_to_defer:
            try:
                await super().defer_jobs([(one, at)])
            except ConnectorException:
                self.last_defers[one.task.name, one.periodic_id] = at - 1
                raise


def clock_of(app: App) -> Clock:
    """Taken out of the queue's worker, whose own would queue every hour of a night asleep."""
    clock = Clock(registry=app.periodic_registry)
    app.periodic_registry = PeriodicRegistry()
    return clock
