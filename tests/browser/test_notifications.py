"""The bell and the settings: what comes, wherever one is, is heard and can be read away."""

import pytest
from babel import Locale
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import Kind
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, Promised, shown, within
from tests.browser.pages import Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.watching import Wire

ITSELF = "document.querySelector('[popovertarget=notifications]')"
MARKUP = "<b>Best</b> {{who}} $t(app.name) <img src=x onerror=alert(1)>"


class Bell(Screen):
    @property
    def itself(self) -> Locator:
        return self.bars.locator("[popovertarget=notifications]")

    @property
    def panel(self) -> Locator:
        return self.page.locator("#notifications")

    @property
    def told(self) -> Locator:
        return self.panel.get_by_role("listitem")

    async def rings(self, count: int) -> None:
        await expect(self.itself).to_have_accessible_name(self._says_unread(count))

    def ringing(self, count: int) -> Promised:
        """Whichever page has it by then: each has a bell of its own."""
        return shown(self.page.locator("body"), self._says_unread(count), f"{ITSELF}?.ariaLabel")

    def _says_unread(self, count: int) -> str:
        form = Locale(self.language).plural_form(count)
        return self.says[f"notifications.bell_unread_{form}"].replace("{{shown}}", str(count))

    async def is_silent(self) -> None:
        await expect(self.itself).to_have_accessible_name(self.says["notifications.title"])


async def is_told(person: Person, title: str = "Best loadout?", kind: Kind = Kind.REPLY) -> None:
    async with transaction() as session:
        await notifications.tell(
            session,
            person.account_id,
            kind,
            link="/settings",
            cause=str(new_id()),
            now=utc_now(),
            who="Linnea",
            title=title,
            reason=["forum.desk.reasons.spam"],
            note="Third time.",
        )
    await live.tell_now()


@pytest.fixture
async def bell(come: Come, maja: Person) -> Bell:
    one = await come()
    await one.comes_with(maja.session)
    found = Bell(await one.open("/"))
    await found.is_silent()
    return found


class TestTheBell:
    async def test_rings_while_a_page_is_open_and_leads_to_what_happened(
        self, bell: Bell, maja: Person
    ):
        async with within(FRESH, bell.ringing(2)):
            await is_told(maja)
            await is_told(maja, "Another one", Kind.MENTION)
        await bell.rings(2)
        await bell.itself.click()
        await expect(bell.told).to_have_count(2)
        await expect(bell.told.first).to_contain_text("Linnea mentioned you in “Another one”")
        async with within(FRESH, bell.ringing(1)):
            await bell.told.first.get_by_role("link").click()
            await bell.is_at("/settings")
            await expect(bell.panel).to_be_hidden()
        await bell.rings(1)

    async def test_hears_what_comes_while_it_is_open_and_reads_all_away(
        self, bell: Bell, maja: Person
    ):
        await bell.itself.click()
        await expect(bell.panel).to_contain_text(bell.says["notifications.none"])
        async with within(FRESH, shown(bell.panel, "Linnea replied to")):
            await is_told(maja)
        await expect(bell.told).to_have_count(1)
        await bell.button("notifications.read_all").click()
        await bell.is_silent()
        await expect(bell.button("notifications.read_all")).to_have_count(0)

    async def test_says_decisions_in_its_readers_language(self, bell: Bell, maja: Person):
        await bell.choose_language("pl")
        await is_told(maja, kind=Kind.POST_HIDDEN)
        await bell.itself.click()
        words = bell.says["forum.desk.reasons.spam"]
        await expect(bell.told).to_contain_text(f"Powód: {words} Third time.")

    async def test_shows_markup_as_words(self, bell: Bell, maja: Person):
        await is_told(maja, MARKUP)
        await bell.itself.click()
        await expect(bell.told).to_contain_text(f"Linnea replied to “{MARKUP}”")
        await expect(bell.told.locator("img, b")).to_have_count(0)

    async def test_is_worked_by_keys_alone(self, bell: Bell, maja: Person):
        async with within(FRESH, bell.ringing(1)):
            await is_told(maja)
        await bell.rings(1)
        await bell.itself.focus()
        await bell.page.keyboard.press("Enter")
        await expect(bell.told).to_have_count(1)
        await bell.page.keyboard.press("Tab")
        await expect(bell.button("notifications.read_all")).to_be_focused()
        await bell.page.keyboard.press("Tab")
        await expect(bell.told.get_by_role("link")).to_be_focused()
        await bell.page.keyboard.press("Escape")
        await expect(bell.panel).to_be_hidden()
        await expect(bell.itself).to_be_focused()


