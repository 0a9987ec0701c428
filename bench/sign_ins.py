"""What people who are inside notice of twenty sign-ins a second, each with its argon2."""

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count, cycle
from pathlib import Path
from statistics import median
from uuid import uuid4

from bench import slowest
from bench.client import ROOT, Tab, opened
from bench.event_round_trip import CHOICES
from bench.report import Row
from bench.sites import Site, Sites
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine
from rewards_app.core.postgres import embedded
from rewards_app.core.settings import settings
from tests.people import PASSWORD, an_account

INSIDE = 40
A_SECOND = 20
DOORS = 100
"""Sign-ins come from as many browsers and addresses: one address has a limit of its own."""
ACCOUNTS = 20
ROUNDS = 5
SECONDS = 12.0
"""A round takes them twice: with nobody at the door, and with all."""
PATIENCE = 120.0
"""However long the queue of a busy machine grows, an answer comes: only a lost one does not."""
PAUSE = 0.2
GOAL = 2.0
APP = f"{ROOT}.rewards_app___core___state____app_state"
AUTH = f"{APP}.rewards_app___features___accounts___state____auth_state"


class Door(Tab):
    """A browser at the sign-in, with a cookie and an address of its own."""

    def __init__(self, origin: str, number: int) -> None:
        super().__init__(origin, "/auth?mode=login")
        self.number = number
        self.cookie = str(uuid4())
        self.turn = asyncio.Lock()
        """One sign-in after the other: a tab hears one answer at a time."""

    def _headers(self) -> dict[str, str]:
        address = f"10.9.{self.number // 250}.{self.number % 250 + 1}"
        return super()._headers() | {"Cookie": f"door={self.cookie}", "X-Forwarded-For": address}


@dataclass
class Waits:
    """Seconds, as somebody before a page counts them."""

    events: list[float] = field(default_factory=list)
    sign_ins: list[float] = field(default_factory=list)
    seconds: float = 0.0
    """Until the last sign-in was answered."""


def measure(sites: Sites) -> list[Row]:
    behind_a_proxy = sites.ours.environment | {"TRUSTED_PROXY_HOPS": "1"}
    site = replace(sites.ours, environment=behind_a_proxy)
    with site.started():
        emails = asyncio.run(_people(site))
        calm, busy = asyncio.run(_measured(site, sites.sessions[:INSIDE], emails))
    sign_ins = [seconds for one in busy for seconds in one.sign_ins]
    done = len(sign_ins) / sum(one.seconds for one in busy)
    return [
        slowest.row(
            f"p99 of an event, {A_SECOND} sign-ins a second / none",
            [one.events for one in busy],
            [one.events for one in calm],
            goal=GOAL,
            told=f"{INSIDE} players, {done:.1f} sign-ins a second done",
        ),
        Row(
            "sign-in with argon2 meanwhile, median",
            median(sign_ins) * 1e3,
            "ms",
            against=f"{len(sign_ins)} sign-ins, the slowest {max(sign_ins) * 1e3:.0f} ms",
        ),
    ]


async def _people(site: Site) -> list[str]:
    os.environ["DATABASE_URL"] = embedded.url_of_running(Path(site.environment["DATA_DIR"]))
    settings.cache_clear()
    try:
        emails = [f"signing-in-{uuid4().hex[:8]}@example.com" for _ in range(ACCOUNTS)]
        for email in emails:
            await an_account(email, now=utc_now())
        return emails
    finally:
        await dispose_engine()


async def _measured(
    site: Site, secrets: Sequence[str], emails: Sequence[str]
) -> tuple[list[Waits], list[Waits]]:
    """Of each round, without sign-ins and with them."""
    players = (Tab(site.origin, "/", secret) for secret in secrets)
    outside = [Door(site.origin, number) for number in range(DOORS)]
    async with opened(players) as inside, opened(outside):
        await _events(inside, Waits(), 2.0)
        calm, busy = ([Waits() for _ in range(ROUNDS)] for _ in range(2))
        for quiet, crowded in zip(calm, busy, strict=True):
            await _events(inside, quiet, SECONDS)
            await asyncio.gather(
                _events(inside, crowded, SECONDS), _sign_ins(outside, emails, crowded, SECONDS)
            )
    return calm, busy


async def _events(tabs: Sequence[Tab], waits: Waits, seconds: float) -> None:
    until = time.perf_counter() + seconds

    async def play(tab: Tab, number: int) -> None:
        # Not all at the same moment: people are not in step.
        await asyncio.sleep(PAUSE * number / len(tabs))
        for handler, payload, changes in cycle(CHOICES):
            begun = time.perf_counter()
            if begun >= until:
                return
            await tab.ask(handler, payload, changes=changes)
            waits.events.append(time.perf_counter() - begun)
            await asyncio.sleep(PAUSE)

    await asyncio.gather(*(play(tab, number) for number, tab in enumerate(tabs)))


async def _sign_ins(
    tabs: Sequence[Door], emails: Sequence[str], waits: Waits, seconds: float
) -> None:
    """At an even pace, whether those before are done or not."""
    begun = time.perf_counter()
    running: list[asyncio.Task[None]] = []
    for number, tab, email in zip(count(), cycle(tabs), cycle(emails), strict=False):
        due = begun + number / A_SECOND
        if due >= begun + seconds:
            break
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        running.append(asyncio.create_task(_sign_in(tab, email, waits)))
    await asyncio.gather(*running)
    waits.seconds = time.perf_counter() - begun


async def _sign_in(tab: Door, email: str, waits: Waits) -> None:
    begun = time.perf_counter()
    form = {"form": {"email": email, "password": PASSWORD}}
    async with tab.turn:
        door = await tab.ask(f"{AUTH}.sign_in", form, changes="door", within=PATIENCE)
    if "ticket=" not in door:
        raise RuntimeError(f"No ticket came of a sign-in, but {door!r}.")
    waits.sign_ins.append(time.perf_counter() - begun)
