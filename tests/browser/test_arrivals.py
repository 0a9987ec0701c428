"""A campaign in the address: counted for those who allow it, and remembered by their tab alone."""

import asyncio
import json
from uuid import uuid4

import psycopg
import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.core.postgres import embedded
from tests.browser.chromium import DESK, ONLY_NECESSARY, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, an_email
from tests.browser.pages import Auth, CookieBanner, Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.serving import Served

ALLOWED = '{"essential":true,"analytics":false,"marketing":true,"ipLogging":false}'
REMEMBERED = "sessionStorage.getItem('campaign')"
STEP_SECONDS, STEPS = 0.1, 100
CALM_SECONDS = 0.7
"""So long after a page is there, nothing more of it is counted."""


class Campaign:
    """One of its own for each test, and what the app has counted of it."""

    def __init__(self, served: Served) -> None:
        self.name = f"c{uuid4().hex[:12]}"
        self.query = f"utm_source=News&utm_medium=email&utm_campaign={self.name}"
        self.told = f"news/email/{self.name}"
        self._url = embedded.url_of_running(served.data)

    def counted(self) -> tuple[int, int]:
        with psycopg.connect(self._url) as connection:
            found = connection.execute(
                "select coalesce(sum(visits), 0)::int, coalesce(sum(sign_ups), 0)::int"
                " from arrival_days where campaign = %s",
                (self.name,),
            ).fetchone()
        assert found
        return found

    async def is_counted(self, visits: int, sign_ups: int = 0) -> None:
        for _ in range(STEPS):
            if self.counted() == (visits, sign_ups):
                break
            await asyncio.sleep(STEP_SECONDS)
        await asyncio.sleep(CALM_SECONDS)
        assert self.counted() == (visits, sign_ups)


@pytest.fixture
def campaign(served: Served) -> Campaign:
    return Campaign(served)


async def one_who_allows_it(come: Come, stored: str = ALLOWED) -> Visitor:
    return await come(stored={"cookie-consent": stored}, has_chosen_cookies=False)


async def signs_up(visitor: Visitor) -> None:
    screen = Auth(visitor.page)
    await screen.type_player_details()
    email = an_email("linnea")
    await screen.sign_up(email)
    await screen.is_sent_to(email)


class TestAVisit:
    async def test_is_counted_once_with_the_sign_up_that_follows(
        self, come: Come, campaign: Campaign
    ):
        visitor = await one_who_allows_it(come)
        await visitor.open(f"/landing?{campaign.query}")
        await campaign.is_counted(1)
        assert await visitor.page.evaluate(REMEMBERED) == campaign.told
        await visitor.page.reload()
        await visitor.open(f"/terms?{campaign.query}")
        await campaign.is_counted(1)

        await visitor.open("/auth?mode=signup&type=player")
        await signs_up(visitor)

        await campaign.is_counted(1, 1)
        kept = await visitor.page.evaluate("JSON.stringify([{...localStorage}, document.cookie])")
        assert campaign.name not in kept
        cookies = await visitor.context.cookies()
        assert campaign.name not in json.dumps(cookies)

    async def test_may_begin_at_the_sign_up_itself(self, come: Come, campaign: Campaign):
        visitor = await one_who_allows_it(come)
        await visitor.open(f"/auth?mode=signup&type=player&{campaign.query}")
        await campaign.is_counted(1)
        await signs_up(visitor)
        await campaign.is_counted(1, 1)

    async def test_is_told_to_a_provider_that_makes_the_account(
        self, come: Come, campaign: Campaign
    ):
        visitor = await one_who_allows_it(come)
        screen = Auth(await visitor.open(f"/auth?mode=signup&type=player&{campaign.query}"))
        wished = f"/oauth/oidc?language=en&type=player&addresses=no&led_by={campaign.told}"
        button = screen.page.get_by_role("link", name="GameID")
        await expect(button).to_have_attribute("href", wished)

    async def test_is_counted_when_it_is_allowed_on_the_page_that_it_came_to(
        self, come: Come, campaign: Campaign
    ):
        visitor = await come(has_chosen_cookies=False)
        banner = CookieBanner(await visitor.open(f"/landing?{campaign.query}"))
        await expect(banner.region).to_be_visible()
        await campaign.is_counted(0)
        assert await visitor.page.evaluate(REMEMBERED) is None

        await banner.button("consent.accept_all").click()

        await campaign.is_counted(1)
        assert await visitor.page.evaluate(REMEMBERED) == campaign.told

    async def test_by_what_is_no_campaign_is_not_told(self, come: Come):
        visitor = await one_who_allows_it(come)
        await visitor.open(
            "/landing?utm_source=%3Cscript%3E&utm_medium=maja%40example.com&utm_campaign="
            + "a" * 41
        )
        await asyncio.sleep(CALM_SECONDS)
        assert await visitor.page.evaluate(REMEMBERED) is None


