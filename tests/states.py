"""States as the app holds them for one tab, and their handlers called as the gate calls them."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from reflex.istate.data import RouterData
from reflex.state import State

from rewards_app.core.actor import Actor
from rewards_app.core.gate import current_actor
from rewards_app.core.state import AppState


def a_page() -> Any:
    """The states of a new tab; each other one is found from it."""
    return State(_reflex_internal_init=True)


def at(page: Any, address: str) -> None:
    """Where the tab is: what its handlers read of the address."""
    path = address.split("?")[0]
    page.router = RouterData.from_router_data({"asPath": address, "pathname": path})


async def calls(handler: Any, state: Any, **arguments: Any) -> list[Any]:
    """What the handler answered, step by step."""
    found = handler.fn(state, **arguments)
    if hasattr(found, "__aiter__"):
        return [step async for step in found]
    return [await found]


def failing(failure: type[Exception]) -> Any:
    """In the place of what a handler calls."""

    async def fails(*_: Any, **__: Any) -> None:
        raise failure

    return fails


async def breaks(handler: Any, page: Any) -> bool:
    """Whether a page that opens says so, in the place of what the handler should have brought."""
    state = await page.get_state(State.get_class_substate(handler.state_full_name))
    app = await page.get_state(AppState)
    app._begin_opening()
    await calls(handler, state)
    return bool(app.page_fails or getattr(state, "has_failed", False))


@contextmanager
def acting(actor: Actor) -> Generator[Actor]:
    """Every handler is called by them."""
    before = current_actor.set(actor)
    try:
        yield actor
    finally:
        current_actor.reset(before)
