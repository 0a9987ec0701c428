"""The guided start, as an account remembers it: whether it has begun, and was put aside."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession
from rewards_app.models import Account


@dataclass(frozen=True, slots=True)
class Start:
    is_verified: bool
    has_begun: bool
    """Its owner has seen what is left to do, or has asked for the steps."""
    is_left: bool
    """Its owner has put it aside, or has seen its end."""


async def start_of(session: AsyncSession, account_id: UUID) -> Start:
    query = select(
        Account.email_verified_at, Account.first_steps_begun_at, Account.first_steps_left_at
    )
    found = await session.exec(query.where(Account.id == account_id))
    verified_at, begun_at, left_at = found.one()
    return Start(
        is_verified=verified_at is not None,
        has_begun=begun_at is not None,
        is_left=left_at is not None,
    )


async def begin(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """Note that its owner saw what is left to do; the first time counts."""
    await session.exec(
        update(Account)
        .where(col(Account.id) == account_id, col(Account.first_steps_begun_at).is_(None))
        .values(first_steps_begun_at=now)
    )


async def leave(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """Put the steps aside for good; the first time counts."""
    await session.exec(
        update(Account)
        .where(col(Account.id) == account_id, col(Account.first_steps_left_at).is_(None))
        .values(first_steps_left_at=now)
    )


async def take_up(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """The opposite of `leave`: who asks for the steps sees them, even if only their end is left."""
    await begin(session, account_id, now=now)
    await session.exec(
        update(Account).where(col(Account.id) == account_id).values(first_steps_left_at=None)
    )
