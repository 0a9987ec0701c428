"""Support from both sides: asked, answered, read and gone on with; its questions by keyboard."""

import asyncio
import re
import secrets
from datetime import timedelta

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.factors import resets
from rewards_app.features.signals.rules import Rule
from rewards_app.features.support.faq import ENTRIES
from tests.ads import the_actor
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.measures import APPEAL, appeals_against, suspends_by_itself
from tests.serving import Served, text_of
from tests.tickets import ANSWER, QUESTION, answers, asks

SOON = 10_000
MORE = "Thank you, it has come now. You can close this."


class Support(Screen):
    async def open(self, query: str = "") -> None:
        await self.page.goto(f"/support{query}")
        await expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def question(self, name: str) -> Locator:
        return self.page.locator(f"#faq-{name}")

    def ticket(self, subject: str) -> Locator:
        return self.page.get_by_role("listitem").filter(has_text=subject)

    @property
    def said(self) -> Locator:
        return self.page.get_by_role("list", name=self.says["support.thread.label"]).locator("li")

    async def asks(self, subject: str, message: str = QUESTION) -> None:
        await self.field("support.form.subject").fill(subject)
        await self.field("support.form.message").fill(message)
        await self.button("support.form.send").click()


class Inbox(Screen):
    async def open(self, query: str = "") -> None:
        await self.page.goto(f"/admin?tab=support{query}")
        await expect(self.field("admin.support.search")).to_be_visible()

    def row(self, subject: str) -> Locator:
        return self.page.get_by_role("row").filter(has_text=subject)

    async def answers(self, text: str = ANSWER) -> None:
        await self.field("admin.support.answer").fill(text)
        await self.button("admin.support.send").click()
        await self.sees_toast(self.says["admin.support.answered_title"])


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def at_support(visitor: Visitor, person: Person, query: str = "") -> Support:
    await visitor.comes_with(person.session)
    support = Support(visitor.page)
    await support.open(query)
    return support


async def at_the_inbox(visitor: Visitor, admin: Person) -> Inbox:
    await visitor.comes_with(admin.session)
    inbox = Inbox(visitor.page)
    await inbox.open()
    return inbox


async def the_account(person: Person):
    from rewards_app.models import Account

    async with transaction() as session:
        return await session.get_one(Account, person.account_id)


def a_subject() -> str:
    return f"My code {secrets.token_hex(4)}"


async def letters_to(served: Served, recipient: str, containing: str):
    for _ in range(200):
        for letter in served.letters.to(recipient):
            if containing in text_of(letter) or containing in str(letter["Subject"]):
                return letter
        await asyncio.sleep(0.1)
    raise AssertionError(f"no letter with {containing!r} came to {recipient}")


