"""What many ask for in the same moment, read for all of them here once a second at most."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from rewards_app.core.errors import DomainError

FRESH_FOR_SECONDS = 1.0
Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass
class _Known:
    value: Any = None
    read_at: float = float("-inf")
    edition: int = 0
    failure: DomainError | None = None
    one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)


class Shared(Generic[Key, Value]):
    """Whoever asks while somebody reads waits for that."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.edition = 0
        """Grows when what is read has changed."""
        self._known: dict[Key, _Known] = {}

    async def note_change(self, _key: str = "") -> None:
        self.edition += 1

    async def of(self, key: Key, read: Callable[[], Awaitable[Value]]) -> Value:
        known = self._known.get(key) or self._begin(key)
        async with known.one_at_a_time:
            if self._is_old(known):
                await self._read(known, read)
            if known.failure:
                raise known.failure
            return cast(Value, known.value)

    def _begin(self, key: Key) -> _Known:
        """What nobody has asked for of late is let go: it may be of a day that is over."""
        self._known = {
            other: known
            for other, known in self._known.items()
            if known.one_at_a_time.locked() or not self._is_late(known)
        }
        return self._known.setdefault(key, _Known())

    async def _read(self, known: _Known, read: Callable[[], Awaitable[Value]]) -> None:
        """Whoever waited for it shares a failure, too: none of them asks again at once."""
        if known.failure and not self._is_late(known):
            return
        # Before reading: what changes meanwhile is read next time.
        edition, known.failure = self.edition, None
        try:
            known.value, known.edition = await read(), edition
        except DomainError as failure:
            known.failure = failure
        known.read_at = self._clock()

    def _is_old(self, known: _Known) -> bool:
        return self._is_late(known) or known.edition != self.edition

    def _is_late(self, known: _Known) -> bool:
        return self._clock() - known.read_at >= FRESH_FOR_SECONDS

    def forget(self) -> None:
        """For tests, which share one process."""
        self._known.clear()
