"""What becomes of a company when the account of its owner closes: its campaigns wait."""

from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.accounts import closing
from rewards_app.features.ads import serving
from rewards_app.features.advertiser.membership import CHANGED

RUNNING: LiteralString = """
update ad_campaigns campaign set status = 'paused', paused_at = %(now)s, updated_at = %(now)s
from advertiser_members owner
where owner.account_id = %(account)s and owner.role = 'owner'
    and campaign.advertiser_id = owner.advertiser_id and campaign.status = 'active'
    and not exists (select from advertiser_members other
        join accounts account on account.id = other.account_id
        where other.advertiser_id = owner.advertiser_id and other.role = 'owner'
            and other.account_id <> owner.account_id and account.closed_at is null)
returning campaign.id, campaign.advertiser_id
"""
WAITING: LiteralString = """
update ad_campaigns campaign set status = 'active', paused_at = null, updated_at = %(now)s
where id = any(%(ids)s::uuid[]) and status = 'paused' and paused_at = %(since)s
returning id, advertiser_id
"""


async def pause(session: AsyncSession, account_id: UUID, now: datetime) -> dict[str, Any]:
    """Nobody is left to look after what runs: it is shown no more; which that was."""
    found = await rows(session, RUNNING, {"account": account_id, "now": now})
    await _follow(session, [(row[0], row[1]) for row in found], now)
    return {"since": now.isoformat(), "campaigns": [str(row[0]) for row in found]}


async def resume(session: AsyncSession, account_id: UUID, hidden: Any, now: datetime) -> None:
    """What was paused then, and touched by nobody since, runs again."""
    values = {
        "ids": hidden["campaigns"],
        "since": datetime.fromisoformat(hidden["since"]),
        "now": now,
    }
    found = await rows(session, WAITING, values)
    await _follow(session, [(row[0], row[1]) for row in found], now)


async def _follow(session: AsyncSession, changed: list[tuple[UUID, UUID]], now: datetime) -> None:
    for campaign_id, advertiser_id in changed:
        live.announce_after(session, CHANGED, str(advertiser_id))
        await serving.sync(session, campaign_id, now=now)


LEAVING = closing.Leaving("campaigns", pause, resume)
