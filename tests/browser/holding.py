"""The server's words held back, and what a page says meanwhile."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Page, WebSocketRoute

from rewards_app.core.clock import utc_now
from tests.browser.chromium import Visitor
from tests.browser.stillness import comes_to_rest

EVENT = "42"
"""What Socket.IO writes before a word of the app; what is before it only greets."""
PAINTED = "() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen, 30)))"
SEEN = r"""() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const seen = (what) => all(what).filter((one) => one.checkVisibility());
  return {
    lines: seen("main").flatMap((main) => main.innerText.split("\n"))
      .map((line) => line.replaceAll(/\s+/g, " ").trim()).filter(Boolean),
    isBlank: !seen("main h1, main h2, main .animate-pulse, main .loading-mark").length,
    waits: seen("main .animate-pulse, main .loading-mark").length > 0,
    isBusy: seen("main[aria-busy=true], main [aria-busy=true], main .loading-mark").length > 0,
  };
}"""
NEXT_WITHIN, ALL_WITHIN = 0.7, 12.0
"""Seconds: how long a page that shows all, and any other, may be silent before it is done."""


@dataclass
class Held:
    """One line of a page: what the server says on it waits."""

    line: WebSocketRoute | None = None
    waiting: list[str | bytes] = field(default_factory=list)
    is_free: bool = False

    def hear(self, words: str | bytes) -> None:
        if self.is_free or not str(words).startswith(EVENT):
            self._say(words)
        else:
            self.waiting.append(words)

    def let_one_through(self) -> None:
        self._say(self.waiting.pop(0))

    def let_all_through(self) -> None:
        self.is_free = True
        while self.waiting:
            self.let_one_through()

    def _say(self, words: str | bytes) -> None:
        assert self.line
        self.line.send(words)


@dataclass
class Tab:
    """One page after the other: what was said to the one before never comes to the next."""

    page: Page
    held: Held = field(default_factory=Held)

    @classmethod
    async def of(cls, one: Visitor) -> "Tab":
        tab = cls(one.page)
        await tab.page.route_web_socket(lambda url: "/_event" in url, tab._carry)
        return tab

    def _carry(self, line: WebSocketRoute) -> None:
        self.held = Held(line)
        line.connect_to_server().on_message(self.held.hear)

    async def let_one_through(self, *, within: float) -> bool:
        """False where none has come for so long."""
        late = asyncio.get_running_loop().time() + within
        while not self.held.waiting:
            if asyncio.get_running_loop().time() > late:
                return False
            await asyncio.sleep(0.02)
        self.held.let_one_through()
        return True


async def untrue_meanwhile(tab: Tab, path: str, loading: Iterable[str]) -> list[str]:
    """Word by word: where the page was blank, did not say that it waits, or took something back."""
    page = tab.page
    # A line that says how long ago something was would become another one in the middle.
    await page.clock.set_fixed_time(utc_now())
    await page.goto(path)
    # An address that nobody knows has a document without words: its scripts bring the first ones.
    await page.locator("main").filter(visible=True).first.wait_for()
    steps = [await _seen(page)]
    while await tab.let_one_through(within=_patience(steps[-1])):
        steps.append(await _seen(page))
    tab.held.let_all_through()
    found = [] if await comes_to_rest(page) else ["does not come to rest"]
    whole = {*(await _seen(page))["lines"], *loading}
    told = {what: count for count, step in enumerate(steps) for what in _wrong_in(step, whole)}
    # A tab costs twice what a page costs: this one forgets instead who it was for the server.
    await page.evaluate("sessionStorage.clear()")
    found += [f"{what} (after {count} of {len(steps) - 1} words)" for what, count in told.items()]
    return [f"{path} {what}" for what in found]


def _wrong_in(step: Mapping[str, Any], whole: Collection[str]) -> Iterator[str]:
    if step["isBlank"]:
        yield "is blank"
    if step["waits"] and not step["isBusy"]:
        yield "waits and does not say so"
    for line in step["lines"]:
        if not any(one.startswith(line) for one in whole):
            yield f"took back “{line}”"


def _patience(step: Mapping[str, object]) -> float:
    return ALL_WITHIN if step["waits"] or step["isBusy"] else NEXT_WITHIN


async def _seen(page: Page) -> dict[str, Any]:
    await page.evaluate(PAINTED)
    return await page.evaluate(SEEN)
