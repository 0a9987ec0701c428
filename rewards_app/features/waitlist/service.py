"""Who waits, who of them was told, and the list to take along."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import DomainError
from rewards_app.features.audit import service as audit
from rewards_app.features.waitlist import repository, sheet
from rewards_app.features.waitlist.sheet import Waiting

CHANGED = "waitlist_changed"
A_PAGE = 25
READ_AT_ONCE = 1000


class UnknownEntry(DomainError):
    """Nobody waits under this number."""

    code = "waitlist.unknown"
    title = "admin.waitlist.error"


class NotUpdated(DomainError):
    """Something broke on our side."""

    code = "waitlist.not_updated"
    title = "admin.waitlist.error"


class NotLoaded(DomainError):
    """Something broke on our side."""

    code = "waitlist.not_loaded_text"
    title = "admin.waitlist.not_loaded"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some of them, the newest first; `next_before` leads to the older rest."""

    shown: Sequence[Waiting]
    next_before: UUID | None


async def newest(
    session: AsyncSession, *, before: UUID | None = None, limit: int | None = None
) -> Stretch:
    most = limit or A_PAGE
    found = await repository.newest(session, before=before, limit=most + 1)
    shown = found[:most]
    return Stretch(shown, shown[-1].id if len(found) > most else None)


async def mark(
    session: AsyncSession, actor: Actor, entry_id: UUID, *, notified: bool, now: datetime
) -> None:
    """Note that somebody was told, or was not after all; the same again changes nothing."""
    email = await repository.mark(session, entry_id, notified=notified, now=now)
    if email is None:
        if await repository.one(session, entry_id) is None:
            raise UnknownEntry
        return
    await audit.record(
        session,
        actor,
        audit.Action.WAITLIST_NOTIFIED,
        f"waitlist:{entry_id}",
        label=email,
        before={"notified": not notified},
        after={"notified": notified},
        now=now,
    )
    live.announce_after(session, CHANGED)


async def note_export(session: AsyncSession, actor: Actor, name: str, *, now: datetime) -> None:
    """The list leaves with somebody: that is kept."""
    await audit.record(
        session,
        actor,
        audit.Action.WAITLIST_EXPORTED,
        "waitlist",
        label=name,
        now=now,
    )


async def exported(session: AsyncSession) -> AsyncGenerator[str]:
    """The sheet piece by piece, the newest first: no list is too long for it."""
    yield sheet.heading()
    before: UUID | None = None
    while True:
        found = await repository.newest(session, before=before, limit=READ_AT_ONCE)
        if found:
            yield sheet.lines_of(found)
        if len(found) < READ_AT_ONCE:
            return
        before = found[-1].id
