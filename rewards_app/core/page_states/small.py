"""Pages' states take no more of a worker's memory than what happened to them.

A page has all states of the app, some ninety, and Reflex gives each of them two sets for what has
changed: half of what the states of an open tab take. Most are never changed, or are at rest.
"""

from types import MemberDescriptorType
from typing import Any

from reflex.state import BaseState

SETS = ("dirty_vars", "dirty_substates")
_read = BaseState.dict


class _MadeWhenNeeded:
    """A set of each state in its own place, where nothing is kept while it is empty."""

    def __init__(self, place: MemberDescriptorType) -> None:
        self._place = place

    def __get__(self, state: BaseState | None, of: type[BaseState] | None = None) -> Any:
        if state is None:
            return self
        found = self._place.__get__(state)
        if found is None:
            found = set[str]()
            self._place.__set__(state, found)
        return found

    def __set__(self, state: BaseState, names: set[str]) -> None:
        self._place.__set__(state, names or None)

    def keep_no_empty_one(self, state: BaseState) -> None:
        self.__set__(state, self._place.__get__(state))


def keep_states_small() -> None:
    """To be said before there is an app."""
    if BaseState.dict is not _read:
        return
    base: Any = BaseState
    for name in SETS:
        setattr(base, name, _MadeWhenNeeded(vars(BaseState)[name]))
    base.dict = _read_and_rest


def _read_and_rest(state: BaseState, *how: Any, **more: Any) -> dict[str, Any]:
    """All that a page shows is read once when it opens, and each state is asked what has changed:
    to have been asked is no reason to keep a set."""
    found = _read(state, *how, **more)
    for name in SETS:
        vars(BaseState)[name].keep_no_empty_one(state)
    return found
