"""What the frame knows of its player's day, and what is asked anew when it has ended."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from rewards_app.core.actor import Actor, Role
from rewards_app.features.ads.state import WatchState
from rewards_app.features.dashboard.state import OwnDayState
from rewards_app.features.leaderboard import service as leaderboard
from rewards_app.features.leaderboard.state import LeaderboardState
from rewards_app.features.shell.state import BarState
from rewards_app.rewards_app import PAGES
from tests.ads import NOON, an_ad, the_player, watches
from tests.companies import a_company
from tests.states import acting, calls

AN_HOUR = 3600


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    with time_machine.travel(NOON, tick=False), acting(await the_player()) as actor:
        yield actor


@pytest.fixture
async def bar(page: Any) -> BarState:
    return await page.get_state(BarState)


class TestThePlayersDay:
    async def test_ends_at_a_moment_and_in_so_many_seconds(self, bar: BarState):
        await calls(BarState.load, bar)
        assert (bar.day_ends_at, bar.day_ends_in) == ("2026-03-15T00:00:00+00:00", 12 * AN_HOUR)

    async def test_ends_where_the_browser_is_as_soon_as_it_says_so(self, bar: BarState):
        await calls(BarState.load, bar)
        answer = await calls(BarState.tell_time_zone, bar, zone="Asia/Tokyo")
        assert answer == [BarState.load]
        await calls(BarState.load, bar)
        assert bar.day_ends_in == 3 * AN_HOUR

    async def test_that_became_longer_with_another_zone_keeps_a_streak(
        self, bar: BarState, maja: Actor
    ):
        """Watched in Stockholm, and the day after lasts until a midnight in Los Angeles."""
        ad, evening = await an_ad(), NOON + timedelta(hours=37)
        await calls(BarState.tell_time_zone, bar, zone="Europe/Stockholm")
        await watches(maja, ad)
        await leaderboard.fold(now=NOON)
        await calls(BarState.tell_time_zone, bar, zone="America/Los_Angeles")
        with time_machine.travel(evening, tick=False):
            await calls(BarState.load, bar)
        assert (bar.time_zone, bar.day_ends_in) == ("America/Los_Angeles", 6 * AN_HOUR)
        assert (await leaderboard.streak(maja.user_id, now=evening)).days == 1
        await watches(maja, ad, now=evening)
        await leaderboard.fold(now=evening)
        assert (await leaderboard.streak(maja.user_id, now=evening)).days == 2

    async def test_stays_as_it_is_where_a_device_names_no_zone(self, bar: BarState):
        """With every document that opens, and nobody has pressed anything."""
        await calls(BarState.load, bar)
        assert await calls(BarState.tell_time_zone, bar, zone="Etc/Unknown") == [None]
        assert (bar.notice, bar.refusal, bar.time_zone) == ({}, {}, "")

    async def test_says_for_which_company_nobody_acts_while_its_player_is_suspended(
        self, bar: BarState, maja: Actor
    ):
        await a_company(owner=maja)
        await calls(BarState.load, bar)
        assert bar.company == ""
        bar.is_suspended = True
        await calls(BarState.load, bar)
        assert bar.company == "Fjord Audio"

    @pytest.mark.parametrize(
        ("path", "wanted"),
        [
            ("/watch", WatchState.refresh),
            ("/", OwnDayState.refresh),
            ("/leaderboard", LeaderboardState.refresh),
        ],
    )
    async def test_that_is_over_is_asked_for_anew_where_the_page_shows_it(
        self, bar: BarState, path: str, wanted: Any
    ):
        [page] = [one for one in PAGES if one.path == path and Role.PLAYER in one.roles]
        bar.place = path
        assert await calls(BarState.begin_day, bar) == [[BarState.load, *page.refreshes]]
        assert wanted in page.refreshes

    async def test_that_is_over_is_the_frames_alone_on_other_pages(self, bar: BarState):
        bar.place = "/terms"
        assert await calls(BarState.begin_day, bar) == [[BarState.load]]

    async def test_of_somebody_suspended_is_not_asked_of_a_page_they_do_not_see(
        self, bar: BarState
    ):
        bar.place, bar.is_suspended = "/watch", True
        assert await calls(BarState.begin_day, bar) == [[BarState.load]]
