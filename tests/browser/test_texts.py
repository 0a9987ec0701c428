"""Whose texts a browser fetches, and that nobody ever sees a key in place of a text."""

import asyncio
import json
import re

import pytest
from playwright.async_api import Page, Request, Route, expect

from rewards_app.core.actor import Role
from rewards_app.i18n import catalogues
from tests.browser.chromium import Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import AgePrompt, Home, Screen, Watch
from tests.browser.test_layout import FOR_VISITORS

CATALOGUES = re.compile(r"/assets/[a-z]{2}-[^/]+\.json$")
FOR_LATER = re.compile(r"/assets/(toasts|beside_members)-[^/]+\.js$")
ON_THE_WAY_SECONDS = 1.5
GIVE = "notice => dispatchEvent(new CustomEvent('own-notice', { detail: notice }))"
NOTICE = {"title": "errors.session_expired_title", "text": "errors.session_expired"}
NOTICE_FOR_MEMBERS = {"title": "errors.ads.no_ad_title", "text": "errors.ads.not_started"}
NO_CONNECTION = "net::ERR_"

AREAS = sorted({key.partition(".")[0] for key in catalogues.interface("en")})
NOTE_KEYS = f"""
  const key = /(^|\\s)({"|".join(AREAS)})\\.[a-z_.]+/;
  window.keysSeen = [];
  const note = (text) => key.test(text ?? "") && window.keysSeen.push(text);
  const look = (node) => {{
    if (node.nodeType === Node.TEXT_NODE) return note(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("script, style")) return;
    for (const name of ["aria-label", "title", "placeholder", "alt"]) note(node.getAttribute(name));
    node.childNodes.forEach(look);
  }};
  new MutationObserver((changes) =>
    changes.forEach(({{ target, addedNodes }}) => [target, ...addedNodes].forEach(look)),
  ).observe(document, {{ subtree: true, childList: true, characterData: true, attributes: true }});
"""


async def keys_seen(page: Page) -> list[str]:
    """Keys that stood on the page at any moment since it was opened."""
    return await page.evaluate("window.keysSeen")


async def somebody_watched(come: Come, language: str = "en") -> Visitor:
    visitor = await come(stored={"language": language})
    await visitor.context.add_init_script(NOTE_KEYS)
    return visitor


async def delay_texts(visitor: Visitor) -> None:
    async def later(route: Route) -> None:
        await asyncio.sleep(ON_THE_WAY_SECONDS)
        await route.continue_()

    await visitor.context.route(CATALOGUES, later)


async def hold_texts(visitor: Visitor) -> asyncio.Event:
    """None comes until they may."""
    may_come = asyncio.Event()

    async def later(route: Route) -> None:
        await may_come.wait()
        await route.continue_()

    await visitor.context.route(CATALOGUES, later)
    return may_come


async def lose_texts(visitor: Visitor, *, times: int) -> None:
    visitor.bears(NO_CONNECTION)
    await visitor.context.route(CATALOGUES, lambda route: route.abort(), times=times)


def fetches_of(visitor: Visitor) -> list[Request]:
    found: list[Request] = []

    def note(request: Request) -> None:
        if is_of_texts(request):
            found.append(request)

    visitor.context.on("requestfinished", note)
    return found


def is_of_texts(request: Request) -> bool:
    return bool(CATALOGUES.search(request.url))


def for_later(urls: list[str]) -> list[str]:
    """Which of the scripts that visitors rarely need are among them."""
    return [found[1] for url in urls if (found := FOR_LATER.search(url))]


async def parts(fetches: list[Request]) -> list[str]:
    """For each fetched file, whose texts it has."""
    answers = [await request.response() for request in fetches]
    first_keys = [next(iter(json.loads(await each.body()))) for each in answers if each]
    return [catalogues.part_of(key) for key in first_keys]


