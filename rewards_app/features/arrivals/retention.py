"""How long the counts are kept."""

from datetime import datetime

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget, rows_of
from rewards_app.features.arrivals.rules import day_of

DAYS = rows_of("arrival_days", "day, source, medium, campaign", "day < %(before)s order by day")


async def forget_old(*, now: datetime) -> int:
    return await forget(DAYS, before=day_of(now - ACTIVITY_IS_KEPT))
