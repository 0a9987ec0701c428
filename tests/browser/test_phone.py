"""The app on a phone: installed, without a connection, and inside of the native shell."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from rewards_app import offline
from rewards_app.i18n.mail_text import words
from rewards_app.ui.palette import DARK, LIGHT
from tests.browser.chromium import PHONE, Visitor, becomes_true
from tests.browser.conftest import Come, Person
from tests.browser.pages import Home, Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.serving import Served
from tests.waiting import until

ALWAYS = {"/offline.html", "/offline.js", "/favicon.svg"}
LOST = "ERR_INTERNET_DISCONNECTED"
KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) {
      const answer = await caches.match(request, { cacheName: name });
      if (!answer) continue;
      const { pathname } = new URL(request.url);
      found[pathname] = [name, answer.headers.get("content-type"), await answer.text()];
    }
  return found;
}"""
FILL = """async (most) => {
  const [name] = await caches.keys();
  const shell = await caches.open(name);
  for (let n = 0; n < most; n++) await shell.put(`/assets/older-${n}.js`, new Response("older"));
}"""
BRIDGE = """
  window.calls = [];
  const note = (plugin, name) => (...wishes) => {
    calls.push([plugin, name, ...wishes.filter((wish) => typeof wish !== "function")]);
    if (name === "addListener") window.press = wishes[1];
    if (name === "hide") window.pageWhenShown = document.documentElement.dataset.page;
    if (name === "setBackgroundColor") return Promise.reject(new Error("UNIMPLEMENTED"));
    return Promise.resolve();
  };
  const plugin = (name, ...functions) =>
    Object.fromEntries(functions.map((one) => [one, note(name, one)]));
  window.Capacitor = {
    isNativePlatform: () => true,
    Plugins: {
      App: plugin("App", "addListener", "exitApp"),
      SplashScreen: plugin("SplashScreen", "hide"),
      StatusBar: plugin("StatusBar", "setStyle", "setBackgroundColor"),
    },
  };
"""


async def a_regular(come: Come, path: str = "/landing", **options: Any) -> Visitor:
    """Somebody whose browser has the worker at work."""
    visitor = await come(service_workers="allow", **options)
    visitor.bears(LOST)
    await visitor.open(path)
    await worker_is_at_work(visitor.page)
    return visitor


async def worker_is_at_work(page: Page) -> None:
    await becomes_true(
        page,
        "navigator.serviceWorker.getRegistration()"
        ".then(found => found?.active?.state === 'activated')",
    )


async def kept_by(page: Page) -> dict[str, tuple[str, str, str]]:
    return await page.evaluate(KEPT)


class TestInstalling:
    async def test_a_browser_finds_nothing_wrong_with_the_manifest(self, come: Come):
        visitor = await come()
        await visitor.open("/landing")
        devtools = await visitor.context.new_cdp_session(visitor.page)
        found = await devtools.send("Page.getAppManifest")
        assert found["url"] == f"{visitor.url}/manifest.webmanifest"
        assert found["errors"] == []
        assert '"standalone"' in found["data"]
        missing = await devtools.send("Page.getInstallabilityErrors")
        assert missing["installabilityErrors"] == []

    async def test_the_bars_have_the_colour_of_the_theme(self, come: Come):
        visitor = await come()
        screen = Screen(await visitor.open("/landing"))
        bars = screen.page.locator("meta[name=theme-color]")
        await expect(bars).to_have_count(2)
        for theme, colours in (("light", LIGHT), ("dark", DARK)):
            await screen.choose_theme(theme)
            for bar in await bars.all():
                await expect(bar).to_have_attribute("content", re.compile(colours["bg"], re.I))