class TestAVisitor:
    async def test_fetches_nothing_to_read_the_landing_page_in_english(self, come: Come):
        visitor = await come()
        fetches = fetches_of(visitor)
        await visitor.open("/landing")
        await visitor.page.wait_for_load_state("networkidle")
        assert fetches == []

    async def test_fetches_only_their_own_texts_in_another_language(self, come: Come):
        visitor = await come(stored={"language": "it"})
        fetches = fetches_of(visitor)
        screen = Screen(await visitor.open("/landing"), "it")
        await expect(screen.link("landing.join")).to_be_visible()
        await visitor.page.wait_for_load_state("networkidle")
        assert await parts(fetches) == [catalogues.VISITORS]

    async def test_has_the_texts_of_members_before_signing_in(self, come: Come):
        visitor = await come()
        fetches = fetches_of(visitor)
        screen = Screen(await visitor.open("/landing"))
        async with screen.page.expect_event("requestfinished", is_of_texts):
            await screen.link("frame.sign_in").click()
        await expect(screen.field("auth.email")).to_be_visible()
        assert await parts(fetches) == [catalogues.MEMBERS]

    @pytest.mark.parametrize("language", ["en", "ru"])
    async def test_never_sees_a_key(self, come: Come, language: str):
        visitor = await somebody_watched(come, language)
        await delay_texts(visitor)
        screen = Screen(visitor.page, language)
        for path in ("/", *FOR_VISITORS):
            await visitor.open(path)
            await expect(screen.page.locator("html")).to_have_attribute("lang", language)
            await expect(screen.link("frame.sign_in").first).to_be_visible()
            assert await keys_seen(screen.page) == []

    async def test_reads_a_notice_for_members_once_its_words_are_there(self, come: Come):
        visitor = await somebody_watched(come)
        await delay_texts(visitor)
        screen = Screen(await visitor.open("/landing"))
        await screen.page.evaluate(GIVE, NOTICE_FOR_MEMBERS)
        await screen.sees_toast("Failed to get ad session", "Failed to start ad. Please try again.")
        assert await keys_seen(screen.page) == []

    async def test_fetches_nothing_that_only_members_meet(self, come: Come):
        visitor = await come()
        fetches: list[str] = []
        visitor.context.on("request", lambda request: fetches.append(request.url))
        screen = Screen(await visitor.open("/landing"))
        await expect(screen.link("landing.join")).to_be_visible()
        await visitor.page.wait_for_load_state("networkidle")
        assert fetches
        assert for_later(fetches) == []
        await screen.page.evaluate(GIVE, NOTICE)
        await screen.sees_toast("Session Expired")
        assert for_later(fetches) == ["toasts"]

    async def test_sees_a_notice_though_what_draws_it_was_lost_twice(self, come: Come):
        visitor = await come()
        visitor.bears(NO_CONNECTION)
        await visitor.context.route(FOR_LATER, lambda route: route.abort(), times=2)
        screen = Screen(await visitor.open("/landing"))
        await screen.page.evaluate(GIVE, NOTICE)
        await screen.sees_toast("Session Expired")


class TestAMember:
    @pytest.mark.parametrize("language", ["en", "ru"])
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.ADMIN])
    async def test_sees_the_loading_screen_until_their_texts_are_there(
        self, come: Come, a_person: MakePerson, role: Role, language: str
    ):
        visitor = await somebody_watched(come, language)
        may_come = await hold_texts(visitor)
        await visitor.comes_with((await a_person(role)).session)
        home = Home(visitor.page, language)
        await visitor.page.goto("/", wait_until="commit")
        await expect(home.text("Loading…")).to_be_visible()
        may_come.set()
        await expect(home.button("frame.log_out").filter(visible=True)).to_be_visible()
        await expect(home.page.get_by_role("heading", level=1)).not_to_be_empty()
        assert await keys_seen(home.page) == []

    async def test_is_asked_for_their_age_in_words(self, come: Come, a_person: MakePerson):
        visitor = await somebody_watched(come, "de")
        await delay_texts(visitor)
        await visitor.comes_with((await a_person(born=None)).session)
        await visitor.page.goto("/")
        await expect(AgePrompt(visitor.page, "de").birth_date).to_be_visible()
        assert await keys_seen(visitor.page) == []

    async def test_fetches_them_before_the_server_has_answered(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await come(stored={"language": "sv"})
        await visitor.comes_with((await a_person()).session)
        fetches = fetches_of(visitor)
        await visitor.page.route_web_socket(re.compile("/_event"), lambda _silent: None)
        await visitor.page.goto("/watch")
        async with asyncio.timeout(10):
            while len(fetches) < 2:
                await asyncio.sleep(0.05)
        await visitor.page.wait_for_load_state("networkidle")
        assert sorted(await parts(fetches)) == ["members", "visitors"]

    async def test_gets_them_when_the_first_tries_failed(self, come: Come, a_person: MakePerson):
        visitor = await somebody_watched(come)
        await lose_texts(visitor, times=2)
        await visitor.comes_with((await a_person()).session)
        await Watch(visitor.page).open()
        assert await keys_seen(visitor.page) == []

    async def test_keeps_the_old_language_until_the_new_one_is_there(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await somebody_watched(come)
        await visitor.comes_with((await a_person()).session)
        home = Home(await visitor.open("/"))
        await home.welcomes("Maja")
        may_come = await hold_texts(visitor)
        old = home.heading("home.level")

        async with home.page.expect_event("request", is_of_texts):
            choosing = asyncio.ensure_future(home.choose_language("pl"))
        await asyncio.sleep(ON_THE_WAY_SECONDS / 2)
        await expect(home.page.get_by_role("heading", level=1)).to_have_text("Welcome, Maja!")
        may_come.set()
        await choosing

        await home.welcomes("Maja")
        await expect(old).to_have_count(0)
        assert await keys_seen(home.page) == []

    async def test_reads_the_language_chosen_last(self, come: Come, a_person: MakePerson):
        visitor = await somebody_watched(come)
        await visitor.comes_with((await a_person()).session)
        home = Home(await visitor.open("/"))
        await home.welcomes("Maja")
        await delay_texts(visitor)

        await home.field("frame.language").select_option("fr")
        await asyncio.sleep(ON_THE_WAY_SECONDS / 3)
        await home.field("frame.language").select_option("es")
        await expect(home.page.locator("html")).to_have_attribute("lang", "es")

        home.says = catalogues.interface("es")
        await asyncio.sleep(ON_THE_WAY_SECONDS)
        await home.welcomes("Maja")
        await expect(home.page.locator("html")).to_have_attribute("lang", "es")
        assert await keys_seen(home.page) == []
