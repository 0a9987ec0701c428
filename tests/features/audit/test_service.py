"""Lines are written with what they are about, in order, without gaps; nobody changes them."""

import asyncio

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.audit import log, service
from rewards_app.features.audit.log import Search
from rewards_app.features.audit.rules import FIRST, Action, Line, Origin
from tests.ads import SECOND
from tests.people import NOON
from tests.review import an_admin

pytestmark = pytest.mark.usefixtures("database")

ABOUT = "account:0198"


async def writes(actor=None, action: Action = Action.ROLE_CHANGED, **known: object) -> None:
    values = {"about": ABOUT, "label": "Maja", "now": NOON} | known
    async with transaction() as session:
        await service.record(session, actor, action, **values)  # pyright: ignore


async def checked() -> service.Check:
    async with transaction() as session:
        return await service.check(session)


async def found(search: Search | None = None, before: int | None = None) -> list[Line]:
    async with transaction() as session:
        return list((await log.find(session, search or Search(), before=before)).shown)


class TestWritingDown:
    async def test_keeps_who_what_before_after_and_why(self):
        linnea = await an_admin()
        await writes(linnea, before={"role": "player"}, after={"role": "admin"}, reason="Runs it")
        [line] = await found()
        assert (line.number, line.origin) == (1, "person")
        assert (line.actor_id, line.actor_name) == (linnea.user_id, "Linnea")
        assert (line.action, line.about, line.label) == ("role_changed", ABOUT, "Maja")
        assert (line.before, line.after) == ({"role": "player"}, {"role": "admin"})
        assert (line.reason, line.created_at) == ("Runs it", NOON)

    async def test_says_when_nobody_did_it(self):
        await writes()
        await writes(origin=Origin.AUTOMATION)
        assert [line.origin for line in await found()] == ["automation", "command_line"]

    async def test_is_undone_with_what_it_was_about(self):
        with pytest.raises(ZeroDivisionError):
            await self.write_and_fail()
        assert await found() == []
        await writes()
        assert [line.number for line in await found()] == [1]

    async def write_and_fail(self) -> None:
        async with transaction() as session:
            await service.record(session, None, Action.SUSPENDED, ABOUT, now=NOON)
            raise ZeroDivisionError

    async def test_of_many_at_once_leaves_no_gap(self):
        await asyncio.gather(*(writes(reason=f"{n}") for n in range(12)))
        assert [line.number for line in await found()] == list(range(12, 0, -1))
        assert (await checked()).is_clean

    async def test_cuts_off_what_is_too_long(self):
        await writes(label="x" * 500, reason="y" * 900)
        [line] = await found()
        assert (len(line.label), len(line.reason)) == (120, 500)

    async def test_of_several_things_in_one_transaction_keeps_their_order(self):
        async with transaction() as session:
            for action in (Action.SUSPENDED, Action.RESTORED):
                await service.record(session, None, action, ABOUT, now=NOON)
        assert [line.action for line in await found()] == ["restored", "suspended"]


class TestTheDatabase:
    @pytest.mark.parametrize(
        "change",
        [
            "update audit_entries set reason = 'another'",
            "update audit_entries set number = 9",
            "delete from audit_entries",
            "truncate audit_entries",
            "insert into audit_entries select * from audit_entries"
            " on conflict (number) do update set reason = 'another'",
        ],
    )
    async def test_refuses_to_change_what_stands_there(self, database: str, change: str):
        await writes()
        with (
            psycopg.connect(database) as connection,
            pytest.raises(psycopg.Error, match=r"append-only|generated"),
        ):
            connection.execute(change)  # pyright: ignore
        assert (await checked()).entries == 1


