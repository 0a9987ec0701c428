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
    col(AuditEntry.salt),
)


NEARBY = 5_000
"""What most lines say is found among so few; what is found there less often is rare in all."""


async def newest(
    session: AsyncSession, search: Search, *, before: int | None, limit: int
) -> list[Line]:
    return [Line(*row) for row in await _rows(session, _LINE, search, before, limit)]


async def with_hashes(
    session: AsyncSession, search: Search, *, before: int, limit: int
) -> list[tuple[Line, str]]:
    found = await _rows(session, (*_LINE, col(AuditEntry.hash)), search, before, limit)
    return [(Line(*row), digest) for *row, digest in found]


async def _rows(
    session: AsyncSession, columns: Sequence[Any], search: Search, before: int | None, limit: int
) -> Sequence[Any]:
    number = col(AuditEntry.number)
    query = select(*columns).order_by(number.desc()).limit(limit)
    if not search.text:
        return (await session.exec(query.where(*_wanted(search, before)))).all()
    # The planner cannot know how rare a word is that is only begun: it would read all lines.
    await plan_for_these_values(session)
    last = before if before is not None else await newest_number(session) + 1
    nearby = query.where(*_wanted(search, last), number >= last - NEARBY)
    found = (await session.exec(nearby)).all()
    if len(found) == limit:
        return found
    wanted = select(number).where(*_wanted(search, last))
    by_words = wanted.cte("by_words").prefix_with("materialized")
    return (await session.exec(query.where(number.in_(select(by_words.c.number))))).all()


def _wanted(search: Search, before: int | None) -> list[Any]:
    wanted: list[Any] = []
    if search.about:
        wanted.append(col(AuditEntry.about) == search.about)
    if search.text:
        wanted.append(_says(search.text))
    if search.action:
        wanted.append(col(AuditEntry.action) == search.action.value)
    if isinstance(search.by, Origin):
        wanted += [col(AuditEntry.actor_id).is_(None), AuditEntry.origin == search.by.value]
    elif search.by:
        wanted.append(col(AuditEntry.actor_id) == search.by)
    if before is not None:
        wanted.append(col(AuditEntry.number) < before)
    return wanted


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
    (select actor_id, actor_name from audit_entries where actor_id is not null and erased_at is null
    order by actor_id desc, number desc limit 1)
    union all
    select next.actor_id, next.actor_name from doers, lateral (
        select actor_id, actor_name from audit_entries
        where actor_id < doers.actor_id and erased_at is null
        order by actor_id desc, number desc limit 1
    ) as next
)
select actor_id, actor_name from doers limit 200
"""


async def doers(session: AsyncSession) -> list[Doer]:
    return [Doer(*row) for row in await rows(session, DOERS, ())]


async def newest_number(session: AsyncSession) -> int:
    return (await session.exec(select(func.max(col(AuditEntry.number))))).one() or 0
