"""Jobs by the clock whose hour came while no worker ran: a pause at six costs no week's report."""

import math
from datetime import datetime
from typing import LiteralString

from procrastinate import App
from procrastinate.periodic import PeriodicDeferrer

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
