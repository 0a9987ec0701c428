"""Without a mouse: a campaign from nothing to its review, a person suspended and restored."""

import secrets
from datetime import timedelta

import pytest
from playwright.async_api import Locator, Page, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from tests.browser.chromium import DESK
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import tab_to
from tests.browser.test_admin_cases import Case
from tests.browser.test_admin_people import Directory
from tests.browser.test_advertiser_campaigns import (
    FILM,
    Ads,
    Campaigns,
    Company,
    fjord,
)

__all__ = ["fjord"]
MANY = 120
"""More stops than any of these pages has."""


async def presses(page: Page, target: Locator) -> None:
    """Go there by Tab, as far as it is, and press Enter."""
    await expect(target).to_be_visible()
    await tab_to(page, target, at_most=MANY)
    await page.keyboard.press("Enter")


async def types(page: Page, field: Locator, text: str) -> None:
    await tab_to(page, field, at_most=MANY)
    await page.keyboard.type(text)


def as_typed(after: int) -> str:
    """A day, in the order in which an English browser asks for its parts."""
    return (utc_now() + timedelta(days=after)).strftime("%m%d%Y")


async def keeps_the_focus(place: Locator) -> None:
    """What had it before may be gone: then what it stood in has it."""
    await expect(place.locator(":scope:focus, :focus").first).to_be_attached()


class TestAnAdvertiser:
    async def test_plans_a_campaign_and_sends_its_ad_for_review(self, come: Come, fjord: Company):
        visitor = await come(viewport=DESK)
        await visitor.comes_with(fjord.owner.session)
        screen = Campaigns(await visitor.open("/advertiser"))
        page = screen.page
        await presses(page, screen.link("nav.campaigns").filter(visible=True).first)
        await expect(screen.heading("campaigns.not_found")).to_be_visible()

        await presses(page, screen.button("campaigns.new").first)
        form = screen.dialog("new-campaign")
        await expect(form).to_be_visible()
        await keeps_the_focus(form)
        await types(page, form.locator("[name=name]"), "By keyboard")
        await types(page, form.locator("[name=budget]"), "500")
        await types(page, form.locator("[name=start_date]"), as_typed(0))
        await types(page, form.locator("[name=end_date]"), as_typed(20))
        await presses(page, form.get_by_role("button", name="Create Campaign"))
        await screen.sees_toast("Campaign Created!")
        await expect(form).to_be_hidden()
        await expect(screen.card("By keyboard")).to_contain_text("Draft")
        await expect(screen.button("campaigns.new").first).to_be_focused()

        await presses(page, screen.card("By keyboard").get_by_role("link", name="Make an ad"))
        ads = Ads(page)
        await expect(ads.form).to_be_visible()
        await keeps_the_focus(ads.form)
        title = f"Hear the fjord {secrets.token_hex(3)}"
        await types(page, ads.form.locator("[name=title]"), title)
        await types(page, ads.form.locator("[name=video_url]"), FILM)
        await presses(page, ads.send)
        await ads.sees_toast("Ad Created!")
        await expect(ads.ad(title)).to_contain_text("In review")
        # Its address had opened the form: one goes on at the page's content.
        await expect(ads.main).to_be_focused()


class TestAnAdmin:
    @pytest.fixture
    async def linnea(self, a_person: MakePerson) -> Person:
        return await a_person(Role.ADMIN, name="Linnea")

    async def test_finds_a_person_suspends_them_with_a_reason_and_restores_them(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        maja = await a_person(name=f"Maja {secrets.token_hex(3)}")
        visitor = await come(viewport=DESK)
        await visitor.comes_with(linnea.session)
        directory = Directory(await visitor.open("/admin"))
        page = directory.page
        await presses(page, directory.main.get_by_role("link", name="People"))
        await expect(directory.rows.first).to_be_visible()
        await types(page, directory.field("admin.people.search"), maja.email)
        await page.keyboard.press("Enter")
        await expect(directory.rows).to_have_count(1)

        row = directory.rows.get_by_role("button").first
        await presses(page, row)
        await expect(directory.dialog).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(directory.dialog).to_be_hidden()
        await expect(row).to_be_focused()
        await page.keyboard.press("Enter")
        await presses(page, directory.dialog.get_by_role("link", name="Evidence"))

        case = Case(page)
        await expect(case.option("suspend")).to_be_visible()
        await presses(page, case.option("suspend"))
        await expect(case.dialog).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(case.option("suspend")).to_be_focused()
        await page.keyboard.press("Enter")
        await decides(case, "suspend", "Ads were reported as over before they were.")
        await case.sees_toast("Account suspended")
        await keeps_the_focus(case.main)

        await presses(page, case.option("restore"))
        await decides(case, "restore", "It was a mistake.")
        await case.sees_toast("Account restored")
        await keeps_the_focus(case.main)
        await expect(case.option("suspend")).to_be_visible()

    async def test_chooses_among_alerts_with_the_arrows(self, come: Come, linnea: Person):
        """A group is one stop, as ARIA's pattern for radios has it."""
        visitor = await come(viewport=DESK)
        await visitor.comes_with(linnea.session)
        page = await visitor.open("/admin?tab=security")
        groups = page.get_by_role("radiogroup")
        await expect(groups).to_have_count(2)
        severity, standing = (group.get_by_role("radio") for group in await groups.all())
        await tab_to(page, severity.first, at_most=MANY)
        await page.keyboard.press("ArrowRight")
        await expect(severity.nth(1)).to_be_checked()
        await expect(severity.nth(1)).to_be_focused()
        await page.keyboard.press("Tab")
        await expect(standing.first).to_be_focused()
        await page.keyboard.press("ArrowRight")
        await expect(standing.nth(1)).to_be_checked()


async def decides(case: Case, what: str, reason: str) -> None:
    await expect(case.dialog).to_be_visible()
    await keeps_the_focus(case.dialog)
    await types(case.page, case.dialog.get_by_role("textbox"), reason)
    words = case.says[f"admin.case.options.{what}.title"]
    await presses(case.page, case.dialog.get_by_role("button", name=words, exact=True))
    await expect(case.dialog).to_be_hidden()
