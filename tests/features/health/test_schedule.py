"""The schedule shows every job that runs by itself, in words, with what it did."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

import rewards_app.rewards_app  # noqa: F401  (offers every job)
from rewards_app.core import jobs
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.health import schedule
from rewards_app.features.health.schedule import RUNS, Scheduled
from rewards_app.features.health.schedule_rules import DID, Rhythm, State, hours_of
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
DAY = timedelta(days=1)
BY_THE_CLOCK = sorted(name for name, job in jobs.JOBS.items() if job.cron)
NIGHTLY = "coins.check_ledger"


class TestWords:
    @pytest.mark.parametrize("name", BY_THE_CLOCK)
    def test_every_job_has_them_and_its_hours_too(self, name: str):
        assert hours_of(jobs.JOBS[name].cron or "")
        for language in CODES:
            assert catalogues.interface(language)[f"schedule.jobs.{name}"]

    @pytest.mark.parametrize("language", CODES)
    def test_say_what_runs_count_and_how_jobs_are(self, language: str):
        said = catalogues.interface(language)
        assert [one for one in DID if f"schedule.did.{one}" not in said] == []
        assert [one for one in State if f"schedule.states.{one}" not in said] == []
        rhythms = [one for one in Rhythm if one is not Rhythm.MINUTES]
        assert [one for one in rhythms if f"schedule.every.{one}" not in said] == []

    @pytest.mark.parametrize("name", BY_THE_CLOCK)
    async def test_are_there_for_all_that_a_job_counts(self, database: str, name: str):
        assert set(await jobs.JOBS[name].run(timestamp=0) or {}) <= DID


def test_no_words_are_left_of_a_job_that_is_gone():
    said = {
        key.removeprefix("schedule.jobs.")
        for key in catalogues.interface("en")
        if key.startswith("schedule.jobs.")
    }
    assert said == set(BY_THE_CLOCK)


def a_run(
    database: str, ago: timedelta, *, error: str = "", did: str = "{}", has_ended: bool = True
) -> None:
    began = NOON - ago
    ended = began + timedelta(seconds=2) if has_ended else None
    with psycopg.connect(database) as connection:
        connection.execute(
            "insert into job_runs (id, job, started_at, ended_at, error, did)"
            " values (%s, %s, %s, %s, %s, %s::jsonb)",
            (new_id(), NIGHTLY, began, ended, error, did),
        )


async def the_nightly_job() -> Scheduled:
    async with transaction() as session:
        found = await schedule.of_now(session, now=NOON)
    return next(job for job in found if job.name == NIGHTLY)


class TestTheSchedule:
    @pytest.fixture(autouse=True)
    def _has_just_begun(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What should have run since this program began would be late."""
        monkeypatch.setattr(schedule, "seconds_since", lambda _moment: 0.0)

    async def test_names_every_job(self, database: str):
        async with transaction() as session:
            found = await schedule.of_now(session, now=NOON)
        assert sorted(job.name for job in found) == BY_THE_CLOCK
        assert {job.state for job in found} == {State.NEW}

    async def test_tells_the_last_run_and_the_next(self, database: str):
        a_run(database, 2 * DAY, did='{"checked": 5}')
        a_run(database, DAY, did='{"checked": 7, "wrong": 0}')
        job = await the_nightly_job()
        assert job.last
        assert job.last.started_at == NOON - DAY
        assert job.last.ended_at == NOON - DAY + timedelta(seconds=2)
        assert job.did == {"checked": 7, "wrong": 0}
        assert job.next_at == datetime(2026, 3, 15, 3, 17, tzinfo=UTC)
        assert (job.state, job.failing_since) == (State.FINE, None)

    async def test_tells_since_when_a_job_fails_and_puts_it_first(self, database: str):
        a_run(database, 5 * DAY, error="OldError")
        a_run(database, 4 * DAY)
        a_run(database, 3 * DAY, error="KeyError")
        a_run(database, DAY, error="ValueError")
        job = await the_nightly_job()
        assert (job.state, job.failing_since) == (State.FAILED, NOON - 3 * DAY)
        async with transaction() as session:
            assert (await schedule.of_now(session, now=NOON))[0].name == NIGHTLY

    async def test_tells_what_a_failing_job_met_though_it_runs_again(self, database: str):
        a_run(database, 5 * DAY, error="OldError")
        a_run(database, 4 * DAY)
        a_run(database, 3 * DAY, error="KeyError")
        a_run(database, 2 * DAY, error="ValueError")
        a_run(database, timedelta(minutes=1), has_ended=False)
        job = await the_nightly_job()
        assert job.state is State.RUNNING
        assert (job.error, job.failing_since) == ("ValueError", NOON - 3 * DAY)

    async def test_tells_nothing_of_what_a_job_met_before_it_went_well(self, database: str):
        a_run(database, 2 * DAY, error="OldError")
        a_run(database, DAY)
        assert (await the_nightly_job()).error == ""

    @pytest.mark.parametrize(("heard_ago", "state"), [(20, State.RUNNING), (40, State.BROKEN_OFF)])
    async def test_tells_a_long_proof_that_goes_on_from_one_whose_worker_died(
        self, database: str, heard_ago: int, state: State
    ):
        a_run(database, timedelta(hours=5), has_ended=False)
        with psycopg.connect(database) as connection:
            connection.execute(
                "with worker as (insert into procrastinate_workers (last_heartbeat) values (%s)"
                " returning id) insert into procrastinate_jobs"
                " (queue_name, task_name, status, worker_id, args)"
                " select 'default', %s, 'doing', worker.id, '{}' from worker",
                (NOON - timedelta(seconds=heard_ago), NIGHTLY),
            )
        assert (await the_nightly_job()).state is state

    async def test_reads_few_of_many_runs(self, database: str):
        with psycopg.connect(database) as connection:
            connection.execute(
                "insert into job_runs (id, job, started_at, ended_at, error, did)"
                " select gen_random_uuid(), %s, %s::timestamptz - n * interval '1 minute',"
                " %s, '', '{}' from generate_series(1, 50000) n",
                (NIGHTLY, NOON, NOON),
            )
            connection.execute("analyze job_runs")
            asked = {"names": [NIGHTLY], "heard": NOON}
            plan: Any = connection.execute(f"explain {RUNS}", asked).fetchall()
        assert "Seq Scan on job_runs" not in str(plan)
        assert "ix_job_runs_job_started_at" in str(plan)
