"""Attempts counted in this process, where one worker is all there is.

The library looks through all that it knows at each attempt, and asks another thread about each
one: with a thousand players it would do little else. Here it does so once a minute.
"""

import asyncio
import time

from limits.aio.storage import MemoryStorage

SWEPT_EVERY_SECONDS = 60.0
SWEPT_AT_ONCE = 500
"""What is swept between two looks at whatever else waits."""


class SweptStorage(MemoryStorage):
    """Whether an attempt still counts is decided when it is asked: sweeping only saves memory."""

    def __init__(self) -> None:
        super().__init__()
        self._is_due_at = time.monotonic() + SWEPT_EVERY_SECONDS

    async def _MemoryStorage__schedule_expiry(self) -> None:
        """Called at each attempt, by the name that Python gives it."""
        if time.monotonic() >= self._is_due_at:
            self._is_due_at = time.monotonic() + SWEPT_EVERY_SECONDS
            self.timer = asyncio.create_task(self.sweep())

    async def give_back(self, key: str) -> None:
        """The newest attempt stands first."""
        if attempts := self.events.get(key):
            del attempts[0]

    async def sweep(self) -> None:
        """Forget attempts that count no more, and whoever made no other."""
        for number, key in enumerate(list(self.events)):
            if number % SWEPT_AT_ONCE == 0:
                await asyncio.sleep(0)
            if key in self.locks and self.locks[key].locked():
                continue
            now = time.time()
            self.events[key] = [one for one in self.events.get(key, ()) if one.expiry > now]
            if not self.events[key]:
                del self.events[key]
                self.locks.pop(key, None)
