"""Reflex's own events: the gate lets them through by name, if they carry what pages send."""

import time
from collections.abc import Callable
from typing import Any

from reflex.state import State
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event import Event

LONGEST_STORED = 2_000
LONGEST_REPORT = 2_000
MOST_VARS = 40
REPORTS_A_MINUTE = 20

_STATE = "reflex___state____state"
_HYDRATION = f"{_STATE}.hydrate_and_load"
_ON_LOAD = f"{_STATE}.reflex___state____on_load_internal_state"
_STORAGE = f"{_STATE}.reflex___state____update_vars_internal_state"
_FAILURES = f"{_STATE}.reflex___state____frontend_event_exception_state"

REPORT = f"{_FAILURES}.handle_frontend_exception"
"""A page's own failure; when many fail at once, that is nobody's attack."""

Payload = dict[str, Any]


def is_sane(event: Event) -> bool:
    """Whether the event may pass; what browsers stored under unknown names is taken out."""
    payload: Any = event.payload
    return isinstance(payload, dict) and OWN[event.name](payload)


def is_opening(event: Event) -> bool:
    """A page opened its socket, for the first time or again."""
    return event.name == _HYDRATION


def is_return(event: Event) -> bool:
    """A page that was cut off is here again; one that opens tells what it was built with."""
    payload: Any = event.payload
    tells_its_build = isinstance(payload, dict) and bool(payload.get("hashes"))
    return is_opening(event) and not tells_its_build


def comes_back(auth: Any) -> bool:
    """As `is_return`, by what a socket brings along when it opens."""
    event: Any = auth.get("event") if isinstance(auth, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(event, dict) or event.get("name") != _HYDRATION:  # pyright: ignore[reportUnknownMemberType]
        return False
    payload: Any = event.get("payload")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return isinstance(payload, dict) and not payload.get("hashes")  # pyright: ignore[reportUnknownMemberType]


def _is_empty(payload: Payload) -> bool:
    return not payload


def _is_flag(payload: Payload) -> bool:
    return payload.keys() == {"value"} and isinstance(payload["value"], bool)


def _is_hydration(payload: Payload) -> bool:
    hashes = payload.get("hashes") or []
    return (
        payload.keys() <= {"vars", "hashes"}
        and isinstance(hashes, list)
        and all(isinstance(found, str) for found in hashes)
        and (payload.get("vars") is None or _keep_known(payload))
    )


def _is_storage(payload: Payload) -> bool:
    return payload.keys() == {"vars"} and _keep_known(payload)


def _keep_known(payload: Payload) -> bool:
    stored = payload["vars"]
    if not isinstance(stored, dict) or len(stored) > MOST_VARS:
        return False
    payload["vars"] = {
        name: value
        for name, value in stored.items()
        if isinstance(value, str) and len(value) <= LONGEST_STORED and _is_stored_by_browsers(name)
    }
    return True


def _is_stored_by_browsers(name: object) -> bool:
    if not isinstance(name, str):
        return False
    state_name, _, var_name = name.rpartition(".")
    try:
        owner = State.get_class_substate(state_name)
    except ValueError:
        return False
    return owner._is_client_storage(var_name.removesuffix(FIELD_MARKER))


def _is_report(payload: Payload) -> bool:
    """A page's own failure: cut to a length that a log can bear, and only so many a minute."""
    if payload.keys() != {"info", "component_stack"}:
        return False
    if not all(isinstance(part, str) for part in payload.values()):
        return False
    payload.update({name: part[:LONGEST_REPORT] for name, part in payload.items()})
    return _reports.has_room()


class _Reports:
    """How many failures pages reported in this minute."""

    def __init__(self) -> None:
        self.minute, self.count = 0, 0

    def has_room(self) -> bool:
        minute = int(time.monotonic() // 60)
        self.count = self.count + 1 if minute == self.minute else 1
        self.minute = minute
        return self.count <= REPORTS_A_MINUTE


_reports = _Reports()

OWN: dict[str, Callable[[Payload], bool]] = {
    f"{_STATE}.hydrate": _is_empty,
    _HYDRATION: _is_hydration,
    f"{_STATE}.set_is_hydrated": _is_flag,
    f"{_ON_LOAD}.on_load_internal": _is_empty,
    f"{_ON_LOAD}.set_is_hydrated": _is_flag,
    f"{_STORAGE}.update_vars_internal": _is_storage,
    REPORT: _is_report,
}
"""They move page state around and reach none of ours."""
