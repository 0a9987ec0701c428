"""Of several workers one fetches a new job, at once, and none is forgotten."""

import asyncio
import json
from typing import LiteralString

import procrastinate
import psycopg
import pytest

from rewards_app.core import jobs
from rewards_app.core.queue import fetching, turns
from rewards_app.core.queue.turns import Turn
from tests import steady
from tests.queued import LISTENING, a_worker

BY_ITSELF = "by itself"

# It has looked, and says what it saw once it is let go on.
SLOW_TO_ANSWER: LiteralString = """
alter function procrastinate_fetch_job_v2 rename to looked_for;
create function procrastinate_fetch_job_v2(target_queue_names varchar[], p_worker_id bigint)
    returns procrastinate_jobs language plpgsql as $$
declare
    found procrastinate_jobs;
begin
    found := looked_for(target_queue_names, p_worker_id);
    perform pg_advisory_xact_lock_shared(1);
    return found;
end $$;
"""
HAS_LOOKED: LiteralString = (
    "select 1 from pg_stat_activity where wait_event = 'advisory' and datname = current_database()"
)


def notice(job: int, kind: str = "job_inserted") -> str:
    return json.dumps({"type": kind, "job_id": job})


@pytest.fixture
def the_second_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_turn", Turn(1, 2))


class TestANotice:
    def test_is_for_one_worker_alone(self):
        assert all(fetching.is_ours(notice(job)) for job in range(4))

    @pytest.mark.usefixtures("the_second_of_two")
    def test_of_a_new_job_is_for_one_of_two(self):
        assert [fetching.is_ours(notice(job)) for job in (6, 7)] == [False, True]

    @pytest.mark.usefixtures("the_second_of_two")
    def test_of_what_ends_a_job_is_for_all(self):
        assert fetching.is_ours(notice(6, "abort_job_requested"))


class TestANewJob:
    @pytest.fixture
    def done(self, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
        is_done = asyncio.Event()

        async def note() -> None:
            is_done.set()

        retry = procrastinate.RetryStrategy(max_attempts=1)
        monkeypatch.setattr(jobs, "JOBS", {BY_ITSELF: jobs.Job(BY_ITSELF, note, retry)})
        monkeypatch.setattr(jobs, "SECONDS_BETWEEN_LOOKS", 60.0)
        return is_done

    @pytest.mark.usefixtures("the_second_of_two")
    @pytest.mark.parametrize(
        ("job", "seconds_between_looks"), [(7, 60.0), (6, 0.5)], ids=["at once", "at the next look"]
    )
    async def test_is_fetched_even_if_another_does_not_fetch_it(
        self,
        database: str,
        done: asyncio.Event,
        monkeypatch: pytest.MonkeyPatch,
        job: int,
        seconds_between_looks: float,
    ):
        monkeypatch.setattr(jobs, "SECONDS_BETWEEN_LOOKS", seconds_between_looks)
        with psycopg.connect(database) as connection:
            connection.execute(f"alter sequence procrastinate_jobs_id_seq restart with {job}")
        async with a_worker(database):
            await queue_one()
            async with steady.timeout(5):
                await done.wait()

    async def test_that_is_heard_of_before_an_older_answer_is_looked_for_again(
        self, database: str, done: asyncio.Event
    ):
        with psycopg.connect(database) as connection:
            connection.execute(SLOW_TO_ANSWER)
            connection.commit()
            connection.execute("select pg_advisory_lock(1)")
            connection.commit()
            async with a_worker(database, until=f"{LISTENING} and exists ({HAS_LOOKED})"):
                await queue_one()
                # It has heard of that.
                await asyncio.sleep(0.5)
                connection.execute("select pg_advisory_unlock(1)")
                async with steady.timeout(5):
                    await done.wait()


async def queue_one() -> None:
    async with (queue := jobs.queue()).open_async():
        await queue.configure_task(BY_ITSELF).defer_async()
