"""The top of each board, read once a second for everybody who looks at it in this worker."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from rewards_app.features.leaderboard import repository
from rewards_app.features.leaderboard.rules import Row

FRESH_FOR_SECONDS = 1.0


@dataclass
class _Known:
    board: str = ""
    rows: list[Row] = field(default_factory=list[Row])
    read_at: float = 0.0
    one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)


class Tops:
    """Whoever asks while somebody reads waits for that."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[str, _Known] = defaultdict(_Known)

    async def of(self, board: str, *, now: datetime) -> list[Row]:
        known = self._known[board[:1]]
        async with known.one_at_a_time:
            age = self._clock() - known.read_at
            if known.board != board or age >= FRESH_FOR_SECONDS:
                known.rows = await repository.leaders_now(board, now=now)
                known.board, known.read_at = board, self._clock()
            return known.rows

    def forget(self) -> None:
        """For tests, which share one process."""
        self._known.clear()


tops = Tops()
