"""What a worker of the queue says of its jobs, and that it lives, is said though a line is lost."""

import asyncio
from typing import LiteralString

import procrastinate
import psycopg
import pytest

from rewards_app.core import jobs
from rewards_app.core.queue import outcomes
from tests.queued import cut_off_once, work_off

BY_ITSELF = "by itself"
JOBS_LEFT: LiteralString = "select status::text, attempts from procrastinate_jobs"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each try of a job, which fails as often as it is told."""
    tries: list[int] = []

    async def run(fails: int) -> None:
        tries.append(fails)
        if len(tries) <= fails:
            raise OSError("not yet")

    job = jobs.Job(BY_ITSELF, run, procrastinate.RetryStrategy(max_attempts=1))
    monkeypatch.setattr(jobs, "JOBS", {BY_ITSELF: job})
    monkeypatch.setattr(outcomes, "FIRST_PAUSE_SECONDS", 0.01)
    return tries


@pytest.mark.parametrize("fails", [0, 1], ids=["done", "to be tried again"])
async def test_how_a_job_ended_is_written(database: str, begun: list[int], fails: int):
    queue = jobs.queue()
    async with queue.open_async():
        await queue.configure_task(BY_ITSELF).defer_async(fails=fails)
        cut_off_once(database, "update or delete on procrastinate_jobs", "old.status = 'doing'")
        await work_off(queue, listen_notify=False, delete_jobs="successful")
    assert len(begun) == fails + 1
    with psycopg.connect(database) as connection:
        assert connection.execute(JOBS_LEFT).fetchall() == []
        assert connection.execute("select last_value > 1 from tries").fetchone() == (True,)


async def test_a_worker_whose_heartbeat_was_lost_beats_on(database: str, begun: list[int]):
    queue = jobs.queue()
    async with queue.open_async():
        cut_off_once(database, "update on procrastinate_workers")
        working = asyncio.create_task(
            queue.run_worker_async(install_signal_handlers=False, update_heartbeat_interval=0.05)
        )
        with psycopg.connect(database, autocommit=True) as connection:
            async with asyncio.timeout(10):
                while connection.execute("select last_value from tries").fetchone() < (3,):
                    await asyncio.sleep(0.05)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
