"""Moderators and admins decide on what was reported; authors read why, appeal, and are heard."""

import re
import secrets

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.forum import appeals, reports
from rewards_app.features.forum.desk_rules import Deed, Target
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_notifications import Bell
from tests.browser.watching import the_actor_behind
from tests.features.forum.test_desk import decides
from tests.forum import a_topic, row

SOON = 5_000
MARKUP = "<b>you</b> {{all}} <img src=x onerror=alert(1)>"


class Desk(Screen):
    @property
    def dialog(self) -> Locator:
        return self.page.locator("#desk-case")

    def item(self, title: str) -> Locator:
        return self.main.get_by_role("listitem").filter(has_text=title)

    async def looks_at(self, title: str) -> None:
        await self.item(title).get_by_role("button").click()
        await expect(self.dialog).to_be_visible()

    def deed(self, deed: Deed) -> Locator:
        return self.dialog.get_by_role(
            "button", name=self.says[f"forum.desk.deeds.{deed}"], exact=True
        )

    async def decides(self, deed: Deed, note: str = "") -> None:
        await self.deed(deed).click()
        await expect(self.dialog).to_contain_text(self.says[f"forum.desk.means.{deed}"])
        await self.field("forum.desk.note").fill(note)
        await self.deed(deed).click()
        await self.sees_toast(self.says[f"forum.desk.done.{deed}"])


async def a_reported_topic(
    author: Person, a_person: MakePerson, *, content: str = "Look at me!"
) -> tuple[str, object]:
    title = f"Landing {secrets.token_hex(4)}"
    topic = await a_topic(await the_actor_behind(author), content, title=title, now=utc_now())
    sven = await the_actor_behind(await a_person(name="Sven"))
    async with transaction() as session:
        await reports.report(
            session, sven, Target.POST, topic, "harassment", "Every day.", now=utc_now()
        )
    await live.tell_now()
    return title, topic


async def at_the_desk(come: Come, person: Person, path: str = "/forum/moderation") -> Desk:
    visitor = await come()
    await visitor.comes_with(person.session)
    return Desk(await visitor.open(path))


@pytest.mark.parametrize("language", ["en", "de", "ru"])
async def test_a_reported_topic_is_hidden_appealed_and_shown_again(
    come: Come, a_person: MakePerson, maja: Person, language: str
):
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    desk = await at_the_desk(come, linnea)
    await desk.choose_language(language)
    author = await come()
    await author.comes_with(maja.session)
    bell = Bell(await author.open("/"))
    await bell.choose_language(language)

    title, topic = await a_reported_topic(maja, a_person)
    await expect(desk.item(title)).to_be_visible(timeout=SOON)
    await desk.looks_at(title)
    await expect(desk.dialog).to_contain_text("Every day.")
    await desk.decides(Deed.HIDE, "Third time.")
    await expect(desk.item(title)).to_have_count(0)

    await bell.rings(1)
    await bell.itself.click()
    await expect(bell.told).to_contain_text(desk.says["forum.desk.reasons.harassment"])
    await expect(bell.told).to_contain_text("Third time.")

    async with transaction() as session:
        actor = await the_actor_behind(maja)
        words = "It was a joke between the two of us."
        await appeals.appeal(session, actor, Target.POST, topic, words, now=utc_now())
    await live.tell_now()
    await expect(desk.item(title)).to_be_visible(timeout=SOON)
    await desk.looks_at(title)
    await expect(desk.dialog).to_contain_text(words)
    await desk.decides(Deed.RESTORE)
    assert (await row("forum_posts", topic))["state"] == "shown"
    await bell.rings(2)


async def test_who_comes_second_is_told(come: Come, a_person: MakePerson, maja: Person):
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    title, topic = await a_reported_topic(maja, a_person)
    desk = await at_the_desk(come, linnea)
    await desk.looks_at(title)
    ola = await the_actor_behind(await a_person(Role.MODERATOR, name="Ola"))
    await decides(ola, topic, Deed.HIDE, at=utc_now())
    await live.tell_now()
    await expect(desk.dialog.get_by_role("status").first).to_contain_text(
        desk.says["forum.desk.stale_title"], timeout=SOON
    )
    await desk.button("forum.desk.look_again").click()
    await expect(desk.deed(Deed.RESTORE)).to_be_visible()


async def test_an_admin_decides_in_the_panel_and_sees_how_much_waits(
    come: Come, a_person: MakePerson, maja: Person
):
    title, topic = await a_reported_topic(maja, a_person, content=MARKUP)
    admin = await a_person(Role.ADMIN, name="Linnea")
    desk = await at_the_desk(come, admin, "/admin?tab=reports")
    tab = desk.page.get_by_role("link", name=re.compile(desk.says["admin.tabs.reports"]))
    await expect(tab).to_have_attribute("aria-current", "page")
    await desk.looks_at(title)
    await expect(desk.dialog).to_contain_text(MARKUP)
    await expect(desk.dialog.locator("img")).to_have_count(0)
    await desk.decides(Deed.DISMISS)
    assert (await row("forum_posts", topic))["state"] == "shown"
    log = desk.page.get_by_role("table", name=desk.says["forum.desk.log"])
    await expect(log).to_contain_text(title)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.COMPANY, Role.ADMIN])
async def test_nobody_else_finds_the_page(come: Come, a_person: MakePerson, role: Role):
    one = await come()
    one.bears("status of 404")
    await one.comes_with((await a_person(role)).session)
    page = await one.open("/forum/moderation")
    await expect(page.get_by_text(Screen(page).says["not_found.text"])).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
async def test_axe_finds_nothing_at_the_desk(
    come: Come, a_person: MakePerson, maja: Person, viewport: dict[str, int]
):
    title, _ = await a_reported_topic(maja, a_person, content="what a stupid map")
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    visitor = await one_following_the_system(come, viewport=viewport)
    await visitor.comes_with(linnea.session)
    desk = Desk(await visitor.open("/forum/moderation"))
    await expect(desk.item(title)).to_be_visible()
    await has_no_violations(desk.page)
    await desk.looks_at(title)
    await expect(desk.deed(Deed.AS_WRITTEN)).to_be_visible()
    await has_no_violations(desk.page)
    await desk.deed(Deed.HIDE).click()
    await expect(desk.field("forum.desk.reason")).to_be_visible()
    await has_no_violations(desk.page)
