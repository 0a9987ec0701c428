"""Work for later: queued in the transaction that asks for it, run by a worker, tried again."""

import json
from typing import Any

import procrastinate
from sqlalchemy import text

from rewards_app.core.database import AsyncSession, run
from rewards_app.core.settings import settings

QUEUE_SQL = text(
    "select procrastinate_defer_jobs_v1(array[row('default', :task, 0, null, null,"
    " cast(:arguments as jsonb), null)::procrastinate_job_to_defer_v1])"
)


tasks = procrastinate.Blueprint()
"""Where modules register what the queue may run."""


def queue() -> procrastinate.App:
    """The queue on this database, with every registered task."""
    connector = procrastinate.PsycopgConnector(
        conninfo=settings().database_url, min_size=1, max_size=3
    )
    app = procrastinate.App(connector=connector)
    app.add_tasks_from(tasks, namespace=NAMESPACE)
    return app


NAMESPACE = "rewards"


async def later(session: AsyncSession, task: str, **arguments: Any) -> None:
    """Queue `task`; it runs only if this transaction commits."""
    await run(
        session, QUEUE_SQL, {"task": f"{NAMESPACE}:{task}", "arguments": json.dumps(arguments)}
    )


async def work() -> None:
    """Run jobs for the life of a worker process."""
    app = queue()
    async with app.open_async():
        await app.run_worker_async(
            install_signal_handlers=False,
            concurrency=4,
            fetch_job_polling_interval=5,
            delete_jobs="successful",
            shutdown_graceful_timeout=5,
        )
