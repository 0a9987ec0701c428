"""A sign-in that asks for more than a password, on a real database."""

import asyncio
from datetime import datetime, timedelta

import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core import limits
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import run, transaction
from rewards_app.features.accounts import (
    closing,
    links,
    mailed_links,
    rules,
    sessions,
    signing_in,
    steps,
)
from rewards_app.features.accounts.letters import RESETTING
from rewards_app.features.factors import resets
from rewards_app.features.factors import rules as factor_rules
from rewards_app.features.factors import service as factors
from rewards_app.models import Account
from tests.factors import a_passkey, an_app
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in
from tests.queued import letters

pytestmark = pytest.mark.usefixtures("database")
BROWSER = a_browser()
ANOTHER = a_browser("b")
NEW_PASSWORD = "Brave-Heron4-sings!"


@pytest.fixture(autouse=True)
def nothing_counted():
    limits.forget_everything()


async def sign_in(
    account: Account,
    browser: Caller = BROWSER,
    now: datetime = NOON,
    *,
    password: str = PASSWORD,
):
    async with transaction() as session:
        return await signing_in.sign_in(
            session, account.email, password, browser, may_log_address=True, now=now
        )


async def reset_password(account: Account) -> None:
    """By a mailed link, as somebody would who reads the owner's mails."""
    async with transaction() as session:
        token = links.new(session, account, links.RESET, now=NOON)
    async with transaction() as session:
        await mailed_links.reset_password(session, token, NEW_PASSWORD, BROWSER, now=NOON)


async def a_step(account: Account, browser: Caller = BROWSER) -> str:
    step = await sign_in(account, browser)
    assert isinstance(step, steps.Step)
    return step.token


async def answer(token: str, code: str, browser: Caller = BROWSER, now: datetime = NOON):
    async with transaction() as session:
        return await steps.answer_code(session, token, code, browser, now=now)


async def guesses(
    token: str, browser: Caller, *, times: int = factors.TRIES_PER_ACCOUNT.amount
) -> None:
    for _ in range(times):
        with pytest.raises(factor_rules.WrongCode):
            await answer(token, "ABCDEFGH", browser)


async def asked(token: str, browser: Caller = BROWSER, now: datetime = NOON) -> steps.Asked:
    async with transaction() as session:
        return await steps.asked(session, token, browser, now=now)


async def opened(outcome: object, browser: Caller = BROWSER) -> bool:
    assert isinstance(outcome, steps.Ticket)
    async with transaction() as session:
        return bool(await sessions.redeem_ticket(session, outcome.secret, browser, now=NOON))


async def told() -> list[str]:
    return [letter["name"] for letter in await letters()]


async def close(account: Account) -> datetime:
    async with transaction() as session:
        return await closing.close(session, account.id, now=NOON)


