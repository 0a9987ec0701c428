"""How long a draft waits for its author."""

from datetime import datetime
from typing import LiteralString

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget

DRAFTS: LiteralString = """
with old as (
    delete from forum_drafts where id in (
        select id from forum_drafts where updated_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""


async def forget_drafts(*, now: datetime) -> int:
    return await forget(DRAFTS, before=now - ACTIVITY_IS_KEPT)
