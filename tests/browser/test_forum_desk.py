"""Moderators and admins decide on what was reported; authors read why, appeal, and are heard."""

import json
import re
import secrets

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.forum import reports
from rewards_app.features.forum.desk_rules import FOR_THE_LOG, Deed, Target
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, Promised, shown, within
from tests.browser.pages import Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_notifications import Bell
from tests.browser.watching import the_actor_behind
from tests.features.forum.test_desk import MORE, WORDS, appeals_it, decides
from tests.forum import a_reply, a_topic, row
from tests.tickets import replies as replies_in_ticket

MARKUP = "<b>you</b> {{all}} <img src=x onerror=alert(1)>"


class Desk(Screen):
    @property
    def dialog(self) -> Locator:
        return self.page.locator("#desk-case")

    def item(self, title: str) -> Locator:
        return self.main.get_by_role("listitem").filter(has_text=title)

    def listing(self, title: str, words: str = "") -> Promised:
        """The case of this title, with these words."""
        items = "[...element.querySelectorAll('li')].map((one) => one.innerText)"
        own = f"{items}.find((words) => words.includes({json.dumps(title)})) ?? ''"
        return shown(self.main, words or title, own)

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
        words = "forum.desk.note_log" if deed in FOR_THE_LOG else "forum.desk.note"
        await self.field(words).fill(note)
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


class Topic(Screen):
    """One topic, as its readers and its author see it."""

    async def reports(self, reason: str, words: str) -> None:
        await self.button("forum.reports.report_post").click()
        dialog = self.page.locator("#report")
        await dialog.get_by_role("combobox").select_option(reason)
        await dialog.get_by_role("textbox").fill(words)
        await self.button("forum.reports.send").click()
        await self.sees_toast(self.says["forum.reports.sent_title"])

    def not_to_be_appealed(self) -> Promised:
        words = json.dumps(self.says["forum.appeals.appeal"])
        buttons = "[...element.querySelectorAll('button')].map((one) => one.innerText.trim())"
        return shown(self.main, "false", f"{buttons}.includes({words})")

    async def appeals(self, words: str) -> None:
        await self.button("forum.appeals.appeal").click()
        await self.page.locator("#forum-appeal").get_by_role("textbox").fill(words)
        await self.button("forum.appeals.send").click()
        await self.sees_toast(self.says["forum.appeals.sent_title"])


@pytest.mark.parametrize("language", ["en", "de", "ru"])
async def test_a_topic_is_reported_hidden_appealed_and_shown_again(
    come: Come, a_person: MakePerson, maja: Person, language: str
):
    title = f"Landing {secrets.token_hex(4)}"
    actor = await the_actor_behind(maja)
    topic = await a_topic(actor, "Look at me, everybody!", title=title, now=utc_now())
    address = f"/forum/topic?id={topic}"
    linnea, sven = await a_person(Role.MODERATOR, name="Linnea"), await a_person(name="Sven")
    desk = await at_the_desk(come, linnea)
    await desk.choose_language(language)
    author = await come()
    await author.comes_with(maja.session)
    own = Topic(await author.open(address))
    await own.choose_language(language)
    bell = Bell(own.page, language)
    reader = await come()
    await reader.comes_with(sven.session)
    read = Topic(await reader.open(address))
    await read.choose_language(language)

    async with within(FRESH, desk.listing(title, desk.says["forum.reports.reasons.harassment"])):
        await read.reports("harassment", "Every day.")
    await desk.looks_at(title)
    await expect(desk.dialog).to_contain_text("Every day.")
    reason = f"{own.says['forum.desk.reasons.harassment']} Third time."
    missing = read.says["forum.topic.missing"]
    async with within(FRESH, shown(read.main, missing), shown(own.main, reason), bell.ringing(1)):
        await desk.decides(Deed.HIDE, "Third time.")
    await expect(desk.item(title)).to_have_count(0)
    await expect(read.heading("forum.topic.missing")).to_be_visible()
    await bell.rings(1)
    await bell.itself.click()
    await expect(bell.told).to_contain_text(reason)
    await own.page.keyboard.press("Escape")

    async with within(FRESH, desk.listing(title)):
        await own.appeals("It was a joke between the two of us.")
    await desk.looks_at(title)
    await expect(desk.dialog).to_contain_text("It was a joke between the two of us.")
    async with within(FRESH, shown(read.main, title), own.not_to_be_appealed(), bell.ringing(2)):
        await desk.decides(Deed.RESTORE)
    await expect(read.main.get_by_role("heading", name=title)).to_be_visible()
    await bell.rings(2)
    await expect(own.button("forum.appeals.appeal")).to_have_count(0)
    await read.page.reload()
    await expect(read.page.get_by_role("heading", level=1)).to_have_text(title)


