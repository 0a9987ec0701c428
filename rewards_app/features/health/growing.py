"""Room for the next months: made each night, and an alert where it was or soon will be missing.

Where the app's role owns nothing, `rewards months` makes it as the owner, and this only looks.
"""

import asyncio
from datetime import datetime

from rewards_app.core.database import transaction
from rewards_app.core.postgres import months, replica
from rewards_app.core.settings import settings
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Kind


async def make_months(*, now: datetime) -> dict[str, int]:
    made = await asyncio.to_thread(_made, now)
    standings = await asyncio.to_thread(months.standings)
    without = [one.table for one in standings if one.has_later_rows or not one.ahead(now=now)]
    async with transaction() as session:
        for table in without:
            await alerts.raise_alert(
                session, Kind.MONTHS_MISSING, about=table, now=now, table=table
            )
    return {"made": made, "without_month": len(without)}


def _made(now: datetime) -> int:
    if not months.may_change():
        return 0
    made = months.make_ahead(now=now)
    months.count_anew()
    return made


async def watch_replica(*, now: datetime) -> dict[str, int]:
    """By how many milliseconds the database for figures is behind; an alert while it is away."""
    if not settings().analytics_database_url:
        return {}
    behind = await replica.seconds_behind()
    if behind is not None:
        return {"behind": round(behind * 1000)}
    async with transaction() as session:
        await alerts.raise_alert(session, Kind.REPLICA_AWAY, about="replica", now=now)
    return {"away": 1}
