"""Restricting an account, and lifting that again. Who may decide so is asked above."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, rows, run
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import sessions
from rewards_app.features.accounts.restriction_rules import Kind, told
from rewards_app.models import AccountRestriction

CHANGED = "restrictions_changed"
"""Announced with the account's id."""


async def begin(
    session: AsyncSession,
    account_id: UUID,
    kind: Kind,
    reason: str,
    *,
    by: UUID | None,
    risk_score: int | None = None,
    grounds: Sequence[str] = (),
    now: datetime,
) -> UUID | None:
    """The new restriction; None when the account has one of that kind already.

    `by` is the admin who decided it, and None when the app did by itself, on those grounds.
    """
    row = insert(AccountRestriction).values(
        id=new_id(),
        account_id=account_id,
        kind=kind.value,
        reason=reason,
        begun_by=by,
        is_automatic=by is None,
        risk_score=risk_score,
        grounds=list(grounds),
        begun_at=now,
        end_reason="",
    )
    made = await run(session, row.on_conflict_do_nothing().returning(col(AccountRestriction.id)))
    found = made.first()
    if found is None:
        return None
    await _tell(session, account_id)
    return found[0]


async def end(
    session: AsyncSession,
    account_id: UUID,
    kind: Kind,
    reason: str,
    *,
    by: UUID | None,
    now: datetime,
) -> UUID | None:
    """The restriction that has ended; None when there was none."""
    ended = await session.exec(
        update(AccountRestriction)
        .where(
            col(AccountRestriction.account_id) == account_id,
            col(AccountRestriction.kind) == kind.value,
            col(AccountRestriction.ended_at).is_(None),
        )
        .values(ended_at=now, ended_by=by, end_reason=reason)
        .returning(col(AccountRestriction.id))
    )
    found = ended.first()
    if found is None:
        return None
    await _tell(session, account_id)
    return found[0]


async def _tell(session: AsyncSession, account_id: UUID) -> None:
    """Open tabs learn it at once: the gate asks again, and the page shows what is true now."""
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account_id))
    live.announce_after(session, CHANGED, str(account_id))


async def open_of(session: AsyncSession, account_id: UUID) -> list[AccountRestriction]:
    """What the account may not do now, the latest first."""
    query = select(AccountRestriction).where(
        AccountRestriction.account_id == account_id, col(AccountRestriction.ended_at).is_(None)
    )
    found = await session.exec(query.order_by(col(AccountRestriction.begun_at).desc()))
    return list(found.all())


async def in_force(session: AsyncSession, account_id: UUID) -> dict[Kind, str]:
    """What the account may not do now, with the reason for each."""
    found = await rows(
        session,
        "select kind, reason from account_restrictions"
        " where account_id = %(account_id)s and ended_at is null",
        {"account_id": account_id},
    )
    return {Kind(kind): reason for kind, reason in found}


async def reasons(session: AsyncSession, account_id: UUID) -> dict[Kind, str | list[str]]:
    """The same, each reason as a text's parameter."""
    found = await rows(
        session,
        "select kind, reason, grounds from account_restrictions"
        " where account_id = %(account_id)s and ended_at is null",
        {"account_id": account_id},
    )
    return {Kind(kind): told(reason, grounds) for kind, reason, grounds in found}


async def owner_of(session: AsyncSession, restriction_id: UUID, kind: Kind) -> UUID | None:
    """Whom a restriction of that kind concerns, or concerned."""
    query = select(AccountRestriction.account_id).where(
        AccountRestriction.id == restriction_id, AccountRestriction.kind == kind.value
    )
    return (await session.exec(query)).first()