class TestWithoutAConnection:
    @pytest.mark.parametrize(
        ("language", "theme", "scheme"), [("sv", "light", "light"), ("ru", "dark", "dark")]
    )
    async def test_a_page_says_so_in_the_language_and_theme_of_the_browser(
        self, come: Come, language: str, theme: str, scheme: str
    ):
        visitor = await a_regular(
            come, path="/terms", stored={"language": language, "theme": theme}, viewport=PHONE
        )
        await visitor.context.set_offline(True)
        await visitor.page.goto("/auth?mode=login")

        screen = Screen(visitor.page, language)
        await expect(screen.heading("offline.title")).to_be_visible()
        await expect(screen.text(words("offline.text", language))).to_be_visible()
        await expect(screen.page).to_have_title(words("offline.title", language))
        await expect(screen.page.locator("html")).to_have_attribute("lang", language)
        await expect(screen.page.locator("html")).to_have_css("color-scheme", scheme)
        await expect(screen.main.filter(visible=True)).to_have_count(1)
        assert await screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    async def test_the_page_that_was_wanted_comes_by_itself_when_it_can(self, come: Come):
        visitor = await a_regular(come)
        await visitor.context.set_offline(True)
        await visitor.page.goto("/terms")
        screen = Screen(visitor.page)
        await expect(screen.heading("offline.title")).to_be_visible()

        await visitor.context.set_offline(False)

        await expect(screen.page.locator("html[data-page]")).to_be_attached()
        await screen.is_at("/terms")

    async def test_whoever_tries_again_with_the_keyboard_asks_again(self, come: Come):
        visitor = await a_regular(come)
        await visitor.context.set_offline(True)
        await visitor.page.goto("/terms")
        screen = Screen(visitor.page)
        again = screen.button("offline.again")
        await expect(again).to_be_visible()
        box = await again.bounding_box()
        assert box
        assert box["height"] >= 44
        await screen.page.keyboard.press("Tab")
        await expect(again).to_be_focused()

        await screen.page.evaluate("window.isTheFirst = true")
        await screen.page.keyboard.press("Enter")

        await becomes_true(screen.page, "!window.isTheFirst")
        await expect(screen.heading("offline.title")).to_be_visible()
        await screen.is_at("/terms")

    async def test_axe_finds_nothing(self, come: Come):
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.page.goto("/offline.html")
        await has_no_violations(visitor.page)


class TestWhatIsKept:
    async def test_is_nothing_of_a_person(self, come: Come, maja: Person):
        visitor = await come(service_workers="allow")
        await visitor.comes_with(maja.session)
        home = Home(await visitor.open("/"))
        await home.welcomes("Maja")
        await worker_is_at_work(visitor.page)
        for path in ("/profile", "/shop", "/gdpr", "/"):
            await visitor.open(path)
        await home.welcomes("Maja")
        await self._is_the_builders_own(visitor.page, maja)

        await home.sign_out()

        await self._is_the_builders_own(visitor.page, maja)

    async def _is_the_builders_own(self, page: Page, person: Person) -> None:
        kept = await kept_by(page)
        assert any(path.startswith("/assets/") for path in kept)
        assert {path for path in kept if not path.startswith("/assets/")} == ALWAYS
        assert [path for path, (_, kind, _) in kept.items() if "html" in kind] == ["/offline.html"]
        assert not any(person.email in text for _, _, text in kept.values())

    async def test_serves_without_asking_again(self, come: Come):
        visitor = await a_regular(come)
        await visitor.open("/landing")
        assert any(path.endswith(".js") for path in await kept_by(visitor.page))
        await visitor.open("/landing")
        sizes: list[int] = await visitor.page.evaluate(
            "performance.getEntriesByType('resource')"
            ".filter(({ name }) => name.includes('/assets/') && name.endsWith('.js'))"
            ".map(({ transferSize }) => transferSize)"
        )
        assert sizes
        assert set(sizes) == {0}

    async def test_has_bounds(self, come: Come):
        visitor = await a_regular(come)
        await visitor.page.evaluate(FILL, 300)
        await visitor.open("/terms")
        await becomes_true(
            visitor.page,
            "caches.keys().then(([name]) => caches.open(name)).then(shell => shell.keys())"
            ".then(({ length }) => length <= 253)",
        )
        kept = await kept_by(visitor.page)
        assert kept.keys() >= ALWAYS
        assert "/assets/older-0.js" not in kept


@pytest.fixture
def worker(served: Served) -> Iterator[Path]:
    """The worker's own file, given back as it was."""
    file = Path(served.environment["REFLEX_WEB_WORKDIR"]) / "build" / "client" / "sw.js"
    before = file.read_text()
    yield file
    put(file, before)


def put(file: Path, text: str) -> None:
    file.write_text(text)
    file.with_name("sw.js.gz").write_bytes(gzip.compress(text.encode()))


async def workers_seen_from(page: Page) -> dict[str, str]:
    """How far each version of the worker is, by its number; it goes on with what happens."""
    versions: dict[str, str] = {}
    tools = await page.context.new_cdp_session(page)
    tools.on(
        "ServiceWorker.workerVersionUpdated",
        lambda told: versions.update({one["versionId"]: one["status"] for one in told["versions"]}),
    )
    await tools.send("ServiceWorker.enable")
    return versions


