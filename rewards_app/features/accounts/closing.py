"""Closing an account: hidden at once, put back until its time is up, then there to be erased."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

import structlog
from sqlmodel import col, select

from rewards_app.core import live, mail
from rewards_app.core.actor import Role
from rewards_app.core.database import AsyncSession, lock_row, rows
from rewards_app.core.errors import DomainError
from rewards_app.core.routes import SIGN_IN
from rewards_app.core.settings import settings
from rewards_app.features.accounts import links, sessions
from rewards_app.features.accounts.role_rules import UnknownAccount
from rewards_app.i18n import written
from rewards_app.models import Account, AccountClosure, Profile

_log = structlog.get_logger(__name__)

TIME_TO_CHANGE_ONES_MIND = timedelta(days=30)
TOLD_BEFORE = timedelta(days=3)
CLOSING, CLOSING_SOON = "account_closing", "account_closing_soon"
CHANGED = sessions.ACCOUNT_CHANGED
"""Published with the account's id when it is closed, and when it is kept after all."""


class LastAdmin(DomainError):
    """Without an admin nobody could look after the app."""

    code = "closing.last_admin"


@dataclass(frozen=True, slots=True)
class Leaving:
    """What else hides with an account: `hide` says what to put back, `restore` is handed that."""

    name: str
    hide: Callable[[AsyncSession, UUID, datetime], Awaitable[Any]]
    restore: Callable[[AsyncSession, UUID, Any, datetime], Awaitable[None]]
    strands: Callable[[AsyncSession, UUID], Awaitable[int]] | None = None
    """Cents of a dollar that are nobody's any more once they are forgotten."""


ON_CLOSE: list[Leaving] = []
"""Slices above add what is theirs; what they hide must be JSON."""


def hide_too(leaving: Leaving) -> None:
    """From now on this hides with every account."""
    if leaving not in ON_CLOSE:
        ON_CLOSE.append(leaving)


async def close(
    session: AsyncSession,
    account_id: UUID,
    *,
    own: str = "",
    is_silent: bool = False,
    now: datetime,
) -> datetime:
    """Hide the account and sign it out everywhere; when it will be erased.

    Closing it twice changes nothing: the first time counts. `own` is as in `sessions.end_all`.
    """
    account = await lock_row(session, Account, account_id)
    if account is None:
        raise UnknownAccount
    if account.closed_at:
        return await _due(session, account_id)
    await _refuse_last_admin(session, account)
    due = now + TIME_TO_CHANGE_ONES_MIND
    session.add(
        AccountClosure(
            account_id=account_id,
            hidden=json.dumps(await _hide(session, account, now)),
            due_at=due,
            created_at=now,
        )
    )
    account.closed_at = now
    session.add(account)
    await links.use_up(session, account_id, links.RESET, links.USE, now=now)
    await sessions.end_all(session, account_id, now=now, own=own)
    await live.publish(session, CHANGED, str(account_id))
    if not is_silent:
        await _warn(session, account.id, account.email, account.language, CLOSING, due)
    _log.info("account.closed", account_id=str(account_id))
    return due


async def stranded(session: AsyncSession, account_id: UUID) -> int:
    """Cents of a dollar that would be nobody's any more if they were forgotten now."""
    return sum([await one.strands(session, account_id) for one in ON_CLOSE if one.strands])


async def _due(session: AsyncSession, account_id: UUID) -> datetime:
    due = await due_at(session, account_id)
    if due is None:
        raise UnknownAccount
    return due


async def _refuse_last_admin(session: AsyncSession, account: Account) -> None:
    if account.role != Role.ADMIN.value:
        return
    others = select(Account.id).where(
        Account.role == Role.ADMIN.value,
        Account.id != account.id,
        col(Account.closed_at).is_(None),
    )
    # Two admins who go at the same moment would leave none: each waits for the others' rows.
    if not (await session.exec(others.with_for_update(read=True))).all():
        raise LastAdmin


