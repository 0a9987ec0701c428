"""Accounts in the database: each function is one statement or one row."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import LiteralString, NamedTuple
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select, update

from rewards_app.core.database import AsyncSession, lock_row, lookup, rows, run
from rewards_app.core.sealed import unseal
from rewards_app.features.accounts import handles
from rewards_app.models import (
    Account,
    AccountIdentity,
)

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


async def locked_by_email(session: AsyncSession, email: str) -> Account | None:
    """The account of this address: while it was waited for, it may have moved to another one."""
    found = await account_by_email(session, email)
    account = await lock_row(session, Account, found.id) if found else None
    return account if account and account.email == email else None


async def account_by_id(session: AsyncSession, account_id: UUID) -> Account | None:
    return await session.get(Account, account_id)


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


async def is_vouched_for(session: AsyncSession, account_id: UUID) -> bool:
    """Whether a provider opens the account."""
    identity = select(AccountIdentity.account_id).where(AccountIdentity.account_id == account_id)
    return (await session.exec(identity.limit(1))).first() is not None


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


async def forget_birth_date(session: AsyncSession, account_id: UUID) -> bool:
    """False where none is kept."""
    forgotten = await session.exec(
        update(Account)
        .where(col(Account.id) == account_id, col(Account.age_verified_at).is_not(None))
        .values(birth_date=None, age_verified_at=None)
        .returning(col(Account.id))
    )
    return forgotten.first() is not None


class ToldAge(NamedTuple):
    """What is known of somebody's age, and of where their days begin."""

    birth_date: str | None
    sign_up_age: int | None
    signed_up_at: datetime
    zone: str
    """That of their days; empty while no browser has told it."""


# Another zone takes over when the day of the one before has ended, whoever has noted that.
TOLD_AGES: LiteralString = """
select account.id, birth_date, sign_up_age, account.created_at,
    coalesce(case when day_ends_at <= %(now)s then next_time_zone end, time_zone, '')
from accounts account left join watchers on watchers.account_id = account.id
where account.id = any(%(ids)s)
"""


async def told_age_of(account_id: UUID, *, now: datetime) -> ToldAge | None:
    found = await lookup(TOLD_AGES, {"ids": [account_id], "now": now})
    return _told_age(*found[1:]) if found else None


async def told_ages(
    session: AsyncSession, accounts: Collection[UUID], *, now: datetime
) -> dict[UUID, ToldAge]:
    """The same of several."""
    found = await rows(session, TOLD_AGES, {"ids": list(accounts), "now": now})
    return {account_id: _told_age(*told) for account_id, *told in found}


def _told_age(
    birth_date: str | None, sign_up_age: int | None, signed_up_at: datetime, zone: str
) -> ToldAge:
    return ToldAge(birth_date and unseal(birth_date), sign_up_age, signed_up_at, zone)


# Two indexes know both numbers: one count with both conditions would read every row.
BY_ROLE: LiteralString = """
select role, sum(people)::bigint from (
    select role, count(*) as people from accounts group by role
    union all
    select role, -count(*) from accounts where closed_at is not null group by role
) as counted group by role
"""


async def accounts_by_role(session: AsyncSession) -> dict[str, int]:
    """A role of which all have left, too."""
    return dict(tuple(row) for row in await rows(session, BY_ROLE, {}))


COUNT_OF: LiteralString = """
select (select count(*) from accounts where role = any(%(roles)s))
    - (select count(*) from accounts where role = any(%(roles)s) and closed_at is not null)
"""


async def count_of(roles: Sequence[str]) -> int:
    found = await lookup(COUNT_OF, {"roles": roles})
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
        select(func.count())
        .select_from(Account)
        .where(col(Account.created_at) >= since, col(Account.closed_at).is_(None))
    )
    return rows.one()
