"""Forgetting people whose time to change their mind is up: everything, or nothing and once more.

What is kept for sums and books belongs to an account without a name. Backups are not touched:
they are as old as the operator keeps them.
"""

import asyncio
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from functools import partial
from pathlib import Path
from uuid import UUID

import structlog
from redis.exceptions import RedisError

from rewards_app.core import jobs, limits, live, mail
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.sealed import fingerprints, seal, unseal
from rewards_app.core.settings import settings
from rewards_app.features.accounts import closing, guessing, mailed_links, sessions, signing_in
from rewards_app.features.advertiser import leaving as company
from rewards_app.features.audit import erasing as audit_words
from rewards_app.features.audit import service as audit
from rewards_app.features.forum import leaving as forum
from rewards_app.features.notifications.rules import NOBODY
from rewards_app.features.privacy import erasing_repository as repository
from rewards_app.features.privacy import one_by_one, uncalling
from rewards_app.features.privacy.erasing_repository import Closed
from rewards_app.features.waitlist import service as waitlist

_log = structlog.get_logger(__name__)

AT_ONCE = 200
PATIENCE = timedelta(days=3)
"""So long a mail server that is away may delay the last letter, and with it the end; money, too."""
PAGES_ARE_KEPT = timedelta(hours=2)
"""Longer than the app keeps what a page showed after its tab was closed."""
FORGOTTEN = "forgotten"
"""Published with what marks a session or a browser of somebody who was forgotten."""


class NotYet(Exception):
    """A letter or money of theirs is on its way, or the last letter cannot be sent: later then."""


async def erase_due(*, now: datetime) -> jobs.Counts:
    """Forget everybody whose day has come, each in a transaction of their own."""
    async with transaction() as session:
        found = await repository.due(session, now=now, limit=AT_ONCE)
    return await one_by_one.forgotten(found, partial(erase, now=now))


async def erase(
    account_id: UUID,
    *,
    is_urgent: bool = False,
    is_silent: bool = False,
    origin: audit.Origin = audit.Origin.AUTOMATION,
    now: datetime,
) -> bool:
    """False where there is nothing to do: it is kept, erased already, or not due and not urgent."""
    async with transaction() as session:
        closed = await repository.lock(session, account_id, unseal)
        if closed is None or (closed.due_at > now and not is_urgent):
            return False
        if not is_silent:
            await _wait_for_money(session, closed, now=now)
            await _say_goodbye(session, closed, now=now)
        await _forget(session, closed, origin=origin, now=now)
        await asyncio.to_thread(_forget_files, closed)
    await _forget_counts(closed.email)
    _log.info("account.erased", account_id=str(account_id))
    return True


async def _forget_counts(email: str) -> None:
    """They end by themselves soon: that they cannot be reached undoes nothing."""
    for limit, *names in (
        (guessing.FAILURES_PER_ACCOUNT, guessing.SIGN_IN),
        *(
            (mailed_links.MAILS_PER_ACCOUNT, "mail", purpose)
            for purpose in mailed_links.COUNTED_APART
        ),
        (signing_in.LINKS_BY_SIGN_IN, "sign-in-link"),
    ):
        try:
            await limits.forget(limit, *names, email)
        except (RedisError, OSError) as failure:
            _log.warning("account.counts_not_forgotten", error=type(failure).__name__)


async def forgotten() -> list[UUID]:
    """Whose accounts are nobody's: to be kept beside backups, which are older."""
    async with transaction() as session:
        return await repository.forgotten(session)


@dataclass(frozen=True, slots=True)
class Again:
    """How many were forgotten once more, and who could not be, and why."""

    done: int
    failed: Mapping[UUID, str]


async def forget_again(account_ids: Collection[UUID], *, now: datetime) -> Again:
    """A backup has brought them back: they are forgotten once more, and told nothing."""
    done, failed = 0, dict[UUID, str]()
    for account_id in account_ids:
        try:
            done += await _forget_again(account_id, now=now)
        except Exception as failure:
            failed[account_id] = type(failure).__name__
    return Again(done, failed)


