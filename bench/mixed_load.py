"""How long an event takes while everybody reads, watches and buys, at 60% of what is possible."""

import asyncio
import os
import random
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import chain
from statistics import median
from typing import LiteralString
from uuid import UUID

from bench import slowest
from bench.client import Refused, Tab, opened
from bench.clusters import Inside, inside
from bench.report import Row
from bench.shop_events import SHOP
from bench.watchers import WATCH
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, rows, transaction
from rewards_app.core.ids import new_id
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.shop.catalogue import CATALOGUE
from tests.ads import an_ad
from tests.shop import THE_PACKAGE, stock

WORKERS = 2
PLAYERS = 160
AT_ONCE = 32
"""Whoever measures what is possible has so many of them press at every moment, one after the other:
what each does is what it does under load, too."""
READING, WATCHING = 0.70, 0.25
"""The rest buys."""
OF_WHAT_IS_POSSIBLE = 0.6
SECONDS = float(os.environ.get("BENCH_SECONDS", "30"))
ROUNDS = 5
UNLOADED = 300
AD_SECONDS = 5
COINS = 100_000
CODES = 20_000
GOAL = 3.0
CURRENCY = CATALOGUE[0]
WAITING: LiteralString = """
select count(*) from procrastinate_jobs
where status in ('todo', 'doing') and (scheduled_at is null or scheduled_at <= now())
"""


@dataclass(slots=True)
class Player:
    """A tab, and how far its ad is: what it does next takes one event."""

    tab: Tab
    ad: str
    is_busy: bool = False
    view: str = ""
    started_at: float = 0.0
    package: int = 0
    waits: list[float] = field(default_factory=list)

    async def do(self) -> None:
        chance = random.random()
        begun = time.perf_counter()
        try:
            await (self._read() if chance < READING else self._act(chance))
        except Refused:
            # Who has watched enough for a while is told so: that is an answer, too.
            self.view = ""
        self.waits.append(time.perf_counter() - begun)

    def _act(self, chance: float) -> Coroutine[None, None, None]:
        return self._watch() if chance < READING + WATCHING else self._buy()

    async def _read(self) -> None:
        """Another package is looked at: its price, the stock, what coins make of it."""
        self.package = 1 + self.package % 3
        chosen = {"package_id": CURRENCY.packages[self.package].id}
        await self.tab.ask(f"{SHOP}.choose_package", chosen, changes="attempt")

    async def _watch(self) -> None:
        """An ad is begun, or finished where its time is over; while it runs, the page is read."""
        if not self.view:
            asked = {"ad_id": self.ad, "fingerprint": f"bench {id(self)}"}
            running = await self.tab.ask(f"{WATCH}.start", asked, changes="running")
            self.view, self.started_at = running["session_id"], time.perf_counter()
        elif time.perf_counter() - self.started_at > AD_SECONDS + 0.2:
            done = {"session_id": self.view, "watch_time": AD_SECONDS}
            self.view = ""
            await self.tab.ask(f"{WATCH}.finish", done, changes="stage", to="rewarded")
        else:
            await self._read()

    async def _buy(self) -> None:
        wish = {"currency_id": CURRENCY.id, "package_id": THE_PACKAGE, "coins": 89}
        await self.tab.ask(f"{SHOP}.purchase", wish | {"attempt": str(new_id())}, changes="done")


def measure(_: object) -> list[Row]:
    with inside(WORKERS, PLAYERS) as all_of_it:
        capacity, alone, loaded, offered = asyncio.run(_measured(all_of_it))
    return [
        slowest.row(
            f"p99 of an event at {OF_WHAT_IS_POSSIBLE:.0%} of capacity / unloaded",
            loaded,
            alone,
            goal=GOAL,
            told=f"half of all take {_usual(loaded):.1f} / {_usual(alone):.1f} ms at most;"
            f" {offered:.0f} of {capacity:.0f} events a second, {WORKERS} workers, {PLAYERS}"
            f" players who read ({READING:.0%}), watch ({WATCHING:.0%}) and buy",
        )
    ]


