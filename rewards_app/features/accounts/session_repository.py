"""Sessions in the database, and the browsers that they were opened in."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlalchemy import func
from sqlalchemy import text as sql
from sqlmodel import col, select, update

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, lookup, lookup_all, statement
from rewards_app.models import (
    Account,
    AccountSession,
)

LIVE_SESSIONS = """
    select session.token_hash, account.id, session.id, account.role, account.display_name,
        account.email, session.created_at, account.age_verified_at is not null,
        exists (select from account_restrictions restriction
            where restriction.account_id = account.id and restriction.kind = 'suspended'
                and restriction.ended_at is null),
        account.second_factor_at is not null
    from account_sessions session join accounts account on account.id = session.account_id
    where session.token_hash = any(%s) and session.ended_at is null
        and session.last_active_at > %s and session.created_at > %s
        and account.closed_at is null
"""


async def live_sessions(
    token_hashes: Collection[str], *, active_since: datetime, created_since: datetime
) -> dict[str, Actor]:
    """Who is behind each of these sessions, as far as they are alive."""
    found = await lookup_all(LIVE_SESSIONS, ([*token_hashes], active_since, created_since))
    return {
        token_hash: Actor(user_id, session_id, Role(role), *rest)
        for token_hash, user_id, session_id, role, *rest in found
    }


LAST_OF: LiteralString = """
select last_active_at, ended_at from account_sessions where token_hash = %s
"""


async def last_of(token_hash: str) -> tuple[datetime, datetime | None] | None:
    """When the session was active last, and when it was ended, if it was."""
    found = await lookup(LAST_OF, (token_hash,))
    return (found[0], found[1]) if found else None


async def live_session_count(
    session: AsyncSession, *, active_since: datetime, account_id: UUID | None = None
) -> int:
    query = select(func.count()).where(
        col(AccountSession.ended_at).is_(None), col(AccountSession.last_active_at) > active_since
    )
    if account_id:
        query = query.where(AccountSession.account_id == account_id)
    return (await session.exec(query)).one()


async def note_activity(session: AsyncSession, session_id: UUID, *, now: datetime) -> None:
    await session.exec(
        update(AccountSession)
        .where(col(AccountSession.id) == session_id, col(AccountSession.ended_at).is_(None))
        .values(last_active_at=now)
    )


async def forget_address(session_id: UUID) -> bool:
    """Whether the session had noted one."""
    forgotten = await statement(
        "update account_sessions set ip_address = null"
        " where id = %s and ip_address is not null returning id",
        (session_id,),
    )
    return forgotten is not None


async def place_marks(session: AsyncSession, ids: Collection[UUID]) -> dict[UUID, str]:
    """From where these sessions were used last, as far as they are alive."""
    found = await session.exec(
        select(AccountSession.id, AccountSession.place_hash).where(
            col(AccountSession.id).in_(ids), col(AccountSession.ended_at).is_(None)
        )
    )
    return dict(found.all())


async def lock_sessions(session: AsyncSession, ids: Collection[UUID]) -> dict[UUID, AccountSession]:
    """Those that are alive, always locked in the same order."""
    if not ids:
        return {}
    query = select(AccountSession).where(
        col(AccountSession.id).in_(ids), col(AccountSession.ended_at).is_(None)
    )
    found = await session.exec(query.order_by(col(AccountSession.id)).with_for_update())
    return {known.id: known for known in found.all()}


async def sessions_of(
    session: AsyncSession, account_id: UUID, *, active_since: datetime, created_since: datetime
) -> Sequence[AccountSession]:
    """Those that are alive, the one that was used last first."""
    found = await session.exec(
        select(AccountSession)
        .where(
            col(AccountSession.account_id) == account_id,
            col(AccountSession.ended_at).is_(None),
            col(AccountSession.last_active_at) > active_since,
            col(AccountSession.created_at) > created_since,
        )
        .order_by(col(AccountSession.last_active_at).desc(), col(AccountSession.id))
    )
    return found.all()


async def end_session(session: AsyncSession, token_hash: str, *, now: datetime) -> UUID | None:
    """Whose it was; None where there is none that is alive."""
    ended = await session.exec(
        update(AccountSession)
        .where(col(AccountSession.token_hash) == token_hash, col(AccountSession.ended_at).is_(None))
        .values(ended_at=now)
        .returning(col(AccountSession.account_id))
    )
    row = ended.first()
    return row[0] if row else None


async def end_session_of(
    session: AsyncSession, account_id: UUID, session_id: UUID, *, now: datetime
) -> str | None:
    """End one session of this account; its hash, or None where it has no such one alive."""
    ended = await session.exec(
        update(AccountSession)
        .where(
            col(AccountSession.id) == session_id,
            col(AccountSession.account_id) == account_id,
            col(AccountSession.ended_at).is_(None),
        )
        .values(ended_at=now)
        .returning(col(AccountSession.token_hash))
    )
    row = ended.first()
    return row[0] if row else None


async def end_sessions_of(
    session: AsyncSession, account_id: UUID, *, now: datetime, keep: UUID | None = None
) -> list[str]:
    """End every session of the account but `keep`; the hashes of those that ended."""
    ended = await session.exec(
        update(AccountSession)
        .where(
            col(AccountSession.account_id) == account_id,
            col(AccountSession.ended_at).is_(None),
            col(AccountSession.id) != keep if keep else sql("true"),
        )
        .values(ended_at=now)
        .returning(col(AccountSession.token_hash))
    )
    return [row[0] for row in ended.all()]


async def is_new_door(session: AsyncSession, account_id: UUID, door_hash: str) -> bool:
    """Whether the account was used before, and never in this browser. It is locked already:
    two sign-ins of one account at once are asked one after the other.

    Sessions from before browsers were told apart say nothing of either.
    """
    found = await session.exec(
        select(func.count(), func.count().filter(col(AccountSession.door_hash) == door_hash)).where(
            AccountSession.account_id == account_id, AccountSession.door_hash != ""
        )
    )
    known, of_this_door = found.one()
    return known > 0 and of_this_door == 0


async def knows_door(
    session: AsyncSession, email: str, door_hash: str, *, since: datetime | None = None
) -> bool:
    """Whether somebody was in the account of this address in this browser, ever or `since`."""
    query = (
        select(AccountSession.id)
        .join(Account, col(Account.id) == AccountSession.account_id)
        .where(Account.email == email, AccountSession.door_hash == door_hash)
    )
    if since:
        query = query.where(AccountSession.created_at >= since)
    return (await session.exec(query.limit(1))).first() is not None
