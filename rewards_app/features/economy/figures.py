"""The economy counted once for all tabs of this worker, at most every ten seconds."""

import asyncio
import time
from collections.abc import Callable

from rewards_app.core.clock import utc_now
from rewards_app.features.economy.rules import Period
from rewards_app.features.economy.service import Books, Economy

AT_MOST_EVERY_SECONDS = 10.0


class SharedEconomy:
    """Counts when somebody asks and what is known is old; whoever asks meanwhile waits for it."""

    def __init__(self, books: Books, clock: Callable[[], float] = time.monotonic) -> None:
        self._books = books
        self._clock = clock
        self._known: dict[Period, tuple[float, Economy]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def of(self, period: Period) -> Economy:
        """Counting that fails is the asker's to show; the next one tries again."""
        async with self._one_at_a_time:
            known = self._known.get(period)
            if known and self._clock() - known[0] < AT_MOST_EVERY_SECONDS:
                return known[1]
            counted = await self._books.economy(period, now=utc_now())
            self._known[period] = self._clock(), counted
        return counted


economy = SharedEconomy(Books())
