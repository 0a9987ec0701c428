"""Links from mails: replayed, expired, used for something else."""

from urllib.parse import quote

import pytest

from rewards_app.core.errors import TooManyAttempts
from rewards_app.features.accounts import links
from tests.hostile.client import AUTH, Browser
from tests.hostile.evidence import Vault
from tests.hostile.identities import (
    Person,
    a_mailed_link,
    a_visitor,
    role_of,
)
from tests.serving import Served


class TestLinks:
    async def _opens(
        self, served: Served, mode: str, token: str, *, where: Browser | None = None
    ) -> str:
        """What the page with the link says: the new mode, or why not."""
        browser = where or await a_visitor(served)
        async with browser.tab(f"/mailed?mode={mode}&token={token}") as tab:
            if mode == "reset":
                form = {"password": "Quick-Badger5-hums!"}
                await tab.call(f"{AUTH}.reset_password", {"form": form})
            await tab.settle()
            if tab.says("mode") == "to_verify":
                await tab.call(f"{AUTH}.verify")
            return (tab.says("refusal") or {}).get("code") or tab.says("mode")

    @pytest.mark.parametrize(("purpose", "done"), [("verify", "verified"), ("reset", "login")])
    async def test_a_link_works_once(
        self, maja: Person, served: Served, vault: Vault, purpose: str, done: str
    ):
        token = a_mailed_link(vault, maja.email, purpose)
        assert await self._opens(served, purpose, token) == done
        before = vault.fingerprint()
        assert await self._opens(served, purpose, token) == "accounts.link_used"
        assert vault.fingerprint() == before

    @pytest.mark.parametrize("page", ["/mailed", "/auth"])
    async def test_opening_a_link_changes_nothing(
        self, maja: Person, served: Served, vault: Vault, page: str
    ):
        token = a_mailed_link(vault, maja.email, "verify")
        before = vault.fingerprint()
        browser = await a_visitor(served)
        async with browser.tab(f"{page}?mode=verify&token={token}") as tab:
            await tab.settle()
            assert tab.says("mode") == "to_verify"
        assert vault.fingerprint() == before

    @pytest.mark.parametrize("purpose", ["verify", "reset"])
    @pytest.mark.parametrize("lasts", ["0 seconds", "-1 day"])
    async def test_an_expired_link_does_nothing(
        self, maja: Person, served: Served, vault: Vault, purpose: str, lasts: str
    ):
        token = a_mailed_link(vault, maja.email, purpose, lasts)
        before = vault.fingerprint()
        assert await self._opens(served, purpose, token) == "accounts.link_expired"
        assert vault.fingerprint() == before

    @pytest.mark.parametrize(("mailed", "used"), [("verify", "reset"), ("reset", "verify")])
    async def test_a_link_serves_its_own_purpose_only(
        self, maja: Person, served: Served, vault: Vault, mailed: str, used: str
    ):
        token = a_mailed_link(vault, maja.email, mailed)
        before = vault.fingerprint()
        assert await self._opens(served, used, token) == "accounts.link_expired"
        assert vault.fingerprint() == before

    @pytest.mark.parametrize("token", ["", "made-up", "%00", quote("' or '1'='1"), "x" * 5000])
    @pytest.mark.parametrize("purpose", ["verify", "reset"])
    @pytest.mark.usefixtures("nothing_changes")
    async def test_a_made_up_link_does_nothing(self, served: Served, purpose: str, token: str):
        assert await self._opens(served, purpose, token) == "accounts.link_expired"

    async def test_a_reset_ends_every_session(
        self, maja_signed_in: Person, served: Served, vault: Vault
    ):
        token = a_mailed_link(vault, maja_signed_in.email, "reset")
        assert await self._opens(served, "reset", token) == "login"
        assert await role_of(maja_signed_in.browser) == "visitor"

    async def test_a_link_of_before_works_for_visitors(
        self, maja: Person, served: Served, vault: Vault
    ):
        token = a_mailed_link(vault, maja.email, "verify")
        browser = await a_visitor(served)
        async with browser.tab(f"/auth?mode=verify&token={token}") as tab:
            await tab.settle()
            await tab.call(f"{AUTH}.verify")
            assert tab.says("mode") == "verified"

    @pytest.mark.parametrize(("purpose", "done"), [("verify", "verified"), ("reset", "login")])
    async def test_a_link_works_where_somebody_else_is_signed_in(
        self,
        maja: Person,
        served: Served,
        vault: Vault,
        known: dict[str, Browser],
        purpose: str,
        done: str,
    ):
        token = a_mailed_link(vault, maja.email, purpose)
        assert await self._opens(served, purpose, token, where=known["player"]) == done
        assert await role_of(known["player"]) == "player"

    async def test_a_good_link_waits_where_too_many_were_tried(
        self, maja: Person, served: Served, vault: Vault
    ):
        """What is refused for a while may be pressed again: it is not over."""
        token = a_mailed_link(vault, maja.email, "verify")
        browser = await a_visitor(served)
        async with browser.tab(f"/mailed?mode=verify&token={token}") as tab:
            await tab.settle()
            for number in range(links.PER_ADDRESS.amount):
                made_up = await self._opens(served, "verify", f"{number}", where=browser)
                assert made_up == "accounts.link_expired"
            answer = await tab.call(f"{AUTH}.verify")
            assert answer.refused_as == TooManyAttempts.code
            assert tab.says("mode") == "to_verify"

    async def test_a_mail_may_be_asked_for_wherever_somebody_is_signed_in(
        self, maja_signed_in: Person, vault: Vault
    ):
        query = "select count(*) from email_links l join accounts a on a.id = l.account_id"
        query += " where a.email = %s and l.purpose = 'reset'"
        async with maja_signed_in.browser.tab("/mailed?mode=forgot") as tab:
            await tab.call(f"{AUTH}.forgot", {"form": {"email": maja_signed_in.email}})
            assert tab.says("mode") == "reset_sent"
        assert vault.one(query, maja_signed_in.email) == 1
