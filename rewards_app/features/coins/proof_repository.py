"""What the proof of the ledger reads: all of it."""

from collections.abc import AsyncGenerator
from uuid import UUID

from sqlalchemy import text

from rewards_app.core.database import AsyncSession, run
from rewards_app.features.coins.rules import EARNING, Balance, Books

AT_ONCE = 5_000
BOOKS = text("""
with entries as (
    select account_id, sum(amount) as owned,
        sum(amount) filter (where kind = any(:earning)) as earned,
        count(*) filter (where kind = 'ad') as watched
    from coin_entries group by account_id
),
holds as (
    select account_id, sum(amount) as held
    from coin_holds where status = 'held' group by account_id
)
select account_id, coalesce(owned, 0), coalesce(earned, 0), coalesce(holds.held, 0),
    coalesce(watched, 0), coalesce(total, 0), coalesce(balance, 0),
    coalesce(coin_balances.held, 0), coalesce(ads, 0)
from entries full join holds using (account_id) full join coin_balances using (account_id)
""")


async def books(session: AsyncSession) -> AsyncGenerator[list[Books]]:
    """Every account in one look, so that no change comes between the sums and the balances.

    Some at a time: millions of them need no more memory than thousands.
    """
    values = {"earning": [kind.value for kind in EARNING]}
    found = await session.stream(BOOKS, values, execution_options={"yield_per": AT_ONCE})
    async for part in found.partitions():
        yield [
            Books(owner, entries, earned, holds, ads, Balance(*stored))
            for owner, entries, earned, holds, ads, *stored in map(tuple, part)
        ]


async def entries_that_skip(session: AsyncSession) -> list[tuple[UUID, int]]:
    """Entries whose running balance does not follow from the one before: account and number."""
    found = await run(
        session,
        text(
            "select account_id, number from (select account_id, number, balance_after, amount,"
            " coalesce(lag(balance_after) over (partition by account_id order by number), 0)"
            " as before from coin_entries) as lines where balance_after <> before + amount"
            " order by number limit 100"
        ),
    )
    return [(account_id, number) for account_id, number in map(tuple, found.all())]