class TestASecondFactor:
    async def test_is_asked_for_before_anything_opens(self):
        maja = await an_account()
        app = await an_app(maja.id)
        token = await a_step(maja)
        assert await asked(token) == steps.Asked(factor=True, has_app=True)
        assert await opened(await answer(token, app.code()))

    async def test_is_not_told_of_to_who_does_not_know_the_password(self):
        maja, leo = await an_account(), await an_account("leo@example.com")
        await an_app(maja.id)
        for account in (maja, leo):
            with pytest.raises(rules.InvalidCredentials):
                async with transaction() as session:
                    await signing_in.sign_in(
                        session, account.email, "wrong", BROWSER, may_log_address=False, now=NOON
                    )

    async def test_is_shown_in_the_browser_that_showed_the_password(self):
        maja = await an_account()
        app = await an_app(maja.id)
        token = await a_step(maja)
        for browser in (ANOTHER, a_browser(door_hash="")):
            with pytest.raises(rules.StepExpired):
                await answer(token, app.code(), browser)
        assert await answer(token, app.code())

    async def test_is_shown_within_ten_minutes(self):
        maja = await an_account()
        app = await an_app(maja.id)
        late = NOON + rules.STEP_LIFETIME
        with pytest.raises(rules.StepExpired):
            await answer(await a_step(maja), app.code(late), now=late)

    async def test_guessed_elsewhere_keeps_nobody_out_of_a_browser_they_know(self):
        maja = await an_account()
        app = await an_app(maja.id)
        await signed_in(maja.id, BROWSER)
        thief, own = await a_step(maja, ANOTHER), await a_step(maja)
        await guesses(thief, ANOTHER)
        with pytest.raises(factor_rules.FactorLocked):
            await answer(thief, app.code(), ANOTHER)
        assert await opened(await answer(own, app.code()))
        with pytest.raises(factor_rules.FactorLocked):
            await answer(thief, app.codes[0], ANOTHER)

    async def test_that_is_guessed_at_is_told_to_its_owner_once_a_lock(self):
        maja = await an_account()
        app = await an_app(maja.id)
        thief = await a_step(maja, ANOTHER)
        await guesses(thief, ANOTHER)
        for code in ("ABCDEFGH", app.code()):
            with pytest.raises(factor_rules.FactorLocked):
                await answer(thief, code, ANOTHER)
        [letter] = await letters()
        assert (letter["name"], letter["recipient"]) == ("security_factor_guessed", maja.email)
        assert letter["link"].endswith(RESETTING)

    async def test_that_was_mistyped_four_times_is_told_to_nobody(self):
        maja = await an_account()
        app = await an_app(maja.id)
        token = await a_step(maja)
        await guesses(token, BROWSER, times=4)
        await answer(token, app.code())
        assert await told() == []

    async def test_that_is_guessed_at_slowly_is_told_once_in_five_minutes(self):
        maja = await an_account()
        await an_app(maja.id)
        token = await a_step(maja)
        with time_machine.travel(NOON, tick=False) as clock:
            for _ in range(9):
                await guesses(token, BROWSER, times=1)
                clock.shift(timedelta(seconds=61))
        assert await told() == ["security_factor_guessed"]

    async def test_that_is_guessed_at_all_day_long_is_told_twenty_times(self):
        maja = await an_account()
        await an_app(maja.id)
        token = await a_step(maja)
        with time_machine.travel(NOON, tick=False) as clock:
            for _ in range(22):
                await guesses(token, BROWSER)
                clock.shift(timedelta(minutes=5, seconds=1))
        assert await told() == ["security_factor_guessed"] * 20

    async def test_is_guessed_five_times_in_a_browser_that_is_known_too(self):
        maja = await an_account()
        app = await an_app(maja.id)
        await signed_in(maja.id, BROWSER)
        own = await a_step(maja)
        await guesses(own, BROWSER)
        with pytest.raises(factor_rules.FactorLocked):
            await answer(own, app.code())

    async def test_is_guessed_no_oftener_by_who_was_there_before_it_was(self):
        """With the password alone, in as many browsers as they liked."""
        maja = await an_account()
        thief, third = a_browser("t"), a_browser("u")
        for browser in (thief, third):
            await signed_in(maja.id, browser, now=NOON - timedelta(hours=1))
        app = await an_app(maja.id)
        begun, another = await a_step(maja, thief), await a_step(maja, third)
        await guesses(begun, thief)
        with pytest.raises(factor_rules.FactorLocked):
            await answer(another, app.code(), third)

    async def test_opens_once(self):
        maja = await an_account()
        app = await an_app(maja.id)
        token = await a_step(maja)
        await answer(token, app.codes[0])
        with pytest.raises(rules.StepExpired):
            await answer(token, app.codes[1])

    async def test_one_code_at_two_sign_ins_at_once_opens_one(self):
        maja = await an_account()
        app = await an_app(maja.id, has_slow_codes=True)
        tokens = [await a_step(maja), await a_step(maja)]
        outcomes = await asyncio.gather(
            *(answer(token, app.codes[0]) for token in tokens), return_exceptions=True
        )
        assert sum(isinstance(each, steps.Ticket) for each in outcomes) == 1
        assert sum(isinstance(each, factor_rules.WrongCode) for each in outcomes) == 1

    async def test_wrong_codes_are_all_refused_alike(self):
        maja, eve = await an_account(), await an_account("eve@example.com")
        app, theirs = await an_app(maja.id), await an_app(eve.id)
        token = await a_step(maja)
        await answer(await a_step(maja), app.codes[0])
        for wrong in ("", "ABCDEFGH", app.codes[0], theirs.codes[0]):
            with pytest.raises(factor_rules.WrongCode) as refusal:
                await answer(token, wrong)
            assert refusal.value.params == {}

    async def test_can_be_a_passkey(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        token = await a_step(maja)
        assert (await asked(token)).has_passkey
        async with transaction() as session:
            options = await steps.passkey_options(session, token, BROWSER, now=NOON)
        async with transaction() as session:
            outcome = await steps.answer_passkey(
                session, token, device.shown(options), BROWSER, now=NOON
            )
        assert await opened(outcome)

    async def test_a_backup_code_is_told_to_the_owner(self):
        maja = await an_account()
        app = await an_app(maja.id)
        await answer(await a_step(maja), app.codes[0])
        assert await told() == ["security_backup_code_used"]

    async def test_a_new_password_does_not_do_without_it_and_ends_what_had_begun(self):
        maja = await an_account()
        app = await an_app(maja.id)
        token = await a_step(maja)
        await reset_password(maja)
        with pytest.raises(rules.StepExpired):
            await answer(token, app.code())
        assert isinstance(await sign_in(maja, password=NEW_PASSWORD), steps.Step)

    async def test_that_is_gone_meanwhile_is_not_asked_for(self):
        maja = await an_account()
        await an_app(maja.id)
        token = await a_step(maja)
        async with transaction() as session:
            await factors.remove_everything(session, maja.id, now=NOON)
        assert await asked(token) == steps.Asked(factor=False)
        assert await opened(await answer(token, ""))

    async def test_shown_after_all_ends_the_wish_to_do_without(self):
        maja = await an_account()
        app = await an_app(maja.id)
        token = await a_step(maja)
        async with transaction() as session:
            await steps.ask_reset(session, token, BROWSER, now=NOON)
        await answer(token, app.code())
        async with transaction() as session:
            assert list(await resets.waiting(session)) == []
        assert await told() == ["factor_reset_asked", "factor_reset_cancelled"]

    async def test_steps_are_kept_as_a_hash_only(self):
        maja = await an_account()
        await an_app(maja.id)
        token = await a_step(maja)
        async with transaction() as session:
            stored = (await run(session, text("select * from sign_in_steps"))).all()
        assert token not in str(stored)
        assert digest(token) in str(stored)


class TestAnAccountThatIsToBeDeleted:
    async def test_opens_nothing_and_says_when_it_is_erased(self):
        maja = await an_account()
        due = await close(maja)
        assert await asked(await a_step(maja)) == steps.Asked(factor=False, erased_at=due)

    async def test_is_kept_by_its_owner_who_is_signed_in(self):
        maja = await an_account()
        await close(maja)
        token = await a_step(maja)
        async with transaction() as session:
            kept = await steps.keep_account(session, token, BROWSER, now=NOON)
        assert await opened(kept)
        assert isinstance(await sign_in(maja), steps.Ticket)

    async def test_is_not_kept_without_its_second_factor(self):
        maja = await an_account()
        app = await an_app(maja.id)
        due = await close(maja)
        token = await a_step(maja)
        with pytest.raises(rules.StepExpired):
            async with transaction() as session:
                await steps.keep_account(session, token, BROWSER, now=NOON)
        assert await answer(token, app.code()) == steps.Step(token)
        assert (await asked(token)).erased_at == due
        async with transaction() as session:
            assert await steps.keep_account(session, token, BROWSER, now=NOON)

    async def test_stays_closed_for_who_leaves(self):
        maja = await an_account()
        await close(maja)
        token = await a_step(maja)
        async with transaction() as session:
            await steps.leave(session, token, BROWSER, now=NOON)
        with pytest.raises(rules.StepExpired):
            await asked(token)


class TestNewDevices:
    async def test_the_first_one_ever_is_not_told(self):
        maja = await an_account()
        await signed_in(maja.id, BROWSER)
        assert await letters() == []

    async def test_another_one_is_told_once(self):
        maja = await an_account()
        for browser in (BROWSER, ANOTHER, ANOTHER, BROWSER):
            await signed_in(maja.id, browser)
        assert await told() == ["security_new_device"]

    async def test_two_sign_ins_in_one_new_browser_at_once_are_told_once(self):
        maja = await an_account()
        await signed_in(maja.id, BROWSER)
        await asyncio.gather(*(signed_in(maja.id, ANOTHER) for _ in range(4)))
        assert await told() == ["security_new_device"]

    async def test_sessions_from_before_browsers_were_told_apart_tell_nothing(self):
        maja = await an_account()
        await signed_in(maja.id, BROWSER)
        async with transaction() as session:
            await run(session, text("update account_sessions set door_hash = ''"))
        await signed_in(maja.id, ANOTHER, now=NOON + timedelta(days=1))
        assert await letters() == []
