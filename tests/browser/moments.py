"""When a page showed something, by itself: who looks from outside looks now and then."""

import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Locator, Page

from tests import steady
from tests.browser.chromium import becomes_true

SOON = 2.0
"""In seconds: within this time coins that came are on every page that shows them."""
FRESH = 5.0
"""In seconds: within this time whatever else was done is on every page that shows it."""
WORDS = "element.innerText"
NOTES = """element => {
  const seen = [];
  const look = () => {
    const words = String(WHAT);
    if (seen.at(-1)?.[1] !== words) seen.push([Date.now(), words]);
  };
  const all = { attributes: true, characterData: true, childList: true, subtree: true };
  new MutationObserver(look).observe(element, all);
  navigation.addEventListener("currententrychange", look);
  for (const change of ["scroll", "toggle"]) addEventListener(change, look, { capture: true });
  look();
  return (window.noted ??= []).push(seen) - 1;
}"""
FIRST = "noted[{number}].find(([, words], i, all) => {when})"


@dataclass(frozen=True, slots=True)
class Moment:
    """By the machine's clock, and by the one that stands while the machine does."""

    at: float
    granted: float


def this_moment() -> Moment:
    return Moment(time.time(), steady.seconds())


@dataclass(frozen=True, slots=True)
class Noted:
    """One element, from when it was first looked at."""

    page: Page
    number: int

    async def showed(self, words: str, *, within: float, since: Moment) -> None:
        """What it had not before, so many seconds after that moment."""
        had = _has(words, "all[i - 1][1]")
        await self._first(f"i && {_has(words)} && !{had}", within, since)

    async def lost(self, words: str, *, within: float, since: Moment) -> None:
        had = _has(words, "all[i - 1][1]")
        await self._first(f"i && !{_has(words)} && {had}", within, since)

    async def had(self, words: str, *, within: float, since: Moment) -> None:
        """From the beginning, or so many seconds after that moment."""
        await self._first(_has(words), within, since)

    async def _first(self, when: str, within: float, since: Moment) -> None:
        """By whichever clock says less."""
        change = FIRST.format(number=self.number, when=when)
        await becomes_true(self.page, f"Boolean({change})")
        seen_at = steady.seconds()
        at, _ = await self.page.evaluate(change)
        after = min(at / 1000 - since.at, seen_at - since.granted)
        assert after <= within, f"only {after:.1f} s after it"


def _has(words: str, what: str = "words") -> str:
    return f"{what}.includes({json.dumps(words)})"


async def notes_what_it_shows(element: Locator, what: str = WORDS) -> Noted:
    """`what` of it, where that is not its words."""
    return Noted(element.page, await element.evaluate(NOTES.replace("WHAT", what)))


@dataclass(frozen=True, slots=True)
class Promised:
    """What an open page, which may not be loaded anew meanwhile, does by itself."""

    element: Locator
    words: str
    what: str = WORDS
    is_lost: bool = False


def shown(element: Locator, words: str, what: str = WORDS) -> Promised:
    return Promised(element, words, what)


def gone(element: Locator, words: str) -> Promised:
    return Promised(element, words, is_lost=True)


def led_to(page: Page, path: str) -> Promised:
    return Promised(page.locator("body"), path, "location.pathname")


@asynccontextmanager
async def within(seconds: float, *promised: Promised) -> AsyncGenerator[None]:
    """So soon after what is done in here, all of it has come."""
    noted = [await notes_what_it_shows(one.element, one.what) for one in promised]
    yield
    done_at = this_moment()
    for one, page in zip(promised, noted, strict=True):
        comes = page.lost if one.is_lost else page.showed
        await comes(one.words, within=seconds, since=done_at)


async def comes_to_show(
    element: Locator, words: str, what: str = WORDS, *, within: float = FRESH
) -> None:
    """So soon after this, unless it does already."""
    noted = await notes_what_it_shows(element, what)
    await noted.had(words, within=within, since=this_moment())
