"""A finished copy on its way to its owner: once, piece by piece.

A transfer that breaks off may be repeated. Two at once wait for each other on a lock of the
database, which a worker that dies lets go of.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString, NoReturn
from uuid import UUID

import psycopg
from psycopg import errors as postgres

from rewards_app.core import limits, sealed
from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.connections.silence import PATIENCE
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.settings import settings
from rewards_app.features.privacy import export_repository, export_rules, exports
from rewards_app.features.privacy.gathering import place_of
from rewards_app.models import DataExport

TRIES = limits.parse("20 per 10 minutes")
WAITING = "-c lock_timeout=5s"
"""Whoever pressed the button twice: the second transfer begins when the first has broken off."""
ALONE: LiteralString = "select pg_advisory_lock(hashtextextended(%s, 0))"
PIECE: LiteralString = (
    "select content from data_export_parts where export_id = %s and position = %s"
)


@dataclass(frozen=True, slots=True)
class Handing:
    """A file that leaves now; `end` lets others try again."""

    export_id: UUID
    name: str
    size: int
    connection: psycopg.AsyncConnection[Any]

    async def pieces(self) -> AsyncGenerator[bytes]:
        """All of it, in the order in which it was written."""
        position = sent = 0
        while sent < self.size:
            piece = await self._piece(position)
            position, sent = position + 1, sent + len(piece)
            yield piece

    async def note_taken(self) -> None:
        """All of it has left: from now on there is nothing to fetch."""
        async with transaction() as session:
            await exports.taken(session, self.export_id, now=utc_now())

    async def _piece(self, position: int) -> bytes:
        cursor = self.connection.cursor(binary=True)
        found = await (await cursor.execute(PIECE, (self.export_id, position))).fetchone()
        if found is None:
            raise export_rules.UnknownExport
        return sealed.unseal_bytes(found[0], place_of(self.export_id, position))

    async def end(self) -> None:
        await self.connection.close()


async def begin(actor: Actor, token: str, *, now: datetime) -> Handing:
    """The file that this token fetches for this person, and for nobody else meanwhile."""
    await _ready(actor, token, now)
    patient: dict[str, Any] = dict(PATIENCE)
    try:
        connection = await psycopg.AsyncConnection.connect(
            settings().database_url, autocommit=True, options=WAITING, **patient
        )
    except psycopg.OperationalError as failure:
        raise StorageAway from failure
    try:
        await connection.execute(ALONE, (_lock_of(token),))
        # Another one may have fetched it while this one waited.
        found = await _ready(actor, token, now)
    except postgres.LockNotAvailable as failure:
        await connection.close()
        raise export_rules.ExportIsBeingTaken from failure
    except BaseException:
        await connection.close()
        raise
    made_at = found.ready_at or now
    return Handing(found.id, export_rules.name_of(made_at), found.size, connection)


async def explain(actor: Actor, token: str, *, now: datetime) -> NoReturn:
    """Why the file that this token fetches did not come."""
    await limits.refuse_over(TRIES, *_counted_as(actor))
    await _ready(actor, token, now)
    async with transaction() as session:
        if await export_repository.is_locked(session, _lock_of(token)):
            raise export_rules.ExportIsBeingTaken
    raise export_rules.ExportDidNotCome


async def spend_a_try(actor: Actor) -> None:
    await limits.spend(TRIES, *_counted_as(actor))


def _counted_as(actor: Actor) -> tuple[str, str]:
    return "export", str(actor.user_id)


def _lock_of(token: str) -> str:
    return f"handing:{digest(token)}"


async def _ready(actor: Actor, token: str, now: datetime) -> DataExport:
    if not export_rules.looks_like_token(token):
        raise export_rules.UnknownExport
    async with transaction() as session:
        found = await export_repository.by_token(session, actor.user_id, digest(token), now=now)
    if found is None:
        raise export_rules.UnknownExport
    return found
