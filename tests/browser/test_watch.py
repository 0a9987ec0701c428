"""Watching ads: from the press of a button to the coins; hiding, leaving, another tab."""

import asyncio
from datetime import timedelta
from itertools import pairwise

import pytest
from playwright.async_api import expect
from sqlalchemy import text

from rewards_app.core import live
from rewards_app.core.clock import utc_now
from rewards_app.core.database import run, transaction
from rewards_app.features.signals.rules import Rule
from tests.browser.buying import a_rich
from tests.browser.conftest import Come, Person
from tests.browser.overheard import sent_by
from tests.browser.pages import Home, Watch
from tests.browser.watching import (
    Wire,
    a_film,
    at_the_ads,
    eleven_minutes_pass,
    ends,
    is_known,
    nothing_else_to_watch,
    started_from_home,
    suspicions,
    was_sooner,
)


class TestAWatchedAd:
    async def test_earns_its_coins(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        await visitor.page.emulate_media(reduced_motion="no-preference")
        said = sent_by(visitor.page)
        watch = await at_the_ads(visitor, maja)
        await expect(watch.main.locator("li").filter(has_text=film.title)).to_have_count(3)

        await watch.start(film.title)
        reward = asyncio.create_task(watch.reward_is_shown_for())
        await expect(watch.player).to_contain_text("Ad by Northlight Chairs")
        await expect(watch.player).to_contain_text(film.description)
        await expect(watch.player).to_contain_text("Secure session")
        await expect(watch.player.get_by_role("link", name="Visit advertiser")).to_have_attribute(
            "rel", "noopener"
        )
        await watch.is_rewarded(15)
        await watch.sees_toast("Ad Completed!", "You earned 15 WatchCoins! Remaining today: 49")
        await watch.has_coins(15)
        await watch.is_closed()
        shown_for, coins, lasts = await reward
        assert 2.5 <= shown_for <= 5
        assert 15 <= coins <= 20
        assert lasts == 2500
        device = await visitor.page.evaluate(
            "`${navigator.userAgent} ${screen.width}x${screen.height}"
            " ${new Date().getTimezoneOffset()}`"
        )
        assert any(device in words for words in said)
        await expect(watch.figure("watch.total_watched")).to_contain_text("1")
        await expect(watch.outcomes.first).to_contain_text(film.title)
        await expect(watch.outcomes.first).to_contain_text("+15")

    async def test_moves_its_bar_at_least_every_100_ms(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)

        seen = await watch.progress.locator("div").evaluate(
            """async bar => {
              const seen = [];
              for (let times = 0; times < 10; times++) {
                seen.push(new DOMMatrix(getComputedStyle(bar).transform).a);
                // Two frames later: it moves with them, however long they take.
                await new Promise((next) => setTimeout(() => requestAnimationFrame(
                  () => requestAnimationFrame(next)), 60));
              }
              return seen;
            }"""
        )

        assert all(later > sooner for sooner, later in pairwise(seen)), seen

    async def test_cannot_be_closed_by_its_viewer(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)

        for _ in range(3):
            await watch.page.keyboard.press("Escape")
        await watch.page.mouse.click(5, 5)

        await watch.page.wait_for_timeout(1000)
        await expect(watch.player).to_be_visible()
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


class TestAdsThatComeAndGo:
    """While the page is open."""

    async def test_leave_the_page_with_the_last_campaign_and_come_back_with_the_next_one(
        self, come: Come, maja: Person
    ):
        async with nothing_else_to_watch():
            film = await a_film()
            await live.tell_now()
            watch = await at_the_ads(await come(), maja)
            available = watch.figure("watch.available_ads")
            await expect(available).to_contain_text("1")

            await ends(film)

            await expect(watch.heading("watch.empty_title")).to_be_visible()
            await expect(watch.ads).to_have_count(0)
            await expect(available).to_contain_text("0")

            another = await a_film()
            await live.tell_now()

            await expect(watch.ad(another.title)).to_be_visible()
            await expect(available).to_contain_text("1")
            await ends(another)

    async def test_leave_the_others_where_they_are(self, come: Come, maja: Person):
        async with nothing_else_to_watch():
            films = [await a_film() for _ in range(3)]
            await live.tell_now()
            watch = await at_the_ads(await come(), maja)
            newest, middle, oldest = (film.title for film in reversed(films))
            titles = watch.main.locator("li h3")
            await expect(titles).to_have_text([newest, middle, oldest] * 3)

            new = await a_film()
            await ends(films[1])

            await expect(titles).to_have_text([newest, new.title, oldest] * 3)
            for film in (films[0], films[2], new):
                await ends(film)

    async def test_are_looked_for_again_where_none_could_be_shown(self, come: Come, maja: Person):
        async with nothing_else_to_watch():
            film = await a_film()
            await live.tell_now()
            visitor = await come()
            wire = await Wire.of(visitor)
            watch = await at_the_ads(visitor, maja)
            wire.held_up = "watch_state.start"
            await watch.ad(film.title).click()
            while not wire.rest:
                await watch.page.wait_for_timeout(50)
            async with transaction() as session:
                # Nobody is told: by its dates it is over before anybody looks again.
                await run(
                    session,
                    text("update ad_campaigns set ends_at = now() where id = :id"),
                    {"id": film.campaign_id},
                )

            wire.says_the_rest()

            await watch.sees_toast(watch.says["errors.ads.no_ad_title"])
            await expect(watch.heading("watch.empty_title")).to_be_visible()
            await ends(film)


class TestActivity:
    async def test_is_what_a_running_ad_is_though_nobody_touches_anything(
        self, come: Come, maja: Person
    ):
        film = await a_film(seconds=6)
        visitor = await come()
        clock = visitor.page.clock
        await clock.install()
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)

        await clock.set_system_time(utc_now() + timedelta(minutes=20))
        await watch.is_rewarded()
        await clock.set_system_time(utc_now() + timedelta(minutes=40))
        await watch.is_closed()
        await clock.fast_forward("01:10")
        # Where a page finds that nobody was there it waits for two seconds more.
        await clock.fast_forward("00:03")

        await watch.page.wait_for_timeout(1000)
        await watch.has_coins(15)