def is_newest_active(versions: dict[str, str]) -> bool:
    return bool(versions) and versions[max(versions, key=int)] == "activated"


class TestAnotherBuild:
    async def test_forgets_what_the_one_before_kept(self, come: Come, worker: Path):
        visitor = await a_regular(come)
        # From now on the page is the worker's: the first one was there before it.
        await visitor.open("/landing")
        (old,) = await visitor.page.evaluate("caches.keys()")
        put(worker, offline.NAME.sub('const BUILD = "tomorrow";', worker.read_text()))

        await visitor.page.evaluate(
            "navigator.serviceWorker.ready.then(found => found.update()).then(() => true)"
        )
        await becomes_true(
            visitor.page,
            "navigator.serviceWorker.getRegistration().then(({ waiting }) => Boolean(waiting))",
        )
        # An open page keeps what it runs on until it is left.
        beside = await visitor.context.new_page()
        versions = await workers_seen_from(beside)
        await visitor.page.close()
        await until(lambda: is_newest_active(versions), within=15)
        visitor.page = beside
        await visitor.open("/landing")

        await becomes_true(
            visitor.page,
            f"caches.keys().then(names => !names.includes('{old}'))",
        )
        assert await visitor.page.evaluate("caches.keys()") == ["shell-tomorrow"]


class TestABrowserWithoutWorkers:
    async def test_has_the_same_app(self, come: Come):
        visitor = await come()
        await visitor.context.add_init_script("delete Navigator.prototype.serviceWorker")
        screen = Screen(await visitor.open("/landing"))
        assert not await screen.page.evaluate("'serviceWorker' in navigator")
        await expect(screen.page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")

    async def test_has_it_again_when_the_worker_was_thrown_out(self, come: Come):
        visitor = await a_regular(come)
        await visitor.page.evaluate(
            "navigator.serviceWorker.getRegistration().then(found => found.unregister())"
        )
        screen = Screen(await visitor.open("/terms"))
        await expect(screen.heading("legal.terms.title")).to_be_visible()


class TestTheNativeShell:
    @pytest.fixture
    async def inside(self, come: Come) -> Visitor:
        visitor = await come(viewport=PHONE)
        await visitor.context.add_init_script(BRIDGE)
        await visitor.open("/landing")
        await becomes_true(visitor.page, "calls.length >= 4")
        return visitor

    async def test_has_dark_bars_and_no_splash_screen_once_the_page_is_there(self, inside: Visitor):
        calls = await inside.page.evaluate("calls")
        assert calls == [
            ["StatusBar", "setStyle", {"style": "DARK"}],
            ["StatusBar", "setBackgroundColor", {"color": DARK["bg"]}],
            ["App", "addListener", "backButton"],
            ["SplashScreen", "hide"],
        ]
        assert await inside.page.evaluate("window.pageWhenShown") == "landing.page_title"

    async def test_androids_button_goes_back(self, inside: Visitor):
        await inside.page.locator("footer a[href='/terms']").first.click()
        screen = Screen(inside.page)
        await screen.is_at("/terms")
        await inside.page.evaluate("press({ canGoBack: true })")
        await screen.is_at("/landing")

    async def test_androids_button_leaves_where_there_is_nothing_to_go_back_to(
        self, inside: Visitor
    ):
        await inside.page.evaluate("press({ canGoBack: false })")
        assert (await inside.page.evaluate("calls"))[-1] == ["App", "exitApp"]

    async def test_a_browser_loads_nothing_of_it(self, come: Come):
        visitor = await come()
        asked: list[str] = []
        visitor.context.on("request", lambda request: asked.append(request.url))
        await visitor.open("/landing")
        await visitor.page.wait_for_load_state("networkidle")
        assert asked
        assert [url for url in asked if re.search(r"/(native|analytics)-", url)] == []

    async def test_a_bridge_in_a_browser_is_left_alone(self, come: Come):
        visitor = await come()
        await visitor.context.add_init_script(
            f"{BRIDGE}; window.Capacitor.isNativePlatform = () => false"
        )
        await visitor.open("/landing")
        await visitor.page.wait_for_load_state("networkidle")
        assert await visitor.page.evaluate("calls") == []
