"""The question for the birth date, as people meet it."""

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import AgePrompt, Home
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.people import born_years_ago


async def somebody_unverified(come: Come, a_person: MakePerson, **options: object) -> Visitor:
    visitor = await come(**options)
    await visitor.comes_with((await a_person(born=None)).session)
    return visitor


class TestTheQuestion:
    async def test_is_answered_once_and_every_tab_knows(self, come: Come, a_person: MakePerson):
        visitor = await somebody_unverified(come, a_person)
        here = AgePrompt(await visitor.open("/"))
        there = AgePrompt(await visitor.another_tab("/"))
        await expect(there.dialog).to_be_visible()
        for key, path in (("frame.terms", "/terms"), ("frame.privacy", "/privacy")):
            legal = here.dialog.get_by_role("link", name=here.says[key], exact=True)
            await expect(legal).to_have_attribute("href", path)

        await here.tell("1998-05-17")

        await here.sees_toast("Welcome to WatchCoins!")
        await here.is_gone()
        await there.is_gone()
        await visitor.open("/")
        await Home(visitor.page).welcomes("Maja")
        await here.is_gone()

    @pytest.mark.parametrize(
        ("typed", "title", "text"),
        [
            (
                "",
                "Enter your birth date",
                "You must enter a valid birth date to continue.",
            ),
            (
                "2999-01-01",
                "Enter your birth date",
                "You must enter a valid birth date to continue.",
            ),
            (
                born_years_ago(12),
                "Age requirement not met",
                "You must be at least 13 years old to use this service according to COPPA.",
            ),
        ],
    )
    async def test_refuses_in_words_and_keeps_what_was_typed(
        self, come: Come, a_person: MakePerson, typed: str, title: str, text: str
    ):
        visitor = await somebody_unverified(come, a_person)
        prompt = AgePrompt(await visitor.open("/"))

        await prompt.tell(typed)

        await prompt.sees_toast(title, text)
        await expect(prompt.dialog.get_by_text(text).first).to_be_visible()
        await expect(prompt.birth_date).to_have_value(typed)
        await expect(prompt.dialog).to_be_visible()

    async def test_a_second_refusal_takes_the_place_of_the_first(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await somebody_unverified(come, a_person)
        prompt = AgePrompt(await visitor.open("/"))
        await prompt.tell("")
        await prompt.sees_toast("Enter your birth date")

        await prompt.tell(born_years_ago(12))

        await prompt.sees_toast("Age requirement not met")
        await expect(prompt.toast).to_have_count(1)

    async def test_tells_the_young_about_their_parents_first(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await somebody_unverified(come, a_person, viewport=PHONE, has_touch=True)
        prompt = AgePrompt(await visitor.open("/"))

        await prompt.tell(born_years_ago(14))
        await prompt.yes(14).click()

        await expect(prompt.heading("age.parents_title")).to_have_text("Parental consent required")
        await expect(prompt.dialog).to_contain_text(
            "You need parental consent to use all features according to GDPR."
        )
        await prompt.button("age.understood").click()
        await prompt.sees_toast("Welcome to WatchCoins!", "Your age is verified. Have fun!")
        await prompt.is_gone()

    async def test_asks_the_young_again_and_leads_them_back(self, come: Come, a_person: MakePerson):
        visitor = await somebody_unverified(come, a_person)
        prompt = AgePrompt(await visitor.open("/"))

        await prompt.tell(born_years_ago(13))

        question = prompt.dialog.get_by_role("group", name="So you are 13. Is that right?")
        await expect(question).to_be_visible()
        back = prompt.button("age.not_right")
        await expect(back).to_be_focused()
        await prompt.page.keyboard.press("Enter")
        await expect(prompt.button("age.verify")).to_be_focused()
        await expect(prompt.birth_date).to_have_value(born_years_ago(13))
        await prompt.answer()
        await prompt.sees_toast("Welcome to WatchCoins!")

    async def test_asks_again_about_what_was_changed_meanwhile(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await somebody_unverified(come, a_person)
        prompt = AgePrompt(await visitor.open("/"))
        await prompt.tell(born_years_ago(13))
        await expect(prompt.yes(13)).to_be_visible()
        await prompt.birth_date.fill(born_years_ago(17))
        await prompt.yes(13).click()
        await prompt.yes(17).click()
        await prompt.sees_toast("Welcome to WatchCoins!")

    async def test_asks_the_young_without_a_violation(self, come: Come, a_person: MakePerson):
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with((await a_person(born=None)).session)
        prompt = AgePrompt(await visitor.open("/"))
        await prompt.tell(born_years_ago(13))
        await expect(prompt.yes(13)).to_be_visible()
        await has_no_violations(prompt.page, DESK, PHONE)

    async def test_offers_no_day_after_today(self, come: Come, a_person: MakePerson):
        visitor = await somebody_unverified(come, a_person, timezone_id="Pacific/Kiritimati")
        prompt = AgePrompt(await visitor.open("/"))
        today = await prompt.page.evaluate("new Date().toLocaleDateString('sv')")
        await expect(prompt.birth_date).to_have_attribute("max", today)


class TestItsPlace:
    async def test_is_everywhere_but_over_the_legal_pages(self, come: Come, a_person: MakePerson):
        visitor = await somebody_unverified(come, a_person)
        visitor.bears("status of 404")
        prompt = AgePrompt(await visitor.open("/no-such-page"))
        await expect(prompt.dialog).to_be_visible()
        for path in ("/terms", "/privacy", "/gdpr", "/gdpr/"):
            await visitor.open(path)
            await expect(prompt.birth_date).to_be_attached()
            await prompt.is_gone()

    async def test_lets_people_sign_out(self, come: Come, a_person: MakePerson):
        visitor = await somebody_unverified(come, a_person)
        prompt = AgePrompt(await visitor.open("/"))
        await prompt.dialog.get_by_role("button", name="Log out").click()
        await prompt.is_at("/landing")
        await prompt.is_gone()

    async def test_spares_admins(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person(Role.ADMIN, born=None)).session)
        home = Home(await visitor.open("/"))
        await expect(home.heading_of(Role.ADMIN, "Maja")).to_be_visible()
        prompt = AgePrompt(home.page)
        await expect(prompt.dialog).to_be_attached()
        await prompt.is_gone()
