"""Admins look into people, decide on roles and sessions, and read the trail of it afterwards."""

import asyncio
import csv
import io
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import roles
from rewards_app.features.privacy import erasing
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, led_to, shown, within
from tests.browser.pages import Home, Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import LANGUAGES, is_no_wider_than_its_window
from tests.serving import Served

WHERE = "`${location.pathname} ${element.querySelector('h1')?.innerText}`"
REASON = "She helps in the community <b>now</b>"


class Directory(Screen):
    """People, as admins find them."""

    async def open(self, query: str = "") -> None:
        await self.page.goto(f"/admin?tab=people{query}")
        await expect(self.rows.first).to_be_visible()

    @property
    def rows(self) -> Locator:
        return self.page.get_by_role("table", name=self.says["admin.tabs.people"]).locator(
            "tbody tr"
        )

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog").filter(
            has=self.page.get_by_text(self.says["admin.people.balance"], exact=True)
        )

    async def search(self, text: str) -> None:
        await self.field("admin.people.search").fill(text)
        await self.button("admin.people.find").click()

    async def look_into(self, person: Person) -> None:
        await self.search(person.email)
        await expect(self.rows).to_have_count(1)
        await self.rows.get_by_role("button").first.click()
        await expect(self.dialog).to_be_visible()

    def press(self, key: str) -> Locator:
        return self.dialog.get_by_role("button", name=self.says[key], exact=True)

    def reason_for(self, what: str) -> Locator:
        """Several decisions ask for one, and some of them come only when they are opened."""
        reasons = self.dialog.get_by_label(self.says["admin.people.reason"], exact=True)
        return reasons.and_(self.page.locator(f"#{what}-reason"))


class AuditLog(Screen):
    async def open(self, query: str = "") -> None:
        await self.page.goto(f"/admin?tab=audit{query}")
        await expect(self.rows.first).to_be_visible()

    @property
    def rows(self) -> Locator:
        return self.page.get_by_role("table", name=self.says["admin.tabs.audit"]).locator(
            "tbody tr"
        )


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name=f"Linnea {new_id().hex[-6:]}")


async def at_the_directory(visitor: Visitor, admin: Person, query: str = "") -> Directory:
    await visitor.comes_with(admin.session)
    directory = Directory(visitor.page)
    await directory.open(query)
    return directory


async def made_moderator(directory: Directory, maja: Person) -> None:
    await directory.look_into(maja)
    await directory.dialog.get_by_label(directory.says["admin.people.new_role"]).select_option(
        "moderator"
    )
    await expect(directory.dialog).to_contain_text("moderates the community")
    await directory.reason_for("role").fill(REASON)
    await directory.dialog.get_by_role("button", name="Change role to Moderator").click()
    await expect(directory.rows.first).to_contain_text("Moderator")


