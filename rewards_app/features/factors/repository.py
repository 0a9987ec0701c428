"""Second factors in the database: each function is one statement."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func
from sqlmodel import col, delete, select, update

from rewards_app.core.database import AsyncSession, write
from rewards_app.models import Authenticator, BackupCode, Passkey, PasskeyChallenge


class Codes(NamedTuple):
    left: int
    made_at: datetime | None


async def lock_account(session: AsyncSession, account_id: UUID) -> bool:
    """Changes of one account's factors wait for each other; whether it has one already."""
    found = await write(
        session,
        "select second_factor_at is not null from accounts where id = %s for no key update",
        (account_id,),
    )
    return bool(found and found[0])


async def keep_in_step(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """The account knows whether signing in asks for more; whether it does."""
    found = await write(
        session,
        """
        update accounts set second_factor_at = case
            when exists (select from authenticators
                where account_id = accounts.id and confirmed_at is not null)
            or exists (select from passkeys where account_id = accounts.id)
            then coalesce(second_factor_at, %(now)s) end
        where id = %(account)s returning second_factor_at is not null
        """,
        {"account": account_id, "now": now},
    )
    return bool(found and found[0])


async def authenticator_of(session: AsyncSession, account_id: UUID) -> Authenticator | None:
    query = select(Authenticator).where(Authenticator.account_id == account_id)
    found = await session.exec(query.execution_options(populate_existing=True))
    return found.first()


async def use_step(session: AsyncSession, account_id: UUID, step: int) -> bool:
    """Whether nobody has used this period's code, or a later one: of two at once, one has."""
    used = await session.exec(
        update(Authenticator)
        .where(
            col(Authenticator.account_id) == account_id,
            col(Authenticator.confirmed_at).is_not(None),
            col(Authenticator.last_step) < step,
        )
        .values(last_step=step)
        .returning(col(Authenticator.account_id))
    )
    return used.first() is not None


async def remove_authenticator(session: AsyncSession, account_id: UUID) -> bool:
    """Whether one was in use. One that was only being set up goes, too."""
    removed = await session.exec(
        delete(Authenticator)
        .where(col(Authenticator.account_id) == account_id)
        .returning(col(Authenticator.confirmed_at))
    )
    row = removed.first()
    return row is not None and row[0] is not None


async def codes_of(session: AsyncSession, account_id: UUID) -> Codes:
    left = func.count().filter(col(BackupCode.used_at).is_(None))
    query = select(left, func.max(BackupCode.created_at)).where(BackupCode.account_id == account_id)
    return Codes(*(await session.exec(query)).one())


async def unused_codes(session: AsyncSession, account_id: UUID) -> Sequence[tuple[UUID, str]]:
    query = select(BackupCode.id, BackupCode.code_hash).where(
        BackupCode.account_id == account_id, col(BackupCode.used_at).is_(None)
    )
    return (await session.exec(query)).all()


async def use_code(session: AsyncSession, code_id: UUID, *, now: datetime) -> bool:
    """Whether nobody has used it: of two at once, one has."""
    used = await session.exec(
        update(BackupCode)
        .where(col(BackupCode.id) == code_id, col(BackupCode.used_at).is_(None))
        .values(used_at=now)
        .returning(col(BackupCode.id))
    )
    return used.first() is not None


async def remove_codes(session: AsyncSession, account_id: UUID) -> None:
    await session.exec(delete(BackupCode).where(col(BackupCode.account_id) == account_id))


async def passkeys_of(session: AsyncSession, account_id: UUID) -> Sequence[Passkey]:
    query = select(Passkey).where(Passkey.account_id == account_id)
    return (await session.exec(query.order_by(col(Passkey.created_at), col(Passkey.id)))).all()


async def lock_passkey(
    session: AsyncSession, account_id: UUID, credential_id: bytes
) -> Passkey | None:
    query = select(Passkey).where(
        Passkey.account_id == account_id, Passkey.credential_id == credential_id
    )
    found = await session.exec(query.with_for_update().execution_options(populate_existing=True))
    return found.first()


async def is_known(session: AsyncSession, credential_id: bytes) -> bool:
    query = select(Passkey.id).where(Passkey.credential_id == credential_id)
    return (await session.exec(query)).first() is not None


async def rename_passkey(
    session: AsyncSession, account_id: UUID, passkey_id: UUID, name: str
) -> bool:
    renamed = await session.exec(
        update(Passkey)
        .where(col(Passkey.id) == passkey_id, col(Passkey.account_id) == account_id)
        .values(name=name)
        .returning(col(Passkey.id))
    )
    return renamed.first() is not None


async def remove_passkey(session: AsyncSession, account_id: UUID, passkey_id: UUID) -> str | None:
    """The name of what is gone; None where there is no such passkey of this account."""
    removed = await session.exec(
        delete(Passkey)
        .where(col(Passkey.id) == passkey_id, col(Passkey.account_id) == account_id)
        .returning(col(Passkey.name))
    )
    row = removed.first()
    return row[0] if row else None


async def remove_passkeys(session: AsyncSession, account_id: UUID) -> None:
    await session.exec(delete(Passkey).where(col(Passkey.account_id) == account_id))


async def take_challenge(
    session: AsyncSession, account_id: UUID, purpose: str, challenge: bytes
) -> datetime | None:
    """When it ends; it is gone from now on, whatever becomes of the answer."""
    taken = await session.exec(
        delete(PasskeyChallenge)
        .where(
            col(PasskeyChallenge.account_id) == account_id,
            col(PasskeyChallenge.purpose) == purpose,
            col(PasskeyChallenge.challenge) == challenge,
        )
        .returning(col(PasskeyChallenge.expires_at))
    )
    row = taken.first()
    return row[0] if row else None


async def forget_old_challenges(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    await session.exec(
        delete(PasskeyChallenge).where(
            col(PasskeyChallenge.account_id) == account_id, col(PasskeyChallenge.expires_at) <= now
        )
    )
