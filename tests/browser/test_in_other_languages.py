"""Axe on pages of work and on open dialogs; the longest words on the smallest phone."""

import re

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.i18n.languages import CODES
from tests import shop
from tests.browser.buying import a_rich
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, Shop
from tests.browser.places import each, the_session_of
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations
from tests.browser.test_advertiser_campaigns import Campaigns
from tests.browser.test_forum_desk import Desk, a_reported_topic
from tests.browser.test_layout import LANGUAGES as MEASURED
from tests.browser.test_layout import SPILLED
from tests.serving import Served

WITH_LONG_BUTTONS = ("/settings", "/profile", "/add-game", "/leaderboard")
LANGUAGES = pytest.mark.parametrize("language", ["de", "ru"])


async def reading(come: Come, language: str, session: str) -> Visitor:
    one = await come(
        # Our policy forbids the script that axe brings along.
        bypass_csp=True,
        stored={"theme": "system", "language": language},
        viewport=PHONE,
    )
    await one.comes_with(session)
    return one


async def breaks_no_rule(screen: Screen, language: str, title: str) -> None:
    """As it is now; tab and document say in the reader's language what it is."""
    await expect(screen.page.locator("html")).to_have_attribute("lang", language)
    await expect(screen.page).to_have_title(screen.says[title])
    assert await comes_to_rest(screen.page)
    await has_no_violations(screen.page)


@LANGUAGES
async def test_axe_finds_nothing_on_the_desk_of_moderators(
    come: Come, a_person: MakePerson, maja: Person, language: str
):
    title, _ = await a_reported_topic(maja, a_person)
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    one = await reading(come, language, linnea.session)
    desk = Desk(await one.open("/forum/moderation"), language)
    await expect(desk.item(title)).to_be_visible()
    await breaks_no_rule(desk, language, "forum.desk.page_title")
    await desk.looks_at(title)
    await breaks_no_rule(desk, language, "forum.desk.page_title")


@LANGUAGES
async def test_axe_finds_nothing_on_campaigns_and_where_one_is_planned(
    come: Come, served: Served, a_person: MakePerson, language: str
):
    session = await the_session_of(served.accounts[Role.COMPANY.value]["email"])
    one = await reading(come, language, session)
    screen = Campaigns(one.page, language)
    await screen.open()
    await expect(screen.main.get_by_role("article").first).to_be_visible()
    await breaks_no_rule(screen, language, "campaigns.page_title")
    await screen.plan()
    await breaks_no_rule(screen, language, "campaigns.page_title")


@LANGUAGES
async def test_axe_finds_nothing_on_the_dialog_about_the_account(
    come: Come, maja: Person, language: str
):
    one = await reading(come, language, maja.session)
    screen = Screen(await one.open("/profile"), language)
    name = screen.says["security.title"]
    await screen.page.get_by_role("button", name=re.compile(f"^{name}")).click()
    dialog = screen.page.get_by_role("dialog", name=name)
    await expect(dialog.locator("[autocomplete=new-password]").first).to_be_visible()
    await breaks_no_rule(screen, language, "profile.page_title")


@LANGUAGES
async def test_axe_finds_nothing_from_the_shop_to_the_code(come: Come, maja: Person, language: str):
    await shop.stock(1)
    await a_rich(maja, 89)
    one = await reading(come, language, maja.session)
    screen = Shop(one.page, language)
    await screen.open()
    await breaks_no_rule(screen, language, "shop.page_title")
    await screen.buy()
    await expect(screen.code.first).to_have_attribute("aria-busy", "false", timeout=15_000)
    await breaks_no_rule(screen, language, "shop.page_title")


@pytest.mark.parametrize("language", [code for code in CODES if code not in MEASURED])
async def test_buttons_fit_on_the_smallest_phone(
    come: Come, served: Served, a_person: MakePerson, language: str
):
    one = await come(stored={"language": language}, viewport={"width": 360, "height": 740})
    await one.comes_with(await the_session_of(served.accounts[Role.PLAYER.value]["email"]))
    found = []
    async for path, page in each(one, WITH_LONG_BUTTONS):
        await expect(page.locator("html")).to_have_attribute("lang", language)
        assert await comes_to_rest(page)
        found += [f"{path}: {what}" for what in await page.evaluate(SPILLED)]
    assert not found, "\n".join(found)