class TestARole:
    async def test_changes_with_a_reason_and_the_trail_tells_it(
        self, come: Come, maja: Person, linnea: Person
    ):
        directory = await at_the_directory(await come(), linnea)
        await made_moderator(directory, maja)
        await directory.dialog.get_by_role(
            "link", name=directory.says["admin.people.audit"]
        ).click()
        log = AuditLog(directory.page)
        await expect(log.rows).to_have_count(1)
        row = log.rows.first
        for words in ("Role changed", "Player", "Moderator", REASON, linnea.name):
            await expect(row).to_contain_text(words)

    async def test_that_changed_stands_in_the_same_words_on_the_case(
        self, come: Come, maja: Person, linnea: Person
    ):
        directory = await at_the_directory(await come(), linnea)
        await made_moderator(directory, maja)
        await directory.page.goto(f"/admin?tab=fraud&case={maja.account_id}")
        changes = directory.main.get_by_role("list").filter(has_text="Role: ").last
        await expect(changes.get_by_role("listitem")).to_have_count(1)
        await expect(changes.get_by_role("deletion")).to_have_text("Player")
        await expect(changes).to_contain_text("Moderator")

    async def test_that_is_taken_away_closes_the_open_panel_at_once(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        sven = await a_person(Role.ADMIN, name="Sven")
        other = await at_the_directory(await come(), sven)
        directory = await at_the_directory(await come(), linnea)
        await directory.look_into(sven)
        await directory.dialog.get_by_label(directory.says["admin.people.new_role"]).select_option(
            "player"
        )
        await directory.reason_for("role").fill("Left the team")
        async with within(FRESH, shown(other.body, other.says["admin.denied_title"])):
            await directory.dialog.get_by_role("button", name="Change role to Player").click()
        await expect(other.heading("admin.denied_title")).to_be_visible()

    @pytest.mark.parametrize(
        ("role", "path", "seen"),
        [(Role.ADMIN, "/", "Overview"), (Role.COMPANY, "/advertiser", "/advertiser")],
        ids=str,
    )
    async def test_that_is_new_leads_open_pages_to_what_is_theirs(
        self, come: Come, maja: Person, role: Role, path: str, seen: str
    ):
        player = await come()
        await player.comes_with(maja.session)
        home = Home(await player.open("/"))
        await home.welcomes("Maja")
        leads = within(FRESH, shown(home.body, seen, WHERE))
        async with leads, transaction() as session:
            await roles.change(session, None, maja.account_id, role, REASON, now=utc_now())
        await home.is_at(path)
        await expect(home.heading_of(role, "Maja")).to_be_visible()
        await expect(home.main.locator(".animate-pulse")).to_have_count(0)

    async def test_of_ones_own_is_not_offered(self, come: Come, linnea: Person):
        directory = await at_the_directory(await come(), linnea, f"&person={linnea.account_id}")
        await expect(directory.dialog).to_contain_text(directory.says["errors.roles.own"])
        await expect(
            directory.dialog.get_by_label(directory.says["admin.people.new_role"])
        ).to_have_count(0)

    async def test_of_who_is_deleted_is_not_offered(self, come: Come, maja: Person, linnea: Person):
        await erasing.forget_again([maja.account_id], now=utc_now())
        directory = await at_the_directory(await come(), linnea, f"&person={maja.account_id}")
        await expect(directory.dialog).to_contain_text(directory.says["admin.people.is_erased"])
        await expect(
            directory.dialog.get_by_label(directory.says["admin.people.new_role"])
        ).to_have_count(0)


class TestSessions:
    async def test_that_are_ended_sign_their_tab_out_within_five_seconds(
        self, come: Come, maja: Person, linnea: Person
    ):
        player = await come()
        await player.comes_with(maja.session)
        screen = Screen(await player.open("/"))
        await expect(screen.page.get_by_role("heading", level=1)).to_contain_text("Maja")
        directory = await at_the_directory(await come(), linnea, f"&person={maja.account_id}")
        await directory.press("admin.people.end_all").click()
        await directory.reason_for("ending").fill("The phone was stolen")
        async with within(FRESH, led_to(player.page, "/landing")):
            await directory.press("admin.people.end_all").click()
        await expect(directory.dialog).to_contain_text(directory.says["admin.people.no_sessions"])


class TestVerification:
    async def test_is_mailed_again(
        self, come: Come, served: Served, a_person: MakePerson, linnea: Person
    ):
        una = await a_person(name="Una", is_verified=False)
        directory = await at_the_directory(await come(), linnea, f"&person={una.account_id}")
        await directory.press("admin.people.send_verification").click()
        await directory.sees_toast("Mail on its way", una.email)
        link = await asyncio.to_thread(served.letters.link_to, una.email)
        assert "mode=verify" in link


class TestTheTrail:
    async def test_grows_by_itself_is_searched_and_taken_along(
        self, come: Come, maja: Person, linnea: Person
    ):
        visitor = await come()
        directory = await at_the_directory(visitor, linnea)
        await made_moderator(directory, maja)
        log = AuditLog(await visitor.another_tab("/admin?tab=audit"))
        await log.field("audit.by").select_option(label=linnea.name)
        await expect(log.rows).to_have_count(1)
        await log.field("audit.search").fill("community no")
        await log.button("audit.find").click()
        await expect(log.rows).to_have_count(1)
        sheet: Any = await log.page.evaluate(
            "async () => (await fetch(document.querySelector('a[download]').href)).text()"
        )
        [head, row] = list(csv.reader(io.StringIO(sheet.lstrip("\ufeff"))))
        assert (row[head.index("actor")], row[head.index("reason")]) == (linnea.name, REASON)
        await log.field("audit.search").fill("")
        await log.button("audit.find").click()
        # That it was taken along stands there, too, without a reload.
        await expect(log.rows).to_have_count(2)
        await expect(log.rows.first).to_contain_text("Audit log exported")


class TestEverybody:
    async def test_reaches_everything_with_the_keyboard(
        self, come: Come, maja: Person, linnea: Person
    ):
        directory = await at_the_directory(await come(), linnea)
        page = directory.page
        await tab_to(page, directory.field("admin.people.search"), at_most=50)
        await page.keyboard.type(maja.email)
        await page.keyboard.press("Enter")
        await expect(directory.rows).to_have_count(1)
        await tab_to(page, directory.rows.get_by_role("button"))
        await page.keyboard.press("Enter")
        await tab_to(page, directory.press("admin.people.end_all"))
        await page.keyboard.press("Enter")
        reason = directory.reason_for("ending")
        await tab_to(page, reason)
        await page.keyboard.type("Lost it")
        await page.keyboard.press("Escape")
        await expect(directory.dialog).to_be_hidden()

    async def test_axe_finds_nothing(self, come: Come, maja: Person, linnea: Person):
        visitor = await one_following_the_system(come, viewport=PHONE)
        directory = await at_the_directory(visitor, linnea)
        await has_no_violations(directory.page, DESK, PHONE)
        await made_moderator(directory, maja)
        await directory.press("admin.people.end_all").click()
        await has_no_violations(directory.page, DESK, PHONE)
        await directory.page.keyboard.press("Escape")
        log = AuditLog(directory.page)
        await log.open()
        await has_no_violations(log.page, DESK, PHONE)

    async def test_nothing_is_wider_than_a_small_phone(
        self, come: Come, maja: Person, linnea: Person
    ):
        await made_moderator(await at_the_directory(await come(), linnea), maja)
        visitor = await come(viewport={"width": 360, "height": 780})
        await visitor.comes_with(linnea.session)
        screen = Screen(visitor.page)
        for path in ("/admin?tab=people", "/admin?tab=audit"):
            page = await visitor.open(path)
            await expect(page.get_by_role("table")).to_be_visible()
            async for language in screen.in_each_of(LANGUAGES):
                assert await is_no_wider_than_its_window(page), f"{path} in {language}"
