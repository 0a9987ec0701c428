"""Behind cases, restrictions and appeals: nothing for anybody else, and nothing for who is held."""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from tests.beside import beside
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, WATCH, Browser
from tests.hostile.evidence import Vault
from tests.hostile.handlers import DECLARED, by_state, plausible_arguments, short
from tests.hostile.identities import a_new_email, a_visitor, signs_in
from tests.measures import suspends_by_itself
from tests.people import an_account
from tests.serving import Served

CASE = f"{APP}.rewards_app___features___admin___case_state____case_state"
OWN = f"{APP}.rewards_app___features___support___restriction_state____restriction_state"
REASON = {"reason": "I do not like it"}
NO_IDS: tuple[Any, ...] = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
NO_LINES: tuple[Any, ...] = (5, None, [PLANTED], {"a": 1}, "x" * 301, "\x00", "\ud800")

BAD: dict[str, list[dict[str, Any]]] = {
    f"{CASE}.ask_view": [{"view_id": value} for value in NO_IDS],
    f"{CASE}.load_more": [{"before": value} for value in NO_LINES],
    f"{CASE}.look_at_hour": [{"hour": value} for value in NO_LINES],
    f"{CASE}.choose_source": [{"source": value} for value in (*NO_LINES, "everything")],
    f"{CASE}.choose_span": [{"span": value} for value in (*NO_LINES, "ever")],
    f"{CASE}.ask": [{"what": value} for value in (*NO_LINES, "delete", "credit_view")],
    f"{CASE}.decide": [
        {"form": value} for value in (PLANTED, 5, {"reason": [PLANTED]}, {"reason": "x" * 30_000})
    ],
}


HELD_ROLES = (Role.PLAYER, Role.MODERATOR, Role.COMPANY)


@dataclass(frozen=True)
class Held:
    """A suspended account, and the browser that its owner is signed in with."""

    account_id: str
    email: str
    browser: Browser


async def somebody_held(served: Served, role: Role) -> Held:
    email = a_new_email(role.value)
    async with beside(served):
        account = await an_account(email, role, now=utc_now())
        browser = await signs_in(await a_visitor(served), email)
        await suspends_by_itself(account.id)
    return Held(str(account.id), email, browser)


@pytest.fixture(scope="module")
async def held(served: Served) -> dict[str, Held]:
    return {role.value: await somebody_held(served, role) for role in HELD_ROLES}


def _closed(*, is_passive: bool) -> Iterator[Any]:
    """Handlers of one state together, in one tab of each who could call them before."""
    for role in HELD_ROLES:
        names = (
            name
            for name, access in DECLARED.items()
            if role in access.roles
            and not access.even_suspended
            and access.is_passive is is_passive
        )
        for state, own in by_state(names):
            yield pytest.param(own, role.value, id=f"{state} as a suspended {role}")


def restrictions(vault: Vault) -> int:
    return vault.one("select count(*) from account_restrictions")


