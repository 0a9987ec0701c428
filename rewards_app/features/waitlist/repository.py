"""The waiting people in the database."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.waitlist.sheet import Waiting

_COLUMNS: LiteralString = "select id, email, created_at, notified from waitlist"
_NEWEST: LiteralString = "order by created_at desc, id desc limit %(limit)s"
# Two plans: one that asks for both would get the index of neither.
NEWEST: LiteralString = f"{_COLUMNS} {_NEWEST}"
OLDER: LiteralString = f"""
{_COLUMNS} where (created_at, id) < (select created_at, id from waitlist where id = %(before)s)
{_NEWEST}
"""  # noqa: S608  (all parts are ours)


async def newest(session: AsyncSession, *, before: UUID | None, limit: int) -> list[Waiting]:
    query = NEWEST if before is None else OLDER
    found = await rows(session, query, {"before": before, "limit": limit})
    return [Waiting(*row) for row in found]


# Set to what was decided on, not to the opposite of what is there: pressed twice is pressed once.
MARK: LiteralString = """
update waitlist set notified = %(notified)s,
    notified_at = case when %(notified)s then %(now)s::timestamptz end
where id = %(id)s and notified <> %(notified)s
returning email
"""


async def mark(
    session: AsyncSession, entry_id: UUID, *, notified: bool, now: datetime
) -> str | None:
    """Whose row was changed, if it was."""
    found = await write(session, MARK, {"id": entry_id, "notified": notified, "now": now})
    return found[0] if found else None


async def one(session: AsyncSession, entry_id: UUID) -> Waiting | None:
    query: LiteralString = f"{_COLUMNS} where id = %(id)s"
    found = await rows(session, query, {"id": entry_id})
    return Waiting(*found[0]) if found else None
