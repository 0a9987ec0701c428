"""A company watches its figures grow: live, in a chart, by keyboard, and in a file that adds up."""

import csv
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.async_api import Locator, Route, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.ads.days import platform_day
from rewards_app.models import Ad, AdvertiserMember
from tests.ads import a_campaign, an_advertiser, serve_what_can_be
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, shown, within
from tests.browser.pages import Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.watching import a_film, at_the_ads
from tests.figures import came_of

A_DAY = timedelta(days=1)


class Analytics(Screen):
    """The figures of one period."""

    async def open(self, path: str = "/analytics") -> None:
        await self.page.goto(path)
        await expect(self.metric("impressions")).to_be_visible()

    def metric(self, name: str) -> Locator:
        """The number under a label."""
        label = self.main.get_by_role("term").filter(
            has_text=exactly(self.says[f"analytics.{name}"])
        )
        return label.locator("xpath=..").get_by_role("definition").first

    def change(self, name: str) -> Locator:
        return self.metric(name).locator("xpath=..").get_by_role("definition").nth(1)

    @property
    def chart(self) -> Locator:
        return self.main.locator(".chart svg.recharts-surface").first

    @property
    def tip(self) -> Locator:
        return self.main.locator(".recharts-tooltip-wrapper")

    @property
    def best_ads(self) -> Locator:
        name = self.says["analytics.best_ads"]
        return self.page.get_by_role("table", name=name).locator("tbody tr")

    def period(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=self.says[f"analytics.periods_long.{name}"])

    async def exported(self, folder: Path) -> list[dict[str, str]]:
        async with self.page.expect_download() as started:
            await self.link("analytics.export").click()
        download = await started.value
        assert download.suggested_filename.startswith("watchcoins-")
        await download.save_as(folder / "figures.csv")
        text = (folder / "figures.csv").read_text("utf-8-sig")
        return list(csv.DictReader(text.splitlines()))


def exactly(words: str) -> re.Pattern[str]:
    return re.compile(rf"^{re.escape(words)}$")


@dataclass
class Company:
    name: str
    owner: Person
    film: Ad
    yesterday: date
    """When its figures were made: a midnight may pass meanwhile."""


@pytest.fixture
async def fjord(a_person: MakePerson) -> AsyncIterator[Company]:
    """An approved company whose one ad has a past; a view costs two and a half cents."""
    astrid = await a_person(Role.COMPANY, name="Astrid")
    company = await an_advertiser("Fjord Audio")
    async with transaction() as session:
        session.add(
            AdvertiserMember(account_id=astrid.account_id, advertiser_id=company.id, role="owner")
        )
    film = await a_film(campaign=await a_campaign(company, name="Autumn", budget_cents=2500))
    today = platform_day(utc_now())
    for ago, views in ((1, 4), (5, 6), (33, 5)):
        await came_of(film, today - ago * A_DAY, impressions=views, completions=2, clicks=1)
    await serve_what_can_be(now=utc_now())
    yield Company("Fjord Audio", astrid, film, today - A_DAY)
    async with transaction() as session:
        film.status = "paused"
        await session.merge(film)
    await serve_what_can_be(now=utc_now())


async def at_the_analytics(visitor: Visitor, person: Person) -> Analytics:
    await visitor.comes_with(person.session)
    analytics = Analytics(visitor.page)
    await analytics.open()
    return analytics


