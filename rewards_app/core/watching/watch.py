"""What this process counts and times, for whoever operates it: by kind, never by person."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from prometheus_client import Counter, Histogram

from rewards_app.core.watching import traces

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

EVENTS = Histogram(
    "watchcoins_event_seconds",
    "How long handlers of pages take.",
    ["handler"],
    buckets=SECONDS,
)
REFUSALS = Counter("watchcoins_refusals", "What people were told instead.", ["code"])
BROKEN = Counter("watchcoins_broken", "Defects: what no rule of ours refused.", ["where"])
REQUESTS = Histogram(
    "watchcoins_http_seconds",
    "How long HTTP answers take.",
    ["method", "route", "status"],
    buckets=SECONDS,
)
WEBHOOKS = Counter("watchcoins_webhooks", "What the payment provider sent.", ["outcome"])
PROVIDER_FAILURES = Counter(
    "watchcoins_provider_failures", "What the payment provider did not answer.", ["reason"]
)
JOBS = Histogram(
    "watchcoins_job_seconds",
    "How long jobs take.",
    ["job", "outcome"],
    buckets=(0.05, 0.25, 1, 5, 30, 120, 600, 3600),
)

role: ContextVar[str] = ContextVar("role", default="visitor")
"""Whose event this is; the gate knows."""


class Run:
    """One run of a page's handler. A generator would cost each event more than what it does."""

    __slots__ = ("_begun", "_handler", "_span")

    def __init__(self, handler: str) -> None:
        self._handler = handler

    def __enter__(self) -> None:
        self._begun = time.perf_counter()
        self._span = traces.span(f"event {self._handler}", "server", watchcoins__role=role.get())
        self._span.__enter__()

    def __exit__(self, *failure: Any) -> None:
        self._span.__exit__(*failure)
        _seconds_of(self._handler).observe(time.perf_counter() - self._begun)


@cache
def _seconds_of(handler: str) -> Histogram:
    """Handlers are as many as we wrote."""
    return EVENTS.labels(handler)


@contextmanager
def job(name: str) -> Generator[None]:
    """One run of a job."""
    begun, outcome = time.perf_counter(), "failed"
    try:
        with traces.span(f"job {name}", "consumer"):
            yield
        outcome = "done"
    finally:
        JOBS.labels(name, outcome).observe(time.perf_counter() - begun)
