"""Second factors on a real database: set up, shown once, taken away."""

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import text

from rewards_app.core import limits
from rewards_app.core.database import run, transaction
from rewards_app.core.ids import new_id
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts import soon
from rewards_app.features.factors import rules, service
from rewards_app.features.factors.rules import Factor, Purpose, Used
from tests.factors import Device, a_passkey, an_app, passkey_options
from tests.people import NOON, an_account

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture(autouse=True)
def nothing_counted():
    limits.forget_everything()
    soon.forget()
    yield
    soon.forget()


async def check(account_id: UUID, typed: str, now: datetime = NOON) -> Used:
    async with transaction() as session:
        return await service.check_code(session, account_id, typed, now=now)


async def check_key(account_id: UUID, answer: str, now: datetime = NOON) -> Used:
    async with transaction() as session:
        return await service.check_passkey(session, account_id, Purpose.SIGN_IN, answer, now=now)


async def status(account_id: UUID) -> rules.Status:
    async with transaction() as session:
        return await service.status(session, account_id)


async def factor_since(account_id: UUID) -> datetime | None:
    async with transaction() as session:
        row = await run(
            session,
            text("select second_factor_at from accounts where id = :id"),
            {"id": account_id},
        )
        return row.scalar_one()


async def stored() -> str:
    async with transaction() as session:
        found = [
            (await run(session, text(f"select * from {table}"))).all()
            for table in ("authenticators", "backup_codes", "passkeys", "passkey_challenges")
        ]
    return str(found)


async def at_once(*works) -> int:
    """How many of them were let in."""
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    broken = [each for each in outcomes if isinstance(each, Exception)]
    assert all(isinstance(each, rules.WrongCode | rules.PasskeyRefused) for each in broken)
    return len(outcomes) - len(broken)


class TestAuthenticator:
    async def test_counts_once_a_code_of_it_was_shown(self):
        maja = await an_account()
        async with transaction() as session:
            setup = await service.begin_authenticator(session, maja.id, "maja", now=NOON)
        assert setup.uri.startswith("otpauth://totp/WatchCoins:maja?secret=")
        assert setup.qr.startswith("data:image/svg+xml")
        assert not (await status(maja.id)).is_on
        assert await factor_since(maja.id) is None

    async def test_brings_ten_codes_as_the_first_factor(self):
        maja = await an_account()
        app = await an_app(maja.id)
        known = await status(maja.id)
        assert len(app.codes) == known.codes_left == 10
        assert known.authenticator_since == await factor_since(maja.id)

    async def test_brings_none_as_the_second_one(self):
        maja = await an_account()
        await a_passkey(maja.id)
        assert (await an_app(maja.id)).codes == []

    async def test_is_kept_unreadable(self):
        app = await an_app((await an_account()).id)
        rows = await stored()
        assert app.secret not in rows
        assert not any(code in rows for code in app.codes)

    async def test_is_not_replaced_while_it_is_there(self):
        maja = await an_account()
        await an_app(maja.id)
        with pytest.raises(rules.AlreadySetUp):
            async with transaction() as session:
                await service.begin_authenticator(session, maja.id, "maja", now=NOON)

    async def test_is_not_confirmed_by_a_wrong_code_or_too_late(self):
        maja = await an_account()
        async with transaction() as session:
            await service.begin_authenticator(session, maja.id, "maja", now=NOON)
        for code, now, refusal in (
            ("000000", NOON, rules.WrongCode),
            ("000000", NOON + rules.SETUP_LIFETIME, rules.SetupExpired),
        ):
            with pytest.raises(refusal):
                async with transaction() as session:
                    await service.confirm_authenticator(session, maja.id, code, now=now)

    async def test_confirmed_twice_at_once_brings_codes_once(self):
        maja = await an_account()
        async with transaction() as session:
            setup = await service.begin_authenticator(session, maja.id, "maja", now=NOON)
        code = service.totp.TOTP(setup.secret).at(NOON)

        async def confirm() -> list[str]:
            async with transaction() as session:
                return await service.confirm_authenticator(session, maja.id, code, now=NOON)

        made = await asyncio.gather(*(confirm() for _ in range(4)), return_exceptions=True)
        assert len([codes for codes in made if isinstance(codes, list)]) == 1
        assert (await status(maja.id)).codes_left == 10

    async def test_taken_away_takes_the_codes_with_it(self):
        maja = await an_account()
        await an_app(maja.id)
        async with transaction() as session:
            assert await service.remove_authenticator(session, maja.id, now=NOON)
        assert (await status(maja.id)).codes_left == 0
        assert await factor_since(maja.id) is None

    async def test_taken_away_leaves_the_codes_to_a_passkey(self):
        maja = await an_account()
        await an_app(maja.id)
        await a_passkey(maja.id)
        async with transaction() as session:
            await service.remove_authenticator(session, maja.id, now=NOON)
        assert (await status(maja.id)).codes_left == 10
        assert await factor_since(maja.id) is not None


