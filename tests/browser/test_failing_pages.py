"""A page that cannot be loaded says so, and is loaded once it can be."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from playwright.async_api import Locator, Route, expect
from sqlalchemy import text

from rewards_app.core.database import run, transaction
from tests.browser.chromium import ALIVE, DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled
from tests.waiting import until

Broken = Callable[[], AbstractAsyncContextManager[None]]


class Failing(Screen):
    @property
    def again(self) -> Locator:
        return self.button("ui.try_again")

    async def says_so(self) -> None:
        await expect(self.heading("ui.page_failed")).to_be_visible()
        await expect(self.again).to_be_visible()


async def rename(table: str, name: str) -> None:
    async with transaction() as session:
        await run(session, text(f"alter table {table} rename to {name}"))


@pytest.fixture
def without_coins(a_person: MakePerson) -> Broken:
    """The database answers, but not what the page asks of it."""

    @asynccontextmanager
    async def away() -> AsyncGenerator[None]:
        await rename("coin_entries", "coin_entries_away")
        try:
            yield
        finally:
            await rename("coin_entries_away", "coin_entries")

    return away


async def test_a_painted_page_whose_scripts_did_not_come_is_loaded_anew(come: Come):
    visitor = await come()
    visitor.bears("net::ERR_")
    documents: list[str] = []

    async def lose_the_first(route: Route) -> None:
        await (route.abort() if len(documents) < 2 else route.continue_())

    await visitor.context.route("**/assets/entry.client-*.js", lose_the_first)
    visitor.page.on(
        "request", lambda asked: asked.is_navigation_request() and documents.append(asked.url)
    )
    page = visitor.page
    await page.goto("/landing")
    await until(lambda: len(documents) >= 2, within=20)
    await page.locator(ALIVE).wait_for(state="attached")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")
    assert len(documents) == 2


async def test_a_page_whose_scripts_never_come_is_loaded_anew_once(come: Come):
    visitor = await come()
    visitor.bears("net::ERR_")
    await visitor.context.route("**/assets/entry.client-*.js", lambda route: route.abort())
    loaded: list[str] = []
    visitor.page.on("domcontentloaded", lambda page: loaded.append(page.url))
    await visitor.page.goto("/landing")
    await until(lambda: len(loaded) >= 2, within=30)
    await visitor.page.wait_for_timeout(5000)
    assert len(loaded) == 2


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
async def test_it_is_found_and_pressed_by_keyboard(
    come: Come, maja: Person, without_coins: Broken, viewport: dict[str, int]
):
    visitor = await one_following_the_system(come, viewport=viewport)
    await visitor.comes_with(maja.session)
    async with without_coins():
        screen = Failing(await visitor.open("/profile/statement"))
        await screen.says_so()
        await screen.sees_toast(screen.says["errors.title"])
        await has_no_violations(screen.page)
        assert not await spilled(screen.page)
        await tab_to(screen.page, screen.again, at_most=60)
        # It may have gone by now: it is there for some seconds.
        await screen.toast.evaluate_all("all => all.forEach(t => t.setAttribute('data-first', ''))")
        await screen.page.keyboard.press("Enter")
        # Until it says so anew, what follows may be true of the first time.
        still = screen.page.locator("[data-first]:not([data-removed=true])")
        await expect(still).to_have_count(0)
        await screen.sees_toast(screen.says["errors.title"])
        await screen.says_so()
        await expect(screen.again).to_be_focused()
        await expect(screen.again).not_to_have_attribute("aria-busy", "true")
    await screen.page.keyboard.press("Enter")
    await expect(screen.heading("ui.page_failed")).to_be_hidden()
    await expect(screen.main).to_be_focused()
    await expect(screen.main.get_by_role("heading", level=1)).to_have_text(
        screen.says["statement.title"]
    )


@pytest.mark.parametrize("language", ["de", "ru", "pl"])
async def test_it_speaks_the_chosen_language(
    come: Come, maja: Person, without_coins: Broken, language: str
):
    visitor = await come(stored={"language": language}, viewport=PHONE)
    await visitor.comes_with(maja.session)
    async with without_coins():
        screen = Failing(await visitor.open("/profile/statement"), language)
        await screen.says_so()
        await expect(screen.text(screen.says["ui.try_again_text"])).to_be_visible()
        assert not await spilled(screen.page)