class TestWithoutConsent:
    async def test_nothing_is_counted_and_nothing_remembered(self, come: Come, campaign: Campaign):
        visitor = await one_who_allows_it(come, ONLY_NECESSARY)
        await visitor.open(f"/auth?mode=signup&type=player&{campaign.query}")
        await signs_up(visitor)
        await campaign.is_counted(0)
        assert await visitor.page.evaluate(REMEMBERED) is None

    async def test_a_no_is_not_asked_again_when_it_becomes_a_yes(
        self, come: Come, campaign: Campaign
    ):
        visitor = await come(has_chosen_cookies=False)
        switches = CookieBanner(await visitor.open(f"/privacy?{campaign.query}"))
        await switches.button("consent.only_necessary").click()
        await switches.is_gone()
        await switches.switch("marketing").click()
        await switches.sees_toast("Cookie settings updated")
        await campaign.is_counted(0)
        assert await visitor.page.evaluate(REMEMBERED) is None


class TestWithdrawn:
    async def test_the_tab_forgets_at_once_and_no_sign_up_is_counted(
        self, come: Come, campaign: Campaign
    ):
        visitor = await one_who_allows_it(come)
        switches = CookieBanner(await visitor.open(f"/privacy?{campaign.query}"))
        await campaign.is_counted(1)

        await switches.switch("marketing").click()
        await switches.sees_toast("Cookie settings updated")

        assert await visitor.page.evaluate(REMEMBERED) is None
        await visitor.open("/auth?mode=signup&type=player")
        await signs_up(visitor)
        await campaign.is_counted(1)

    async def test_in_another_tab_it_is_forgotten_in_each(self, come: Come, campaign: Campaign):
        visitor = await one_who_allows_it(come)
        await visitor.open(f"/auth?mode=signup&type=player&{campaign.query}")
        await campaign.is_counted(1)
        other = await visitor.context.new_page()
        await other.goto("/robots.txt")
        await other.evaluate("kept => localStorage.setItem('cookie-consent', kept)", ONLY_NECESSARY)
        await other.close()
        await expect(visitor.page.locator("input[name=led_by]")).to_have_count(0)
        assert await visitor.page.evaluate(REMEMBERED) is None
        await signs_up(visitor)
        await campaign.is_counted(1)


class TestAdmins:
    async def economy(self, visitor: Visitor, make: MakePerson, language: str = "en") -> Screen:
        await visitor.comes_with((await make(Role.ADMIN)).session)
        screen = Screen(await visitor.open("/admin?tab=economy"), language)
        await expect(screen.heading("admin.arrivals.title")).to_be_visible()
        return screen

    async def test_see_visits_and_sign_ups_by_campaign(
        self, come: Come, a_person: MakePerson, campaign: Campaign
    ):
        guest = await one_who_allows_it(come)
        await guest.open(f"/landing?{campaign.query}")
        await campaign.is_counted(1)
        screen = await self.economy(await come(viewport=DESK), a_person)
        row = screen.main.get_by_role("row").filter(has_text=campaign.name)
        await expect(row.get_by_role("cell")).to_have_text(
            [campaign.name, "news", "email", "1", "0"]
        )
        await screen.page.goto("/admin?tab=economy&period=7d")
        await expect(row).to_be_visible()

    async def test_read_it_on_a_phone(self, come: Come, a_person: MakePerson, campaign: Campaign):
        guest = await one_who_allows_it(come)
        await guest.open(f"/landing?{campaign.query}")
        await campaign.is_counted(1)
        visitor = await one_following_the_system(come, viewport=PHONE)
        screen = await self.economy(visitor, a_person)
        await expect(screen.main.get_by_text(campaign.name)).to_be_visible()
        assert await screen.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        await has_no_violations(screen.page)
