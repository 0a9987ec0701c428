"""Telling one's age, on a real database."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import NotAllowed, TooManyAttempts
from rewards_app.features.accounts import age, age_rules, sessions
from rewards_app.features.accounts.demo import make_demo_account
from rewards_app.features.accounts.rules import TooYoung
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in

pytestmark = pytest.mark.usefixtures("database")


async def acting(email: str = "maja@example.com", role: Role = Role.PLAYER, **known) -> Actor:
    account = await an_account(email, role, **({"born": None} | known))
    secret = await signed_in(account.id, a_browser())
    actor = await sessions.find_actor(digest(secret), now=NOON)
    assert actor
    return actor


async def tells(actor: Actor, birth_date: str, *, now=NOON) -> date:
    async with transaction() as session:
        return await age.verify_age(session, actor, birth_date, now=now)


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
        assert await age.latest_birth_date_of(maja.user_id) is None
        async with transaction() as session:
            await run(session, text("update accounts set sign_up_age = 15"))
        assert await age.latest_birth_date_of(maja.user_id) == date(2011, 3, 14)
        await tells(maja, "2001-07-09")
        assert await age.latest_birth_date_of(maja.user_id) == date(2001, 7, 9)

    async def test_demo_people_are_of_age(self):
        async with transaction() as session:
            await make_demo_account(
                session, "demo@example.com", "Demo", Role.PLAYER, PASSWORD, now=NOON
            )
            (account_id,) = (await run(session, text("select id from accounts"))).one()
        born = await age.birth_date_of(account_id)
        assert age_rules.age_on(born, NOON.date()) >= 18
