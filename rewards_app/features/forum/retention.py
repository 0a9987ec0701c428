"""How long a draft waits for its author."""

from datetime import datetime

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget, rows_of

DRAFTS = rows_of("forum_drafts", "id", "updated_at < %(before)s")


async def forget_drafts(*, now: datetime) -> int:
    return await forget(DRAFTS, before=now - ACTIVITY_IS_KEPT)
