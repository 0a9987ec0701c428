"""Asking a signed-in person for their password again."""

from datetime import timedelta

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.features.accounts import proving, repository, rules, sessions
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in

pytestmark = pytest.mark.usefixtures("database")
BROWSER = a_browser()


async def an_actor(email: str = "maja@example.com", *, password: bool = True) -> Actor:
    account = await an_account(email)
    if not password:
        async with transaction() as session:
            known = await repository.account_by_id(session, account.id)
            assert known
            known.password_hash = None
            session.add(known)
    actor = await sessions.find_actor(digest(await signed_in(account.id, BROWSER)), now=NOON)
    assert actor
    return actor


async def prove(actor: Actor, password: str = PASSWORD, *, after: timedelta = timedelta(0)) -> None:
    async with transaction() as session:
        await proving.prove(session, actor, password, BROWSER, now=NOON + after)


class TestProve:
    async def test_the_right_password_passes(self):
        await prove(await an_actor())

    @pytest.mark.parametrize("typed", ["", "wrong", PASSWORD + " ", PASSWORD.upper(), "x" * 5000])
    async def test_any_other_is_refused_beside_its_field(self, typed: str):
        with pytest.raises(rules.WrongPassword) as refusal:
            await prove(await an_actor(), typed)
        assert refusal.value.params == {"field": "password"}

    async def test_the_password_of_another_account_is_a_wrong_one(self):
        await an_account("noor@example.com", password="Other-Otter7-rides!", name="Noor")
        with pytest.raises(rules.WrongPassword):
            await prove(await an_actor(), "Other-Otter7-rides!")

    async def test_after_five_failures_the_right_one_is_refused_too(self):
        maja = await an_actor()
        for _ in range(5):
            with pytest.raises(rules.WrongPassword):
                await prove(maja, "wrong")
        with pytest.raises(TooManyAttempts):
            await prove(maja)

    async def test_the_right_one_forgets_the_failures_before_it(self):
        maja = await an_actor()
        for _ in range(3):
            for _ in range(4):
                with pytest.raises(rules.WrongPassword):
                    await prove(maja, "wrong")
            await prove(maja)

    async def test_nothing_at_all_is_no_failure(self):
        maja = await an_actor()
        for _ in range(6):
            with pytest.raises(rules.WrongPassword):
                await prove(maja, "")
        await prove(maja)

    async def test_failures_of_one_lock_nobody_else(self):
        maja, noor = await an_actor(), await an_actor("noor@example.com")
        for _ in range(6):
            with pytest.raises((rules.WrongPassword, TooManyAttempts)):
                await prove(maja, "wrong")
        await prove(noor)


class TestWithoutAPassword:
    async def test_a_fresh_sign_in_is_enough(self):
        await prove(await an_actor(password=False), "", after=timedelta(minutes=9))

    async def test_an_older_one_is_not(self):
        with pytest.raises(rules.SignInAgain):
            await prove(await an_actor(password=False), "", after=timedelta(minutes=11))

    async def test_has_password_tells_who_has_one(self):
        maja, noor = await an_actor(), await an_actor("noor@example.com", password=False)
        async with transaction() as session:
            assert await proving.has_password(session, maja.user_id)
            assert not await proving.has_password(session, noor.user_id)
