"""People as admins find and look into them, and what admins do with their sessions and mail."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import structlog

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import id_from
from rewards_app.core.routes import SIGN_IN
from rewards_app.features.accounts import (
    directory_repository,
    letters,
    links,
    mailed_links,
    repository,
    role_rules,
    rules,
    sessions,
)
from rewards_app.features.accounts.directory_repository import Facts, OpenSession, Person
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action
from rewards_app.models import Account

__all__ = ["Facts", "OpenSession", "People", "Person", "Search", "Which"]

_log = structlog.get_logger(__name__)

A_PAGE = 25


class Which(StrEnum):
    """Whom a list shows."""

    EVERYBODY = ""
    PLAYERS = "player"
    MODERATORS = "moderator"
    COMPANIES = "company"
    ADMINS = "admin"
    RESTRICTED = "restricted"
    UNVERIFIED = "unverified"
    ASKED_FOR_ADMIN = "asked_for_admin"


class SessionIsOver(DomainError):
    """It ended before it could be ended."""

    code = "directory.session_is_over"


class IsVerified(DomainError):
    """Nothing is left to prove."""

    code = "directory.is_verified"


@dataclass(frozen=True, slots=True)
class Search:
    """`text`: a whole id, or what an email or a name begins with."""

    text: str = ""
    which: Which = Which.EVERYBODY


@dataclass(frozen=True, slots=True)
class People:
    """A stretch of what was found, the newest first; `next_before` leads to the older rest."""

    shown: Sequence[Person]
    next_before: UUID | None


async def find(
    session: AsyncSession, search: Search, *, before: UUID | None = None, limit: int | None = None
) -> People:
    most = limit or A_PAGE
    text = search.text.strip()
    account_id = id_from(text)
    found = await directory_repository.newest(
        session,
        account_id=account_id,
        begins="" if account_id else text,
        which=search.which.value,
        before=before,
        limit=most + 1,
    )
    shown = found[:most]
    return People(shown, shown[-1].id if len(found) > most else None)


@dataclass(frozen=True, slots=True)
class Story:
    """What admins may know of one person."""

    person: Person
    facts: Facts
    sessions: Sequence[OpenSession]


async def look_into(
    session: AsyncSession, actor: Actor, account_id: UUID, *, again: bool = False, now: datetime
) -> Story:
    """Who looks is in the log, but not `again` whenever what they look at changes."""
    found = await directory_repository.newest(session, account_id=account_id, limit=1)
    facts = await directory_repository.facts_of(session, account_id)
    if not found or facts is None:
        raise role_rules.UnknownAccount
    if not again:
        _log.info("account.looked_into", account_id=str(account_id), by=str(actor.user_id))
    return Story(found[0], facts, await _open_sessions(session, account_id, now=now))


async def _open_sessions(
    session: AsyncSession, account_id: UUID, *, now: datetime
) -> Sequence[OpenSession]:
    return await directory_repository.open_sessions(
        session,
        account_id,
        active_since=rules.silent_before(now),
        created_since=now - rules.SESSION_LIFETIME,
    )


async def end_sessions(
    session: AsyncSession,
    actor: Actor,
    account_id: UUID,
    reason: str,
    *,
    only: UUID | None = None,
    now: datetime,
) -> int:
    """End one session of the account, or all of them; how many ended.

    Nobody ends the session that they are acting in: signing out is for that. Their owner is mailed
    that it was no accident, unless it was them.
    """
    why = role_rules.reason_from(reason)
    account = await _known(session, account_id)
    before = await _open_sessions(session, account_id, now=now)
    ended = await _end(session, actor, account_id, only, now=now)
    if not ended:
        raise SessionIsOver
    await audit.record(
        session,
        actor,
        Action.SESSIONS_ENDED,
        f"account:{account_id}",
        label=account.display_name,
        before={"sessions": len(before)},
        after={"sessions": len(await _open_sessions(session, account_id, now=now))},
        reason=why,
        now=now,
    )
    if account_id != actor.user_id:
        await letters.tell_of_decision(session, account, "sessions_ended", link=SIGN_IN)
    return ended


async def _end(
    session: AsyncSession, actor: Actor, account_id: UUID, only: UUID | None, *, now: datetime
) -> int:
    if only is None:
        return await sessions.end_all(session, account_id, now=now, keep=actor.session_id)
    if only == actor.session_id:
        raise SessionIsOver
    return int(await sessions.end_one_of(session, account_id, only, now=now))


async def _known(session: AsyncSession, account_id: UUID) -> Account:
    account = await repository.account_by_id(session, account_id)
    if account is None:
        raise role_rules.UnknownAccount
    return account


async def send_verification(
    session: AsyncSession, actor: Actor, account_id: UUID, *, now: datetime
) -> None:
    """Mail a fresh link to prove the address; no more often than its owner could ask for one."""
    account = await repository.account_by_id(session, account_id)
    if account is None:
        raise role_rules.UnknownAccount
    if account.email_verified_at:
        raise IsVerified
    await limits.spend(mailed_links.MAILS_PER_ACCOUNT, "mail", links.VERIFY, account.email)
    await mailed_links.mail_verification(session, account, now=now)
    await audit.record(
        session,
        actor,
        Action.VERIFICATION_SENT,
        f"account:{account_id}",
        label=account.display_name,
        now=now,
    )
