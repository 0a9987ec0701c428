"""How long an event takes with 100 open tabs: a signed-in player's, and a blank counter's.

A counter keeps nothing, and neither does a player who is about to report an ad. Choosing a language
is written to the account, since mails follow it: how much that adds is measured beside it.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice
from statistics import median
from typing import Any
from uuid import UUID

import psutil

from bench.client import ROOT, Tab, opened
from bench.report import Row
from bench.sites import Site, Sites

TABS = 100
EVENTS = 20
ROUNDS = 15
GOAL = 1.25

Call = tuple[str, Mapping[str, Any], str]
"""A handler, its arguments, and the var that it changes."""

APP = f"{ROOT}.rewards_app___core___state____app_state"
REPORT = f"{APP}.rewards_app___features___ads___state____report_state"
ASKS: list[Call] = [
    (f"{REPORT}.ask", {"ad_id": str(UUID(int=1)), "title": title}, "title")
    for title in ("Champion", "Lighthouse")
]
CHOICES: list[Call] = [
    (f"{APP}.choose_language", {"code": code}, "language") for code in ("sv", "en")
]
COUNTS: list[Call] = [(f"{ROOT}.blank___blank____counter.increment", {}, "count")]


@dataclass
class Side:
    """One app under load: its open tabs, and what each round took."""

    worker: psutil.Process
    tabs: Sequence[Tab]
    calls: Sequence[Call]
    milliseconds: list[float] = field(default_factory=list)
    cpu_microseconds: list[float] = field(default_factory=list)

    async def round(self) -> None:
        before = _cpu_seconds(self.worker)
        waits = await asyncio.gather(*(self._waits(tab) for tab in self.tabs))
        spent = _cpu_seconds(self.worker) - before
        self.milliseconds.append(median(wait for each in waits for wait in each) * 1e3)
        self.cpu_microseconds.append(spent / (len(self.tabs) * EVENTS) * 1e6)

    async def _waits(self, tab: Tab) -> list[float]:
        waits: list[float] = []
        for handler, payload, changes in islice(cycle(self.calls), EVENTS):
            begun = time.perf_counter()
            await tab.ask(handler, payload, changes=changes)
            waits.append(time.perf_counter() - begun)
        return waits


def measure(sites: Sites) -> list[Row]:
    mine, plain = both_sides(sites, ASKS, at="/watch")
    latency, cpu = median(mine.milliseconds), median(mine.cpu_microseconds)
    blank_latency, blank_cpu = median(plain.milliseconds), median(plain.cpu_microseconds)
    return [
        Row(
            "event round trip, ours / blank",
            latency / blank_latency,
            "x",
            GOAL,
            f"{latency:.1f} ms / {blank_latency:.1f} ms, median of {ROUNDS} rounds, {TABS} tabs",
        ),
        Row(
            "event round trip, worker's CPU per event",
            cpu,
            "µs",
            against=f"{blank_cpu:.0f} µs blank, ratio {cpu / blank_cpu:.2f}",
        ),
        _kept(sites, than=latency),
    ]


def _kept(sites: Sites, *, than: float) -> Row:
    mine, _ = both_sides(sites, CHOICES)
    latency = median(mine.milliseconds)
    against = f"{latency:.1f} ms, and {than:.1f} ms for one that keeps nothing"
    return Row(
        "event that the database keeps / one that keeps nothing",
        latency / than,
        "x",
        against=against,
    )


def both_sides(sites: Sites, calls: Sequence[Call], *, at: str = "/") -> tuple[Side, Side]:
    """Ours, with the page at `at` open in each tab and `calls` made in turn, and the blank one."""
    with ExitStack() as serving:
        ours, blank = ((s, serving.enter_context(s.started())) for s in (sites.ours, sites.blank))
        return asyncio.run(_in_turn(ours, blank, sites.sessions, calls, at))


async def _in_turn(
    ours: tuple[Site, psutil.Process],
    blank: tuple[Site, psutil.Process],
    sessions: Sequence[str],
    calls: Sequence[Call],
    at: str,
) -> tuple[Side, Side]:
    async with AsyncExitStack() as pages:
        (site, worker), (blank_site, blank_worker) = ours, blank
        players = (Tab(site.origin, at, session=secret) for secret in sessions[:TABS])
        visitors = (Tab(blank_site.origin) for _ in range(TABS))
        mine = Side(worker, await pages.enter_async_context(opened(players)), calls)
        plain = Side(blank_worker, await pages.enter_async_context(opened(visitors)), COUNTS)
        for _ in range(ROUNDS):
            await mine.round()
            await plain.round()
    return mine, plain


def _cpu_seconds(worker: psutil.Process) -> float:
    times = worker.cpu_times()
    return times.user + times.system
