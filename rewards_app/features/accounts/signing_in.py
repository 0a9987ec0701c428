"""Signing in with a password."""

from datetime import datetime

from rewards_app.core import hashing, limits
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.core.settings import settings
from rewards_app.features.accounts import (
    guessing,
    mailed_links,
    repository,
    rules,
    steps,
)
from rewards_app.models import Account

LINKS_BY_SIGN_IN = limits.parse("1/5minutes")


async def sign_in(
    session: AsyncSession,
    email: str,
    password: str,
    caller: Caller,
    *,
    may_log_address: bool,
    now: datetime,
) -> steps.Outcome:
    """A ticket for the person who knows the password, or what else is asked of them first."""
    async with hashing.slots:
        account = await _checked(
            session, email.strip().lower(), password, caller, may_log_address=may_log_address
        )
    # Not before: who waits for the account may not keep others from hashing.
    account = await _unless_changed(session, account)
    if _is_hidden(account):
        if await mailed_links.is_within(LINKS_BY_SIGN_IN, "sign-in-link", account.email):
            await mailed_links.mail_verification(session, account, now=now)
        return steps.Withheld()
    if account.password_hash and hashing.is_outdated(account.password_hash):
        account.password_hash = await hashing.hashed(password)
        session.add(account)
    if account.email_verified_at is None:
        return steps.Unverified(is_player=account.role in PLAYING_ROLES)
    return await steps.first(session, account, caller, may_log_address=may_log_address, now=now)


async def _checked(
    session: AsyncSession, email: str, password: str, caller: Caller, *, may_log_address: bool
) -> Account:
    guess = await guessing.begin(session, email, caller)
    try:
        account = await repository.account_by_email(session, email)
        is_right = await hashing.matches(password, account.password_hash if account else None)
    except Exception:
        await guess.was_none()
        raise
    if account and is_right and not _is_hidden(account):
        await guess.was_right()
        return account
    await guess.was_wrong(account, may_log_address=may_log_address)
    if not account or not is_right:
        raise rules.InvalidCredentials
    return account


def _is_hidden(account: Account) -> bool:
    """Anybody may have made it, to see whether the address has one with another password."""
    return settings().hide_known_accounts and account.email_verified_at is None


async def _unless_changed(session: AsyncSession, account: Account) -> Account:
    """To check a password takes a moment, in which its owner may have chosen another one."""
    checked = account.password_hash
    locked = await lock_row(session, Account, account.id)
    if locked is None or locked.password_hash != checked:
        raise rules.InvalidCredentials
    return locked
