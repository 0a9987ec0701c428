"""Whoever cheats with ads earns what one honest ad pays, and each refusal has its name."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.ids import new_id
from rewards_app.core.postgres import embedded
from rewards_app.models import Ad
from tests import steady
from tests.ads import an_ad
from tests.beside import beside
from tests.hostile.client import WATCH, Answer, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.identities import Person
from tests.ledger import what_is_wrong
from tests.serving import Served

SECONDS, A_MINUTE, REWARD = 5, 60, 15
TABS = 10
REPLAYS = 50
AGAIN = "ads.already_rewarded"
SUSPENDED_AFTER = 11


@pytest.fixture(scope="module")
async def ad(served: Served) -> Ad:
    async with beside(served):
        return await an_ad(seconds=SECONDS, reward=REWARD)


@pytest.fixture(scope="module")
async def long_ad(served: Served) -> Ad:
    """None is over while it is still being tried to finish it."""
    async with beside(served):
        return await an_ad(seconds=A_MINUTE, reward=REWARD)


@pytest.fixture(scope="module", autouse=True)
def _coins_add_up(served: Served) -> Iterator[None]:
    """Whatever was tried here, the ledger of the running app is right at the end."""
    yield
    assert not what_is_wrong(embedded.url_of_running(served.data))


async def starts(tab: Tab, ad: Ad) -> Answer:
    """On a device that only this browser has."""
    fingerprint = f"device of {tab.browser.address}"
    return await tab.call(f"{WATCH}.start", {"ad_id": str(ad.id), "fingerprint": fingerprint})


async def finishes(tab: Tab, view: object, watch_time: object = SECONDS) -> Answer:
    payload = {"session_id": str(view), "watch_time": watch_time}
    return await tab.call(f"{WATCH}.finish", payload)


async def a_started_view(tab: Tab, ad: Ad) -> str:
    await starts(tab, ad)
    return tab.says("running")["session_id"]


def a_minute_passes(view: str, vault: Vault) -> None:
    """For the ad that was begun, which was so a minute sooner."""
    vault.ask(
        "update ad_views set started_at = started_at - interval '1 minute',"
        " expires_at = expires_at - interval '1 minute' where id = %s returning id",
        view,
    )


def owner_of(person: Person, vault: Vault) -> UUID:
    return vault.one("select id from accounts where email = %s", person.email)


def coins_of(person: Person, vault: Vault) -> int:
    query = "select coalesce(sum(amount), 0) from coin_entries where account_id = %s"
    return vault.one(query, owner_of(person, vault))


def signals_of(person: Person, vault: Vault) -> set[str]:
    query = "select distinct rule from fraud_signals where account_id = %s"
    return {rule for (rule,) in vault.ask(query, owner_of(person, vault))}


def restrictions_of(person: Person, vault: Vault) -> set[str]:
    query = "select kind from account_restrictions where account_id = %s"
    return {kind for (kind,) in vault.ask(query, owner_of(person, vault))}


class TestOneHonestAd:
    """Whatever else is tried, it is paid once. Each waits the seconds that the ad is long."""

    async def test_replayed_in_every_tab_pays_once(self, maja_inside: Person, ad: Ad, vault: Vault):
        async with AsyncExitStack() as house:
            tabs = [
                await house.enter_async_context(maja_inside.browser.tab("/watch"))
                for _ in range(TABS)
            ]
            view = await a_started_view(tabs[0], ad)
            await asyncio.sleep(SECONDS + 0.1)
            rounds = [await all_finish(tabs, view) for _ in range(REPLAYS // TABS)]
        refused = [answer.refused_as for answers in rounds for answer in answers]
        assert sum(tab.says("stage") == "rewarded" for tab in tabs) <= 1
        # Whoever goes on replaying one session is suspended while they do: nobody honest does.
        assert refused.count(AGAIN) >= SUSPENDED_AFTER
        assert set(refused) <= {"", AGAIN, "account_suspended"}
        async with steady.timeout(5):
            while "suspended" not in restrictions_of(maja_inside, vault):
                await asyncio.sleep(0.1)
        assert coins_of(maja_inside, vault) == REWARD
        assert signals_of(maja_inside, vault) == {"replayed_completion"}

    async def test_asked_for_again_without_end_pays_once(self, maja_inside, ad, vault: Vault):
        async with maja_inside.browser.tab("/watch") as tab:
            view = await a_started_view(tab, ad)
            again = {"session_id": view, "watch_time": SECONDS}
            early = await tab.call(f"{WATCH}.ask_again", again)
            assert early.refused_as == "ads.watched_too_short"
            await asyncio.sleep(SECONDS + 0.1)
            for _ in range(10):
                await tab.call(f"{WATCH}.ask_again", again)
        assert coins_of(maja_inside, vault) == REWARD

    async def test_finished_too_early_again_and_again_is_paid_when_it_is_due(
        self, maja_inside: Person, long_ad: Ad, vault: Vault
    ):
        async with maja_inside.browser.tab("/watch") as tab:
            view = await a_started_view(tab, long_ad)
            refused = {(await finishes(tab, view, A_MINUTE)).refused_as for _ in range(10)}
            assert refused == {"ads.watched_too_short"}
            assert coins_of(maja_inside, vault) == 0
            a_minute_passes(view, vault)
            await finishes(tab, view, A_MINUTE)
        assert coins_of(maja_inside, vault) == REWARD
        assert signals_of(maja_inside, vault) == {"early_completion"}


async def all_finish(tabs: list[Tab], view: str) -> list[Answer]:
    return await asyncio.gather(*(finishes(tab, view) for tab in tabs))


class TestSessionsOfOthers:
    async def test_are_unknown(
        self, maja_inside: Person, known: dict[str, Browser], ad: Ad, vault: Vault
    ):
        async with AsyncExitStack() as house:
            hers = await house.enter_async_context(maja_inside.browser.tab("/watch"))
            view = await a_started_view(hers, ad)
            his = await house.enter_async_context(known["moderator"].tab("/watch"))
            for handler in ("finish", "ask_again"):
                payload = {"session_id": view, "watch_time": SECONDS}
                answer = await his.call(f"{WATCH}.{handler}", payload)
                assert answer.refused_as == "ads.unknown_view"
            taken = await his.call(f"{WATCH}.take_over", {"session_id": view})
            assert taken.refused_as == "ads.view_ended"
            for handler in ("pause", "resume", "leave", "give_up"):
                await his.call(f"{WATCH}.{handler}", {"session_id": view})
        found = vault.ask("select status, paused_at, paused_ms from ad_views where id = %s", view)
        assert found == [("running", None, 0)]

    async def test_that_were_made_up_are_unknown(self, maja_inside: Person, vault: Vault):
        async with maja_inside.browser.tab("/watch") as tab:
            refused = {(await finishes(tab, new_id())).refused_as for _ in range(5)}
        assert refused == {"ads.unknown_view"}
        assert coins_of(maja_inside, vault) == 0
        assert signals_of(maja_inside, vault) == {"made_up_session"}


class TestArguments:
    @pytest.mark.parametrize(
        "watch_time",
        [-1, -(2**63), 2**31, 10**30, 24 * 3600 + 1, 1.5, "5", None, True, [], {}, "NaN"],
    )
    async def test_that_no_page_sends_are_refused(
        self, maja_inside: Person, ad: Ad, vault: Vault, watch_time: Any
    ):
        async with maja_inside.browser.tab("/watch") as tab:
            view = await a_started_view(tab, ad)
            answer = await finishes(tab, view, watch_time)
            assert answer.refused_as == "bad_arguments"
            assert answer.is_refusal
            assert tab.says("stage") == "watching"
        assert signals_of(maja_inside, vault) == set()

    @pytest.mark.parametrize(
        "view", ["", "x", "0" * 36, "0" * 4000, "' or 1=1 --", "../../etc/passwd", "\ud800" * 36]
    )
    async def test_that_are_no_identifier_are_refused(self, maja_inside: Person, view: str):
        async with maja_inside.browser.tab("/watch") as tab:
            answer = await finishes(tab, view)
            assert answer.refused_as == "bad_arguments"

    async def test_of_the_longest_time_pay_nothing_early(self, maja_inside, ad, vault):
        async with maja_inside.browser.tab("/watch") as tab:
            view = await a_started_view(tab, ad)
            answer = await finishes(tab, view, 24 * 3600)
            assert answer.refused_as == "ads.watched_too_short"
        assert coins_of(maja_inside, vault) == 0


class TestManyTabs:
    async def test_that_start_at_once_run_one_ad(self, maja_inside: Person, ad: Ad, vault: Vault):
        async with AsyncExitStack() as house:
            tabs = [
                await house.enter_async_context(maja_inside.browser.tab("/watch"))
                for _ in range(TABS)
            ]
            answers = await asyncio.gather(*(starts(tab, ad) for tab in tabs))
        refused = [answer.refused_as for answer in answers]
        assert sorted(refused) == [""] + ["ads.already_watching"] * (TABS - 1)
        query = "select count(*) from ad_views where account_id = %s"
        assert vault.one(query, owner_of(maja_inside, vault)) == 1
        assert signals_of(maja_inside, vault) == {"parallel_sessions"}

    async def test_a_second_one_is_refused_while_the_first_shows_an_ad(self, maja_inside, ad):
        async with AsyncExitStack() as house:
            first = await house.enter_async_context(maja_inside.browser.tab("/watch"))
            second = await house.enter_async_context(maja_inside.browser.tab("/watch"))
            await starts(first, ad)
            assert (await starts(second, ad)).refused_as == "ads.already_watching"
            assert second.says("stage") == ""


class TestWhoMayNotWatch:
    @pytest.mark.parametrize("identity", ["visitor", "company", "admin"])
    async def test_starts_and_finishes_nothing(
        self, known: dict[str, Browser], identity: str, ad: Ad, vault: Vault
    ):
        before = vault.one("select count(*) from ad_views")
        async with known[identity].tab("/watch") as tab:
            await starts(tab, ad)
            await finishes(tab, new_id())
            assert tab.says("stage") in (None, "")
        assert vault.one("select count(*) from ad_views") == before
