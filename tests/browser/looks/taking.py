"""Pictures that come out the same each time: the demo as it is at one moment, nothing moving."""

import io
import os
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from itertools import groupby
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, expect

from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository
from tests import people
from tests.beside import beside
from tests.browser.chromium import Visitor, visitor
from tests.browser.looks.pages import SIZES, TALLEST, Look, Size, Theme, Who
from tests.serving import Served, serving

STOPPED = Path(__file__).with_name("stopped")
NOW = people.NOON
BUSY = "main .animate-pulse, main [aria-busy=true]"
AT_MOST_TRIES = 20
WHOLE_HEIGHT = """() => {
    document.querySelector("main").style.minHeight = 0;
    return document.documentElement.scrollHeight;
}"""
ONLINE: dict[Who, str] = {
    "player": "1 player online",
    "moderator": "1 player online",
    "company": "0 players online",
    "admin": "0 players online",
}


@contextmanager
def served_at_noon(folder: Path) -> Generator[Served]:
    """The production build with the demo's data, where it is always the same noon."""
    stopped = {
        "PYTHONPATH": os.fspath(STOPPED),
        "STANDS_STILL_AT": NOW.isoformat(),
        # Sets are then gone through in the same order, too.
        "PYTHONHASHSEED": "0",
    }
    with serving(folder, **stopped) as served:
        yield served


class Studio:
    """Where the demo's people sit for their pictures: each signs in once, and has looked around."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self._browser = browser
        self._served = served
        self._sessions: dict[str, str] = {}
        self._have_come: set[Who] = set()

    async def taken(self, looks: Iterable[Look]) -> AsyncIterator[tuple[Look, Image.Image]]:
        for (size, theme, who), wanted in groupby(looks, _by_whom_on_what):
            async with self._somebody(size, theme, who) as one:
                for look in wanted:
                    yield look, await _picture(one, look)

    @asynccontextmanager
    async def _somebody(self, size: Size, theme: Theme, who: Who) -> AsyncGenerator[Visitor]:
        looking = visitor(
            self._browser,
            self._served.url,
            viewport=SIZES[size],
            stored={"theme": theme, "language": "en"},
            locale="en-GB",
            timezone_id="Europe/Stockholm",
        )
        async with looking as one:
            one.bears("status of 404")
            await one.page.clock.set_fixed_time(NOW)
            if who != "visitor":
                await self._sit_down(one, who)
            yield one
            assert not one.troubles, "\n".join(one.troubles)

    async def _sit_down(self, one: Visitor, who: Who) -> None:
        if not self._sessions:
            # All at once: some pages count who is signed in.
            self._sessions = await _sessions(self._served)
        await one.comes_with(self._sessions[who])
        if who not in self._have_come:
            self._have_come.add(who)
            # The first visit tells their time zone.
            await one.open("/")
            await _has_loaded(one.page, who)


def _by_whom_on_what(look: Look) -> tuple[Size, Theme, Who]:
    return look.size, look.theme, look.place.who


async def _sessions(served: Served) -> dict[str, str]:
    found: dict[str, str] = {}
    async with beside(served):
        for who, known in served.accounts.items():
            async with transaction() as session:
                account = await repository.account_by_email(session, known["email"])
            assert account
            found[who] = await people.signed_in(account.id, people.a_browser(who), now=NOW)
    return found


async def _picture(one: Visitor, look: Look) -> Image.Image:
    page, place = one.page, look.place
    width, height = SIZES[look.size].values()
    await page.set_viewport_size({"width": width, "height": height})
    await one.open(place.path)
    await _has_loaded(page, place.who)
    if place.then:
        await page.locator(place.then).first.click()
        await expect(page.locator(place.then)).to_have_count(0)
        await _has_loaded(page, place.who)
    # As if on a screen that shows the whole page: what clings to the lower edge is there, too. The
    # content is as tall as the window at least, and would keep ahead of one that grows.
    for _ in range(AT_MOST_TRIES):
        seen = min(await page.evaluate(WHOLE_HEIGHT), TALLEST[look.size])
        await page.set_viewport_size({"width": width, "height": seen})
        picture = await _once_still(page)
        # What came late has made it taller.
        if min(await page.evaluate(WHOLE_HEIGHT), TALLEST[look.size]) == seen:
            return picture
    raise AssertionError(f"{page.url} does not stop growing")


async def _has_loaded(page: Page, who: Who) -> None:
    await expect(page.get_by_role("heading", level=1).first).to_be_visible()
    await page.wait_for_load_state("networkidle")
    await expect(page.locator(BUSY)).to_have_count(0)
    await page.evaluate("document.fonts.ready.then(() => true)")
    # What a toast says is for a moment.
    await expect(page.locator("[data-sonner-toast]")).to_have_count(0, timeout=15_000)
    bars = page.get_by_role("banner")
    if who != "visitor" and await bars.count():
        # Until whoever sat here before has left.
        await expect(bars.first).to_contain_text(ONLINE[who])


async def _once_still(page: Page) -> Image.Image:
    """What two pictures in a row show alike."""
    before = b""
    for _ in range(AT_MOST_TRIES):
        now = await page.screenshot(caret="hide", animations="disabled")
        if now == before:
            return Image.open(io.BytesIO(now)).convert("RGB")
        before = now
        await page.wait_for_timeout(100)
    raise AssertionError(f"{page.url} does not stand still")