async def _hide(session: AsyncSession, account: Account, now: datetime) -> dict[str, Any]:
    """Take from sight what tells who this was; what that is, to be put back."""
    hidden: dict[str, Any] = {
        "display_name": account.display_name,
        "username": account.username,
        "leaving": {
            leaving.name: await leaving.hide(session, account.id, now) for leaving in ON_CLOSE
        },
    }
    account.display_name = account.username = ""
    profile = await session.get(Profile, account.id)
    if profile:
        hidden["profile"] = {"bio": profile.bio, "is_public": profile.is_public}
        profile.bio, profile.is_public = "", False
        session.add(profile)
    return hidden


async def reopen(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """Put everything back; False where the account is not closed, or erased already."""
    account = await lock_row(session, Account, account_id)
    closure = await _open_closure(session, account_id)
    if account is None or closure is None:
        return False
    await _put_back(session, account, json.loads(closure.hidden or "{}"), now)
    closure.hidden, closure.cancelled_at = None, now
    account.closed_at = None
    session.add_all([account, closure])
    await live.publish(session, CHANGED, str(account_id))
    await _tell(session, account, "account_kept")
    _log.info("account.reopened", account_id=str(account_id))
    return True


async def _put_back(
    session: AsyncSession, account: Account, hidden: dict[str, Any], now: datetime
) -> None:
    account.display_name, account.username = hidden["display_name"], hidden["username"]
    profile = await session.get(Profile, account.id)
    if profile and "profile" in hidden:
        profile.bio = hidden["profile"]["bio"]
        profile.is_public = hidden["profile"]["is_public"]
        session.add(profile)
    for leaving in ON_CLOSE:
        if leaving.name in hidden["leaving"]:
            await leaving.restore(session, account.id, hidden["leaving"][leaving.name], now)


async def id_of(session: AsyncSession, email: str) -> UUID | None:
    """Whose account that is, for the command line."""
    return (await session.exec(select(Account.id).where(Account.email == email))).first()


async def due_at(session: AsyncSession, account_id: UUID) -> datetime | None:
    """When the account will be erased; None where it is not closed, or erased already."""
    closure = await _open_closure(session, account_id)
    return closure.due_at if closure else None


async def _open_closure(session: AsyncSession, account_id: UUID) -> AccountClosure | None:
    query = select(AccountClosure).where(
        AccountClosure.account_id == account_id,
        col(AccountClosure.cancelled_at).is_(None),
        col(AccountClosure.erased_at).is_(None),
    )
    found = await session.exec(query.execution_options(populate_existing=True))
    return found.first()


TO_BE_TOLD: LiteralString = """
update account_closures closure set reminded_at = %(now)s
from accounts account
where account.id = closure.account_id and closure.cancelled_at is null
    and closure.erased_at is null and closure.reminded_at is null
    and closure.due_at <= %(soon)s and closure.due_at > %(now)s
returning account.id, account.email, account.language, closure.due_at
"""


async def remind(session: AsyncSession, *, now: datetime) -> int:
    """Tell those whose account will be erased in three days, each once; how many they were."""
    found = await rows(session, TO_BE_TOLD, {"now": now, "soon": now + TOLD_BEFORE})
    for account_id, email, language, due in found:
        await _warn(session, account_id, email, language, CLOSING_SOON, due)
    return len(found)


async def _warn(
    session: AsyncSession, account_id: UUID, email: str, language: str, name: str, due: datetime
) -> None:
    """Of the end, and of money that nobody could be paid back after it."""
    day = written.day(due, language)
    letter = _letter(email, language, name, day=day)
    if cents := await stranded(session, account_id):
        money = written.dollars(cents, language)
        letter = _letter(email, language, f"{name}_balance", day=day, money=money)
    await mail.send(session, letter)


async def _tell(session: AsyncSession, account: Account, name: str, **params: str) -> None:
    await mail.send(session, _letter(account.email, account.language, name, **params))


def _letter(email: str, language: str, name: str, **params: str) -> mail.Letter:
    said = {"support": settings().support_email, **params}
    return mail.Letter(email, language, name, f"{settings().origin}{SIGN_IN}", said)
