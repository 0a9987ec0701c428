"""Watching ads: from the press of a button to the coins, and everything that may come between."""

import asyncio
import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise

import pytest
from playwright.async_api import Page, WebSocketRoute, expect
from sqlmodel import select

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.ads.rules import DAILY_LIMIT, FINISH_WITHIN, ReportReason
from rewards_app.models import Account, Ad, AdReport
from tests import ads
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Home, Watch, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled
from tests.serving import Served

FILM = {"video_url": "/ads/drift-one.webm", "image_url": "/ads/drift-one.webp"}


async def a_film(*, seconds: int = 5, **changes: object) -> Ad:
    """A short film with a title of its own: the newest ad of all, so it is listed first."""
    title = f"Champion {secrets.token_hex(3)}"
    return await ads.an_ad(title=title, seconds=seconds, **FILM | changes)


async def at_the_ads(visitor: Visitor, person: Person) -> Watch:
    await visitor.comes_with(person.session)
    watch = Watch(visitor.page)
    await watch.open()
    return watch


async def the_actor_behind(person: Person) -> Actor:
    async with transaction() as session:
        account = await session.get(Account, person.account_id)
    assert account
    return ads.the_actor(account)


async def rests_open(page: Page, selector: str, *, for_seconds: float) -> None:
    await page.wait_for_timeout(1000 * for_seconds)
    await expect(page.locator(selector)).to_be_visible()


@dataclass
class Wire:
    """The pages' socket, which can be cut, and can swallow what the server says."""

    is_cut: bool = False
    is_mute: bool = False
    lines: list[WebSocketRoute] = field(default_factory=list)

    async def carry(self, line: WebSocketRoute) -> None:
        if self.is_cut:
            await line.close()
            return
        server = line.connect_to_server()
        self.lines.append(line)
        server.on_message(lambda words: None if self.is_mute else line.send(words))

    async def cut(self) -> None:
        self.is_cut = True
        for line in self.lines:
            await line.close()
        self.lines.clear()

    def mend(self) -> None:
        self.is_cut = False


@pytest.fixture
async def maja(a_person: MakePerson) -> Person:
    return await a_person()


