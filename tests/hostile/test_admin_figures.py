"""Behind the economy, the system's health and the waitlist: nothing for anybody but admins."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.ads.days import platform_day
from tests.ads import a_campaign, an_ad, were_watched
from tests.beside import beside
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import PASSWORD, a_new_email, a_visitor, signs_in
from tests.people import an_account
from tests.serving import Served
from tests.waitlist import somebody_waits

_ADMIN = f"{APP}.rewards_app___features___admin"
ADMIN = f"{_ADMIN}___state____admin_state"
ECONOMY = f"{_ADMIN}___economy_state____economy_state"
HEALTH = f"{_ADMIN}___health_state____health_state"
WAITLIST = f"{_ADMIN}___waitlist_state____waitlist_state"
NOBODYS = str(UUID(int=9))
NO_IDS: tuple[Any, ...] = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
HOSTILE = "<script>alert(1)</script>\u202e=1+1"

BAD: dict[str, list[dict[str, Any]]] = {
    f"{WAITLIST}.turn": [
        *({"entry_id": value, "notified": True} for value in NO_IDS),
        *({"entry_id": NOBODYS, "notified": value} for value in (5, None, "true", [True])),
        {"entry_id": NOBODYS},
    ],
    f"{WAITLIST}.load_more": [{"before": value} for value in NO_IDS],
    f"{WAITLIST}.load": [{"before": NOBODYS}],
    f"{WAITLIST}.find": [
        *({"form": value} for value in (5, None, PLANTED, [PLANTED], {"search": 5})),
        {"form": {"search": "x" * 400}},
        {"search": PLANTED},
    ],
    f"{WAITLIST}.show_all": [{"search": PLANTED}],
    f"{WAITLIST}.send_opening": [{"until": PLANTED}, {"people": 5}],
    f"{ECONOMY}.load": [{"period": "90d"}],
    f"{ECONOMY}.refresh": [{"now": PLANTED}],
    f"{HEALTH}.load": [{"now": PLANTED}],
    f"{HEALTH}.refresh": [{"is_loaded": True}],
}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    (f"{ECONOMY}.load", {}),
    (f"{ECONOMY}.refresh", {}),
    (f"{HEALTH}.load", {}),
    (f"{HEALTH}.refresh", {}),
    (f"{WAITLIST}.load", {}),
    (f"{WAITLIST}.refresh", {}),
    (f"{WAITLIST}.find", {"form": {"search": PLANTED}}),
    (f"{WAITLIST}.show_all", {}),
    (f"{WAITLIST}.ask", {}),
    (f"{WAITLIST}.stop_asking", {}),
    (f"{WAITLIST}.send_opening", {}),
)


@dataclass(frozen=True)
class Planted:
    entry_id: str
    email: str
    title: str


@pytest.fixture(scope="module")
async def planted(served: Served) -> Planted:
    async with beside(served):
        email = f"=cmd|{new_id().hex[-8:]}<script>@example.com"
        entry = await somebody_waits(email, at=utc_now())
        title = f"{HOSTILE} {new_id().hex[-6:]}"
        ad = await an_ad(await a_campaign(budget_cents=100), title=title, reward_coins=50)
        # Among the ads with the largest gap.
        await were_watched(ad, 400, price=100, day=platform_day(utc_now()))
    return Planted(str(entry.id), email, title)


async def gaps_in(tab: Tab) -> list[str]:
    answer = await tab.call(f"{ECONOMY}.load", {})
    assert answer.after["period"] == "7d"
    return [gap["title"] for gap in answer.after["gaps"]]


def is_notified(vault: Vault, planted: Planted) -> bool:
    return vault.one("select notified from waitlist where id = %s", planted.entry_id)


class TestAnybodyElse:
    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_reads_nothing_and_turns_nothing(
        self, known: dict[str, Browser], vault: Vault, planted: Planted, identity: str
    ):
        turning = (f"{WAITLIST}.turn", {"entry_id": planted.entry_id, "notified": True})
        more = (f"{WAITLIST}.load_more", {"before": planted.entry_id})
        async with known[identity].tab("/admin/waitlist") as tab:
            for name, payload in (*CALLS, turning, more):
                assert name in DECLARED
                assert (await tab.call(name, payload)).is_refusal, name
            heard = tab.everything()
        for secret in (planted.email, planted.title):
            assert json.dumps(secret)[1:-1] not in heard
        assert not is_notified(vault, planted)
        assert vault.ask("select 1 from procrastinate_jobs where task_name = 'waitlist.open'") == []
        answer = await known[identity].get("/exports/waitlist.csv")
        assert answer.status_code == 404
        assert planted.email not in answer.text

    async def test_who_is_a_suspended_admin_neither(
        self, served: Served, vault: Vault, planted: Planted
    ):
        async with beside(served):
            email = a_new_email("suspended")
            account = await an_account(email, Role.ADMIN, password=PASSWORD, now=utc_now())
            async with transaction() as session:
                await restrictions.begin(
                    session, account.id, Kind.SUSPENDED, "Bench", by=None, now=utc_now()
                )
        browser = await signs_in(await a_visitor(served), email)
        async with browser.tab("/admin/waitlist") as tab:
            payload = {"entry_id": planted.entry_id, "notified": True}
            assert (await tab.call(f"{WAITLIST}.turn", payload)).is_refusal
            assert (await tab.call(f"{WAITLIST}.load", {})).is_refusal
            heard = tab.everything()
        assert planted.email not in heard
        assert not is_notified(vault, planted)
        assert (await browser.get("/exports/waitlist.csv")).status_code == 404


class TestAnAdmin:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], name: str
    ):
        await are_refused(known["admin"], "/admin/waitlist", name, BAD[name])

    async def test_turns_nobody_who_does_not_wait(self, known: dict[str, Browser], vault: Vault):
        before = vault.one("select count(*) from audit_entries")
        async with known["admin"].tab("/admin/waitlist") as tab:
            asked = {"entry_id": NOBODYS, "notified": True}
            answer = await tab.call(f"{WAITLIST}.turn", asked)
        assert answer.refused_as == "waitlist.unknown"
        assert vault.one("select count(*) from audit_entries") == before

    async def test_is_shown_words_as_words(self, known: dict[str, Browser], planted: Planted):
        async with known["admin"].tab("/admin?tab=economy&period=%27%20or%201=1") as tab:
            await tab.call(f"{ADMIN}.open", {})
            answer = await tab.call(f"{ECONOMY}.load", {})
            assert answer.after["period"] == "30d"
        # What was counted stands for a minute, and nobody has looked at these days in this one.
        async with known["admin"].tab("/admin?tab=economy&period=7d") as tab:
            await tab.call(f"{ADMIN}.open", {})
            async with asyncio.timeout(80):
                while planted.title not in await gaps_in(tab):
                    await asyncio.sleep(1)
        answer = await known["admin"].get("/exports/waitlist.csv")
        assert f"'{planted.email}" in answer.text
