"""How campaigns start, end and are settled: by hand, by their dates, by their budgets."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import structlog

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, rows, transaction, write
from rewards_app.core.settings import settings
from rewards_app.features.ads import serving
from rewards_app.features.ads.budgets import VIEWS, VIEWS_A_BUDGET
from rewards_app.features.ads.funding import HAS_AD_TO_SHOW
from rewards_app.features.advertiser import letters, money
from rewards_app.features.advertiser.campaign_rules import EndedBy
from rewards_app.features.advertiser.membership import CHANGED, HAS_SOMEBODY

_log = structlog.get_logger(__name__)

IN_ONE_ROUND = 500

# The locks of campaigns come before those of companies, and of several in the order of their ids,
# everywhere; they are weak ones, since who makes the servings ready refers to these rows while
# others wait for the servings.
READY: LiteralString = f"""
select campaign.id, campaign.advertiser_id, campaign.name, campaign.budget_cents
from ad_campaigns campaign join advertisers advertiser on advertiser.id = campaign.advertiser_id
where campaign.status = 'draft' and advertiser.status = 'approved'
    and campaign.starts_at <= %(now)s and campaign.ends_at > %(now)s
    and (advertiser.starts_by_itself or %(by_hand)s)
    and {HAS_AD_TO_SHOW}
    and {HAS_SOMEBODY}
    and (%(campaign)s::uuid is null or campaign.id = %(campaign)s)
    and (%(advertiser)s::uuid is null or campaign.advertiser_id = %(advertiser)s)
    and (campaign.budget_cents is null or advertiser.balance >= campaign.budget_cents * {VIEWS})
order by campaign.id
limit %(limit)s
for no key update of campaign
"""  # noqa: S608  (all parts are ours)
# An ad may go to its review while READY waits for its campaign: of the campaign READY then sees the
# newest row, of its ads what they were before. This statement begins after that.
WITH_AN_AD: LiteralString = f"""
select campaign.id from ad_campaigns campaign
where campaign.id = any(%(found)s) and {HAS_AD_TO_SHOW}
"""  # noqa: S608  (both parts are ours)
START: LiteralString = """
update ad_campaigns set status = 'active', updated_at = %(now)s,
    set_aside_at = case when budget_cents is null then null else %(now)s end
where id = %(id)s
"""


async def start_what_can(
    session: AsyncSession,
    *,
    campaign_id: UUID | None = None,
    advertiser_id: UUID | None = None,
    by_hand: bool = False,
    now: datetime,
) -> Sequence[UUID]:
    """Start the drafts that have an approved ad, their dates and funds; which they are.

    Their budgets leave the balance: what runs can be paid for, whatever else the company does.
    """
    values = {
        "campaign": campaign_id,
        "advertiser": advertiser_id,
        "by_hand": by_hand,
        "limit": IN_ONE_ROUND,
        "enforces": settings().enforces_funding,
        "now": now,
    }
    started: list[UUID] = []
    for found_id, owner_id, name, budget in await _ready(session, values):
        if budget is None or await money.enter(
            session,
            owner_id,
            -budget * VIEWS_A_BUDGET,
            money.Kind.SET_ASIDE,
            f"campaign:{found_id}",
            subject=name,
            is_covered=True,
            now=now,
        ):
            await _run(session, START, {"id": found_id, "now": now})
            live.announce_after(session, CHANGED, str(owner_id))
            started.append(found_id)
    for found_id in started:
        await serving.sync(session, found_id, now=now)
    return started


async def _ready(session: AsyncSession, values: dict[str, Any]) -> list[Any]:
    """What can start, whose campaigns stay locked: so nobody takes their ads away meanwhile."""
    found = await rows(session, READY, values)
    if not found:
        return []
    asked = values | {"found": [row[0] for row in found]}
    with_an_ad = {row[0] for row in await rows(session, WITH_AN_AD, asked)}
    return [row for row in found if row[0] in with_an_ad]


END: LiteralString = """
update ad_campaigns set status = 'completed', ended_at = %(now)s, ended_by = %(by)s,
    ended_because = %(because)s, updated_at = %(now)s