class TestWhoIsSuspended:
    @pytest.mark.parametrize(("names", "role"), _closed(is_passive=False))
    async def test_does_nothing(self, held: dict[str, Held], names: list[str], role: str):
        wrong = []
        async with held[role].browser.tab() as tab:
            for name in names:
                answer = await tab.call(name, plausible_arguments(DECLARED[name]))
                is_new = answer.is_refused_anew and answer.is_refusal
                if not (is_new and answer.refused_as == "account_suspended"):
                    wrong.append((short(name), answer.refused_as, answer.changed))
        assert not wrong

    @pytest.mark.parametrize(("names", "role"), _closed(is_passive=True))
    async def test_hears_nothing_of_what_others_do(
        self, held: dict[str, Held], names: list[str], role: str
    ):
        wrong = []
        async with held[role].browser.tab() as tab:
            for name in names:
                answer = await tab.call(name, plausible_arguments(DECLARED[name]))
                if not answer.is_silence:
                    wrong.append((short(name), answer.changed))
        assert not wrong

    async def test_starts_no_ad(self, held: dict[str, Held], vault: Vault):
        before = vault.one("select count(*) from ad_views")
        ad_id = str(vault.one("select ad_id from ad_servings limit 1"))
        async with held["player"].browser.tab("/watch") as tab:
            answer = await tab.call(f"{WATCH}.start", {"ad_id": ad_id, "fingerprint": "x"})
        assert answer.refused_as == "account_suspended"
        assert vault.one("select count(*) from ad_views") == before

    async def test_stays_signed_in_reads_why_and_leaves(self, served: Served):
        player = await somebody_held(served, Role.PLAYER)
        async with player.browser.tab("/") as tab:
            await tab.call(f"{OWN}.load")
            assert tab.says("role") == "player"
            assert tab.says("is_suspended")
            assert tab.says("suspended")["reason"] == "restrictions.automatic"

    async def test_whose_appeal_carries_script_is_quoted_as_words(
        self, served: Served, vault: Vault
    ):
        player = await somebody_held(served, Role.PLAYER)
        words = f"<script>alert({secrets.token_hex(4)!r})</script> =cmd|'/c calc'!A1 \u202etxt"
        async with player.browser.tab("/") as tab:
            await tab.call(f"{OWN}.load")
            answer = await tab.call(f"{OWN}.appeal", {"message": words})
            assert not answer.is_refusal
        kept = vault.one(
            "select message from support_tickets where account_id = %s", player.account_id
        )
        assert kept == words

    async def test_appeals_for_nobody_else(
        self, served: Served, held: dict[str, Held], vault: Vault
    ):
        before = vault.one("select count(*) from support_tickets")
        async with (await a_visitor(served)).tab("/") as tab:
            assert (await tab.call(f"{OWN}.appeal", {"message": PLANTED})).is_refusal
        email = a_new_email("free")
        async with beside(served):
            await an_account(email, now=utc_now())
        async with (await signs_in(await a_visitor(served), email)).tab("/") as tab:
            await tab.call(f"{OWN}.load")
            await tab.call(f"{OWN}.appeal", {"message": "Nothing holds me, but I appeal"})
        assert vault.one("select count(*) from support_tickets") == before


class TestAnybodyElse:
    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_measures_nobody_and_reads_no_case(
        self, known: dict[str, Browser], held: dict[str, Held], vault: Vault, identity: str
    ):
        before = restrictions(vault)
        victim = held["player"]
        async with known[identity].tab(f"/admin?tab=fraud&case={victim.account_id}") as tab:
            for name, payload in (
                (f"{CASE}.load", {}),
                (f"{CASE}.refresh", {}),
                (f"{CASE}.choose_source", {"source": "signals"}),
                (f"{CASE}.ask", {"what": "suspend"}),
                (f"{CASE}.ask_view", {"view_id": str(new_id())}),
                (f"{CASE}.decide", {"form": REASON}),
            ):
                assert name in DECLARED
                assert (await tab.call(name, payload)).is_refusal, name
            heard = tab.everything()
        assert json.dumps(victim.email)[1:-1] not in heard
        assert restrictions(vault) == before


class TestAnAdmin:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], vault: Vault, name: str
    ):
        payloads = [*BAD[name], {}, {"account_id": str(UUID(int=7)), "role": "admin"}]
        # Where no signals are shown: those of the other tests would come in between.
        await are_refused(known["admin"], "/auth", name, payloads, kept=lambda: restrictions(vault))

    async def test_decides_on_nothing_that_was_not_opened(
        self, known: dict[str, Browser], vault: Vault
    ):
        before = restrictions(vault)
        async with known["admin"].tab("/admin?tab=fraud") as tab:
            await tab.call(f"{CASE}.ask", {"what": "suspend"})
            await tab.call(f"{CASE}.decide", {"form": REASON})
        assert restrictions(vault) == before

    async def test_does_not_suspend_themselves(
        self, known: dict[str, Browser], served: Served, vault: Vault
    ):
        before = restrictions(vault)
        own = vault.one(
            "select id from accounts where email = %s", served.accounts["admin"]["email"]
        )
        async with known["admin"].tab(f"/admin?tab=fraud&case={own}") as tab:
            await tab.call(f"{CASE}.load")
            await tab.call(f"{CASE}.ask", {"what": "suspend"})
            answer = await tab.call(f"{CASE}.decide", {"form": REASON})
        assert answer.refused_as == "fraud.not_yourself"
        assert restrictions(vault) == before
