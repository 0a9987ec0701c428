"""Admins look at the economy, at the system's health and at who waits; the figures are live."""

import asyncio
import csv
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from playwright.async_api import Locator, Page, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from rewards_app.core.postgres import embedded
from rewards_app.features.ads.days import platform_day
from rewards_app.features.health import rules
from rewards_app.features.health import service as health
from rewards_app.features.health.figures import AT_MOST_EVERY_SECONDS
from tests.ads import a_campaign, an_ad, were_watched
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_failing_pages import rename
from tests.browser.test_layout import LANGUAGES, is_no_wider_than_its_window
from tests.serving import Served
from tests.waitlist import people_wait, somebody_waits

PATHS = ("/admin?tab=economy", "/admin?tab=health", "/admin/waitlist")
TOOK = re.compile(r"([\d.,]+)\sms")


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


class Panel(Screen):
    def figure(self, key: str) -> Locator:
        """A key figure with what stands below it."""
        label = self.page.get_by_role("term").filter(has_text=re.compile(f"^{self.says[key]}$"))
        return self.page.locator("dl > div").filter(has=label)

    async def asks_again(self) -> None:
        """As it does by itself each half minute, once what was measured is believed no more."""
        await self.page.wait_for_timeout(1000 * AT_MOST_EVERY_SECONDS + 200)
        for hidden in (True, False):
            await self.hide(is_hidden=hidden)


@asynccontextmanager
async def without_samples() -> AsyncGenerator[None]:
    """The database answers, but not what is measured of it."""
    await rename("health_samples", "health_samples_away")
    try:
        yield
    finally:
        await rename("health_samples_away", "health_samples")


async def at(visitor: Visitor, admin: Person, path: str) -> Panel:
    await visitor.comes_with(admin.session)
    panel = Panel(await visitor.open(path))
    await is_there(panel.page, path)
    return panel


async def is_there(page: Page, path: str) -> None:
    sign = {
        PATHS[0]: page.get_by_text(re.compile("^REWARD_FUNDING=")),
        PATHS[1]: page.locator("figure").first,
        PATHS[2]: page.get_by_role("table"),
    }[path.split("&")[0]]
    if "?" in path:
        # A tab that was open before may be seen until it is known which one is.
        current = page.locator(f'a[aria-current="page"][href="{path.split("&")[0]}"]')
        await expect(current).to_be_visible()
    await expect(sign).to_be_visible()


async def a_poor_ad(title: str = "Hear the fjord") -> None:
    """Its company pays a seventh of what its players get: no other ad here is as poor."""
    ad = await an_ad(await a_campaign(budget_cents=71_250), title=title, reward_coins=50)
    today = platform_day(utc_now())
    for ago in (0, 1, 3, 40):
        await were_watched(ad, 100, price=71_250, day=today - timedelta(days=ago))


async def a_day_of_samples() -> None:
    now = utc_now()
    for ago in range(0, 24 * 60, 9):
        if not 300 < ago < 400:
            await health.sample(now=now - timedelta(minutes=ago))


async def told_by(panel: Panel) -> list[str]:
    """The ad spend and the margin, wherever they stand."""
    return [
        await panel.figure(key).locator("dd").first.inner_text()
        for key in ("economy.spend", "economy.margin_ore")
    ]


