"""A session's cookie in a thief's browser is worth nothing once its owner has ended the session."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository, sessions
from tests.hostile.client import APP, HOME, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.handlers import DECLARED
from tests.hostile.identities import PASSWORD, Person, a_visitor, comes_in, role_of
from tests.serving import Served

SOON = 5.0
NEW = "Quick-Badger5-hums!"


def handler(name: str) -> str:
    """By its own name and its state's: `sessions_state.revoke_others`."""
    [found] = [one for one in DECLARED if one.endswith(f"___{name}")]
    return found


@dataclass
class Theft:
    """Maja at her desk and on her phone; somebody has copied the cookie of her desk."""

    maja: Person
    phone: Browser
    thief: Browser
    tab: Tab

    async def at_the_desk(self, name: str, payload: Any = None) -> None:
        await _calls(self.maja.browser, name, payload)

    async def on_the_phone(self, name: str, payload: Any = None) -> None:
        await _calls(self.phone, name, payload)


async def _calls(browser: Browser, name: str, payload: Any) -> None:
    async with browser.tab("/security") as tab:
        answer = await tab.call(handler(name), payload)
        assert not answer.is_refusal, answer.refused_as


@pytest.fixture
async def theft(maja_inside: Person, beside: Served, vault: Vault) -> AsyncIterator[Theft]:
    account_id = vault.one("select id from accounts where email = %s", maja_inside.email)
    phone = await comes_in(await a_visitor(beside), account_id)
    thief = await a_visitor(beside)
    thief.cookies["session"] = maja_inside.browser.cookies["session"]
    async with thief.tab("/") as tab:
        assert tab.says("role") == "player"
        yield Theft(maja_inside, phone, thief, tab)


async def signs_out(theft: Theft) -> None:
    await theft.at_the_desk("session_state.sign_out")


async def revokes_the_others(theft: Theft) -> None:
    await theft.on_the_phone("sessions_state.revoke_others")


async def changes_the_password(theft: Theft) -> None:
    form = {"password": PASSWORD, "new": NEW, "again": NEW}
    await theft.on_the_phone("account_security_state.change_password", {"form": form})


async def deletes_the_account(theft: Theft) -> None:
    await theft.on_the_phone("danger_state.delete", {"form": {"password": PASSWORD}})


async def has_all_ended(theft: Theft) -> None:
    """As an admin does, and a password that is set by mail."""
    async with transaction() as session:
        account = await repository.account_by_email(session, theft.maja.email)
        assert account
        await sessions.end_all(session, account.id, now=utc_now())


ENDS = (signs_out, revokes_the_others, changes_the_password, deletes_the_account, has_all_ended)


@pytest.mark.parametrize("ends", ENDS)
class TestAStolenCookie:
    async def test_leads_the_open_tab_out(self, theft: Theft, ends: Any):
        await ends(theft)
        await theft.tab.until(lambda: theft.tab.says("role") == "visitor", SOON)
        refused = await theft.tab.call(f"{APP}.still_here")
        assert refused.refused_as == "session_ended"
        answer = await theft.tab.call(f"{HOME}.load")
        assert answer.changed == {}
        assert theft.maja.email not in str((refused.heard, answer.heard))

    async def test_opens_no_other_tab(self, theft: Theft, ends: Any):
        await ends(theft)
        await theft.tab.until(lambda: theft.tab.says("role") == "visitor", SOON)
        assert await role_of(theft.thief) == "visitor"
        async with theft.thief.tab("/", token=theft.tab.token) as again:
            await again.call(f"{APP}.enter")
            assert theft.maja.email not in again.everything()

    async def test_fetches_nothing(self, theft: Theft, ends: Any):
        await ends(theft)
        await theft.tab.until(lambda: theft.tab.says("role") == "visitor", SOON)
        answer = await theft.thief.get("/session/end")
        assert answer.headers["location"] == "/landing"
