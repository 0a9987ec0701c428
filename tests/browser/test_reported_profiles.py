"""A profile is reported, a moderator hides what it says, its owner reads why and is heard."""

import secrets

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.actor import Role
from rewards_app.features.forum.desk_rules import Deed
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson
from tests.browser.moments import FRESH, shown, within
from tests.browser.pages import Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_forum_desk import Desk, Topic, at_the_desk
from tests.browser.test_notifications import Bell
from tests.browser.test_profile import describes, handle_of, has_games

BOAST = "You all lose to me, you know it."


class Player(Screen):
    """A profile, as another player sees it."""

    @property
    def dialog(self) -> Locator:
        return self.page.locator("#report")

    async def begins_a_report(self, reason: str, words: str) -> None:
        await self.button("forum.reports.report_profile").click()
        await expect(self.dialog).to_be_visible()
        await self.dialog.get_by_role("combobox").select_option(reason)
        await self.dialog.get_by_role("textbox").fill(words)


class ProfileDesk(Desk):
    async def hides(self, note: str) -> None:
        await self.deed(Deed.HIDE).click()
        await expect(self.dialog).to_contain_text(self.says["forum.desk.means.hide_profile"])
        await self.field("forum.desk.note").fill(note)
        await self.deed(Deed.HIDE).click()
        await self.sees_toast(self.says["forum.desk.done.hide"])


@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_profile_is_reported_hidden_appealed_and_shown_again(
    come: Come, a_person: MakePerson, language: str
):
    name, bio = f"Nova {secrets.token_hex(4)}", f"Free boosts {secrets.token_hex(4)}"
    nova, sven = await a_person(name="Nova"), await a_person(name="Sven")
    await describes(nova, name, bio)
    await has_games(nova, {"title": "Snake 2049", "platform": "Calculator", "description": BOAST})
    desk = await at_the_desk(come, await a_person(Role.MODERATOR, name="Linnea"))
    await desk.choose_language(language)
    desk = ProfileDesk(desk.page, language)
    owner = await one_following_the_system(come)
    await owner.comes_with(nova.session)
    own = Topic(await owner.open("/profile"))
    await own.choose_language(language)
    bell = Bell(own.page, language)
    reader = await one_following_the_system(come, viewport=DESK)
    await reader.comes_with(sven.session)
    read = Player(await reader.open(f"/player?name={await handle_of(nova)}"))
    await read.choose_language(language)
    await expect(read.main).to_contain_text(bio)

    await read.begins_a_report("harassment", "He writes that to everybody.")
    await has_no_violations(read.page, PHONE, DESK)
    async with within(FRESH, desk.listing(name, desk.says["forum.reports.reasons.harassment"])):
        await read.button("forum.reports.send").click()
        await read.sees_toast(read.says["forum.reports.sent_title"])
    await read.begins_a_report("spam", "Once more.")
    await read.button("forum.reports.send").click()
    await expect(read.dialog).to_contain_text(read.says["errors.forum.reported_before"])
    await read.dialog.get_by_role("button", name=read.says["ui.cancel"], exact=True).click()

    await desk.looks_at(name)
    for words in (bio, BOAST, "He writes that to everybody."):
        await expect(desk.dialog).to_contain_text(words)
    await expect(desk.dialog).not_to_contain_text("Sven")
    reason = f"{own.says['forum.desk.reasons.harassment']} Third time."
    nothing = read.says["profile.shows_no_games"]
    async with within(FRESH, shown(read.main, nothing), shown(own.main, reason), bell.ringing(1)):
        await desk.hides("Third time.")
    await expect(desk.item(name)).to_have_count(0)
    for words in (bio, BOAST):
        await expect(read.main).not_to_contain_text(words)
        await expect(own.main).to_contain_text(words)
    await bell.itself.click()
    await expect(bell.told).to_contain_text(reason)
    await bell.told.first.get_by_role("link").click()
    await expect(own.main).to_contain_text(own.says["profile.hidden"])
    await has_no_violations(own.page, DESK, PHONE)

    async with within(FRESH, desk.listing(name)):
        await own.appeals("I say it to my own team, and they laugh.")
    await desk.looks_at(name)
    await expect(desk.dialog).to_contain_text("I say it to my own team, and they laugh.")
    async with within(FRESH, shown(read.main, bio), own.not_to_be_appealed()):
        await desk.decides(Deed.RESTORE)
    await expect(read.main).to_contain_text(BOAST)
    await expect(own.main).not_to_contain_text(own.says["profile.hidden"])


async def test_a_name_is_replaced_and_another_one_chosen(come: Come, a_person: MakePerson):
    name = f"Nova {secrets.token_hex(4)}"
    nova, sven = await a_person(name="Nova"), await a_person(name="Sven")
    await describes(nova, name, "")
    handle = await handle_of(nova)
    desk = await at_the_desk(come, await a_person(Role.MODERATOR, name="Linnea"))
    reader = await come()
    await reader.comes_with(sven.session)
    read = Player(await reader.open(f"/player?name={handle}"))
    await read.begins_a_report("other", "That is a real person.")
    async with within(FRESH, desk.listing(name)):
        await read.button("forum.reports.send").click()
    await desk.looks_at(name)
    async with within(FRESH, shown(read.main, read.says["profile.missing_title"])):
        await desk.decides(Deed.RENAME)
    await read.page.goto(f"/player?name={await handle_of(nova)}")
    heading = read.page.get_by_role("heading", level=1)
    await expect(heading).to_have_text("player")
    other = f"Nova {secrets.token_hex(4)}"
    await describes(nova, other, "")
    await read.page.goto(f"/player?name={await handle_of(nova)}")
    await expect(heading).to_have_text(other)


async def test_nobody_reports_their_own_profile(come: Come, a_person: MakePerson):
    nova, sven = await a_person(name="Nova"), await a_person(name="Sven")
    visitor = await come()
    await visitor.comes_with(sven.session)
    own = Player(await visitor.open(f"/player?name={await handle_of(sven)}"))
    await expect(own.main).to_contain_text(own.says["profile.others_see"])
    await expect(own.button("forum.reports.report_profile")).to_have_count(0)
    other = Player(await visitor.open(f"/player?name={await handle_of(nova)}"))
    await expect(other.button("forum.reports.report_profile")).to_be_visible()
