"""Ending the ad of somebody who may not watch any more."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, write
from rewards_app.features.ads import days, repository
from rewards_app.features.ads.rules import Suspended

STOP: LiteralString = """
update ad_views set status = 'given_up', ended_at = %(now)s, refusal = %(why)s
where account_id = %(account_id)s and status = 'running'
returning id
"""


async def stop_watching(session: AsyncSession, account_id: UUID, *, now: datetime) -> UUID | None:
    """Give up the account's running ad, if there is one; its place is free within a minute.

    Called in the transaction that suspends the account: an ad that is being started meanwhile is
    either seen here, or sees the restriction.
    """
    # Whoever starts an ad locks this row first, and looks at the restrictions after that.
    await repository.lock_watcher(session, account_id, days.day_at(days.Calendar(), now))
    values = {"account_id": account_id, "why": Suspended.code, "now": now}
    stopped = await write(session, STOP, values)
    return stopped[0] if stopped else None
