"""The letter that the doors are open: to who confirmed, in their language, once each."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from alembic import command
from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.core.postgres import schema
from rewards_app.core.settings import settings
from rewards_app.features.accounts import closing
from rewards_app.features.waitlist import jobs as waitlist_jobs
from rewards_app.features.waitlist import links, service
from rewards_app.features.waitlist.page_state import WaitingState
from rewards_app.features.waitlist.repository import Counts
from tests.crowds import all_at_once
from tests.features.waitlist.test_service import known, marks, trail
from tests.paying import ask
from tests.people import NOON, an_account
from tests.queued import as_read
from tests.review import an_admin
from tests.states import a_page, at, calls
from tests.waiting import are_waiting
from tests.waitlist import people_wait, somebody_waits

pytestmark = pytest.mark.usefixtures("database")
LATER = NOON + timedelta(hours=1)
BEFORE = "c83e5f0a91d4"
"""The schema that did not know since when the doors are open."""


class Crash(Exception):
    """The worker dies here."""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch) -> None:
    monkeypatch.setattr(service, "TOLD_AT_ONCE", 3)


async def opens(admin: Actor | None = None) -> int:
    async with transaction() as session:
        return await service.open_doors(session, admin or await an_admin(), now=LATER)


async def queued(task: str) -> list[dict]:
    async with transaction() as session:
        query = "select args from procrastinate_jobs where task_name = %(task)s order by id"
        return [as_read(row[0]) for row in await rows(session, query, {"task": task})]


async def mailed() -> list[str]:
    return sorted(letter["recipient"] for letter in await queued("send_mail"))


async def counts() -> Counts:
    async with transaction() as session:
        return await service.counts(session)


async def is_telling() -> bool:
    async with transaction() as session:
        return await service.is_telling(session)


async def tells() -> None:
    """What the queue would run."""
    [arguments] = await queued(service.TELLING)
    await waitlist_jobs.tell_that_the_doors_are_open(**arguments)


class TestOpeningTheDoors:
    async def test_tells_everybody_who_confirmed_once_and_marks_them(self):
        people = await people_wait(8)
        told = await somebody_waits("told@example.com", notified=True)
        await somebody_waits("silent@example.com", is_confirmed=False)
        assert await counts() == Counts(unconfirmed=1, to_tell=8, told=1)
        assert await opens() == 8
        await tells()
        await tells()
        assert await mailed() == sorted(one.email for one in people)
        assert await counts() == Counts(unconfirmed=1, to_tell=0, told=9)
        assert (await known(people[0])).notified_at
        assert (await known(told)).notified_at is None

    async def test_writes_in_the_language_of_each_with_a_way_to_leave(self):
        entry = await somebody_waits("maja@example.com")
        async with transaction() as session:
            (await session.get_one(type(entry), entry.id)).language = "ru"
        await opens()
        await tells()
        [letter] = await queued("send_mail")
        assert (letter["name"], letter["language"]) == ("waitlist_open", "ru")
        assert letter["unsubscribe"] == links.to_leave(entry.id, "ru")

    async def test_goes_on_after_a_crash_where_it_was(self, monkeypatch):
        await people_wait(8)
        await opens()
        tell_some, batches = service.tell_some, 0

        async def dies_in_the_third(session, **values) -> bool:
            nonlocal batches
            batches += 1
            is_anybody_left = await tell_some(session, **values)
            if batches == 3:
                raise Crash
            return is_anybody_left

        monkeypatch.setattr(service, "tell_some", dies_in_the_third)
        with pytest.raises(Crash):
            await tells()
        assert await counts() == Counts(unconfirmed=0, to_tell=2, told=6)
        assert len(await mailed()) == 6
        await tells()
        assert len(set(await mailed())) == len(await mailed()) == 8

    async def test_by_two_workers_at_once_tells_each_once(self):
        await people_wait(20)
        await opens()
        await all_at_once(tells() for _ in range(3))
        assert len(set(await mailed())) == len(await mailed()) == 20

    async def test_tells_who_confirms_before_the_letters_begin_to_leave(self):
        await somebody_waits("maja@example.com")
        await opens()
        await somebody_waits("just@example.com", at=LATER + timedelta(seconds=1))
        await somebody_waits("late@example.com", at=utc_now() + timedelta(minutes=5))
        await tells()
        assert sorted(await mailed()) == ["just@example.com", "maja@example.com"]

    async def test_leaves_out_who_has_left_meanwhile(self):
        entry = await somebody_waits("maja@example.com")
        await opens()
        async with transaction() as session:
            await service.leave(session, links.leaving_token(entry.id, "en"), now=LATER)
        await tells()
        assert await mailed() == []

    async def test_leaves_out_who_deletes_their_account_until_they_keep_it(self):
        admin, maja = await an_admin(), await an_account("maja@example.com")
        await somebody_waits("maja@example.com")
        await somebody_waits("ola@example.com")
        async with transaction() as session:
            await closing.close(session, maja.id, is_silent=True, now=NOON)
        assert await counts() == Counts(unconfirmed=0, to_tell=1, told=0)
        assert await opens(admin) == 1
        await tells()
        assert await mailed() == ["ola@example.com"]
        assert not await is_telling()
        async with transaction() as session:
            await closing.reopen(session, maja.id, now=NOON)
        assert await counts() == Counts(unconfirmed=0, to_tell=1, told=1)

    async def test_is_written_down_with_how_many_they_are(self):
        await people_wait(2)
        await opens()
        assert await trail() == [("waitlist_opened", "waitlist", "", {}, {"people": 2})]

    async def test_is_refused_where_nobody_is_left_to_tell(self):
        await somebody_waits(notified=True)
        await somebody_waits(is_confirmed=False)
        with pytest.raises(service.NobodyToTell):
            await opens()
        assert await queued(service.TELLING) == []

    async def test_is_refused_while_it_is_under_way(self):
        admin = await an_admin()
        await somebody_waits()
        await opens(admin)
        assert await is_telling()
        with pytest.raises(service.NotTwice):
            await opens(admin)

    async def test_by_two_admins_at_once_is_done_by_one(self, database: str):
        await people_wait(2)
        linnea, bo = await an_admin(), await an_admin("Bo")
        async with transaction() as session:
            await service.open_doors(session, linnea, now=LATER)
            second = asyncio.create_task(opens(bo))
            await are_waiting(database)
        with pytest.raises(service.NotTwice):
            await second
        assert len(await queued(service.TELLING)) == 1
        assert await trail() == [("waitlist_opened", "waitlist", "", {}, {"people": 2})]

    async def test_is_over_once_the_last_was_told(self):
        await somebody_waits()
        await opens()
        await tells()
        assert not await is_telling()

    async def test_tells_how_far_it_is(self):
        await people_wait(4)
        await opens()
        live._waiting.clear()
        await tells()
        assert (service.CHANGED, "") in live._waiting


class TestWhoDidNotConfirm:
    async def test_cannot_be_marked(self):
        entry = await somebody_waits(is_confirmed=False)
        with pytest.raises(service.NotConfirmed):
            await marks(await an_admin(), entry.id, notified=True)
        assert not (await known(entry)).notified
        assert await trail() == []

    async def test_is_not_in_the_sheet(self):
        await somebody_waits("silent@example.com", is_confirmed=False)
        async with transaction() as session:
            text = "".join([piece async for piece in service.exported(session)])
        assert text == "\ufeffEmail,Datum,Notifierad\r\n"


class TestTheDoors:
    async def test_are_open_from_the_first_letters_on_and_stay_so(self, database: str):
        assert not await service.are_open()
        admin, entry = await an_admin(), await somebody_waits("maja@example.com")
        await opens(admin)
        assert await service.are_open()
        await tells()
        async with transaction() as session:
            await service.leave(session, links.leaving_token(entry.id, "en"), now=LATER)
        await somebody_waits("ola@example.com", at=LATER + timedelta(hours=1))
        async with transaction() as session:
            await service.open_doors(session, admin, now=LATER + timedelta(days=1))
        assert ask(database, "select opened_at from opened_doors") == [(LATER,)]

    async def test_stay_shut_where_nobody_is_told(self):
        with pytest.raises(service.NobodyToTell):
            await opens()
        await marks(await an_admin("Bo"), (await somebody_waits()).id, notified=True)
        assert not await service.are_open()

    async def test_are_open_to_who_confirms_too_late_for_the_letters(self):
        await somebody_waits()
        late = await somebody_waits("late@example.com", is_confirmed=False, at=utc_now())
        page: Any = a_page()
        link = links.to_confirm(late.id, late.asked_at)
        at(page, link.removeprefix(settings().origin))
        waiting = await page.get_state(WaitingState)
        await calls(WaitingState.open, waiting)
        assert waiting.stage == "waits"
        await opens()
        await calls(WaitingState.open, waiting)
        assert waiting.stage == "opened"

    async def test_are_open_to_whose_link_has_ended(self):
        await somebody_waits()
        long_ago = utc_now() - timedelta(days=8)
        late = await somebody_waits("late@example.com", is_confirmed=False, at=long_ago)
        page: Any = a_page()
        at(page, links.to_confirm(late.id, late.asked_at).removeprefix(settings().origin))
        waiting = await page.get_state(WaitingState)
        await calls(WaitingState.open, waiting)
        assert waiting.stage == "over"
        await opens()
        await calls(WaitingState.open, waiting)
        assert waiting.stage == "opened"

    async def test_that_were_opened_before_are_so_after_the_migration(self, database: str):
        await somebody_waits()
        await opens()
        command.downgrade(schema.alembic_config(), BEFORE)
        schema.upgrade()
        assert ask(database, "select opened_at from opened_doors") == [(LATER,)]

    async def test_that_were_not_opened_stay_shut_after_the_migration(self):
        await somebody_waits()
        command.downgrade(schema.alembic_config(), BEFORE)
        schema.upgrade()
        assert not await service.are_open()
