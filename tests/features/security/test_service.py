"""Changing what protects an account: proven first, told to its owner; on a real database."""

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import uuid4

import pyotp
import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.features.accounts import closing, rules, sessions
from rewards_app.features.factors import resets
from rewards_app.features.factors import service as factors
from rewards_app.features.factors.rules import NoFactor, NoPasskey, SetupExpired, WrongCode
from rewards_app.features.security import service
from tests.factors import Device
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in
from tests.review import an_admin

pytestmark = pytest.mark.usefixtures("database")
BROWSER = a_browser()


async def maja(email: str = "maja@example.com") -> Actor:
    account = await an_account(email)
    actor = await sessions.find_actor(digest(await signed_in(account.id, BROWSER)), now=NOON)
    assert actor
    return actor


async def begin(actor: Actor, password: str = PASSWORD) -> factors.Setup:
    async with transaction() as session:
        return await service.begin_authenticator(session, actor, password, BROWSER, now=NOON)


async def confirm(actor: Actor, code: str) -> list[str]:
    async with transaction() as session:
        return await service.confirm_authenticator(session, actor, code, BROWSER, now=NOON)


async def set_up(actor: Actor) -> list[str]:
    secret = (await begin(actor)).secret
    return await confirm(actor, pyotp.TOTP(secret).at(NOON))


async def remove(actor: Actor) -> bool:
    async with transaction() as session:
        return await service.remove_authenticator(session, actor, PASSWORD, BROWSER, now=NOON)


async def remove_the_passkey(actor: Actor) -> bool:
    (key,) = (await status(actor)).passkeys
    async with transaction() as session:
        return await service.remove_passkey(session, actor, key.id, PASSWORD, BROWSER, now=NOON)


async def add_a_passkey(actor: Actor) -> list[str]:
    async with transaction() as session:
        asked = await service.begin_passkey(session, actor, PASSWORD, BROWSER, now=NOON)
    answer = Device().made(asked)
    async with transaction() as session:
        return await service.add_passkey(session, actor, "Phone", answer, BROWSER, now=NOON)


async def elsewhere(actor: Actor) -> str:
    """Another browser's session of the account."""
    return digest(await signed_in(actor.user_id, a_browser("elsewhere")))


async def status(actor: Actor) -> factors.Status:
    async with transaction() as session:
        return await factors.status(session, actor.user_id)


async def letters() -> list[str]:
    async with transaction() as session:
        rows = (await run(session, text("select args from procrastinate_jobs order by id"))).all()
    found = [row[0] if isinstance(row[0], dict) else json.loads(row[0]) for row in rows]
    return [letter["name"] for letter in found if "recipient" in letter]


class TestAuthenticator:
    async def test_counts_once_a_code_was_shown_and_its_owner_is_told(self):
        actor = await maja()
        codes = await set_up(actor)
        assert len(set(codes)) == 10
        assert (await status(actor)).is_on
        assert await letters() == ["security_authenticator_added"]

    async def test_is_not_begun_without_the_password(self):
        with pytest.raises(rules.WrongPassword):
            await begin(await maja(), "wrong")

    async def test_nothing_is_confirmed_that_was_not_begun(self):
        with pytest.raises(SetupExpired):
            await confirm(await maja(), "123456")

    async def test_a_wrong_code_turns_nothing_on(self):
        actor = await maja()
        await begin(actor)
        with pytest.raises(WrongCode):
            await confirm(actor, "000000")
        assert not (await status(actor)).is_on
        assert not await letters()

    async def test_goes_with_the_password_only_and_its_owner_is_told(self):
        actor = await maja()
        await set_up(actor)
        with pytest.raises(rules.WrongPassword):
            async with transaction() as session:
                await service.remove_authenticator(session, actor, "wrong", BROWSER, now=NOON)
        assert (await status(actor)).is_on
        assert not await remove(actor)
        assert not (await status(actor)).is_on
        assert (await letters())[-1] == "security_two_factor_off"

    async def test_while_a_passkey_stays_two_factor_does_not_read_as_off(self):
        actor = await maja()
        await set_up(actor)
        await add_a_passkey(actor)
        assert await remove(actor)
        assert (await status(actor)).is_on
        assert (await letters())[-1] == "security_authenticator_removed"

    async def test_of_another_account_stays(self):
        noor = await maja("noor@example.com")
        await set_up(noor)
        async with transaction() as session:
            await service.remove_authenticator(session, await maja(), PASSWORD, BROWSER, now=NOON)
        assert (await status(noor)).is_on
        assert await letters() == ["security_authenticator_added"]


