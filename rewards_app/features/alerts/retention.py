"""How long alerts are kept once somebody has resolved them."""

from datetime import datetime
from typing import LiteralString

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget

RESOLVED: LiteralString = """
with old as (
    delete from security_alerts where id in (
        select id from security_alerts where resolved and resolved_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""


async def forget_resolved(*, now: datetime) -> int:
    """Those that are open stay, however old."""
    return await forget(RESOLVED, before=now - ACTIVITY_IS_KEPT)