class TestAWatchedAd:
    async def test_earns_its_coins(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        await visitor.page.emulate_media(reduced_motion="no-preference")
        watch = await at_the_ads(visitor, maja)
        await expect(watch.ads.filter(has_text=film.title)).to_have_count(3)

        await watch.start(film.title)
        await expect(watch.player).to_contain_text("Ad by Northlight Chairs")
        await expect(watch.player).to_contain_text("Secure session")
        await expect(watch.player.get_by_role("link", name="Visit advertiser")).to_have_attribute(
            "rel", "noopener"
        )
        await watch.is_rewarded(15)
        rewarded_at = asyncio.get_running_loop().time()

        await watch.sees_toast("Ad Completed!", "You earned 15 WatchCoins! Remaining today: 49")
        assert 15 <= await watch.player.locator(".burst > .coin").count() <= 20
        await expect(watch.bars).to_contain_text("15 WatchCoins")
        await watch.is_closed()
        assert 2.5 <= asyncio.get_running_loop().time() - rewarded_at <= 5
        await expect(watch.figure("watch.total_watched")).to_contain_text("1")
        await expect(watch.outcomes.first).to_contain_text(film.title)
        await expect(watch.outcomes.first).to_contain_text("+15")

    async def test_moves_its_bar_at_least_every_100_ms(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)

        seen = await watch.progress.locator("div").evaluate(
            """async bar => {
              const seen = [];
              for (let times = 0; times < 10; times++) {
                seen.push(new DOMMatrix(getComputedStyle(bar).transform).a);
                await new Promise((next) => setTimeout(next, 100));
              }
              return seen;
            }"""
        )

        assert all(later > sooner for sooner, later in pairwise(seen)), seen
        await watch.is_rewarded()

    async def test_cannot_be_closed_by_its_viewer(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)

        for _ in range(3):
            await watch.page.keyboard.press("Escape")
        await watch.page.mouse.click(5, 5)

        await rests_open(watch.page, "#ad-player", for_seconds=1)
        await expect(watch.player.get_by_role("button", name=watch.says["ui.close"])).to_have_count(
            0
        )

    async def test_plays_its_film_with_a_button_for_the_sound(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)
        video = watch.player.locator("video")
        await expect(video).to_have_js_property("paused", False)
        await expect(video).to_have_js_property("muted", False)

        await watch.button("watch.mute").click()

        await expect(video).to_have_js_property("muted", True)
        await expect(watch.button("watch.unmute")).to_be_focused()

    @pytest.mark.parametrize("kind", ["image", "banner"])
    async def test_may_be_a_picture(self, come: Come, maja: Person, kind: str):
        picture = "/ads/hexhaven.webp" if kind == "image" else "/ads/winter-cup.webp"
        film = await a_film(ad_type=kind, video_url="", image_url=picture)
        watch = await at_the_ads(await come(), maja)

        await watch.start(film.title)

        shown = watch.player.get_by_role("img", name=film.title)
        await expect(shown).to_have_js_property("complete", True)
        await watch.is_rewarded()

    async def test_counts_although_its_film_cannot_be_played(self, come: Come, maja: Person):
        film = await a_film(video_url="/ads/no-such-film.webm")
        visitor = await come()
        visitor.bears("status of 404")
        watch = await at_the_ads(visitor, maja)

        await watch.start(film.title)

        await expect(watch.text(watch.says["watch.video_failed"])).to_be_visible()
        await watch.is_rewarded()

    async def test_starts_once_however_often_the_button_is_pressed(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)

        await watch.ad(film.title).dblclick(delay=10)

        await watch.is_rewarded()
        await watch.is_closed()
        await expect(watch.outcomes).to_have_count(1)


class TestHiding:
    async def test_pauses_the_ad_until_it_is_seen_again(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)
        await watch.page.wait_for_timeout(1000)

        await watch.hide(is_hidden=True)
        await expect(watch.player).to_contain_text("Paused")
        await expect(watch.player.locator("video")).to_have_js_property("paused", True)
        before = await watch.length()
        await watch.page.wait_for_timeout(5000)
        assert await watch.length() == before
        await watch.hide(is_hidden=False)

        assert before < 0.5
        await expect(watch.player).not_to_contain_text("Paused")
        await watch.page.wait_for_timeout(1500)
        await expect(watch.progress).to_be_visible()
        await watch.is_rewarded()


class TestLeaving:
    async def test_a_reload_goes_on_where_it_was(self, come: Come, maja: Person):
        film = await a_film(seconds=8)
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)
        await watch.page.wait_for_timeout(3000)
        before = await watch.length()

        await watch.page.reload()

        await expect(watch.progress).to_be_visible()
        assert await watch.length() >= before
        await watch.is_rewarded()

    async def test_another_page_gives_the_ad_up(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        visitor = await come()
        await visitor.comes_with(maja.session)
        watch = Watch(await visitor.open("/"))
        await watch.page.get_by_role("link", name="Earn", exact=True).first.click()
        await watch.is_ready()
        await watch.start(film.title)

        await watch.page.go_back()
        await Home(watch.page).welcomes("Maja")
        await watch.page.go_forward()

        await watch.is_ready()
        await expect(watch.player).to_be_hidden()
        await expect(watch.outcomes.first).to_contain_text(watch.says["watch.reasons.ads.left"])


class TestAnotherTab:
    async def test_explains_and_takes_the_ad_over(self, come: Come, maja: Person):
        film = await a_film(seconds=10)
        visitor = await come()
        here = await at_the_ads(visitor, maja)
        await here.start(film.title)
        await here.hide(is_hidden=True)
        there = Watch(await visitor.another_tab("/watch"))
        await expect(there.text(there.says["watch.unfinished_title"])).to_be_visible()

        await there.ad(film.title).click()
        await there.sees_toast("An ad is already running")
        await there.button("watch.continue_here").click()
        await there.is_rewarded()

        await here.is_closed()
        await there.is_closed()
        await expect(there.text(there.says["watch.unfinished_title"])).to_be_hidden()

    async def test_can_give_the_ad_up(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        visitor = await come()
        here = await at_the_ads(visitor, maja)
        await here.start(film.title)
        there = Watch(await visitor.another_tab("/watch"))

        await there.button("watch.give_up").click()

        await expect(there.text(there.says["watch.unfinished_title"])).to_be_hidden()
        await expect(there.outcomes.first).to_contain_text(there.says["watch.reasons.ads.left"])
        await here.hide(is_hidden=True)
        await here.hide(is_hidden=False)
        await here.is_closed()


class TestABadConnection:
    async def test_does_not_stop_the_ad_and_pays_when_it_is_back(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        visitor.bears("WebSocket")
        wire = Wire()
        await visitor.context.route_web_socket(lambda url: "/_event" in url, wire.carry)
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)

        await wire.cut()
        before = await watch.length()
        await watch.page.wait_for_timeout(1500)
        assert await watch.length() > before
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)
        wire.mend()

        await watch.is_rewarded()
        await watch.is_closed()
        await expect(watch.outcomes).to_have_count(1)
        await expect(watch.outcomes.first).to_contain_text("+15")

    async def test_asks_again_when_the_answer_is_lost_and_is_paid_once(
        self, come: Come, maja: Person
    ):
        film = await a_film()
        visitor = await come()
        wire = Wire()
        await visitor.context.route_web_socket(lambda url: "/_event" in url, wire.carry)
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)

        wire.is_mute = True
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)
        wire.is_mute = False

        await watch.is_rewarded(15)
        assert "already earned" not in await watch.page.inner_text("body")
        await watch.page.reload()
        await expect(watch.bars).to_contain_text("15 WatchCoins")
        await expect(watch.outcomes).to_have_count(1)

    async def test_says_so_when_no_ad_starts_within_10_seconds(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        wire = Wire()
        await visitor.context.route_web_socket(lambda url: "/_event" in url, wire.carry)
        watch = await at_the_ads(visitor, maja)

        wire.is_mute = True
        await watch.ad(film.title).click()
        await expect(watch.ad(film.title)).to_have_attribute("aria-busy", "true")

        await expect(watch.toast).to_contain_text(
            "Failed to start ad. Please try again.", timeout=12_000
        )
        await expect(watch.ad(film.title)).not_to_have_attribute("aria-busy", "true")

    async def test_a_restart_of_the_server_loses_no_ad(
        self, come: Come, maja: Person, served: Served
    ):
        film = await a_film()
        visitor = await come()
        visitor.bears("ERR_CONNECTION_REFUSED", "WebSocket", "Failed to load resource")
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)

        await asyncio.to_thread(served.stop)
        await asyncio.to_thread(served.start)

        await watch.is_rewarded(within=30)
        await watch.is_closed()


