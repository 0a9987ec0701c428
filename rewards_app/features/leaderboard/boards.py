"""What everybody sees of a board, read for all tabs here once a second, and when it has changed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.shared import Shared
from rewards_app.features.ads import catalogue
from rewards_app.features.guardians import service as guardians
from rewards_app.features.leaderboard import repository
from rewards_app.features.leaderboard.rules import BoardFigures, Row


@dataclass(frozen=True, slots=True)
class Board:
    name: str
    rows: Sequence[Row]
    """The first hundred, and who follows them."""
    figures: BoardFigures
    usual_ad: tuple[float, float] | None
    """What an ad of now pays and takes, in coins and seconds; None without ads."""


JUDGED_FOR_SECONDS = 60.0
"""Each open page asks for its neighbours anew at every change, and ages hardly ever change."""
MOST_JUDGED = 10_000


class Boards:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._shared = Shared[str, Board](clock)
        self.note_change = self._shared.note_change
        self._judged: dict[UUID, tuple[bool, float]] = {}
        """Whether others may open somebody's profile, and until when that is remembered."""

    async def of(self, name: str, *, now: datetime) -> Board:
        return await self._shared.of(name, lambda: self._read(name, now=now))

    async def _read(self, name: str, *, now: datetime) -> Board:
        rows = await repository.leaders_now(name, now=now)
        async with transaction() as session:
            usual_ad = await catalogue.usual(session)
            rows = await self.as_others_open(session, rows, now=now)
        return Board(name, rows, await repository.figures(name), usual_ad)

    async def as_others_open(
        self, session: AsyncSession, rows: Sequence[Row], *, now: datetime
    ) -> list[Row]:
        """A profile that waits for a guardian is nobody's to open, whatever its switch says."""
        asked = {row.account_id for row in rows if row.is_public}
        known = {one: self._judged[one][0] for one in asked if self._is_fresh(one)}
        if unknown := asked - known.keys():
            seen = await guardians.seen_among(session, unknown, now=now)
            known |= self._remember({one: one in seen for one in unknown})
        return [replace(row, is_public=known.get(row.account_id, False)) for row in rows]

    def _is_fresh(self, account_id: UUID) -> bool:
        _, until = self._judged.get(account_id, (False, float("-inf")))
        return self._clock() < until

    def _remember(self, judged: dict[UUID, bool]) -> dict[UUID, bool]:
        until = self._clock() + JUDGED_FOR_SECONDS
        for account_id, is_seen in judged.items():
            self._judged.pop(account_id, None)
            self._judged[account_id] = (is_seen, until)
        for oldest in list(self._judged)[:-MOST_JUDGED]:
            del self._judged[oldest]
        return judged

    def forget(self) -> None:
        """For tests, which share one process."""
        self._shared.forget()
        self._judged.clear()


boards = Boards()
