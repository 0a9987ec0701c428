"""500 players who watch at once on one worker: what another player feels, and what one ad costs."""

import asyncio
import time
from collections.abc import Sequence
from statistics import median, quantiles

from bench.client import ROOT, Tab, opened
from bench.report import Row
from bench.sites import Site, Sites

WATCHERS = 500
SECONDS = 30
AD_SECONDS = 30
EVENT_EVERY = 0.05
GOAL_P99 = 3.0
GOAL_MESSAGES = 6
APP = f"{ROOT}.rewards_app___core___state____app_state"
WATCH = f"{APP}.rewards_app___features___ads___state____watch_state"


def measure(sites: Sites) -> list[Row]:
    site = sites.ours
    with site.started():
        alone, among, messages, finished = asyncio.run(_measured(site, sites.sessions))
    return [
        Row(
            f"p99 of an event among {WATCHERS} watching / unloaded",
            _p99(among) / _p99(alone),
            "x",
            GOAL_P99,
            f"{_p99(among) * 1e3:.1f} ms / {_p99(alone) * 1e3:.1f} ms, medians"
            f" {median(among) * 1e3:.1f} / {median(alone) * 1e3:.1f} ms, {finished} ads finished",
        ),
        Row(
            f"messages for one {AD_SECONDS}-second ad",
            max(messages),
            "",
            GOAL_MESSAGES,
            f"the most of {len(messages)} players; median {median(messages):.0f}",
        ),
    ]


async def _measured(
    site: Site, sessions: Sequence[str]
) -> tuple[list[float], list[float], list[int], int]:
    tabs = [Tab(site.origin, "/watch", secret) for secret in sessions[: WATCHERS + 1]]
    async with opened(tabs) as (other, *watchers):
        await asyncio.sleep(3)
        alone = await _feel(other, SECONDS / 2)
        watching = [
            asyncio.create_task(_watch(tab, after=n * SECONDS / WATCHERS))
            for n, tab in enumerate(watchers)
        ]
        among = await _feel(other, 2 * SECONDS)
        messages = await asyncio.gather(*watching)
    finished = sum(tab.vars.get("stage") == "rewarded" for tab in watchers)
    return alone, among, messages, finished


async def _feel(tab: Tab, seconds: float) -> list[float]:
    """How long an event of this player takes, asked again and again."""
    waits: list[float] = []
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        code = "sv" if len(waits) % 2 else "en"
        begun = time.perf_counter()
        await tab.ask(f"{APP}.choose_language", {"code": code}, changes="language")
        waits.append(time.perf_counter() - begun)
        await asyncio.sleep(EVENT_EVERY)
    return waits


async def _watch(tab: Tab, *, after: float) -> int:
    """One ad from start to reward; how many messages the server sent for it."""
    await asyncio.sleep(after)
    ads = tab.vars["ads"]
    ad = next(ad for ad in ads if ad["seconds"] == AD_SECONDS)
    before = tab.messages
    asked = {"ad_id": ad["id"], "fingerprint": f"bench {id(tab)}"}
    running = await tab.ask(f"{WATCH}.start", asked, changes="running")
    await asyncio.sleep(AD_SECONDS + 0.15)
    done = {"session_id": running["session_id"], "watch_time": AD_SECONDS}
    await tab.ask(f"{WATCH}.finish", done, changes="stage", to="rewarded")
    await asyncio.sleep(2)
    return tab.messages - before


def _p99(waits: Sequence[float]) -> float:
    return quantiles(waits, n=100)[98]
