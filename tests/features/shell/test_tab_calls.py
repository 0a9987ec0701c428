"""What a worker's tabs are asked when it has heard nothing of others for a time."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from rewards_app.core import live, tabs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.features.dashboard.state import PlatformState
from rewards_app.features.guardians.state import GuardianState
from rewards_app.features.profile.moment_state import MomentState
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.shell.live import TabCalls
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.rewards_app import PAGES, actors, app
from tests.ads import the_actor, the_player
from tests.people import an_account


class Calls(TabCalls):
    """Notes what is asked instead of asking it over sockets."""

    def __init__(self) -> None:
        super().__init__(app, actors, PAGES)
        self.asked: dict[str, list[Any]] = {}

    async def ask(self, tokens: Iterable[str], handlers: Sequence[Any]) -> None:
        for token in tokens:
            self.asked.setdefault(token, []).extend(handlers)


@pytest.fixture
def calls(database: str) -> Iterator[Calls]:
    before = {topic: list(known) for topic, known in live._listeners.items()}
    yield Calls()
    tabs.keep_only(())
    live._listeners.clear()
    live._listeners.update(before)


def a_tab_at(path: str, actor: Actor) -> None:
    tabs.remember(Caller(tab=path, socket=f"socket {path}", session_hash=path), actor)
    tabs.show(path, path)


class TestAfterHearingNothing:
    @pytest.mark.parametrize(
        ("path", "wanted"),
        [
            ("/", {RestrictionState.load, PlatformState.refresh, MomentState.look}),
            ("/watch", {RestrictionState.load, MomentState.look}),
            ("/security", {SessionsState.refresh, MomentState.look}),
            ("/profile", {SessionsState.refresh, GuardianState.load, MomentState.look}),
            ("/gdpr", {GuardianState.load, MomentState.look}),
        ],
    )
    async def test_a_page_looks_again_at_what_others_decide(
        self, calls: Calls, path: str, wanted: set[Any]
    ):
        a_tab_at(path, await the_player("Maja"))
        await calls._on_taken_up("")
        assert wanted <= set(calls.asked[path])

    async def test_nobody_is_asked_for_what_is_on_anothers_page(self, calls: Calls):
        linnea = the_actor(await an_account("linnea@example.com", Role.ADMIN, name="Linnea"))
        a_tab_at("/", linnea)
        await calls._on_taken_up("")
        assert not {PlatformState.refresh, MomentState.look} & set(calls.asked["/"])

    @pytest.mark.parametrize(
        ("path", "wanted"),
        [
            ("/", {RestrictionState.load, PlatformState.refresh}),
            ("/watch", {RestrictionState.load}),
            ("/security", {SessionsState.refresh}),
            ("/profile", {SessionsState.refresh, GuardianState.load}),
            ("/gdpr", {GuardianState.load}),
        ],
    )
    def test_a_browser_whose_connection_is_back_asks_for_it(self, path: str, wanted: set[Any]):
        [page] = [one for one in PAGES if one.path == path and Role.PLAYER in one.roles]
        assert wanted <= set(page.renewals)