async def test_a_reply_that_is_hidden_in_a_topic_that_is_not_shown_is_appealed_where_its_bell_leads(
    come: Come, a_person: MakePerson, maja: Person
):
    title = f"Landing {secrets.token_hex(4)}"
    sven, linnea = await a_person(name="Sven"), await a_person(Role.MODERATOR, name="Linnea")
    topic = await a_topic(await the_actor_behind(sven), title=title, now=utc_now())
    reply = await a_reply(await the_actor_behind(maja), topic, "Not there!", now=utc_now())
    moderator = await the_actor_behind(linnea)
    await decides(moderator, topic, Deed.HIDE, at=utc_now())
    await decides(moderator, reply, Deed.HIDE, "spam", target=Target.REPLY, at=utc_now())
    author = await come()
    await author.comes_with(maja.session)
    own = Topic(await author.open("/settings"))
    bell = Bell(own.page, "en")
    await bell.itself.click()
    await expect(bell.told.first).to_be_visible()
    await expect(bell.panel).not_to_contain_text(title)
    await bell.told.first.get_by_role("link").click()

    await expect(own.heading("forum.topic.missing")).to_be_visible()
    said = own.main.get_by_role("listitem").filter(has_text="Not there!")
    await expect(said).to_contain_text(own.says["forum.desk.reasons.spam"])
    await own.appeals("I only said where nobody lands.")
    await decides(moderator, reply, Deed.TURN_DOWN, target=Target.REPLY, at=utc_now())
    await said.get_by_role("button", name=own.says["forum.own.delete_reply"]).click()
    asked = own.page.locator("#own-delete")
    await asked.get_by_role("button", name=own.says["forum.own.delete_reply"]).click()
    await own.sees_toast(own.says["forum.own.deleted_title"])
    await expect(said).to_have_count(0)


async def test_what_the_rules_masked_is_appealed_and_shown_as_it_was_written(
    come: Come, a_person: MakePerson, maja: Person
):
    title = f"Landing {secrets.token_hex(4)}"
    actor = await the_actor_behind(maja)
    topic = await a_topic(actor, "what a stupid map", title=title, now=utc_now())
    author = await come()
    await author.comes_with(maja.session)
    own = Topic(await author.open(f"/forum/topic?id={topic}"))
    await expect(own.main).to_contain_text("what a ****** map")
    await own.appeals("That is what the map is called.")
    desk = await at_the_desk(come, await a_person(Role.MODERATOR, name="Linnea"))
    await desk.looks_at(title)
    async with within(FRESH, shown(own.main, "what a stupid map")):
        await desk.decides(Deed.AS_WRITTEN)
    await expect(own.main.get_by_text("what a stupid map", exact=True).first).to_be_visible()
    await expect(own.main).not_to_contain_text("******")


async def test_an_appeal_of_too_few_words_is_refused_beside_them(come: Come, maja: Person):
    topic = await a_topic(await the_actor_behind(maja), "what a stupid map", now=utc_now())
    author = await come()
    await author.comes_with(maja.session)
    own = Topic(await author.open(f"/forum/topic?id={topic}"))
    await own.choose_language("sv")
    await own.button("forum.appeals.appeal").click()
    field = own.page.locator("#forum-appeal").get_by_role("textbox")
    for typed in ("", "Nej."):
        await field.fill(typed)
        await own.button("forum.appeals.send").click()
        await own.says_it_is_too_short(field)
        await expect(field).to_have_value(typed)


async def test_what_is_pasted_in_and_too_long_is_refused_beside_it_and_stays(
    come: Come, a_person: MakePerson, maja: Person
):
    topic = await a_topic(await the_actor_behind(maja), "what a stupid map", now=utc_now())
    author = await come()
    await author.comes_with(maja.session)
    own = Topic(await author.open(f"/forum/topic?id={topic}"))
    await own.button("forum.appeals.appeal").click()
    await pastes(own.page.locator("#field-forum-appeal"), 3_000)
    await own.button("forum.appeals.send").click()
    said = own.says["errors.support.message_too_long_other"].replace("{{count}}", "2,000")
    await expect(own.page.locator("#field-forum-appeal-error")).to_have_text(said)
    await expect(own.page.locator("#field-forum-appeal")).to_have_value(long(3_000))

    reader = await come()
    await reader.comes_with((await a_person(name="Sven")).session)
    read = Topic(await reader.open(f"/forum/topic?id={topic}"))
    await read.button("forum.reports.report_post").click()
    await read.page.locator("#report-reason").select_option("spam")
    await pastes(read.page.locator("#report-text"), 400)
    await read.button("forum.reports.send").click()
    said = read.says["errors.forum.note_too_long_other"].replace("{{count}}", "300")
    await expect(read.page.locator("#report-text-error")).to_have_text(said)
    await expect(read.page.locator("#report-text")).to_have_value(long(400))


def long(characters: int) -> str:
    return "x" * characters


async def pastes(field: Locator, characters: int) -> None:
    """As a browser takes it in: what it would cut off is cut off."""
    await field.focus()
    await field.page.keyboard.insert_text(long(characters))


