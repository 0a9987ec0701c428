"""How long players are cut off when their worker is killed: each comes back as a browser does."""

import asyncio
import os
import random
import signal
import time
from contextlib import suppress
from statistics import median

from socketio.exceptions import SocketIOError

from bench.client import Refused, Tab, Unanswered, opened
from bench.clusters import Inside, inside
from bench.report import Row
from bench.watchers import APP

PLAYERS = 100
WORKERS = 2
ROUNDS = 3
SECONDS = 4.0
PRESSED_EVERY = 2.0
AFTER_A_FAILURE = 0.2
"""As Reflex's page does it: so much longer after each failure, at most ten times that."""
PATIENCE = 60.0
GOAL = 5.0


def measure(_: object) -> list[Row]:
    last: list[float] = []
    usual: list[float] = []
    cut = 0
    with inside(WORKERS, PLAYERS) as all_of_it:
        for number in range(ROUNDS):
            waits = asyncio.run(_failover(all_of_it, 1 + number % WORKERS))
            last.append(max(waits))
            usual.append(median(waits))
            cut += len(waits)
    return [
        Row(
            "a worker is killed: until the last of its players goes on",
            max(last),
            "s",
            GOAL,
            f"the worst of {ROUNDS} kills, median {median(usual):.2f} s; {cut} tabs of"
            f" {ROUNDS * PLAYERS} were cut and answered again under their own token",
        )
    ]


async def _failover(inside: Inside, number: int) -> list[float]:
    tabs = [Tab(inside.origin, "/watch", secret) for secret in inside.sessions]
    worker = inside.cluster.workers[number - 1]
    starts = worker.starts
    async with opened(tabs):
        await asyncio.sleep(2)
        asking = [asyncio.create_task(_use(tab)) for tab in tabs]
        await asyncio.sleep(1)
        killed_at = time.perf_counter()
        os.killpg(worker.pid, signal.SIGKILL)
        ends = await asyncio.gather(*asking)
    await asyncio.to_thread(inside.cluster.wait_for, number, starts=starts + 1)
    return [end - killed_at for end in ends if end]


async def _use(tab: Tab) -> float:
    """Press something now and then; the moment at which it works again, or 0 if it always did."""
    until = time.perf_counter() + SECONDS
    pressing = asyncio.create_task(_press(tab))
    try:
        while time.perf_counter() < until:
            if not tab.is_open:
                return await _return(tab)
            await asyncio.sleep(0.02)
        return 0.0
    finally:
        pressing.cancel()


async def _press(tab: Tab) -> None:
    """What is under way when the worker dies is never answered: the line tells."""
    codes = ["sv", "en"]
    await asyncio.sleep(random.uniform(0, PRESSED_EVERY))
    while True:
        codes.reverse()
        await tab.tell(f"{APP}.choose_language", {"code": codes[0]})
        await asyncio.sleep(PRESSED_EVERY)


async def _return(tab: Tab) -> float:
    deadline = time.perf_counter() + PATIENCE
    failures = 0
    while time.perf_counter() < deadline:
        again = Tab(tab.origin, tab.path, tab.session, token=tab.token)
        try:
            await again.open()
            code = "fr" if again.vars.get("language") == "de" else "de"
            await again.ask(f"{APP}.choose_language", {"code": code}, changes="language")
            if again.token != tab.token:
                raise RuntimeError("A tab was taken for a copy of itself, and lost its state.")
            return time.perf_counter()
        except (OSError, TimeoutError, SocketIOError, Unanswered, Refused):
            # As somebody does who reads that nothing was saved: it is tried again.
            failures = min(failures + 1, 10)
            await asyncio.sleep(AFTER_A_FAILURE * failures)
        finally:
            with suppress(Exception):
                await again.close()
    raise RuntimeError("A tab was never served again.")