where id = %(id)s and status in ('draft', 'active', 'paused')
returning advertiser_id
"""


async def end(
    session: AsyncSession, campaign_id: UUID, by: EndedBy, *, because: str = "", now: datetime
) -> bool:
    """Serve it no more; views that run are paid for, and then the rest goes back.

    `because` is what an admin says to its company, who is told at once.
    """
    values = {"id": campaign_id, "by": by.value, "because": because, "now": now}
    ended = await write(session, END, values)
    if ended is None:
        return False
    await letters.tell_ended_by_admin(session, campaign_id, now=now)
    await settle(session, campaign_id, now=now)
    live.announce_after(session, CHANGED, str(ended[0]))
    await serving.sync(session, campaign_id, now=now)
    return True


SETTLE: LiteralString = f"""
update ad_campaigns campaign set settled_at = %(now)s
where id = %(id)s and status = 'completed' and set_aside_at is not null and settled_at is null
    and not exists (select from ad_views view join ads on ads.id = view.ad_id
        where view.holds_place and ads.campaign_id = campaign.id)
returning advertiser_id, name, ({VIEWS} - taken) * budget_cents
"""  # noqa: S608  (all parts are ours)


async def settle(session: AsyncSession, campaign_id: UUID, *, now: datetime) -> bool:
    """Give back what an ended campaign has not spent, once no view waits for its place."""
    settled = await write(session, SETTLE, {"id": campaign_id, "now": now})
    if settled is None:
        return False
    advertiser_id, name, rest = settled
    if rest:
        await money.enter(
            session,
            advertiser_id,
            int(rest),
            money.Kind.GIVEN_BACK,
            f"rest:{campaign_id}",
            subject=name,
            now=now,
        )
    await letters.tell_ended(session, campaign_id, now=now)
    live.announce_after(session, CHANGED, str(advertiser_id))
    return True


_OVER: LiteralString = f"""
select id, case when ends_at <= %(now)s then 'date' else 'budget' end
from ad_campaigns campaign
where status in ('active', 'paused') and (ends_at <= %(now)s or taken >= {VIEWS}
    and not exists (select from ad_views view join ads on ads.id = view.ad_id
        where view.holds_place and ads.campaign_id = campaign.id))
"""  # noqa: S608  (all parts are ours)
OVER: LiteralString = f"{_OVER} limit %(limit)s"
STILL_OVER: LiteralString = f"{_OVER} and id = %(id)s for no key update"
UNSETTLED: LiteralString = """
select id from ad_campaigns
where status = 'completed' and set_aside_at is not null and settled_at is null limit %(limit)s
"""


async def tend(*, now: datetime) -> dict[str, int]:
    """Each minute: what is over ends, what has ended is settled, what can start starts.

    How many campaigns did each of these; one that is settled as it ends has ended. Each campaign
    in a transaction of its own: none holds up another.
    """
    values = {"now": now, "limit": IN_ONE_ROUND}
    async with transaction() as session:
        over = await rows(session, OVER, values)
        unsettled = await rows(session, UNSETTLED, values)
    ended = [await _alone(_end_what_is_over, campaign_id, now) for campaign_id, _ in over]
    settled = [await _alone(settle, campaign_id, now) for (campaign_id,) in unsettled]
    async with transaction() as session:
        started = await start_what_can(session, now=now)
    return {"ended": sum(ended), "settled": sum(settled), "started": len(started)}


async def _alone(step: Callable[..., Awaitable[bool]], campaign_id: UUID, now: datetime) -> bool:
    """What breaks with one campaign must not keep the others from going on."""
    try:
        async with transaction() as session:
            return await step(session, campaign_id, now=now)
    except Exception:
        _log.exception("campaign.not_tended", campaign=str(campaign_id))
        return False


async def _end_what_is_over(session: AsyncSession, campaign_id: UUID, *, now: datetime) -> bool:
    """Its people may have given it more time since it was looked for, or a view was credited."""
    found = await rows(session, STILL_OVER, {"id": campaign_id, "now": now})
    ended = [await end(session, campaign_id, EndedBy(by), now=now) for _, by in found]
    return any(ended)


async def _run(session: AsyncSession, query: LiteralString, values: dict[str, object]) -> None:
    connection = await session.connection()
    await connection.exec_driver_sql(query, values)
