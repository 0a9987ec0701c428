"""Refusals that come in storms: counted in this worker, and told once a minute to who listens."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class What(StrEnum):
    LIMITED = "limited"
    DENIED = "denied"


STORMS_FROM: dict[What, int] = {What.LIMITED: 30, What.DENIED: 20}
"""As many refusals of the same caller within a minute are no mistake of a person or a page."""
A_MINUTE = 60.0
MOST_COUNTED = 20_000


@dataclass(frozen=True, slots=True)
class Storm:
    what: What
    name: str
    """The limit, or the handler that was called last."""
    who: tuple[str, ...]
    refusals: int


@dataclass(slots=True)
class _Count:
    begun: float
    refusals: int = 0


Listener = Callable[[Storm], None]
_listeners: list[Listener] = []
_counts: OrderedDict[tuple[What, tuple[str, ...]], _Count] = OrderedDict()


def on(listener: Listener) -> None:
    """Call `listener` when a storm has begun, and each further minute that it lasts."""
    _listeners.append(listener)


def note(what: What, name: str, *who: str) -> None:
    """Count one refusal of `who`."""
    now = time.monotonic()
    key = (what, who)
    count = _counts.get(key)
    if count is None or now - count.begun >= A_MINUTE:
        count = _counts[key] = _Count(now)
        _counts.move_to_end(key)
        while len(_counts) > MOST_COUNTED:
            _counts.popitem(last=False)
    count.refusals += 1
    if count.refusals == STORMS_FROM[what]:
        for listener in _listeners:
            listener(Storm(what, name, who, count.refusals))


def forget() -> None:
    """For tests, which share one process."""
    _counts.clear()
