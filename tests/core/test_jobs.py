"""What runs by itself: the queue knows when, and runs it for real."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import procrastinate
import psycopg
import pytest

import rewards_app.rewards_app  # noqa: F401  (offers every job)
from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.jobs import Urgency
from rewards_app.features.coins import service
from rewards_app.features.coins.rules import Kind
from tests.ads import the_player
from tests.ledger import spoil
from tests.queued import work_off
from tests.servers import OwnServer

NIGHTLY = "coins.check_ledger"


async def run_what_is_queued(queue: procrastinate.App) -> None:
    await work_off(queue, listen_notify=False)


async def run_nightly_check() -> None:
    queue = jobs.queue()
    async with queue.open_async():
        await queue.configure_task(NIGHTLY).defer_async(timestamp=int(utc_now().timestamp()))
        await run_what_is_queued(queue)


def found_in(database: str) -> tuple[list[tuple[str, str]], list[tuple[str]]]:
    """How the nightly jobs of the queue ended, and the alerts that they raised."""
    with psycopg.connect(database) as connection:
        ended = connection.execute(
            "select task_name, status::text from procrastinate_jobs where task_name = %s"
            " order by id",
            (NIGHTLY,),
        ).fetchall()
        alerts = connection.execute("select alert_type from security_alerts").fetchall()
    return ended, alerts


@pytest.mark.usefixtures("database")
class TestJobsByTheClock:
    def test_are_known_to_the_queue_with_their_hours(self):
        periodic = jobs.queue().periodic_registry.periodic_tasks.values()
        assert {(one.task.name, one.cron) for one in periodic} == {
            (job.name, job.cron) for job in jobs.JOBS.values() if job.cron
        }

    def test_check_the_ledger_every_night(self):
        assert jobs.JOBS[NIGHTLY].cron == "17 3 * * *"


class TestTheNightlyCheck:
    async def test_finds_nothing_in_an_honest_ledger(self, database: str):
        maja = await the_player("Maja")
        async with transaction() as session:
            await service.credit(session, maja.user_id, 15, Kind.WELCOME, "gift", now=utc_now())
        await run_nightly_check()
        assert found_in(database) == ([(NIGHTLY, "succeeded")], [])

    @pytest.mark.usefixtures("spoilt_books")
    async def test_raises_an_alert_for_what_was_changed_behind_its_back(self, database: str):
        maja = await the_player("Maja")
        async with transaction() as session:
            await service.credit(session, maja.user_id, 15, Kind.WELCOME, "gift", now=utc_now())
        spoil(database, "update coin_balances set balance = 1000000")
        await run_nightly_check()
        assert found_in(database) == ([(NIGHTLY, "succeeded")], [("ledger_difference",)])


def runs_of(database: str, job: str) -> list[tuple[bool, str, dict[str, int]]]:
    """Whether each run has ended, how it failed and what it did."""
    with psycopg.connect(database) as connection:
        return connection.execute(
            "select ended_at >= started_at, error, did from job_runs where job = %s"
            " order by started_at",
            (job,),
        ).fetchall()


class CoinsAreAway(Exception):
    pass


def a_nightly_job(monkeypatch: pytest.MonkeyPatch, run: Callable[..., Awaitable[Any]]) -> None:
    retry = procrastinate.RetryStrategy(max_attempts=1)
    monkeypatch.setitem(jobs.JOBS, NIGHTLY, jobs.Job(NIGHTLY, run, retry, cron="17 3 * * *"))


class TestRunsByTheClock:
    async def test_are_written_down_with_what_they_did(self, database: str, monkeypatch):
        async def count(timestamp: int) -> jobs.Counts:
            return {"checked": 3}

        a_nightly_job(monkeypatch, count)
        await run_nightly_check()
        assert runs_of(database, NIGHTLY) == [(True, "", {"checked": 3})]

    async def test_that_fail_are_written_down_without_what_they_failed_at(
        self, database: str, monkeypatch
    ):
        async def fail(timestamp: int) -> None:
            raise CoinsAreAway("maja@example.com")

        a_nightly_job(monkeypatch, fail)
        await run_nightly_check()
        # It is tried once more.
        assert runs_of(database, NIGHTLY) == [(True, "CoinsAreAway", {})] * 2
        assert found_in(database)[0] == [(NIGHTLY, "failed")]

    async def test_are_done_where_they_cannot_be_written_down(self, database: str, monkeypatch):
        done: list[int] = []

        async def note(timestamp: int) -> None:
            done.append(timestamp)

        a_nightly_job(monkeypatch, note)
        with psycopg.connect(database) as connection:
            connection.execute("alter table job_runs rename to lost_runs")
        await run_nightly_check()
        assert len(done) == 1
        assert found_in(database)[0] == [(NIGHTLY, "succeeded")]


async def test_what_a_newer_version_queued_is_left_to_it(
    database: str, monkeypatch: pytest.MonkeyPatch
):
    done: list[str] = []

    async def write_to(whom: str) -> None:
        done.append(whom)

    new = jobs.Job("of the next version", write_to, procrastinate.RetryStrategy(max_attempts=1))
    monkeypatch.setattr(jobs, "JOBS", {})
    async with transaction() as session:
        await jobs.later(session, new.name, whom="Maja")
    async with (old_worker := jobs.queue()).open_async():
        await run_what_is_queued(old_worker)
    with psycopg.connect(database) as connection:
        [left] = connection.execute(
            "select status::text, attempts, scheduled_at > now() from procrastinate_jobs"
        )
        connection.execute("update procrastinate_jobs set scheduled_at = now()")
    assert left == ("todo", 1, True)
    monkeypatch.setattr(jobs, "JOBS", {new.name: new})
    async with (new_worker := jobs.queue()).open_async():
        await run_what_is_queued(new_worker)
    assert done == ["Maja"]


class TestUrgency:
    async def test_lets_no_letter_keep_work_waiting(self, database: str, monkeypatch):
        """Of each kind the oldest first."""
        begun: list[str] = []

        async def note(which: str) -> None:
            begun.append(which)

        by_itself = jobs.Job("by itself", note, procrastinate.RetryStrategy(max_attempts=1))
        monkeypatch.setattr(jobs, "JOBS", {by_itself.name: by_itself})
        wanted = [*(urgency for urgency in reversed(Urgency)), *Urgency]
        async with transaction() as session:
            for place, urgency in enumerate(wanted):
                which = f"{urgency.name} {place}"
                await jobs.later(session, by_itself.name, urgency=urgency, which=which)
        queue = jobs.queue()
        async with queue.open_async():
            await run_what_is_queued(queue)
        assert begun == [
            *("WORK 2", "WORK 3", "LETTER 1", "LETTER 4"),
            *("LETTER_TO_MANY 0", "LETTER_TO_MANY 5"),
        ]


class TestDroppedJobs:
    async def test_of_a_worker_that_died_are_done_by_another(self, database: str):
        queue = jobs.queue()
        async with queue.open_async():
            await queue.configure_task(NIGHTLY).defer_async(timestamp=0)
            with psycopg.connect(database) as connection:
                connection.execute("update procrastinate_jobs set status = 'doing'")
            await run_what_is_queued(queue)
            assert found_in(database)[0] == [(NIGHTLY, "doing")]
            assert await jobs.take_up_dropped_jobs(queue) == 1
            await run_what_is_queued(queue)
        assert found_in(database)[0] == [(NIGHTLY, "succeeded")]

    async def test_are_left_alone_while_their_worker_lives(self, database: str):
        queue = jobs.queue()
        async with queue.open_async():
            await queue.configure_task(NIGHTLY).defer_async(timestamp=0)
            with psycopg.connect(database) as connection:
                connection.execute(
                    "with worker as (insert into procrastinate_workers (last_heartbeat)"
                    " values (now()) returning id) update procrastinate_jobs"
                    " set status = 'doing', worker_id = worker.id from worker"
                )
            assert await jobs.take_up_dropped_jobs(queue) == 0

    async def test_that_somebody_is_taking_up_are_left_to_them(self, database: str):
        queue = jobs.queue()
        async with queue.open_async():
            await queue.configure_task(NIGHTLY).defer_async(timestamp=0)
            with psycopg.connect(database) as connection:
                connection.execute("update procrastinate_jobs set status = 'doing'")
                connection.commit()
                # Another one has taken it up, and does it.
                connection.execute(
                    "with worker as (insert into procrastinate_workers (last_heartbeat)"
                    " values (now()) returning id) update procrastinate_jobs"
                    " set attempts = 1, worker_id = worker.id from worker"
                )
                taking_up = asyncio.create_task(jobs.take_up_dropped_jobs(queue))
                await asyncio.wait([taking_up], timeout=1)
                connection.commit()
            assert await taking_up == 0
        assert found_in(database)[0] == [(NIGHTLY, "doing")]


class TestAfterPostgresWasAway:
    async def test_whoever_is_well_has_time_to_say_so(
        self, own_server: OwnServer, monkeypatch: pytest.MonkeyPatch
    ):
        """Another worker is in the middle of a job, and could not tell that it lives."""
        monkeypatch.setattr(jobs, "SECONDS_UNTIL_SILENT", 5.0)
        monkeypatch.setattr(jobs, "SECONDS_BETWEEN_LOOKS", 0.2)
        monkeypatch.setattr(jobs, "SECONDS_TO_ANSWER", 0.5)
        with psycopg.connect(own_server.url) as connection:
            # What the tests before left to be done.
            connection.execute("delete from procrastinate_jobs")
        async with (queue := jobs.queue()).open_async():
            await queue.configure_task(NIGHTLY).defer_async(timestamp=0)
            looking = asyncio.create_task(jobs._take_up_what_was_dropped(queue))
            with own_server.away():
                await asyncio.sleep(1)
            with psycopg.connect(own_server.url, autocommit=True) as connection:
                connection.execute(IN_HAND_OF_ONE_LAST_HEARD_OF_A_MINUTE_AGO)
                await asyncio.sleep(1)
                for _look in range(25):
                    connection.execute("update procrastinate_workers set last_heartbeat = now()")
                    await asyncio.sleep(0.2)
                    assert states_of(connection) == ["doing"]
                async with asyncio.timeout(20):
                    while states_of(connection) != ["todo"]:
                        await asyncio.sleep(0.1)
                connection.execute("delete from procrastinate_jobs")
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    async def test_a_worker_that_begins_strikes_nobody_off_who_may_be_well(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(jobs, "JOBS", {})
        async with (queue := jobs.queue()).open_async():
            await queue.configure_task(jobs.UNKNOWN).defer_async()
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute(IN_HAND_OF_ONE_LAST_HEARD_OF_A_MINUTE_AGO)
                before = connection.execute(IN_WHOSE_HAND).fetchall()
                working = asyncio.create_task(jobs._work_off(queue))
                async with asyncio.timeout(10):
                    while len(connection.execute(WORKERS).fetchall()) < 2:
                        await asyncio.sleep(0.05)
                working.cancel()
                await asyncio.gather(working, return_exceptions=True)
                assert connection.execute(IN_WHOSE_HAND).fetchall() == before


IN_HAND_OF_ONE_LAST_HEARD_OF_A_MINUTE_AGO = """
with worker as (
    insert into procrastinate_workers (last_heartbeat) values (now() - interval '1 minute')
    returning id
)
update procrastinate_jobs set status = 'doing', worker_id = worker.id from worker
"""
WORKERS = "select from procrastinate_workers"
IN_WHOSE_HAND = "select worker_id from procrastinate_jobs where status = 'doing'"


def states_of(connection: psycopg.Connection) -> list[str]:
    found = connection.execute("select status::text from procrastinate_jobs").fetchall()
    return [state for (state,) in found]
