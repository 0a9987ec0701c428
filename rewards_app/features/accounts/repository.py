"""Accounts in the database: each function is one statement or one row."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import LiteralString, TypeVar
from uuid import UUID

from sqlalchemy import func
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select, update
from sqlmodel.sql.expression import SelectOfScalar

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, lock_row, lookup, lookup_all, rows, run
from rewards_app.core.sealed import unseal
from rewards_app.features.accounts import handles
from rewards_app.models import (
    Account,
    AccountIdentity,
    AccountSession,
    EmailLink,
    SignInStep,
    SignInTicket,
)

OfAccount = TypeVar("OfAccount", EmailLink, SignInStep)


KEEPS_ADDRESS: LiteralString = "email_keep"
"""The purpose of a link that brings an account back to the address that it left."""


class _Kept(Exception):
    """For another account, which may come back."""


# Its purpose is said in words, not asked: the index is of this purpose alone.
KEPT: LiteralString = f"""
select from email_links link join accounts account on account.id = link.account_id
where link.purpose = '{KEEPS_ADDRESS}' and link.used_at is null and link.new_email = %(email)s
    and link.expires_at > %(now)s and account.id <> %(besides)s and account.email <> %(email)s
limit 1
"""


async def is_kept(session: AsyncSession, email: str, *, besides: UUID, now: datetime) -> bool:
    """Whether an account has left the address, and its owner may still bring it back there."""
    return bool(await rows(session, KEPT, {"email": email, "besides": besides, "now": now}))


async def add_account(session: AsyncSession, account: Account) -> bool:
    """Insert `account` under its new handle; False when its email has one, or is kept for one."""
    row = (
        insert(Account)
        .values(account.model_dump())
        .on_conflict_do_nothing(index_elements=["email"])
    )
    added = await run(session, row.returning(col(Account.id)))
    if added.first() is None:
        return False
    # Not before: an account that is leaving the address is waited for, and then keeps it.
    if await is_kept(session, account.email, besides=account.id, now=account.created_at):
        await session.exec(delete(Account).where(col(Account.id) == account.id))
        return False
    await handles.claim(session, account.id, account.username)
    return True


async def account_by_email(session: AsyncSession, email: str) -> Account | None:
    return (await session.exec(select(Account).where(Account.email == email))).first()


async def account_by_id(session: AsyncSession, account_id: UUID) -> Account | None:
    return await session.get(Account, account_id)


async def _locked_with_account(
    session: AsyncSession, query: SelectOfScalar[OfAccount]
) -> OfAccount | None:
    found = (await session.exec(query)).first()
    if found is None:
        return None
    await lock_row(session, Account, found.account_id)
    locked = query.with_for_update().execution_options(populate_existing=True)
    return (await session.exec(locked)).first()


async def password_hash_of(session: AsyncSession, account_id: UUID) -> str | None:
    found = await session.exec(select(Account.password_hash).where(Account.id == account_id))
    return found.first()


async def move_to(session: AsyncSession, account_id: UUID, email: str, *, now: datetime) -> bool:
    """Give the account another, proven address; False where it is another account's by now."""
    try:
        async with session.begin_nested():
            await session.exec(
                update(Account)
                .where(col(Account.id) == account_id)
                .values(email=email, email_verified_at=now)
                .execution_options(synchronize_session=False)
            )
            if await is_kept(session, email, besides=account_id, now=now):
                raise _Kept
    except (IntegrityError, _Kept):
        return False
    return True


async def account_by_identity(session: AsyncSession, provider: str, subject: str) -> Account | None:
    found = await session.exec(
        select(Account)
        .join(AccountIdentity, col(AccountIdentity.account_id) == col(Account.id))
        .where(AccountIdentity.provider == provider, AccountIdentity.subject == subject)
    )
    return found.first()


async def add_identity(
    session: AsyncSession, account_id: UUID, provider: str, subject: str, *, now: datetime
) -> None:
    """The provider vouches for the account from now on; again it changes nothing."""
    identity = AccountIdentity(
        account_id=account_id, provider=provider, subject=subject, created_at=now
    )
    row = insert(AccountIdentity).values(identity.model_dump())
    await run(session, row.on_conflict_do_nothing(index_elements=["provider", "subject"]))


async def drop_identities(session: AsyncSession, account_id: UUID) -> None:
    """No provider vouches for the account any more."""
    await session.exec(delete(AccountIdentity).where(col(AccountIdentity.account_id) == account_id))


async def verify_age(
    session: AsyncSession, account_id: UUID, birth_date: date, *, now: datetime
) -> bool:
    """Keep the birth date of an account that has none yet; False when it has one."""
    verified = await session.exec(
        update(Account)
        .where(col(Account.id) == account_id, col(Account.age_verified_at).is_(None))
        .values(birth_date=birth_date.isoformat(), age_verified_at=now)
        .returning(col(Account.id))
    )
    return verified.first() is not None


async def birth_date_of(account_id: UUID) -> str | None:
    found = await lookup("select birth_date from accounts where id = %s", (account_id,))
    return unseal(found[0]) if found and found[0] else None


async def told_ages_of(account_id: UUID) -> tuple[str | None, int | None, datetime] | None:
    """The birth date, the age that was told at sign-up, and when that was."""
    found = await lookup(
        "select birth_date, sign_up_age, created_at from accounts where id = %s", (account_id,)
    )
    if found is None:
        return None
    birth_date, sign_up_age, created_at = found
    return birth_date and unseal(birth_date), sign_up_age, created_at


async def accounts_by_role(session: AsyncSession) -> dict[str, int]:
    rows = await session.exec(select(Account.role, func.count()).group_by(Account.role))
    return dict(rows.all())


async def count_of(roles: Sequence[str]) -> int:
    found = await lookup("select count(*) from accounts where role = any(%s)", (roles,))
    return found[0] if found else 0


async def password_changed_at(account_id: UUID) -> datetime | None:
    """None for an account without a password."""
    found = await lookup(
        "select password_changed_at from accounts where id = %s and password_hash is not null",
        (account_id,),
    )
    return found[0] if found else None


async def sign_ups_since(session: AsyncSession, since: datetime) -> int:
    rows = await session.exec(
        select(func.count()).select_from(Account).where(col(Account.created_at) >= since)
    )
    return rows.one()


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


async def knows_door(session: AsyncSession, email: str, door_hash: str) -> bool:
    """Whether the account of this address was ever used in this browser."""
    found = await session.exec(
        select(AccountSession.id)
        .join(Account, col(Account.id) == AccountSession.account_id)
        .where(Account.email == email, AccountSession.door_hash == door_hash)
        .limit(1)
    )
    return found.first() is not None


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
