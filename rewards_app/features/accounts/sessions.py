"""Signed-in browsers: from a ticket to a session, its life, its end."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import AsyncSession
from rewards_app.core.sealed import short_mark
from rewards_app.features.accounts import (
    activity,
    letters,
    repository,
    rules,
    session_repository,
    token_repository,
)
from rewards_app.models import AccountSession, SignInTicket

_log = structlog.get_logger(__name__)
TICKETS_PER_ADDRESS = limits.parse("30/minute")
SESSION_ENDED = "session_ended"
"""By its own browser, which knows why."""
SESSION_TAKEN = "session_taken"
"""Ended from elsewhere: its pages say so."""
SESSIONS_CHANGED = "sessions_changed"
"""Announced with the account's id: one of its sessions has begun, changed or ended, or it has
another password."""
ACCOUNT_CHANGED = "account_changed"
ACCOUNT_ADDED = "account_added"

_noted: OrderedDict[UUID, float] = OrderedDict()
"""When this worker last wrote the activity of a session: once a minute is enough."""


async def issue_ticket(
    session: AsyncSession,
    account_id: UUID,
    caller: Caller,
    *,
    may_log_address: bool,
    now: datetime,
) -> str:
    """A secret that opens a session once, within seconds, in the caller's browser only."""
    await limits.spend(TICKETS_PER_ADDRESS, "ticket", caller.source)
    token = secrets.token_urlsafe(32)
    session.add(
        SignInTicket(
            token_hash=digest(token),
            account_id=account_id,
            door_hash=caller.door_hash,
            may_log_address=may_log_address,
            expires_at=now + rules.TICKET_LIFETIME,
        )
    )
    return token


async def redeem_ticket(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> str | None:
    """The new session's secret, or None for a ticket that is used, late or another browser's."""
    if not caller.door_hash:
        return None
    ticket = await token_repository.take_ticket(session, digest(token), caller.door_hash)
    if ticket is None or ticket.expires_at <= now:
        return None
    if caller.session_hash:
        await end(session, caller.session_hash, now=now)
    await activity.note(session, ticket.account_id, now=now)
    await _tell_of_new_device(session, ticket.account_id, caller, now=now)
    secret = secrets.token_urlsafe(32)
    session.add(
        AccountSession(
            account_id=ticket.account_id,
            token_hash=digest(secret),
            created_at=now,
            last_active_at=now,
            user_agent=caller.user_agent,
            door_hash=caller.door_hash,
            ip_address=caller.address if ticket.may_log_address else None,
        )
    )
    live.announce_after(session, SESSIONS_CHANGED, str(ticket.account_id))
    place = short_mark(caller.address)
    _log.info("session.started", account_id=str(ticket.account_id), place=place)
    return secret


async def _tell_of_new_device(
    session: AsyncSession, account_id: UUID, caller: Caller, *, now: datetime
) -> None:
    """The owner has a mail of each browser that is new; the first one is their own."""
    if not await session_repository.is_new_door(session, account_id, caller.door_hash):
        return
    account = await repository.account_by_id(session, account_id)
    assert account is not None, "a ticket goes with its account"
    await letters.tell(
        session,
        account,
        "new_device",
        link="/security?section=sessions",
        **letters.circumstances(caller, account.language, now=now),
    )


async def find_actor(session_hash: str, *, now: datetime) -> Actor | None:
    """Who is behind a session that is alive."""
    return (await find_actors([session_hash], now=now)).get(session_hash)


async def find_actors(session_hashes: Collection[str], *, now: datetime) -> dict[str, Actor]:
    """Who is behind those of these sessions that are alive."""
    return await session_repository.live_sessions(
        session_hashes,
        active_since=rules.silent_before(now),
        created_since=now - rules.SESSION_LIFETIME,
    )


async def was_silent(session_hash: str, *, now: datetime) -> bool:
    """Whether a session that is over ended because nobody did anything there."""
    found = await session_repository.last_of(session_hash)
    if found is None:
        return False
    last_active_at, ended_at = found
    return rules.was_silent(last_active_at, ended_at or now)


def should_write_activity(session_id: UUID) -> bool:
    """Whether this worker should tell the database now; remembers that it did."""
    now = time.monotonic()
    last = _noted.get(session_id)
    if last is not None and now - last < rules.ACTIVITY_STEP.total_seconds():
        return False
    _noted[session_id] = now
    _noted.move_to_end(session_id)
    while len(_noted) > 50_000:
        _noted.popitem(last=False)
    return True


async def note_activity(session: AsyncSession, actor: Actor, *, now: datetime) -> None:
    await activity.note(session, actor.user_id, now=now)
    await session_repository.note_activity(session, actor.session_id, now=now)


async def forget_address(actor: Actor) -> None:
    """Their browser does not allow it, or not any more: the session notes none from now on."""
    if await session_repository.forget_address(actor.session_id):
        live.announce(SESSIONS_CHANGED, str(actor.user_id))


async def alive(
    session: AsyncSession, account_id: UUID, *, now: datetime
) -> Sequence[AccountSession]:
    """The sessions of an account that are alive, the one that was used last first."""
    return await session_repository.sessions_of(
        session,
        account_id,
        active_since=rules.silent_before(now),
        created_since=now - rules.SESSION_LIFETIME,
    )


async def end(session: AsyncSession, session_hash: str, *, now: datetime) -> None:
    """End one session everywhere; ending it twice changes nothing."""
    if account_id := await session_repository.end_session(session, session_hash, now=now):
        await live.publish(session, SESSION_ENDED, session_hash)
        live.announce_after(session, SESSIONS_CHANGED, str(account_id))
        _log.info("session.ended", account_id=str(account_id))


async def revoke(session: AsyncSession, actor: Actor, session_id: UUID, *, now: datetime) -> None:
    """End another session of the actor's own account."""
    is_other = session_id != actor.session_id
    if not is_other or not await end_one_of(session, actor.user_id, session_id, now=now):
        raise rules.NoSuchSession


async def end_one_of(
    session: AsyncSession, account_id: UUID, session_id: UUID, *, now: datetime
) -> bool:
    """End one session of this account; False where it has no such one alive."""
    session_hash = await session_repository.end_session_of(session, account_id, session_id, now=now)
    if session_hash is None:
        return False
    await live.publish(session, SESSION_TAKEN, session_hash)
    live.announce_after(session, SESSIONS_CHANGED, str(account_id))
    _log.info("session.revoked", account_id=str(account_id))
    return True


async def end_all(
    session: AsyncSession,
    account_id: UUID,
    *,
    now: datetime,
    keep: UUID | None = None,
    own: str = "",
) -> int:
    """End every session of an account but `keep`, and each sign-in on its way; how many ended.

    `own` is the hash of the one that ends with them by its own doing: it says so in its own words.
    """
    await token_repository.drop_sign_ins(session, account_id)
    ended = await session_repository.end_sessions_of(session, account_id, now=now, keep=keep)
    for session_hash in ended:
        is_own = session_hash == own
        await live.publish(session, SESSION_ENDED if is_own else SESSION_TAKEN, session_hash)
    if ended:
        live.announce_after(session, SESSIONS_CHANGED, str(account_id))
        _log.info("session.all_ended", account_id=str(account_id), count=len(ended))
    return len(ended)
