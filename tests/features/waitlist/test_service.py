"""Who waits and who was told, and the trail of both."""

import csv

import psycopg
import pytest

from rewards_app.core import live
from rewards_app.core.database import rows, transaction
from rewards_app.core.ids import new_id
from rewards_app.features.waitlist import repository, service
from rewards_app.models import WaitlistEntry
from tests.ads import FAR_AHEAD
from tests.crowds import all_at_once
from tests.people import NOON
from tests.plans import plan_of
from tests.review import an_admin
from tests.waitlist import people_wait, somebody_waits

pytestmark = pytest.mark.usefixtures("database")


async def marks(admin, entry_id, *, notified: bool) -> None:
    async with transaction() as session:
        await service.mark(session, admin, entry_id, notified=notified, now=NOON)


async def known(entry: WaitlistEntry) -> WaitlistEntry:
    async with transaction() as session:
        return await session.get_one(WaitlistEntry, entry.id)


async def trail() -> list[tuple[str, str, str, dict, dict]]:
    async with transaction() as session:
        query = "select action, about, label, before, after from audit_entries order by number"
        return [tuple(row) for row in await rows(session, query, {})]  # pyright: ignore


class TestWhoWaits:
    async def test_comes_in_pages_newest_first_each_once(self):
        people = await people_wait(7)
        seen, before = [], None
        async with transaction() as session:
            while True:
                found = await service.newest(session, before=before, limit=3)
                seen += [one.id for one in found.shown]
                if not (before := found.next_before):
                    break
        assert seen == [one.id for one in people]

    async def test_of_the_same_moment_comes_once_too(self):
        people = [await somebody_waits() for _ in range(5)]
        async with transaction() as session:
            first = await service.newest(session, limit=2)
            rest = await service.newest(session, before=first.next_before, limit=5)
        seen = [one.id for one in [*first.shown, *rest.shown]]
        assert sorted(seen) == sorted(one.id for one in people)


class TestTheSearch:
    async def test_of_one_among_many_is_by_the_index(self, database: str):
        await people_wait(3)
        with psycopg.connect(database) as connection:
            connection.execute(
                """insert into waitlist (id, email, user_agent, notified, created_at)
                select gen_random_uuid(), 'w' || n || '@example.com', '', false, now()
                from generate_series(1, 20000) n"""
            )
            connection.execute("analyze waitlist")
            known = {"begins": "w1999%", "limit": 26}
            older = known | {"at": FAR_AHEAD, "id": new_id()}
            for query, values in ((repository.FOUND, known), (repository.OLDER_FOUND, older)):
                plan = plan_of(connection, query, values)
                assert plan.indexes == {"ix_waitlist_email_begins"}, plan.text


class TestMarking:
    async def test_is_kept_with_its_moment_and_written_down(self):
        admin, entry = await an_admin(), await somebody_waits("maja@example.com")
        await marks(admin, entry.id, notified=True)
        now = await known(entry)
        assert (now.notified, now.notified_at) == (True, NOON)
        await marks(admin, entry.id, notified=False)
        now = await known(entry)
        assert (now.notified, now.notified_at) == (False, None)
        about = f"waitlist:{entry.id}"
        said = ("waitlist_notified", about, "maja@example.com")
        assert await trail() == [
            (*said, {"notified": False}, {"notified": True}),
            (*said, {"notified": True}, {"notified": False}),
        ]

    async def test_twice_the_same_is_once(self):
        admin, entry = await an_admin(), await somebody_waits()
        await all_at_once(marks(admin, entry.id, notified=True) for _ in range(10))
        assert len(await trail()) == 1

    async def test_of_nobody_is_refused(self):
        with pytest.raises(service.UnknownEntry):
            await marks(await an_admin(), new_id(), notified=True)
        assert await trail() == []

    async def test_is_announced(self):
        live._waiting.clear()
        await marks(await an_admin(), (await somebody_waits()).id, notified=True)
        assert (service.CHANGED, "") in live._waiting


class TestTheExport:
    async def test_has_everybody_however_many_they_are(self, monkeypatch):
        monkeypatch.setattr(service, "READ_AT_ONCE", 3)
        people = await people_wait(7)
        async with transaction() as session:
            text = "".join([piece async for piece in service.exported(session)])
        lines = list(csv.DictReader(text.removeprefix("\ufeff").splitlines()))
        assert [line["Email"] for line in lines] == [one.email for one in people]

    async def test_goes_on_where_somebody_leaves_meanwhile(self, monkeypatch):
        monkeypatch.setattr(service, "READ_AT_ONCE", 3)
        people = await people_wait(7)
        text = ""
        async with transaction() as session:
            async for piece in service.exported(session):
                text += piece
                if people[2].email in piece:
                    async with transaction() as another:
                        await service.repository.leave(another, people[2].id)
        lines = list(csv.DictReader(text.removeprefix("\ufeff").splitlines()))
        assert [line["Email"] for line in lines] == [one.email for one in people]

    async def test_of_nobody_is_a_heading(self):
        async with transaction() as session:
            text = "".join([piece async for piece in service.exported(session)])
        assert text == "\ufeffEmail,Datum,Notifierad\r\n"

    async def test_is_written_down(self):
        async with transaction() as session:
            await service.note_export(session, await an_admin(), "waitlist-x.csv", now=NOON)
        assert await trail() == [("waitlist_exported", "waitlist", "waitlist-x.csv", {}, {})]
