"""What people were told of that they cannot read any more."""

import re
from collections.abc import Collection
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.features.forum import talk_repository as repository
from rewards_app.features.forum.desk_rules import link_of
from rewards_app.features.notifications.places import Place

_ID = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
_HERE = re.compile(re.escape(link_of("")) + rf"{_ID}(?:#reply-{_ID})?")
"""As `calls.place_of` writes it."""


async def gone(session: AsyncSession, places: Collection[Place]) -> set[Place]:
    """Of these places, those in topics or at replies that this person finds no more."""
    ours = [(place, found) for place in places if (found := _HERE.fullmatch(place.link))]
    if not ours:
        return set()
    unread = await repository.unreadable(
        session,
        [
            (place.account_id, UUID(found[1]), UUID(found[2]) if found[2] else None)
            for place, found in ours
        ],
    )
    return {ours[number][0] for number in unread}
