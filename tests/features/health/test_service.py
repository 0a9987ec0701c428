"""What is measured is what there is; a database that is away is told as that, and comes back."""

import asyncio
from datetime import timedelta
from typing import LiteralString

import psycopg
import pytest

from rewards_app import schedule
from rewards_app.core import jobs, mail
from rewards_app.core.database import rows, transaction, write
from rewards_app.core.ids import new_id
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.features.ads import jobs as ads_jobs
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import invoices
from rewards_app.features.health import probes, service
from rewards_app.features.health.figures import SharedHealth
from rewards_app.features.health.rules import Level
from rewards_app.features.health.service import Health
from rewards_app.features.shop import letters
from tests.ads import NOON, an_ad, the_player, watches
from tests.figures import came_of
from tests.servers import OwnServer, soon_given_up

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
AT: LiteralString = "update procrastinate_events set at = %(at)s"


async def now_measured() -> Health:
    return await service.measured(now=NOON)


async def sampled() -> list[tuple[object, ...]]:
    async with transaction() as session:
        query: LiteralString = (
            "select minute, workers, mails_waiting from health_samples order by 1"
        )
        return [tuple(row) for row in await rows(session, query, {})]


class TestMeasuring:
    async def test_an_app_that_has_just_begun(self, database: str):
        found = await now_measured()
        assert found.database is Level.HEALTHY
        assert 0 < found.database_us < 1_000_000
        assert (found.queue.waiting, found.queue.failed, found.queue.workers) == (0, 0, 0)
        assert (found.online, found.views_today, found.uptime) == (0, 0, None)
        assert (found.uses_redis, found.redis_us) == (False, None)
        assert 0 < found.machine.disk_free <= found.machine.disk_size
        assert found.machine.running_for_seconds >= 0

    async def test_mails_and_jobs_that_wait(self, database: str):
        async with transaction() as session:
            for number in range(3):
                letter = Letter(f"maja-{number}@example.com", "en", "verify")
                await mail.send(session, letter)
            await write(session, AT + " returning id", {"at": NOON - 5 * MINUTE})
        with psycopg.connect(database) as connection:
            connection.execute(
                "update procrastinate_jobs set scheduled_at = %s where id = 1", (NOON + MINUTE,)
            )
            connection.execute("update procrastinate_jobs set status = 'failed' where id = 2")
        queue = (await now_measured()).queue
        assert (queue.waiting, queue.oldest_seconds, queue.failed) == (1, 300, 1)
        assert queue.mails == 2

    async def test_letters_with_a_code_or_an_invoice_that_wait(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(jobs, "JOBS", dict(jobs.JOBS))
        schedule.offer_all()
        with psycopg.connect(database) as connection:
            for task in (letters.SENDING_CODES.name, invoices.SENDING.name, ads_jobs.SWEEP.name):
                connection.execute(
                    "insert into procrastinate_jobs (queue_name, task_name, scheduled_at)"
                    " values ('default', %s, %s)",
                    (task, NOON + MINUTE),
                )
        assert (await now_measured()).queue.mails == 2

    async def test_only_workers_that_were_heard_of_just_now(self, database: str):
        with psycopg.connect(database) as connection:
            for ago in (1, 29, 31, 3600):
                connection.execute(
                    "insert into procrastinate_workers (last_heartbeat) values (%s)",
                    (NOON - timedelta(seconds=ago),),
                )
        assert (await now_measured()).queue.workers == 2

    async def test_people_who_are_connected_and_the_ads_they_watched(self, database: str):
        ad, maja, emil = await an_ad(), await the_player("Maja"), await the_player("Emil")
        await watches(maja, ad)
        with psycopg.connect(database) as connection:
            for one, ago in ((maja, 1), (maja, 2), (emil, 40)):
                connection.execute(
                    "insert into presence values (%s, %s, %s)",
                    (new_id(), one.user_id, NOON - timedelta(seconds=ago)),
                )
        found = await now_measured()
        assert (found.online, found.views_today) == (1, 1)
        assert platform_day(NOON) == NOON.date()

    async def test_views_that_were_watched_to_their_end_rewarded_or_not(self, database: str):
        await came_of(await an_ad(), NOON.date(), impressions=7, completions=3, refused=2)
        assert (await now_measured()).views_today == 5

    async def test_redis_that_does_not_answer(self, database: str, monkeypatch):
        monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
        settings.cache_clear()
        found = await now_measured()
        assert (found.uses_redis, found.redis_us) == (True, None)
        assert found.database is Level.HEALTHY
        monkeypatch.undo()
        settings.cache_clear()


class TestADatabase:
    async def test_that_is_away_is_an_error_with_zeros_and_comes_back_by_itself(
        self, own_server: OwnServer
    ):
        assert (await now_measured()).database is Level.HEALTHY
        with own_server.away():
            begun = asyncio.get_running_loop().time()
            found = await now_measured()
            took = asyncio.get_running_loop().time() - begun
            assert took < 10, "well within one poll"
        assert found.database is Level.ERROR
        assert not found.has_answered
        assert (found.uptime, found.online, found.views_today) == (0, 0, 0)
        assert found.queue == service.NO_QUEUE
        async with asyncio.timeout(20):
            while not (await now_measured()).has_answered:
                await asyncio.sleep(0.2)

    async def test_that_is_slow_is_a_warning(self, database: str, monkeypatch):
        async def slowly() -> int:
            return 1_200_000

        monkeypatch.setattr(probes, "database", slowly)
        assert (await now_measured()).database is Level.WARNING

    async def test_that_breaks_in_the_middle_is_an_error(self, database: str):
        with psycopg.connect(database) as connection:
            connection.execute("alter table health_samples rename to gone")
        assert (await now_measured()).database is Level.ERROR


class TestSamples:
    async def test_are_kept_once_a_minute(self, database: str):
        one, none = {"samples": 1, "deleted": 0}, {"samples": 0, "deleted": 0}
        assert await service.sample(now=NOON) == one
        assert await service.sample(now=NOON + timedelta(seconds=59)) == none
        assert await service.sample(now=NOON + MINUTE) == one
        assert [minute for minute, *_ in await sampled()] == [NOON, NOON + MINUTE]

    async def test_of_all_workers_at_once_are_one(self, database: str):
        await asyncio.gather(*(service.sample(now=NOON) for _ in range(8)))
        assert len(await sampled()) == 1

    async def test_are_forgotten_after_thirty_days(self, database: str):
        await service.sample(now=NOON - 30 * DAY - MINUTE)
        await service.sample(now=NOON - 30 * DAY)
        assert await service.sample(now=NOON) == {"samples": 1, "deleted": 1}
        assert [minute for minute, *_ in await sampled()] == [NOON - 30 * DAY, NOON]

    async def test_are_the_uptime_and_the_charts_of_the_last_day(self, database: str):
        for ago in (25 * 60, 23, 12, 11, 1, 0):
            await service.sample(now=NOON - ago * MINUTE)
        found = await now_measured()
        assert found.uptime == pytest.approx(6 / (25 * 60 + 1))
        assert [stretch.at for stretch in found.stretches] == [
            NOON - ago * MINUTE for ago in (30, 20, 10, 0)
        ]

    async def test_know_of_an_outage_that_began_before_the_thirty_days(self, database: str):
        for minutes in range(3):
            await service.sample(now=NOON - 32 * DAY + minutes * MINUTE)
        await service.sample(now=NOON)
        kept = [NOON - 32 * DAY + 2 * MINUTE, NOON]
        assert [minute for minute, *_ in await sampled()] == kept
        assert (await now_measured()).uptime == pytest.approx(1 / (30 * 24 * 60))

    async def test_say_nothing_of_a_minute_in_which_the_database_was_away(
        self, own_server: OwnServer
    ):
        before = await sampled()
        with own_server.away(), soon_given_up():
            await service.sample(now=NOON)
        async with asyncio.timeout(20):
            while not (await now_measured()).has_answered:
                await asyncio.sleep(0.2)
        assert await sampled() == before


class TestWhoLooks:
    async def test_shares_what_was_measured_within_five_seconds(self, database: str):
        now, times = 0.0, 0

        async def measure(at: object) -> Health:
            nonlocal times
            times += 1
            return await now_measured()

        shared = SharedHealth(measure, clock=lambda: now)
        await asyncio.gather(*(shared.fresh() for _ in range(20)))
        assert times == 1
        now = 5.0
        await shared.fresh()
        assert times == 2
