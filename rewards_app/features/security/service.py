"""Changing what protects one's own account: each change is proven first, and told to its owner."""

from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import closing, letters, proving, sessions
from rewards_app.features.accounts import service as accounts
from rewards_app.features.factors import resets
from rewards_app.features.factors import service as factors

OFF = "two_factor_off"
"""The letter about the last factor that went."""


async def begin_authenticator(
    session: AsyncSession, actor: Actor, password: str, caller: Caller, *, now: datetime
) -> factors.Setup:
    await proving.prove(session, actor, password, caller, now=now)
    return await factors.begin_authenticator(session, actor.user_id, actor.email, now=now)


async def confirm_authenticator(
    session: AsyncSession, actor: Actor, code: str, caller: Caller, *, now: datetime
) -> list[str]:
    """Only what the password began can be confirmed. Backup codes, where it is the first factor."""
    codes = await factors.confirm_authenticator(session, actor.user_id, code, now=now)
    await resets.cancel_open(session, actor.user_id, now=now)
    if codes:
        await _end_what_showed_no_factor(session, actor, now=now)
    await _tell(session, actor, "authenticator_added", caller, now=now)
    return codes


async def remove_authenticator(
    session: AsyncSession, actor: Actor, password: str, caller: Caller, *, now: datetime
) -> bool:
    """Whether signing in still asks for more than the password."""
    await proving.prove(session, actor, password, caller, now=now)
    was_there = await factors.remove_authenticator(session, actor.user_id, now=now)
    is_on = await factors.is_on(session, actor.user_id)
    if was_there:
        letter = "authenticator_removed" if is_on else OFF
        await _tell(session, actor, letter, caller, now=now)
    if not is_on:
        await resets.drop_open(session, actor.user_id, now=now)
    return is_on


async def renew_codes(
    session: AsyncSession, actor: Actor, password: str, caller: Caller, *, now: datetime
) -> list[str]:
    await proving.prove(session, actor, password, caller, now=now)
    codes = await factors.new_codes(session, actor.user_id, now=now)
    await _tell(session, actor, "codes_renewed", caller, now=now)
    return codes


async def begin_passkey(
    session: AsyncSession, actor: Actor, password: str, caller: Caller, *, now: datetime
) -> dict[str, Any]:
    await proving.prove(session, actor, password, caller, now=now)
    return await factors.passkey_options(
        session, actor.user_id, factors.Purpose.ADD, actor.email, now=now
    )


async def add_passkey(
    session: AsyncSession, actor: Actor, name: str, answer: str, caller: Caller, *, now: datetime
) -> list[str]:
    """Only what the password began can be answered. Backup codes, where it is the first factor."""
    codes = await factors.add_passkey(session, actor.user_id, name, answer, now=now)
    await resets.cancel_open(session, actor.user_id, now=now)
    if codes:
        await _end_what_showed_no_factor(session, actor, now=now)
    await _tell(session, actor, "passkey_added", caller, now=now, passkey=name)
    return codes


async def remove_passkey(
    session: AsyncSession,
    actor: Actor,
    passkey_id: UUID,
    password: str,
    caller: Caller,
    *,
    now: datetime,
) -> bool:
    """Whether signing in still asks for more than the password."""
    await proving.prove(session, actor, password, caller, now=now)
    name = await factors.remove_passkey(session, actor.user_id, passkey_id, now=now)
    is_on = await factors.is_on(session, actor.user_id)
    if is_on:
        await _tell(session, actor, "passkey_removed", caller, now=now, passkey=name)
    else:
        await _tell(session, actor, OFF, caller, now=now)
        await resets.drop_open(session, actor.user_id, now=now)
    return is_on


async def close_account(
    session: AsyncSession, actor: Actor, password: str, caller: Caller, *, now: datetime
) -> datetime:
    """When everything will be erased; who signs in before can keep it."""
    await proving.prove(session, actor, password, caller, now=now)
    return await closing.close(session, actor.user_id, own=caller.session_hash, now=now)


async def _end_what_showed_no_factor(session: AsyncSession, actor: Actor, *, now: datetime) -> None:
    """With a factor an account may do more: not in sessions that a password alone opened."""
    await sessions.end_all(session, actor.user_id, now=now, keep=actor.session_id)


async def _tell(
    session: AsyncSession, actor: Actor, name: str, caller: Caller, *, now: datetime, **said: str
) -> None:
    account = await accounts.find(session, actor.user_id)
    assert account is not None, "who acts has an account"
    told = letters.circumstances(caller, account.language, now=now)
    await letters.tell(session, account, name, link=letters.RESETTING, **told, **said)
