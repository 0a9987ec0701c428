"""The waitlist from outside: nonsense for an address, guessed links, and floods."""

from typing import Any

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from rewards_app.features.waitlist import links
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Vault
from tests.hostile.identities import a_new_email, a_visitor
from tests.serving import Served
from tests.waitlist import somebody_waits

FRONT = f"{APP}.rewards_app___features___landing___state____landing_state"
PAGE = f"{APP}.rewards_app___features___waitlist___page_state____waiting_state"
WAITS = "select 1 from waitlist where email = %s"
NO_ADDRESSES = {
    "nothing": "",
    "no address": "maja",
    "a second header": "maja@example.com\r\nBcc: all@example.com",
    "many letters": "m" * 10_000 + "@example.com",
    "letters of elsewhere": "mája@example.com",
    "a null byte": "maja@exam\0ple.com",
    "a bell": "ma\aja@example.com",
    "a script": "<script>alert(1)</script>@example.com",
    "a statement": "' or 1=1 --@example.com",
}
NO_FORMS: dict[str, Any] = {
    "nothing": None,
    "a list": [],
    "a dict": {"email": {"$gt": ""}},
    "a number": {"email": 5},
    "half a letter": {"email": "\ud800@example.com"},
    "more than a field has": {"email": "m" * 20_001},
}


async def joins(browser: Browser, form: object, path: str = "/") -> str:
    """As what it was refused; empty where it was not."""
    async with browser.tab(path) as tab:
        answer = await tab.call(f"{FRONT}.join", {"form": form})
        return answer.refused_as or ""


@pytest.mark.parametrize("typed", NO_ADDRESSES.values(), ids=NO_ADDRESSES)
async def test_what_is_no_address_is_refused_as_one(served: Served, typed: str):
    assert await joins(await a_visitor(served), {"email": typed}) == "joining.invalid_email"


@pytest.mark.parametrize("form", NO_FORMS.values(), ids=NO_FORMS)
async def test_what_no_page_sends_is_refused(served: Served, form: object):
    assert await joins(await a_visitor(served), form) == "bad_arguments"


async def test_nobody_chooses_more_than_their_address(beside: Served, vault: Vault):
    email = a_new_email()
    form = {
        "email": email,
        "confirmed_at": "2026-01-01",
        "ip_address": "203.0.113.9",
        "notified": "true",
        "user_agent": "mine",
    }
    await joins(await a_visitor(beside), form)
    kept = vault.ask(
        "select confirmed_at, ip_address, notified, user_agent from waitlist where email = %s",
        email,
    )
    assert kept[0][:3] == (None, None, False)
    assert kept[0][3] != "mine"


async def test_a_flood_from_one_address_ends_after_five(beside: Served, vault: Vault):
    browser = await a_visitor(beside)
    emails = [a_new_email(f"flood-{number}") for number in range(7)]
    answers = [await joins(browser, {"email": email}) for email in emails]
    assert answers == [""] * 5 + ["too_many_attempts"] * 2
    assert vault.ask(WAITS, emails[5]) == []


@pytest.mark.parametrize("token", ["", "made-up", "%00", "%27%20or%201=1", "x" * 5000])
async def test_a_made_up_link_says_that_it_is_over(served: Served, token: str):
    async with (await a_visitor(served)).tab(f"/waitlist?token={token}") as tab:
        await tab.settle()
        assert tab.says("stage") == "over"


async def test_fetching_the_link_confirms_nothing(beside: Served, vault: Vault):
    email = a_new_email()
    entry = await somebody_waits(email, is_confirmed=False, at=utc_now())
    path = f"/waitlist?token={links.confirming_token(entry.id, entry.asked_at)}"
    answer = await (await a_visitor(beside)).get(path)
    assert answer.status_code == 200
    assert 'content="noindex"' in answer.text
    assert vault.one("select confirmed_at from waitlist where email = %s", email) is None


async def test_no_setter_brings_somebody_ahead(beside: Served, vault: Vault):
    entry = await somebody_waits(a_new_email(), is_confirmed=False, at=utc_now())
    token = links.confirming_token(new_id(), utc_now())
    async with (await a_visitor(beside)).tab(f"/waitlist?token={token}") as tab:
        for name, value in (("stage", "waits"), ("number", 1)):
            await tab.call(f"{PAGE}.setvar", {"var_name": name, "value": value})
        await tab.settle()
        assert tab.says("stage") == "over"
    assert vault.one("select confirmed_at from waitlist where id = %s", entry.id) is None


async def test_who_is_signed_in_joins_nothing_by_its_handler(known: dict[str, Browser]):
    assert await joins(known["player"], {"email": a_new_email()}) == "not_allowed"
