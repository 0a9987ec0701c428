"""A period's board as one player sees it; its address says which."""

from datetime import datetime
from hashlib import blake2s
from typing import Any

import structlog

from rewards_app.core.access import allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.state import AppState
from rewards_app.features.ads import standings
from rewards_app.features.leaderboard import rules, service
from rewards_app.features.leaderboard.rules import Period, Row
from rewards_app.features.leaderboard.service import Around, Board, Streak

_log = structlog.get_logger(__name__)

PATH = "/leaderboard"
ON_PODIUM = 3
AT_FIRST = 25
"""Rows that are shown before the whole hundred is asked for."""


class LeaderboardState(AppState):
    period: str = ""
    """Empty until it is known."""
    is_loaded: bool = False
    is_away: bool = False
    """The boards could not be read."""
    days_left: int = 0
    podium: list[dict[str, Any]] = []
    ranking: list[dict[str, Any]] = []
    """From the fourth place on."""
    near: list[dict[str, Any]] = []
    """The player's own row and those beside it, where they are not in the ranking."""
    has_gap: bool = False
    """Players stand between the ranking and `near`."""
    has_more: bool = False
    can_show_all: bool = False
    """No more players than are ever shown."""
    figures: dict[str, int] = {}
    own: dict[str, Any] = {}
    """Empty without a place on the board."""
    streak: dict[str, int] = {}

    _shown: int = AT_FIRST

    @allow(*PLAYING_ROLES)
    async def load(self):
        """The period that the address says."""
        period = rules.period_from(self._query.get("period", "")).value
        if period != self.period:
            self.is_loaded = False
        self.period, self._shown = period, AT_FIRST
        await self._look()

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh(self):
        """Somebody has earned something: ranks may be others now."""
        if self.period:
            await self._look()

    @allow(*PLAYING_ROLES)
    async def show_all(self):
        self._shown = rules.TOP
        await self._look()

    async def _look(self) -> None:
        """A board that cannot be read is logged, and shown as such."""
        try:
            await self._read(Period(self.period or rules.USUAL_PERIOD))
        except Exception:
            _log.exception("leaderboard.not_read")
            self._keep(
                is_away=True, podium=[], ranking=[], near=[], own={}, has_gap=False, has_more=False
            )
        self.is_loaded = True

    async def _read(self, period: Period) -> None:
        now, user_id = utc_now(), self._actor.user_id
        board = await service.board(period, now=now)
        around = await service.around(user_id, period=period, now=now)
        streak = await service.streak(user_id, now=now)
        self._show_rows(board, around)
        self._keep(
            is_away=False,
            days_left=rules.days_left(period, now) or 0,
            figures=_figures(board),
            own=await self._own(board, around, now=now) if around else {},
            streak=_streak(streak),
        )

    async def _own(self, board: Board, around: Around, *, now: datetime) -> dict[str, Any]:
        """Where the player stands, and what leads further up; 0 ads where none is to be watched."""
        shown = _own(board, around)
        if not shown["missing"] or board.usual_ad is None:
            return shown | {"ads": 0, "minutes": 0, "days": 0}
        coins_an_ad, seconds_an_ad = board.usual_ad
        today = await standings.standing(self._actor.user_id, now=now)
        way = rules.way_up(
            shown["missing"],
            coins_an_ad=coins_an_ad,
            seconds_an_ad=seconds_an_ad,
            left_today=today.left_today,
            left_in_sitting=await standings.left_in_sitting(self._actor.user_id, now=now),
        )
        return shown | {"ads": way.ads, "minutes": way.minutes, "days": way.days}

    def _show_rows(self, board: Board, around: Around | None) -> None:
        own = around.own.account_id if around else None
        rows = [_row(row, is_own=row.account_id == own) for row in board.rows]
        shown = {row["key"] for row in rows[: self._shown]}
        near = [_row(row, is_own=row.account_id == own) for row in around.rows] if around else []
        is_shown = any(row["is_own"] and row["key"] in shown for row in near)
        below = [] if is_shown else [row for row in near if row["key"] not in shown]
        is_next = bool(below) and _is_next(below[0], rows, self._shown)
        self._keep(
            podium=rows[:ON_PODIUM],
            ranking=rows[ON_PODIUM : self._shown],
            near=below,
            has_gap=bool(below) and len(below) == len(near) and not is_next,
            has_more=self._shown < min(len(rows), rules.TOP),
            can_show_all=board.figures.players <= rules.TOP,
        )


def _is_next(row: dict[str, Any], rows: list[dict[str, Any]], shown: int) -> bool:
    """Whether nobody is between it and what is shown of `rows`: all, or one of them follows."""
    return shown >= len(rows) or row["key"] == rows[shown]["key"]


def _key(row: Row) -> str:
    """Tells rows apart without telling whose they are."""
    return blake2s(row.account_id.bytes, digest_size=6).hexdigest()


def _row(row: Row, *, is_own: bool) -> dict[str, Any]:
    return {
        "key": _key(row),
        "rank": row.rank,
        "name": row.name,
        "handle": row.handle if row.is_public else "",
        "level": row.level,
        "streak": row.streak,
        "ads": row.ads,
        "coins": row.coins,
        "is_own": is_own,
    }


def _figures(board: Board) -> dict[str, int]:
    figures = board.figures
    return {"players": figures.players, "ads": figures.ads, "average": figures.average}


def _streak(streak: Streak) -> dict[str, int]:
    return {"days": streak.days, "best": streak.best}


def _own(board: Board, around: Around) -> dict[str, Any]:
    """`next_rank` is 0 for who leads."""
    own, following = around.own, around.following
    missing = following.coins - own.coins if following else 0
    players = max(board.figures.players, own.rank)
    standing = rules.Standing(own.rank, own.coins, own.ads, players)
    return {
        "rank": own.rank,
        "coins": own.coins,
        "players": players,
        "percent": standing.top_percent or 0,
        "next_rank": following.rank if following else 0,
        "next_name": following.name if following else "",
        "next_coins": following.coins if following else own.coins,
        "missing": missing,
    }
