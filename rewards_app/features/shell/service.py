"""Players online: each worker tells whom it is connected to, everybody counts all of them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.features.shell import repository

TELL_EVERY = timedelta(seconds=5)
SILENT_AFTER = timedelta(seconds=30)


async def players_online(
    session: AsyncSession, worker_id: UUID, here: Collection[UUID], *, now: datetime
) -> int:
    """Tell who is connected here; how many players are connected anywhere."""
    await repository.tell(session, worker_id, here, now=now)
    await repository.forget_silent(session, before=now - 10 * SILENT_AFTER)
    return await repository.count(session, since=now - SILENT_AFTER)
