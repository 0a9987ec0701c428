"""Page views, told to a real server: by those who allow it, once each, and nothing of a person."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.chromium import ONLY_NECESSARY, Visitor, becomes_true
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import CookieBanner, Home
from tests.browser.test_routes import NO_SUCH_FILE
from tests.conftest import SCRATCH
from tests.counting import Counter, counter
from tests.measures import suspends_by_itself
from tests.serving import Served, seeded, serving

ALLOWED = '{"essential":true,"analytics":true,"marketing":false,"ipLogging":false}'
NOTE_VIEWS = """
  window.viewsHeard = [];
  addEventListener("watchcoins:pageview", ({ detail }) => viewsHeard.push(detail));
"""


async def one_who_allows_it(come: Come, **stored: str) -> Visitor:
    return await come(stored={"cookie-consent": ALLOWED, **stored}, has_chosen_cookies=False)


async def goes_to(visitor: Visitor, path: str) -> None:
    """By a link, within the running page."""
    await visitor.page.locator(f"footer a[href='{path}']").first.click()
    await Home(visitor.page).is_at(path)


async def changes_consent(visitor: Visitor, consent: str) -> None:
    """In another tab, as the switches there do; what it shows is no page that would be counted."""
    other = await visitor.context.new_page()
    await other.goto("/robots.txt")
    await other.evaluate("kept => localStorage.setItem('cookie-consent', kept)", consent)
    await becomes_true(
        visitor.page, f"localStorage.getItem('cookie-consent') === {json.dumps(consent)}"
    )
    await other.close()


@pytest.fixture(scope="module")
def plausible() -> Iterator[tuple[Served, Counter]]:
    with (
        counter() as counting,
        serving(
            seeded(SCRATCH / "plausible"),
            ANALYTICS_KIND="plausible",
            ANALYTICS_URL=counting.url,
            ANALYTICS_SITE="play.example.com",
        ) as running,
    ):
        yield running, counting


class TestPlausible:
    @pytest.fixture
    def served(self, plausible: tuple[Served, Counter]) -> Served:
        return plausible[0]

    @pytest.fixture
    def told(self, plausible: tuple[Served, Counter]) -> Counter:
        plausible[1].all.clear()
        return plausible[1]

    async def test_is_told_each_page_once_as_it_documents(self, come: Come, told: Counter):
        visitor = await one_who_allows_it(come)
        await visitor.open("/")
        await told.is_told(f"{visitor.url}/")
        await goes_to(visitor, "/terms")
        await told.is_told(f"{visitor.url}/", f"{visitor.url}/terms")
        await visitor.page.go_back()

        first, *_ = await told.is_told(*(f"{visitor.url}{path}" for path in ("/", "/terms", "/")))

        assert first.path == "/api/event"
        assert first.headers["content-type"] == "text/plain"
        assert first.body == {
            "name": "pageview",
            "url": f"{visitor.url}/",
            "domain": "play.example.com",
        }
        assert not {"cookie", "referer"} & first.headers.keys()

    async def test_hears_nothing_before_somebody_allows_it(self, come: Come, told: Counter):
        visitor = await come(has_chosen_cookies=False)
        banner = CookieBanner(await visitor.open("/"))
        await expect(banner.region).to_be_visible()
        await goes_to(visitor, "/terms")
        await told.is_told()

        await banner.button("consent.accept_all").click()

        await told.is_told(f"{visitor.url}/terms")

    async def test_hears_nothing_from_those_who_refused(self, come: Come, told: Counter):
        visitor = await come()
        await visitor.open("/")
        await goes_to(visitor, "/terms")
        await told.is_told()

    async def test_hears_nothing_more_when_the_consent_is_withdrawn(
        self, come: Come, told: Counter
    ):
        visitor = await come()
        await visitor.open("/")
        await changes_consent(visitor, ALLOWED)
        await told.is_told(f"{visitor.url}/")
        await changes_consent(visitor, ONLY_NECESSARY)

        await goes_to(visitor, "/terms")
        await told.is_told(f"{visitor.url}/")

    async def test_hears_nothing_more_when_a_visitor_withdraws_it_on_the_policys_page(
        self, come: Come, told: Counter
    ):
        visitor = await one_who_allows_it(come)
        switches = CookieBanner(await visitor.open("/privacy#cookies"))
        await told.is_told(f"{visitor.url}/privacy")

        await switches.switch("analytics").click()
        await switches.sees_toast("Cookie settings updated")

        await goes_to(visitor, "/terms")
        await told.is_told(f"{visitor.url}/privacy")

    async def test_a_redirect_is_no_view(self, come: Come, a_person: MakePerson, told: Counter):
        visitor = await one_who_allows_it(come)
        await visitor.comes_with((await a_person()).session)
        await visitor.open("/landing")
        await Home(visitor.page).welcomes("Maja")
        await told.is_told(f"{visitor.url}/")

    async def test_an_address_that_there_is_not_is_told_to_nobody(
        self, come: Come, a_person: MakePerson, told: Counter
    ):
        visitor = await one_who_allows_it(come)
        visitor.bears(NO_SUCH_FILE)
        await visitor.comes_with((await a_person()).session)
        await visitor.open("/reset-of-maja@example.com")
        await expect(Home(visitor.page).text("Oops! Page not found")).to_be_visible()
        await told.is_told()

    @pytest.mark.parametrize(
        ("address", "path"),
        [("/auth?mode=reset&token=secret", "/auth"), ("/landing?ref=abc#more", "/landing")],
    )
    async def test_a_query_is_told_to_nobody(
        self, come: Come, told: Counter, address: str, path: str
    ):
        visitor = await one_who_allows_it(come)
        await visitor.open(address)
        found = await told.is_told(f"{visitor.url}{path}")
        assert "secret" not in json.dumps([one.headers | one.body for one in found])

    async def test_the_player_that_somebody_looks_at_is_told_to_nobody(
        self, come: Come, a_person: MakePerson, told: Counter
    ):
        visitor = await one_who_allows_it(come)
        await visitor.comes_with((await a_person()).session)
        await visitor.open("/player?name=Maja")
        await told.is_told(f"{visitor.url}/player")

    async def test_that_is_away_is_no_trouble_of_the_page(self, come: Come, told: Counter):
        visitor = await one_who_allows_it(come)
        visitor.bears("net::ERR_")
        await visitor.context.route(f"{told.url}/**", lambda route: route.abort())
        await visitor.open("/")
        await goes_to(visitor, "/terms")
        await expect(Home(visitor.page).heading("legal.terms.title")).to_be_visible()
        await told.is_told()

    async def test_is_the_only_one_that_the_policy_adds(self, come: Come, told: Counter):
        visitor = await come()
        answer = await visitor.page.goto("/")
        assert answer
        policy = answer.headers["content-security-policy"]
        assert policy.count(told.url) == 1
        assert told.url not in policy.split("script-src")[1].split(";")[0]


class TestUmami:
    @pytest.fixture
    def served(self, umami_app: tuple[Served, Counter]) -> Served:
        return umami_app[0]

    async def test_is_told_each_page_once_as_it_documents(
        self, come: Come, umami_app: tuple[Served, Counter]
    ):
        told = umami_app[1]
        visitor = await one_who_allows_it(come)
        await visitor.open("/sv")
        await told.is_told("/sv")
        await goes_to(visitor, "/terms")
        first, _ = await told.is_told("/sv", "/terms")
        assert first.path == "/api/send"
        assert first.headers["content-type"] == "application/json"
        assert first.body == {
            "type": "event",
            "payload": {
                "website": "0b6ab6b5-3b1c-4b4a-9f8c-1d2f3a4b5c6d",
                "hostname": "localhost",
                "language": "sv",
                "url": "/sv",
                "referrer": "",
            },
        }


class TestTheHook:
    """For a script of the site's own; nothing else is asked for where nobody counts."""

    @pytest.fixture
    async def asked(self, come: Come) -> tuple[Visitor, list[str]]:
        visitor = await one_who_allows_it(come)
        addresses: list[str] = []
        visitor.context.on("request", lambda request: addresses.append(request.url))
        await visitor.context.add_init_script(NOTE_VIEWS)
        return visitor, addresses

    async def views(self, visitor: Visitor) -> list[dict[str, Any]]:
        return await visitor.page.evaluate("window.viewsHeard")

    async def test_names_each_page_that_is_seen(self, asked: tuple[Visitor, list[str]]):
        visitor, addresses = asked
        await visitor.open("/?ref=abc")
        await becomes_true(visitor.page, "viewsHeard.length === 1")
        await goes_to(visitor, "/terms")
        await becomes_true(visitor.page, "viewsHeard.length === 2")
        assert await self.views(visitor) == [{"path": "/"}, {"path": "/terms"}]
        assert [url for url in addresses if not url.startswith((visitor.url, "data:"))] == []
        assert [url for url in addresses if "/analytics-" in url] == []

    async def test_says_nothing_without_consent(self, come: Come):
        visitor = await come()
        await visitor.context.add_init_script(NOTE_VIEWS)
        await visitor.open("/")
        await goes_to(visitor, "/terms")
        assert await self.views(visitor) == []

    async def test_names_what_the_suspended_may_see_and_not_what_is_closed_to_them(
        self, asked: tuple[Visitor, list[str]], a_person: MakePerson
    ):
        visitor, _ = asked
        maja = await a_person()
        await suspends_by_itself(maja.account_id)
        await visitor.comes_with(maja.session)
        await visitor.open("/")
        closed = Home(visitor.page).heading("restrictions.suspended_title")
        await expect(closed).to_be_visible()
        await goes_to(visitor, "/terms")
        await becomes_true(visitor.page, "viewsHeard.length === 1")
        await visitor.page.go_back()
        await expect(closed).to_be_visible()
        assert await self.views(visitor) == [{"path": "/terms"}]
