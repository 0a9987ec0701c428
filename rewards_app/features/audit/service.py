"""Writing down what was done, in the transaction that does it, and proving that all is there."""

import secrets
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import text
from sqlmodel import col, select

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, at_the_end, run
from rewards_app.features.audit import rules
from rewards_app.features.audit.rules import FIRST, Action, Line, Origin, Values
from rewards_app.models import AuditEntry

__all__ = ["RECORDED", "Action", "Check", "Origin", "check", "record"]

RECORDED = "audit_recorded"
LONGEST_LABEL, LONGEST_REASON = 120, 500
SALT_BYTES = 16
READ_AT_ONCE = 1000
ONE_AT_A_TIME = text("select pg_advisory_xact_lock(hashtext('audit_entries'))")


async def record(
    session: AsyncSession,
    actor: Actor | None,
    action: Action,
    about: str,
    *,
    label: str = "",
    before: Values | None = None,
    after: Values | None = None,
    reason: str = "",
    origin: Origin = Origin.COMMAND_LINE,
    now: datetime,
) -> None:
    """Write the action down as the last thing before the commit; `origin` is for who is nobody.

    Lines follow one another, so that each waits for the one before it: nothing else may be
    waited for after that.
    """

    async def write() -> None:
        await run(session, ONE_AT_A_TIME)
        last = await _last(session)
        line = Line(
            number=last.number + 1 if last else 1,
            created_at=now,
            origin=(Origin.PERSON if actor else origin).value,
            actor_id=actor.user_id if actor else None,
            actor_name=actor.name if actor else "",
            action=action.value,
            about=about,
            label=label[:LONGEST_LABEL],
            before=dict(before or {}),
            after=dict(after or {}),
            reason=reason[:LONGEST_REASON],
            salt=secrets.token_hex(SALT_BYTES),
        )
        session.add(_entry(line, rules.chained(last.hash if last else FIRST, line)))
        await session.flush()
        live.announce_after(session, RECORDED)

    at_the_end(session, write)


async def _last(session: AsyncSession) -> AuditEntry | None:
    query = select(AuditEntry).order_by(col(AuditEntry.number).desc()).limit(1)
    return (await session.exec(query)).first()


def _entry(line: Line, chained: str) -> AuditEntry:
    return AuditEntry(
        number=line.number,
        created_at=line.created_at,
        origin=line.origin,
        actor_id=line.actor_id,
        actor_name=line.actor_name,
        action=line.action,
        about=line.about,
        label=line.label,
        before=dict(line.before),
        after=dict(line.after),
        reason=line.reason,
        salt=line.salt,
        digest=rules.digest_of(line),
        hash=chained,
    )


@dataclass(frozen=True, slots=True)
class Check:
    entries: int
    broken_at: int | None
    """The first line that is not tied to the one before it."""
    head: str
    """The last line's hash: kept elsewhere it shows whether the end was cut off."""
    erased: int = 0
    """Lines whose words are gone, as somebody wished."""

    @property
    def is_clean(self) -> bool:
        return self.broken_at is None


async def check(session: AsyncSession) -> Check:
    """Read every line again: each follows from the one before it, and none is missing."""
    found = Check(0, None, FIRST)
    async for entry in _all(session):
        if not _follows(entry, found):
            return replace(found, broken_at=entry.number)
        found = Check(entry.number, None, entry.hash, found.erased + bool(entry.erased_at))
    return found


def _follows(entry: AuditEntry, before: Check) -> bool:
    line = _line(entry)
    return (
        rules.says_what_it_said(line, entry.digest, erased_at=entry.erased_at)
        and line.number == before.entries + 1
        and entry.hash == rules.chained(before.head, line, entry.digest)
    )


async def _all(session: AsyncSession) -> AsyncGenerator[AuditEntry]:
    after = 0
    while True:
        query = select(AuditEntry).where(col(AuditEntry.number) > after)
        found = await session.exec(query.order_by(col(AuditEntry.number)).limit(READ_AT_ONCE))
        entries = found.all()
        for entry in entries:
            yield entry
        if len(entries) < READ_AT_ONCE:
            return
        after = entries[-1].number
        session.expunge_all()


def _line(entry: AuditEntry) -> Line:
    return Line(
        number=entry.number,
        created_at=entry.created_at,
        origin=entry.origin,
        actor_id=entry.actor_id,
        actor_name=entry.actor_name,
        action=entry.action,
        about=entry.about,
        label=entry.label,
        before=entry.before,
        after=entry.after,
        reason=entry.reason,
        salt=entry.salt,
    )
