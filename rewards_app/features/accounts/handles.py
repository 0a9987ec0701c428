"""Handles in the database: claimed for good, or until a moderator replaces one."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, delete, select, update

from rewards_app.core.database import AsyncSession, run
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import handle_rules
from rewards_app.features.accounts.handle_rules import NAMELESS, is_neutral
from rewards_app.models import Account, AccountHandle


async def claim(session: AsyncSession, account_id: UUID, name: str) -> str:
    """Give an account without one its handle: what its name asks for, or that with an ending."""
    wished = handle_rules.handle_from(name)
    return await _claim_first(session, account_id, [wished, *_with_endings(wished, account_id)])


async def claim_neutral(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """In place of the one that goes with a replaced name: of a neutral one another, since what is
    retired tells that the name was replaced, and has the next one bring a handle."""
    await _retire(session, account_id, now=now)
    await _claim_first(session, account_id, _with_endings(NAMELESS, account_id))


async def claim_again(session: AsyncSession, account_id: UUID, name: str, *, now: datetime) -> None:
    """Where a moderator replaced it, the next name gives one as the first did; else it stays."""
    if is_neutral(handle_rules.handle_from(name)) or not await _is_replaced(session, account_id):
        return
    await _retire(session, account_id, now=now)
    await claim(session, account_id, name)


async def claim_anew(session: AsyncSession, account_id: UUID, name: str) -> str:
    """For an account that nobody was ever in: whoever called it by the one it had meant nobody."""
    await run(session, delete(AccountHandle).where(col(AccountHandle.account_id) == account_id))
    return await claim(session, account_id, name)


async def handle_of(session: AsyncSession, account_id: UUID) -> str:
    """The one of now; empty where an account has none."""
    query = select(AccountHandle.handle).where(
        AccountHandle.account_id == account_id, col(AccountHandle.retired_at).is_(None)
    )
    return (await session.exec(query)).first() or ""


async def account_of(session: AsyncSession, handle: str) -> Account | None:
    """Nobody where the account is closed, or is called otherwise by now."""
    query = (
        select(Account)
        .join(AccountHandle, col(AccountHandle.account_id) == col(Account.id))
        .where(
            AccountHandle.handle == handle.casefold(),
            col(AccountHandle.retired_at).is_(None),
            col(Account.closed_at).is_(None),
        )
    )
    return (await session.exec(query)).first()


def _with_endings(handle: str, account_id: UUID) -> list[str]:
    """The account's own ending stays taken where it was replaced once."""
    return [handle_rules.with_ending(handle, of=one) for one in (account_id, new_id())]


async def _claim_first(session: AsyncSession, account_id: UUID, wished: Sequence[str]) -> str:
    """The first of them that is free; the one that the account has, if it has one."""
    for handle in wished:
        row = insert(AccountHandle).values(handle=handle, account_id=account_id)
        claimed = await run(
            session, row.on_conflict_do_nothing().returning(col(AccountHandle.handle))
        )
        if claimed.first():
            break
    return await handle_of(session, account_id)


async def _retire(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    own = update(AccountHandle).where(
        col(AccountHandle.account_id) == account_id, col(AccountHandle.retired_at).is_(None)
    )
    await run(session, own.values(retired_at=now))


async def _is_replaced(session: AsyncSession, account_id: UUID) -> bool:
    """By a neutral one that it still has."""
    retired = select(AccountHandle.handle).where(
        AccountHandle.account_id == account_id, col(AccountHandle.retired_at).is_not(None)
    )
    was_retired = (await session.exec(retired.limit(1))).first() is not None
    return was_retired and is_neutral(await handle_of(session, account_id))