class TestHowLongAgoItWas:
    @pytest.fixture
    async def open_bell(self, come: Come, maja: Person) -> tuple[Bell, Wire]:
        """A page whose clock the test moves on, that was told something just now."""
        one = await come()
        wire = await Wire.of(one)
        await one.page.clock.install()
        await one.comes_with(maja.session)
        bell = Bell(await one.open("/"))
        await bell.is_silent()
        async with within(FRESH, bell.ringing(1)):
            await is_told(maja)
        await bell.rings(1)
        await bell.itself.click()
        await expect(bell.told).to_contain_text("now")
        return bell, wire

    async def test_is_written_again_while_nothing_else_changes(self, open_bell: tuple[Bell, Wire]):
        bell, wire = open_bell
        await wire.time_passes(bell.page, minutes=2)
        await expect(bell.told).to_contain_text("2 minutes ago")

    async def test_is_up_to_date_when_the_tab_is_seen_again(self, open_bell: tuple[Bell, Wire]):
        bell, wire = open_bell
        await bell.hide(is_hidden=True)
        await wire.time_passes(bell.page, minutes=2)
        await expect(bell.told).to_contain_text("now")
        await bell.hide(is_hidden=False)
        await expect(bell.told).to_contain_text("2 minutes ago")


class TestTheSettings:
    async def test_keep_each_switch_at_once(self, come: Come, maja: Person):
        one = await come()
        await one.comes_with(maja.session)
        screen = Screen(await one.open("/settings"))
        replies = screen.page.get_by_role(
            "switch", name=screen.says["notifications.topics.replies"]
        )
        await expect(replies).not_to_be_checked()
        await replies.click()
        await screen.sees_toast(screen.says["settings.saved_title"])
        await screen.page.reload()
        await expect(replies).to_be_checked()

    async def test_of_a_company_leave_out_achievements(self, come: Come, a_person: MakePerson):
        one = await come()
        await one.comes_with((await a_person(Role.COMPANY)).session)
        screen = Screen(await one.open("/settings"))
        await expect(screen.page.get_by_role("switch")).to_have_count(3)
        await expect(Bell(screen.page).itself).to_be_visible()

    async def test_are_not_there_for_admins_who_have_no_bell(
        self, come: Come, a_person: MakePerson
    ):
        one = await come()
        one.bears("status of 404")
        await one.comes_with((await a_person(Role.ADMIN)).session)
        page = await one.open("/settings")
        await expect(page.get_by_text(Screen(page).says["not_found.text"])).to_be_visible()
        await one.open("/")
        await expect(Bell(page).button("frame.log_out").first).to_be_visible()
        await expect(Bell(page).itself).to_have_count(0)


async def test_axe_finds_nothing_at_the_bell_and_in_the_settings(come: Come, maja: Person):
    visitor = await one_following_the_system(come, viewport=PHONE)
    await visitor.comes_with(maja.session)
    await is_told(maja)
    await is_told(maja, "Another one", Kind.POST_HIDDEN)
    bell = Bell(await visitor.open("/settings"))
    await expect(bell.page.get_by_role("switch")).to_have_count(4)
    await has_no_violations(bell.page, DESK, PHONE)
    await bell.itself.click()
    await expect(bell.told).to_have_count(2)
    await has_no_violations(bell.page, DESK, PHONE)