class TestCodesOfAnApp:
    async def test_work_once(self):
        maja = await an_account()
        app = await an_app(maja.id)
        assert await check(maja.id, app.code()) == Used(Factor.AUTHENTICATOR, 10)
        with pytest.raises(rules.WrongCode):
            await check(maja.id, app.code())

    async def test_that_set_the_app_up_do_not_sign_in(self):
        maja = await an_account()
        app = await an_app(maja.id)
        began = NOON - timedelta(minutes=2)
        with pytest.raises(rules.WrongCode):
            await check(maja.id, app.code(began), now=began)

    async def test_older_than_one_that_was_used_work_no_more(self):
        maja = await an_account()
        app = await an_app(maja.id)
        await check(maja.id, app.code(NOON + timedelta(seconds=30)))
        with pytest.raises(rules.WrongCode):
            await check(maja.id, app.code())

    async def test_shown_twice_at_once_let_one_in(self):
        maja = await an_account()
        app = await an_app(maja.id)
        assert await at_once(*(check(maja.id, app.code()) for _ in range(4))) == 1

    async def test_of_another_account_are_wrong(self):
        maja, eve = await an_account(), await an_account("eve@example.com")
        await an_app(maja.id)
        theirs = await an_app(eve.id)
        for code in (theirs.code(), theirs.codes[0]):
            with pytest.raises(rules.WrongCode):
                await check(maja.id, code)
        assert await check(eve.id, theirs.codes[0])

    async def test_of_an_app_that_is_only_being_set_up_are_wrong(self):
        maja = await an_account()
        await a_passkey(maja.id)
        async with transaction() as session:
            setup = await service.begin_authenticator(session, maja.id, "maja", now=NOON)
        with pytest.raises(rules.WrongCode):
            await check(maja.id, service.totp.TOTP(setup.secret).at(NOON))


class TestBackupCodes:
    async def test_work_once_as_they_are_typed(self):
        maja = await an_account()
        code = (await an_app(maja.id)).codes[0]
        assert await check(maja.id, f" {code[:4].lower()}-{code[4:]}") == Used(
            Factor.BACKUP_CODE, 9
        )
        with pytest.raises(rules.WrongCode):
            await check(maja.id, code)

    async def test_used_twice_at_once_let_one_in(self):
        maja = await an_account()
        code = (await an_app(maja.id, has_slow_codes=True)).codes[0]
        assert await at_once(*(check(maja.id, code) for _ in range(4))) == 1
        assert (await status(maja.id)).codes_left == 9

    async def test_made_anew_replace_the_old_ones(self):
        maja = await an_account()
        old = (await an_app(maja.id)).codes
        async with transaction() as session:
            new = await service.new_codes(session, maja.id, now=NOON)
        with pytest.raises(rules.WrongCode):
            await check(maja.id, old[0])
        assert (await check(maja.id, new[0])).codes_left == 9

    async def test_are_not_made_where_nothing_asks_for_them(self):
        maja = await an_account()
        with pytest.raises(rules.NoFactor):
            async with transaction() as session:
                await service.new_codes(session, maja.id, now=NOON)


