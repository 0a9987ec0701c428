"""The audit log as it is read: found, leafed through, and taken along whole."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from rewards_app.core.database import AsyncSession
from rewards_app.features.audit import repository
from rewards_app.features.audit.repository import Doer
from rewards_app.features.audit.rules import Line, Search

__all__ = ["Doer", "Lines", "Search", "doers", "everything", "find", "newest_number"]

A_PAGE = 25
READ_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Lines:
    """A stretch of them, the newest first; `next_before` leads to the older rest."""

    shown: Sequence[Line] = field(default_factory=tuple)
    next_before: int | None = None


async def find(
    session: AsyncSession, search: Search, *, before: int | None = None, limit: int = A_PAGE
) -> Lines:
    found = await repository.newest(session, search, before=before, limit=limit + 1)
    shown = found[:limit]
    return Lines(shown, shown[-1].number if len(found) > limit else None)


async def doers(session: AsyncSession) -> list[Doer]:
    """Everybody who ever did something that stands here, by the name they had last."""
    return sorted(await repository.doers(session), key=lambda doer: doer.name.casefold())


async def newest_number(session: AsyncSession) -> int:
    return await repository.newest_number(session)


async def everything(
    session: AsyncSession, search: Search, *, up_to: int
) -> AsyncGenerator[Sequence[tuple[Line, str]]]:
    """All that is found of the lines up to that one, each with its hash, some at a time."""
    before = up_to + 1
    while True:
        found = await repository.with_hashes(session, search, before=before, limit=READ_AT_ONCE)
        if found:
            yield found
        if len(found) < READ_AT_ONCE:
            return
        before = found[-1][0].number
