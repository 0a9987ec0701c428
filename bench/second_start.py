"""How long a start takes when nothing changed: from `rewards run` until a state is connected."""

import time
from statistics import median

from bench.report import Row
from bench.sites import Site, Sites

STARTS = 3
GOAL = 8.0


def measure(sites: Sites) -> list[Row]:
    taken = [_seconds(sites.ours) for _ in range(STARTS)]
    return [Row("second start", median(taken), "s", GOAL, f"median of {STARTS}, hydrated socket")]


def _seconds(site: Site) -> float:
    begun = time.perf_counter()
    with site.started():
        return time.perf_counter() - begun
