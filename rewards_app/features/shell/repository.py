"""Presence in the database."""

from collections.abc import Collection
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, write

TELL: LiteralString = """
with gone as (
    delete from presence
    where (worker_id = %(worker)s and account_id <> all(%(players)s::uuid[]))
        or (worker_id <> %(worker)s and seen_at < %(forgotten)s)
)
insert into presence (worker_id, account_id, seen_at)
select %(worker)s, account_id, %(now)s from unnest(%(players)s::uuid[]) as account_id
on conflict (worker_id, account_id) do update set seen_at = excluded.seen_at
returning 1
"""
COUNT: LiteralString = """
select count(distinct account_id) from presence where seen_at > %(since)s
"""


async def tell(
    session: AsyncSession,
    worker_id: UUID,
    players: Collection[UUID],
    *,
    forgotten: datetime,
    now: datetime,
) -> None:
    """`players`, and nobody else, are connected to this worker; others are so until `forgotten`."""
    values = {"worker": worker_id, "players": sorted(players), "forgotten": forgotten, "now": now}
    await write(session, TELL, values)


async def count(session: AsyncSession, *, since: datetime) -> int:
    return (await write(session, COUNT, {"since": since}))[0]
