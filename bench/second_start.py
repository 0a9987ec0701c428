"""How long a start takes when nothing changed: from `rewards run` until a state is connected."""

import time
from pathlib import Path
from statistics import median

from bench.report import Row
from bench.sites import Site, Sites

STARTS = 5
GOAL = 8.0


def measure(sites: Sites) -> list[Row]:
    site = sites.ours
    build = Path(site.environment["REFLEX_WEB_WORKDIR"], "built-from")
    before = build.stat().st_mtime_ns
    taken = [_seconds(site) for _ in range(STARTS)]
    was_built = before != build.stat().st_mtime_ns
    notes = f"median of {STARTS}, fastest {min(taken):.1f} s, until a socket is hydrated"
    if was_built:
        notes += "; a source changed meanwhile: it was built again"
    return [Row("second start", median(taken), "s", GOAL, notes)]


def _seconds(site: Site) -> float:
    begun = time.perf_counter()
    with site.started():
        return time.perf_counter() - begun
