"""What others ask of the leaderboard: where somebody stands, who leads, days in a row."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from rewards_app.core.database import AsyncSession, transaction
from rewards_app.features.leaderboard import repository, rules
from rewards_app.features.leaderboard.boards import Board, boards
from rewards_app.features.leaderboard.counting import CHANGED, Fold, fold, rebuild
from rewards_app.features.leaderboard.rules import (
    Around,
    BoardFigures,
    Period,
    Row,
    Standing,
    board_of,
)
from rewards_app.features.leaderboard.streak_rules import Streak

__all__ = [
    "CHANGED",
    "Around",
    "Board",
    "BoardFigures",
    "Fold",
    "Period",
    "Row",
    "Standing",
    "Streak",
    "around",
    "board",
    "fold",
    "rebuild",
    "standing",
    "streak",
]


async def standing(
    account_id: UUID, *, period: Period = rules.USUAL_PERIOD, now: datetime
) -> Standing:
    """Where the player stands in the period that `now` is in."""
    return await repository.standing(board_of(period, now), account_id)


async def streak(account_id: UUID, *, now: datetime) -> Streak:
    """Days in a row with an ad that was paid for: those that last, and the most ever."""
    return await repository.streak(account_id, now=now)


async def board(period: Period = rules.USUAL_PERIOD, *, now: datetime) -> Board:
    """What everybody sees of the period, at most a second old."""
    return await boards.of(board_of(period, now), now=now)


async def around(
    account_id: UUID, *, period: Period = rules.USUAL_PERIOD, now: datetime
) -> Around | None:
    """The player's own row and those beside it; None without a place on the board."""
    async with transaction() as session:
        found = await repository.around(session, board_of(period, now), account_id, now=now)
        return await _as_others_open(session, found, now=now) if found else None


async def _as_others_open(session: AsyncSession, found: Around, *, now: datetime) -> Around:
    known = await boards.as_others_open(session, found.rows, now=now)
    shown = {row.account_id: row for row in known}
    return replace(
        found,
        own=shown[found.own.account_id],
        above=found.above and shown[found.above.account_id],
        below=found.below and shown[found.below.account_id],
    )
