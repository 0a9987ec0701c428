"""The machine's own Chromium, or Playwright's where there is none."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, sync_playwright

from tests.browser.chromium import CHROMIUMS

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


def installed() -> str | None:
    """The one that the tests drive; None: Playwright's own."""
    return next((str(path) for path in CHROMIUMS if path.exists()), None)


@contextmanager
def fresh_visitor() -> Iterator[BrowserContext]:
    """A browser that has never been anywhere: nothing cached, nothing stored."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
        try:
            yield browser.new_context()
        finally:
            browser.close()