class TestTheFirstFactor:
    """What a password alone opened before may not gain by it: a thief's session neither."""

    @pytest.mark.parametrize("add", [set_up, add_a_passkey], ids=["an app", "a passkey"])
    async def test_ends_the_sessions_that_never_showed_one(
        self, add: Callable[[Actor], Awaitable[object]]
    ):
        actor = await maja()
        other = await elsewhere(actor)
        await add(actor)
        async with transaction() as session:
            alive = await sessions.alive(session, actor.user_id, now=NOON)
        assert [each.id for each in alive] == [actor.session_id]
        assert await sessions.find_actor(other, now=NOON) is None

    async def test_ends_a_sign_in_that_is_on_its_way(self):
        actor, thief = await maja(), a_browser("elsewhere")
        async with transaction() as session:
            ticket = await sessions.issue_ticket(
                session, actor.user_id, thief, may_log_address=False, now=NOON
            )
        await set_up(actor)
        async with transaction() as session:
            assert await sessions.redeem_ticket(session, ticket, thief, now=NOON) is None

    async def test_set_up_again_after_the_last_was_removed_ends_them_again(self):
        actor = await maja()
        await set_up(actor)
        await remove(actor)
        other = await elsewhere(actor)
        await set_up(actor)
        assert await sessions.find_actor(other, now=NOON) is None

    async def test_a_second_one_ends_nothing(self):
        actor = await maja()
        await set_up(actor)
        other = await elsewhere(actor)
        assert await add_a_passkey(actor) == []
        assert await sessions.find_actor(other, now=NOON)


class TestAWishToDoWithoutTheFactor:
    """Asked for when the phone was lost; its owner was still signed in elsewhere."""

    @pytest.mark.parametrize(
        ("had", "adds"), [(add_a_passkey, set_up), (set_up, add_a_passkey)], ids=["app", "passkey"]
    )
    async def test_does_not_take_away_the_factor_that_was_set_up_since(
        self, had: Callable[[Actor], Awaitable[object]], adds: Callable[[Actor], Awaitable[object]]
    ):
        actor, linnea = await maja(), await an_admin()
        await had(actor)
        async with transaction() as session:
            ready = await resets.ask(session, actor.user_id, now=NOON)
            (wish,) = await resets.waiting(session)
            await resets.grant(session, linnea, wish.id, "It is her.", now=NOON)
        await adds(actor)
        async with transaction() as session:
            assert not await resets.due(session, now=ready)
            assert not await resets.perform(session, actor.user_id, now=ready)
            assert not await resets.waiting(session)
        assert (await status(actor)).is_on
        assert "factor_reset_cancelled" in await letters()

    @pytest.mark.parametrize(
        ("had", "removes"),
        [(set_up, remove), (add_a_passkey, remove_the_passkey)],
        ids=["app", "passkey"],
    )
    async def test_ends_with_the_last_factor_and_nobody_reads_that_one_stays_on(
        self,
        had: Callable[[Actor], Awaitable[object]],
        removes: Callable[[Actor], Awaitable[bool]],
    ):
        actor = await maja()
        await had(actor)
        async with transaction() as session:
            await resets.ask(session, actor.user_id, now=NOON)
        assert not await removes(actor)
        async with transaction() as session:
            assert not await resets.waiting(session)
        assert "factor_reset_cancelled" not in await letters()
        assert (await letters())[-1] == "security_two_factor_off"


class TestCodes:
    async def test_new_ones_take_the_place_of_the_old_ones(self):
        actor = await maja()
        old = await set_up(actor)
        async with transaction() as session:
            new = await service.renew_codes(session, actor, PASSWORD, BROWSER, now=NOON)
        assert not set(old) & set(new)
        with pytest.raises(WrongCode):
            async with transaction() as session:
                await factors.check_code(session, actor.user_id, old[0], now=NOON)
        assert (await letters())[-1] == "security_codes_renewed"

    async def test_there_are_none_without_a_factor(self):
        with pytest.raises(NoFactor):
            async with transaction() as session:
                await service.renew_codes(session, await maja(), PASSWORD, BROWSER, now=NOON)


class TestPasskeys:
    async def test_of_the_last_factor_its_owner_hears_that_the_password_is_enough(self):
        actor = await maja()
        await add_a_passkey(actor)
        assert not await remove_the_passkey(actor)
        assert (await letters())[-1] == "security_two_factor_off"

    async def test_of_one_beside_an_app_its_owner_hears_that_it_is_gone(self):
        actor = await maja()
        await set_up(actor)
        await add_a_passkey(actor)
        assert await remove_the_passkey(actor)
        assert (await letters())[-1] == "security_passkey_removed"

    async def test_one_is_not_begun_without_the_password(self):
        with pytest.raises(rules.WrongPassword):
            async with transaction() as session:
                await service.begin_passkey(session, await maja(), "wrong", BROWSER, now=NOON)

    async def test_one_that_is_not_ones_own_is_not_removed(self):
        with pytest.raises(NoPasskey):
            async with transaction() as session:
                await service.remove_passkey(
                    session, await maja(), uuid4(), PASSWORD, BROWSER, now=NOON
                )
        assert not await letters()


class TestCloseAccount:
    async def test_is_refused_without_the_password(self):
        actor = await maja()
        with pytest.raises(rules.WrongPassword):
            async with transaction() as session:
                await service.close_account(session, actor, "wrong", BROWSER, now=NOON)
        async with transaction() as session:
            assert await closing.due_at(session, actor.user_id) is None

    async def test_signs_out_at_once_and_erases_after_thirty_days(self):
        actor = await maja()
        with time_machine.travel(NOON, tick=False):
            async with transaction() as session:
                due = await service.close_account(session, actor, PASSWORD, BROWSER, now=NOON)
        assert due == NOON + timedelta(days=30)
        async with transaction() as session:
            assert not await sessions.alive(session, actor.user_id, now=NOON)
