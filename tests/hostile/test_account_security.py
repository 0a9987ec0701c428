"""Account Security under attack: foreign sessions and keys, steps out of order, mailed links."""

from typing import Any
from uuid import uuid4

import pytest

from rewards_app.core.caller import digest
from tests.hostile.client import APP, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.identities import VISITOR, Person, a_mailed_link, a_visitor
from tests.serving import Served

SLICE = f"{APP}.rewards_app___features___security"
SECURITY = f"{SLICE}___state____account_security_state"
SESSIONS = f"{SLICE}___sessions_state____sessions_state"
FACTORS = f"{SLICE}___factors_state____factors_state"
EMAIL = f"{SLICE}___email_state____email_state"
DANGER = f"{SLICE}___danger_state____danger_state"
NO_IDENTIFIERS = [5, None, True, "", "x", [], {}, {"$ne": None}, "' or 1=1 --", "x" * 5000]
STEPS = [
    "begin",
    "scan",
    "remove",
    "renew",
    "codes",
    "add-key",
    "make-key",
    "remove-key",
    "rename-key",
]


def session_id_of(vault: Vault, browser: Browser) -> str:
    query = "select id from account_sessions where token_hash = %s"
    return str(vault.ask(query, digest(browser.cookies["session"]))[0][0])


def is_alive(vault: Vault, session_id: str) -> bool:
    query = "select ended_at is null from account_sessions where id = %s"
    return vault.ask(query, session_id)[0][0]


class TestSessions:
    async def test_nobody_ends_the_session_of_another(
        self, maja_inside: Person, known: dict[str, Browser], vault: Vault
    ):
        theirs = session_id_of(vault, known["player"])
        async with maja_inside.browser.tab("/security") as tab:
            answer = await tab.call(f"{SESSIONS}.revoke", {"session_id": theirs})
            assert answer.refused_as == "accounts.no_such_session"
            made_up = await tab.call(f"{SESSIONS}.revoke", {"session_id": str(uuid4())})
            assert made_up.refused_as == answer.refused_as
        assert is_alive(vault, theirs)

    async def test_revoking_all_others_leaves_other_people_in_peace(
        self, maja_inside: Person, known: dict[str, Browser], vault: Vault
    ):
        async with maja_inside.browser.tab("/security") as tab:
            await tab.call(f"{SESSIONS}.revoke_others")
        for identity, browser in known.items():
            assert identity == VISITOR or is_alive(vault, session_id_of(vault, browser))
        assert is_alive(vault, session_id_of(vault, maja_inside.browser))

    @pytest.mark.parametrize("session_id", NO_IDENTIFIERS, ids=lambda value: repr(value)[:20])
    async def test_what_is_no_identifier_is_refused(self, maja_inside: Person, session_id: Any):
        async with maja_inside.browser.tab("/security") as tab:
            answer = await tab.call(f"{SESSIONS}.revoke", {"session_id": session_id})
            assert answer.refused_as == "bad_arguments"

    async def test_the_list_shows_ones_own_only(self, maja_inside: Person):
        async with maja_inside.browser.tab("/security") as tab:
            await tab.call(f"{SESSIONS}.load")
            (row,) = tab.says("rows")
            assert row["current"] == "yes"


class TestFactors:
    @pytest.mark.parametrize("step", STEPS)
    async def test_no_step_does_anything_without_the_password(
        self, maja_inside: Person, vault: Vault, step: str
    ):
        async with maja_inside.browser.tab("/security?section=two-factor") as tab:
            await tab.call(f"{FACTORS}.ask", {"step": step})
            for form in ({}, {"password": "wrong", "name": "x"}, {"code": "000000", "name": "x"}):
                await tab.call(f"{FACTORS}.go_on", {"form": form})
                assert not tab.says("secret")
                assert not tab.says("codes")
                assert not tab.says("options")
        for table in ("authenticators", "backup_codes", "passkeys", "passkey_challenges"):
            assert not own_rows(vault, table, maja_inside)

    async def test_a_passkey_is_not_added_out_of_the_blue(self, maja_inside: Person, vault: Vault):
        async with maja_inside.browser.tab("/security") as tab:
            assert (await tab.call(f"{FACTORS}.add_passkey", {"answer": "{}"})).is_silence
        assert not own_rows(vault, "passkeys", maja_inside)

    @pytest.mark.parametrize("step", ["rename-key", "remove-key"])
    async def test_nobody_asks_about_the_passkey_of_another(self, maja_inside: Person, step: str):
        async with maja_inside.browser.tab("/security") as tab:
            asked = {"step": step, "passkey_id": str(uuid4())}
            assert (await tab.call(f"{FACTORS}.ask_about", asked)).is_silence

    async def test_guessing_the_password_ends_after_five_tries(self, maja_inside: Person):
        async with maja_inside.browser.tab("/security?section=two-factor") as tab:
            await tab.call(f"{FACTORS}.ask", {"step": "begin"})
            for _ in range(5):
                assert await guessed(tab) == "accounts.wrong_password"
            assert await guessed(tab) == "too_many_attempts"


