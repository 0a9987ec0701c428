"""When somebody was here last, by days: whether coins expire depends on it."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, write

NOTE: LiteralString = """
update accounts set last_active_at = %(now)s
where id = %(account)s
    and last_active_at < date_trunc('day', %(now)s::timestamptz at time zone 'utc')
        at time zone 'utc'
returning id
"""


async def note(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """Written once a day: it is asked with every minute of activity."""
    await write(session, NOTE, {"account": account_id, "now": now})
