"""The link of a mail in a browser that nobody is signed in to; and where Settings lead."""

import pytest
from playwright.async_api import Page, expect

from rewards_app.core.actor import Role
from rewards_app.core.database import lookup
from rewards_app.features.notifications import unsubscribing
from rewards_app.i18n import catalogues
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system


def link_of(person: Person, topic: str = "moderation") -> str:
    return f"/unsubscribe?token={unsubscribing.token_for(person.account_id, topic)}"


async def at_the_link(visitor: Visitor, link: str) -> Page:
    """A page without a script: it is there once it has come."""
    await visitor.page.goto(link)
    return visitor.page


async def chosen(person: Person) -> bool | None:
    found = await lookup(
        "select by_mail from notification_choices where account_id = %s and topic = 'moderation'",
        (person.account_id,),
    )
    return found[0] if found else None


class TestUnsubscribing:
    @pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
    async def test_takes_one_press_and_is_undone_by_another(
        self, come: Come, maja: Person, viewport: dict[str, int]
    ):
        says = catalogues.interface("en")
        visitor = await one_following_the_system(come, viewport=viewport)
        page = await at_the_link(visitor, link_of(maja))
        await expect(page.get_by_role("heading")).to_have_text(says["unsubscribe.ask_title"])
        await has_no_violations(page)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.get_by_role("button").press("Enter")
        await expect(page.get_by_role("heading")).to_have_text(says["unsubscribe.done_title"])
        assert await chosen(maja) is False
        await has_no_violations(page)
        await page.get_by_role("button", name=says["unsubscribe.undo"]).click()
        await expect(page.get_by_role("heading")).to_have_text(says["unsubscribe.again_title"])
        assert await chosen(maja) is True

    async def test_by_a_broken_link_says_so_calmly(self, come: Come):
        visitor = await come()
        page = await at_the_link(visitor, "/unsubscribe?token=broken")
        says = catalogues.interface("en")
        await expect(page.get_by_role("heading")).to_have_text(says["unsubscribe.unknown_title"])
        await has_no_violations(page)
        [trouble] = visitor.troubles
        assert "404" in trouble
        visitor.troubles.clear()


class TestSettings:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.COMPANY])
    async def test_lead_to_security_and_to_ones_data(
        self, come: Come, a_person: MakePerson, role: Role
    ):
        person = await a_person(role)
        visitor = await come()
        await visitor.comes_with(person.session)
        for key, path in (("to_security", "/security"), ("to_data", "/gdpr")):
            screen = Screen(await visitor.open("/settings"))
            way = screen.page.locator("#main").get_by_role("link")
            await way.filter(has_text=screen.says[f"settings.{key}"]).click()
            await screen.page.wait_for_url(f"**{path}*")

    async def test_keep_the_language_for_mails(self, come: Come, maja: Person):
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/settings"))
        await screen.choose_language("pl")
        await expect(screen.page.locator("html")).to_have_attribute("lang", "pl")
        query = "select language from accounts where id = %s"
        for _ in range(50):
            found = await lookup(query, (maja.account_id,))
            if found == ("pl",):
                break
            await screen.page.wait_for_timeout(100)
        assert await lookup(query, (maja.account_id,)) == ("pl",)