class TestTheProof:
    @pytest.fixture
    async def lines(self, database: str) -> None:
        for n in range(5):
            await writes(reason=f"reason {n}", now=NOON + n * SECOND)

    def tamper(self, database: str, change: str) -> None:
        """As whoever owns the database could."""
        with psycopg.connect(database) as connection:
            connection.execute("alter table audit_entries disable trigger all")
            connection.execute(change)  # pyright: ignore
            connection.execute("alter table audit_entries enable trigger all")

    async def test_of_an_empty_log_is_clean(self):
        assert await checked() == service.Check(0, None, FIRST)

    @pytest.mark.usefixtures("lines")
    async def test_gives_the_hash_of_the_last_line(self, database: str):
        with psycopg.connect(database) as connection:
            last = connection.execute("select hash from audit_entries where number = 5").fetchone()
        assert last
        assert await checked() == service.Check(5, None, last[0])

    @pytest.mark.usefixtures("lines")
    @pytest.mark.parametrize(
        ("change", "broken_at"),
        [
            ("update audit_entries set reason = 'harmless' where number = 3", 3),
            ("update audit_entries set actor_name = 'Sven' where number = 1", 1),
            ("update audit_entries set created_at = now() where number = 2", 2),
            ("""update audit_entries set after = '{"a": 1}' where number = 5""", 5),
            ("delete from audit_entries where number = 3", 4),
            ("update audit_entries set hash = repeat('0', 64) where number = 4", 4),
        ],
    )
    async def test_finds_the_first_line_that_was_touched(
        self, database: str, change: str, broken_at: int
    ):
        self.tamper(database, change)
        assert (await checked()).broken_at == broken_at

    @pytest.mark.usefixtures("lines")
    async def test_shows_by_its_last_hash_that_the_end_was_cut_off(self, database: str):
        kept = (await checked()).head
        self.tamper(database, "delete from audit_entries where number = 5")
        after = await checked()
        assert after.is_clean
        assert after.head != kept


class TestReading:
    async def test_comes_in_pages_without_gap_or_repetition(self, monkeypatch):
        for n in range(7):
            await writes(reason=f"{n}")
        seen, before = [], None
        while True:
            async with transaction() as session:
                page = await log.find(session, Search(), before=before, limit=3)
            seen += [line.number for line in page.shown]
            before = page.next_before
            if before is None:
                break
        assert seen == [7, 6, 5, 4, 3, 2, 1]

    async def test_finds_words_of_names_labels_and_reasons(self):
        linnea = await an_admin()
        await writes(linnea, label="COIN-1773489600000-ABCDEFGHJK", reason="The code was empty")
        await writes(label="Åsa", reason="<script>alert(1)</script>")
        for text, numbers in {
            "linnea": [1],
            "LINN": [1],
            "code empty": [1],
            "coin-1773489600000-abcdefghjk": [1],
            "åsa": [2],
            "alert": [2],
            "nothing of this": [],
            "ode": [],
            "'": [],
            "& | ! :* <->": [],
        }.items():
            assert [line.number for line in await found(Search(text))] == numbers, text

    async def test_is_narrowed_down_by_action_person_and_what_it_is_about(self):
        linnea, sven = await an_admin(), await an_admin("Sven")
        await writes(linnea, Action.SUSPENDED)
        await writes(sven, Action.RESTORED)
        await writes(sven, Action.RESTORED, about="account:other")
        await writes(None, Action.SUSPENDED, origin=Origin.AUTOMATION)
        await writes(None, Action.SUSPENDED)
        for search, numbers in (
            (Search(action=Action.SUSPENDED), [5, 4, 1]),
            (Search(by=sven.user_id), [3, 2]),
            (Search(by=Origin.AUTOMATION), [4]),
            (Search(by=Origin.COMMAND_LINE), [5]),
            (Search(about=ABOUT, by=sven.user_id), [2]),
            (Search(by=new_id()), []),
        ):
            assert [line.number for line in await found(search)] == numbers, search

    async def test_names_everybody_who_did_something_by_their_last_name(self):
        linnea, sven = await an_admin(), await an_admin("Sven")
        for actor in (sven, linnea, sven):
            await writes(actor)
        await writes()
        async with transaction() as session:
            doers = await log.doers(session)
        assert [doer.name for doer in doers] == ["Linnea", "Sven"]

    async def test_of_everything_goes_as_far_as_it_is_asked_to(self, monkeypatch):
        monkeypatch.setattr(log, "READ_AT_ONCE", 2)
        for n in range(6):
            await writes(reason=f"{n}")
        async with transaction() as session:
            parts = [part async for part in log.everything(session, Search(), up_to=5)]
        assert [line.number for part in parts for line, _ in part] == [5, 4, 3, 2, 1]
