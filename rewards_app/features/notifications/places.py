"""Where what somebody was told leads to: the slices above say what of that is gone, and whose
words there bear no name any more."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from rewards_app.core.database import AsyncSession


@dataclass(frozen=True, slots=True)
class Place:
    """A link, and who follows it."""

    account_id: UUID
    link: str


Look = Callable[[AsyncSession, Collection[Place]], Awaitable[set[Place]]]
LOOKS: list[Look] = []
"""Slices above add theirs: each is handed all places, and knows its own."""
NAMELESS: list[Look] = []
"""As LOOKS, for those whose author has deleted their account."""


def look_by(look: Look) -> None:
    if look not in LOOKS:
        LOOKS.append(look)


def unname_by(look: Look) -> None:
    if look not in NAMELESS:
        NAMELESS.append(look)


async def gone(session: AsyncSession, places: Collection[Place]) -> set[Place]:
    """Those where this person finds nothing any more."""
    return await _found_by(LOOKS, session, places)


async def nameless(session: AsyncSession, places: Collection[Place]) -> set[Place]:
    """Those whose author hides their name: their account is to be deleted, or is."""
    return await _found_by(NAMELESS, session, places)


async def _found_by(
    looks: Sequence[Look], session: AsyncSession, places: Collection[Place]
) -> set[Place]:
    found = set[Place]()
    for look in looks if places else ():
        found |= await look(session, places)
    return found
