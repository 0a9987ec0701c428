"""When a page showed something, by itself: who looks from outside looks now and then."""

import json

from playwright.async_api import Page

from tests.browser.chromium import becomes_true

NOTES = """() => {
  const seen = (window.seenSoFar = []);
  const look = () => {
    const words = document.querySelector("main")?.innerText ?? "";
    if (seen.at(-1)?.[1] !== words) seen.push([Date.now(), words]);
  };
  const all = { characterData: true, childList: true, subtree: true };
  new MutationObserver(look).observe(document.body, all);
  look();
}"""


async def notes_what_it_shows(page: Page) -> None:
    await page.evaluate(NOTES)


async def showed(page: Page, words: str, *, within: float, since: float) -> None:
    """Seconds, by the machine's clock."""
    first = f"seenSoFar.find(([, words]) => words.includes({json.dumps(words)}))"
    await becomes_true(page, f"Boolean({first})")
    at, _ = await page.evaluate(first)
    assert at / 1000 - since <= within
