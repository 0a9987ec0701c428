"""The cookie banner, as newcomers meet it."""

import asyncio
import json
import re

import pytest
from playwright.async_api import Route, expect

from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import Auth, CookieBanner, Home

ALL = {"essential": True, "analytics": True, "marketing": True, "ipLogging": True}
NECESSARY = {"essential": True, "analytics": False, "marketing": False, "ipLogging": False}
NO_ROOM = """Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {
  apply(target, storage, [key, value]) {
    if (key === "cookie-consent") throw new DOMException("full", "QuotaExceededError");
    return Reflect.apply(target, storage, [key, value]);
  },
})"""


class TestAChoice:
    @pytest.mark.parametrize(
        ("button", "kept"), [("accept_all", ALL), ("only_necessary", NECESSARY)]
    )
    async def test_is_kept_and_not_asked_again(
        self, come: Come, button: str, kept: dict[str, bool]
    ):
        visitor = await come(has_chosen_cookies=False)
        banner = CookieBanner(await visitor.open("/landing"))

        await banner.button(f"consent.{button}").click()

        await banner.sees_toast("Cookie settings saved", "Your preferences have been updated.")
        await banner.is_gone()
        assert await banner.stored() == kept
        moment = await banner.page.evaluate("localStorage.getItem('consent-timestamp')")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", moment)
        await visitor.open("/auth?mode=login")
        await expect(Auth(visitor.page).heading("auth.login")).to_be_visible()
        await banner.is_gone()

    async def test_of_ones_own_is_kept_as_it_was_made(self, come: Come):
        visitor = await come(has_chosen_cookies=False, viewport=PHONE, has_touch=True)
        banner = CookieBanner(await visitor.open("/landing"))

        await banner.customize()
        await expect(banner.switch("essential")).to_be_checked()
        await expect(banner.switch("essential")).to_be_disabled()
        await banner.switch("marketing").click()
        await banner.button("consent.save").click()

        await banner.sees_toast("Cookie settings saved")
        assert await banner.stored() == NECESSARY | {"marketing": True}

    async def test_counts_in_every_open_tab(self, come: Come):
        visitor = await come(has_chosen_cookies=False)
        here = CookieBanner(await visitor.open("/landing"))
        there = CookieBanner(await visitor.another_tab("/auth?mode=login"))
        await expect(there.region).to_be_visible()

        await here.button("consent.only_necessary").click()

        await there.is_gone()

    async def test_that_the_browser_cannot_keep_is_asked_again(self, come: Come):
        visitor = await come(has_chosen_cookies=False)
        await visitor.context.add_init_script(NO_ROOM)
        banner = CookieBanner(await visitor.open("/landing"))

        await banner.button("consent.accept_all").click()

        await banner.sees_toast("Error", "Could not save your settings.")
        await expect(banner.region).to_be_visible()
        assert await banner.stored() is None

    @pytest.mark.parametrize("stored", ["", "[]", "true", "spoilt"])
    async def test_that_is_spoilt_is_asked_again(self, come: Come, stored: str):
        visitor = await come(stored={"cookie-consent": stored})
        banner = CookieBanner(await visitor.open("/landing"))
        await expect(banner.region).to_be_visible()

    async def test_survives_signing_in_and_out(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        visitor = await come(has_chosen_cookies=False)
        screen = Auth(await visitor.open("/auth?mode=login"))
        banner = CookieBanner(visitor.page)
        await banner.button("consent.accept_all").click()
        await banner.is_gone()

        await screen.sign_in(maja.email, maja.password)
        await Home(visitor.page).welcomes("Maja")
        await Home(visitor.page).sign_out()

        await expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")
        await banner.is_gone()
        assert await banner.stored() == ALL


class TestBeforeAnyScriptHasCome:
    """On a slow line the page is painted long before its scripts are here."""

    async def held_back(self, visitor: Visitor, path: str = "/landing") -> asyncio.Event:
        may_come = asyncio.Event()

        async def hold(route: Route) -> None:
            await may_come.wait()
            await route.continue_()

        await visitor.context.route("**/assets/*.js", hold)
        await visitor.page.goto(path, wait_until="commit")
        return may_come

    async def test_is_there_and_what_is_pressed_is_done_when_they_come(self, come: Come):
        visitor = await come(has_chosen_cookies=False)
        may_come = await self.held_back(visitor)
        banner = CookieBanner(visitor.page)
        await expect(banner.region).to_be_visible()
        await banner.button("consent.only_necessary").click()
        assert await banner.stored() is None
        may_come.set()
        await banner.is_gone()
        assert await banner.stored() == NECESSARY

    async def test_what_is_chosen_one_by_one_is_kept(self, come: Come):
        visitor = await come(has_chosen_cookies=False)
        may_come = await self.held_back(visitor)
        banner = CookieBanner(visitor.page)
        await banner.customize()
        await banner.switch("marketing").click()
        await banner.button("consent.save").click()
        may_come.set()
        await banner.is_gone()
        assert await banner.stored() == NECESSARY | {"marketing": True}

    async def test_a_switch_of_the_privacy_policy_that_is_flipped_counts(self, come: Come):
        visitor = await come(has_chosen_cookies=False)
        may_come = await self.held_back(visitor, "/privacy")
        banner = CookieBanner(visitor.page)
        await banner.switch("analytics").click()
        assert await banner.stored() is None
        may_come.set()
        await banner.is_gone()
        assert await banner.stored() == NECESSARY | {"analytics": True}
        await expect(banner.switch("analytics")).to_be_checked()

    async def test_its_other_switches_stay_as_they_were_stored(self, come: Come):
        before = NECESSARY | {"marketing": True}
        visitor = await come(stored={"cookie-consent": json.dumps(before)})
        may_come = await self.held_back(visitor, "/privacy")
        banner = CookieBanner(visitor.page)
        await expect(banner.switch("marketing")).to_be_checked()
        await expect(banner.switch("analytics")).not_to_be_checked()
        await banner.switch("analytics").click()
        may_come.set()
        await banner.sees_toast("Cookie settings updated")
        assert await banner.stored() == before | {"analytics": True}
        await expect(banner.switch("marketing")).to_be_checked()

    async def test_is_not_seen_in_another_language_than_the_readers(self, come: Come):
        visitor = await come(has_chosen_cookies=False, stored={"language": "de"})
        may_come = await self.held_back(visitor)
        await expect(visitor.page.locator("#consent-title")).to_be_attached()
        await expect(visitor.page.locator("#consent-title")).to_be_hidden()
        may_come.set()
        await expect(CookieBanner(visitor.page, "de").region).to_be_visible()


class TestItsPlace:
    async def test_is_seen_by_who_has_not_chosen_and_moves_nothing(self, come: Come):
        newcomer, regular = await come(has_chosen_cookies=False), await come()
        banner = CookieBanner(await newcomer.open("/landing"))
        await expect(banner.region).to_be_visible()
        calm = CookieBanner(await regular.open("/landing"))
        await calm.is_gone()
        assert await banner.main.bounding_box() == await calm.main.bounding_box()

    @pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
    @pytest.mark.parametrize("language", ["en", "de", "ru"])
    async def test_leaves_the_page_usable(
        self, come: Come, viewport: dict[str, int], language: str
    ):
        visitor = await come(
            has_chosen_cookies=False, viewport=viewport, stored={"language": language}
        )
        screen = Auth(await visitor.open("/auth?mode=login"), language)
        banner = CookieBanner(visitor.page, language)
        await expect(banner.region).to_be_visible()
        place = await banner.region.bounding_box()
        assert place
        assert place["height"] <= viewport["height"] * 0.3
        assert await screen.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        for name in ("accept_all", "only_necessary"):
            box = await banner.button(f"consent.{name}").bounding_box()
            assert box
            assert box["height"] >= 44
        # The last line of the page can be brought above it.
        await screen.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        last = await screen.page.get_by_role("contentinfo").bounding_box()
        top = await banner.region.bounding_box()
        assert last
        assert top
        assert last["y"] + last["height"] <= top["y"] + 1
        await screen.field("auth.email").fill("maja@example.com")
