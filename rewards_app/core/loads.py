"""Which handlers fill a page: where one of them fails, the page has nothing to show."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from reflex_base.registry import RegistrationContext

from rewards_app.core.errors import StorageAway, StorageFull, Unexpected

TROUBLES = (StorageAway, StorageFull, Unexpected)
"""Ours alone: the same page may be there in a moment. What a rule refuses, the page says itself."""

_functions: set[Callable[..., Any]] = set()


def note(handlers: Iterable[Any]) -> None:
    """These fill pages: handlers, or handlers with their arguments."""
    for handler in handlers:
        _functions.add(inspect.unwrap(getattr(handler, "handler", handler).fn))


def is_one(function: Callable[..., Any]) -> bool:
    return inspect.unwrap(function) in _functions


def is_named(event: str) -> bool:
    registered = RegistrationContext.get().event_handlers.get(event)
    return registered is not None and is_one(registered.handler.fn)
