"""Boards as they are read: the top, one's own place, who stands beside it."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, lookup, lookup_all, rows
from rewards_app.features.coins.rules import level_of
from rewards_app.features.leaderboard.rules import Around, BoardFigures, Row, Standing
from rewards_app.features.leaderboard.streak_rules import Streak

ABOVE: LiteralString = """
(select coalesce(sum(players), 0) from board_steps
    where board = %(board)s and width = 18 and step > {coins} >> 18)
+ (select coalesce(sum(players), 0) from board_steps
    where board = %(board)s and width = 12
    and step > {coins} >> 12 and step < (({coins} >> 18) + 1) << 6)
+ (select coalesce(sum(players), 0) from board_steps
    where board = %(board)s and width = 6
    and step > {coins} >> 6 and step < (({coins} >> 12) + 1) << 6)
+ (select coalesce(sum(players), 0) from board_steps
    where board = %(board)s and width = 0
    and step > {coins} and step < (({coins} >> 6) + 1) << 6)
"""
"""How many shown players have more than `{coins}`: wide steps first, then within mine narrower
ones. Each part reads a few rows, however many players there are."""
MINE: LiteralString = """
mine as materialized (
    select account_id, coins, ads, is_hidden from board_scores
    where board = %(board)s and account_id = %(account_id)s
)
"""
STANDING: LiteralString = f"""
with {MINE}
select coins, ads, is_hidden, 1 + {ABOVE.replace("{coins}", "mine.coins")},
    (select players from boards where board = %(board)s)
from mine
"""  # noqa: S608  (all parts are ours)
BOARD: LiteralString = "select players, ads from boards where board = %(board)s"

LIVES_ON: LiteralString = """
(streak.holds_until > %(now)s
    or watcher.day_starts_at <= streak.day_ends_at and watcher.day_ends_at > %(now)s)
"""
"""A day that became longer with another zone follows still, while it lasts."""
SHOWN: LiteralString = f"""
account.id, account.display_name, coalesce(known.handle, ''), coalesce(balance.total, 0),
    case when {LIVES_ON} then streak.days else 0 end, picked.ads, picked.coins,
    coalesce(profile.is_public, true)
from picked join accounts account on account.id = picked.account_id
    left join account_handles known
        on known.account_id = account.id and known.retired_at is null
    left join coin_balances balance on balance.account_id = account.id
    left join streaks streak on streak.account_id = account.id
    left join watchers watcher on watcher.account_id = account.id
    left join profiles profile on profile.account_id = account.id
"""
"""What is shown of the players of `picked`, which has account_id, coins and ads."""
TOP_ROWS: LiteralString = "101"
"""The top and who follows it; not a value: a plan that does not know how few are asked for sorts
the whole board."""
LEADERS: LiteralString = f"""
with picked as materialized (
    select account_id, coins, ads from board_scores
    where board = %(board)s and not is_hidden
    order by coins desc, account_id limit {TOP_ROWS}
)
select rank() over (order by picked.coins desc), {SHOWN} order by picked.coins desc, account.id
"""  # noqa: S608  (all parts are ours)
BESIDE: LiteralString = """
(select '{place}' as place, beside.account_id, beside.coins, beside.ads
from mine cross join lateral (
    select account_id, coins, ads from board_scores as score
    where score.board = %(board)s and not score.is_hidden and {which}
    order by {order} limit 1
) as beside)
"""


def _beside(place: LiteralString, which: LiteralString, order: LiteralString) -> LiteralString:
    return BESIDE.replace("{place}", place).replace("{which}", which).replace("{order}", order)


EQUAL_ABOVE = _beside(
    "equal_above",
    "score.coins = mine.coins and score.account_id < mine.account_id",
    "score.account_id desc",
)
HIGHER = _beside("higher", "score.coins > mine.coins", "score.coins, score.account_id desc")
EQUAL_BELOW = _beside(
    "equal_below",
    "score.coins = mine.coins and score.account_id > mine.account_id",
    "score.account_id",
)
LOWER = _beside("lower", "score.coins < mine.coins", "score.coins desc, score.account_id")
NEIGHBOURS: LiteralString = f"""
with {MINE},
picked as materialized (
    select 'own' as place, account_id, coins, ads from mine where not is_hidden
    union all {EQUAL_ABOVE} union all {HIGHER} union all {EQUAL_BELOW} union all {LOWER}
)
select picked.place, 1 + {ABOVE.replace("{coins}", "picked.coins")}, {SHOWN}
"""  # noqa: S608  (all parts are ours)
STREAK: LiteralString = f"""
select case when {LIVES_ON} then streak.days else 0 end, streak.best
from streaks streak left join watchers watcher using (account_id)
where streak.account_id = %(account_id)s
"""  # noqa: S608  (all parts are ours)


async def standing(board: str, account_id: UUID) -> Standing:
    found = await lookup(STANDING, {"board": board, "account_id": account_id})
    if found is None:
        return Standing(None, 0, 0, (await figures(board)).players)
    coins, ads, is_hidden, rank, players = found
    return Standing(None if is_hidden else int(rank), coins, ads, players)


async def figures(board: str) -> BoardFigures:
    found = await lookup(BOARD, {"board": board})
    return BoardFigures(*found) if found else BoardFigures(0, 0)


async def streak(account_id: UUID, *, now: datetime) -> Streak:
    found = await lookup(STREAK, {"account_id": account_id, "now": now})
    return Streak(*found) if found else Streak()


async def leaders_now(board: str, *, now: datetime) -> list[Row]:
    """The highest scores with their players, the first rank first, and who follows the top.

    Outside any transaction, which takes half the time.
    """
    found = await lookup_all(LEADERS, {"board": board, "now": now})
    return [_row(*row) for row in found]


async def around(
    session: AsyncSession, board: str, account_id: UUID, *, now: datetime
) -> Around | None:
    """None where the player has no place on the board."""
    values = {"board": board, "account_id": account_id, "now": now}
    found = await rows(session, NEIGHBOURS, values)
    by_place = {place: _row(*row) for place, *row in map(tuple, found)}
    if "own" not in by_place:
        return None
    higher = by_place.get("higher")
    return Around(
        by_place["own"],
        above=by_place.get("equal_above", higher),
        below=by_place.get("equal_below", by_place.get("lower")),
        following=higher,
    )


def _row(
    rank: int,
    account_id: UUID,
    name: str,
    handle: str,
    total: int,
    days: int,
    ads: int,
    coins: int,
    is_public: bool,
) -> Row:
    return Row(int(rank), account_id, name, handle, level_of(total), days, ads, coins, is_public)