class TestTheEconomy:
    async def test_is_understood_from_the_screen(self, come: Come, linnea: Person):
        title = f"=Fjord {new_id().hex[-6:]}"
        await a_poor_ad(title)
        panel = await at(await come(), linnea, PATHS[0])
        await expect(panel.figure("economy.margin_ore")).to_contain_text("kr")
        await expect(panel.main).to_contain_text("warn")
        await panel.page.get_by_role("link", name="The last 7 days").click()
        await expect(panel.page).to_have_url(re.compile("period=7d"))
        await expect(panel.page.get_by_role("link", name="The last 7 days")).to_have_attribute(
            "aria-current", "true"
        )
        await panel.page.locator("figure summary").click()
        table = panel.page.locator("figure table")
        await expect(table.locator("tbody tr")).to_have_count(7)
        row = panel.page.get_by_role("row").filter(has_text=title)
        # The gaps of a period are counted once a minute, and somebody else may just have asked for
        # those of this one.
        async with asyncio.timeout(80):
            while not await row.count():
                await asyncio.sleep(5)
                await panel.page.reload()
                await is_there(panel.page, PATHS[0])
        await expect(row).to_contain_text("12,750\u00a0kr")

    async def test_is_told_on_the_overview_with_the_way_to_all_of_it(
        self, come: Come, linnea: Person
    ):
        await a_poor_ad()
        visitor = await come()
        await visitor.comes_with(linnea.session)
        home = Panel(await visitor.open("/"))
        for key in ("economy.outstanding", "economy.worth", "economy.spend", "economy.margin_ore"):
            await expect(home.figure(key)).to_contain_text(re.compile(r"\d"))
        await expect(home.figure("economy.worth")).to_contain_text("kr")
        await expect(home.figure("economy.spend")).to_contain_text("$")
        await expect(home.figure("economy.margin_ore")).to_contain_text("The last 30 days")
        on_the_overview = await told_by(home)
        await home.link("overview.all_figures").click()
        await is_there(home.page, PATHS[0])
        # Each is counted once in ten seconds, and what is seen first may be from before.
        async with asyncio.timeout(60):
            while await told_by(home) != on_the_overview:
                await visitor.open("/")
                on_the_overview = await told_by(home)
                await home.link("overview.all_figures").click()
                await is_there(home.page, PATHS[0])

    async def test_is_reached_and_read_by_keyboard(self, come: Come, linnea: Person):
        await a_poor_ad()
        panel = await at(await come(), linnea, PATHS[0])
        await tab_to(panel.page, panel.page.get_by_role("link", name="The last 90 days"))
        await panel.page.keyboard.press("Enter")
        await expect(panel.page).to_have_url(re.compile("period=90d"))


@pytest.fixture
def one_run_failed(served: Served) -> Iterator[None]:
    """And another one did not; whoever looks after this test finds none that failed."""
    with psycopg.connect(embedded.url_of_running(served.data), autocommit=True) as connection:
        connection.execute(
            "insert into job_runs (id, job, started_at, ended_at, error, did)"
            " values (%s, 'shop.check_orders', now(), now(), 'KeyError', '{}'),"
            " (%s, 'coins.check_ledger', now(), now() + interval '2 seconds', '',"
            " '{\"checked\": 1234}')",
            (new_id(), new_id()),
        )
        yield
        connection.execute("delete from job_runs where error = 'KeyError'")


class TestHealth:
    async def test_shows_what_answers_and_the_last_day(
        self, come: Come, linnea: Person, beside: None
    ):
        await a_day_of_samples()
        panel = await at(await come(), linnea, PATHS[1])
        database = panel.figure("health.database")
        await expect(database).to_contain_text(TOOK)
        took = TOOK.search(said := await database.inner_text())
        assert took
        level = rules.database_level(round(1000 * float(took[1].replace(",", ""))))
        assert panel.says[f"health.levels.{level}"] in said
        await expect(panel.figure("health.uptime")).to_contain_text("%")
        await expect(panel.page.locator("figure")).to_have_count(4)
        await expect(panel.page.locator("figure svg").first).to_be_visible()

    async def test_that_cannot_be_measured_is_an_error_with_zeros_until_it_can_be(
        self, come: Come, linnea: Person, beside: None
    ):
        await a_day_of_samples()
        panel = await at(await come(), linnea, PATHS[1])
        await expect(panel.figure("health.database")).to_contain_text(TOOK)
        await expect(panel.figure("health.uptime")).not_to_contain_text(re.compile(r"\b0%"))
        async with without_samples():
            await panel.asks_again()
            zeros = {"database": "Error", "uptime": "0%", "online": "0", "views_today": "0"}
            for name, shown in zeros.items():
                figure = panel.figure(f"health.{name}")
                await expect(figure).to_have_text(f"{panel.says[f'health.{name}']}{shown}")
            await expect(panel.main).to_contain_text("Failed to load health stats")
            await expect(panel.text(panel.says["health.asks_again"])).to_be_visible()
        await panel.asks_again()
        await expect(panel.figure("health.database")).to_contain_text(TOOK)
        await expect(panel.main).not_to_contain_text("Failed to load health stats")

    async def test_shows_what_runs_by_itself_and_what_fails(
        self, come: Come, linnea: Person, beside: None, one_run_failed: None
    ):
        panel = await at(await come(), linnea, PATHS[1])
        schedule = panel.page.get_by_role("table", name=panel.says["schedule.title"])
        row = schedule.get_by_role("row")
        # What was measured is believed for a while, and whoever looked before this has measured.
        async with asyncio.timeout(3 * AT_MOST_EVERY_SECONDS):
            while not await row.filter(has_text="KeyError").count():
                await asyncio.sleep(1)
                await panel.page.reload()
                await is_there(panel.page, PATHS[1])
        fine = row.filter(has_text=panel.says["schedule.jobs.coins.check_ledger"])
        await expect(fine).to_contain_text("Every day")
        await expect(fine).to_contain_text(panel.says["schedule.states.fine"])
        await expect(fine).to_contain_text("2,000 ms")
        await expect(fine).to_contain_text("Checked: 1,234")
        # What needs a look comes first, below the heading.
        broken = row.filter(has_text=panel.says["schedule.jobs.shop.check_orders"])
        await expect(broken).to_contain_text(panel.says["schedule.states.failed"])
        await expect(broken).to_contain_text("KeyError")
        await expect(row.nth(1)).to_contain_text(panel.says["schedule.states.failed"])

    async def test_asks_every_half_minute_while_somebody_looks(
        self, come: Come, linnea: Person, served: Served
    ):
        visitor = await come()
        await visitor.context.add_init_script(_COUNTING_POLLS)
        panel = await at(visitor, linnea, PATHS[1])
        await expect(panel.figure("health.database")).to_contain_text(TOOK)
        told: Callable[[], Awaitable[list[int]]] = lambda: panel.page.evaluate("window.__polls")  # noqa: E731
        assert 30_000 in await told()
        # Behind another tab nothing runs; when it comes back it asks at once.
        running = await panel.page.evaluate("window.__running")
        await panel.page.evaluate(_HIDE.replace("STATE", "hidden"))
        assert await panel.page.evaluate("window.__running") == running - 1
        with psycopg.connect(embedded.url_of_running(served.data)) as connection:
            connection.execute(
                "insert into procrastinate_jobs (queue_name, task_name, status)"
                " values ('nobody', %s, 'failed')",
                (f"test-{new_id()}",),
            )
        failed = panel.page.locator("dl > div").filter(
            has=panel.page.get_by_role("term").filter(has_text=panel.says["health.jobs_failed"])
        )
        before = await failed.inner_text()
        await panel.page.wait_for_timeout(5_200)
        await panel.page.evaluate(_HIDE.replace("STATE", "visible"))
        await expect(failed).not_to_have_text(before)
        assert await panel.page.evaluate("window.__running") == running


