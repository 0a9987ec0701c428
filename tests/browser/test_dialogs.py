"""Dialogs that the server opens: closed by the browser at once, opened again, and left."""

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Home
from tests.browser.test_admin_people import Directory

CLOSES_AND_OPENS = """async (row, isBusy) => {
    document.querySelector("#person [data-closes]").click();
    row.click();
    if (!isBusy) return;
    await new Promise((go) => setTimeout(go, 50));
    const over = performance.now() + 1500;
    while (performance.now() < over);
}"""
"""Both presses come to the server before the browser has told of the first."""

REFUSES_WITH_EACH_CHANGE = """() => {
    window.changes = 0;
    const say = () => (changes++, dispatchEvent(new Event("refused")));
    new MutationObserver(say).observe(document.body, { childList: true, subtree: true });
}"""
"""Whoever still listens hears it: a page is gone before all its effects have ended."""


class TestAPageThatIsLeft:
    @pytest.mark.parametrize("path", ["/forum", "/shop"])
    async def test_takes_nothing_back(self, come: Come, maja: Person, path: str):
        visitor = await come()
        await visitor.comes_with(maja.session)
        home = Home(await visitor.open(path))
        await expect(home.main.locator(".animate-pulse")).to_have_count(0)
        await home.page.evaluate(REFUSES_WITH_EACH_CHANGE)
        await home.bars.get_by_role("link", name="WatchCoins").first.click()
        # An error of the page would be noted, and fail the test.
        await home.welcomes("Maja")
        assert await home.page.evaluate("changes") > 0


class TestOpenedAgainInTheSameBreath:
    @pytest.fixture
    async def directory(self, come: Come, a_person: MakePerson) -> Directory:
        maja = await a_person()
        visitor = await come()
        await visitor.comes_with((await a_person(Role.ADMIN)).session)
        directory = Directory(await visitor.open(f"/admin?tab=people&person={maja.account_id}"))
        await expect(directory.dialog).to_be_visible()
        return directory

    @pytest.mark.parametrize("is_busy", [False, True], ids=["at leisure", "both answers at once"])
    async def test_is_open(self, directory: Directory, is_busy: bool):
        row = directory.main.locator("tbody button").first
        await row.evaluate(CLOSES_AND_OPENS, is_busy)
        # An answer that came in the wrong order would be here by then.
        await directory.page.wait_for_timeout(1500)
        await expect(directory.dialog).to_be_visible()
