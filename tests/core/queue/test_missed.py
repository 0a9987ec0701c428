"""Hours that came while no worker ran, or while the clock was wrong."""

import asyncio
from datetime import UTC, datetime, timedelta

import procrastinate
import psycopg
import pytest
from procrastinate.exceptions import ConnectorException

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.queue import missed
from tests.core.test_jobs import NIGHTLY, found_in, runs_of
from tests.queued import cut_off_once

AT_TWO = datetime(2026, 11, 21, 14, tzinfo=UTC)


def half_an_hour_ago() -> str:
    return f"{utc_now() - timedelta(minutes=30):%M %H} * * *"


@pytest.fixture
def missed_by_half_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(timestamp: int) -> None: ...

    retry = procrastinate.RetryStrategy(max_attempts=1)
    nightly = jobs.Job(NIGHTLY, nothing, retry, cron=half_an_hour_ago())
    monkeypatch.setattr(jobs, "JOBS", {NIGHTLY: nightly})


def ran_yesterday(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(
            "insert into procrastinate_periodic_defers (task_name, periodic_id, defer_timestamp)"
            " values (%s, '', extract(epoch from now() - interval '1 day')::bigint)",
            (NIGHTLY,),
        )


@pytest.mark.usefixtures("missed_by_half_an_hour")
class TestMissedHours:
    async def test_are_caught_up_with_once(self, database: str):
        ran_yesterday(database)
        queue = jobs.queue()
        async with queue.open_async():
            assert await missed.catch_up(queue, now=utc_now()) == [NIGHTLY]
            assert await missed.catch_up(queue, now=utc_now()) == []
        assert found_in(database)[0] == [(NIGHTLY, "todo")]

    async def test_are_none_on_the_first_day(self, database: str):
        queue = jobs.queue()
        async with queue.open_async():
            assert await missed.catch_up(queue, now=utc_now()) == []
        assert found_in(database)[0] == []

    async def test_are_caught_up_with_by_whoever_begins_to_work(self, database: str):
        ran_yesterday(database)
        working = asyncio.create_task(jobs.work())
        async with asyncio.timeout(10):
            while not runs_of(database, NIGHTLY):
                await asyncio.sleep(0.05)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        assert len(runs_of(database, NIGHTLY)) == 1


def hours_of(clock: missed.Clock, at: datetime) -> list[float]:
    """Of every minute, as seconds since 14:00."""
    queued = clock.get_previous_tasks(at=at.timestamp())
    return [timestamp - AT_TWO.timestamp() for _, timestamp in queued]


async def test_an_hour_that_could_not_be_queued_is_queued_later(
    database: str, monkeypatch: pytest.MonkeyPatch
):
    async def nothing(timestamp: int) -> None: ...

    retry = procrastinate.RetryStrategy(max_attempts=1)
    monkeypatch.setattr(jobs, "JOBS", {NIGHTLY: jobs.Job(NIGHTLY, nothing, retry, "0 14 * * *")})
    clock = missed.clock_of(queue := jobs.queue())
    cut_off_once(database, "insert on procrastinate_periodic_defers")
    async with queue.open_async():
        with pytest.raises(ConnectorException):
            await clock.defer_jobs(clock.get_previous_tasks(at=AT_TWO.timestamp() + 1))
        assert found_in(database)[0] == []
        for minutes in (15, 16):
            later = AT_TWO + timedelta(minutes=minutes)
            await clock.defer_jobs(clock.get_previous_tasks(at=later.timestamp()))
    assert found_in(database)[0] == [(NIGHTLY, "todo")]


class TestAClockThatJumps:
    @pytest.fixture
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> missed.Clock:
        async def nothing(timestamp: int) -> None: ...

        retry = procrastinate.RetryStrategy(max_attempts=1)
        each_minute = jobs.Job("each minute", nothing, retry, cron="* * * * *")
        monkeypatch.setattr(jobs, "JOBS", {each_minute.name: each_minute})
        return missed.clock_of(jobs.queue())

    def test_queues_each_minute_once(self, clock: missed.Clock):
        seconds = (1, 2, 59, 61, 62, 121)
        queued = [hours_of(clock, AT_TWO + timedelta(seconds=second)) for second in seconds]
        assert queued == [[0], [], [], [60], [], [120]]

    def test_queues_what_came_while_the_machine_slept_once(self, clock: missed.Clock):
        assert hours_of(clock, AT_TWO + timedelta(seconds=1)) == [0]
        assert hours_of(clock, AT_TWO + timedelta(hours=60, seconds=1)) == [60 * 3600]
        assert hours_of(clock, AT_TWO + timedelta(hours=60, seconds=61)) == [60 * 3600 + 60]

    def test_goes_on_at_once_where_it_was_ahead(self, clock: missed.Clock):
        assert hours_of(clock, AT_TWO + timedelta(hours=2, seconds=1)) == [2 * 3600]
        assert hours_of(clock, AT_TWO + timedelta(seconds=1)) == [0]
        assert hours_of(clock, AT_TWO + timedelta(seconds=61)) == [60]


async def test_a_worker_queues_what_has_its_hours(database: str, monkeypatch: pytest.MonkeyPatch):
    async def nothing(timestamp: int) -> None: ...

    retry = procrastinate.RetryStrategy(max_attempts=1)
    monkeypatch.setattr(jobs, "JOBS", {"often": jobs.Job("often", nothing, retry, "* * * * * *")})
    working = asyncio.create_task(jobs.work())
    while not runs_of(database, "often"):
        await asyncio.sleep(0.05)
    async with asyncio.timeout(10):
        while len(runs_of(database, "often")) < 3:
            await asyncio.sleep(0.05)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
