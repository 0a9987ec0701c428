"""What waits in the queue, worked off at once as a worker does it."""

from typing import Any

import procrastinate


async def work_off(
    queue: procrastinate.App, *, is_frequent_due: bool = False, **options: Any
) -> None:
    """Whatever the hour is: a worker that begins also takes up what was due before it came.

    Of what has its hours nothing comes, or only what comes every few minutes.
    """
    by_the_clock = queue.periodic_registry.periodic_tasks
    for key, task in list(by_the_clock.items()):
        if not (is_frequent_due and task.cron.startswith("*")):
            del by_the_clock[key]
    await queue.run_worker_async(wait=False, install_signal_handlers=False, **options)
