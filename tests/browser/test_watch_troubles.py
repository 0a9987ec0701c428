"""Watching ads when something is in the way: the connection, a refusal, a bad ad."""

from datetime import timedelta

import pytest
from playwright.async_api import expect
from sqlmodel import select

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.ads.rules import FINISH_WITHIN, ReportReason, Status
from rewards_app.features.signals.rules import Rule
from rewards_app.models import Ad, AdReport
from tests import ads
from tests.browser.conftest import Come, Person
from tests.browser.pages import Home, Watch
from tests.browser.watching import (
    Wire,
    a_film,
    at_the_ads,
    eleven_minutes_pass,
    from_home,
    is_known,
    started_from_home,
    suspicions,
    the_actor_behind,
    watches_all_of_today,
)


class TestABadConnection:
    async def test_does_not_stop_the_ad_and_pays_when_it_is_back(self, come: Come, maja: Person):
        film = await a_film(seconds=8)
        visitor = await come()
        visitor.bears("WebSocket")
        wire = await Wire.of(visitor)
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

    async def test_for_longer_than_an_ad_waits_is_told(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        visitor.bears("WebSocket")
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)

        await wire.cut()
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)
        await eleven_minutes_pass(maja)
        wire.mend()

        await watch.sees_toast("Not credited", "An ad waits ten minutes for you")
        await watch.is_closed()
        await expect(watch.outcomes.first).to_contain_text("Not credited")

    async def test_asks_again_when_the_answer_is_lost_and_is_paid_once(
        self, come: Come, maja: Person
    ):
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)

        wire.is_mute = True
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)
        wire.is_mute = False

        await watch.is_rewarded(15)
        assert "already earned" not in await watch.page.inner_text("body")
        await watch.page.reload()
        await watch.has_coins(15)
        await expect(watch.outcomes).to_have_count(1)

    async def test_closes_when_it_was_not_heard_that_the_reward_was_seen(
        self, come: Come, maja: Person
    ):
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)
        await watch.is_rewarded()

        wire.held_up = "watch_state.close"
        while not wire.rest:
            await watch.page.wait_for_timeout(50)
        wire.loses_the_rest()

        await watch.is_closed()
        await watch.page.wait_for_timeout(500)
        await watch.start(film.title)

    async def test_says_so_when_no_ad_starts_within_10_seconds(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        await visitor.page.clock.install()
        watch = await at_the_ads(visitor, maja)

        wire.is_mute = True
        await watch.ad(film.title).click()
        await expect(watch.ad(film.title)).to_have_attribute("aria-busy", "true")
        await visitor.page.clock.fast_forward("00:05")
        await expect(watch.ad(film.title)).to_have_attribute("aria-busy", "true")

        await visitor.page.clock.fast_forward("00:05")

        await expect(watch.toast).to_contain_text("Failed to start ad. Please try again.")
        await expect(watch.ad(film.title)).not_to_have_attribute("aria-busy", "true")


async def paused_and_heard(watch: Watch, player: Person, film: Ad) -> None:
    """Begun and hidden: the server knows that the ad stands still."""
    await watch.start_and_hide(film.title)
    await is_known(player, lambda view: view.paused_at is not None)


async def paused_and_unheard(watch: Watch, player: Person, film: Ad, wire: Wire) -> None:
    """Hidden, and seen again: of that the server has not heard."""
    await paused_and_heard(watch, player, film)
    wire.held_up = "watch_state.resume"
    await watch.hide(is_hidden=False)
    while not wire.rest:
        await watch.page.wait_for_timeout(50)


class TestSeenAgainOnABadConnection:
    """What the server has heard is the pause alone: it counts less than was seen."""

    @pytest.mark.parametrize("how", ["cut", "deaf"])
    async def test_the_ad_goes_on_and_is_paid(self, come: Come, maja: Person, how: str):
        film = await a_film()
        visitor = await come()
        visitor.bears("WebSocket")
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        await paused_and_heard(watch, maja, film)

        if how == "cut":
            await wire.cut()
        wire.is_deaf = how == "deaf"
        await watch.hide(is_hidden=False)
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)
        await watch.page.wait_for_timeout(500)
        if how == "deaf":
            await wire.cut()
            wire.is_deaf = False
        wire.mend()

        await watch.is_rewarded(within=30)
        await watch.is_closed()
        await expect(watch.outcomes.first).to_contain_text("+15")
        assert not await suspicions(maja, Rule.EARLY_COMPLETION)

    async def test_the_ad_is_not_over_when_that_is_heard_late(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        await paused_and_unheard(watch, maja, film, wire)
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)

        wire.says_the_rest()

        await expect(watch.text(watch.says["watch.saving"])).to_be_hidden()
        await watch.is_rewarded(within=20)
        assert not await suspicions(maja, Rule.EARLY_COMPLETION)

    async def test_the_ad_pauses_as_before(self, come: Come, maja: Person):
        film = await a_film(seconds=8)
        visitor = await come()
        visitor.bears("WebSocket")
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        await paused_and_heard(watch, maja, film)
        wire.is_deaf = True
        await watch.hide(is_hidden=False)
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)
        await wire.cut()
        wire.is_deaf = False
        wire.mend()
        await expect(watch.text(watch.says["watch.saving"])).to_be_hidden(timeout=15_000)

        await watch.hide(is_hidden=True)

        await expect(watch.player).to_contain_text("Paused")
        await watch.hide(is_hidden=False)
        await watch.is_rewarded(within=20)
        assert not await suspicions(maja, Rule.EARLY_COMPLETION)

    async def test_is_said_until_it_is_heard(self, come: Come, maja: Person):
        """The first word gets lost, or is refused while our database is away."""
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        await paused_and_unheard(watch, maja, film, wire)
        wire.loses_the_rest()

        await watch.is_rewarded(within=20)
        await watch.is_closed()
        assert not await suspicions(maja, Rule.EARLY_COMPLETION)

    async def test_the_ad_waits_for_who_leaves_its_page(self, come: Come, maja: Person):
        """It was seen to its end, and said to be safe: the server counts less."""
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await from_home(visitor, maja)
        await paused_and_unheard(watch, maja, film, wire)
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)

        await watch.page.go_back()
        await Home(watch.page).welcomes("Maja")
        wire.loses_the_rest()
        await watch.page.go_forward()

        await watch.is_rewarded(within=20)
        assert not await suspicions(maja, Rule.EARLY_COMPLETION)

    async def test_its_end_is_reported_on_the_page_that_its_player_goes_to(
        self, come: Come, maja: Person
    ):
        """The connection is whole, and yet nobody answers: as when our database is away."""
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await started_from_home(visitor, maja, film)
        wire.is_deaf = True
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)

        await watch.page.go_back()
        await Home(watch.page).welcomes("Maja")
        wire.is_deaf = False

        await watch.sees_toast("Ad Completed!")
        await watch.has_coins(15)
        assert not await suspicions(maja, Rule.EARLY_COMPLETION)

    async def test_the_ad_is_paid_although_its_page_is_left(self, come: Come, maja: Person):
        """Over before anybody could be told: what was seen to its end is not given up."""
        film = await a_film()
        visitor = await come()
        visitor.bears("WebSocket", "Failed to load", "ERR_")
        wire = await Wire.of(visitor)
        watch = await started_from_home(visitor, maja, film)
        await wire.cut()
        await expect(watch.text(watch.says["watch.saving"])).to_be_visible(timeout=15_000)

        await watch.page.go_back()
        await Home(watch.page).welcomes("Maja")
        wire.mend()

        await watch.has_coins(15)
        assert not await suspicions(maja, Rule.EARLY_COMPLETION)
        await watch.page.go_forward()
        await watch.is_ready()
        # A reward that nobody has put away is shown for three seconds.
        await watch.page.wait_for_timeout(500)
        assert not await watch.player.is_visible()