class TestRefusals:
    async def test_an_early_end_is_a_security_check(self, come: Come, maja: Person):
        film = await a_film(seconds=30)
        visitor = await come()
        await visitor.page.clock.install()
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)

        await visitor.page.clock.fast_forward("00:31")

        await watch.sees_toast("Security Check", "Please watch the complete ad to earn rewards.")
        await watch.is_closed()
        await expect(watch.outcomes.first).to_contain_text("of 30 seconds were missing")
        await expect(watch.outcomes.first).to_contain_text("Not finished")
        await expect(watch.button("watch.continue_here")).to_be_visible()
        await expect(watch.player).to_be_hidden()

    async def test_the_daily_limit_is_explained_before_and_after_the_press(
        self, come: Come, maja: Person
    ):
        film = await a_film()
        player = await the_actor_behind(maja)
        now = utc_now()
        first = max(now - timedelta(minutes=6), now.replace(hour=0, minute=0, second=0))
        for number in range(DAILY_LIMIT):
            await ads.watches(player, film, now=first + number * timedelta(seconds=6))
        watch = await at_the_ads(await come(timezone_id="UTC"), maja)

        await expect(watch.figure("watch.daily_progress")).to_contain_text("50 of 50")
        await expect(watch.text("Come back tomorrow!")).to_be_visible()
        await expect(watch.ads.first).to_contain_text("Tomorrow")
        await watch.ads.first.click()

        await watch.sees_toast(
            "That's it for today",
            "You've reached your daily limit of ads. Come back tomorrow!",
        )
        await expect(watch.player).to_be_hidden()

    async def test_an_ad_left_for_too_long_is_over(self, come: Come, maja: Person):
        film = await a_film()
        long_ago = utc_now() - FINISH_WITHIN - timedelta(minutes=1)
        await ads.starts(await the_actor_behind(maja), film, now=long_ago)

        watch = await at_the_ads(await come(), maja)

        await expect(watch.outcomes.first).to_contain_text("An ad waits ten minutes for you")
        await expect(watch.text(watch.says["watch.unfinished_title"])).to_be_hidden()


