"""What the player shows when something of ours breaks: nobody is left in it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from rewards_app.core.actor import Actor
from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.features.ads import finishing, service
from rewards_app.features.ads.state import REWARDED, SAVING, WatchState
from rewards_app.features.coins import service as coins
from rewards_app.models import Ad
from tests.ads import NOON, an_ad, the_player
from tests.states import acting, calls, failing


@pytest.fixture
async def ad(database: str) -> Ad:
    return await an_ad()


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    with time_machine.travel(NOON, tick=False), acting(await the_player()) as actor:
        yield actor


@pytest.fixture
async def watch(page: Any) -> WatchState:
    return await page.get_state(WatchState)


def said(watch: WatchState) -> tuple[str, str]:
    return watch.notice["title"], watch.notice["text"]


async def starts(watch: WatchState, ad: Ad) -> None:
    await calls(WatchState.start, watch, ad_id=ad.id, fingerprint="")


async def finishes(watch: WatchState, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    """The page says that the ad is over, and the server fails."""

    async def breaks(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(finishing, "finish_ad", breaks)
    view_id = watch.running["session_id"]
    await calls(WatchState.finish, watch, session_id=view_id, watch_time=5)


class TestStarting:
    async def test_that_breaks_is_told_in_the_specifications_words(
        self, watch: WatchState, ad: Ad, monkeypatch
    ):
        async def breaks(*_: object, **__: object) -> None:
            raise RuntimeError

        monkeypatch.setattr(service, "start_ad", breaks)
        await starts(watch, ad)
        assert said(watch) == ("errors.ads.no_ad_title", "errors.ads.not_started")
        assert watch.stage == ""


class TestFinishing:
    async def test_that_breaks_closes_the_player(self, watch: WatchState, ad: Ad, monkeypatch):
        await starts(watch, ad)
        await finishes(watch, monkeypatch, RuntimeError())
        assert said(watch) == ("errors.ads.security_check", "errors.ads.unknown_view")
        assert (watch.stage, watch.running) == ("", {})

    async def test_without_room_for_it_closes_the_player(
        self, watch: WatchState, ad: Ad, monkeypatch
    ):
        await starts(watch, ad)
        await finishes(watch, monkeypatch, StorageFull())
        assert said(watch) == ("errors.ads.security_check", "errors.storage_full")
        assert watch.stage == ""

    async def test_is_told_where_nobody_can_say_whether_it_was_the_first(
        self, watch: WatchState, ad: Ad, monkeypatch
    ):
        await starts(watch, ad)
        monkeypatch.setattr(coins, "balance_of", failing(StorageAway))
        with time_machine.travel(NOON + timedelta(seconds=ad.duration), tick=False):
            view_id = watch.running["session_id"]
            await calls(WatchState.finish, watch, session_id=view_id, watch_time=ad.duration)
        assert said(watch) == ("watch.completed", "watch.earned")
        assert (watch.stage, watch.is_first) == (REWARDED, False)

    async def test_without_the_database_waits_for_it(self, watch: WatchState, ad: Ad, monkeypatch):
        await starts(watch, ad)
        shown = watch.running
        await finishes(watch, monkeypatch, StorageAway())
        assert (watch.stage, watch.running, watch.notice) == (SAVING, shown, {})