class TestACompany:
    async def test_sees_a_players_view_arrive_and_takes_the_same_figures_along(
        self, come: Come, fjord: Company, maja: Person, tmp_path: Path
    ):
        analytics = await at_the_analytics(await come(viewport=DESK), fjord.owner)
        await expect(analytics.metric("impressions")).to_have_text("10")
        await expect(analytics.metric("completions")).to_have_text("4")
        await expect(analytics.metric("ctr")).to_have_text("20.00%")
        await expect(analytics.metric("spend")).to_have_text("$0.10")
        await expect(analytics.change("impressions")).to_have_text("+100%from 5")
        await expect(analytics.change("ctr")).to_have_text("Unchanged")

        watch = await at_the_ads(await come(), maja)
        figures = {"completions": "5", "spend": "$0.13"}
        seen = [shown(analytics.metric(name), figure) for name, figure in figures.items()]
        async with within(FRESH, *seen):
            async with within(FRESH, shown(analytics.metric("impressions"), "11")):
                await watch.start(fjord.film.title)
            await watch.is_rewarded()
        await expect(analytics.best_ads).to_have_count(1)
        await expect(analytics.best_ads).to_contain_text(fjord.film.title)

        rows = await analytics.exported(tmp_path)
        assert sum(int(row["impressions"]) for row in rows) == 11
        assert sum(int(row["completed_views"]) for row in rows) == 5
        assert sum(int(row["clicks"]) for row in rows) == 2
        assert sum(Decimal(row["spend_usd"]) for row in rows) == Decimal("0.125")
        assert {row["ad"] for row in rows} == {fjord.film.title}

    async def test_chooses_its_period_in_the_address(self, come: Come, fjord: Company):
        analytics = await at_the_analytics(await come(), fjord.owner)
        await analytics.period("3m").click()
        await expect(analytics.metric("impressions")).to_have_text("15")
        await expect(analytics.page).to_have_url(re.compile(r"/analytics/?\?period=3m$"))
        await expect(analytics.period("3m")).to_have_attribute("aria-current", "true")
        await analytics.page.reload()
        await expect(analytics.metric("impressions")).to_have_text("15")
        await expect(analytics.change("impressions")).to_have_text("New: nothing before")
        await analytics.page.go_back()
        await expect(analytics.metric("impressions")).to_have_text("10")

    async def test_reads_each_day_by_keyboard_and_as_a_table(self, come: Come, fjord: Company):
        analytics = await at_the_analytics(await come(), fjord.owner)
        await analytics.chart.focus()
        await analytics.page.keyboard.press("End")
        await analytics.page.keyboard.press("ArrowRight")
        await expect(analytics.tip).to_contain_text("Impressions")
        await analytics.button("analytics.switch_spend").click()
        await expect(analytics.heading("analytics.chart_spend")).to_be_visible()
        await analytics.page.get_by_text(analytics.says["analytics.as_table"]).click()
        table = analytics.page.get_by_role("table", name=analytics.says["analytics.table"])
        await expect(table.locator("tbody tr")).to_have_count(30)
        yesterday = f"{fjord.yesterday:%b} {fjord.yesterday.day}, {fjord.yesterday.year}"
        days = await table.get_by_role("rowheader").all_inner_texts()
        assert days.index(yesterday) in (1, 2)
        own = table.locator("tbody tr").filter(has_text=yesterday)
        await expect(own).to_contain_text("$0.05")

    async def test_loses_neither_page_nor_chart_where_a_part_of_it_does_not_come(
        self, come: Come, fjord: Company
    ):
        visitor = await come()
        visitor.bears("ERR_FAILED")
        failed: list[str] = []

        async def fails(route: Route) -> None:
            failed.append(route.request.url)
            await route.abort()

        await visitor.page.route("**/assets/chart_lines-*.js", fails, times=1)
        analytics = await at_the_analytics(visitor, fjord.owner)
        await expect(analytics.chart).to_be_visible()
        await expect(analytics.metric("impressions")).to_have_text("10")
        assert len(failed) == 1

    async def test_finds_the_same_in_its_dashboard(self, come: Come, fjord: Company):
        visitor = await come()
        await visitor.comes_with(fjord.owner.session)
        analytics = Analytics(visitor.page)
        await analytics.open("/advertiser?tab=analytics&period=7d")
        await expect(analytics.metric("impressions")).to_have_text("10")
        await expect(analytics.period("7d")).to_have_attribute("aria-current", "true")
        await analytics.period("3m").click()
        await expect(analytics.metric("impressions")).to_have_text("15")
        await expect(visitor.page).to_have_url(re.compile(r"tab=analytics&period=3m$"))

    async def test_has_an_overview_that_follows(self, come: Come, fjord: Company):
        visitor = await come()
        await visitor.comes_with(fjord.owner.session)
        await visitor.page.goto("/advertiser?tab=overview")
        screen = Analytics(visitor.page)
        await expect(screen.text("Below average performance")).to_have_count(0)
        await expect(screen.text("Above average performance")).to_be_visible()
        await expect(screen.text("Moderate user interaction")).to_be_visible()
        await expect(screen.text("started, 6 of them completed")).to_be_visible()
        await came_of(fjord.film, platform_day(utc_now()), impressions=20, completions=20)
        # Whoever watches announces it; here nobody did.
        await visitor.page.reload()
        await expect(screen.text("started, 26 of them completed")).to_be_visible()
        await expect(screen.text("Strong user interaction")).to_have_count(0)

    async def test_without_campaigns_is_told_what_will_be_here(
        self, come: Come, a_person: MakePerson
    ):
        person = await a_person(Role.COMPANY, name="Nora")
        company = await an_advertiser("New Audio")
        async with transaction() as session:
            session.add(AdvertiserMember(account_id=person.account_id, advertiser_id=company.id))
        visitor = await come()
        await visitor.comes_with(person.session)
        await visitor.page.goto("/analytics")
        screen = Screen(visitor.page)
        await expect(screen.heading("analytics.none")).to_be_visible()
        await expect(screen.link("analytics.new_campaign")).to_have_attribute(
            "href", "/advertiser?tab=campaigns&dialog=new"
        )
        await screen.link("analytics.new_campaign").click()
        await expect(screen.page.locator("#new-campaign")).to_be_visible()

    async def test_reads_how_well_it_goes(self, come: Come, fjord: Company):
        """Its shares are 6 of 15, then 6 of 79, then 306 of 379."""
        visitor = await come()
        await visitor.comes_with(fjord.owner.session)
        overview = Screen(visitor.page)
        up, down = "svg.lucide-trending-up", "svg.lucide-trending-down"

        async def reads(share: str, verdict: str, *arrows: str) -> None:
            said = overview.main.get_by_text(verdict, exact=True)
            await expect(said.locator("xpath=../..")).to_contain_text(share)
            for arrow in (up, down):
                await expect(said.locator(arrow)).to_have_count(int(arrow in arrows))

        await visitor.page.goto("/advertiser?tab=overview")
        await reads("40.0%", "Above average performance", up)
        await reads("40.0%", "Moderate user interaction")
        today = platform_day(utc_now())
        await came_of(fjord.film, today, impressions=64)
        await visitor.page.reload()
        await reads("7.6%", "Below average performance", down)
        await came_of(fjord.film, today - A_DAY, impressions=300, completions=300)
        await visitor.page.reload()
        await reads("80.7%", "Strong user interaction", up)

    async def test_that_is_not_approved_is_led_to_its_application(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await come()
        await visitor.comes_with((await a_person(Role.COMPANY, name="Nora")).session)
        await visitor.page.goto("/analytics")
        screen = Screen(visitor.page)
        await expect(screen.heading("analytics.closed")).to_be_visible()
        await expect(screen.link("analytics.export")).to_have_count(0)


class TestAnAdmin:
    async def test_sees_everybodys_figures_with_their_names(
        self, come: Come, a_person: MakePerson, fjord: Company, tmp_path: Path
    ):
        analytics = await at_the_analytics(await come(), await a_person(Role.ADMIN, name="Linnea"))
        shown = int((await analytics.metric("impressions").inner_text()).replace(",", ""))
        rows = await analytics.exported(tmp_path)
        assert sum(int(row["impressions"]) for row in rows) == shown >= 10
        assert "Fjord Audio" in {row["company"] for row in rows}
        await expect(analytics.best_ads.first).to_contain_text(" · ")

    async def test_has_all_companies_together_at_home(
        self, come: Come, a_person: MakePerson, fjord: Company
    ):
        visitor = await come()
        await visitor.comes_with((await a_person(Role.ADMIN, name="Linnea")).session)
        screen = Screen(await visitor.open("/"))
        await expect(screen.heading("overview.advertising")).to_be_visible()
        await expect(screen.text(screen.says["advertiser.overview.revenue"])).to_be_visible()
        await expect(screen.text("Fjord Audio").first).to_be_visible()


class TestEverybodyElse:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR])
    async def test_finds_no_such_page(self, come: Come, a_person: MakePerson, role: Role):
        visitor = await come()
        visitor.bears("status of 404")
        await visitor.comes_with((await a_person(role)).session)
        screen = Screen(await visitor.open("/analytics"))
        await expect(screen.text(screen.says["not_found.text"])).to_be_visible()


class TestAxe:
    async def test_finds_nothing_on_the_figures(self, come: Come, fjord: Company):
        visitor = await one_following_the_system(come, viewport=PHONE)
        analytics = await at_the_analytics(visitor, fjord.owner)
        await expect(analytics.chart).to_be_visible()
        await analytics.page.get_by_text(analytics.says["analytics.as_table"]).click()
        await has_no_violations(analytics.page, DESK, PHONE)
        await visitor.page.goto("/advertiser?tab=overview")
        overview = Screen(visitor.page)
        await expect(overview.heading("advertiser.overview.insights")).to_be_visible()
        await has_no_violations(visitor.page, DESK, PHONE)
