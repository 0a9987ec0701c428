"""One finished ad with 500 dashboards open: when the last one shows it, and how often they move."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from bench.client import Tab, opened
from bench.report import Row
from bench.sites import Site, Sites
from bench.watchers import WATCH

DASHBOARDS = 500
ADS_IN_A_ROW = 3
GOAL_SECONDS = 2.0
GOAL_A_SECOND = 1.0
FIGURES = "figures_rx_state_"


class Dashboard(Tab):
    """A home that notes when the shared figures came."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.came: list[tuple[float, int]] = []

    async def _on_update(self, update: dict[str, Any]) -> None:
        await super()._on_update(update)
        for changes in (update.get("delta") or {}).values():
            if changes.get(FIGURES):
                self.came.append((time.perf_counter(), changes[FIGURES]["coins"]))


def measure(sites: Sites) -> list[Row]:
    site = sites.ours
    with site.started():
        delays, most_a_second = asyncio.run(_measured(site, sites.sessions))
    return [
        Row(
            f"the last of {DASHBOARDS} dashboards shows a finished ad after",
            max(delays),
            "s",
            GOAL_SECONDS,
            f"the slowest of {len(delays)} ads; the quickest {min(delays):.2f} s",
        ),
        Row(
            "refreshes of one dashboard in its busiest second",
            most_a_second,
            "",
            GOAL_A_SECOND,
            f"the most of {DASHBOARDS}, while ads were finished one after the other",
        ),
    ]


async def _measured(site: Site, sessions: Sequence[str]) -> tuple[list[float], float]:
    homes = [Dashboard(site.origin, "/", secret) for secret in sessions[1 : DASHBOARDS + 1]]
    player = Tab(site.origin, "/watch", sessions[0])
    async with opened(homes), opened([player]):
        await asyncio.sleep(3)
        delays = [await _one_ad(player, homes) for _ in range(ADS_IN_A_ROW)]
        await asyncio.sleep(2)
    return delays, max(_busiest_second([at for at, _ in home.came]) for home in homes)


async def _one_ad(player: Tab, homes: Sequence[Dashboard]) -> float:
    """Watch the shortest ad; how long after its reward the last dashboard shows the coins."""
    ad: Mapping[str, Any] = min(player.vars["ads"], key=lambda ad: ad["seconds"])
    asked = {"ad_id": ad["id"], "fingerprint": "bench"}
    running = await player.ask(f"{WATCH}.start", asked, changes="running")
    before = max((coins for home in homes for _, coins in home.came), default=0)
    await asyncio.sleep(running["seconds"] + 0.15)
    done = {"session_id": running["session_id"], "watch_time": running["seconds"]}
    begun = time.perf_counter()
    await player.ask(f"{WATCH}.finish", done, changes="stage", to="rewarded")
    while not all(home.came and home.came[-1][1] > before for home in homes):
        if time.perf_counter() - begun > 30:
            raise RuntimeError("a dashboard was never told")
        await asyncio.sleep(0.01)
    return max(home.came[-1][0] for home in homes) - begun


def _busiest_second(moments: Sequence[float]) -> int:
    """How many of the moments lie within 0.95 seconds of each other, at most."""
    return max(
        (sum(start <= moment < start + 0.95 for moment in moments) for start in moments), default=0
    )
