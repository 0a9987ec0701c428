"""What a secret leads to: mailed links, and the tickets and steps of a sign-in."""

from collections.abc import Collection
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from sqlalchemy import func
from sqlmodel import col, delete, select, update
from sqlmodel.sql.expression import SelectOfScalar

from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.models import (
    Account,
    EmailLink,
    SignInStep,
    SignInTicket,
)

OfAccount = TypeVar("OfAccount", EmailLink, SignInStep)


async def _locked_with_account(
    session: AsyncSession, query: SelectOfScalar[OfAccount]
) -> OfAccount | None:
    found = (await session.exec(query)).first()
    if found is None:
        return None
    await lock_row(session, Account, found.account_id)
    locked = query.with_for_update().execution_options(populate_existing=True)
    return (await session.exec(locked)).first()


async def take_ticket(
    session: AsyncSession, token_hash: str, door_hash: str
) -> SignInTicket | None:
    """The ticket, which is gone from now on; only for the browser that asked for it."""
    is_it = col(SignInTicket.token_hash) == token_hash, col(SignInTicket.door_hash) == door_hash
    account_id = (await session.exec(select(SignInTicket.account_id).where(*is_it))).first()
    if account_id is None:
        return None
    await lock_row(session, Account, account_id)
    taken = await session.exec(delete(SignInTicket).where(*is_it).returning(SignInTicket))
    row = taken.first()
    return row[0] if row else None


async def lock_step(session: AsyncSession, token_hash: str, door_hash: str) -> SignInStep | None:
    """The step and its account, only for the browser that has shown the password."""
    query = select(SignInStep).where(
        SignInStep.token_hash == token_hash, SignInStep.door_hash == door_hash
    )
    return await _locked_with_account(session, query)


async def forget_old_steps(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    await session.exec(
        delete(SignInStep).where(
            col(SignInStep.account_id) == account_id, col(SignInStep.expires_at) <= now
        )
    )


async def drop_sign_ins(session: AsyncSession, account_id: UUID) -> None:
    """Whatever is on its way to a session."""
    for kind in (SignInStep, SignInTicket):
        await session.exec(delete(kind).where(col(kind.account_id) == account_id))


async def lock_link(session: AsyncSession, token_hash: str, purpose: str) -> EmailLink | None:
    """The link, and the account that it goes with."""
    query = select(EmailLink).where(
        EmailLink.token_hash == token_hash, EmailLink.purpose == purpose
    )
    return await _locked_with_account(session, query)


async def door_of_last_link(session: AsyncSession, account_id: UUID, purpose: str) -> str:
    """The browser that the last link for `purpose` knows; empty where it knows none."""
    of_account = select(EmailLink.door_hash).where(
        EmailLink.account_id == account_id, EmailLink.purpose == purpose
    )
    found = await session.exec(of_account.order_by(col(EmailLink.created_at).desc()).limit(1))
    return found.first() or ""


async def links_mailed(
    session: AsyncSession, account_id: UUID, purpose: str, *, since: datetime, now: datetime
) -> tuple[int, int]:
    """How many for `purpose` were mailed since then, and how many still open something."""
    is_open = col(EmailLink.used_at).is_(None), col(EmailLink.expires_at) > now
    found = await session.exec(
        select(
            func.count().filter(col(EmailLink.created_at) > since),
            func.count().filter(*is_open),
        ).where(EmailLink.account_id == account_id, EmailLink.purpose == purpose)
    )
    return found.one()


async def use_up_links(
    session: AsyncSession,
    account_id: UUID,
    purposes: Collection[str],
    *,
    since: datetime | None,
    now: datetime,
) -> None:
    meant = update(EmailLink).where(
        col(EmailLink.account_id) == account_id,
        col(EmailLink.purpose).in_(purposes),
        col(EmailLink.used_at).is_(None),
    )
    if since:
        meant = meant.where(col(EmailLink.created_at) >= since)
    await session.exec(meant.values(used_at=now))
