"""A guardian's link: guessed, replayed, somebody else's, and handlers called without it."""

import secrets
from datetime import timedelta
from urllib.parse import quote
from uuid import UUID

import pytest

from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.models import GuardianConsent
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Vault
from tests.hostile.identities import a_new_email, a_visitor, signs_in
from tests.people import an_account, born_years_ago
from tests.serving import Served

PAGE = f"{APP}.rewards_app___features___guardians___page_state____guardian_page_state"
CARD = f"{APP}.rewards_app___features___guardians___state____guardian_state"
STATUS = "select status from guardian_consents where account_id = %s"
SIGNED = {"form": {"full_name": "Anna Berg", "is_guardian": "on"}}


async def a_young_account() -> tuple[str, UUID]:
    email = a_new_email("teen")
    account = await an_account(email, born=born_years_ago(14), now=utc_now())
    return email, account.id


async def asked(account_id: UUID) -> str:
    token = secrets.token_urlsafe(32)
    async with transaction() as session:
        session.add(
            GuardianConsent(
                account_id=account_id,
                email="mum@example.com",
                token_hash=digest(token),
                expires_at=utc_now() + timedelta(days=1),
                created_at=utc_now(),
            )
        )
    return token


async def stage_of(browser: Browser, token: str) -> str:
    async with browser.tab(f"/guardian?token={token}") as tab:
        await tab.settle()
        return tab.says("stage")


@pytest.mark.parametrize("token", ["", "made-up", "%00", quote("' or '1'='1"), "x" * 5000])
async def test_a_made_up_link_says_that_it_is_over(served: Served, token: str):
    assert await stage_of(await a_visitor(served), token) == "over"


@pytest.mark.parametrize("handler", ["give", "refuse", "withdraw"])
async def test_a_handler_without_a_link_answers_nothing(beside: Served, vault: Vault, handler: str):
    _, account_id = await a_young_account()
    await asked(account_id)
    async with (await a_visitor(beside)).tab("/guardian?token=guess") as tab:
        await tab.call(f"{PAGE}.{handler}", SIGNED if handler == "give" else None)
        await tab.settle()
        assert tab.says("stage") == "over"
    assert vault.one(STATUS, account_id) == "asked"


async def test_another_players_link_is_shown_by_no_setter(beside: Served, vault: Vault):
    _, account_id = await a_young_account()
    token = await asked(account_id)
    async with (await a_visitor(beside)).tab("/guardian?token=guess") as tab:
        await tab.call(f"{PAGE}.setvar", {"var_name": "_token", "value": token})
        await tab.call(f"{PAGE}.give", SIGNED)
        await tab.settle()
    assert vault.one(STATUS, account_id) == "asked"


async def test_a_link_that_asks_withdraws_nothing(beside: Served, vault: Vault):
    _, account_id = await a_young_account()
    token = await asked(account_id)
    async with (await a_visitor(beside)).tab(f"/guardian?token={token}") as tab:
        await tab.settle()
        await tab.call(f"{PAGE}.withdraw")
        await tab.settle()
        assert tab.says("stage") == "over"
    assert vault.one(STATUS, account_id) == "asked"


@pytest.mark.parametrize(
    "payload",
    [
        {"form": None},
        {"form": []},
        {"form": {"full_name": {"a": 1}}},
        {"form": {"full_name": "x" * 400}},
        {"form": {"full_name": "Anna\x00Berg", "is_guardian": "on"}},
        {},
    ],
    ids=["nothing", "a list", "a dict for a name", "too long", "unprintable", "no form"],
)
async def test_nonsense_gives_no_consent(beside: Served, vault: Vault, payload: dict[str, object]):
    _, account_id = await a_young_account()
    token = await asked(account_id)
    async with (await a_visitor(beside)).tab(f"/guardian?token={token}") as tab:
        await tab.settle()
        await tab.call(f"{PAGE}.give", payload)
        await tab.settle()
    assert vault.one(STATUS, account_id) == "asked"


@pytest.mark.parametrize(
    "typed", ["mum@example.com\r\nBcc: all@example.com", "", "@", "x" * 290 + "@example.com"]
)
async def test_nobody_is_mailed_at_what_is_no_address(beside: Served, vault: Vault, typed: str):
    email, account_id = await a_young_account()
    browser = await signs_in(await a_visitor(beside), email)
    async with browser.tab("/profile") as tab:
        answer = await tab.call(f"{CARD}.ask", {"form": {"guardian_email": typed}})
        assert answer.refused_as
    assert vault.ask(STATUS, account_id) == []


async def test_somebody_grown_up_asks_nobody(beside: Served, vault: Vault):
    email = a_new_email("grown")
    account = await an_account(email, now=utc_now())
    browser = await signs_in(await a_visitor(beside), email)
    async with browser.tab("/profile") as tab:
        answer = await tab.call(f"{CARD}.ask", {"form": {"guardian_email": "mum@example.com"}})
        assert answer.refused_as == "guardians.not_needed"
    assert vault.ask(STATUS, account.id) == []
