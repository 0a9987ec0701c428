"""What a first visit to /landing/ downloads: its scripts and styles, each gzipped."""

import gzip

from playwright.sync_api import Response

from bench.browser import fresh_visitor
from bench.report import Row
from bench.sites import Site, Sites

GOAL = 0.65
SETTLED_MS = 2000
"""Chunks that a page fetches after it is shown count too."""


def measure(sites: Sites) -> list[Row]:
    ours, blank = _kilobytes(sites.ours), _kilobytes(sites.blank)
    return [
        Row(
            "landing transfer, ours / blank with Radix",
            sum(ours.values()) / sum(blank.values()),
            "x",
            GOAL,
            "sum of gzip sizes of the scripts and styles that Chromium loaded",
        ),
        *(_size("ours", kind, size) for kind, size in ours.items()),
        *(_size("blank", kind, size) for kind, size in blank.items()),
    ]


def _size(side: str, kind: str, size: float) -> Row:
    return Row(f"landing transfer, {kind}, {side}", size, "KB")


def _kilobytes(site: Site) -> dict[str, float]:
    loaded: dict[str, Response] = {}
    totals = {"scripts": 0.0, "styles": 0.0}
    with site.started(), fresh_visitor() as visitor:
        page = visitor.new_page()
        page.on("response", lambda answer: loaded.setdefault(answer.url, answer))
        page.goto(f"{site.origin}{site.home.rstrip('/')}/", wait_until="networkidle")
        page.wait_for_timeout(SETTLED_MS)
        for answer in loaded.values():
            if kind := _kind(answer):
                totals[kind] += len(gzip.compress(answer.body())) / 1000
    return totals


def _kind(answer: Response) -> str | None:
    content = answer.headers.get("content-type", "")
    kinds = {"javascript": "scripts", "css": "styles"}
    return next((kind for word, kind in kinds.items() if word in content), None)
