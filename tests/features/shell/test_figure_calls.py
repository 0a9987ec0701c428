"""One change reaches every open dashboard within two seconds, counted once for all of them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from uuid import uuid4

import psycopg
import pytest

from rewards_app.core import live, tabs
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.dashboard.figures import SharedFigures
from rewards_app.features.dashboard.rules import Platform
from rewards_app.features.dashboard.service import RESTS_FOR_EACH_SECOND, PlatformCount
from rewards_app.features.shell.figure_calls import FigureCalls
from rewards_app.features.shop import service as shop
from tests import listeners
from tests.ads import NOON, an_ad, the_player, watches
from tests.paying import an_order, hears, is_paid_at
from tests.stripe_server import StripeServer
from tests.waiting import hears_the_others, until


class Screens:
    """Stands in for the sockets of this worker: notes what each tab was shown, and when."""

    def __init__(self) -> None:
        self.shown: dict[str, list[tuple[float, Platform]]] = {}

    async def change(self, tokens, kind, show: Callable) -> None:
        for token in tokens:
            screen = self.shown.setdefault(token, [])
            show(Tab(screen))

    def coins(self) -> dict[str, int]:
        return {token: seen[-1][1].coins for token, seen in self.shown.items()}

    def rewards(self) -> dict[str, int]:
        return {token: seen[-1][1].rewards for token, seen in self.shown.items()}


class Tab:
    def __init__(self, screen: list[tuple[float, Platform]]) -> None:
        self.screen = screen

    def _show_platform(self, platform: Platform) -> None:
        self.screen.append((time.monotonic(), platform))


class Counts:
    """The real count, counted."""

    def __init__(self) -> None:
        self.at: list[float] = []
        """By the clock that was looked at: what comes after it may take its time."""
        self.real = PlatformCount()

    def clock(self) -> float:
        self._read = time.monotonic()
        return self._read

    async def __call__(self, now: datetime) -> Platform:
        self.at.append(self._read)
        return await self.real.count(now)


def a_tab_at(path: str, player: Actor, name: str) -> None:
    tabs.remember(Caller(tab=name, socket=f"socket {name}", session_hash=name), player)
    tabs.show(name, path)


@pytest.fixture
def counts() -> Counts:
    return Counts()


@pytest.fixture
async def screens(database: str, counts: Counts) -> AsyncIterator[Screens]:
    screens = Screens()
    with listeners.put_back():
        calls = FigureCalls(
            screens,  # pyright: ignore[reportArgumentType]
            SharedFigures(counts, counts.clock),
            counts.real,
        )
        running = [asyncio.create_task(one()) for one in (live.listen, live.tell, calls.tell)]
        await hears_the_others()
        yield screens
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    tabs.keep_only(())


async def earns(player: Actor, amount: int = 15) -> None:
    async with transaction() as session:
        await coins.credit(session, player.user_id, amount, Kind.WELCOME, f"w:{uuid4()}", now=NOON)


class TestDashboards:
    async def test_all_show_a_finished_ad_within_two_seconds_and_it_is_counted_once(
        self, screens: Screens, counts: Counts
    ):
        maja, emil = await the_player("Maja"), await the_player("Emil")
        ad = await an_ad(reward=20)
        for number in range(50):
            a_tab_at("/", emil, f"dashboard {number}")
        await until(lambda: len(screens.shown) == 50)
        counts.at.clear()

        await watches(maja, ad, now=NOON)

        await until(lambda: set(screens.coins().values()) == {20})
        assert len(counts.at) == 1
        assert {len(seen) for seen in screens.shown.values()} == {2}

    @pytest.mark.parametrize("rest", [0, 3])
    async def test_show_an_order_that_cost_no_coins_and_its_refund(
        self, stripe: StripeServer, screens: Screens, counts: Counts, rest: int
    ):
        """Also one that comes while counting them rests, though nothing else happens."""
        a_tab_at("/", await the_player("Maja"), "hers")
        await until(lambda: bool(screens.shown))
        _, bought = await an_order(coins_used=0)
        await hears(stripe, await is_paid_at(stripe, bought))
        await until(lambda: screens.rewards() == {"hers": 1}, within=10)
        counts.real._took = rest / RESTS_FOR_EACH_SECOND
        async with transaction() as session:
            await shop.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
        await until(lambda: screens.rewards() == {"hers": 0}, within=10)

    async def test_are_refreshed_at_most_once_a_second_whatever_comes(
        self, screens: Screens, counts: Counts
    ):
        maja = await the_player("Maja")
        a_tab_at("/", maja, "hers")
        async with asyncio.timeout(30):
            while len(counts.at) < 3:
                await earns(maja)
        total = await coins.distributed()
        await until(lambda: screens.coins() == {"hers": total})
        gaps = [later - earlier for earlier, later in zip(counts.at, counts.at[1:], strict=False)]
        assert min(gaps) >= 1

    async def test_cost_nothing_while_none_is_open(self, screens: Screens, counts: Counts):
        maja = await the_player("Maja")
        a_tab_at("/watch", maja, "elsewhere")
        await earns(maja)
        await asyncio.sleep(1.5)
        assert (counts.at, screens.shown) == ([], {})

    async def test_are_told_nothing_when_nothing_is_different(
        self, screens: Screens, counts: Counts
    ):
        maja = await the_player("Maja")
        await earns(maja)
        a_tab_at("/", maja, "hers")
        await until(lambda: screens.coins() == {"hers": 15})
        await asyncio.sleep(0.3)
        counts.at.clear()
        async with transaction() as session:
            held = await coins.hold(session, maja.user_id, 5, "order:given-up", now=NOON)
            await coins.release(session, held, now=NOON)
        await until(lambda: len(counts.at) == 1)
        await asyncio.sleep(0.5)
        assert len(screens.shown["hers"]) == 1


class TestABrokenCount:
    async def test_leaves_what_is_shown_and_heals_by_itself(self, screens: Screens, database: str):
        maja = await the_player("Maja")
        await earns(maja)
        a_tab_at("/", maja, "hers")
        await until(lambda: screens.coins() == {"hers": 15})
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("alter table ad_views rename to ad_views_away")
            await earns(maja)
            await asyncio.sleep(2.5)
            assert screens.coins() == {"hers": 15}
            connection.execute("alter table ad_views_away rename to ad_views")
        await until(lambda: screens.coins() == {"hers": 30}, within=10)
