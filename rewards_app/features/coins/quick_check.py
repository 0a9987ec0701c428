"""The ledger's promise in one sum: quick to ask for, and blind to what cancels out."""

from dataclasses import dataclass

from sqlalchemy import text

from rewards_app.core.database import AsyncSession, run

SUMS = text("""
    select
        (select coalesce(sum(amount), 0) from coin_entries)
            - coalesce(sum(balance + held), 0),
        count(*) filter (where balance < 0 or held < 0)
    from coin_balances
""")


@dataclass(frozen=True, slots=True)
class Sums:
    apart: int
    """Coins that the entries have and the balances have not; below 0 the other way round."""
    below_zero: int
    """Accounts that owe coins."""


async def sums(session: AsyncSession) -> Sums:
    apart, below_zero = tuple((await run(session, SUMS)).one())
    return Sums(int(apart), below_zero)
