"""Behind the fraud tab: nothing for anybody else, and no weights that nobody has tried."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.ids import new_id
from tests import steady
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, WATCH, Browser
from tests.hostile.evidence import Vault
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import Person

_ADMIN = f"{APP}.rewards_app___features___admin"
LOGS = f"{_ADMIN}___fraud_state____fraud_state"
RULES = f"{_ADMIN}___weights_state____weights_state"
NO_IDS: tuple[Any, ...] = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
BAD_FORMS: tuple[Any, ...] = (
    *(PLANTED, None, 5),
    {"early_completion.first": [PLANTED]},
    {"early_completion.first": 5},
    {f"{PLANTED}{n}": "1" for n in range(60)},
    {"reason": "x" * 30_000},
)
BAD: dict[str, list[dict[str, Any]]] = {
    f"{LOGS}.load_more": [{"before": value} for value in NO_IDS],
    f"{RULES}.simulate": [{"form": value} for value in BAD_FORMS],
    f"{RULES}.save": [{"form": value} for value in BAD_FORMS],
}
NOT_WEIGHTS = (
    {},
    {"early_completion.first": "0"},
    {"early_completion.first": "=cmd|' /C calc'!A0"},
    {"early_completion.first": "<script>alert(1)</script>"},
    {"__class__.first": "1"},
)
KEPT = ("fraud_weights", "fraud_simulations", "account_restrictions")


def traces(vault: Vault) -> dict[str, int]:
    return {table: vault.one(f"select count(*) from {table}") for table in KEPT}  # pyright: ignore


class TestAnAdmin:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], vault: Vault, name: str
    ):
        payloads = [*BAD[name], {}, {"role": "admin", "id": str(UUID(int=7))}]
        # Where no signals are shown: those of the other tests would come in between.
        await are_refused(known["admin"], "/auth", name, payloads, kept=lambda: traces(vault))

    @pytest.mark.parametrize("form", NOT_WEIGHTS, ids=str)
    async def test_with_weights_that_cannot_be_is_told_so(
        self, known: dict[str, Browser], vault: Vault, form: dict[str, str]
    ):
        before = traces(vault)
        async with known["admin"].tab("/admin?tab=fraud") as tab:
            answer = await tab.call(f"{RULES}.simulate", {"form": form})
        assert answer.refused_as == "fraud.weight_out_of_range"
        assert traces(vault) == before

    async def test_saves_nothing_that_was_not_tried(self, known: dict[str, Browser], vault: Vault):
        before = traces(vault)
        async with known["admin"].tab("/admin?tab=fraud") as tab:
            await tab.call(f"{RULES}.save", {"form": {"reason": "Because I can"}})
        assert traces(vault) == before


class TestAForger:
    async def test_is_suspended_within_five_seconds_with_proof_and_admins_know(
        self, maja_inside: Person, vault: Vault
    ):
        maja = vault.one("select id from accounts where email = %s", maja_inside.email)
        async with maja_inside.browser.tab("/watch") as tab:
            for _ in range(5):
                forged = {"session_id": str(new_id()), "watch_time": 5}
                answer = await tab.call(f"{WATCH}.finish", forged)
                # What follows by itself may be there before the last of them.
                assert answer.refused_as in ("ads.unknown_view", "account_suspended")
            query = "select count(*) from account_restrictions where account_id = %s"
            async with steady.timeout(5):
                while not vault.one(f"{query} and kind = 'suspended'", maja):
                    await asyncio.sleep(0.1)
            start = {"ad_id": str(new_id()), "fingerprint": ""}
            refused = await tab.call(f"{WATCH}.start", start)
        assert refused.refused_as == "account_suspended"
        told = "select count(*) from security_alerts where account_id = %s and alert_type = %s"
        assert vault.one(told, maja, "account_suspended") == 1
        acted = "select count(*) from fraud_signals where account_id = %s and action_taken = %s"
        assert vault.one(acted, maja, "account_suspended") == 1


class TestAnybodyElse:
    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_learns_nothing_and_tries_nothing(
        self, known: dict[str, Browser], vault: Vault, identity: str
    ):
        before = traces(vault)
        async with known[identity].tab("/admin?tab=fraud") as tab:
            for name, payload in (
                (f"{LOGS}.load", {}),
                (f"{LOGS}.refresh", {}),
                (f"{RULES}.load", {}),
                (f"{RULES}.edit", {}),
                (f"{RULES}.simulate", {"form": {"early_completion.first": "0"}}),
                (f"{RULES}.look", {}),
                (f"{RULES}.save", {"form": {"reason": "Because I can"}}),
            ):
                assert name in DECLARED
                assert (await tab.call(name, payload)).is_refusal
            heard = tab.everything()
        assert traces(vault) == before
        assert "early_completion" not in heard
