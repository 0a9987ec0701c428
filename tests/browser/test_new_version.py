"""A page that was open when a new version took its place: files of its own are there no more."""

import re

from playwright.async_api import Request, Route, expect

from tests.browser.chromium import Visitor
from tests.browser.conftest import Come
from tests.browser.pages import CookieBanner, Screen
from tests.browser.test_texts import CATALOGUES

TOASTS = re.compile(r"/assets/toasts-[^/]+\.js$")
LIST_OF_FILES = re.compile(r"/assets/manifest-\w+\.js")


class Replaced:
    """What a tab meets from now on; once it is loaded anew, it is of the version that serves."""

    def __init__(self, visitor: Visitor, gone: re.Pattern[str], *, by_another: bool = True) -> None:
        visitor.bears("404")
        self.visitor = visitor
        self.gone = gone
        self.by_another = by_another
        self.refused = 0
        self.loads = 0

    async def begin(self) -> None:
        self.visitor.page.on("request", self._note)
        await self.visitor.context.route(self.gone, self._is_gone)
        if self.by_another:
            await self.visitor.context.route(
                lambda address: "/assets/" not in address, self._is_another
            )

    def _note(self, request: Request) -> None:
        self.loads += request.is_navigation_request()

    async def _is_gone(self, route: Route) -> None:
        if self.loads:
            return await route.continue_()
        self.refused += 1
        return await route.fulfill(status=404)

    async def _is_another(self, route: Route) -> None:
        if route.request.resource_type != "fetch":
            return await route.continue_()
        answer = await route.fetch()
        document = LIST_OF_FILES.sub("/assets/manifest-00000000.js", await answer.text())
        return await route.fulfill(response=answer, body=document)


async def test_speaks_the_language_that_is_chosen(come: Come):
    visitor = await come()
    screen = Screen(await visitor.open("/landing"))
    replaced = Replaced(visitor, CATALOGUES)
    await replaced.begin()
    await screen.choose_language("de")
    await expect(screen.page.locator("html")).to_have_attribute("lang", "de")
    await expect(screen.link("landing.join")).to_be_visible()
    assert (replaced.refused, replaced.loads) == (1, 1)


async def test_shows_what_the_server_has_to_say(come: Come):
    visitor = await come(has_chosen_cookies=False)
    banner = CookieBanner(await visitor.open("/landing"))
    replaced = Replaced(visitor, TOASTS)
    await replaced.begin()
    await banner.button("consent.only_necessary").click()
    await banner.sees_toast("Cookie settings saved")
    assert (replaced.refused, replaced.loads) == (1, 1)


async def test_waits_for_what_is_missing_while_its_own_version_serves(come: Come):
    visitor = await come()
    screen = Screen(await visitor.open("/landing"))
    replaced = Replaced(visitor, CATALOGUES, by_another=False)
    await replaced.begin()
    await screen.field("frame.language").select_option("de")
    while replaced.refused < 3:
        await screen.page.wait_for_timeout(100)
    await visitor.context.unroute(CATALOGUES)
    await expect(screen.page.locator("html")).to_have_attribute("lang", "de")
    assert replaced.loads == 0