async def _forget_again(account_id: UUID, *, now: datetime) -> bool:
    async with transaction() as session:
        if not await repository.is_named(session, account_id):
            return False
        await closing.close(session, account_id, is_silent=True, now=now)
    origin = audit.Origin.COMMAND_LINE
    return await erase(account_id, is_urgent=True, is_silent=True, origin=origin, now=now)


async def _wait_for_money(session: AsyncSession, closed: Closed, *, now: datetime) -> None:
    """What is paid meanwhile has nobody to be given to; at the end it delays nobody for long."""
    is_waited_for = now < closed.due_at + PATIENCE
    if is_waited_for and await repository.has_money_on_its_way(session, closed.account_id):
        raise NotYet("A payment of theirs is open, or on its way back. Try again when it is over.")


async def _say_goodbye(session: AsyncSession, closed: Closed, *, now: datetime) -> None:
    """The last letter leaves while there is an address; never by the queue, which would keep it."""
    if await repository.is_being_mailed(session, closed.account_id, closed.email):
        raise NotYet("A letter to that address is being sent right now. Try again in a minute.")
    letter = mail.Letter(
        closed.email,
        closed.language,
        "account_erased",
        params={"support": settings().support_email},
    )
    try:
        await mail.post(letter, message_id=f"erased-{closed.closure_id}")
    except Exception as failure:
        if now < closed.due_at + PATIENCE:
            raise NotYet("The mail server does not take the last letter to them.") from failure
        _log.warning("account.no_goodbye", account_id=str(closed.account_id))


async def _forget(
    session: AsyncSession, closed: Closed, *, origin: audit.Origin, now: datetime
) -> None:
    account_id = closed.account_id
    abouts = [
        *await repository.abouts_of(session, closed),
        *await forum.abouts_of(session, account_id),
    ]
    await forum.hold(session, account_id, closed.handles)
    emptied = await audit_words.erase(
        session,
        account_id,
        abouts=abouts,
        only_theirs=[closed.email, *_calls(closed)],
        now=now,
    )
    places = [f"address:{mark}" for one in closed.addresses for mark in fingerprints(one)]
    await repository.unname_to_others(session, account_id, NOBODY)
    await uncalling.uncall(session, closed.handles)
    await forum.empty(session, account_id, now=now)
    await company.forget(session, account_id, closed.email, now=now)
    # Companies before alerts: whoever renames one holds it while that is told.
    await repository.forget_alerts(session, account_id, [*abouts, *places], closed.addresses)
    await repository.unqueue(session, account_id, closed.email)
    await waitlist.forget_address(session, closed.email)
    for mark in await repository.marks_of_pages(session, account_id, since=now - PAGES_ARE_KEPT):
        await live.publish(session, FORGOTTEN, mark)
    nobody = {"email": f"erased-{secrets.token_hex(12)}{mail.NOBODYS}", "nothing": seal("{}")}
    await repository.forget_holdings(session, account_id, nobody)
    await repository.note_erased(session, closed.closure_id, now=now)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account_id))
    await audit.record(
        session,
        None,
        audit.Action.PERSON_ERASED,
        f"account:{account_id}",
        after={"emptied_lines": emptied},
        origin=origin,
        now=now,
    )


def _calls(closed: Closed) -> list[str]:
    """As others write whom they mean, by now or before a moderator replaced the handle."""
    return [f"@{handle}" for handle in closed.handles]


def _forget_files(closed: Closed) -> None:
    """Letters of development that lie in the outbox."""
    folder = mail.outbox()
    words = [closed.email, *closed.names, *_calls(closed)]
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
    for file in folder.glob("*.eml") if folder.is_dir() else ():
        if named.search(_said(file)):
            file.unlink(missing_ok=True)


def _said(file: Path) -> str:
    message = message_from_bytes(file.read_bytes(), policy=default)
    headers = [str(value) for value in message.values()]
    texts = [
        str(part.get_content()) for part in message.walk() if part.get_content_maintype() == "text"
    ]
    return "\n".join([*headers, *texts])
