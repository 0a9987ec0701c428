"""Measured once for all tabs of this worker, at most every five seconds."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime

from rewards_app.core.clock import utc_now
from rewards_app.features.health import service
from rewards_app.features.health.service import Health

AT_MOST_EVERY_SECONDS = 5.0


class SharedHealth:
    """Measures when somebody asks and what is known is old; whoever asks meanwhile waits."""

    def __init__(
        self,
        measure: Callable[[datetime], Awaitable[Health]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._measure = measure
        self._clock = clock
        self._known: tuple[float, Health] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def fresh(self) -> Health:
        async with self._one_at_a_time:
            if self._known and self._clock() - self._known[0] < AT_MOST_EVERY_SECONDS:
                return self._known[1]
            health = await self._measure(utc_now())
            self._known = self._clock(), health
        return health


async def _measured(now: datetime) -> Health:
    return await service.measured(now=now)


health = SharedHealth(_measured)
