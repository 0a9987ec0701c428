"""What one watched ad costs all processes together, with one, two and four workers."""

import asyncio
import random
from collections.abc import Sequence
from statistics import median
from uuid import UUID

from bench import apart
from bench.client import Tab, opened
from bench.clusters import Inside, inside, spent
from bench.report import Row
from bench.watchers import WATCH
from rewards_app.core.database import dispose_engine
from tests.ads import an_ad

WORKERS = (2, 4)
PLAYERS = 240
ADS_EACH = 4
AD_SECONDS = 5
EVERY = 12.0
"""Seconds from one ad of a player to the next: the same load, however many workers there are."""
ROUNDS = 3
SETTLED_SECONDS = 12
"""Each worker tells whom it has every five, and all tabs show the sum: twice, and it stands."""
GOAL = 1.15
PARTS = {"workers": "worker", "PostgreSQL": "PostgreSQL", "Redis": "Redis"}

Costs = Sequence[dict[str, float]]
"""Of each round: processor seconds of each part for one ad."""


def measure(_: object) -> list[Row]:
    """A process that has little to do needs more for each thing: it finds nothing in the caches.

    So one worker is asked twice: to do all that several do, and to be as busy as each of them. And
    what of it is this machine's alone is measured by work that shares nothing (`bench.apart`).
    """
    asked = [(1, PLAYERS), *((1, PLAYERS // count) for count in WORKERS)]
    asked += [(count, PLAYERS) for count in WORKERS]
    costs: dict[tuple[int, int], list[dict[str, float]]] = {one: [] for one in asked}
    costs_apart: dict[int, list[float]] = {count: [] for count in (1, *WORKERS)}
    for _round in range(ROUNDS):
        for count, found in costs_apart.items():
            found.append(apart.cost(count))
        for count, players in asked:
            with inside(count, players) as all_of_it:
                cost = asyncio.run(_cost(all_of_it))
            print(f"{count} workers, {players} players: {_in_parts([cost])}", flush=True)
            costs[count, players].append(cost)
    rows: list[Row] = []
    for count in WORKERS:
        several = costs[count, PLAYERS]
        rows.append(_row(count, "1", several, costs[1, PLAYERS], PLAYERS))
        as_busy = PLAYERS // count
        rows.append(_row(count, "1 as busy as each", several, costs[1, as_busy], as_busy))
    return [*rows, *_of_one(costs[1, PLAYERS]), *apart.rows(costs_apart)]


def _row(count: int, beside: str, several: Costs, one: Costs, players: int) -> Row:
    return Row(
        f"processor seconds of all processes a completion, {count} workers / {beside}",
        _whole(several) / _whole(one),
        "x",
        GOAL,
        f"{_in_parts(several)} / {_in_parts(one)}; {PLAYERS} players, {PLAYERS / EVERY:.0f}"
        f" completions a second / {players} players, {players / EVERY:.0f} completions a second,"
        f" median of {ROUNDS}",
    )


def _of_one(costs: Costs) -> list[Row]:
    """What docs/growth.md counts on."""
    return [
        Row(
            f"a watched ad, {part}",
            median(cost[name] for cost in costs) * 1e3,
            "ms of processor",
            against=f"from its start to its reward, with all that pages ask and are told"
            f" meanwhile: one worker, {PLAYERS} players, {PLAYERS / EVERY:.0f} a second",
        )
        for name, part in PARTS.items()
    ]


def _whole(costs: Costs) -> float:
    return median(sum(cost.values()) for cost in costs)


def _in_parts(costs: Costs) -> str:
    names = costs[0]
    parts = {name: median(cost[name] for cost in costs) * 1e3 for name in names}
    return (
        f"{_whole(costs) * 1e3:.1f} ms ("
        + ", ".join(f"{n} {ms:.1f}" for n, ms in parts.items())
        + ")"
    )


async def _cost(inside: Inside) -> dict[str, float]:
    """Processor seconds of each part for one ad, from its start to its reward."""
    ad = await an_ad(seconds=AD_SECONDS, reward=15)
    # The next cluster has a database of its own.
    await dispose_engine()
    tabs = [Tab(inside.origin, "/watch", secret) for secret in inside.sessions]
    async with opened(tabs):
        await asyncio.sleep(SETTLED_SECONDS)
        # What is done once, as planning a statement, is no cost of an ad.
        await _watch_all(tabs, ad.id, ads=1)
        before = inside.seconds()
        done = await _watch_all(tabs, ad.id, ads=ADS_EACH)
        after = inside.seconds()
    return {name: seconds / done for name, seconds in spent(before, after).items()}


async def _watch_all(tabs: Sequence[Tab], ad_id: UUID, *, ads: int) -> int:
    """Each in turn; how many were rewarded."""
    await asyncio.gather(
        *(_watch(tab, str(ad_id), EVERY * n / len(tabs), ads) for n, tab in enumerate(tabs))
    )
    return ads * len(tabs)


async def _watch(tab: Tab, ad: str, after: float, ads: int) -> None:
    """Ads one after the other, each at its moment, and each of them rewarded."""
    clock = asyncio.get_running_loop()
    begun = clock.time() + after
    for number in range(ads):
        await asyncio.sleep(max(0.0, begun + number * EVERY - clock.time()))
        asked = {"ad_id": ad, "fingerprint": f"bench {id(tab)}"}
        running = await tab.ask(f"{WATCH}.start", asked, changes="running")
        await asyncio.sleep(AD_SECONDS + random.uniform(0.15, 0.5))
        done = {"session_id": running["session_id"], "watch_time": AD_SECONDS}
        await tab.ask(f"{WATCH}.finish", done, changes="stage", to="rewarded")
