"""Showing once more who one is, before something that cannot be undone: by the password."""

from datetime import datetime, timedelta
from uuid import UUID

import structlog

from rewards_app.core import hashing, limits
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.sealed import short_mark
from rewards_app.features.accounts import repository, rules, session_repository
from rewards_app.features.alerts import soon
from rewards_app.features.alerts.rules import Kind
from rewards_app.models import Account

_log = structlog.get_logger(__name__)

TRIES_PER_ACCOUNT = limits.parse("5/5minutes")
FRESH_SIGN_IN = timedelta(minutes=10)
"""For how long signing in with a provider proves somebody who has no password."""


async def prove(
    session: AsyncSession, actor: Actor, password: str, caller: Caller, *, now: datetime
) -> None:
    """Refuse whoever does not know the password of the account they are signed in to.

    Call it before anything else of the transaction: hashing waits for its turn without a
    connection. Each try is counted before it is looked at, so that many at once gain nothing.
    The account stays locked until the transaction ends: nobody else gives it another password.
    Nothing is no try: a page may not know yet that there is a password to be asked for.
    """
    if not password and await has_password(session, actor.user_id):
        raise rules.WrongPassword("password")
    try:
        await limits.spend(TRIES_PER_ACCOUNT, "prove", str(actor.user_id))
    except TooManyAttempts:
        _alert_of_guessing(actor)
        raise
    async with hashing.slots:
        password_hash = await repository.password_hash_of(session, actor.user_id)
        is_right = await hashing.matches(password[: rules.LONGEST_PASSWORD + 1], password_hash)
    if password_hash is None:
        await _prove_by_sign_in(session, actor, now=now)
    elif not is_right or not await _is_still(session, actor.user_id, password_hash):
        _log.warning(
            "proof.failed", account_id=str(actor.user_id), place=short_mark(caller.address)
        )
        raise rules.WrongPassword("password")
    await limits.forget(TRIES_PER_ACCOUNT, "prove", str(actor.user_id))


async def _is_still(session: AsyncSession, account_id: UUID, password_hash: str) -> bool:
    """To check a password takes a moment, in which a mailed link may have set another one."""
    account = await lock_row(session, Account, account_id)
    return account is not None and account.password_hash == password_hash


async def _prove_by_sign_in(session: AsyncSession, actor: Actor, *, now: datetime) -> None:
    """A mailed link may have given the account a password since, and ended the session."""
    account = await lock_row(session, Account, actor.user_id)
    is_open = await session_repository.lock_sessions(session, [actor.session_id])
    is_fresh = now - actor.signed_in_at <= FRESH_SIGN_IN
    if account is None or account.password_hash or not is_open or not is_fresh:
        raise rules.SignInAgain


def _alert_of_guessing(actor: Actor) -> None:
    """Somebody sits before an open session and does not know its password."""
    soon.alert(
        Kind.ACCOUNT_LOCKED,
        about=f"account:{actor.user_id}",
        account_id=actor.user_id,
        params={
            "failures": TRIES_PER_ACCOUNT.amount,
            "minutes": TRIES_PER_ACCOUNT.get_expiry() // 60,
        },
    )


async def has_password(session: AsyncSession, account_id: UUID) -> bool:
    """False for who signs in with a provider only."""
    return await repository.password_hash_of(session, account_id) is not None
