"""Other weights are tried by a process of its own on what happened, and saved only after that."""

import asyncio
import json
import math
import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psutil
import psycopg
import pytest

from rewards_app.core import apart
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.core.notices import CHANNEL
from rewards_app.features.fraud import detections, replay, service, simulations
from rewards_app.features.fraud.measure_rules import ReasonTooShort
from rewards_app.features.fraud.simulations import AnotherRuns, NotSimulated, Simulation, Status
from rewards_app.features.signals import policy
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import (
    DEFAULT,
    NothingChanged,
    Policy,
    Rule,
    Weight,
    WeightsChangedMeanwhile,
)
from tests.ads import SECOND, an_ad, the_actor, the_player
from tests.measures import pauses, resumes
from tests.paying import ask
from tests.people import an_account
from tests.processes import below_us
from tests.review import an_admin

pytestmark = pytest.mark.usefixtures("database", "spoilt_books")
HARSH = DEFAULT.with_weights({Rule.EARLY_COMPLETION: Weight(80, 0)})
MILD = DEFAULT.with_weights({Rule.IMPOSSIBLE_PACE: Weight(1, 1), Rule.CLOCKWORK: Weight(1, 1)})
REASON = "Too many complained"


@pytest.fixture
async def linnea(database: str) -> Actor:
    return await an_admin()


async def noted(player: Actor, rules: Sequence[Rule], *, at: datetime) -> None:
    """As it happened then: each noted, and judged at once."""
    for number, rule in enumerate(rules):
        now = at + number * SECOND
        async with transaction() as session:
            await signals.note(session, player.user_id, rule, now=now, view=str(new_id()))
        async with transaction() as session:
            [last] = (await detections.newest(session, limit=1)).shown
            await service.judge(session, last.id, now=now)


async def watched(database: str, player: Actor, moments: Sequence[datetime]) -> None:
    ad = await an_ad()
    rows = [(new_id(), player.user_id, ad.id, *[at] * 4, at.date()) for at in moments]
    with psycopg.connect(database) as connection:
        connection.cursor().executemany(
            "insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds,"
            " reward_coins, expires_at, paused_ms, rewarded_at, ended_at, tab_hash, device_hash,"
            " day, price, holds_place, invalid_reason) values (%s, %s, %s, 'rewarded', %s, 5, 15,"
            " %s, 0, %s, %s, '', '', %s, 0, false, '')",
            rows,
        )


async def asked(actor: Actor, weights: Policy, *, now: datetime | None = None) -> UUID:
    async with transaction() as session:
        return await simulations.ask(session, actor, weights, now=now or utc_now())


async def seen(actor: Actor, simulation_id: UUID, *, now: datetime | None = None) -> Simulation:
    async with transaction() as session:
        return await simulations.look(session, actor, simulation_id, now=now or utc_now())


async def simulated(actor: Actor, weights: Policy) -> Simulation:
    simulation_id = await asked(actor, weights)
    await simulations.run(simulation_id)
    return await seen(actor, simulation_id)


async def saved(actor: Actor, simulation_id: UUID, *, now: datetime | None = None) -> list[Rule]:
    async with transaction() as session:
        return await simulations.save(session, actor, simulation_id, REASON, now=now or utc_now())


def replayed(database: str, weights: Policy) -> dict[str, Any]:
    """What the process does, in this one."""
    with psycopg.connect(database) as told, psycopg.connect(database) as connection:
        # It has nothing to say: nobody has asked for this one.
        telling = replay.Telling(UUID(int=1), told, told_at=math.inf)
        since = utc_now() - simulations.DAYS
        return replay.go_through(connection, weights, since, telling)[1]