class TestGuessing:
    async def test_is_over_after_five_tries_and_says_for_how_long(self):
        maja = await an_account()
        app = await an_app(maja.id)
        for _ in range(5):
            with pytest.raises(rules.WrongCode):
                await check(maja.id, "ABCDEFGH")
        with pytest.raises(rules.FactorLocked) as refusal:
            await check(maja.id, app.code())
        assert refusal.value.params == {"count": 5}

    async def test_many_at_once_are_no_more_than_five(self):
        maja = await an_account()
        await an_app(maja.id)
        outcomes = await asyncio.gather(
            *(check(maja.id, f"{number:06}") for number in range(15)), return_exceptions=True
        )
        assert sum(isinstance(each, rules.WrongCode) for each in outcomes) == 5
        assert sum(isinstance(each, rules.FactorLocked) for each in outcomes) == 10

    async def test_is_told_to_admins(self):
        maja = await an_account()
        await an_app(maja.id)
        for _ in range(5):
            with pytest.raises(rules.WrongCode):
                await check(maja.id, "ABCDEFGH")
        await soon.raise_noticed()
        async with transaction() as session:
            shown = (await alerts.newest(session)).shown
        assert [(each.kind, each.account_id) for each in shown] == [("factor_guessed", maja.id)]

    async def test_a_right_code_clears_what_was_counted(self):
        maja = await an_account()
        app = await an_app(maja.id)
        for _ in range(4):
            with pytest.raises(rules.WrongCode):
                await check(maja.id, "ABCDEFGH")
        await check(maja.id, app.codes[0])
        with pytest.raises(rules.WrongCode):
            await check(maja.id, "ABCDEFGH")


