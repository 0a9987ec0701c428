"""The audit log in the database, as it is searched: each way by an index, the newest first."""

import re
from collections.abc import Sequence
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from sqlalchemy import Text, cast, func, literal
from sqlalchemy.dialects.postgresql import REGCONFIG, TSQUERY
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession, plan_for_these_values, rows
from rewards_app.features.audit.rules import Line, Origin, Search
from rewards_app.models import AuditEntry

_LINE = (
    col(AuditEntry.number),
    col(AuditEntry.created_at),
    col(AuditEntry.origin),
    col(AuditEntry.actor_id),
    col(AuditEntry.actor_name),
    col(AuditEntry.action),
    col(AuditEntry.about),
    col(AuditEntry.label),
    col(AuditEntry.before),
    col(AuditEntry.after),
    col(AuditEntry.reason),
)


async def newest(
    session: AsyncSession, search: Search, *, before: int | None, limit: int
) -> list[Line]:
    await _plan(session, search)
    found = await session.exec(_query(_LINE, search, before).limit(limit))
    return [Line(*row) for row in found.all()]


async def with_hashes(
    session: AsyncSession, search: Search, *, before: int, limit: int
) -> list[tuple[Line, str]]:
    await _plan(session, search)
    columns = (*_LINE, col(AuditEntry.hash))
    found = await session.exec(_query(columns, search, before).limit(limit))
    return [(Line(*row), digest) for *row, digest in found.all()]


async def _plan(session: AsyncSession, search: Search) -> None:
    if search.text:
        await plan_for_these_values(session)


def _query(columns: Sequence[Any], search: Search, before: int | None) -> Any:
    query = select(*columns)
    if search.about:
        query = query.where(col(AuditEntry.about) == search.about)
    if search.text:
        query = query.where(_says(search.text))
    if search.action:
        query = query.where(col(AuditEntry.action) == search.action.value)
    if isinstance(search.by, Origin):
        query = query.where(
            col(AuditEntry.actor_id).is_(None), col(AuditEntry.origin) == search.by.value
        )
    elif search.by:
        query = query.where(col(AuditEntry.actor_id) == search.by)
    if before is not None:
        query = query.where(col(AuditEntry.number) < before)
    return query.order_by(col(AuditEntry.number).desc())


def _says(text: str) -> Any:
    """All of the words, in any order; the last one may be only begun."""
    # What stands between <script> and </script> is no text for PostgreSQL; here it is.
    words = cast(func.plainto_tsquery(cast("simple", REGCONFIG), re.sub("[<>]", " ", text)), Text)
    # Nothing but signs has no words: then nothing is found.
    begun = cast(func.nullif(words, "") + literal(":*"), TSQUERY)
    return col(AuditEntry.words).op("@@")(begun)


class Doer(NamedTuple):
    id: UUID
    name: str


# From one to the next by the index: their lines in between are not read.
DOERS: LiteralString = """
with recursive doers as (
    (select actor_id, actor_name from audit_entries where actor_id is not null
    order by actor_id desc, number desc limit 1)
    union all
    select next.actor_id, next.actor_name from doers, lateral (
        select actor_id, actor_name from audit_entries where actor_id < doers.actor_id
        order by actor_id desc, number desc limit 1
    ) as next
)
select actor_id, actor_name from doers limit 200
"""


async def doers(session: AsyncSession) -> list[Doer]:
    return [Doer(*row) for row in await rows(session, DOERS, ())]


async def name_of(session: AsyncSession, actor_id: UUID) -> str | None:
    query = select(AuditEntry.actor_name).where(AuditEntry.actor_id == actor_id)
    return (await session.exec(query.order_by(col(AuditEntry.number).desc()).limit(1))).first()


async def newest_number(session: AsyncSession) -> int:
    return (await session.exec(select(func.max(col(AuditEntry.number))))).one() or 0