class TestTheAnswer:
    async def test_of_the_weights_in_force_is_what_happened(self, database: str):
        yesterday = utc_now() - timedelta(days=1)
        for number, rules in enumerate(
            (
                [Rule.IMPOSSIBLE_PACE] * 3,
                [Rule.MADE_UP_SESSION] * 6,
                [Rule.CLOCK_MISMATCH] * 40,
                [Rule.SHARED_DEVICE] * 9,
            )
        ):
            await noted(await the_player(f"Player {number}"), rules, at=yesterday)
        answer = replayed(database, DEFAULT)
        assert answer["rows"] == []
        assert answer["counts"]["same"] == 2
        assert answer["counts"]["earning_paused"] == 1
        assert answer["counts"]["account_suspended"] == 1

    async def test_names_who_would_be_hit_and_what_they_had(self, linnea: Actor, database: str):
        maja, then = await the_player("Maja"), utc_now() - timedelta(days=2)
        await noted(maja, [Rule.EARLY_COMPLETION], at=then)
        await watched(database, maja, [then - timedelta(hours=1), then + timedelta(hours=1)])
        await watched(database, await the_player("Emil"), [then])
        found = await simulated(linnea, HARSH)
        assert (found.status, found.views) == (Status.DONE, 3)
        assert (found.result["views"], found.result["coins"]) == (3, 45)
        assert found.result["rows"] == [
            {
                "id": str(maja.user_id),
                "name": "Maja",
                "change": "newly",
                "before": "none",
                "after": "earning_paused",
                "at": then.isoformat(),
                "risk": 80,
                "patterns": ["early_completion"],
                "views": 2,
                "coins": 30,
                "later_views": 1,
                "later_coins": 15,
            }
        ]

    async def test_is_forgotten_after_a_week_whether_anybody_asks_again_or_not(
        self, linnea: Actor, database: str
    ):
        now = utc_now()
        for ago in (timedelta(days=8), timedelta(days=6)):
            simulation_id = await asked(linnea, HARSH, now=now - ago)
            async with transaction() as session:
                await simulations.cancel(session, linnea, simulation_id)
        async with transaction() as session:
            assert await simulations.forget_old(session, now=now) == 1
        assert ask(database, "select id from fraud_simulations") == [(simulation_id,)]

    async def test_names_nobody_whom_a_person_had_stopped(self, linnea: Actor, database: str):
        now = utc_now()
        maja, emil = await the_player("Maja"), await the_player("Emil")
        await pauses(linnea, maja.user_id, now=now - timedelta(days=7))
        paused = await pauses(linnea, emil.user_id, now=now - timedelta(days=60))
        assert paused
        await noted(maja, [Rule.IMPOSSIBLE_PACE] * 3, at=now - timedelta(days=2))
        await noted(emil, [Rule.EARLY_COMPLETION], at=now - timedelta(days=4))
        await resumes(linnea, paused, now=now - timedelta(days=3))
        await noted(emil, [Rule.EARLY_COMPLETION], at=now - timedelta(days=2))
        assert replayed(database, DEFAULT)["rows"] == []
        [row] = replayed(database, HARSH)["rows"]
        assert (row["name"], row["change"]) == ("Emil", "newly")
        assert row["at"] == (now - timedelta(days=2)).isoformat()

    async def test_names_nobody_whom_automation_had_stopped_before(self, database: str):
        maja, now = await the_player("Maja"), utc_now()
        await noted(maja, [Rule.IMPOSSIBLE_PACE] * 3, at=now - timedelta(days=40))
        await noted(maja, [Rule.IMPOSSIBLE_PACE] * 3, at=now - timedelta(days=2))
        for weights in (DEFAULT, HARSH):
            assert replayed(database, weights)["rows"] == []

    async def test_names_who_would_be_hit_no_longer(self, linnea: Actor):
        maja, then = await the_player("Maja"), utc_now() - timedelta(days=2)
        await noted(maja, [Rule.IMPOSSIBLE_PACE] * 3, at=then)
        [row] = (await simulated(linnea, MILD)).result["rows"]
        assert (row["name"], row["change"]) == ("Maja", "no_longer")
        assert (row["before"], row["after"]) == ("earning_paused", "none")

    async def test_knows_nothing_of_what_is_older_than_thirty_days(self, linnea: Actor, database):
        maja, then = await the_player("Maja"), utc_now() - timedelta(days=32)
        await noted(maja, [Rule.EARLY_COMPLETION], at=then)
        await watched(database, maja, [then])
        found = await simulated(linnea, HARSH)
        assert (found.views, found.result["rows"]) == (0, [])

    async def test_changes_nothing(self, linnea: Actor, database: str):
        await noted(await the_player(), [Rule.EARLY_COMPLETION], at=utc_now())
        await simulated(linnea, HARSH)
        with psycopg.connect(database) as connection:
            for table in ("account_restrictions", "audit_entries", "fraud_weights"):
                count = connection.execute(f"select count(*) from {table}").fetchone()
                assert count == (0,)

    async def test_passes_over_signals_of_rules_that_are_no_more(self, linnea: Actor, database):
        maja = await the_player()
        await noted(maja, [Rule.EARLY_COMPLETION], at=utc_now())
        with psycopg.connect(database) as connection:
            connection.execute("update fraud_signals set rule = 'of_yore'")
        assert (await simulated(linnea, HARSH)).result["rows"] == []


