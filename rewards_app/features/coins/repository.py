"""The ledger in the database. Nothing else writes entries, balances or holds."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession, lookup, run, write
from rewards_app.core.ids import new_id
from rewards_app.features.coins.parts import HOLDING, RELEASING, SETTLING
from rewards_app.features.coins.rules import Balance, Kind
from rewards_app.models import CoinBalance, CoinEntry, CoinHold


@dataclass(frozen=True, slots=True)
class NewEntry:
    account_id: UUID
    amount: int
    """As it changes what the account owns: less than 0 when coins go."""
    kind: Kind
    cause: str
    subject: str
    at: datetime


async def lock_balance(session: AsyncSession, account_id: UUID) -> Balance:
    """The account's balance, which nobody else changes before this transaction ends."""
    row = insert(CoinBalance).values(account_id=account_id, total=0, balance=0, held=0, ads=0)
    known = row.on_conflict_do_update(
        index_elements=["account_id"], set_={"held": CoinBalance.held}
    ).returning(
        col(CoinBalance.total),
        col(CoinBalance.balance),
        col(CoinBalance.held),
        col(CoinBalance.ads),
    )
    return Balance(*(await run(session, known)).one())


async def is_entered(session: AsyncSession, cause: str) -> bool:
    found = await session.exec(
        select(CoinEntry.number).where(
            CoinEntry.cause == cause, CoinEntry.month == func.month_of_cause(cause)
        )
    )
    return found.first() is not None


async def has_spent(session: AsyncSession, account_id: UUID) -> bool:
    query = select(CoinEntry.number).where(
        CoinEntry.account_id == account_id, CoinEntry.kind == Kind.PURCHASE.value
    )
    return (await session.exec(query.limit(1))).first() is not None


async def enter(session: AsyncSession, entry: NewEntry, balance: Balance) -> None:
    """Write one entry and the balance that it leaves; the balance is locked."""
    row = insert(CoinEntry).values(
        month=func.month_of_cause(entry.cause),
        account_id=entry.account_id,
        amount=entry.amount,
        kind=entry.kind.value,
        cause=entry.cause,
        subject=entry.subject,
        balance_after=balance.owned,
        created_at=entry.at,
    )
    await run(session, row)
    await write_balance(session, entry.account_id, balance)


async def write_balance(session: AsyncSession, account_id: UUID, balance: Balance) -> None:
    await session.exec(
        update(CoinBalance)
        .where(col(CoinBalance.account_id) == account_id)
        .values(**asdict(balance))
    )


HOLD: LiteralString = f"""
with wanted as (
    select %(hold)s::uuid as hold_id, %(account)s::uuid as account_id,
        %(amount)s::integer as amount, %(cause)s::text as cause, %(now)s::timestamptz as at
),
{HOLDING}
select id from held
"""  # noqa: S608  (both parts are ours)
ENDING: LiteralString = """
with ending as (
    select %(cause)s::text as cause, %(subject)s::text as subject, %(now)s::timestamptz as at
),
"""
SETTLE: LiteralString = f"{ENDING} {SETTLING} select account_id from spent"  # noqa: S608
RELEASE: LiteralString = f"{ENDING} {RELEASING} select account_id from freed"  # noqa: S608


async def hold(
    session: AsyncSession, account_id: UUID, amount: int, cause: str, *, now: datetime
) -> UUID:
    """Set coins aside; the balance is locked and has enough."""
    values = {"account": account_id, "amount": amount, "cause": cause, "now": now}
    return (await write(session, HOLD, values | {"hold": new_id()}))[0]


async def settle(session: AsyncSession, cause: str, subject: str, *, now: datetime) -> None:
    await write(session, SETTLE, {"cause": cause, "subject": subject, "now": now})


async def release(session: AsyncSession, cause: str, *, now: datetime) -> None:
    await write(session, RELEASE, {"cause": cause, "subject": "", "now": now})


async def hold_of_cause(session: AsyncSession, cause: str) -> CoinHold | None:
    return (await session.exec(select(CoinHold).where(CoinHold.cause == cause))).first()


async def lock_hold(session: AsyncSession, hold_id: UUID) -> CoinHold | None:
    query = select(CoinHold).where(CoinHold.id == hold_id).with_for_update()
    # Holds are changed by statements that the session does not see.
    return (await session.exec(query.execution_options(populate_existing=True))).first()


async def balance_of(account_id: UUID) -> Balance:
    found = await lookup(
        "select total, balance, held, ads from coin_balances where account_id = %s", (account_id,)
    )
    return Balance(*found) if found else Balance()


async def entries_before(
    session: AsyncSession, account_id: UUID, *, before: int | None, limit: int
) -> Sequence[CoinEntry]:
    """The newest entries first, from the one before number `before` on."""
    query = select(CoinEntry).where(CoinEntry.account_id == account_id)
    if before is not None:
        query = query.where(col(CoinEntry.number) < before)
    found = await session.exec(query.order_by(col(CoinEntry.number).desc()).limit(limit))
    return found.all()


async def open_holds(session: AsyncSession, account_id: UUID) -> Sequence[CoinHold]:
    found = await session.exec(
        select(CoinHold)
        .where(CoinHold.account_id == account_id, CoinHold.status == "held")
        .order_by(col(CoinHold.created_at).desc())
    )
    return found.all()
