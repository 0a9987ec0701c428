"""A staged attack from outside: on an admin's screen within seconds, told apart, never a script."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest

from rewards_app.core.clock import utc_now
from tests import steady
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, AUTH, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import Person, a_new_email, a_visitor, becomes, signs_in
from tests.people import an_account
from tests.serving import Served

WITHIN = 5.0
SECURITY = f"{APP}.rewards_app___features___admin___security_state____security_state"
STOCK = f"{APP}.rewards_app___features___admin___stock_state____stock_state"
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0.0.0 Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"


@dataclass
class NamedBrowser(Browser):
    """One that says what it is, as real ones do."""

    user_agent: str = CHROME

    def headers(self) -> dict[str, str]:
        return super().headers() | {"User-Agent": self.user_agent}


@pytest.fixture
async def desk(known: dict[str, Browser]) -> AsyncIterator[Tab]:
    """An admin's tab, open on the alerts before anything happens."""
    async with known["admin"].tab("/admin?tab=security") as tab:
        await tab.call(f"{APP}.enter")
        await tab.until(lambda: tab.says(f"{SECURITY}.is_loaded") is True)
        yield tab


@pytest.fixture
async def elsewhere(known: dict[str, Browser]) -> AsyncIterator[Tab]:
    """An admin's tab that shows orders."""
    async with known["admin"].tab("/admin?tab=orders") as tab:
        await tab.call(f"{APP}.enter")
        await tab.settle()
        yield tab


def rows(desk: Tab) -> list[dict[str, Any]]:
    return desk.says(f"{SECURITY}.alerts") or []