class TestAsking:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_is_for_admins(self, role: Role):
        somebody = the_actor(await an_account("e@example.com", role))
        with pytest.raises(NotAllowed):
            await asked(somebody, HARSH)

    async def test_for_the_weights_in_force_is_refused(self, linnea: Actor):
        with pytest.raises(NothingChanged):
            await asked(linnea, DEFAULT)

    async def test_is_one_at_a_time(self, linnea: Actor):
        done = await asyncio.gather(
            *(asked(linnea, HARSH) for _ in range(8)), return_exceptions=True
        )
        assert sum(isinstance(one, AnotherRuns) for one in done) == 7

    async def test_does_not_wait_for_one_whose_machine_died(self, linnea: Actor):
        dead = await asked(linnea, HARSH, now=utc_now() - timedelta(minutes=5))
        assert (await seen(linnea, dead)).status is Status.FAILED
        assert await asked(linnea, HARSH)
        assert (await seen(linnea, dead)).status is Status.FAILED

    async def test_again_follows_when_the_first_has_ended(self, linnea: Actor):
        await simulated(linnea, HARSH)
        assert await asked(linnea, MILD)

    async def test_shows_nobody_elses(self, linnea: Actor):
        emil = the_actor(await an_account("emil@example.com", Role.ADMIN, name="Emil"))
        asked_by_linnea = await asked(linnea, HARSH)
        with pytest.raises(NotSimulated):
            await seen(emil, asked_by_linnea)
        async with transaction() as session:
            with pytest.raises(NotSimulated):
                await simulations.cancel(session, emil, asked_by_linnea)


class TestEnding:
    async def cancel(self, actor: Actor, simulation_id: UUID) -> bool:
        async with transaction() as session:
            return await simulations.cancel(session, actor, simulation_id)

    async def test_by_cancelling_keeps_no_answer(self, linnea: Actor):
        simulation_id = await asked(linnea, HARSH)
        assert await self.cancel(linnea, simulation_id)
        await simulations.run(simulation_id)
        assert (await seen(linnea, simulation_id)).status is Status.CANCELLED
        assert not await self.cancel(linnea, simulation_id)

    async def test_of_a_process_that_breaks_is_a_failure(self, linnea: Actor, monkeypatch):
        simulation_id = await asked(linnea, HARSH)
        monkeypatch.setattr(simulations, "PROGRAM", "rewards_app.no_such_program")
        await simulations.run(simulation_id)
        assert (await seen(linnea, simulation_id)).status is Status.FAILED

    async def test_of_a_task_ends_its_process(self, linnea: Actor, database: str):
        simulation_id = await asked(linnea, HARSH)
        with psycopg.connect(database) as holding:
            holding.execute("select 1 from fraud_simulations for update")
            task = asyncio.create_task(simulations.run(simulation_id))
            while not (begun := ours(simulation_id)):
                await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not any(process.is_running() for process in begun)


def ours(simulation_id: UUID) -> list[psutil.Process]:
    """Those that work on the simulation."""
    return below_us(str(simulation_id))


WAITING = """select 1 from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock'"""


class TestTheProcess:
    async def test_inherits_no_secret(
        self, linnea: Actor, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        """It is handed the address of the database, on its standard input."""
        monkeypatch.setenv("SMTP_PASSWORD", "not for it")
        simulation_id = await asked(linnea, HARSH)
        with psycopg.connect(database) as holding:
            holding.execute("select 1 from fraud_simulations for update")
            running = asyncio.create_task(simulations.run(simulation_id))
            while not ask(database, WAITING):
                await asyncio.sleep(0.02)
            inherited = ours(simulation_id)[0].environ()
        await running
        assert "PATH" in inherited
        of_ours = {name for name in inherited if not name.startswith(apart.OF_THE_DRIVER)}
        assert of_ours <= apart.INHERITED
        assert (await seen(linnea, simulation_id)).status is Status.DONE

    async def start(self, simulation_id: UUID, url: str) -> asyncio.subprocess.Process:
        """A worker between us and it, which can be killed."""
        worker = (
            "import subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-m', sys.argv[1], sys.argv[2]],"
            " stdin=subprocess.PIPE)\n"
            "child.stdin.write(sys.argv[3].encode() + b'\\n')\n"
            "child.stdin.flush()\n"
            "print(child.pid, flush=True)\n"
            "time.sleep(600)\n"
        )
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", worker, simulations.PROGRAM, str(simulation_id), url),
            stdout=asyncio.subprocess.PIPE,
            env=apart.environment(),
        )

    async def test_dies_with_its_worker_even_when_that_is_killed(self, linnea: Actor, database):
        simulation_id = await asked(linnea, HARSH)
        with psycopg.connect(database) as holding:
            # It waits for as long as somebody holds the row that it tells its progress in.
            holding.execute("select 1 from fraud_simulations for update")
            worker = await self.start(simulation_id, database)
            assert worker.stdout
            process = psutil.Process(int(await worker.stdout.readline()))
            while not ask(database, WAITING):
                await asyncio.sleep(0.02)
            worker.send_signal(signal.SIGKILL)
            await worker.wait()
            await asyncio.to_thread(psutil.wait_procs, [process], 30)
            assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