_COUNTING_POLLS = """
window.__polls = []; window.__live = new Set();
Object.defineProperty(window, "__running", { get: () => window.__live.size });
const set = window.setInterval, clear = window.clearInterval;
window.setInterval = (run, every, ...rest) => {
  const timer = set(run, every, ...rest);
  window.__polls.push(every);
  if (every === 30000) window.__live.add(timer);
  return timer;
};
window.clearInterval = (timer) => { window.__live.delete(timer); clear(timer); };
"""
_HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "STATE", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def many_wait(served: Served) -> Iterator[None]:
    """More than a thousand who are to be told, and as many who have not confirmed."""
    waiting = """insert into waitlist (id, email, user_agent, notified, created_at, confirmed_at,
            stands_at)
        select gen_random_uuid(), 'many-' || n || '@example.com', '', false,
            now() - interval '2 days', confirmed, confirmed
        from generate_series(1, 2400) n,
            lateral (select case when n %% 2 = 0 then now() end as confirmed) as half"""
    with psycopg.connect(served.database, autocommit=True) as connection:
        connection.execute(waiting, ())
        yield
        connection.execute("delete from waitlist where email like 'many-%'")


class TestTheWaitlist:
    async def test_is_swedish_in_every_language_turned_and_taken_along(
        self, come: Come, linnea: Person, tmp_path: Path
    ):
        email = f"=waiting-{new_id().hex[-8:]}@example.com"
        await somebody_waits(email, at=utc_now())
        visitor = await come(stored={"language": "de"})
        panel = await at(visitor, linnea, PATHS[2])
        page = panel.page
        await expect(page.get_by_role("heading", name="Väntelista", level=1)).to_be_visible()
        row = page.get_by_role("row").filter(has_text=email)
        await row.get_by_role("button", name=f"Väntar: {email}").click()
        await panel.sees_toast("Status uppdaterad")
        await expect(row.get_by_role("button", name=f"Notifierad: {email}")).to_be_visible()
        today = platform_day(utc_now())
        async with page.expect_download() as taken:
            await page.get_by_role("link", name="Exportera CSV").click()
        download = await taken.value
        days = {today, platform_day(utc_now())}
        assert download.suggested_filename in {f"waitlist-{day}.csv" for day in days}
        file = tmp_path / "sheet.csv"
        await download.save_as(file)
        lines = list(csv.DictReader(file.read_text("utf-8-sig").splitlines()))
        assert {"Email": f"'{email}", "Notifierad": "Ja"}.items() <= next(
            line for line in lines if email in line["Email"]
        ).items()

    async def test_is_turned_by_keyboard_and_seen_by_another_admin_at_once(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        email = f"waiting-{new_id().hex[-8:]}@example.com"
        await somebody_waits(email, at=utc_now())
        first = await at(await come(), linnea, PATHS[2])
        other = await at(await come(), await a_person(Role.ADMIN, name="Sven"), PATHS[2])
        button = first.page.get_by_role("button", name=f"Väntar: {email}")
        await tab_to(first.page, button, at_most=60)
        await first.page.keyboard.press("Enter")
        await expect(other.page.get_by_role("button", name=f"Notifierad: {email}")).to_be_visible()

    async def test_finds_one_address_by_keyboard(self, come: Come, linnea: Person):
        email = f"sought-{new_id().hex[-8:]}@example.com"
        await somebody_waits(email, at=utc_now() - timedelta(days=400))
        await people_wait(30, at=utc_now())
        panel = await at(await come(), linnea, PATHS[2])
        page = panel.page
        found = page.locator("tbody tr")
        await expect(found).to_have_count(25)
        field = page.get_by_role("searchbox", name="E-post")
        await tab_to(page, field, at_most=60)
        await page.keyboard.type(email.upper()[:-8])
        await page.keyboard.press("Enter")
        await expect(found).to_have_count(1)
        await expect(found).to_contain_text(email)
        await field.fill("nobody-begins-so")
        await page.get_by_role("button", name="Sök", exact=True).click()
        await expect(page.get_by_role("heading", name="Ingen adress hittades")).to_be_visible()
        await page.get_by_role("button", name="Visa alla").click()
        await expect(found).to_have_count(25)
        await expect(field).to_have_value("")

    async def test_counts_and_closes_in_swedish_for_an_english_reader(
        self, come: Come, linnea: Person, many_wait: None
    ):
        panel = await at(await come(), linnea, PATHS[2])
        page = panel.page
        for words in ("Att meddela", "Obekräftade"):
            await expect(page.get_by_text(re.compile(rf"^{words}: 1\s\d{{3}}$"))).to_be_visible()
        await page.get_by_role("button", name="Skicka öppningsmejl").click()
        question = page.get_by_role("dialog")
        await expect(question).to_contain_text(re.compile(r"Mottagare: 1\s\d{3}\."))
        await question.get_by_role("button", name="Stäng", exact=True).click()
        await expect(question).to_be_hidden()

    async def test_is_reached_from_the_panel_and_goes_on_below(self, come: Come, linnea: Person):
        await people_wait(30, at=utc_now())
        visitor = await come()
        panel = await at(visitor, linnea, PATHS[1])
        await panel.link("admin.to_waitlist").click()
        await expect(panel.page.locator("tbody tr")).to_have_count(25)
        await panel.page.get_by_role("button", name="Visa fler").click()
        await expect(panel.page.locator("tbody tr").nth(29)).to_be_visible()

    async def test_is_nothing_for_a_player(self, come: Come, maja: Person):
        visitor = await come()
        visitor.bears("status of 404")
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open(PATHS[2]))
        await expect(screen.text(screen.says["not_found.text"])).to_be_visible()


