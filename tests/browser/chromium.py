"""Real browsers: one Chromium for the run, a fresh profile and address for every visitor."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    async_playwright,
)

from tests import steady
from tests.browser import overheard

CHROMIUMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""The shell has no windows to draw, and takes a fifth less of the machine."""
AS_PLAYWRIGHT_DOES = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "AimEnabled"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
)
"""Features that it switches off itself; said again, since of two such lists the last one counts."""
POPUPS_OF_THE_ADDRESS_BAR = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Made for every window, which takes longer than many a page of ours; nobody sees them here."""
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    f"--disable-features={','.join(AS_PLAYWRIGHT_DOES + POPUPS_OF_THE_ADDRESS_BAR)}",
)
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
ONLY_NECESSARY = '{"essential":true,"analytics":false,"marketing":false,"ipLogging":false}'
ALIVE = "html[data-page]"
"""The running page says which one it is; the built document does not."""


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=next((path for path in CHROMIUMS if path.exists()), None), args=FLAGS
        )
        yield browser
        await browser.close()


@dataclass
class Visitor:
    """One person's browser: its tabs share cookies and storage, and every trouble is noted."""

    context: BrowserContext
    page: Page
    url: str
    troubles: list[str] = field(default_factory=list)
    borne: list[str] = field(default_factory=list)

    async def open(self, path: str) -> Page:
        return await opened(self.page, path)

    async def another_tab(self, path: str) -> Page:
        return await opened(await self.context.new_page(), path)

    async def comes_with(self, session: str) -> None:
        """Bring the cookie of a session that was opened before."""
        await self.context.add_cookies([{"name": "session", "value": session, "url": self.url}])

    def bears(self, *known: str) -> None:
        """Troubles that belong to the journey: the server is away on purpose."""
        self.borne.extend(known)

    def note(self, message: ConsoleMessage) -> None:
        """An error in the console of one of our pages; what a provider's page says is its own."""
        is_ours = message.page is not None and message.page.url.startswith(self.url)
        if message.type == "error" and is_ours:
            self.note_trouble(f"{message.page.url}: {message.text}")

    def note_trouble(self, text: str) -> None:
        if not any(known in text for known in self.borne):
            self.troubles.append(text)


@asynccontextmanager
async def visitor(
    browser: Browser,
    url: str,
    *,
    viewport: dict[str, int] = DESK,
    stored: dict[str, str] | None = None,
    has_chosen_cookies: bool = True,
    service_workers: Literal["allow", "block"] = "block",
    **options: Any,
) -> AsyncGenerator[Visitor]:
    """A browser that was never here, but for what its local storage holds from before.

    Who has not chosen their cookies yet meets the banner. Workers would fetch what a test means to
    intercept: only tests about them have some.
    """
    kept = {"cookie-consent": ONLY_NECESSARY} if has_chosen_cookies else {}
    context = await browser.new_context(
        base_url=url,
        viewport=viewport,
        # Limits count by address: each visitor has one of their own.
        extra_http_headers={"X-Forwarded-For": _an_address()},
        reduced_motion="reduce",
        service_workers=service_workers,
        **options,
    )
    context.set_default_timeout(10_000)
    for key, value in (kept | (stored or {})).items():
        # A new tab is empty at first, and has no storage.
        await context.add_init_script(
            f"origin === 'null' || (localStorage.getItem('{key}')"
            f" ?? localStorage.setItem('{key}', '{value}'))"
        )
    made = Visitor(context, await context.new_page(), url)
    context.on("page", overheard.listen_to)
    overheard.listen_to(made.page)
    context.on("console", made.note)
    context.on("weberror", lambda failure: made.note_trouble(str(failure.error)))
    try:
        yield made
    finally:
        await context.close()


async def opened(page: Page, path: str) -> Page:
    """The page at `path`, once it is alive and knows who is looking."""
    await page.goto(path)
    await page.locator(ALIVE).wait_for(state="attached")
    return page


async def becomes_true(page: Page, expression: str, *, within: float = 15) -> None:
    """Asked again from outside: our policy forbids what the browser would ask itself with."""
    deadline = steady.seconds() + within
    while steady.seconds() < deadline:
        # A page that is just being left answers nobody.
        with suppress(Error, TimeoutError):
            if await asyncio.wait_for(page.evaluate(expression), timeout=5):
                return
        await asyncio.sleep(0.1)
    raise AssertionError(f"not within {within} s: {expression}")


_addresses = itertools.count(secrets.randbelow(256**2))


def _an_address() -> str:
    """Another one each time: limits by address are nobody else's."""
    return f"198.18.{next(_addresses) // 256 % 256}.{next(_addresses) % 256}"
