"""What moves on a page by itself, from its first paint until it has come to rest."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import BrowserContext, Page, WebSocketRoute

MOST = 0.02
"""Of the layout, by the browser's own measure; a good page stays under 0.1."""
WATCH = """
  window.moved = [];
  // An element that was replaced since has no place any more: only its text is left to name it by.
  const name = ({ node, previousRect, currentRect }) => {
    const what = node && (node.outerHTML ?? node.textContent).slice(0, 160);
    return `${what} from ${previousRect.y} to ${currentRect.y}, ${currentRect.height} high`;
  };
  const note = ({ value, sources, hadRecentInput }) =>
    hadRecentInput || moved.push({ value, what: sources.map(name) });
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
    type: "layout-shift",
    buffered: true,
  });
"""
AT_REST = """
  ([quiet, longest]) => new Promise((resolve) => {
    let since = performance.now();
    const late = since + longest;
    const seen = new MutationObserver(() => (since = performance.now()));
    seen.observe(document.body, { childList: true, subtree: true, characterData: true });
    const look = () => {
      const now = performance.now();
      const waits = document.querySelector("main .animate-pulse, main [aria-busy=true]");
      if (now > late || (!waits && now - since > quiet)) {
        seen.disconnect();
        resolve(now <= late);
      } else setTimeout(look, 50);
    };
    look();
  })
"""
QUIET_MS, LONGEST_MS = 350, 30_000
BETWEEN_WORDS = 0.06
"""Seconds: over this line each word of the server is painted before the next one comes."""


@dataclass(frozen=True, slots=True)
class Moved:
    path: str
    total: float
    shifts: list[dict[str, Any]]

    def __str__(self) -> str:
        return f"{self.path} moved by {self.total:.4f}: {json.dumps(self.shifts, indent=1)}"


async def over_a_slow_line(context: BrowserContext) -> None:
    """What a quick line brings at once comes piece by piece, so that nothing moves unseen."""

    def carry(line: WebSocketRoute) -> None:
        server, loop = line.connect_to_server(), asyncio.get_running_loop()
        free_at = loop.time()

        def later(words: str | bytes) -> None:
            nonlocal free_at
            free_at = max(free_at, loop.time()) + BETWEEN_WORDS
            loop.call_at(free_at, line.send, words)

        server.on_message(later)

    await context.route_web_socket(lambda url: "/_event" in url, carry)


async def is_watched(context: BrowserContext) -> None:
    """From now on its pages note what moves, over a line on which nothing does so unseen."""
    await context.add_init_script(WATCH)
    await over_a_slow_line(context)


async def comes_to_rest(page: Page) -> bool:
    """Everything has loaded, and nothing has changed for a while; False when it never does."""
    return await page.evaluate(AT_REST, [QUIET_MS, LONGEST_MS])


async def moved(page: Page, path: str) -> Moved:
    """What moved since the page at `path` was opened, once it has come to rest."""
    assert await comes_to_rest(page), f"{path} does not come to rest"
    shifts = await page.evaluate("window.moved")
    return Moved(path, sum(shift["value"] for shift in shifts), shifts)


def nothing_moved(found: Iterable[Moved]) -> None:
    restless = [str(one) for one in found if one.total > MOST]
    assert not restless, "\n".join(restless)