class TestBeforeAnyViewIsRead:
    """Reading the signals of a month may take longer than whoever is silent is waited for."""

    @pytest.fixture(autouse=True)
    async def many_signals(self, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Three chunks of them, and not one view."""
        monkeypatch.setattr(replay, "ROWS_AT_ONCE", 2)
        monkeypatch.setattr(replay, "SECONDS_BETWEEN_WORDS", 0)
        await noted(await the_player(), [Rule.CLOCK_MISMATCH] * 5, at=utc_now())

    def go_through(self, database: str, simulation_id: UUID) -> dict[str, Any]:
        """As the process does, without its first and its last words."""
        with (
            psycopg.connect(database, autocommit=True) as told,
            psycopg.connect(database) as reading,
        ):
            telling = replay.Telling(simulation_id, told)
            return replay.go_through(reading, HARSH, utc_now() - simulations.DAYS, telling)[1]

    async def test_it_is_heard_of(self, linnea: Actor, database: str):
        silent = await asked(linnea, HARSH, now=utc_now() - timedelta(minutes=5))
        assert (await seen(linnea, silent)).status is Status.FAILED
        with psycopg.connect(database, autocommit=True) as listening:
            listening.execute(f"listen {CHANNEL}")
            self.go_through(database, silent)
            heard = list(listening.notifies(timeout=10, stop_after=3))
        assert {json.loads(one.payload)["key"] for one in heard} == {str(silent)}
        assert len(heard) == 3
        assert (await seen(linnea, silent)).status is Status.RUNNING

    async def test_it_hears_that_it_was_cancelled(self, linnea: Actor, database: str):
        simulation_id = await asked(linnea, HARSH)
        async with transaction() as session:
            await simulations.cancel(session, linnea, simulation_id)
        with pytest.raises(replay.Cancelled):
            self.go_through(database, simulation_id)


class TestSaving:
    async def test_saves_exactly_what_was_tried(self, linnea: Actor):
        found = await simulated(linnea, HARSH)
        assert await saved(linnea, found.id) == [Rule.EARLY_COMPLETION]
        async with transaction() as session:
            assert await policy.current(session) == HARSH

    async def test_is_refused_before_the_answer_was_there(self, linnea: Actor):
        running = await asked(linnea, HARSH)
        with pytest.raises(NotSimulated):
            await saved(linnea, running)

    async def test_is_refused_when_it_was_cancelled(self, linnea: Actor):
        running = await asked(linnea, HARSH)
        async with transaction() as session:
            await simulations.cancel(session, linnea, running)
        with pytest.raises(NotSimulated):
            await saved(linnea, running)

    async def test_is_refused_an_hour_later(self, linnea: Actor):
        found = await simulated(linnea, HARSH)
        with pytest.raises(NotSimulated):
            await saved(linnea, found.id, now=found.asked_at + timedelta(hours=1, seconds=1))

    async def test_is_refused_for_what_nobody_tried(self, linnea: Actor):
        with pytest.raises(NotSimulated):
            await saved(linnea, new_id())

    async def test_is_refused_when_somebody_changed_the_weights_meanwhile(self, linnea: Actor):
        first, second = await simulated(linnea, HARSH), await simulated(linnea, MILD)
        await saved(linnea, first.id)
        with pytest.raises(WeightsChangedMeanwhile):
            await saved(linnea, second.id)

    async def test_needs_a_reason(self, linnea: Actor):
        found = await simulated(linnea, HARSH)
        async with transaction() as session:
            with pytest.raises(ReasonTooShort):
                await simulations.save(session, linnea, found.id, " ", now=utc_now())


class TestItsProgram:
    def test_is_at_hand_quickly(self):
        code = "import rewards_app.features.fraud.replay, sys; print('sqlalchemy' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout == "False\n", done.stderr