@pytest.fixture
async def beside(a_person: MakePerson) -> None:
    """Our services work on the served app's database, as people are made there."""


class TestEverybody:
    @pytest.fixture(autouse=True)
    async def content(self, beside: None) -> None:
        await a_poor_ad("Ljudlandskap och annonseringsmöjligheter för alla")
        await a_day_of_samples()
        await people_wait(3, at=utc_now())

    async def test_axe_finds_nothing(self, come: Come, linnea: Person):
        visitor = await one_following_the_system(come, viewport=PHONE)
        for path in PATHS:
            panel = await at(visitor, linnea, path)
            await has_no_violations(panel.page, DESK, PHONE)

    async def test_nothing_is_wider_than_a_small_phone(self, come: Come, linnea: Person):
        visitor = await come(viewport={"width": 360, "height": 780})
        screen, named = Screen(visitor.page), set[str]()
        for path in PATHS:
            page = (await at(visitor, linnea, path)).page
            async for language in screen.in_each_of(LANGUAGES):
                where = f"{path} in {language}"
                assert await is_no_wider_than_its_window(page), where
                for name in await page.locator("figcaption > span:first-child").all():
                    box = await name.bounding_box()
                    assert box, where
                    assert box["width"] > 2 * box["height"], f"{where}: a name has room"
                    named.add(language)
        assert named == {*LANGUAGES}, "no chart has a name"
