"""A page that follows what everybody does looks again soon, and at most once a second."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from itertools import count, pairwise
from typing import Any

import pytest
import reflex as rx

from rewards_app.core import live, tabs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.database import transaction
from rewards_app.core.page import Page
from rewards_app.features.shell.follow_calls import FollowCalls
from tests import listeners
from tests.ads import the_player
from tests.review import an_admin
from tests.waiting import hears_the_others, until

ORDERS, STOCK = "orders_changed_here", "stock_changed_here"
PAGE = Page(
    "/admin",
    rx.fragment,
    "nav.admin",
    roles=frozenset({Role.ADMIN}),
    follows={ORDERS: ["look at orders"], STOCK: ["look at orders", "look at stock"]},
)

ALERTS = "alerts_changed_here"
FRAMES = {Role.ADMIN: {ALERTS: ["look at alerts"]}}


class Screens:
    """Stands in for the sockets of this worker: notes which tabs were asked for what, and when."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, list[str], list[Any]]] = []
        self.calls = FollowCalls(self, [PAGE], FRAMES)  # pyright: ignore[reportArgumentType]

    async def ask(self, tokens: Iterable[str], handlers: Iterable[Any]) -> None:
        # By the clock that was looked at: what comes after it may take its time.
        follower = max(self.calls.followers, key=lambda one: one.told_at)
        self.asked.append((follower.told_at, list(tokens), list(handlers)))


@pytest.fixture
async def screens(database: str) -> AsyncIterator[Screens]:
    with listeners.put_back():
        screens = Screens()
        works = (live.listen, live.tell, screens.calls.tell)
        running = [asyncio.create_task(one()) for one in works]
        await hears_the_others()
        yield screens
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    tabs.keep_only(())


def a_tab_at(path: str, actor: Actor, name: str) -> None:
    tabs.remember(Caller(tab=name, socket=f"socket {name}", session_hash=name), actor)
    tabs.show(name, path)


class TestFollowing:
    async def test_only_the_tabs_that_show_the_page_to_whom_it_is_for_are_asked(
        self, screens: Screens
    ):
        admin, player = await an_admin(), await the_player("Maja")
        a_tab_at("/admin", admin, "hers")
        a_tab_at("/", admin, "elsewhere")
        a_tab_at("/admin", player, "not for him")
        live.announce(ORDERS, "somebody")
        await until(lambda: screens.asked, within=3)
        [(_, tokens, handlers)] = screens.asked
        assert (tokens, handlers) == (["hers"], ["look at orders"])

    async def test_many_changes_are_one_look_a_second(self, screens: Screens):
        a_tab_at("/admin", await an_admin(), "hers")
        numbers = count()
        async with asyncio.timeout(30):
            while len(screens.asked) < 3:
                live.announce(ORDERS, str(next(numbers)))
                await asyncio.sleep(0.02)
        live.announce(ORDERS, "the last")
        await until(lambda: len(screens.asked) == 4, within=3)
        await asyncio.sleep(1.5)
        times = [at for at, _, _ in screens.asked]
        # Once more where the last was heard after all others.
        assert 4 <= len(times) <= 5
        assert min(later - earlier for earlier, later in pairwise(times)) >= 1

    async def test_a_handler_of_two_topics_runs_once(self, screens: Screens):
        a_tab_at("/admin", await an_admin(), "hers")
        live.announce(ORDERS)
        live.announce(STOCK)
        await until(lambda: screens.asked, within=3)
        assert screens.asked[0][2] == ["look at orders", "look at stock"]

    async def test_a_change_that_another_program_made_is_heard(self, screens: Screens):
        a_tab_at("/admin", await an_admin(), "hers")
        async with transaction() as session:
            await live.publish(session, STOCK)
        await until(lambda: screens.asked, within=3)


class TestAFrame:
    async def test_follows_on_whichever_page_of_theirs(self, screens: Screens):
        admin, player = await an_admin(), await the_player("Maja")
        a_tab_at("/admin", admin, "at the panel")
        a_tab_at("/gdpr", admin, "elsewhere")
        a_tab_at("/gdpr", player, "not for him")
        live.announce(ALERTS, "somebody")
        await until(lambda: len(screens.asked) == 2, within=3)
        await asyncio.sleep(0.5)
        asked = [(tokens, handlers) for _, tokens, handlers in screens.asked]
        assert asked == [
            (["at the panel"], ["look at alerts"]),
            (["elsewhere"], ["look at alerts"]),
        ]

    async def test_follows_where_the_page_shows_things_of_one_owner_only(self, screens: Screens):
        a_tab_at("/campaigns", await an_admin(), "hers")
        tabs.care("hers", "a company")
        live.announce(ALERTS, "somebody")
        await until(lambda: screens.asked, within=3)
        assert screens.asked[0][1:] == (["hers"], ["look at alerts"])
