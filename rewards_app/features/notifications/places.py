"""Where what somebody was told leads to: the slices above say what of that is gone, and how
whoever wrote there is called by now."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import Param


@dataclass(frozen=True, slots=True)
class Place:
    """A link, and who follows it."""

    account_id: UUID
    link: str


Look = Callable[[AsyncSession, Collection[Place]], Awaitable[set[Place]]]
LOOKS: list[Look] = []
"""Slices above add theirs: each is handed all places, and knows its own."""
Naming = Callable[[AsyncSession, Collection[Place]], Awaitable[Mapping[Place, Param]]]
NAMINGS: list[Naming] = []
"""As LOOKS, for those whose author is not called any more as they were, each with their name."""


def look_by(look: Look) -> None:
    if look not in LOOKS:
        LOOKS.append(look)


def name_by(naming: Naming) -> None:
    if naming not in NAMINGS:
        NAMINGS.append(naming)


async def gone(session: AsyncSession, places: Collection[Place]) -> set[Place]:
    """Those where this person finds nothing any more."""
    found = set[Place]()
    for look in LOOKS if places else ():
        found |= await look(session, places)
    return found


async def named_now(session: AsyncSession, places: Collection[Place]) -> dict[Place, Param]:
    """Those whose author has no name any more, or another one in place of what was replaced."""
    found = dict[Place, Param]()
    for naming in NAMINGS if places else ():
        found |= await naming(session, places)
    return found