class TestPassword:
    async def test_the_words_never_come_back(self, maja_inside: Person):
        form = {
            "password": "Wrong-Otter7-rides!",
            "new": "Brave-Lynx42-x!",
            "again": "Brave-Lynx42-x!",
        }
        async with maja_inside.browser.tab("/security") as tab:
            answer = await tab.call(f"{SECURITY}.change_password", {"form": form})
            assert answer.refused_as == "accounts.wrong_password"
            assert not any(word in tab.everything() for word in form.values())


class TestDeletion:
    async def test_needs_the_password(self, maja_inside: Person, vault: Vault):
        async with maja_inside.browser.tab("/security?section=danger") as tab:
            answer = await tab.call(f"{DANGER}.delete", {"form": {"password": "wrong"}})
            assert answer.refused_as == "accounts.wrong_password"
        assert not own_rows(vault, "account_closures", maja_inside)

    async def test_names_nobody_but_the_one_who_acts(
        self, maja_inside: Person, known: dict[str, Browser], vault: Vault
    ):
        form = {"password": "Tall-Otter7-rides!", "account_id": str(uuid4()), "email": "a@b.se"}
        async with maja_inside.browser.tab("/security?section=danger") as tab:
            await tab.call(f"{DANGER}.delete", {"form": form})
        assert own_rows(vault, "account_closures", maja_inside) == 1
        assert is_alive(vault, session_id_of(vault, known["player"]))


class TestLinks:
    async def _opens(self, served: Served, token: str, do: str = "use") -> str:
        browser = await a_visitor(served)
        async with browser.tab(f"/email?do={do}&token={token}") as tab:
            await tab.settle()
            if tab.says("stage"):
                await tab.call(f"{EMAIL}.{do}")
            return (tab.says("refusal") or {}).get("code") or tab.says("stage")

    @pytest.mark.parametrize("do", ["use", "stop"])
    @pytest.mark.parametrize("token", ["", "made-up", "x" * 5000])
    @pytest.mark.usefixtures("nothing_changes")
    async def test_a_made_up_link_does_nothing(self, served: Served, do: str, token: str):
        assert await self._opens(served, token, do) == "accounts.link_expired"

    @pytest.mark.parametrize("purpose", ["verify", "reset", "email_keep"])
    async def test_a_link_for_something_else_moves_nothing(
        self, maja: Person, served: Served, vault: Vault, purpose: str
    ):
        token = a_mailed_link(vault, maja.email, purpose)
        assert await self._opens(served, token) == "accounts.link_expired"

    async def test_opening_a_link_changes_nothing(self, maja: Person, served: Served, vault: Vault):
        token = a_mailed_link(vault, maja.email, "email_keep")
        before = vault.fingerprint()
        async with (await a_visitor(served)).tab(f"/email?do=stop&token={token}") as tab:
            await tab.settle()
            assert (tab.says("stage"), tab.says("address")) == ("stop", maja.email)
        assert vault.fingerprint() == before

    @pytest.mark.parametrize("do", ["use", "stop"])
    @pytest.mark.usefixtures("nothing_changes")
    async def test_pressing_without_a_link_does_nothing(self, served: Served, do: str):
        async with (await a_visitor(served)).tab("/email") as tab:
            await tab.settle()
            await tab.call(f"{EMAIL}.{do}")
            assert tab.says("refusal")["code"] == "accounts.link_expired"

    async def test_a_link_that_stops_a_change_works_once(
        self, maja: Person, served: Served, vault: Vault
    ):
        token = a_mailed_link(vault, maja.email, "email_keep")
        assert await self._opens(served, token, "stop") == "stopped"
        assert await self._opens(served, token, "stop") == "accounts.link_used"


async def guessed(tab: Tab) -> str:
    return (await tab.call(f"{FACTORS}.go_on", {"form": {"password": "wrong"}})).refused_as


def own_rows(vault: Vault, table: str, person: Person) -> int:
    owned = f"select count(*) from {table} o join accounts a on a.id = o.account_id"
    return vault.ask(f"{owned} where a.email = %s", person.email)[0][0]  # pyright: ignore
