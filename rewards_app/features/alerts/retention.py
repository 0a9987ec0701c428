"""How long alerts are kept once somebody has resolved them."""

from datetime import datetime

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget, rows_of

RESOLVED = rows_of("security_alerts", "id", "resolved and resolved_at < %(before)s")


async def forget_resolved(*, now: datetime) -> int:
    """Those that are open stay, however old."""
    return await forget(RESOLVED, before=now - ACTIVITY_IS_KEPT)
