"""Handles in the database: claimed once, for good."""

from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, delete, select

from rewards_app.core.database import AsyncSession, run
from rewards_app.features.accounts import handle_rules
from rewards_app.models import Account, AccountHandle

RANDOM_DIGITS = 9


async def claim(session: AsyncSession, account_id: UUID, name: str) -> str:
    """Give the new account its handle: what its name asks for, or that with an ending."""
    wished = handle_rules.handle_from(name)
    second = handle_rules.with_ending(wished, account_id.hex[-RANDOM_DIGITS:])
    for handle in (wished, second):
        row = insert(AccountHandle).values(handle=handle, account_id=account_id)
        claimed = await run(
            session, row.on_conflict_do_nothing().returning(col(AccountHandle.handle))
        )
        if claimed.first():
            break
    return await handle_of(session, account_id)


async def claim_anew(session: AsyncSession, account_id: UUID, name: str) -> str:
    """For an account that nobody was ever in: whoever called it by the one it had meant nobody."""
    await run(session, delete(AccountHandle).where(col(AccountHandle.account_id) == account_id))
    return await claim(session, account_id, name)


async def handle_of(session: AsyncSession, account_id: UUID) -> str:
    """Empty where an account has none."""
    query = select(AccountHandle.handle).where(AccountHandle.account_id == account_id)
    return (await session.exec(query)).first() or ""


async def account_of(session: AsyncSession, handle: str) -> Account | None:
    """Nobody where the account is closed."""
    query = (
        select(Account)
        .join(AccountHandle, col(AccountHandle.account_id) == col(Account.id))
        .where(AccountHandle.handle == handle.casefold(), col(Account.closed_at).is_(None))
    )
    return (await session.exec(query)).first()
