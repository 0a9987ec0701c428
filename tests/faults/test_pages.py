"""The database is away while pages open: each says so, and has its content once it is back."""

import asyncio
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from reflex.istate.data import RouterData
from reflex.state import State
from structlog.testing import capture_logs

from rewards_app.core.actor import EVERY_ROLE, Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.gate import current_actor, current_caller
from rewards_app.core.page import Page
from rewards_app.core.state import AppState
from rewards_app.features.dashboard.state import PasswordState
from rewards_app.i18n.languages import OF_ONE_LANGUAGE
from rewards_app.rewards_app import PAGES
from tests.ads import the_actor
from tests.people import a_browser, an_account
from tests.servers import OwnServer, soon_given_up
from tests.states import a_page, acting, breaks

NEEDS_NOTHING = {"/auth", "/mailed", "/keep-factor", "/waitlist", "/landing", "/", *OF_ONE_LANGUAGE}
"""What visitors see there stands in the document; what their links carry is looked up later."""


def viewers(page: Page) -> list[Role | None]:
    return [*sorted(EVERY_ROLE & page.roles), *([None] if page.visitors else [])]


async def an_actor(role: Role) -> Actor:
    return the_actor(await an_account(f"{role}@example.com", role, now=utc_now()))


async def opens(root: Any, path: str, actor: Actor | None) -> AppState:
    """As a tab does: the page is entered, and all that it loads is loaded."""
    root.router = RouterData.from_router_data(
        {"asPath": path, "pathname": path, "headers": {"origin": "http://localhost:8300"}}
    )
    current_actor.set(actor)
    current_caller.set(a_browser())
    app = await root.get_state(AppState)
    await runs(root, AppState.enter)
    return app


async def runs(root: Any, handler: Any) -> None:
    """The handler, and whatever it asks for afterwards."""
    is_bare = hasattr(handler, "fn")
    called = handler if is_bare else handler.handler
    given = [] if is_bare else handler.args
    arguments = {str(name): value._var_value for name, value in given}
    owner = await root.get_state(State.get_class_substate(called.state_full_name))
    found = called.fn(owner, **arguments)
    steps = [step async for step in found] if hasattr(found, "__aiter__") else [await found]
    for step in steps:
        for follower in step if isinstance(step, list | tuple) else [step]:
            if hasattr(follower, "fn") or hasattr(follower, "handler"):
                await runs(root, follower)


def says_it_failed(root: Any) -> bool:
    return any(_states_say(root))


def _states_say(state: Any) -> Iterator[bool]:
    yield bool(getattr(state, "page_fails", False) or getattr(state, "has_failed", False))
    for part in state.substates.values():
        yield from _states_say(part)


@contextmanager
def without_the_age_of_passwords(server: OwnServer) -> Generator[None]:
    """Fails at once: a server that is away is waited for."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("alter table accounts rename column password_changed_at to elsewhere")
        try:
            yield
        finally:
            connection.execute(
                "alter table accounts rename column elsewhere to password_changed_at"
            )


class TestAPage:
    async def test_that_cannot_be_loaded_says_so_whoever_opens_it(self, own_server: OwnServer):
        people = {role: await an_actor(role) for role in EVERY_ROLE}
        opened = [(page, role) for page in PAGES if page.on_load for role in viewers(page)]
        silent = []

        async def tries(page: Page, role: Role | None) -> None:
            root: Any = State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue]
            app = await opens(root, page.path, people[role] if role else None)
            is_whole = role is None and page.path in NEEDS_NOTHING
            if not is_whole and not says_it_failed(root) and not app.notice:
                silent.append((page.path, role))

        with own_server.away(), soon_given_up():
            await asyncio.gather(*(tries(page, role) for page, role in opened))
        assert not silent, "\n".join(f"{path} {role}" for path, role in silent)

    async def test_stays_whole_where_only_the_age_of_the_password_is_unknown(
        self, own_server: OwnServer
    ):
        maja = the_actor(await an_account("maja@example.com", now=utc_now()))
        page = a_page()
        banner = await page.get_state(PasswordState)
        banner.days_left = 3
        with acting(maja), without_the_age_of_passwords(own_server), capture_logs() as logged:
            assert not await breaks(PasswordState.check, page)
        assert (banner.days_left, banner.is_expired, banner.notice) == (3, False, {})
        noted = [(line["event"], line["log_level"]) for line in logged]
        assert ("password_age.not_checked", "error") in noted