class TestAnAdThatStartsLate:
    """The answer is slow, and its player is on another page by then."""

    @pytest.mark.parametrize("slow", ["page", "server"])
    async def test_is_given_up_unseen(self, come: Come, maja: Person, slow: str):
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await from_home(visitor, maja)
        if slow == "page":
            wire.held_up = "watch_state.start"
        else:
            wire.kept_back = "session_id"
        await watch.ad(film.title).click()
        while not wire.rest:
            await watch.page.wait_for_timeout(50)

        await watch.page.go_back()
        await Home(watch.page).welcomes("Maja")
        wire.says_the_rest()
        await is_known(maja, lambda view: view.status == Status.GIVEN_UP)
        await watch.page.go_forward()
        await watch.is_ready()

        await expect(watch.outcomes.first).to_contain_text("Not credited")
        assert not await watch.player.is_visible()

    async def test_is_shown_to_who_is_back_at_the_ads(self, come: Come, maja: Person):
        film = await a_film()
        visitor = await come()
        wire = await Wire.of(visitor)
        watch = await from_home(visitor, maja)
        wire.held_up = "watch_state.start"
        await watch.ad(film.title).click()
        while not wire.rest:
            await watch.page.wait_for_timeout(50)

        await watch.page.go_back()
        await Home(watch.page).welcomes("Maja")
        await watch.page.go_forward()
        await watch.is_ready()
        wire.says_the_rest()

        await watch.is_rewarded()


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

    async def test_what_ended_too_early_goes_on_here_and_is_paid(self, come: Come, maja: Person):
        film = await a_film(seconds=8)
        visitor = await come()
        await visitor.page.clock.install()
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)
        await visitor.page.clock.fast_forward("00:09")
        await watch.sees_toast("Security Check")
        await watch.is_closed()

        await watch.button("watch.continue_here").click()

        await watch.is_rewarded(within=25)
        await watch.is_closed()
        await expect(watch.outcomes.first).to_contain_text("+15")
        assert await suspicions(maja, Rule.EARLY_COMPLETION) == 1

    async def test_the_daily_limit_is_explained_before_and_after_the_press(
        self, come: Come, maja: Person
    ):
        await watches_all_of_today(maja)
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
        await watch.choose_language("sv")
        await watch.flag(film.title).click()
        reason = watch.report.get_by_label(watch.says["watch.reason"])

        await watch.report.get_by_role("button", name=watch.says["watch.report_send"]).click()

        await expect(reason).to_have_attribute("aria-invalid", "true")
        await expect(reason).to_have_accessible_description(watch.says["errors.ads.bad_report"])
        await reason.select_option(ReportReason.OTHER)
        await expect(reason).to_have_attribute("aria-invalid", "false")
        await watch.report.get_by_role("button", name=watch.says["ui.cancel"]).click()
        await expect(watch.report).to_be_hidden()

    async def test_of_too_many_words_are_refused_beside_them_and_stay(
        self, come: Come, maja: Person
    ):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        await watch.flag(film.title).click()
        await watch.report.get_by_label(watch.says["watch.reason"]).select_option(
            ReportReason.OTHER
        )
        words = watch.report.get_by_label(watch.says["watch.report_text"])
        await words.focus()
        # As what is pasted comes in: what a browser would cut off is cut off.
        await watch.page.keyboard.insert_text("x" * 400)

        await watch.report.get_by_role("button", name=watch.says["watch.report_send"]).click()

        said = watch.says["errors.ads.report_too_long"].replace("{{most}}", "300")
        await expect(words).to_have_accessible_description(said)
        await expect(words).to_have_value("x" * 400)

    async def test_can_be_written_while_the_ad_runs(self, come: Come, maja: Person):
        film = await a_film(seconds=12)
        watch = await at_the_ads(await come(), maja)
        await watch.start(film.title)

        await watch.player.get_by_role("button", name="Report this ad").click()
        await watch.report.get_by_label("What is wrong?").select_option(ReportReason.OTHER)
        await watch.report.get_by_role("button", name="Send report").click()

        await expect(watch.report).to_be_hidden()
        await watch.is_rewarded()
