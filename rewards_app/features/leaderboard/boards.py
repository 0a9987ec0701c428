"""What everybody sees of a board, read for all tabs here once a second, and when it has changed."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rewards_app.core.database import transaction
from rewards_app.features.ads import catalogue
from rewards_app.features.leaderboard import repository
from rewards_app.features.leaderboard.rules import BoardFigures, Row

FRESH_FOR_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Board:
    name: str
    rows: Sequence[Row]
    """The first hundred."""
    figures: BoardFigures
    usual_ad: tuple[float, float] | None
    """What an ad of now pays and takes, in coins and seconds; None without ads."""


@dataclass
class _Known:
    board: Board | None = None
    read_at: float = 0.0
    edition: int = 0
    one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)


class Boards:
    """Whoever asks while somebody reads waits for that."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._edition = 0
        """Grows when boards have changed."""
        self._known: dict[str, _Known] = defaultdict(_Known)

    async def note_change(self, _key: str = "") -> None:
        self._edition += 1

    async def of(self, name: str, *, now: datetime) -> Board:
        kind = name[:1]
        known = self._known[kind]
        async with known.one_at_a_time:
            if known.board is None or known.board.name != name or self._is_old(known):
                # Before reading: what changes meanwhile is read next time.
                edition = self._edition
                known.board = await _read(name, now=now)
                known.read_at, known.edition = self._clock(), edition
            return known.board

    def _is_old(self, known: _Known) -> bool:
        is_late = self._clock() - known.read_at >= FRESH_FOR_SECONDS
        return is_late or known.edition != self._edition

    def forget(self) -> None:
        """For tests, which share one process."""
        self._known.clear()


async def _read(name: str, *, now: datetime) -> Board:
    rows = await repository.leaders_now(name, now=now)
    async with transaction() as session:
        usual_ad = await catalogue.usual(session)
    return Board(name, rows, await repository.figures(name), usual_ad)


boards = Boards()
