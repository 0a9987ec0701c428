"""A copy of everything that is held on somebody: asked for, made by a process, fetched once."""

import json
from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog

from rewards_app.core import apart, jobs, live, mail, sealed
from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, lock_row, transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.privacy import export_repository, export_rules
from rewards_app.features.privacy.export_rules import Status
from rewards_app.features.privacy.gathering import NOT_WANTED
from rewards_app.features.privacy.gathering import TOPIC as CHANGED
from rewards_app.features.privacy.holding import Group, Why
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import text
from rewards_app.models import Account, DataExport

__all__ = [
    "CHANGED",
    "MAKE",
    "Shown",
    "ask",
    "make",
    "newest",
    "taken",
    "task_of",
    "tidy",
    "token_of",
]

_log = structlog.get_logger(__name__)

MAKE = "privacy.make_export"
PROGRAM = "rewards_app.features.privacy.gathering"
PAGE = "/gdpr"
A_DAY = timedelta(days=1)


class ExportBroke(Exception):
    """Its process died: the queue tries again."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How it stands with somebody's newest copy."""

    status: Status
    percent: int
    size: int
    asked_at: datetime
    expires_at: datetime | None
    taken_at: datetime | None
    token: str
    """Fetches it; empty while or after there is nothing to fetch."""


async def ask(session: AsyncSession, actor: Actor, *, now: datetime) -> None:
    """A copy is made from now on; the caller has proven who asks."""
    # Whoever asks twice at once is counted one after the other.
    await lock_row(session, Account, actor.user_id)
    asked = await export_repository.asked_since(session, actor.user_id, now - A_DAY)
    export_rules.refuse_too_many(asked)
    export = DataExport(id=new_id(), account_id=actor.user_id, created_at=now, heard_at=now)
    if not await export_repository.begin(session, export):
        raise export_rules.ExportIsMade
    await export_repository.give_up_older(session, actor.user_id)
    await jobs.later(session, MAKE, export_id=str(export.id))
    _log.info("export.asked", account_id=str(actor.user_id))


def token_of(export_id: UUID, kept: str | None = None) -> str:
    """Made anew whenever it is shown: only its hash is kept, which says by which key it was."""
    marks = sealed.fingerprints(f"export:{export_id}")
    return next((mark for mark in marks if digest(mark) == kept), marks[0])


async def newest(session: AsyncSession, actor: Actor, *, now: datetime) -> Shown | None:
    found = await export_repository.newest(session, actor.user_id)
    if found is None:
        return None
    status = Status(found.status)
    if status is Status.READY and found.expires_at and found.expires_at <= now:
        status = Status.EXPIRED
    return Shown(
        status=status,
        percent=export_rules.percent(found.rows_done, found.rows_expected),
        size=found.size,
        asked_at=found.created_at,
        expires_at=found.expires_at,
        taken_at=found.taken_at,
        token=token_of(found.id, found.token_hash) if status is Status.READY else "",
    )


async def make(export_id: UUID) -> None:
    """Start its process and wait for its end; it dies with this one, or when this is cancelled."""
    async with transaction() as session:
        account = await export_repository.account_of(session, export_id)
    if account is None:
        return
    code = await apart.run(PROGRAM, told=task_of(export_id, account))
    if code == NOT_WANTED:
        return
    if code:
        raise ExportBroke(code)
    async with transaction() as session:
        await _finish(session, export_id, account, now=utc_now())


def task_of(export_id: UUID, account: Account) -> str:
    """All that the process is told, in a line."""
    task = {
        "export_id": str(export_id),
        "url": settings().database_url,
        "keys": [b64encode(key).decode() for key in sealed.opening_keys()],
        "words": words(account, now=utc_now()),
    }
    return json.dumps(task)


def words(account: Account, *, now: datetime) -> dict[str, str]:
    """What the archive says itself, in its owner's language."""
    language = account.language
    known: dict[str, str] = {
        "day": f"{written.day(now, language)}, {written.time_of_day(now, language)}",
        "email": account.email,
        "support": settings().support_email,
    }
    keys = [
        *("title", "intro", "nothing", "left_out", "formulas", "manifest", "questions"),
        *(f"groups.{group.value}" for group in Group),
        *(f"why.{why.value}" for why in Why),
    ]
    return {key: text(f"export.{key}", language, **known) for key in keys}


async def _finish(
    session: AsyncSession, export_id: UUID, account: Account, *, now: datetime
) -> None:
    """Its link exists from now on, and its owner is told."""
    token, expires = token_of(export_id), now + export_rules.LINK_LIFETIME
    is_ready = await export_repository.make_ready(
        session, export_id, token=digest(token), now=now, expires=expires
    )
    if not is_ready:
        return
    params: dict[str, Any] = {
        "day": written.day(expires, account.language),
        "support": settings().support_email,
    }
    link = f"{settings().origin}{PAGE}?export={token}"
    await mail.send(
        session,
        mail.Letter(account.email, account.language, "export_ready", link=link, params=params),
    )
    await live.publish(session, CHANGED, str(account.id))
    _log.info("export.ready", account_id=str(account.id))


async def taken(session: AsyncSession, export_id: UUID, *, now: datetime) -> None:
    """It has left: the link opens nothing any more, and nothing of the file is kept."""
    if account_id := await export_repository.note_taken(session, export_id, now=now):
        await live.publish(session, CHANGED, str(account_id))
        _log.info("export.taken", account_id=str(account_id))


async def tidy(session: AsyncSession, *, now: datetime) -> dict[str, int]:
    """End what nobody makes, and delete what nobody may fetch any more."""
    failed = await export_repository.give_up_silent(
        session,
        silent=now - export_rules.SILENT_AFTER,
        waiting=now - export_rules.WAITS_AT_MOST,
    )
    expired = await export_repository.expire(session, now=now)
    for account_id in (*failed, *expired):
        live.announce_after(session, CHANGED, str(account_id))
    return {
        "failed": len(failed),
        "expired": len(expired),
        "pieces_deleted": await export_repository.delete_useless_pieces(session),
        "forgotten": await export_repository.forget(session, before=now - export_rules.KEPT_FOR),
    }
