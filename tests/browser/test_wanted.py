"""Who comes for a page of their own and must sign in first is offered it at home."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, Person
from tests.browser.pages import Auth, Home
from tests.people import PASSWORD

OF_A_LETTER = "/shop/orders?from=letter"


async def comes_for(visitor: Visitor, address: str) -> None:
    """As a link in a letter does; visitors are led to the front page."""
    await visitor.page.goto(address)
    await expect(visitor.page).to_have_url(re.compile(r"/(landing/?)?$"))
    await expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()


async def signs_in(visitor: Visitor, person: Person) -> Home:
    screen = Auth(await visitor.open("/auth?mode=login"))
    await screen.sign_in(person.email, PASSWORD)
    home = Home(visitor.page)
    await home.welcomes(person.name)
    return home


@pytest.fixture
async def visitor(come: Come) -> Visitor:
    return await come(viewport=PHONE)


class TestAPageOfTheirOwn:
    async def test_is_offered_at_home_and_opens_with_all_of_its_address(
        self, visitor: Visitor, maja: Person
    ):
        await comes_for(visitor, OF_A_LETTER)
        home = await signs_in(visitor, maja)
        await expect(home.main).to_contain_text("You were on your way to: Orders")
        await home.button("wanted.open").click()
        await expect(home.page).to_have_url(re.compile(r"/shop/orders/?\?from=letter$"))
        await home.page.goto("/")
        await home.welcomes("Maja")
        await expect(home.main).not_to_contain_text("You were on your way to")

    async def test_is_offered_once(self, visitor: Visitor, maja: Person):
        await comes_for(visitor, OF_A_LETTER)
        home = await signs_in(visitor, maja)
        await home.button("wanted.not_now").click()
        await expect(home.main).not_to_contain_text("You were on your way to")
        await home.page.reload()
        await home.welcomes("Maja")
        await expect(home.main).not_to_contain_text("You were on your way to")

    async def test_is_not_offered_to_who_may_not_see_it(self, visitor: Visitor, maja: Person):
        await comes_for(visitor, "/admin?tab=people")
        home = await signs_in(visitor, maja)
        await expect(home.main).to_contain_text(home.says["home.level"])
        await expect(home.main).not_to_contain_text("You were on your way to")
