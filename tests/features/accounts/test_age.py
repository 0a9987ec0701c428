"""Telling one's age, on a real database."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import NotAllowed, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import age, age_rules, sessions
from rewards_app.features.accounts.demo import make_demo_account
from rewards_app.features.accounts.role_rules import UnknownAccount
from rewards_app.features.accounts.rules import TooYoung
from rewards_app.features.ads import standings
from rewards_app.features.audit import log
from tests import listeners
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in

pytestmark = pytest.mark.usefixtures("database")


async def acting(email: str = "maja@example.com", role: Role = Role.PLAYER, **known) -> Actor:
    account = await an_account(email, role, **({"born": None} | known))
    secret = await signed_in(account.id, a_browser())
    actor = await sessions.find_actor(digest(secret), now=NOON)
    assert actor
    return actor


async def tells(actor: Actor, birth_date: str, *, now=NOON, **said: str) -> age.Answer:
    async with transaction() as session:
        return await age.verify_age(session, actor, birth_date, now=now, **said)


async def has_days_of(actor: Actor, zone: str, *, now=NOON) -> None:
    async with transaction() as session:
        await standings.tell_time_zone(session, actor, zone, now=now)


async def asks_again(actor: Actor, *, by: Actor | None = None) -> None:
    async with transaction() as session:
        await age.ask_again(session, by, actor.user_id, "A typo", now=NOON)


async def known_birth_date(actor: Actor) -> date | None:
    return await age.birth_date_of(actor.user_id)


class TestVerifyAge:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_keeps_the_birth_date_and_asks_no_more(self, role: Role):
        someone = await acting(role=role)
        assert someone.needs_age
        await tells(someone, "2001-07-09")
        assert await known_birth_date(someone) == date(2001, 7, 9)
        again = await signed_in(someone.user_id, a_browser())
        assert not (await sessions.find_actor(digest(again), now=NOON)).needs_age

    async def test_notes_when_it_was(self):
        await tells(await acting(), "2001-07-09")
        async with transaction() as session:
            assert (await run(session, text("select age_verified_at from accounts"))).one()[0] == (
                NOON
            )

    async def test_keeps_the_birth_date_unreadable_at_rest(self):
        await tells(await acting(), "2001-07-09")
        async with transaction() as session:
            row = (await run(session, text("select * from accounts"))).one()
        assert "2001" not in str(row)

    async def test_tells_every_tab_of_this_person(self, monkeypatch):
        told = []

        async def publish(_session, topic: str, key: str = "") -> None:
            told.append((topic, key))

        monkeypatch.setattr(live, "publish", publish)
        maja = await acting()
        await tells(maja, "2001-07-09")
        assert told == [(sessions.ACCOUNT_CHANGED, str(maja.user_id))]

    @pytest.mark.parametrize(
        ("typed", "refusal"),
        [("", age_rules.BirthDateMissing), ("2013-03-15", TooYoung)],
    )
    async def test_a_refusal_keeps_nothing(self, typed: str, refusal: type[Exception]):
        maja = await acting()
        with pytest.raises(refusal):
            await tells(maja, typed)
        assert await known_birth_date(maja) is None

    async def test_a_told_age_cannot_be_changed(self):
        maja = await acting(born="2001-07-09")
        with pytest.raises(age_rules.AgeAlreadyVerified):
            await tells(maja, "1980-01-01")
        assert await known_birth_date(maja) == date(2001, 7, 9)

    async def test_nor_by_somebody_who_was_not_told_yet_that_it_is_known(self):
        maja = await acting()
        await tells(maja, "2001-07-09")
        with pytest.raises(age_rules.AgeAlreadyVerified):
            await tells(maja, "1980-01-01")
        assert await known_birth_date(maja) == date(2001, 7, 9)

    async def test_of_many_at_once_one_counts(self):
        maja = await acting()

        async def attempt(year: int) -> bool:
            try:
                await tells(maja, f"{year}-01-01")
            except age_rules.AgeAlreadyVerified:
                return False
            return True

        outcomes = await asyncio.gather(*(attempt(1990 + number) for number in range(8)))
        assert sum(outcomes) == 1
        assert (await known_birth_date(maja)).year == 1990 + outcomes.index(True)

    async def test_an_admin_is_not_asked(self):
        admin = await acting(role=Role.ADMIN)
        assert not admin.needs_age
        with pytest.raises(NotAllowed):
            await tells(admin, "1980-01-01")
        assert await known_birth_date(admin) is None

    async def test_nobody_tells_it_for_an_account_that_is_gone(self):
        maja = await acting()
        with pytest.raises(age_rules.AgeAlreadyVerified):
            await tells(replace(maja, user_id=maja.session_id), "1980-01-01")


class TestWhoIsNotGrownUp:
    async def test_says_yes_to_so_many_years_first(self):
        maja = await acting()
        assert await tells(maja, "2009-03-14") == (17, False)
        assert await known_birth_date(maja) is None
        assert await tells(maja, "2009-03-14", confirmed="17") == (17, True)
        assert await known_birth_date(maja) == date(2009, 3, 14)

    async def test_has_said_yes_to_no_other_age(self):
        maja = await acting()
        assert await tells(maja, "2012-03-14", confirmed="17") == (14, False)
        assert await known_birth_date(maja) is None

    async def test_is_whoever_is_eighteen_no_more(self):
        assert await tells(await acting(), "2008-03-14") == (18, True)


EAST, WEST = "Pacific/Kiritimati", "America/Los_Angeles"
BIRTHDAY_IN_THE_EAST = datetime(2026, 3, 13, 10, 0, tzinfo=UTC)
"""The first moment of 14 March there; in UTC 14 hours are left of the 13th."""
BIRTHDAY_IN_THE_WEST = datetime(2026, 3, 14, 7, 0, tzinfo=UTC)
"""The same there, in summer time: in UTC it is seven."""
THIRTEEN_ON_THE_14TH = "2013-03-14"
A_SECOND = timedelta(seconds=1)


class TestABirthday:
    @pytest.mark.parametrize(
        ("zone", "begins"), [(EAST, BIRTHDAY_IN_THE_EAST), (WEST, BIRTHDAY_IN_THE_WEST)]
    )
    async def test_begins_where_its_owner_is(self, zone: str, begins: datetime):
        maja = await acting()
        with pytest.raises(TooYoung):
            await tells(maja, THIRTEEN_ON_THE_14TH, zone=zone, now=begins - A_SECOND)
        assert await tells(maja, THIRTEEN_ON_THE_14TH, zone=zone, now=begins) == (13, False)

    async def test_begins_where_their_days_do_if_the_page_names_no_zone(self):
        maja = await acting()
        await has_days_of(maja, EAST)
        assert (await tells(maja, THIRTEEN_ON_THE_14TH, now=BIRTHDAY_IN_THE_EAST)).years == 13

    @pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "America", "x" * 300])
    async def test_begins_where_the_house_is_if_nobody_knows(self, zone: str):
        maja = await acting()
        in_stockholm = datetime(2026, 3, 13, 23, 0, tzinfo=UTC)
        with pytest.raises(TooYoung):
            await tells(maja, THIRTEEN_ON_THE_14TH, zone=zone, now=in_stockholm - A_SECOND)
        assert (await tells(maja, THIRTEEN_ON_THE_14TH, zone=zone, now=in_stockholm)).years == 13

    @pytest.mark.parametrize(
        ("zone", "begins"), [(EAST, BIRTHDAY_IN_THE_EAST), (WEST, BIRTHDAY_IN_THE_WEST)]
    )
    async def test_is_known_in_their_own_day_later_too(self, zone: str, begins: datetime):
        maja = await acting(born="2010-03-14")
        await has_days_of(maja, zone)
        days = [
            (await age.known_of(maja.user_id, now=moment)).today
            for moment in (begins - A_SECOND, begins)
        ]
        assert days == [date(2026, 3, 13), date(2026, 3, 14)]


class TestAskingAgain:
    async def test_forgets_what_was_told_and_asks_anew(self):
        maja = await acting(born="2012-07-09")
        await asks_again(maja)
        assert await known_birth_date(maja) is None
        again = replace(maja, is_age_verified=False)
        await tells(again, "2002-07-09")
        assert await known_birth_date(maja) == date(2002, 7, 9)

    async def test_asks_in_every_tab(self):
        maja = await acting(born="2012-07-09")
        with listeners.told(sessions.ACCOUNT_CHANGED) as heard:
            await asks_again(maja)
        assert heard[sessions.ACCOUNT_CHANGED] == [str(maja.user_id)]
        secret = await signed_in(maja.user_id, a_browser())
        assert (await sessions.find_actor(digest(secret), now=NOON)).needs_age

    async def test_is_written_down_without_the_date(self):
        maja = await acting(born="2012-07-09")
        admin = await acting("sven@example.com", Role.ADMIN)
        await asks_again(maja, by=admin)
        async with transaction() as session:
            [line] = (await log.find(session, log.Search())).shown
        assert (line.action, line.reason, line.actor_id) == (
            "birth_date_forgotten",
            "A typo",
            admin.user_id,
        )
        assert "2012" not in str((line.before, line.after, line.label))

    async def test_is_mailed_to_its_owner(self, database: str):
        await asks_again(await acting(born="2012-07-09"))
        query = "select args::text from procrastinate_jobs where task_name = 'send_mail'"
        with psycopg.connect(database) as connection:
            [[mailed]] = connection.execute(query).fetchall()
        assert "security_birth_date_forgotten" in mailed

    async def test_leaves_the_age_that_was_told_at_sign_up(self):
        maja = await acting(born="2002-07-09")
        async with transaction() as session:
            await run(session, text("update accounts set sign_up_age = 15"))
        await asks_again(maja)
        assert (await age.known_of(maja.user_id, now=NOON)).born == date(2011, 3, 14)

    async def test_who_told_none_is_asked_anyway(self):
        with pytest.raises(age_rules.AgeNotTold):
            await asks_again(await acting())

    async def test_nobody_is_asked_who_is_not_there(self):
        maja = await acting()
        with pytest.raises(UnknownAccount):
            await asks_again(replace(maja, user_id=new_id()))


class TestAttempts:
    async def test_are_ten_an_hour_for_one_account(self):
        maja, nils = await acting(), await acting("nils@example.com")
        with time_machine.travel(NOON, tick=False) as clock:
            for _ in range(10):
                with pytest.raises(TooYoung):
                    await tells(maja, "2020-01-01")
            with pytest.raises(TooManyAttempts) as refusal:
                await tells(maja, "1980-01-01")
            assert refusal.value.params == {"count": 60}
            assert await tells(nils, "1980-01-01")
            clock.shift(timedelta(hours=1, seconds=1))
            assert await tells(maja, "1980-01-01")


class TestBirthDateOf:
    async def test_is_unknown_until_it_is_told(self):
        assert await known_birth_date(await acting()) is None

    async def test_is_at_the_latest_what_the_age_told_at_sign_up_allows(self):
        maja = await acting()
        assert (await age.known_of(maja.user_id, now=NOON)).born is None
        async with transaction() as session:
            await run(session, text("update accounts set sign_up_age = 15"))
        assert (await age.known_of(maja.user_id, now=NOON)).born == date(2011, 3, 14)
        await tells(maja, "2001-07-09")
        assert (await age.known_of(maja.user_id, now=NOON)).born == date(2001, 7, 9)

    @pytest.mark.parametrize(
        ("zone", "born"),
        [("", "2011-03-14"), (EAST, "2011-03-14"), (WEST, "2011-03-13"), ("UTC", "2011-03-13")],
    )
    async def test_of_a_sign_up_is_of_the_day_where_they_were(self, zone: str, born: str):
        maja = await acting()
        if zone:
            await has_days_of(maja, zone)
        signed_up = {"at": datetime(2026, 3, 13, 23, 30, tzinfo=UTC)}
        async with transaction() as session:
            query = text("update accounts set sign_up_age = 15, created_at = :at")
            await run(session, query, signed_up)
        assert (await age.known_of(maja.user_id, now=NOON)).born == date.fromisoformat(born)

    async def test_of_nobody_is_unknown(self):
        assert await age.known_of(new_id(), now=NOON) == (None, NOON.date())

    async def test_demo_people_are_of_age(self):
        async with transaction() as session:
            await make_demo_account(
                session, "demo@example.com", "Demo", Role.PLAYER, PASSWORD, now=NOON
            )
            (account_id,) = (await run(session, text("select id from accounts"))).one()
        assert await age.years_of(account_id, now=NOON) >= 18


class TestYears:
    @pytest.mark.parametrize(
        ("zone", "begins"), [(EAST, BIRTHDAY_IN_THE_EAST), (WEST, BIRTHDAY_IN_THE_WEST)]
    )
    async def test_are_counted_where_their_owner_is(self, zone: str, begins: datetime):
        maja = await acting(born="2008-03-14")
        await has_days_of(maja, zone)
        assert await age.years_of(maja.user_id, now=begins - A_SECOND) == 17
        assert await age.years_of(maja.user_id, now=begins) == 18

    async def test_are_unknown_of_who_has_not_told_and_of_nobody(self):
        maja = await acting()
        async with transaction() as session:
            await run(session, text("update accounts set sign_up_age = 15"))
        assert await age.years_of(maja.user_id, now=NOON) is None
        assert await age.years_of(new_id(), now=NOON) is None
