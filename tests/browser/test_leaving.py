"""Somebody leaves: what they see, what is left of them for others, and how they come back."""

import asyncio
import secrets
from datetime import timedelta
from uuid import UUID

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing
from rewards_app.features.factors import resets
from rewards_app.features.privacy import erasing
from rewards_app.models import Account
from tests.ads import the_actor
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Auth, Home, Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.companies import a_company
from tests.forum import a_reply, a_topic
from tests.people import PASSWORD, a_browser, signed_in

A_MONTH = timedelta(days=31)
SAID, ANSWERED = "We meet at the lighthouse at eight.", "I will be there."


class Talk(Screen):
    """A topic as others read it."""

    @property
    def topic(self) -> Locator:
        return self.main.get_by_role("article").first

    def reply(self, text: str) -> Locator:
        return self.main.get_by_role("listitem").filter(has_text=text)


async def the_account(person: Person) -> Account:
    async with transaction() as session:
        return await session.get_one(Account, person.account_id)


async def closes(person: Person) -> None:
    async with transaction() as session:
        await closing.close(session, person.account_id, now=utc_now())


async def is_forgotten(person: Person) -> None:
    """Closed silently a month ago: nobody is forgotten while a letter to them is on its way."""
    async with transaction() as session:
        a_month_ago = utc_now() - A_MONTH
        await closing.close(session, person.account_id, is_silent=True, now=a_month_ago)
    assert await erasing.erase(person.account_id, now=utc_now())


async def opened(come: Come, person: Person, path: str, **options: object) -> Visitor:
    visitor = await come(**options)
    await visitor.comes_with(person.session)
    await visitor.open(path)
    return visitor


@pytest.fixture
async def otto(a_person: MakePerson) -> Person:
    return await a_person(name="Otto")


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def a_talk(maja: Person, otto: Person) -> UUID:
    """Maja's topic with an answer of Otto's and one of her own."""
    author = the_actor(await the_account(maja))
    topic = await a_topic(author, SAID, title=f"Lighthouse {secrets.token_hex(4)}", now=utc_now())
    await a_reply(the_actor(await the_account(otto)), topic, ANSWERED, now=utc_now())
    await a_reply(author, topic, "See you there!", now=utc_now())
    return topic


async def finds(directory: Screen, person: Person) -> None:
    await directory.field("admin.people.search").fill(str(person.account_id))
    await directory.button("admin.people.find").click()


class TestWhoLeaves:
    @pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
    async def test_deletes_the_account_among_their_data_and_comes_back(
        self, come: Come, maja: Person, viewport: dict[str, int]
    ):
        visitor = await opened(come, maja, "/gdpr", viewport=viewport)
        screen = Auth(visitor.page)
        await screen.button("security.delete_account").click()
        dialog = visitor.page.get_by_role("dialog")
        await expect(dialog).to_contain_text(screen.says["security.deletes.keep"])
        await dialog.get_by_label(screen.says["security.your_password"], exact=True).fill(PASSWORD)
        await dialog.get_by_role("button", name=screen.says["security.delete_account"]).click()
        await screen.is_at("/landing")
        await screen.sees_toast(screen.says["security.deletion_begun"])

        await visitor.open("/auth?mode=login")
        await screen.sign_in(maja.email, PASSWORD)
        await expect(screen.heading("auth.closing_title")).to_be_visible()
        await screen.button("auth.closing_keep").click()
        await Home(visitor.page).welcomes("Maja")
        account = await the_account(maja)
        assert (account.closed_at, account.display_name) == (None, "Maja")

    async def test_reads_what_was_done_and_on_other_devices_that_they_are_signed_out(
        self, come: Come, maja: Person
    ):
        browser = a_browser("b")
        phone = await come(viewport=PHONE)
        await phone.comes_with(await signed_in(maja.account_id, browser, now=utc_now()))
        elsewhere = Screen(await phone.open("/shop"))
        visitor = await opened(come, maja, "/gdpr")
        screen = Auth(visitor.page)
        await screen.button("security.delete_account").click()
        dialog = visitor.page.get_by_role("dialog")
        await dialog.get_by_label(screen.says["security.your_password"], exact=True).fill(PASSWORD)
        await dialog.get_by_role("button", name=screen.says["security.delete_account"]).click()
        # No toast is seen for long: who looked for one after the other might miss the second one.
        await asyncio.gather(
            screen.sees_toast(screen.says["security.deletion_begun"]),
            elsewhere.sees_toast(elsewhere.says["errors.session_ended_title"]),
        )
        await elsewhere.is_at("/landing")
        # What the page was asked when its session ended is answered before this is.
        await screen.choose_language("sv")
        ended = screen.toast.filter(has_text=screen.says["errors.session_ended_title"])
        await expect(ended).to_have_count(0)

    async def test_and_owns_a_company_as_a_player_reads_what_is_left_in_it(
        self, come: Come, maja: Person
    ):
        await a_company(owner=the_actor(await the_account(maja)), dollars=12)
        visitor = await opened(come, maja, "/gdpr")
        screen = Auth(visitor.page)
        await screen.button("security.delete_account").click()
        dialog = visitor.page.get_by_role("dialog")
        await expect(dialog).to_contain_text("$12.00 was not spent")
        await expect(dialog).to_contain_text("Your WatchCoins are lost.")

    async def test_does_all_of_it_by_keyboard(self, come: Come, maja: Person):
        visitor = await opened(come, maja, "/gdpr")
        screen, page = Auth(visitor.page), visitor.page
        await tab_to(page, screen.button("security.delete_account"), at_most=60)
        await page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        password = dialog.get_by_label(screen.says["security.your_password"], exact=True)
        await tab_to(page, password)
        await page.keyboard.type(PASSWORD)
        await page.keyboard.press("Enter")
        await screen.is_at("/landing")

        await visitor.open("/auth?mode=login")
        await screen.field("auth.email").focus()
        await page.keyboard.type(maja.email)
        await tab_to(page, screen.field("auth.password"))
        await page.keyboard.type(PASSWORD)
        await page.keyboard.press("Enter")
        await expect(screen.heading("auth.closing_title")).to_be_visible()
        await tab_to(page, screen.button("auth.closing_keep"))
        await page.keyboard.press("Enter")
        await Home(page).welcomes("Maja")