async def test_what_an_author_adds_to_an_appeal_is_read_before_it_is_decided(
    come: Come, a_person: MakePerson, maja: Person
):
    title, actor = f"Landing {secrets.token_hex(4)}", await the_actor_behind(maja)
    topic = await a_topic(actor, "what a stupid map", title=title, now=utc_now())
    number = await appeals_it(actor, topic, at=utc_now())
    desk = await at_the_desk(come, await a_person(Role.MODERATOR, name="Linnea"))
    await desk.looks_at(title)
    await expect(desk.dialog).to_contain_text(WORDS)
    async with within(FRESH, shown(desk.dialog, desk.says["forum.desk.stale_title"])):
        await replies_in_ticket(actor, number, MORE, now=utc_now())
        await live.tell_now()
    await desk.button("forum.desk.look_again").click()
    await expect(desk.dialog.get_by_role("listitem").filter(has_text=MORE)).to_be_visible()
    await desk.decides(Deed.TURN_DOWN)


async def test_a_report_that_says_nothing_is_refused_beside_its_field(
    come: Come, a_person: MakePerson, maja: Person
):
    topic = await a_topic(await the_actor_behind(maja), title="A title", now=utc_now())
    reader = await come()
    await reader.comes_with((await a_person(name="Sven")).session)
    read = Topic(await reader.open(f"/forum/topic?id={topic}"))
    await read.button("forum.reports.report_post").click()
    dialog = read.page.locator("#report")
    await read.button("forum.reports.send").click()
    await expect(dialog).to_contain_text(read.says["errors.forum.reason_missing"])
    await dialog.get_by_role("combobox").select_option("other")
    await read.button("forum.reports.send").click()
    await expect(dialog).to_contain_text(read.says["errors.forum.note_missing"])
    await dialog.get_by_role("textbox").fill("It is my diary.")
    await read.button("forum.reports.send").click()
    await read.sees_toast(read.says["forum.reports.sent_title"])


async def test_who_comes_second_is_told(come: Come, a_person: MakePerson, maja: Person):
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    title, topic = await a_reported_topic(maja, a_person)
    desk = await at_the_desk(come, linnea)
    await desk.looks_at(title)
    ola = await the_actor_behind(await a_person(Role.MODERATOR, name="Ola"))
    said, status = desk.says["forum.desk.stale_title"], "element.querySelector('[role=status]')"
    async with within(FRESH, shown(desk.dialog, said, f"{status}?.innerText")):
        await decides(ola, topic, Deed.HIDE, at=utc_now())
        await live.tell_now()
    await desk.button("forum.desk.look_again").click()
    await expect(desk.deed(Deed.RESTORE)).to_be_visible()


async def test_what_is_being_written_stays_where_the_thing_has_changed_meanwhile(
    come: Come, a_person: MakePerson, maja: Person
):
    title, topic = await a_reported_topic(maja, a_person)
    desk = await at_the_desk(come, await a_person(Role.MODERATOR, name="Linnea"))
    await desk.looks_at(title)
    await desk.deed(Deed.HIDE).click()
    reason, note = desk.field("forum.desk.reason"), desk.field("forum.desk.note")
    await reason.select_option("hateful")
    await note.fill("Third time.")
    ola = await the_actor_behind(await a_person(Role.MODERATOR, name="Ola"))
    async with within(FRESH, shown(desk.deed(Deed.HIDE), "true", "element.disabled")):
        await decides(ola, topic, Deed.LOCK, at=utc_now())
        await live.tell_now()
    await expect(desk.deed(Deed.HIDE)).to_be_disabled()
    await expect(note).to_be_focused()
    await desk.button("forum.desk.look_again").click()
    await expect(desk.deed(Deed.HIDE)).to_be_enabled()
    await expect(reason).to_have_value("hateful")
    await expect(note).to_have_value("Third time.")
    await desk.deed(Deed.HIDE).click()
    await desk.sees_toast(desk.says["forum.desk.done.hide"])
    assert (await row("forum_posts", topic))["state_reason"] == "hateful\nThird time."


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


async def test_axe_finds_nothing_at_the_desk(come: Come, a_person: MakePerson, maja: Person):
    title, _ = await a_reported_topic(maja, a_person, content="what a stupid map")
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    visitor = await one_following_the_system(come, viewport=PHONE)
    await visitor.comes_with(linnea.session)
    desk = Desk(await visitor.open("/forum/moderation"))
    await expect(desk.item(title)).to_be_visible()
    await has_no_violations(desk.page, DESK, PHONE)
    await desk.looks_at(title)
    await expect(desk.deed(Deed.AS_WRITTEN)).to_be_visible()
    await has_no_violations(desk.page, DESK, PHONE)
    await desk.deed(Deed.HIDE).click()
    await expect(desk.field("forum.desk.reason")).to_be_visible()
    await has_no_violations(desk.page, DESK, PHONE)