class TestAQuestion:
    async def test_says_where_it_is_answered_whatever_address_is_typed(
        self, come: Come, maja: Person
    ):
        support = await at_support(await come(), maja)
        email = support.field("support.form.email")
        await email.fill("somebody.else@example.com")
        await expect(email).to_have_accessible_description(
            f"We answer in your ticket and to {maja.email}."
        )

    async def test_says_to_readers_what_it_needs(self, come: Come, maja: Person):
        support = await at_support(await come(), maja)
        for name in ("name", "email", "message"):
            field = support.field(f"support.form.{name}")
            await expect(field).to_have_attribute("aria-required", "true")
        subject = support.field("support.form.subject")
        await expect(subject).not_to_have_attribute("aria-required", "true")

    async def test_is_asked_answered_and_gone_on_with_while_both_look_on(
        self, come: Come, maja: Person, linnea: Person, served: Served
    ):
        inbox = await at_the_inbox(await come(), linnea)
        support = await at_support(await come(), maja)
        await expect(support.field("support.form.name")).to_have_value("Maja")
        await expect(support.field("support.form.email")).to_have_value(maja.email)
        subject = a_subject()
        await support.asks(subject)
        await support.sees_toast("Message sent! ✅", "We'll get back to you within 24 hours")
        await expect(support.field("support.form.message")).to_have_value("")
        await expect(support.ticket(subject)).to_contain_text("Waiting for us")

        asked = await letters_to(served, "support@localhost", subject)
        assert asked["Reply-To"] == maja.email
        received = await letters_to(served, maja.email, subject)
        assert asked["Subject"].split(":")[0].endswith(received["Subject"].rpartition("#")[2])

        await expect(inbox.row(subject)).to_be_visible(timeout=SOON)
        await inbox.row(subject).get_by_role("link").click()
        await expect(inbox.text(QUESTION)).to_be_visible()
        await inbox.answers()
        await expect(inbox.main).to_contain_text("Answered")

        line = support.ticket(subject)
        await expect(line).to_contain_text("Answered", timeout=SOON)
        await expect(line).to_contain_text("1 new answer")
        assert ANSWER in text_of(await letters_to(served, maja.email, ANSWER))
        bell = support.page.get_by_role("button", name="Notifications, 1 unread")
        await expect(bell).to_be_visible(timeout=SOON)

        await line.get_by_role("link").click()
        await expect(support.said).to_have_count(2)
        await expect(support.said.last).to_contain_text(ANSWER)
        await expect(support.said.last).to_contain_text("New")
        await support.field("support.thread.reply").fill(MORE)
        await support.button("support.thread.send").click()
        await support.sees_toast("Reply sent")
        await expect(support.said).to_have_count(3)
        await expect(inbox.text(inbox.says["admin.support.stale_title"])).to_be_visible(
            timeout=SOON
        )
        await inbox.button("admin.support.read_again").click()
        await expect(inbox.text(MORE)).to_be_visible()
        await inbox.button("admin.support.close").click()
        await inbox.sees_toast("Ticket closed")
        await expect(support.main).to_contain_text("Closed", timeout=SOON)

    async def test_that_is_refused_loses_nothing_and_says_why_beside_the_field(
        self, come: Come, maja: Person
    ):
        support = await at_support(await come(), maja)
        await support.field("support.form.subject").fill("About my code")
        await support.button("support.form.send").click()
        await support.sees_toast(
            "Please fill in all fields", "Name, email and message are required"
        )
        await expect(support.field("support.form.message")).to_have_attribute(
            "aria-invalid", "true"
        )
        far_too_long = "Help! " * 400
        await support.field("support.form.message").fill(far_too_long)
        await support.button("support.form.send").click()
        await expect(support.main).to_contain_text("2,000 characters at most")
        await expect(support.field("support.form.subject")).to_have_value("About my code")
        await expect(support.field("support.form.message")).to_have_value(far_too_long)

    async def test_is_for_companies_and_for_whoever_is_suspended_too(
        self, come: Come, a_person: MakePerson
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        await suspends_by_itself(anna.account_id)
        visitor = await come()
        await visitor.comes_with(anna.session)
        support = Support(await visitor.open("/advertiser"))
        await support.page.get_by_role("link", name="Support", exact=True).first.click()
        subject = a_subject()
        await support.asks(subject)
        await expect(support.ticket(subject)).to_be_visible()

    async def test_of_somebody_else_is_not_there(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        number = await asks(the_actor(await the_account(maja)), now=utc_now())
        eva = await a_person(name="Eva")
        support = await at_support(await come(), eva, f"?ticket={number}")
        await expect(support.heading("support.missing_title")).to_be_visible()
        await expect(support.main).not_to_contain_text(QUESTION)


class TestAnAnswerBeingTyped:
    async def test_stands_under_its_own_ticket_alone(
        self, come: Come, maja: Person, linnea: Person
    ):
        actor = the_actor(await the_account(maja))
        subjects = a_subject(), a_subject()
        for subject in subjects:
            await asks(actor, subject=subject, now=utc_now())
        inbox = await at_the_inbox(await come(), linnea)
        for subject in subjects:
            await inbox.row(subject).get_by_role("link").first.click()
            await expect(inbox.main.get_by_role("heading", name=subject)).to_be_visible()
            if subject == subjects[0]:
                await inbox.link("admin.support.back").click()
        answer = inbox.field("admin.support.answer")
        await answer.fill("Your number is in the letter.")

        await inbox.page.evaluate("history.go(-2)")

        await expect(inbox.main.get_by_role("heading", name=subjects[0])).to_be_visible()
        await expect(answer).to_have_value("")


class TestAnAppeal:
    async def test_that_is_answered_is_read_where_the_suspension_is_told(
        self, come: Come, maja: Person, linnea: Person
    ):
        restriction = await suspends_by_itself(maja.account_id, Rule.FOREIGN_SESSION)
        assert restriction
        actor = the_actor(await the_account(maja))
        number = await appeals_against(actor, restriction, now=utc_now())
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Support(await visitor.open("/watch"))
        await expect(screen.heading("restrictions.suspended_title")).to_be_visible()
        await expect(screen.main).to_contain_text("an ad of another player reported as over")
        admin = the_actor(await the_account(linnea))
        await answers(admin, number, "We looked again: it stays.", now=utc_now())
        await live.tell_now()
        await expect(screen.main).to_contain_text("We looked again: it stays.", timeout=SOON)
        await screen.page.get_by_role("link", name=f"Appeal {number}").click()
        await expect(screen.said).to_have_count(2)
        await expect(screen.said.first).to_contain_text(APPEAL)


class TestTheQuestionsOfAll:
    async def test_unfold_by_keyboard_one_at_a_time(self, come: Come, maja: Person):
        support = await at_support(await come(), maja)
        assert len(ENTRIES) == 8
        await expect(support.page.locator("details")).to_have_count(8)
        first, second = support.question("earn"), support.question("limits")
        await tab_to(support.page, first.locator("summary"), at_most=60)
        await support.page.keyboard.press("Enter")
        await expect(first).to_contain_text("from 5 to 50 coins, usually 15")
        await expect(first.locator("p")).to_be_visible()
        await support.page.keyboard.press("Tab")
        await support.page.keyboard.press("Space")
        await expect(second.locator("p")).to_be_visible()
        await expect(first.locator("p")).to_be_hidden()
        await expect(second).to_contain_text("Up to 50 ads a day")
        await expect(second).to_contain_text("under 18, at most 15 of them")
        young = support.question("young")
        await expect(young).to_contain_text(
            "You must be at least 13. Under 18 you watch at most 15"
        )
        await expect(support.page).to_have_url(re.compile(r"/support/?#faq-limits$"))

    async def test_are_named_in_an_address(self, come: Come, maja: Person):
        support = await at_support(await come(), maja, "#faq-prices")
        answer = support.question("prices").locator("p")
        await expect(answer).to_be_in_viewport()
        await expect(answer).to_contain_text("From the first coin")

    @pytest.mark.parametrize("place", ["#100%", "#%ff", "#faq-"])
    async def test_that_are_not_there_leave_the_page_as_it_is(
        self, come: Come, maja: Person, place: str
    ):
        support = await at_support(await come(), maja, place)
        await expect(support.question("prices")).to_be_visible()


class TestALostSecondFactor:
    async def test_is_decided_on_with_a_reason(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        name = f"Maja {secrets.token_hex(3)}"
        maja = await a_person(name=name)
        async with transaction() as session:
            await resets.ask(session, maja.account_id, now=utc_now() - timedelta(hours=1))
        inbox = await at_the_inbox(await come(), linnea)
        wish = inbox.main.get_by_role("listitem").filter(has_text=name)
        await expect(wish).to_contain_text("not before")
        await wish.get_by_role("button", name=f"Grant {name}").click()
        dialog = inbox.page.get_by_role("dialog")
        await expect(dialog).to_contain_text("the password alone signs in")
        await dialog.get_by_role("textbox").fill("She showed her passport in a call.")
        await dialog.get_by_role("button", name="Grant after the wait").click()
        await inbox.sees_toast("Granted", name)
        await expect(wish).to_contain_text("Granted, waiting")
        await expect(wish.get_by_role("button")).to_have_count(0)


async def test_axe_finds_nothing_on_either_side(come: Come, maja: Person, linnea: Person):
    subject = a_subject()
    number = await asks(the_actor(await the_account(maja)), subject=subject, now=utc_now())
    await answers(the_actor(await the_account(linnea)), number, now=utc_now())
    visitor = await one_following_the_system(come, viewport=PHONE)
    support = await at_support(visitor, maja)
    await expect(support.ticket(subject)).to_be_visible()
    await support.question("earn").locator("summary").click()
    for size in (DESK, PHONE):
        await support.button("support.form.send").click()
        await expect(support.toast).to_be_visible()
        await has_no_violations(support.page, size)
    await support.ticket(subject).get_by_role("link").click()
    await expect(support.said).to_have_count(2)
    await has_no_violations(support.page, DESK, PHONE)

    desk = await one_following_the_system(come, viewport=PHONE)
    inbox = await at_the_inbox(desk, linnea)
    await has_no_violations(inbox.page, DESK, PHONE)
    await inbox.page.goto(f"/admin?tab=support&ticket={number}")
    await expect(inbox.field("admin.support.answer")).to_be_visible()
    await has_no_violations(inbox.page, DESK, PHONE)
