"""Words of somebody who is forgotten leave the audit log; that something was done stays proven."""

import psycopg
import pytest

from alembic import command
from rewards_app.core.database import transaction
from rewards_app.core.postgres import schema
from rewards_app.features.audit import erasing, log, service
from rewards_app.features.audit.log import Search
from rewards_app.features.audit.rules import Action, Line
from tests.ads import the_actor
from tests.people import NOON, an_account
from tests.review import an_admin

pytestmark = pytest.mark.usefixtures("database")


async def writes(actor=None, **known: object) -> None:
    values = {"about": "database", "now": NOON} | known
    async with transaction() as session:
        await service.record(session, actor, Action.ROLE_CHANGED, **values)  # pyright: ignore


async def erased(account, *, abouts=()) -> int:
    async with transaction() as session:
        return await erasing.erase(
            session,
            account.id,
            abouts=[f"account:{account.id}", *abouts],
            only_theirs=[account.email, "@majastorm"],
            now=NOON,
        )


async def lines() -> dict[int, Line]:
    async with transaction() as session:
        return {line.number: line for line in (await log.find(session, Search())).shown}


async def checked() -> service.Check:
    async with transaction() as session:
        return await service.check(session)


class TestErase:
    async def test_empties_what_is_about_them_or_has_words_of_theirs_alone(self):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        linnea = await an_admin()
        await writes(linnea, about=f"account:{maja.id}", label="Maja Storm", reason="Asked for it")
        await writes(linnea, about="order:7", reason="For MAJA.STORM@example.com")
        await writes(linnea, about="order:8", after={"to": "@majastorm"})
        await writes(linnea, about="ticket:3", label="A question")
        await writes(the_actor(maja), about="order:9", reason="Hers")
        await writes(linnea, about="order:10", label="Majastorming", reason="Nothing of hers")
        assert await erased(maja, abouts=["ticket:3"]) == 5
        known = await lines()
        assert [n for n, line in sorted(known.items()) if line.is_erased] == [1, 2, 3, 4, 5]
        for number in range(1, 6):
            line = known[number]
            assert (line.actor_name, line.label, line.reason, line.salt) == ("", "", "", "")
            assert (line.before, line.after) == ({}, {})
        assert known[6].reason == "Nothing of hers"

    async def test_leaves_who_did_what_to_which_account(self):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        linnea = await an_admin()
        await writes(linnea, about=f"account:{maja.id}", label="Maja Storm")
        await erased(maja)
        line = (await lines())[1]
        assert (line.actor_id, line.about) == (linnea.user_id, f"account:{maja.id}")
        assert (line.action, line.created_at) == ("role_changed", NOON)

    @pytest.mark.parametrize("about", ["account:other", "post:1", "reply:1", "ad:1", "company:1"])
    async def test_leaves_the_lines_of_whatever_is_called_the_same(self, about: str):
        """Somebody's name is whatever they chose: a namesake's, an ad's, a company's, any word."""
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        linnea = await an_admin()
        await writes(linnea, about=about, label="Maja Storm", reason="Maja Storm asked for it")
        before = await lines()
        assert await erased(maja) == 0
        assert await lines() == before

    async def test_a_second_time_finds_nothing(self):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        await writes(about=f"account:{maja.id}", label="Maja Storm")
        assert await erased(maja) == 1
        assert await erased(maja) == 0

    async def test_no_word_at_all_fits_nothing(self):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        await writes(reason="Anything")
        assert await erased(maja) == 0

    async def test_their_words_are_found_no_more(self):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        await writes(about=f"account:{maja.id}", label="Maja Storm")
        await erased(maja)
        async with transaction() as session:
            assert not (await log.find(session, Search("maja"))).shown

    async def test_who_did_it_is_listed_by_the_name_of_another_line(self):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        linnea = await an_admin()
        await writes(linnea, about="order:1")
        await writes(linnea, about=f"account:{maja.id}")
        await erased(maja)
        async with transaction() as session:
            assert [doer.name for doer in await log.doers(session)] == ["Linnea"]