async def sees(desk: Tab, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    await desk.until(lambda: any(map(holds, rows(desk))), WITHIN)
    return next(row for row in rows(desk) if holds(row))


def is_about(kind: str, **known: Any) -> Callable[[dict[str, Any]], bool]:
    return lambda row: row["text"] == f"alerts.kinds.{kind}" and known.items() <= row.items()


async def guesses(browser: Browser, emails: list[str]) -> None:
    async with browser.tab("/auth?mode=login") as tab:
        for email in emails:
            form = {"email": email, "password": "Wrong-Word-of-9"}
            await tab.call(f"{AUTH}.sign_in", {"form": form})


async def tries_doors(browser: Browser, times: int, name: str = f"{STOCK}.load") -> None:
    async with browser.tab("/") as tab:
        for _ in range(times):
            await tab.tell(name, {})
        await tab.settle(within=60)


class TestAnAttack:
    async def test_by_guessing_one_password_is_seen_with_whose_it_is(
        self, desk: Tab, maja: Person, vault: Vault, served: Served
    ):
        await guesses(await a_visitor(served), [maja.email] * 5)
        row = await sees(desk, is_about("account_locked", account=maja.name))
        assert row["params"] == {"failures": 5, "minutes": 5}
        assert row["account_id"] == str(
            vault.one("select id from accounts where email = %s", maja.email)
        )

    async def test_by_guessing_many_is_seen_with_where_it_comes_from(
        self, desk: Tab, served: Served
    ):
        attacker = await a_visitor(served)
        await guesses(attacker, [f"somebody-{number}@example.com" for number in range(10)])
        await sees(desk, is_about("sign_ins_failed", address=attacker.address))

    async def test_by_forged_webhooks_is_seen(self, desk: Tab, served: Served):
        async with httpx.AsyncClient(verify=False) as http:
            for _ in range(3):
                answer = await http.post(
                    f"{served.url}/webhooks/stripe",
                    content=b"{}",
                    headers={"Stripe-Signature": "t=1,v1=00", "X-Forwarded-For": "192.0.2.66"},
                )
                assert answer.status_code == 400
        await sees(desk, is_about("webhook_forged", address="192.0.2.66"))

    async def test_by_trying_doors_is_seen_with_who_tries(self, desk: Tab, maja_signed_in: Person):
        await tries_doors(maja_signed_in.browser, 25)
        row = await sees(desk, is_about("denied_storm", account=maja_signed_in.name))
        assert row["params"] == {"refusals": 20, "handler": "stock_state.load"}

    async def test_by_hammering_at_a_limit_is_seen(self, desk: Tab, maja: Person, served: Served):
        attacker = await a_visitor(served)
        await guesses(attacker, [f"anybody-{number}@example.com" for number in range(42)])
        row = await sees(desk, is_about("limit_storm", address=attacker.address))
        assert row["params"]["limit"] == "sign-in, 10 per 1 minute"

    async def test_by_a_new_admin_is_seen(self, desk: Tab, maja: Person):
        await becomes(maja.email, "admin")
        row = await sees(desk, is_about("admin_made", account=maja.name))
        assert row["params"] == {"name": maja.name, "by": "rewards promote"}

    async def test_is_told_on_whichever_tab_of_the_panel_is_open(
        self, elsewhere: Tab, maja: Person
    ):
        await becomes(maja.email, "moderator")

        def is_told() -> bool:
            said = elsewhere.says("notice") or {}
            return said.get("title") == "alerts.new_title" and maja.name in json.dumps(said)

        await elsewhere.until(is_told, WITHIN)
        assert elsewhere.says("notice")["text"] == "alerts.new.low"
        assert not rows(elsewhere)


class TestAStolenCookie:
    @pytest.fixture
    async def owner(self, served: Served, maja: Person) -> Browser:
        browser = NamedBrowser(served, address="203.0.113.7")
        await browser.opens_the_door()
        return await signs_in(browser, maja.email)

    async def test_in_another_browser_is_seen(
        self, desk: Tab, served: Served, owner: Browser, maja: Person
    ):
        thief = NamedBrowser(served, dict(owner.cookies), "192.0.2.99", FIREFOX)
        async with thief.tab("/"):
            row = await sees(desk, is_about("session_in_two_places", account=maja.name))
        assert row["params"] == {
            "first": "Chrome, Windows",
            "second": "Firefox, Linux, 192.0.2.0/24",
        }
        assert row["address"] == "", "nobody said that it may be noted"

    async def test_in_the_same_browser_elsewhere_is_seen_once_its_owner_goes_on(
        self, desk: Tab, served: Served, owner: Browser, maja: Person
    ):
        thief = NamedBrowser(served, dict(owner.cookies), "192.0.2.99")
        async with owner.tab("/") as mine, thief.tab("/"):
            await asyncio.sleep(1.5)
            await mine.call(f"{APP}.check_in")
            await sees(desk, is_about("session_in_two_places", account=maja.name))


class TestAStorm:
    async def test_is_one_alert_and_holds_nobody_up(
        self, desk: Tab, vault: Vault, served: Served, maja_signed_in: Person
    ):
        async with Browser(served).tab() as neighbour:
            attack = asyncio.create_task(tries_doors(maja_signed_in.browser, 1500))
            is_this = is_about("denied_storm", account=maja_signed_in.name)
            seen = asyncio.create_task(sees(desk, is_this))
            while not attack.done():
                async with steady.timeout(3):
                    await neighbour.call(f"{APP}.check_in")
        await asyncio.gather(attack, seen)
        count = vault.one(
            "select count(*) from security_alerts alert join accounts on accounts.id = account_id"
            " where email = %s",
            maja_signed_in.email,
        )
        assert count == 1


class TestWhatOthersWrote:
    @pytest.mark.parametrize(
        "name",
        [
            "<script>alert(1)</script>",
            "=HYPERLINK(1)",
            "a\u202eb\u0007\u2066",
            "{{by}} $t(app.name)",
        ],
        ids=["a script", "a formula", "turned around", "a placeholder"],
    )
    async def test_stays_text_in_one_line(self, desk: Tab, name: str, beside: Served):
        email = a_new_email()
        await an_account(email, name=name, now=utc_now())
        await becomes(email, "moderator")
        row = await sees(desk, is_about("role_changed", account=name))
        said = row["params"]["name"]
        assert said == "".join(c if c.isprintable() else " " for c in name).strip()


BAD: dict[str, list[dict[str, Any]]] = {
    f"{SECURITY}.resolve": [
        {"alert_id": value} for value in (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36)
    ],
    f"{SECURITY}.load_more": [{"before": value} for value in (-1, True, "", "' or 1=1 --")],
    f"{SECURITY}.choose_severity": [
        {"severity": value} for value in (5, None, "fatal", ["high"], "x" * 301, "high\0")
    ],
    f"{SECURITY}.choose_standing": [{"standing": value} for value in (5, None, "all", {})],
}


class TestBadInput:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_is_refused(self, known: dict[str, Browser], name: str):
        payloads = [*BAD[name], {}, {"alert_id": str(UUID(int=7)), "role": "admin"}]
        # Where no alerts are shown: those of the other tests would come in between.
        await are_refused(known["admin"], "/auth", name, payloads)

    async def test_an_alert_that_never_was_is_not_resolved(self, known: dict[str, Browser]):
        async with known["admin"].tab("/admin?tab=security") as tab:
            answer = await tab.call(f"{SECURITY}.resolve", {"alert_id": str(UUID(int=7))})
        assert answer.refused_as == "alerts.unknown"

    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_nobody_else_reads_or_resolves_one(
        self, known: dict[str, Browser], vault: Vault, desk: Tab, served: Served, identity: str
    ):
        async with httpx.AsyncClient(verify=False) as http:
            await http.post(f"{served.url}/webhooks/stripe", content=b"{}")
        row = await sees(desk, is_about("webhook_forged"))
        async with known[identity].tab("/admin?tab=security") as tab:
            for name, payload in (
                (f"{SECURITY}.load", {}),
                (f"{SECURITY}.refresh", {}),
                (f"{SECURITY}.hear", {}),
                (f"{SECURITY}.resolve", {"alert_id": row["id"]}),
            ):
                assert name in DECLARED
                assert (await tab.call(name, payload)).is_refusal
            assert row["id"] not in tab.everything()
        resolved = vault.one("select resolved from security_alerts where id = %s", row["id"])
        assert resolved is False
