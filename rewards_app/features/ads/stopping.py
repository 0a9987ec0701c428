"""Ending the ad of somebody who may not watch any more."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, write
from rewards_app.features.ads.rules import Suspended

# Whoever starts an ad locks this row first, and looks at the restrictions after that.
AFTER_STARTS: LiteralString = """
select account_id from watchers where account_id = %(account_id)s for update
"""
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
    await write(session, AFTER_STARTS, {"account_id": account_id})
    values = {"account_id": account_id, "why": Suspended.code, "now": now}
    stopped = await write(session, STOP, values)
    return stopped[0] if stopped else None
