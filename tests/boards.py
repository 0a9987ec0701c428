"""Made scores, and boards as the ledger adds up: in our own words, checks are tested, too."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

import psycopg

from rewards_app.core.database import transaction
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from tests.people import NOON


async def earns(
    account_id: UUID, amount: int, kind: Kind = Kind.AD, *, now: datetime = NOON
) -> None:
    """The player is paid, as for an ad."""
    async with transaction() as session:
        cause = f"test:{uuid4()}"
        await coins.credit(session, account_id, amount, kind, cause, now=now)


def ranked(url: str, board: str) -> list[tuple[UUID, int, int, int]]:
    """Account, rank, coins and ads of a board as the whole ledger tells it, the slow way."""
    period = {
        "a": "'all'",
        "m": "'m:' || to_char(entry.created_at at time zone 'Europe/Stockholm', 'YYYY-MM')",
        "w": "'w:' || to_char(date_trunc('week', entry.created_at at time zone 'Europe/Stockholm'),"
        " 'YYYY-MM-DD')",
    }[board[0]]
    with psycopg.connect(url) as connection:
        return connection.execute(
            f"""
            select account_id, rank() over (order by sum(amount) desc), sum(amount)::bigint,
                count(*) filter (where kind = 'ad')
            from coin_entries as entry join accounts on accounts.id = account_id
            where kind in ('ad', 'welcome') and {period} = %s
                and role in ('player', 'moderator') and not exists (
                    select from account_restrictions as found where kind = 'suspended'
                    and ended_at is null and found.account_id = accounts.id)
            group by account_id order by 2, account_id""",
            (board,),
        ).fetchall()


def all_in(url: str, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query, values).fetchall()
