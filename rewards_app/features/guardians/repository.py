"""What guardians were asked and answered, in the database: each function is one statement."""

from collections.abc import Collection
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlmodel import col, delete, or_, select, update

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.guardians.rules import Status
from rewards_app.models import Account, GuardianConsent

GIVEN: LiteralString = """
select 1 from guardian_consents where account_id = %(account)s and status = 'given'
"""


async def is_given(session: AsyncSession, account_id: UUID) -> bool:
    return bool(await rows(session, GIVEN, {"account": account_id}))


ALL_GIVEN: LiteralString = """
select account_id from guardian_consents where account_id = any(%(accounts)s) and status = 'given'
"""


async def given_for(session: AsyncSession, accounts: Collection[UUID]) -> set[UUID]:
    """Those of these accounts."""
    found = await rows(session, ALL_GIVEN, {"accounts": list(accounts)})
    return {account_id for (account_id,) in found}


async def newest(session: AsyncSession, account_id: UUID) -> GuardianConsent | None:
    query = select(GuardianConsent).where(GuardianConsent.account_id == account_id)
    return (await session.exec(query.order_by(col(GuardianConsent.id).desc()).limit(1))).first()


async def count_since(session: AsyncSession, account_id: UUID, since: datetime) -> int:
    query = select(GuardianConsent.id).where(
        GuardianConsent.account_id == account_id, col(GuardianConsent.created_at) > since
    )
    return len((await session.exec(query)).all())


async def replace_asked(session: AsyncSession, account_id: UUID) -> None:
    """The link of whoever was asked before opens nothing any more."""
    await session.exec(
        update(GuardianConsent)
        .where(
            col(GuardianConsent.account_id) == account_id,
            col(GuardianConsent.status) == Status.ASKED,
        )
        .values(status=Status.REPLACED.value)
    )


async def by_token(
    session: AsyncSession, token_hash: str, *, now: datetime
) -> tuple[GuardianConsent, Account] | None:
    """What a link still opens: an answer is awaited, or a consent can be withdrawn."""
    query = (
        select(GuardianConsent, Account)
        .join(Account, col(Account.id) == col(GuardianConsent.account_id))
        .where(
            GuardianConsent.token_hash == token_hash,
            col(Account.closed_at).is_(None),
            or_(
                (col(GuardianConsent.status) == Status.ASKED)
                & (col(GuardianConsent.expires_at) > now),
                col(GuardianConsent.status) == Status.GIVEN,
            ),
        )
    )
    return (await session.exec(query)).first()


async def answer(
    session: AsyncSession,
    consent_id: UUID,
    token_hash: str,
    status: Status,
    *,
    now: datetime,
    name: str | None = None,
    edition: int = 0,
    next_hash: str | None = None,
) -> bool:
    """Once: the link that was used is over; False where somebody was quicker."""
    answered = await session.exec(
        update(GuardianConsent)
        .where(
            col(GuardianConsent.id) == consent_id,
            col(GuardianConsent.token_hash) == token_hash,
            col(GuardianConsent.status) == Status.ASKED,
            col(GuardianConsent.expires_at) > now,
        )
        .values(
            status=status.value,
            answered_at=now,
            name=name,
            edition=edition,
            token_hash=next_hash or token_hash,
        )
        .returning(col(GuardianConsent.id))
    )
    return answered.first() is not None


async def withdraw(
    session: AsyncSession, consent_id: UUID, token_hash: str, *, now: datetime
) -> bool:
    withdrawn = await session.exec(
        update(GuardianConsent)
        .where(
            col(GuardianConsent.id) == consent_id,
            col(GuardianConsent.token_hash) == token_hash,
            col(GuardianConsent.status) == Status.GIVEN,
        )
        .values(status=Status.WITHDRAWN.value, withdrawn_at=now)
        .returning(col(GuardianConsent.id))
    )
    return withdrawn.first() is not None


async def forget_unanswered(session: AsyncSession, *, over_since: datetime) -> int:
    """Delete the addresses of those who did not say yes; so many."""
    gone = await session.exec(
        delete(GuardianConsent)
        .where(
            col(GuardianConsent.status).in_([Status.ASKED, Status.REFUSED, Status.REPLACED]),
            col(GuardianConsent.expires_at) < over_since,
        )
        .returning(col(GuardianConsent.id))
    )
    return len(gone.all())
