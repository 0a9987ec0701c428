"""A worker whose clock is wrong leaves the work by the clock to others, until it is right."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta

import procrastinate
import psycopg
import pytest
import time_machine
from procrastinate.jobs import JobDeferrer
from time_machine import Traveller

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.queue import right_time
from rewards_app.core.settings import settings
from tests.servers import soon_given_up

A_DAY = timedelta(days=1)
LITTLE = right_time.MOST_APART - timedelta(seconds=30)
MUCH = right_time.MOST_APART + timedelta(seconds=30)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with time_machine.travel(utc_now(), tick=True) as moved:
        yield moved


@pytest.mark.usefixtures("database")
class TestRightTime:
    @pytest.mark.parametrize("wrong_by", [timedelta(), LITTLE, -LITTLE], ids=str)
    async def test_is_about_that_of_the_database(self, clock: Traveller, wrong_by: timedelta):
        clock.shift(wrong_by)
        assert await right_time.is_it()

    @pytest.mark.parametrize("wrong_by", [MUCH, -MUCH, A_DAY, -A_DAY], ids=str)
    async def test_is_not_far_from_it(self, clock: Traveller, wrong_by: timedelta):
        clock.shift(wrong_by)
        assert not await right_time.is_it()

    async def test_is_believed_while_nobody_can_tell(
        self, clock: Traveller, monkeypatch: pytest.MonkeyPatch
    ):
        clock.shift(A_DAY)
        monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
        settings.cache_clear()
        with soon_given_up():
            assert await right_time.is_it()


class Done:
    """A job that counts how often it was done."""

    def __init__(self) -> None:
        self.times = 0

    async def do(self) -> None:
        self.times += 1

    async def comes_to(self, times: int) -> None:
        async with asyncio.timeout(10):
            while self.times < times:
                await asyncio.sleep(0.02)


@pytest.fixture
def job(database: str, monkeypatch: pytest.MonkeyPatch) -> Done:
    done = Done()
    once = procrastinate.RetryStrategy(max_attempts=1)
    monkeypatch.setattr(jobs, "JOBS", {"a job": jobs.Job("a job", done.do, once)})
    monkeypatch.setattr(jobs, "SECONDS_BETWEEN_LOOKS", 0.1)
    monkeypatch.setattr(right_time, "LOOK_EVERY_SECONDS", 0.1)
    return done


@pytest.fixture
async def asked(job: Done) -> AsyncIterator[JobDeferrer]:
    """Queues the job; a worker is begun by the test."""
    queue = jobs.queue()
    async with queue.open_async():
        yield queue.configure_task("a job")


@pytest.fixture
async def working() -> AsyncIterator[set[asyncio.Task[None]]]:
    begun: set[asyncio.Task[None]] = set()
    yield begun
    for worker in begun:
        worker.cancel()
    await asyncio.gather(*begun, return_exceptions=True)


async def nobody_works(database: str) -> None:
    """The worker has ended, as others can see."""
    async with asyncio.timeout(10):
        with psycopg.connect(database, autocommit=True) as connection:
            while connection.execute("select 1 from procrastinate_workers").fetchone():
                await asyncio.sleep(0.02)


LONG_ENOUGH = 1.0
"""A worker looks for jobs ten times meanwhile."""


@pytest.mark.parametrize("wrong_by", [A_DAY, -A_DAY], ids=["ahead", "behind"])
class TestAWorkerWhoseClockIsWrong:
    async def test_begins_no_job_before_it_is_right(
        self,
        clock: Traveller,
        job: Done,
        asked: JobDeferrer,
        working: set[asyncio.Task[None]],
        wrong_by: timedelta,
    ):
        await asked.defer_async()
        clock.shift(wrong_by)
        working.add(asyncio.create_task(jobs.work()))
        await asyncio.sleep(LONG_ENOUGH)
        assert job.times == 0
        clock.shift(-wrong_by)
        await job.comes_to(1)

    async def test_stops_in_the_middle_and_goes_on_later(
        self,
        clock: Traveller,
        job: Done,
        asked: JobDeferrer,
        working: set[asyncio.Task[None]],
        wrong_by: timedelta,
        database: str,
    ):
        working.add(asyncio.create_task(jobs.work()))
        await asked.defer_async()
        await job.comes_to(1)
        clock.shift(wrong_by)
        await nobody_works(database)
        await asked.defer_async()
        await asyncio.sleep(LONG_ENOUGH)
        assert job.times == 1
        clock.shift(-wrong_by)
        await job.comes_to(2)
