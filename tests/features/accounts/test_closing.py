"""Closing an account: hidden and signed out at once, and all of it back when it is kept."""

from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest

from rewards_app.core.actor import Role
from rewards_app.core.caller import digest
from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing, handles, role_rules, sessions
from rewards_app.models import Account, AccountClosure, Profile
from tests.people import NOON, a_browser, an_account, signed_in
from tests.traces import fingerprints

pytestmark = pytest.mark.usefixtures("database")
A_DAY = timedelta(days=1)


async def closed(account: Account, *, now=NOON):
    async with transaction() as session:
        return await closing.close(session, account.id, now=now)


async def kept(account: Account, *, now=NOON + A_DAY) -> bool:
    async with transaction() as session:
        return await closing.reopen(session, account.id, now=now)


async def now_of(account: Account) -> Account:
    async with transaction() as session:
        found = await session.get(Account, account.id)
    assert found
    return found


def letters(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute("select args from procrastinate_jobs order by id").fetchall()
    return [row[0]["name"] for row in found]


class TestClose:
    async def test_is_due_thirty_days_later(self):
        account = await an_account()
        assert await closed(account) == NOON + timedelta(days=30)

    async def test_takes_the_name_from_sight_and_seals_it(self, database: str):
        account = await an_account(name="Maja")
        await closed(account)
        now = await now_of(account)
        assert (now.display_name, now.username, now.closed_at) == ("", "", NOON)
        with psycopg.connect(database) as connection:
            row = connection.execute("select hidden from account_closures").fetchone()
        assert row
        assert "Maja" not in row[0]

    async def test_makes_the_profile_private_and_empty(self):
        account = await an_account()
        async with transaction() as session:
            session.add(Profile(account_id=account.id, bio="I am Maja"))
        await closed(account)
        async with transaction() as session:
            profile = await session.get(Profile, account.id)
        assert profile
        assert (profile.bio, profile.is_public) == ("", False)

    async def test_signs_out_everywhere(self):
        account = await an_account()
        browser = a_browser()
        secret = await signed_in(account.id, browser)
        await closed(account)
        assert await sessions.find_actor(digest(secret), now=NOON) is None

    async def test_a_ticket_of_before_opens_nothing(self):
        account = await an_account()
        await closed(account)
        secret = await signed_in(account.id, a_browser())
        assert await sessions.find_actor(digest(secret), now=NOON) is None

    async def test_nobody_finds_it_by_its_handle_which_stays_taken(self):
        account = await an_account(name="Maja")
        await closed(account)
        other = await an_account("other@example.com", name="Maja")
        async with transaction() as session:
            assert await handles.account_of(session, "maja") is None
            assert await handles.handle_of(session, other.id) != "maja"

    async def test_closing_twice_keeps_the_first_day_and_mails_once(self, database: str):
        account = await an_account()
        first = await closed(account)
        assert await closed(account, now=NOON + A_DAY) == first
        assert letters(database) == ["account_closing"]

    async def test_an_unknown_account_is_refused(self):
        async with transaction() as session:
            with pytest.raises(role_rules.UnknownAccount):
                await closing.close(session, uuid4(), now=NOON)

    async def test_the_last_admin_stays(self):
        admin = await an_account("root@example.com", Role.ADMIN)
        with pytest.raises(closing.LastAdmin):
            await closed(admin)

    async def test_an_admin_may_go_while_there_is_another(self):
        admin = await an_account("root@example.com", Role.ADMIN)
        second = await an_account("second@example.com", Role.ADMIN)
        await closed(admin)
        with pytest.raises(closing.LastAdmin):
            await closed(second)


class TestReopen:
    async def test_puts_everything_back_exactly(self, database: str):
        account = await an_account(name="Maja")
        async with transaction() as session:
            session.add(Profile(account_id=account.id, bio="I am Maja", is_public=True))
        tables = ["accounts", "profiles", "account_handles"]
        before = fingerprints(database, tables)
        await closed(account)
        assert fingerprints(database, tables) != before
        assert await kept(account)
        assert fingerprints(database, tables) == before

    async def test_what_was_hidden_is_kept_no_longer(self):
        account = await an_account()
        await closed(account)
        await kept(account)
        async with transaction() as session:
            closure = (await session.exec(closing.select(AccountClosure))).one()
        assert closure.hidden is None
        assert closure.cancelled_at == NOON + A_DAY

    async def test_says_so_by_mail(self, database: str):
        account = await an_account()
        await closed(account)
        await kept(account)
        assert letters(database) == ["account_closing", "account_kept"]

    async def test_what_is_open_stays_as_it_is(self, database: str):
        account = await an_account()
        assert not await kept(account)
        assert letters(database) == []

    async def test_it_can_be_closed_again(self):
        account = await an_account()
        await closed(account)
        await kept(account)
        assert await closed(account, now=NOON + 2 * A_DAY) == NOON + 32 * A_DAY


class TestDueAt:
    async def test_is_known_while_the_account_is_closed(self):
        account = await an_account()
        async with transaction() as session:
            assert await closing.due_at(session, account.id) is None
        due = await closed(account)
        async with transaction() as session:
            assert await closing.due_at(session, account.id) == due
        await kept(account)
        async with transaction() as session:
            assert await closing.due_at(session, account.id) is None


class TestRemind:
    async def told(self, now) -> int:
        async with transaction() as session:
            return await closing.remind(session, now=now)

    async def test_tells_three_days_before_and_once(self, database: str):
        await closed(await an_account())
        assert await self.told(NOON + 26 * A_DAY) == 0
        assert await self.told(NOON + 27 * A_DAY) == 1
        assert await self.told(NOON + 28 * A_DAY) == 0
        assert letters(database) == ["account_closing", "account_closing_soon"]

    async def test_says_nothing_where_the_account_was_kept(self):
        account = await an_account()
        await closed(account)
        await kept(account)
        assert await self.told(NOON + 28 * A_DAY) == 0


class TestLeaving:
    async def test_what_slices_hide_is_handed_back_to_them(self, monkeypatch):
        handed: list[object] = []

        async def hide(session, account_id, now):
            return {"coat": str(account_id)}

        async def restore(session, account_id, hidden, now):
            handed.append((account_id, hidden))

        monkeypatch.setattr(closing, "ON_CLOSE", [closing.Leaving("coats", hide, restore)])
        account = await an_account()
        await closed(account)
        await kept(account)
        assert handed == [(account.id, {"coat": str(account.id)})]


class TestTheNameOfTheForgotten:
    async def test_is_nobodys_handle(self):
        account = await an_account(name="Deleted")
        async with transaction() as session:
            assert await handles.handle_of(session, account.id) == "player"
