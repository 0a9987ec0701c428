"""Accounts whose address was never proven are gone after a month, with all that signing up left."""

import asyncio
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Role
from rewards_app.core.database import rows, transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import directory, mailed_links, rules, signing_up
from rewards_app.features.accounts.retention import NEVER_PROVEN
from rewards_app.features.alerts import service as alerts
from rewards_app.features.privacy import closing_jobs, never_proven
from rewards_app.models import AdvertiserMember
from tests import held
from tests.ads import the_player
from tests.forum import a_topic, row
from tests.people import NOON, a_browser, a_sign_up, an_account, signed_in
from tests.review import a_company, an_admin
from tests.traces import fingerprints
from tests.waiting import are_waiting
from tests.waitlist import somebody_waits

pytestmark = pytest.mark.usefixtures("database")
A_DAY = timedelta(days=1)
IN_TIME = NOON + NEVER_PROVEN
LATER = IN_TIME + A_DAY
EMAIL = "maja@example.com"


async def signs_up(email: str = EMAIL, *, kind: str = "player") -> UUID:
    async with transaction() as session:
        wanted = a_sign_up(email, kind=kind)
        await signing_up.sign_up(session, wanted, a_browser(), language="en", now=NOON)
        query = "select id from accounts where email = %(email)s"
        return (await rows(session, query, {"email": email}))[0][0]


async def is_there(account_id: UUID) -> bool:
    async with transaction() as session:
        query = "select from accounts where id = %(id)s"
        return bool(await rows(session, query, {"id": account_id}))


def change(url: str, query: str, *values: object) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(query, values)  # pyright: ignore[reportArgumentType]


class TestForget:
    @pytest.mark.parametrize("kind", ["player", "company", "admin"])
    async def test_takes_whoever_was_signed_up_and_never_came(self, database: str, kind: str):
        tables = [*never_proven.LEFT_BY_SIGNING_UP, "profiles"]
        before = fingerprints(database, tables)
        await signs_up(kind=kind)
        assert await never_proven.forget(now=LATER) == {"erased": 1, "postponed": 0}
        assert fingerprints(database, tables) == before
        assert await never_proven.forget(now=LATER) == {"erased": 0, "postponed": 0}

    async def test_waits_a_month(self):
        maja = await signs_up()
        await never_proven.forget(now=IN_TIME)
        assert await is_there(maja)

    async def test_lets_whoever_owns_the_address_sign_up(self):
        await signs_up()
        with pytest.raises(rules.EmailTaken):
            await signs_up()
        await never_proven.forget(now=LATER)
        assert await is_there(await signs_up())

    async def test_by_two_workers_at_once_takes_each_once(self):
        await signs_up()
        found = await asyncio.gather(*(never_proven.forget(now=LATER) for _ in range(3)))
        assert sorted(one["erased"] for one in found) == [0, 0, 1]

    async def test_takes_whoever_was_suspended_too(self, database: str):
        maja = await signs_up()
        change(
            database,
            "insert into account_restrictions (id, account_id, kind, reason, is_automatic,"
            " begun_at, end_reason) values (%s, %s, 'suspended', 'Spam', false, %s, '')",
            *(new_id(), maja, NOON),
        )
        await never_proven.forget(now=LATER)
        assert not await is_there(maja)

    async def test_is_a_job(self):
        maja = await signs_up()
        assert await closing_jobs.forget_never_proven(timestamp=0) == {"erased": 1, "postponed": 0}
        assert not await is_there(maja)


class TestWhoStays:
    @pytest.mark.parametrize("role", Role)
    async def test_whoever_proved_it(self, role: Role):
        maja = await an_account(role=role)
        await never_proven.forget(now=LATER)
        assert await is_there(maja.id)

    async def test_whoever_proves_it_at_that_moment(self, database: str):
        maja = await signs_up()
        with psycopg.connect(database) as connection:
            connection.execute("update accounts set email_verified_at = now()")
            forgetting = asyncio.create_task(never_proven.forget(now=LATER))
            await are_waiting(database)
        assert (await forgetting)["erased"] == 0
        assert await is_there(maja)

    async def test_whoever_has_a_link_that_still_opens(self):
        maja = await signs_up()
        async with transaction() as session:
            await mailed_links.mail_link(session, "verify", EMAIL, now=LATER)
        await never_proven.forget(now=LATER + timedelta(hours=23))
        assert await is_there(maja)
        await never_proven.forget(now=LATER + timedelta(hours=25))
        assert not await is_there(maja)

    async def test_nobody_for_ever_by_asking_for_a_new_link_each_day(self):
        maja = await signs_up()
        for day in range(8):
            now = IN_TIME + day * A_DAY
            async with transaction() as session:
                await mailed_links.mail_link(session, "verify", EMAIL, now=now)
            await never_proven.forget(now=now + timedelta(hours=1))
            assert await is_there(maja) == (day < 7)

    @pytest.mark.parametrize("role", ["admin", "moderator"])
    async def test_whom_the_command_line_gave_a_role(self, database: str, role: str):
        maja = await signs_up()
        change(database, "update accounts set role = %s", role)
        await never_proven.forget(now=LATER)
        assert await is_there(maja)

    async def test_whoever_closed_it_until_their_own_day(self, database: str):
        maja = await signs_up()
        change(database, "update accounts set closed_at = %s", NOON)
        await never_proven.forget(now=LATER)
        assert await is_there(maja)

    async def test_whoever_was_in_it(self):
        maja = await signs_up()
        await signed_in(maja, a_browser())
        await never_proven.forget(now=LATER)
        assert await is_there(maja)

    async def test_whom_a_company_took_in(self):
        maja = await signs_up(kind="company")
        company = await a_company()
        async with transaction() as session:
            session.add(AdvertiserMember(account_id=maja, advertiser_id=company.id))
        await never_proven.forget(now=LATER)
        assert await is_there(maja)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_of_whom_everything_is_held(self, database: str):
        held.hold_everything(database, "maja")
        change(
            database,
            "update accounts set email_verified_at = null, closed_at = null, role = 'player',"
            " created_at = %s",
            NOON,
        )
        change(database, "update email_links set expires_at = %s", NOON)
        assert await never_proven.forget(now=LATER) == {"erased": 0, "postponed": 0}
        assert await is_there(held.id_of("maja"))


class TestWhatOthersSay:
    async def test_of_it_is_gone_but_who_they_call(self):
        """It never was whom they meant: nobody takes others' words by a name that they type."""
        maja, admin = await signs_up(), await an_admin()
        topic = await a_topic(await the_player("Ola"), title="Who is @maja?")
        async with transaction() as session:
            await directory.send_verification(session, admin, maja, now=NOON)
            await alerts.raise_alert(
                session,
                alerts.Kind.ACCOUNT_LOCKED,
                about=f"account:{maja}",
                account_id=maja,
                now=NOON,
                failures=10,
                minutes=15,
            )
        await never_proven.forget(now=LATER)
        assert not await is_there(maja)
        assert (await row("forum_posts", topic))["title"] == "Who is @maja?"
        async with transaction() as session:
            assert not await rows(session, "select from security_alerts", {})
            assert not await rows(session, "select from audit_entries where label <> ''", {})

    async def test_a_place_in_line_is_the_owners_of_the_address(self):
        entry = await somebody_waits(EMAIL)
        await signs_up()
        await never_proven.forget(now=LATER)
        assert (await row("waitlist", entry.id))["email"] == EMAIL
