"""A bad day of the whole app: two workers, their sockets and webhooks, on servers that fail."""

import asyncio
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, LiteralString

import httpx
import psycopg
from socketio.exceptions import SocketIOError

from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from tests.beside import beside
from tests.chaos.faults import MADE
from tests.chaos.plan import Fault
from tests.chaos.world import World
from tests.hostile.client import SESSION, SHOP, WATCH, Browser, Tab
from tests.hostile.identities import (
    VISITOR,
    Person,
    a_new_email,
    a_visitor,
    signs_in,
    the_one_who_is,
)
from tests.hostile.watching import starts_the_shortest
from tests.hostile.workers import workers_of
from tests.ledger import what_is_wrong
from tests.people import an_account
from tests.serving import Served, serving
from tests.shop import THE_PACKAGE
from tests.stripe_server import Delivery

STORM = Delivery(late=1.0, times=5, is_shuffled=True)
SHAKES = ("the database crashes", "the database resets", "redis is killed", "redis forgets")
A_WHILE = 90.0
GIVEN = (
    *("DATABASE_URL", "REDIS_URL", "SMTP_PORT", "SECRET_KEY"),
    *("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE"),
)
BETWEEN = (AssertionError, SocketIOError, TimeoutError, OSError, httpx.HTTPError)
"""What a browser meets while nobody serves it: it tries again."""


@contextmanager
def served_on(world: World) -> Iterator[Served]:
    """The production build with two workers, on the world's servers and behind its proxies."""
    world.begin_anew()
    known = world.environment
    given = {name: known[name] for name in GIVEN}
    with serving(world.folder / "whole", GRANIAN_WORKERS="2", **given) as served:
        world.workers.ask("found")
        world.stripe.webhook_url = f"{served.url}/webhooks/stripe"
        yield served


@dataclass
class WholeDay:
    """One player watches and buys, two others stay and leave, and things go wrong meanwhile."""

    world: World
    served: Served
    chance: random.Random

    async def is_lived(self) -> dict[str, list[str]]:
        player = await the_one_who_is("player", self.served)
        stays, leaves = [await self._a_newcomer(name) for name in ("eva", "liam")]
        async with leaves.browser.tab("/") as tab:
            await tab.call(f"{SESSION}.sign_out")
        async with player.tab("/shop") as tab:
            await buys_by_card(tab)
        order = self.world.stripe.newest_session["id"]
        async with player.tab("/watch") as tab:
            view = await starts_the_shortest(tab)
        await asyncio.gather(asyncio.to_thread(self._goes_wrong), self._is_paid(order))
        await asyncio.to_thread(self.world.heal)
        await self._is_credited(player, view)
        wrong = {
            "an order that was paid is not delivered": await self._is_delivered(order),
            "who stayed is not who they were": await self._is_known(stays, stays.email),
            "who left is still here": await self._is_known(leaves, ""),
            "a view was not paid once": self._ask(
                "select count(*)::text from coin_entries where cause = %s having count(*) <> 1",
                f"ad:{view}",
            ),
        } | what_is_wrong(self.world.url)
        return {promise: rows for promise, rows in wrong.items() if rows}

    async def _a_newcomer(self, name: str) -> Person:
        """With an account of this day alone: no other one is theirs by chance."""
        email = a_new_email(name)
        async with beside(self.served):
            await an_account(email, name=name.title(), now=utc_now())
        return Person(email, name.title(), await signs_in(await a_visitor(self.served), email))

    def _goes_wrong(self) -> None:
        for what in self.chance.sample(SHAKES, len(SHAKES)):
            fault = Fault(what, 0, 1, self.chance.random())
            begins, ends = MADE[what]
            begins(self.world, fault)
            self._kills_a_worker()
            time.sleep(1)
            ends(self.world, fault)
            time.sleep(1)

    def _kills_a_worker(self) -> None:
        if found := workers_of(self.served):
            os.kill(self.chance.choice(found), 9)

    async def _is_paid(self, order: str) -> None:
        """Stripe tells of it five times, whoever listens."""
        self.world.stripe.delivery = STORM
        await asyncio.to_thread(self.world.stripe.pay, order)

    async def _is_credited(self, player: Browser, view: str) -> None:
        async def asks() -> bool:
            async with player.tab("/watch") as tab:
                asked = {"session_id": view, "watch_time": 60}
                await tab.tell(f"{WATCH}.ask_again", asked)
                await tab.until(lambda: tab.says("stage") == "rewarded", 2)
            return True

        await _at_last(asks)

    async def _is_delivered(self, order: str) -> list[str]:
        """Stripe goes on telling; and a job asks by itself."""
        query: LiteralString = (
            "select purchases.status from purchases join payments on subject_id = purchases.id"
            " where checkout_id = %s"
        )
        deadline = time.monotonic() + A_WHILE
        while (found := self._ask(query, order)) != ["completed"] and time.monotonic() < deadline:
            await asyncio.to_thread(
                self.world.stripe.deliver, *self.world.stripe.undelivered, times=2
            )
            await asyncio.sleep(1)
        return [] if found == ["completed"] else [f"{order} is {found}"]

    async def _is_known(self, person: Person, email: str) -> list[str]:
        """Their own page names them; a visitor's names nobody."""

        async def asks() -> tuple[str, str]:
            async with person.browser.tab("/") as tab:
                return tab.says("role"), tab.says("email")

        wanted = ("player" if email else VISITOR, email)
        found = await _at_last(asks)
        return [] if found == wanted else [f"{found} instead of {wanted}"]

    def _ask(self, query: LiteralString, *values: str) -> list[str]:
        with psycopg.connect(self.world.url) as connection:
            return [row[0] for row in connection.execute(query, values)]


async def buys_by_card(tab: Tab) -> None:
    asked: dict[str, Any] = {
        "currency_id": "vbucks",
        "package_id": THE_PACKAGE,
        "coins": 0,
        "attempt": str(new_id()),
    }
    await tab.call(f"{SHOP}.purchase", asked)


async def _at_last(asks: Callable[[], Any]) -> Any:
    """As a browser does it: once more, until it is served."""
    deadline = time.monotonic() + A_WHILE
    while time.monotonic() < deadline:
        with suppress(*BETWEEN):
            return await asks()
        await asyncio.sleep(0.5)
    return await asks()
