"""Accounts: who has one, under which name and role, and how many there are."""

from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.core.errors import SessionEnded
from rewards_app.core.settings import settings
from rewards_app.features.accounts import (
    handles,
    name_rules,
    repository,
    roles,
    rules,
    session_repository,
    sessions,
)
from rewards_app.features.accounts.handle_rules import NAMELESS
from rewards_app.features.accounts.password_rules import PasswordAge, password_notice
from rewards_app.models import Account


async def promote(
    session: AsyncSession, email: str, role: Role, reason: str = "", *, now: datetime
) -> bool:
    """For the command line: give the account of `email` a role; False when there is none."""
    account = await repository.account_by_email(session, email.strip().lower())
    if account is None:
        return False
    await roles.change(session, None, account.id, role, reason, now=now)
    return True


async def find(session: AsyncSession, account_id: UUID) -> Account | None:
    return await repository.account_by_id(session, account_id)


async def locked_open(session: AsyncSession, account_id: UUID) -> Account:
    """Of who acts: what is closed meanwhile in another browser keeps what it was closed with."""
    account = await lock_row(session, Account, account_id)
    if account is None or account.closed_at:
        raise SessionEnded
    return account


async def rename(session: AsyncSession, account_id: UUID, name: str, *, now: datetime) -> bool:
    """Show the account under another name; open tabs learn it. False where nothing is different.

    Its username stays, and its handle, unless a moderator has replaced that.
    """
    account = await locked_open(session, account_id)
    wished = name_rules.name_from(name, account.language)
    if wished == account.display_name:
        return False
    account.display_name = wished
    session.add(account)
    await handles.claim_again(session, account_id, wished, now=now)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account_id))
    return True


async def replace_name(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """And the handle, which mostly says the same: by neutral ones, until its owner chooses another
    name. Open tabs learn it."""
    account = await lock_row(session, Account, account_id)
    assert account is not None, "whoever is looked at has an account"
    account.display_name = NAMELESS
    session.add(account)
    await handles.claim_neutral(session, account_id, now=now)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account_id))


async def players() -> int:
    """Accounts that may play."""
    return await repository.count_of([role.value for role in PLAYING_ROLES])


async def password_age(account_id: UUID, *, now: datetime) -> PasswordAge | None:
    """None where nothing expires, and for who signs in with a provider only."""
    changed_at = await repository.password_changed_at(account_id)
    days = settings().password_rotation_days
    return password_notice(changed_at, days, now) if changed_at else None


async def count_by_role(session: AsyncSession) -> dict[str, int]:
    return await repository.accounts_by_role(session)


async def sign_ups_since(session: AsyncSession, since: datetime) -> int:
    return await repository.sign_ups_since(session, since)


async def open_sessions(
    session: AsyncSession, *, now: datetime, account_id: UUID | None = None
) -> int:
    return await session_repository.live_session_count(
        session, active_since=rules.silent_before(now), account_id=account_id
    )
