"""When a page showed something, by itself: who looks from outside looks now and then."""

import json
from dataclasses import dataclass

from playwright.async_api import Locator, Page

from tests.browser.chromium import becomes_true

SOON = 2.0
"""In seconds: within this time coins that came are on every page that shows them."""
NOTES = """element => {
  const seen = [];
  const look = () => {
    const words = element.innerText;
    if (seen.at(-1)?.[1] !== words) seen.push([Date.now(), words]);
  };
  const all = { characterData: true, childList: true, subtree: true };
  new MutationObserver(look).observe(element, all);
  look();
  return (window.noted ??= []).push(seen) - 1;
}"""
SINCE = "noted[{number}].find(([, words], i, all) => i && {then} && !({before}))"


@dataclass(frozen=True, slots=True)
class Noted:
    """One element, from when it was first looked at."""

    page: Page
    number: int

    async def showed(self, words: str, *, within: float, since: float) -> None:
        """What it had not before, so many seconds after that moment of the machine's clock."""
        await self._changed(_has(words, "words"), _has(words, "all[i - 1][1]"), within, since)

    async def lost(self, words: str, *, within: float, since: float) -> None:
        has, had = _has(words, "words"), _has(words, "all[i - 1][1]")
        await self._changed(f"!{has}", f"!{had}", within, since)

    async def _changed(self, then: str, before: str, within: float, since: float) -> None:
        change = SINCE.format(number=self.number, then=then, before=before)
        await becomes_true(self.page, f"Boolean({change})")
        at, _ = await self.page.evaluate(change)
        assert at / 1000 - since <= within


def _has(words: str, what: str) -> str:
    return f"{what}.includes({json.dumps(words)})"


async def notes_what_it_shows(element: Locator) -> Noted:
    return Noted(element.page, await element.evaluate(NOTES))
