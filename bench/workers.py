"""What one watched ad costs all processes together, with one, two and four workers."""

import asyncio
import random
from collections.abc import Sequence
from statistics import median

from bench.client import Tab, opened
from bench.clusters import Inside, inside, spent
from bench.report import Row
from bench.watchers import WATCH
from rewards_app.core.database import dispose_engine
from tests.ads import an_ad

WORKERS = (1, 2, 4)
PLAYERS = 240
ADS_EACH = 4
AD_SECONDS = 5
EVERY = 12.0
"""Seconds from one ad of a player to the next: the same load, however many workers there are."""
ROUNDS = 3
SETTLED_SECONDS = 8
GOAL = 1.15


def measure(_: object) -> list[Row]:
    costs: dict[int, list[dict[str, float]]] = {count: [] for count in WORKERS}
    for _round in range(ROUNDS):
        for count in WORKERS:
            with inside(count, PLAYERS) as all_of_it:
                costs[count].append(asyncio.run(_cost(all_of_it)))
    sums = {count: [sum(cost.values()) for cost in costs[count]] for count in WORKERS}
    one = median(sums[1])
    return [
        Row(
            f"processor seconds of all processes a completion, {count} workers / 1",
            median(sums[count]) / one,
            "x",
            GOAL,
            f"{_in_parts(costs[count])} / {_in_parts(costs[1])}; {PLAYERS} players,"
            f" {PLAYERS / EVERY:.0f} completions a second, median of {ROUNDS}",
        )
        for count in WORKERS[1:]
    ]


def _in_parts(costs: Sequence[dict[str, float]]) -> str:
    names = costs[0]
    parts = {name: median(cost[name] for cost in costs) * 1e3 for name in names}
    whole = median(sum(cost.values()) for cost in costs) * 1e3
    return f"{whole:.1f} ms (" + ", ".join(f"{n} {ms:.1f}" for n, ms in parts.items()) + ")"


async def _cost(inside: Inside) -> dict[str, float]:
    """Processor seconds of each part for one ad, from its start to its reward."""
    ad = await an_ad(seconds=AD_SECONDS, reward=15)
    # The next cluster has a database of its own.
    await dispose_engine()
    tabs = [Tab(inside.origin, "/watch", secret) for secret in inside.sessions]
    async with opened(tabs):
        await asyncio.sleep(SETTLED_SECONDS)
        before = inside.seconds()
        done = await asyncio.gather(
            *(_watch(tab, str(ad.id), EVERY * n / len(tabs)) for n, tab in enumerate(tabs))
        )
        after = inside.seconds()
    return {name: seconds / sum(done) for name, seconds in spent(before, after).items()}


async def _watch(tab: Tab, ad: str, after: float) -> int:
    """Ads one after the other, each at its moment; how many were rewarded."""
    clock = asyncio.get_running_loop()
    begun = clock.time() + after
    for number in range(ADS_EACH):
        await asyncio.sleep(max(0.0, begun + number * EVERY - clock.time()))
        asked = {"ad_id": ad, "fingerprint": f"bench {id(tab)}"}
        running = await tab.ask(f"{WATCH}.start", asked, changes="running")
        await asyncio.sleep(AD_SECONDS + random.uniform(0.15, 0.5))
        done = {"session_id": running["session_id"], "watch_time": AD_SECONDS}
        stage = await tab.ask(f"{WATCH}.finish", done, changes="stage")
        if stage != "rewarded":
            raise RuntimeError(f"Ad {number} ended as {stage!r}: {tab.vars.get('refusal')}")
    return ADS_EACH
