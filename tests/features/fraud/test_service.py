"""What follows from signals by itself: soon, once, with a reason, and nothing that was forgiven."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

import rewards_app.rewards_app  # noqa: F401  offers every job
from rewards_app.core import jobs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON, Kind
from rewards_app.features.ads import days
from rewards_app.features.ads import repository as ads
from rewards_app.features.ads.rules import UnknownView
from rewards_app.features.fraud import detections, measures, service
from rewards_app.features.fraud.jobs import JUDGING
from rewards_app.features.fraud.rules import Consequence
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import ENOUGH_OF_A_RULE, Rule
from tests import steady
from tests.ads import NOON, SECOND, an_ad, finishes, the_actor, the_player
from tests.people import an_account
from tests.queued import a_worker, done
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")
NONE, PAUSED, SUSPENDED = Consequence
JUDGINGS = "select args->>'signal' from procrastinate_jobs order by id"


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


async def noted(
    player: Actor, *rules: Rule, now: datetime = NOON, session: str | None = None
) -> list[UUID]:
    """Signals a second apart, each about a session of its own, unless it is named."""
    for number, rule in enumerate(rules):
        async with transaction() as connection:
            await signals.note(
                connection,
                player.user_id,
                rule,
                now=now + number * SECOND,
                view=session or str(new_id()),
            )
    async with transaction() as connection:
        found = await detections.newest(connection, limit=1000)
    return [one.id for one in reversed(found.shown) if one.account_id == player.user_id]


async def judged(ids: Sequence[UUID]) -> list[Consequence]:
    found = []
    for one in ids:
        async with transaction() as session:
            found.append(await service.judge(session, one, now=NOON + timedelta(minutes=1)))
    return found


async def held(player: Actor) -> dict[Kind, str]:
    async with transaction() as session:
        return await restrictions.in_force(session, player.user_id)


def asked_of(database: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(query).fetchall()  # pyright: ignore


class TestTheQueue:
    async def test_is_asked_from_a_high_risk_on(self, maja: Actor, database: str):
        ids = await noted(maja, Rule.FOREIGN_SESSION, Rule.FOREIGN_SESSION)
        queued = asked_of(database, "select task_name, args->>'signal' from procrastinate_jobs")
        assert queued == [("fraud.judge_from", str(ids[1]))]

    async def test_is_asked_once_until_the_job_has_begun_and_that_judges_all(
        self, maja: Actor, database: str
    ):
        ids = await noted(maja, *[Rule.MADE_UP_SESSION] * 6)
        assert asked_of(database, JUDGINGS) == [(str(ids[3]),)]
        await done(JUDGING)
        acted = "select action_taken from fraud_signals order by created_at, id"
        assert [row[0] for row in asked_of(database, acted)][3:] == [PAUSED, SUSPENDED, NONE]

    @pytest.mark.parametrize("begun", ["status = 'doing'", "attempts = 1"])
    async def test_is_asked_again_for_what_comes_later(
        self, maja: Actor, database: str, begun: LiteralString
    ):
        ids = await noted(maja, *[Rule.FOREIGN_SESSION] * 2)
        with psycopg.connect(database) as connection:
            connection.execute(sql.SQL("update procrastinate_jobs set {}").format(sql.SQL(begun)))
        ids = await noted(maja, *[Rule.FOREIGN_SESSION] * 2, now=NOON + 60 * SECOND)
        assert asked_of(database, JUDGINGS) == [(str(ids[1]),), (str(ids[2]),)]

    async def test_is_asked_for_each_player(self, maja: Actor, database: str):
        await noted(maja, *[Rule.FOREIGN_SESSION] * 3)
        await noted(await the_player("Emil"), *[Rule.FOREIGN_SESSION] * 3)
        assert len(asked_of(database, JUDGINGS)) == 2

    async def test_does_not_begin_before_what_relies_on_it_can_be_seen(
        self, maja: Actor, database: str
    ):
        fetched: LiteralString = "select (procrastinate_fetch_job_v2(null, null)).id"
        await noted(maja, *[Rule.FOREIGN_SESSION] * 2)
        async with transaction() as session:
            await signals.note(session, maja.user_id, Rule.FOREIGN_SESSION, now=NOON)
            assert asked_of(database, fetched) == [(None,)]
        assert asked_of(database, fetched) != [(None,)]

    async def test_has_it_done_at_once_when_what_it_waited_for_can_be_seen(
        self, maja: Actor, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(jobs, "JOBS", {JUDGING.name: JUDGING})
        monkeypatch.setattr(jobs, "SECONDS_BETWEEN_LOOKS", 60.0)
        await noted(maja, *[Rule.FOREIGN_SESSION] * 2)
        async with AsyncExitStack() as stack:
            async with transaction() as session:
                await signals.note(session, maja.user_id, Rule.FOREIGN_SESSION, now=NOON)
                await stack.enter_async_context(a_worker(database))
                # It has looked, and passed over the job.
                await asyncio.sleep(0.5)
                assert await held(maja) == {}
            async with steady.timeout(5):
                while not await held(maja):
                    await asyncio.sleep(0.02)

    async def test_runs_jobs_that_are_on_offer_also_those_of_the_version_before(self):
        assert {signals.JUDGE, "fraud.judge"} <= jobs.JOBS.keys()

    async def test_relies_on_no_worker_that_judges_one_signal_alone(
        self, maja: Actor, database: str
    ):
        """Of the version before: it knows a job of another name, and leaves others to others."""
        await noted(maja, *[Rule.MADE_UP_SESSION] * 4)
        with psycopg.connect(database) as connection:
            connection.execute("update procrastinate_jobs set task_name = 'fraud.judge'")
        await noted(maja, Rule.MADE_UP_SESSION, now=NOON + 60 * SECOND)
        queued = asked_of(database, "select task_name from procrastinate_jobs order by id")
        assert queued == [("fraud.judge",), (signals.JUDGE,)]

    async def test_is_asked_nothing_by_what_was_rolled_back(self, maja: Actor, database: str):
        async def breaks() -> None:
            async with transaction() as session:
                for _ in range(3):
                    await signals.note(session, maja.user_id, Rule.FOREIGN_SESSION, now=NOON)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await breaks()
        assert asked_of(database, "select 1 from procrastinate_jobs") == []
        assert asked_of(database, "select 1 from fraud_days") == []


class TestConsequences:
    async def test_of_a_low_risk_are_none(self, maja: Actor):
        assert await judged(await noted(maja, Rule.FOREIGN_SESSION)) == [NONE]
        assert await held(maja) == {}

    async def test_of_a_high_risk_pause_earning(self, maja: Actor, database: str):
        ids = await noted(maja, *[Rule.IMPOSSIBLE_PACE] * 3)
        assert await judged(ids) == [NONE, NONE, PAUSED]
        assert await held(maja) == {Kind.EARNING_PAUSED: AUTOMATIC_REASON}
        actions = "select action_taken from fraud_signals order by created_at"
        assert [row[0] for row in asked_of(database, actions)] == [NONE, NONE, PAUSED]

    async def test_keep_the_rules_that_they_come_of_and_no_shared_device(
        self, maja: Actor, database: str
    ):
        noticed = [*[Rule.MADE_UP_SESSION] * 5, Rule.CLOCK_MISMATCH, Rule.SHARED_DEVICE]
        ids = await noted(maja, *reversed(noticed))
        assert (await judged(ids))[-3:] == [PAUSED, SUSPENDED, NONE]
        kept = asked_of(database, "select kind, grounds from account_restrictions order by kind")
        grounds = [Rule.MADE_UP_SESSION, Rule.CLOCK_MISMATCH]
        assert kept == [("earning_paused", grounds), ("suspended", grounds)]

    async def test_pass_over_what_a_newer_version_has_noted(self, maja: Actor, database: str):
        ids = await noted(maja, Rule.CLOCK_MISMATCH, *[Rule.IMPOSSIBLE_PACE] * 3)
        with psycopg.connect(database) as connection:
            connection.execute(
                "update fraud_signals set rule = 'of_tomorrow' where rule = 'clock_mismatch'"
            )
        assert await judged(ids) == [NONE, NONE, NONE, PAUSED]

    async def test_of_forged_sessions_suspend(self, maja: Actor, database: str):
        ids = await noted(maja, *[Rule.MADE_UP_SESSION] * 5)
        assert await judged(ids) == [NONE, NONE, NONE, PAUSED, SUSPENDED]
        assert set(await held(maja)) == {Kind.EARNING_PAUSED, Kind.SUSPENDED}
        told = "select alert_type from security_alerts order by created_at, id"
        assert {row[0] for row in asked_of(database, told)} == {
            "earning_paused",
            "account_suspended",
        }
        lines = "select action, origin from audit_entries order by number"
        assert asked_of(database, lines) == [
            ("earning_paused", "automation"),
            ("suspended", "automation"),
        ]

    async def test_of_one_forged_session_are_none_also_when_its_page_asks_again(self, maja: Actor):
        """A page that kept the session of whoever used it before."""
        ids = await noted(maja, *[Rule.FOREIGN_SESSION] * 3, session="the sister's")
        assert await judged(ids) == [NONE] * 3

    async def test_of_one_session_replayed_again_and_again_suspend(self, maja: Actor):
        ids = await noted(maja, *[Rule.REPLAYED_COMPLETION] * 11, session="the same")
        assert (await judged(ids))[-3:] == [PAUSED, NONE, SUSPENDED]

    async def test_of_nine_sessions_that_a_bad_connection_sent_twice_are_none(self, maja: Actor):
        ids = await noted(maja, *[Rule.REPLAYED_COMPLETION] * 9)
        assert await judged(ids) == [NONE] * 9

    async def test_do_not_come_of_a_shared_device(self, maja: Actor):
        ids = await noted(maja, *[Rule.IMPOSSIBLE_PACE] * 2, *[Rule.SHARED_DEVICE] * 5)
        assert await judged(ids) == [NONE] * 7

    @pytest.mark.parametrize("role", [Role.ADMIN, Role.COMPANY])
    async def test_leave_alone_who_earns_nothing(self, role: Role, database: str):
        somebody = the_actor(await an_account("e@example.com", role))
        assert await judged(await noted(somebody, *[Rule.IMPOSSIBLE_PACE] * 4)) == [NONE] * 4

    async def test_are_figures_of_their_day(self, maja: Actor):
        await judged(await noted(maja, *[Rule.MADE_UP_SESSION] * 5))
        async with transaction() as session:
            figures = await detections.figures(session)
        assert (figures.total, figures.high, figures.blocked) == (5, 2, 1)
        assert figures.average == round((25 + 45 + 65 + 85 + 100) / 5)


class TestOnce:
    async def test_does_nothing_a_second_time(self, maja: Actor, database: str):
        ids = await noted(maja, *[Rule.MADE_UP_SESSION] * 5)
        await judged(ids)
        assert await judged(ids) == [NONE] * 5
        assert len(asked_of(database, "select 1 from account_restrictions")) == 2

    async def test_whoever_asks_at_once(self, maja: Actor, database: str):
        ids = await noted(maja, *[Rule.MADE_UP_SESSION] * 6)
        await asyncio.gather(*(judged([one]) for one in ids * 3))
        kinds = asked_of(database, "select kind from account_restrictions")
        # Who is suspended first is not paused any more.
        assert kinds.count(("suspended",)) == 1
        assert kinds.count(("earning_paused",)) <= 1
        assert len(asked_of(database, "select 1 from audit_entries")) == len(kinds)

    async def test_nothing_is_missed_when_signals_come_at_once(self, maja: Actor, database: str):
        """Each adds itself to all that were noted before it."""

        async def one() -> None:
            async with transaction() as session:
                await signals.note(
                    session, maja.user_id, Rule.MADE_UP_SESSION, now=NOON, view=str(new_id())
                )

        await asyncio.gather(*(one() for _ in range(8)))
        risks = asked_of(database, "select risk_score from fraud_signals order by risk_score")
        assert [row[0] for row in risks] == [25, 45, 65, 85, 100, 100, 100, 100]
        [(counted,)] = asked_of(database, "select sum(signals)::int from fraud_days")
        assert counted == 8

    async def test_waits_for_who_starts_an_ad_and_stands_in_nobodys_way(
        self, maja: Actor, database: str
    ):
        """What is noted of an ad that is being started comes after its player was locked."""
        ids = await noted(maja, *[Rule.MADE_UP_SESSION] * 5)
        async with transaction() as session:
            await ads.lock_watcher(session, maja.user_id, days.day_at(days.Calendar(), NOON))
            judging = asyncio.create_task(judged(ids[-1:]))
            await are_waiting(database)
            await signals.note(session, maja.user_id, Rule.PARALLEL_SESSIONS, now=NOON, view="x")
        assert await judging == [SUSPENDED]

    async def test_of_a_signal_that_is_no_more_nothing_follows(self):
        assert await judged([new_id()]) == [NONE]


class TestForgiving:
    async def lift(self, player: Actor, *, now: datetime) -> None:
        linnea = the_actor(await an_account("linnea@example.com", Role.ADMIN, name="Linnea"))
        async with transaction() as session:
            [paused] = await restrictions.open_of(session, player.user_id)
            await measures.resume_earning(session, linnea, paused.id, "A mistake", now=now)

    async def test_what_a_person_lifted_is_not_begun_again_for_the_same(self, maja: Actor):
        await judged(await noted(maja, *[Rule.IMPOSSIBLE_PACE] * 3))
        await self.lift(maja, now=NOON + timedelta(hours=1))
        later = await noted(maja, Rule.CLOCK_MISMATCH, now=NOON + timedelta(hours=2))
        assert await judged(later[-1:]) == [NONE]
        assert await held(maja) == {}

    async def test_what_comes_after_that_is_noted_however_much_came_before(self, maja: Actor):
        before = await noted(maja, *[Rule.IMPOSSIBLE_PACE] * ENOUGH_OF_A_RULE)
        assert await judged(before[-1:]) == [PAUSED]
        await self.lift(maja, now=NOON + timedelta(hours=1))
        again = await noted(maja, *[Rule.IMPOSSIBLE_PACE] * 4, now=NOON + timedelta(hours=2))
        assert len(again) == ENOUGH_OF_A_RULE + 4
        assert (await judged(again[-1:])) == [PAUSED]

    async def test_what_comes_after_that_counts(self, maja: Actor):
        await judged(await noted(maja, *[Rule.IMPOSSIBLE_PACE] * 3))
        await self.lift(maja, now=NOON + timedelta(hours=1))
        again = await noted(maja, *[Rule.IMPOSSIBLE_PACE] * 3, now=NOON + timedelta(hours=2))
        assert (await judged(again[-3:]))[-1] is PAUSED


class TestFromAnAttack:
    async def test_made_up_sessions_suspend_within_the_job(self, maja: Actor):
        await an_ad()
        for number in range(5):
            with pytest.raises(UnknownView):
                await finishes(maja, new_id(), now=NOON + number * SECOND)
        ids = await noted(maja)
        await judged(ids)
        assert Kind.SUSPENDED in await held(maja)


async def plays(
    database: str, player: Actor, gaps: Sequence[float], *, until: datetime = NOON
) -> None:
    """Ads of half a minute, the last of which ends at `until`, with so many seconds between."""
    ad = await an_ad()
    ends, rows = until, []
    for gap in [*reversed(gaps), 0.0]:
        rows.append((new_id(), player.user_id, ad.id, ends - 30 * SECOND, ends, ends, ends))
        ends -= 30 * SECOND + timedelta(seconds=gap)
    with psycopg.connect(database) as connection:
        connection.cursor().executemany(
            "insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds,"
            " reward_coins, expires_at, paused_ms, rewarded_at, ended_at, tab_hash, device_hash,"
            " day, price, holds_place, invalid_reason) values (%s, %s, %s, 'rewarded', %s, 30, 15,"
            " %s, 0, %s, %s, '', '', '2026-03-14', 0, false, '')",
            rows,
        )


@pytest.mark.usefixtures("spoilt_books")
class TestClockwork:
    async def find(self, *, now: datetime = NOON) -> int:
        return await service.find_clockwork(now=now)

    async def test_is_noted_with_what_was_measured(self, maja: Actor, database: str):
        await plays(database, maja, [5.0, 5.05] * 10)
        assert await self.find() == 1
        [(rule, risk, evidence)] = asked_of(
            database, "select rule, risk_score, evidence from fraud_signals"
        )
        assert (rule, risk) == ("clockwork", 40)
        assert evidence == {"gaps": 20, "gap_ms": 5050, "spread_ms": 50}

    async def test_is_noted_once_a_day(self, maja: Actor, database: str):
        await plays(database, maja, [5.0] * 30)
        assert [await self.find(), await self.find(now=NOON + 60 * SECOND)] == [1, 0]

    @pytest.mark.parametrize("hours", [23, 25])
    async def test_is_noted_again_the_next_day_and_pauses(
        self, maja: Actor, database: str, hours: int
    ):
        await plays(database, maja, [5.0] * 30)
        tomorrow = NOON + timedelta(hours=hours)
        await self.find()
        await plays(database, maja, [5.0] * 30, until=tomorrow)
        assert await self.find(now=tomorrow) == 1
        assert (await judged(await noted(maja)))[-1] is PAUSED

    async def test_is_not_noted_again_for_what_was_noted_yesterday(
        self, maja: Actor, database: str
    ):
        before_midnight = datetime.fromisoformat("2026-03-14T22:58:00Z")
        await plays(database, maja, [5.0] * 30, until=before_midnight)
        after = before_midnight + timedelta(minutes=4)
        assert [await self.find(now=before_midnight), await self.find(now=after)] == [1, 0]

    async def test_is_not_noted_twice_in_one_sitting_across_midnight(
        self, maja: Actor, database: str
    ):
        before_midnight = datetime.fromisoformat("2026-03-14T22:55:00Z")
        later = before_midnight + timedelta(minutes=14)
        await plays(database, maja, [5.0] * 25, until=before_midnight)
        assert await self.find(now=before_midnight) == 1
        await plays(database, maja, [5.0] * 23, until=later)
        assert await self.find(now=later) == 0

    async def test_of_the_next_day_takes_twenty_gaps_of_its_own(self, maja: Actor, database: str):
        tomorrow = NOON + timedelta(hours=23)
        await plays(database, maja, [5.0] * 30)
        await self.find()
        await plays(database, maja, [5.0] * 19, until=tomorrow)
        assert await self.find(now=tomorrow) == 0
        await plays(database, maja, [], until=tomorrow + 35 * SECOND)
        assert await self.find(now=tomorrow + 35 * SECOND) == 1

    async def test_is_nobody_who_plays_much_with_a_hand_of_their_own(
        self, maja: Actor, database: str
    ):
        await plays(database, maja, [3.4 + (n * 37 % 23) / 10 for n in range(40)])
        assert await self.find() == 0

    async def test_is_not_looked_for_in_who_played_long_ago(self, maja: Actor, database: str):
        await plays(database, maja, [5.0] * 30)
        assert await self.find(now=NOON + timedelta(hours=2)) == 0

    async def test_is_looked_for_in_so_many_at_most(self, database: str, monkeypatch):
        monkeypatch.setattr(service, "MOST_AT_ONCE", 2)
        for number in range(3):
            await plays(database, await the_player(f"Player {number}"), [5.0] * 25)
        assert await self.find() == 2