class TestReports:
    async def test_reach_us_once(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        words = "It promises 500 coins."

        for thanks in ("Your report is with us.", "You have reported this ad before."):
            await watch.flag(film.title).click()
            await watch.report.get_by_label("What is wrong?").select_option(ReportReason.MISLEADING)
            await watch.report.get_by_label("Anything to add?").fill(words)
            await watch.report.get_by_role("button", name="Send report").click()
            await watch.sees_toast("Thank you", thanks)
            await expect(watch.report).to_be_hidden()

        await expect(watch.flag(film.title)).to_be_focused()
        async with transaction() as session:
            kept = (await session.exec(select(AdReport).where(AdReport.ad_id == film.id))).all()
        assert [(report.reason, report.text) for report in kept] == [("misleading", words)]

    async def test_say_beside_the_form_what_is_missing(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        await watch.flag(film.title).click()
        reason = watch.report.get_by_label("What is wrong?")
        await reason.evaluate("field => field.removeAttribute('required')")

        await watch.report.get_by_role("button", name="Send report").click()

        await expect(watch.report).to_contain_text("Please choose what is wrong.")
        await watch.report.get_by_role("button", name="Cancel").click()
        await expect(watch.report).to_be_hidden()

    async def test_can_be_written_while_the_ad_runs(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)

        await watch.player.get_by_role("button", name="Report this ad").click()
        await watch.report.get_by_label("What is wrong?").select_option(ReportReason.OTHER)
        await watch.report.get_by_role("button", name="Send report").click()

        await expect(watch.report).to_be_hidden()
        await watch.is_rewarded()


class TestEverybody:
    async def test_watches_with_a_keyboard_alone(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        button = watch.ad(film.title)

        await tab_to(watch.page, button)
        await watch.page.keyboard.press("Enter")
        await expect(watch.progress).to_be_visible()
        assert await watch.player.evaluate("player => player.contains(document.activeElement)")
        for name in ("Visit advertiser", "Report this ad"):
            reached = watch.player.get_by_text(name).locator("visible=true")
            await tab_to(watch.page, reached, at_most=6)

        await watch.is_rewarded()
        await watch.is_closed()
        await expect(button).to_be_focused()

    async def test_sees_no_falling_coins_who_wants_no_motion(self, come: Come, maja: Person):
        film = await a_film()
        watch = await at_the_ads(await come(viewport=PHONE), maja)
        await watch.start(film.title)

        await watch.is_rewarded()

        await expect(watch.player.locator(".burst")).to_be_hidden()

    @pytest.mark.parametrize("language", ["en", "de", "ru"])
    async def test_finds_it_fitting_their_screen(self, come: Come, maja: Person, language: str):
        film = await a_film(seconds=60)
        visitor = await come(stored={"language": language})
        await visitor.comes_with(maja.session)
        watch = Watch(visitor.page, language)
        await watch.open()
        found = await spilled(watch.page)
        await watch.start(film.title)
        found += await spilled(watch.page)
        assert not found, "\n".join(found)

    @pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
    async def test_can_use_page_player_and_report(
        self, come: Come, maja: Person, viewport: dict[str, int]
    ):
        film = await a_film(seconds=60)
        watch = await at_the_ads(await one_following_the_system(come, viewport=viewport), maja)
        await has_no_violations(watch.page)
        await watch.flag(film.title).click()
        await expect(watch.report).to_be_visible()
        await has_no_violations(watch.page)
        await watch.report.get_by_role("button", name="Cancel").click()
        await watch.start(film.title)
        await has_no_violations(watch.page)
