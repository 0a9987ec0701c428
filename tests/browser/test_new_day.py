"""A page that is open when its player's day ends: it soon shows the new one."""

import re
from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.models import Watcher
from tests.browser.chromium import Visitor
from tests.browser.conftest import Come, Person
from tests.browser.pages import Home, Watch
from tests.browser.watching import Wire, at_the_ads, has_watched

YESTERDAY, AN_HOUR = timedelta(hours=30), timedelta(hours=1)
ENDS_IN = timedelta(minutes=1)
SOON = 2
"""In minutes: when the day has ended, and everybody has asked."""
NONE_YET = re.compile(rf"(?<!\d)0 of {DAILY_LIMIT}")
ASKED = "bar_state.begin_day"


async def watches_all_of_a_day(person: Person) -> None:
    await has_watched(person, DAILY_LIMIT, every=timedelta(seconds=6), ago=YESTERDAY)
    async with transaction() as session:
        watcher = await session.get(Watcher, person.account_id)
        assert watcher
        watcher.time_zone = "UTC"
        watcher.day_starts_at = utc_now() - YESTERDAY - AN_HOUR
        watcher.day_ends_at = utc_now() + ENDS_IN
        session.add(watcher)


async def the_day_ends(person: Person) -> None:
    async with transaction() as session:
        watcher = await session.get(Watcher, person.account_id)
        assert watcher
        watcher.day_ends_at = utc_now()
        session.add(watcher)


@dataclass
class Late:
    """A player's browser, whose clock the test moves on, shortly before midnight."""

    visitor: Visitor
    wire: Wire
    player: Person

    async def midnight_passes(self) -> None:
        await the_day_ends(self.player)
        await self.wire.time_passes(self.visitor.page, minutes=SOON)

    @property
    def asked(self) -> int:
        return sum(ASKED in words for words in self.wire.words)


@pytest.fixture
async def late(come: Come, maja: Person) -> Late:
    await watches_all_of_a_day(maja)
    visitor = await come(timezone_id="UTC")
    wire = await Wire.of(visitor)
    await visitor.page.clock.install()
    return Late(visitor, wire, maja)


def todays_ads(screen: Watch | Home, count: int) -> Locator:
    return screen.bars.get_by_text(f"{count} of {DAILY_LIMIT}", exact=True)


class TestThePageWithTheAds:
    async def test_offers_them_again_and_has_asked_once(self, late: Late):
        watch = await at_the_ads(late.visitor, late.player)
        await expect(watch.text("Come back tomorrow!")).to_be_visible()
        await expect(watch.ads.first).to_contain_text("Tomorrow")
        await expect(todays_ads(watch, DAILY_LIMIT)).to_be_visible()

        await late.midnight_passes()

        await expect(watch.figure("watch.daily_progress")).to_contain_text(NONE_YET)
        await expect(watch.text("Come back tomorrow!")).to_be_hidden()
        await expect(watch.ads.first).not_to_contain_text("Tomorrow")
        await expect(todays_ads(watch, 0)).to_be_visible()
        await late.wire.time_passes(watch.page, minutes=SOON)
        assert late.asked == 1

    async def test_behind_another_tab_asks_when_it_is_seen_again(self, late: Late):
        watch = await at_the_ads(late.visitor, late.player)
        await expect(watch.text("Come back tomorrow!")).to_be_visible()
        await watch.hide(is_hidden=True)
        await late.midnight_passes()
        assert late.asked == 0

        await watch.hide(is_hidden=False)

        await expect(watch.figure("watch.daily_progress")).to_contain_text(NONE_YET)
        assert late.asked == 1


async def test_home_leads_to_the_ads_again(late: Late):
    await late.visitor.comes_with(late.player.session)
    home = Home(await late.visitor.open("/"))
    await expect(home.text(home.says["home.limit_reached"])).to_be_visible()

    await late.midnight_passes()

    await expect(home.link("home.next_ad")).to_be_visible()
    await expect(home.text(home.says["home.limit_reached"])).to_be_hidden()
    await expect(todays_ads(home, 0)).to_be_visible()
