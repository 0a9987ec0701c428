"""Where admins land they see what waits for them; it follows them, as new alerts do, everywhere."""

import re
from collections.abc import Iterator

import psycopg
import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Kind
from rewards_app.features.support import service as support
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import LANGUAGES, is_no_wider_than_its_window
from tests.conftest import SCRATCH
from tests.serving import Served, seeded, serving

SETTLED = (
    "update ads set status = 'rejected' where status = 'pending_review'",
    "update advertisers set status = 'approved' where status = 'pending'",
    "update security_alerts set resolved = true where not resolved",
    "update support_tickets set status = 'closed' where status = 'open'",
    "update forum_reports set settled_at = now() where settled_at is null",
)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """An app in which nothing waits but what a test makes wait."""
    with serving(seeded(SCRATCH / "nothing-waits")) as running:
        yield running


@pytest.fixture(autouse=True)
def nothing_waits(served: Served) -> None:
    with psycopg.connect(served.database, autocommit=True) as connection:
        for settling in SETTLED:
            connection.execute(settling)


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


class Overview(Screen):
    async def open(self, path: str = "/") -> None:
        await self.page.goto(path)
        await expect(self.main).to_have_attribute("aria-busy", "false")

    def kind(self, key: str) -> Locator:
        return self.main.get_by_role("link").filter(has_text=self.says[f"admin.waits.{key}"])

    @property
    def way_to_the_panel(self) -> Locator:
        """In the navigation, or in the bar where that is folded away."""
        ways = self.page.locator("a[href='/admin']").filter(visible=True)
        return ways.filter(has_text=self.says["nav.admin"])

    async def counts(self, number: int) -> None:
        form = "one" if number == 1 else "other"
        words = self.says[f"admin.tabs_waiting_{form}"].replace("{{shown}}", str(number))
        await expect(self.way_to_the_panel).to_have_accessible_name(re.compile(f"Admin.*{words}"))


async def at_home(visitor: Visitor, admin: Person, path: str = "/") -> Overview:
    await visitor.comes_with(admin.session)
    overview = Overview(visitor.page)
    await overview.open(path)
    return overview


async def is_raised() -> None:
    """Another one each time: the same again would be no news."""
    about, entry = str(new_id()), 7
    async with transaction() as session:
        await alerts.raise_alert(
            session, Kind.AUDIT_BROKEN, now=utc_now(), about=about, entry=entry
        )


async def is_asked(person: Person) -> None:
    async with transaction() as session:
        await support.open_ticket(
            session, person.account_id, "Ads", "Two were not counted.", now=utc_now()
        )
    await live.tell_now()


class TestTheOverview:
    async def test_says_calmly_that_nothing_waits(self, come: Come, linnea: Person):
        overview = await at_home(await come(viewport=DESK), linnea)
        await expect(overview.text(overview.says["admin.waits.nothing"])).to_be_visible()
        await expect(overview.main.get_by_role("link", name=re.compile(r"^\d"))).to_have_count(0)
        await expect(overview.way_to_the_panel).to_have_accessible_name("Admin")

    async def test_shows_what_comes_at_once_and_leads_to_where_it_is_decided(
        self, come: Come, linnea: Person, maja: Person
    ):
        overview = await at_home(await come(viewport=DESK), linnea)
        await expect(overview.text(overview.says["admin.waits.nothing"])).to_be_visible()
        await is_asked(maja)
        await expect(overview.kind("support")).to_contain_text("1")
        await overview.counts(1)
        await is_raised()
        await overview.sees_toast("New Security Alert", "CRITICAL: The audit log is broken")
        await overview.counts(2)
        await overview.kind("security").click()
        await expect(overview.page).to_have_url(re.compile(r"/admin\?tab=security$"))
        await overview.main.get_by_role("listitem").get_by_role("button").first.click()
        await overview.sees_toast("Alert resolved successfully")
        await overview.counts(1)

    async def test_is_used_by_keyboard(self, come: Come, linnea: Person, maja: Person):
        await is_asked(maja)
        overview = await at_home(await come(viewport=DESK), linnea)
        await tab_to(overview.page, overview.kind("support"), at_most=40)
        await overview.page.keyboard.press("Enter")
        await expect(overview.page).to_have_url(re.compile(r"/admin\?tab=support$"))


class TestOnAnyPage:
    @pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
    async def test_a_new_alert_is_told_once_and_counted(
        self, come: Come, linnea: Person, viewport: dict[str, int]
    ):
        visitor = await come(viewport=viewport)
        overview = await at_home(visitor, linnea, "/campaigns")
        await expect(overview.heading("campaigns.title")).to_be_visible()
        await is_raised()
        await overview.sees_toast("New Security Alert", "CRITICAL: The audit log is broken")
        await overview.counts(1)
        await expect(overview.toast).to_have_count(0, timeout=20_000)
        await overview.way_to_the_panel.click()
        await overview.is_at("/admin")
        await expect(overview.heading("admin.title")).to_be_visible()
        await expect(overview.toast).to_have_count(0)

    async def test_a_player_is_told_nothing(self, come: Come, maja: Person):
        visitor = await come(viewport=DESK)
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/"))
        await expect(screen.main).to_have_attribute("aria-busy", "false")
        await is_raised()
        await screen.page.wait_for_timeout(2500)
        await expect(screen.toast).to_have_count(0)


class TestTabsWithNothing:
    @pytest.mark.parametrize(
        ("tab", "says", "words"),
        [
            ("advertisers", "admin.advertisers.none_pending", "No pending applications"),
            ("fraud", "admin.fraud.none", "No fraud detections recorded yet"),
            (
                "security",
                "admin.security.none",
                "No security alerts. System is operating normally.",
            ),
        ],
    )
    async def test_say_so_in_the_specifications_words(
        self, come: Come, linnea: Person, tab: str, says: str, words: str
    ):
        panel = await at_home(await come(viewport=DESK), linnea, f"/admin?tab={tab}")
        await expect(panel.main.get_by_role("heading", name=words, exact=True)).to_be_visible()
        assert panel.says[says] == words

    async def test_have_no_processed_applications_while_all_of_them_wait(
        self, come: Come, linnea: Person, served: Served
    ):
        panel = await at_home(await come(viewport=DESK), linnea, "/admin?tab=advertisers")
        processed = panel.main.get_by_text("No processed applications yet", exact=True)
        await expect(panel.main.get_by_text("No pending applications")).to_be_visible()
        await expect(processed).to_have_count(0)
        with psycopg.connect(served.database, autocommit=True) as connection:
            connection.execute("update advertisers set status = 'pending'")
        await panel.open("/admin?tab=advertisers")
        await expect(processed).to_be_visible()
        await expect(panel.main.get_by_text("No pending applications")).to_have_count(0)


class TestEverybody:
    async def test_can_use_it(self, come: Come, linnea: Person, maja: Person):
        await is_asked(maja)
        await is_raised()
        visitor = await one_following_the_system(come, viewport=PHONE)
        overview = await at_home(visitor, linnea)
        await expect(overview.kind("security")).to_be_visible()
        await has_no_violations(overview.page, DESK, PHONE)

    async def test_sees_nothing_that_is_wider_than_a_small_phone(
        self, come: Come, linnea: Person, maja: Person
    ):
        await is_asked(maja)
        visitor = await come(viewport={"width": 360, "height": 780})
        overview = await at_home(visitor, linnea)
        async for language in overview.in_each_of(LANGUAGES):
            await expect(overview.kind("support")).to_be_visible()
            assert await is_no_wider_than_its_window(overview.page), language
