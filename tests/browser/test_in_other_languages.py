"""Axe on pages of work and on open dialogs; the longest words on the smallest phone."""

import re

from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.i18n.languages import CODES
from tests import shop
from tests.browser.buying import in_the_shop
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen
from tests.browser.places import each, the_session_of
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_advertiser_campaigns import Campaigns
from tests.browser.test_forum_desk import Desk, a_reported_topic
from tests.browser.test_layout import LANGUAGES as MEASURED
from tests.browser.test_layout import SPILLED
from tests.serving import Served

WITH_LONG_BUTTONS = ("/settings", "/profile", "/add-game", "/leaderboard")
LANGUAGES = ("de", "ru")
NOT_MEASURED = [code for code in CODES if code not in MEASURED]


async def reading(come: Come, session: str) -> Visitor:
    one = await one_following_the_system(come, viewport=PHONE)
    await one.comes_with(session)
    return one


async def breaks_no_rule(screen: Screen, title: str) -> None:
    """As it is now; tab and document say in the reader's language what it is."""
    async for language in screen.in_each_of(LANGUAGES):
        await expect(screen.page).to_have_title(screen.says[title])
        assert await comes_to_rest(screen.page), language
        await has_no_violations(screen.page)


async def test_axe_finds_nothing_on_the_desk_of_moderators(
    come: Come, a_person: MakePerson, maja: Person
):
    title, _ = await a_reported_topic(maja, a_person)
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    one = await reading(come, linnea.session)
    desk = Desk(await one.open("/forum/moderation"))
    await expect(desk.item(title)).to_be_visible()
    await breaks_no_rule(desk, "forum.desk.page_title")
    await desk.looks_at(title)
    await breaks_no_rule(desk, "forum.desk.page_title")


async def test_axe_finds_nothing_on_campaigns_and_where_one_is_planned(
    come: Come, served: Served, a_person: MakePerson
):
    session = await the_session_of(served.accounts[Role.COMPANY.value]["email"])
    one = await reading(come, session)
    screen = Campaigns(one.page)
    await screen.open()
    await expect(screen.main.get_by_role("article").first).to_be_visible()
    await breaks_no_rule(screen, "campaigns.page_title")
    await screen.plan()
    await breaks_no_rule(screen, "campaigns.page_title")


async def test_axe_finds_nothing_on_the_dialog_about_the_account(come: Come, maja: Person):
    one = await reading(come, maja.session)
    screen = Screen(await one.open("/profile"))
    name = screen.says["security.title"]
    await screen.page.get_by_role("button", name=re.compile(f"^{name}")).click()
    dialog = screen.page.get_by_role("dialog", name=name)
    await expect(dialog.locator("[autocomplete=new-password]").first).to_be_visible()
    await breaks_no_rule(screen, "profile.page_title")


async def test_axe_finds_nothing_from_the_shop_to_the_code(come: Come, maja: Person):
    await shop.stock(1)
    screen = await in_the_shop(await one_following_the_system(come, viewport=PHONE), maja, coins=89)
    await breaks_no_rule(screen, "shop.page_title")
    await screen.buy()
    await expect(screen.code.first).to_have_attribute("aria-busy", "false", timeout=15_000)
    await breaks_no_rule(screen, "shop.page_title")


async def test_buttons_fit_on_the_smallest_phone(come: Come, served: Served, a_person: MakePerson):
    one = await come(viewport={"width": 360, "height": 740})
    await one.comes_with(await the_session_of(served.accounts[Role.PLAYER.value]["email"]))
    screen, found = Screen(one.page), []
    async for path, page in each(one, WITH_LONG_BUTTONS):
        async for language in screen.in_each_of(NOT_MEASURED):
            assert await comes_to_rest(page), f"{path} in {language}"
            found += [f"{path} in {language}: {what}" for what in await page.evaluate(SPILLED)]
    assert not found, "\n".join(found)