def _usual(rounds: slowest.Rounds) -> float:
    return median(chain.from_iterable(rounds)) * 1e3


async def _measured(inside: Inside) -> tuple[float, list[list[float]], list[list[float]], float]:
    """What is possible, and of each round what events took one at a time and at that rate."""
    ad = await _furnished(inside)
    tabs = [Tab(inside.origin, "/shop", secret) for secret in inside.sessions]
    async with opened(tabs):
        await asyncio.sleep(5)
        players = [Player(tab, ad) for tab in tabs]
        await _one_at_a_time(players)
        await _all_is_done()
        capacity = await _without_a_pause(players)
        offered = OF_WHAT_IS_POSSIBLE * capacity
        alone, loaded = list[list[float]](), list[list[float]]()
        for _round in range(ROUNDS):
            await asyncio.sleep(3)
            alone.append(await _one_at_a_time(players))
            await _all_is_done()
            loaded.append(await _at_a_rate(players, offered))
            await _all_is_done()
    return capacity, alone, loaded, offered


async def _furnished(inside: Inside) -> str:
    """An ad, codes enough, and coins for everybody."""
    ad = await an_ad(seconds=AD_SECONDS, reward=15)
    for _ in range(CODES // 1000):
        await stock(1000, THE_PACKAGE)
    async with transaction() as session:
        for account in await _accounts():
            await coins.credit(
                session, account, COINS, Kind.WELCOME, f"bench:{account}", now=utc_now()
            )
    await dispose_engine()
    return str(ad.id)


async def _accounts() -> list[UUID]:
    async with transaction() as session:
        found = await rows(session, "select id from accounts where email like 'player%%'", {})
    return [row[0] for row in found]


async def _one_at_a_time(players: Sequence[Player]) -> list[float]:
    for number in range(UNLOADED):
        await players[number % len(players)].do()
    return _taken(players)


async def _without_a_pause(players: Sequence[Player]) -> float:
    """Events a second when somebody presses as soon as somebody else was answered, and what follows
    from them by itself, letters and receipts, is done, too: so many can go on for ever."""
    begun = time.perf_counter()

    async def press() -> None:
        while time.perf_counter() - begun < SECONDS / 2:
            await _pressed(random.choice([player for player in players if not player.is_busy]))

    await asyncio.gather(*(press() for _ in range(AT_ONCE)))
    await _all_is_done()
    return len(_taken(players)) / (time.perf_counter() - begun)


async def _all_is_done() -> None:
    waiting = 1
    while waiting:
        await asyncio.sleep(0.1)
        async with transaction() as session:
            waiting = (await rows(session, WAITING, {}))[0][0]
    await dispose_engine()


async def _at_a_rate(players: Sequence[Player], rate: float) -> list[float]:
    """Events at random moments, so many a second on average, whether others wait or not."""
    until = time.perf_counter() + SECONDS
    under_way: set[asyncio.Task[None]] = set()
    due = time.perf_counter()
    while due < until:
        due += random.expovariate(rate)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        free = [player for player in players if not player.is_busy]
        # Everybody waits already: whoever comes now would wait as long, so the wait is not lost.
        player = random.choice(free or list(players))
        task = asyncio.create_task(_pressed(player))
        under_way.add(task)
        task.add_done_callback(under_way.discard)
    await asyncio.gather(*under_way)
    return _taken(players)


async def _pressed(player: Player) -> None:
    while player.is_busy:
        await asyncio.sleep(0.005)
    player.is_busy = True
    try:
        await player.do()
    finally:
        player.is_busy = False


def _taken(players: Sequence[Player]) -> list[float]:
    waits = [wait for player in players for wait in player.waits]
    for player in players:
        player.waits.clear()
    return waits
