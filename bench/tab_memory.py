"""What one open tab costs the worker: growth of its resident memory over 200 hydrated tabs."""

import asyncio
from collections.abc import Sequence
from statistics import median

import psutil

from bench.client import Tab, opened
from bench.report import Row
from bench.sites import Site, Sites

TABS = 200
WARM_UP = 20
"""Opened before counting: they pay for what the worker loads only once."""
ROUNDS = 3
GOAL = 1.5
SETTLED_SECONDS = 1


def measure(sites: Sites) -> list[Row]:
    grown: dict[str, list[float]] = {"visitor": [], "signed in": [], "blank": []}
    for _ in range(ROUNDS):
        grown["visitor"].append(_kilobytes(sites.ours, "/landing", [""]))
        grown["signed in"].append(_kilobytes(sites.ours, "/", sites.sessions))
        grown["blank"].append(_kilobytes(sites.blank, "/", [""]))
    blank = median(grown["blank"])
    return [
        Row(
            f"memory per tab, {who} / blank",
            median(grown[who]) / blank,
            "x",
            GOAL,
            f"{median(grown[who]):.0f} KB / {blank:.0f} KB, median of {ROUNDS}, {TABS} tabs",
        )
        for who in ("visitor", "signed in")
    ]


def _kilobytes(site: Site, path: str, sessions: Sequence[str]) -> float:
    """A fresh worker each time: a used one would fill memory that it already has."""
    with site.started() as worker:
        return asyncio.run(_growth(worker, site, path, sessions)) / TABS / 1000


async def _growth(worker: psutil.Process, site: Site, path: str, sessions: Sequence[str]) -> int:
    def tabs(count: int) -> list[Tab]:
        return [Tab(site.origin, path, sessions[n % len(sessions)]) for n in range(count)]

    async with opened(tabs(WARM_UP)):
        await asyncio.sleep(SETTLED_SECONDS)
        before = worker.memory_info().rss
        async with opened(tabs(TABS)):
            await asyncio.sleep(SETTLED_SECONDS)
            return worker.memory_info().rss - before
