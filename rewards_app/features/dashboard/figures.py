"""Everybody's figures: counted once for all tabs of this worker, at most once a second."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from rewards_app.core.clock import utc_now
from rewards_app.features.dashboard import service
from rewards_app.features.dashboard.rules import Platform

_log = structlog.get_logger(__name__)

AT_MOST_EVERY_SECONDS = 1.0
AT_LEAST_EVERY_SECONDS = 30.0
"""While somebody looks: midnight passes without an announcement."""


class SharedFigures:
    """Counts when somebody asks and something has changed; whoever asks meanwhile waits for it."""

    def __init__(
        self,
        count: Callable[[datetime], Awaitable[Platform]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.edition = 0
        """Grows when the figures are others than before, or are there again."""
        self._count = count
        self._clock = clock
        self._known: Platform | None = None
        self._has_changed = True
        self._is_away = False
        self._tried_at = -math.inf
        self._one_at_a_time = asyncio.Lock()

    def note_change(self) -> None:
        self._has_changed = True

    async def fresh(self) -> Platform | None:
        """The figures, at most a second old if anything has changed; None where counting failed."""
        async with self._one_at_a_time:
            if self._is_due():
                await self._try()
        return None if self._is_away else self._known

    def _is_due(self) -> bool:
        age = self._clock() - self._tried_at
        needs = self._has_changed or age >= AT_LEAST_EVERY_SECONDS
        return needs and age >= AT_MOST_EVERY_SECONDS

    async def _try(self) -> None:
        self._tried_at = self._clock()
        # Before counting: what changes meanwhile is counted next time.
        self._has_changed = False
        try:
            counted = await self._count(utc_now())
        except Exception as failure:
            self._has_changed = True
            if not self._is_away:
                _log.exception("figures.not_counted", reason=type(failure).__name__)
            self._is_away = True
            return
        if self._is_away or counted != self._known:
            self.edition += 1
        self._known, self._is_away = counted, False


counting = service.PlatformCount()
figures = SharedFigures(counting.count)
