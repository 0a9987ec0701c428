"""Watching ads with a keyboard, on a phone, without motion, in other languages."""

from playwright.async_api import expect

from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, Person
from tests.browser.pages import tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in
from tests.browser.watching import a_film, at_the_ads


class TestEverybody:
    async def test_watches_with_a_keyboard_alone(self, come: Come, maja: Person):
        film = await a_film(seconds=10)
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

    async def test_finds_it_fitting_their_screen(self, come: Come, maja: Person):
        film = await a_film(seconds=60)
        watch = await at_the_ads(await come(), maja)
        found = await spilled_in(watch)
        await watch.start(film.title)
        found += await spilled_in(watch)
        assert not found, "\n".join(found)

    async def test_can_use_page_player_and_report(self, come: Come, maja: Person):
        film = await a_film(seconds=60)
        watch = await at_the_ads(await one_following_the_system(come, viewport=PHONE), maja)
        await has_no_violations(watch.page, DESK, PHONE)
        await watch.flag(film.title).click()
        await expect(watch.report).to_be_visible()
        await has_no_violations(watch.page, DESK, PHONE)
        await watch.report.get_by_role("button", name="Cancel").click()
        await watch.start(film.title)
        await has_no_violations(watch.page, DESK, PHONE)