class TestOthers:
    async def test_read_a_deleted_player_for_a_month(self, come: Come, maja: Person, otto: Person):
        topic = await a_talk(maja, otto)
        await closes(maja)
        talk = Talk((await opened(come, otto, f"/forum/topic?id={topic}")).page)
        await expect(talk.topic).to_contain_text("Deleted player")
        await expect(talk.topic).to_contain_text(SAID)
        await expect(talk.main).not_to_contain_text("Maja")
        await expect(talk.main.get_by_role("link", name="Deleted player")).to_have_count(0)

    async def test_read_afterwards_that_it_was_deleted_and_keep_their_answers(
        self, come: Come, maja: Person, otto: Person
    ):
        topic = await a_talk(maja, otto)
        await is_forgotten(maja)
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(otto.session)
        talk = Talk(await visitor.open(f"/forum/topic?id={topic}"))
        gone = talk.page.get_by_role("heading", name="Deleted by its author")
        await expect(gone).to_be_visible()
        await expect(talk.topic).to_contain_text("Deleted player")
        # Once is enough, and there is nothing to like or to report.
        await expect(talk.topic.get_by_text("Deleted by its author")).to_have_count(1)
        await expect(talk.topic.get_by_role("button")).to_have_count(0)
        await expect(talk.reply(ANSWERED)).to_contain_text("Otto")
        await expect(talk.reply("Deleted by its author")).to_contain_text("Deleted player")
        await expect(talk.main).not_to_contain_text("Maja")
        await has_no_violations(talk.page, DESK, PHONE)


class TestAdmins:
    async def test_see_who_is_to_be_deleted_and_who_is(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        leaving, gone = await a_person(), await a_person()
        await closes(leaving)
        await is_forgotten(gone)
        screen = Screen((await opened(come, linnea, "/admin?tab=people")).page)
        rows = screen.page.get_by_role("table").locator("tbody tr")
        # The list of all that comes with the tab takes the place of what was found before.
        await expect(rows.first).to_be_visible()
        await finds(screen, leaving)
        await expect(rows).to_have_count(1)
        await expect(rows).to_contain_text("Deleted player")
        await expect(rows).to_contain_text("To be deleted")
        await finds(screen, gone)
        await expect(rows).to_contain_text("erased.invalid")
        await expect(rows.get_by_text("Deleted", exact=True)).to_be_visible()

    async def test_decide_on_a_lost_factor_of_somebody_without_a_name(
        self, come: Come, maja: Person, linnea: Person
    ):
        async with transaction() as session:
            await resets.ask(session, maja.account_id, now=utc_now() - timedelta(hours=1))
        await closes(maja)
        visitor = await opened(come, linnea, "/admin?tab=support")
        wish = visitor.page.get_by_role("listitem").filter(has_text=maja.email)
        await expect(wish.get_by_role("link", name="Deleted player")).to_be_visible()
        await wish.get_by_role("button", name="Grant Deleted player").click()
        await expect(visitor.page.get_by_role("dialog")).to_contain_text("Deleted player")