class TestPasskeys:
    async def test_bring_ten_codes_as_the_first_factor(self):
        maja = await an_account()
        _, codes = await a_passkey(maja.id, " My  phone ")
        known = await status(maja.id)
        assert (len(codes), [key.name for key in known.passkeys]) == (10, ["My phone"])
        assert await factor_since(maja.id) == NOON

    async def test_sign_in_by_what_was_asked(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        options = await passkey_options(maja.id)
        assert await check_key(maja.id, device.shown(options)) == Used(Factor.PASSKEY, 10)
        assert (await status(maja.id)).passkeys[0].last_used_at == NOON

    async def test_answer_a_question_once(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        answer = device.shown(await passkey_options(maja.id))
        await check_key(maja.id, answer)
        with pytest.raises(rules.PasskeyRefused):
            await check_key(maja.id, answer)

    async def test_an_answer_that_came_twice_at_once_lets_one_in(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        answer = device.shown(await passkey_options(maja.id))
        assert await at_once(*(check_key(maja.id, answer) for _ in range(4))) == 1

    async def test_a_question_is_used_up_by_a_wrong_answer(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        options = await passkey_options(maja.id)
        for answer in (Device(credential_id=device.credential_id), device):
            with pytest.raises(rules.PasskeyRefused):
                await check_key(maja.id, answer.shown(options))

    async def test_whose_answer_another_key_signed_are_refused(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        device.key = Device().key
        with pytest.raises(rules.PasskeyRefused):
            await check_key(maja.id, device.shown(await passkey_options(maja.id)))

    async def test_answer_too_late(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        answer = device.shown(await passkey_options(maja.id))
        with pytest.raises(rules.PasskeyRefused):
            await check_key(maja.id, answer, now=NOON + rules.CHALLENGE_LIFETIME)

    async def test_do_not_answer_what_another_account_or_another_purpose_was_asked(self):
        maja, eve = await an_account(), await an_account("eve@example.com")
        device, _ = await a_passkey(maja.id)
        theirs, _ = await a_passkey(eve.id)
        for answer in (
            device.shown(await passkey_options(eve.id)),
            theirs.shown(await passkey_options(maja.id)),
            device.shown(await passkey_options(maja.id, Purpose.ADD)),
        ):
            with pytest.raises(rules.PasskeyRefused):
                await check_key(maja.id, answer)

    @pytest.mark.parametrize(
        "origin", ["https://evil.example", "http://localhost:8301", "http://localhost:8300.evil"]
    )
    async def test_of_another_site_are_refused(self, origin: str):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        device.origin = origin
        with pytest.raises(rules.PasskeyRefused):
            await check_key(maja.id, device.shown(await passkey_options(maja.id)))

    async def test_that_count_backwards_are_refused_and_told(self):
        maja = await an_account()
        device, _ = await a_passkey(maja.id)
        await check_key(maja.id, device.shown(await passkey_options(maja.id), uses=7))
        with pytest.raises(rules.PasskeyRefused):
            await check_key(maja.id, device.shown(await passkey_options(maja.id), uses=7))
        await soon.raise_noticed()
        async with transaction() as session:
            shown = (await alerts.newest(session)).shown
        assert [each.kind for each in shown] == ["passkey_copied"]

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "null",
            "[]",
            "{}",
            "\ud800",
            '{"rawId": 1, "response": {}}',
            "[" * 15_000,
            "9" * 20_000,
        ],
        ids=["nothing", "null", "list", "empty", "half", "numbers", "deep", "long"],
    )
    async def test_nonsense_is_refused_like_any_other_answer(self, answer: str):
        maja = await an_account()
        await a_passkey(maja.id)
        with pytest.raises(rules.PasskeyRefused):
            await check_key(maja.id, answer)

    async def test_are_added_by_what_was_asked_once(self):
        maja = await an_account()
        options = await passkey_options(maja.id, Purpose.ADD)
        device = Device()
        for outcome in (None, rules.PasskeyRefused):

            async def add() -> None:
                async with transaction() as session:
                    await service.add_passkey(
                        session, maja.id, "Phone", device.made(options), now=NOON
                    )

            if outcome is None:
                await add()
            else:
                with pytest.raises(outcome):
                    await add()
        assert len((await status(maja.id)).passkeys) == 1

    async def test_that_another_account_has_are_not_added(self):
        maja, eve = await an_account(), await an_account("eve@example.com")
        device, _ = await a_passkey(maja.id)
        options = await passkey_options(eve.id, Purpose.ADD)
        with pytest.raises(rules.PasskeyRefused):
            async with transaction() as session:
                await service.add_passkey(session, eve.id, "Mine", device.made(options), now=NOON)

    async def test_are_ten_at_most(self):
        maja = await an_account()
        for number in range(rules.MOST_PASSKEYS):
            await a_passkey(maja.id, f"Key {number}")
        with pytest.raises(rules.TooManyPasskeys):
            await passkey_options(maja.id, Purpose.ADD)

    async def test_are_renamed_and_removed_by_their_owner_only(self):
        maja, eve = await an_account(), await an_account("eve@example.com")
        await a_passkey(maja.id)
        (key,) = (await status(maja.id)).passkeys
        with pytest.raises(rules.NoPasskey):
            async with transaction() as session:
                await service.rename_passkey(session, eve.id, key.id, "Hers")
        with pytest.raises(rules.NoPasskey):
            async with transaction() as session:
                await service.remove_passkey(session, eve.id, key.id, now=NOON)
        async with transaction() as session:
            await service.rename_passkey(session, maja.id, key.id, "Tablet")
        async with transaction() as session:
            assert await service.remove_passkey(session, maja.id, key.id, now=NOON) == "Tablet"
        assert (await status(maja.id)).codes_left == 0

    async def test_are_not_asked_for_where_there_is_none(self):
        with pytest.raises(rules.NoPasskey):
            await passkey_options((await an_account()).id)

    async def test_of_nobody_are_not_removed(self):
        maja = await an_account()
        with pytest.raises(rules.NoPasskey):
            async with transaction() as session:
                await service.remove_passkey(session, maja.id, new_id(), now=NOON)