class TestHiding:
    async def test_pauses_the_ad_until_it_is_seen_again(self, come: Come, maja: Person):
        film = await a_film(seconds=8)
        visitor = await come()
        await visitor.page.clock.install()
        watch = await at_the_ads(visitor, maja)

        await watch.start_and_hide(film.title)
        await expect(watch.player.locator("video")).to_have_js_property("paused", True)
        before = await watch.length()
        await visitor.page.clock.fast_forward("00:12")
        assert await watch.length() == before
        await watch.hide(is_hidden=False)

        # What follows takes less than the rest: had it gone on unseen, it would be over.
        assert before < 0.6
        await expect(watch.player).not_to_contain_text("Paused")
        await watch.page.wait_for_timeout(1500)
        await expect(watch.progress).to_be_visible()
        await watch.is_rewarded(within=25)

    async def test_ends_in_time_though_its_player_had_other_news_meanwhile(
        self, come: Come, maja: Person
    ):
        """They told how far it was: the answer to being seen again says nothing else."""
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        await watch.start_and_hide(film.title)
        await is_known(maja, lambda view: view.paused_at is not None)
        await a_rich(maja, 20)
        await live.tell_now()
        await expect(watch.figure("watch.total_coins")).to_contain_text("20")

        await watch.hide(is_hidden=False)

        # Less than five seconds are left; where that answer is not noticed its end is not reported.
        await watch.is_rewarded(within=9)


class TestLeaving:
    async def test_a_reload_goes_on_where_it_was(self, come: Come, maja: Person):
        film = await a_film(seconds=60)
        visitor = await come()
        await visitor.page.clock.install()
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)
        await watch.page.wait_for_timeout(1500)
        before = await watch.length()

        await watch.page.reload()

        await expect(watch.progress).to_be_visible()
        await watch.page.wait_for_timeout(100)
        assert await watch.length() >= before
        # However long the reload took: to the server and to the page it has gone on for so long.
        await was_sooner(maja, timedelta(seconds=55))
        await visitor.page.clock.fast_forward("00:55")
        await watch.is_rewarded()

    async def test_another_page_gives_the_ad_up(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        watch = await started_from_home(await come(), maja, film)

        await watch.page.go_back()
        await Home(watch.page).welcomes("Maja")
        await watch.page.go_forward()

        await watch.is_ready()
        await expect(watch.player).to_be_hidden()
        await expect(watch.outcomes.first).to_contain_text(watch.says["watch.reasons.ads.left"])


class TestAnotherTab:
    async def test_explains_and_takes_the_ad_over(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        here = await at_the_ads(visitor, maja)
        await here.start_and_hide(film.title)
        there = Watch(await visitor.another_tab("/watch"))
        await expect(there.text(there.says["watch.unfinished_title"])).to_be_visible()

        await there.ad(film.title).click()
        await there.sees_toast("An ad is already running")
        await there.button("watch.continue_here").click()
        await there.is_rewarded()

        await here.is_closed()
        await there.is_closed()
        await expect(there.text(there.says["watch.unfinished_title"])).to_be_hidden()

    async def test_has_the_ad_alone_though_the_tab_before_is_seen_too(
        self, come: Come, maja: Person
    ):
        film = await a_film(seconds=15)
        here = await at_the_ads(await come(), maja)
        await here.start(film.title)
        there = await at_the_ads(await come(), maja)

        await there.button("watch.continue_here").click()

        await here.is_closed()
        await expect(here.text(here.says["watch.unfinished_title"])).to_be_visible()
        await there.is_rewarded(within=25)
        await there.is_closed()
        await expect(here.text(here.says["watch.unfinished_title"])).to_be_hidden()
        await expect(here.outcomes).to_have_count(1)
        for rule in (Rule.EARLY_COMPLETION, Rule.REPLAYED_COMPLETION):
            assert not await suspicions(maja, rule)

    async def test_is_stopped_by_nothing_that_the_tab_before_does(self, come: Come, maja: Person):
        film = await a_film(seconds=8)
        visitor = await come()
        here = await started_from_home(visitor, maja, film)
        there = Watch(await visitor.another_tab("/watch"))
        await there.button("watch.continue_here").click()
        await expect(there.progress).to_be_visible()

        await here.hide(is_hidden=True)
        await here.page.go_back()

        await there.is_rewarded()

    async def test_hears_that_the_ad_was_left(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        visitor = await come()
        here = await started_from_home(visitor, maja, film)
        there = Watch(await visitor.another_tab("/watch"))
        await expect(there.button("watch.continue_here")).to_be_visible()

        await here.page.go_back()

        await expect(there.text(there.says["watch.unfinished_title"])).to_be_hidden()
        await expect(there.outcomes.first).to_contain_text(there.says["watch.reasons.ads.left"])

    async def test_is_told_that_the_ad_has_waited_too_long(self, come: Come, maja: Person):
        film = await a_film(seconds=20)
        visitor = await come()
        here = await at_the_ads(visitor, maja)
        await here.start(film.title)
        there = Watch(await visitor.another_tab("/watch"))
        await expect(there.button("watch.continue_here")).to_be_visible()
        await eleven_minutes_pass(maja)

        await there.button("watch.continue_here").click()

        await there.sees_toast("Not credited", "An ad waits ten minutes for you")
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
