"""What counting the ledger anew and counting what is new have in common."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.database import AsyncSession
from rewards_app.features.ads.days import PLATFORM_CALENDAR
from rewards_app.features.coins.rules import EARNING
from rewards_app.features.leaderboard.rules import Period, kept_since


@dataclass(frozen=True, slots=True)
class Progress:
    """As `BoardProgress` has it."""

    counted: str
    settled_to: int
    newest: int
    open_until: int
    is_of_here: bool = True
    """False where the database came from a server whose transactions were numbered otherwise."""
    has_written: bool = False
    """Whoever asks, in the same transaction: it began before others that have numbers by now."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at the ledger found, and which transactions could still add to it."""

    counted: str
    newest: int
    oldest_open: int
    looked_in: int
    """The transaction that looked: who had a number by then has begun to write before it did."""
    scores: int = 0
    """How many scores have changed."""


WIDTHS: LiteralString = "unnest(array[0, 6, 12, 18]) as width"
"""Players are counted in steps of 1, 64, 4,096 and 262,144 coins: see `BoardStep`."""
EARNED: LiteralString = """
account_id, sum(amount) as coins, count(*) filter (where kind = 'ad') as ads
    from fresh where kind = any(%(earning)s)
"""
LOCAL: LiteralString = "created_at at time zone %(zone)s"
GAINS: LiteralString = f"""
gains as (
    select 'all' as board, {EARNED} group by account_id
    union all
    select 'm:' || to_char(month, 'YYYY-MM'), account_id, coins, ads from (
        select date_trunc('month', {LOCAL}) as month, {EARNED}
            and created_at >= %(month_since)s group by month, account_id
    ) as months
    union all
    select 'w:' || to_char(week, 'YYYY-MM-DD'), account_id, coins, ads from (
        select date_trunc('week', {LOCAL}) as week, {EARNED}
            and created_at >= %(week_since)s group by week, account_id
    ) as weeks
)
"""  # noqa: S608  (all parts are ours)
"""`fresh` has entries; of weeks and months only those are counted whose boards are kept."""

TALLY: LiteralString = f"""
select ({LOCAL})::date as day, kind, count(*) as entries, sum(amount) as amount
from fresh group by 1, 2
"""  # noqa: S608  (both parts are ours)
"""What the days of the ledger are made of, all kinds of entries."""


async def do(session: AsyncSession, query: LiteralString, values: dict[str, Any]) -> int:
    """How many rows it changed."""
    connection = await session.connection()
    return (await connection.exec_driver_sql(query, values)).rowcount


def values_at(now: datetime) -> dict[str, Any]:
    since = kept_since(now)
    return {
        "zone": PLATFORM_CALENDAR.zone,
        "earning": [kind.value for kind in EARNING],
        "others": who_does_not_play(),
        "month_since": since[Period.MONTH],
        "week_since": since[Period.WEEK],
    }


def who_does_not_play() -> list[str]:
    return [role.value for role in Role if role not in PLAYING_ROLES]


def uncounted(known: Progress) -> dict[str, Any]:
    return {"counted": known.counted, "settled_to": known.settled_to}
