"""What people were told of that they cannot read any more, or whose author is called otherwise."""

import re
from collections.abc import Collection
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import Param
from rewards_app.features.forum import talk_repository as repository
from rewards_app.features.forum.desk_rules import link_of
from rewards_app.features.notifications.places import Place
from rewards_app.features.notifications.rules import NOBODY

_ID = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
_HERE = re.compile(re.escape(link_of("")) + rf"{_ID}(?:#reply-{_ID})?")
"""As `calls.place_of` writes it."""


async def gone(session: AsyncSession, places: Collection[Place]) -> set[Place]:
    """Of these places, those in topics or at replies that this person finds no more."""
    ours = _ours(places)
    if not ours:
        return set()
    asked = [(place.account_id, post_id, reply_id) for place, post_id, reply_id in ours]
    return {ours[number][0] for number in await repository.unreadable(session, asked)}


async def named_now(session: AsyncSession, places: Collection[Place]) -> dict[Place, Param]:
    """Of these places, topics and replies of those who have deleted their account or whose name was
    replaced: each with how that author is called now."""
    ours = _ours(places)
    if not ours:
        return {}
    asked = [(post_id, reply_id) for _, post_id, reply_id in ours]
    found = await repository.called_otherwise(session, asked)
    return {ours[number][0]: name or [NOBODY] for number, name in found}


def _ours(places: Collection[Place]) -> list[tuple[Place, UUID, UUID | None]]:
    """With the topic that each leads to, and perhaps the reply."""
    return [
        (place, UUID(found[1]), UUID(found[2]) if found[2] else None)
        for place in places
        if (found := _HERE.fullmatch(place.link))
    ]
