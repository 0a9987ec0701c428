"""Whoever has stolen a password and speaks to the socket: nothing opens without the rest."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import pytest

from rewards_app.api.session import LATE
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository
from rewards_app.features.factors import resets
from tests import steady
from tests.factors import App, an_app
from tests.hostile.client import AUTH, STEP, Browser, Tab
from tests.hostile.evidence import Diary, Vault
from tests.hostile.identities import PASSWORD, Person, a_visitor, role_of
from tests.serving import Served

NONSENSE = ("", "null", "{}", "[" * 5000, '{"rawId":"AA","response":{"clientDataJSON":"AA"}}')


@dataclass
class Victim:
    person: Person
    app: App


@pytest.fixture
async def victim(maja: Person) -> Victim:
    async with transaction() as session:
        account = await repository.account_by_email(session, maja.email)
    assert account
    before = utc_now() - timedelta(minutes=5)
    return Victim(maja, await an_app(account.id, has_slow_codes=True, now=before))


async def shows_the_password(tab: Tab, victim: Victim) -> None:
    form = {"email": victim.person.email, "password": PASSWORD}
    await tab.call(f"{AUTH}.sign_in", {"form": form})
    assert (tab.says("mode"), tab.says("waits_for")) == ("second", "factor")
    assert not tab.says("door")


async def types(tab: Tab, code: str):
    return await tab.call(f"{STEP}.answer_code", {"form": {"code": code}})


async def is_inside(browser: Browser, tab: Tab) -> bool:
    door = tab.says("door")
    if not door:
        return False
    await browser.enters(door)
    return bool(browser.cookies.get("session"))


class TestAStolenPassword:
    async def test_opens_nothing_that_only_its_owner_could(
        self, victim: Victim, served: Served, vault: Vault
    ):
        thief = await a_visitor(served)
        async with thief.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            before = vault.fingerprint()
            answer = await tab.call(f"{STEP}.keep_account")
            assert answer.refused_as == "accounts.step_expired"
            assert vault.fingerprint() == before
            assert not tab.says("door")
        assert await role_of(thief) == "visitor"

    async def test_five_wrong_codes_lock_even_the_right_one_out_and_admins_hear_of_it(
        self, victim: Victim, served: Served, vault: Vault
    ):
        thief = await a_visitor(served)
        async with thief.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            for number in range(5):
                assert (await types(tab, f"{number:06}")).refused_as == "factors.wrong_code"
            answer = await types(tab, victim.app.code(utc_now()))
            assert answer.refused_as == "factors.locked"
            assert 1 <= tab.says("refusal")["params"]["count"] <= 5
            assert not tab.says("door")
        query = (
            "select count(*) from security_alerts join accounts on accounts.id = account_id"
            " where email = %s and alert_type = 'factor_guessed'"
        )
        async with steady.timeout(5):
            while not vault.one(query, victim.person.email):
                await asyncio.sleep(0.1)
        # Another one would come within half a second.
        await asyncio.sleep(1)
        assert vault.one(query, victim.person.email) == 1

    async def test_another_tab_gains_no_more_tries(self, victim: Victim, served: Served):
        refused: list[str] = []
        for _ in range(3):
            thief = await a_visitor(served)
            async with thief.tab("/auth?mode=login") as tab:
                await shows_the_password(tab, victim)
                for number in range(3):
                    refused.append((await types(tab, f"{number:06}")).refused_as)
        assert refused == ["factors.wrong_code"] * 5 + ["factors.locked"] * 4

    async def test_a_code_that_was_used_is_refused_like_a_wrong_one(
        self, victim: Victim, served: Served
    ):
        owner, thief = await a_visitor(served), await a_visitor(served)
        code = victim.app.codes[0]
        async with owner.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            await types(tab, code)
            assert await is_inside(owner, tab)
        async with thief.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            used = await types(tab, code)
            wrong = await types(tab, "ABCDEFGH")
            assert used.refused_as == wrong.refused_as == "factors.wrong_code"
            assert not tab.says("door")

    async def test_one_code_in_two_browsers_at_once_opens_one(self, victim: Victim, served: Served):
        browsers = [await a_visitor(served), await a_visitor(served)]
        code = victim.app.codes[1]
        async with (
            browsers[0].tab("/auth?mode=login") as one,
            browsers[1].tab("/auth?mode=login") as other,
        ):
            for tab in (one, other):
                await shows_the_password(tab, victim)
            await asyncio.gather(types(one, code), types(other, code))
            assert sorted(bool(tab.says("door")) for tab in (one, other)) == [False, True]

    async def test_nonsense_for_a_passkey_is_refused_and_nothing_breaks(
        self, victim: Victim, served: Served, diary: Diary
    ):
        thief = await a_visitor(served)
        async with thief.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            for answer in NONSENSE:
                said = await tab.call(f"{STEP}.answer_passkey", {"answer": answer})
                assert said.refused_as in ("factors.passkey_refused", "factors.locked")
            assert not tab.says("door")
        assert "handler.broke" not in diary.text()

    async def test_no_code_is_written_into_the_log(
        self, victim: Victim, served: Served, diary: Diary
    ):
        thief = await a_visitor(served)
        async with thief.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            await types(tab, "QQQQWWWW")
            await types(tab, victim.app.codes[2])
        told = diary.text()
        assert "QQQQWWWW" not in told
        assert victim.app.codes[2] not in told
        assert victim.person.email not in told


class TestAStepOfSomebodyElse:
    async def test_is_not_taken_over_with_the_token_of_their_tab(
        self, victim: Victim, served: Served
    ):
        owner, thief = await a_visitor(served), await a_visitor(served)
        async with owner.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            token = tab.token
        async with thief.tab("/auth?mode=second", token=token) as tab:
            answer = await types(tab, victim.app.codes[0])
            assert answer.refused_as == "accounts.step_expired"
            assert not tab.says("door")

    @pytest.mark.parametrize("step", ["", "made-up", "x" * 5000])
    async def test_is_not_guessed(self, served: Served, step: str):
        thief = await a_visitor(served)
        async with thief.tab(f"/auth?mode=second&step={step}") as tab:
            await tab.settle()
            assert (tab.says("refusal") or {}).get("code") == "accounts.step_expired"
            assert tab.says("waits_for") == "over"

    async def test_opens_no_session_as_if_it_were_a_ticket(
        self, victim: Victim, served: Served, vault: Vault
    ):
        thief = await a_visitor(served)
        step = "a-step-that-this-browser-knows"
        vault.ask(
            "insert into sign_in_steps (token_hash, account_id, door_hash, may_log_address,"
            " has_factor, expires_at) select %s, id, %s, false, false, now() + '5 minutes'"
            " from accounts where email = %s",
            digest(step),
            digest(thief.cookies["door"]),
            victim.person.email,
        )
        answer = await thief.enters(f"/session/start?ticket={step}")
        assert answer.headers["location"] == LATE
        assert "session" not in thief.cookies
        async with thief.tab(f"/auth?mode=second&step={step}") as tab:
            await tab.settle()
            assert tab.says("waits_for") == "factor"


class TestTheWayBack:
    async def test_is_stopped_once_by_the_link_of_the_mail(
        self, victim: Victim, served: Served, vault: Vault
    ):
        thief = await a_visitor(served)
        async with thief.tab("/auth?mode=login") as tab:
            await shows_the_password(tab, victim)
            for _ in range(3):
                await tab.call(f"{STEP}.ask_support")
            assert tab.says("waits_for") == "asked"
            assert not tab.says("door")
        query = (
            "select factor_resets.id from factor_resets join accounts on accounts.id = account_id"
            " where email = %s"
        )
        [(reset_id,)] = vault.ask(query, victim.person.email)
        link = resets._cancel_token(reset_id)
        owner = await a_visitor(served)
        keep = STEP.replace("step_state____step_state", "step_state____keep_factor_state")
        refused: list[str] = []
        for token in ("0" * 64, link, link):
            async with owner.tab(f"/keep-factor?token={token}") as tab:
                await tab.settle()
                await tab.call(f"{keep}.keep")
                refused.append((tab.says("refusal") or {}).get("code", ""))
        assert refused == ["factors.reset_unknown", "", "factors.reset_over"]
        status = "select status from factor_resets where id = %s"
        assert vault.one(status, reset_id) == "cancelled"
