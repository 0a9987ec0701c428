"""What thousands of open pages need that nobody touches: two workers, and Redis."""

import asyncio
import os
import resource
from itertools import cycle, islice

from bench.client import Tab, opened
from bench.clusters import Inside, inside
from bench.report import Row

TABS = int(os.environ.get("BENCH_TABS", "5000"))
PEOPLE = 200
EACH_SIGNED_IN = 2
"""Every second one is a player's; the others are visitors'."""
WORKERS = 2
SETTLED_SECONDS = 15
GIB = 2**30
GOAL = 4.0


def measure(_: object) -> list[Row]:
    _allow_files()
    with inside(WORKERS, PEOPLE) as all_of_it:
        empty, full, open_tabs = asyncio.run(_measured(all_of_it))
    needed = full["workers"] + full["Redis"]
    grown = {name: (full[name] - empty[name]) / TABS / 1e3 for name in full}
    told = ", ".join(
        f"{name} {full[name] / 2**20:.0f} MB, {grown[name]:.0f} KB a tab" for name in full
    )
    return [
        Row(
            f"memory of {WORKERS} workers and Redis with {TABS} idle tabs",
            needed / GIB,
            "GiB",
            GOAL,
            f"{told}; {open_tabs} still open at the end",
        )
    ]


async def _measured(inside: Inside) -> tuple[dict[str, int], dict[str, int], int]:
    sessions = cycle(inside.sessions)
    tabs = [
        Tab(inside.origin, "/", next(sessions))
        if number % EACH_SIGNED_IN == 0
        else Tab(inside.origin, "/landing")
        for number in range(TABS)
    ]
    async with opened(islice(tabs, 20)):
        await asyncio.sleep(1)
    empty = inside.memory()
    async with opened([_again(tab) for tab in tabs]) as everyone:
        await asyncio.sleep(SETTLED_SECONDS)
        full = inside.memory()
        return empty, full, sum(tab.is_open for tab in everyone)


def _again(tab: Tab) -> Tab:
    return Tab(tab.origin, tab.path, tab.session)


def _allow_files() -> None:
    """A socket is a file: of each tab here one, two of nginx, one of a worker."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536), most))
