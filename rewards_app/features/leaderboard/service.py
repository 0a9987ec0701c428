"""What others ask of the leaderboard: where somebody stands, who leads, days in a row."""

from datetime import datetime
from uuid import UUID

from rewards_app.core.database import AsyncSession, transaction
from rewards_app.features.leaderboard import counting, repository, rules
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
    "check",
    "figures",
    "fold",
    "leaders",
    "rebuild",
    "standing",
    "streak",
    "top",
]

check = counting.check


async def standing(
    account_id: UUID, *, period: Period = rules.USUAL_PERIOD, now: datetime
) -> Standing:
    """Where the player stands in the period that `now` is in."""
    return await repository.standing(board_of(period, now), account_id)


async def streak(account_id: UUID, *, now: datetime) -> Streak:
    """Days in a row with an ad that was paid for: those that last, and the most ever."""
    return await repository.streak(account_id, now=now)


async def top(period: Period = rules.USUAL_PERIOD, *, now: datetime) -> list[Row]:
    """The first hundred, at most a second old."""
    return list((await board(period, now=now)).rows)


async def board(period: Period = rules.USUAL_PERIOD, *, now: datetime) -> Board:
    """What everybody sees of the period, at most a second old."""
    return await boards.of(board_of(period, now), now=now)


async def leaders(session: AsyncSession, period: Period, *, now: datetime) -> list[Row]:
    """The first hundred as they are in this transaction."""
    return await repository.leaders(session, board_of(period, now), now=now)


async def around(
    account_id: UUID, *, period: Period = rules.USUAL_PERIOD, now: datetime
) -> Around | None:
    """The player's own row and those beside it; None without a place on the board."""
    async with transaction() as session:
        return await repository.around(session, board_of(period, now), account_id, now=now)


async def figures(period: Period = rules.USUAL_PERIOD, *, now: datetime) -> BoardFigures:
    return await repository.figures(board_of(period, now))