class TestTheProof:
    @pytest.fixture
    async def one_erased(self, database: str) -> None:
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        await writes(reason="Before")
        await writes(about=f"account:{maja.id}", label="Maja Storm")
        await writes(reason="After")
        await erased(maja)

    @pytest.mark.usefixtures("one_erased")
    async def test_holds_and_counts_what_is_erased(self):
        found = await checked()
        assert (found.is_clean, found.entries, found.erased) == (True, 3, 1)

    @pytest.mark.usefixtures("one_erased")
    @pytest.mark.parametrize(
        ("change", "broken_at"),
        [
            ("update audit_entries set reason = 'harmless' where number = 3", 3),
            ("update audit_entries set digest = repeat('0', 64) where number = 2", 2),
            ("update audit_entries set about = 'order:5' where number = 2", 2),
            ("update audit_entries set salt = repeat('0', 32) where number = 1", 1),
            ("delete from audit_entries where number = 2", 3),
            ("update audit_entries set reason = 'forged', erased_at = now() where number = 1", 1),
            ("update audit_entries set erased_at = now() where number = 1", 1),
            ("update audit_entries set reason = 'forged' where number = 2", 2),
            ("update audit_entries set label = 'Forged' where number = 2", 2),
            ("update audit_entries set actor_name = 'Forged' where number = 2", 2),
            ("""update audit_entries set after = '{"is": "forged"}' where number = 2""", 2),
            ("update audit_entries set salt = repeat('0', 32) where number = 2", 2),
        ],
    )
    async def test_finds_every_other_change(self, database: str, change: str, broken_at: int):
        with psycopg.connect(database) as connection:
            connection.execute("alter table audit_entries disable trigger all")
            connection.execute(change)  # pyright: ignore
            connection.execute("alter table audit_entries enable trigger all")
        assert (await checked()).broken_at == broken_at


class TestTheDatabase:
    @pytest.mark.parametrize(
        "change",
        [
            "erased_at = now()",
            "erased_at = now(), actor_name = '', label = '', reason = 'new', salt = ''",
            "actor_name = '', label = '', reason = '', salt = ''",
            "erased_at = now(), actor_name = '', label = '', reason = '', salt = '', about = 'x'",
            "erased_at = now(), actor_name = '', label = '', reason = '', salt = '', hash = 'x'",
            "erased_at = now(), actor_name = '', label = '', reason = '', salt = '',"
            " actor_id = gen_random_uuid()",
            "erased_at = now(), actor_name = '', label = '', reason = '', salt = '',"
            """ after = '{"a": 1}'""",
        ],
    )
    async def test_lets_nothing_pass_but_erasing(self, database: str, change: str):
        await writes(label="Maja")
        with psycopg.connect(database) as connection, pytest.raises(psycopg.Error, match="append"):
            connection.execute(f"update audit_entries set {change}")  # pyright: ignore

    async def test_erases_no_line_twice(self, database: str):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        await writes(about=f"account:{maja.id}", label="Maja Storm")
        await erased(maja)
        with psycopg.connect(database) as connection, pytest.raises(psycopg.Error, match="append"):
            connection.execute("update audit_entries set erased_at = now()")


class TestTheMigration:
    BEFORE = "9b049d578242"

    async def test_chains_what_is_there_anew(self, database: str):
        linnea = await an_admin()
        for number in range(3):
            await writes(linnea, label="Åsa", after={"n": number}, reason="Why not")
        command.downgrade(schema.alembic_config(), self.BEFORE)
        schema.upgrade()
        found = await checked()
        assert (found.is_clean, found.entries) == (True, 3)
        assert [line.label for line in (await lines()).values()] == ["Åsa"] * 3

    async def test_a_line_that_was_broken_stays_broken(self, database: str):
        for number in range(4):
            await writes(reason=f"{number}")
        command.downgrade(schema.alembic_config(), self.BEFORE)
        with psycopg.connect(database) as connection:
            connection.execute("alter table audit_entries disable trigger all")
            connection.execute("update audit_entries set reason = 'x' where number = 3")
            connection.execute("alter table audit_entries enable trigger all")
        schema.upgrade()
        assert (await checked()).broken_at == 3
