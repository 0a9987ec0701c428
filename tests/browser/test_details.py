"""Correcting what one said of oneself: in the settings, seen in every tab, and in the shop."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from rewards_app.core.actor import Role
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, Shop, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system


class Details(Screen):
    @property
    def panel(self) -> Locator:
        title = self.heading("details.title")
        return self.main.locator("section").filter(has=title)

    @property
    def change(self) -> Locator:
        return self.button("details.change")

    async def says_of_itself(self, country: str) -> None:
        await expect(self.panel.locator("dd").first).to_have_text(country)


async def a_panel(page: Page) -> Details:
    screen = Details(page)
    await expect(screen.change).to_be_visible()
    return screen


async def test_a_country_is_corrected_and_the_shop_counts_in_its_money(come: Come, maja: Person):
    visitor = await come()
    await visitor.comes_with(maja.session)
    shop = Shop(await visitor.open("/shop"))
    await expect(shop.packages.first).to_be_visible()
    await expect(shop.main).not_to_contain_text("≈")
    here = await a_panel(await visitor.another_tab("/settings"))
    there = await a_panel(await visitor.another_tab("/settings"))
    await here.says_of_itself("Sweden")
    await expect(here.panel.get_by_text(here.says["details.untold"])).to_have_count(2)

    await here.change.click()
    await here.field("auth.country").select_option("NO")
    await here.field("auth.phone_country").select_option("SE")
    await here.field("auth.phone").fill("12")
    await here.button("details.save").click()
    await expect(here.panel).to_contain_text(here.says["errors.accounts.bad_phone"])
    await expect(here.field("auth.phone")).to_have_value("12")
    await here.field("auth.phone").fill("070-174 06 05")
    await here.button("details.save").click()

    await here.sees_toast(here.says["details.saved_title"])
    await here.says_of_itself("Norway")
    await expect(here.panel).to_contain_text("+46 70 174 06 05")
    await there.says_of_itself("Norway")
    await expect(shop.main).to_contain_text("about kr 93")
    await here.page.reload()
    await here.says_of_itself("Norway")


async def test_the_keyboard_alone_corrects_them(come: Come, maja: Person):
    visitor = await come()
    await visitor.comes_with(maja.session)
    screen = await a_panel(await visitor.open("/settings"))
    keyboard = screen.page.keyboard
    await tab_to(screen.page, screen.change)
    await keyboard.press("Enter")
    await expect(screen.field("auth.country")).to_be_visible()
    await tab_to(screen.page, screen.field("auth.gender"))
    await keyboard.type("Other")
    await tab_to(screen.page, screen.button("details.save"))
    await keyboard.press("Enter")
    await screen.sees_toast(screen.says["details.saved_title"])
    await expect(screen.panel).to_contain_text("Other")


async def test_a_company_is_asked_where_it_is(come: Come, a_person: MakePerson):
    visitor = await come()
    await visitor.comes_with((await a_person(Role.COMPANY)).session)
    screen = await a_panel(await visitor.open("/settings"))
    await expect(screen.panel.locator("dd")).to_have_count(1)
    await screen.change.click()
    await expect(screen.field("auth.country")).to_be_visible()
    await expect(screen.field("auth.phone")).to_have_count(0)


@pytest.mark.parametrize("language", ["de", "ru"])
async def test_their_country_is_named_in_the_language_of_the_page(
    come: Come, maja: Person, language: str
):
    visitor = await come()
    await visitor.comes_with(maja.session)
    screen = await a_panel(await visitor.open("/settings"))
    await screen.choose_language(language)
    await screen.says_of_itself({"de": "Schweden", "ru": "Швеция"}[language])


async def test_axe_finds_nothing_at_them(come: Come, maja: Person):
    visitor = await one_following_the_system(come, viewport=PHONE)
    await visitor.comes_with(maja.session)
    screen = await a_panel(await visitor.open("/settings"))
    await has_no_violations(screen.page, DESK, PHONE)
    await screen.change.click()
    await expect(screen.field("auth.country")).to_be_visible()
    await screen.field("auth.phone").fill("12")
    await screen.button("details.save").click()
    await expect(screen.panel).to_contain_text(re.compile("phone number of the chosen country"))
    await has_no_violations(screen.page, DESK, PHONE)
