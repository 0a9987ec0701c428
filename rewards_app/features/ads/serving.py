"""Which ads can be served now: kept ready, so that choosing one costs the same among ten thousand.

`ad_servings` has a row for each of them, at positions without gaps. It follows the campaigns
(`sync`); whether an ad is really served is decided by its campaign's row, when a view begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.ads.budgets import SERVABLE
from rewards_app.features.ads.days import platform_day

OFFERED_AT_ONCE: LiteralString = "8"
ONE_AT_A_TIME: LiteralString = "select pg_advisory_xact_lock(hashtext('ad_servings'))"

_CAN: LiteralString = f"""
    from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
        join advertisers advertiser on advertiser.id = campaign.advertiser_id
    where {SERVABLE} and (%(campaign)s::uuid is null or campaign.id = %(campaign)s)
"""
LEAVING: LiteralString = f"""
select position from ad_servings serving
where (%(campaign)s::uuid is null or serving.campaign_id = %(campaign)s)
    and not exists (select 1 {_CAN} and ads.id = serving.ad_id)
"""  # noqa: S608  (all parts are ours)
REMOVE: LiteralString = "delete from ad_servings where position = any(%(leaving)s)"
MOVE: LiteralString = """
update ad_servings serving set position = moved.hole
from unnest(%(positions)s::int[], %(holes)s::int[]) as moved(position, hole)
where serving.position = moved.position
"""
STAYING: LiteralString = """
select position from ad_servings where position > %(last)s order by position
"""
ADD: LiteralString = f"""
insert into ad_servings (position, ad_id, campaign_id, reward_coins, seconds, added_at)
select %(last)s + row_number() over (order by ads.created_at, ads.id), ads.id, campaign.id,
    ads.reward_coins, ads.duration, ads.created_at
{_CAN} and not exists (select 1 from ad_servings serving where serving.ad_id = ads.id)
"""  # noqa: S608  (all parts are ours)


async def sync(session: AsyncSession, campaign_id: UUID | None = None, *, now: datetime) -> None:
    """Make the servings what this campaign, or all of them, can be served now.

    It locks nothing but itself: whoever calls it last in a transaction cannot block others.
    """
    await write(session, ONE_AT_A_TIME, {})
    values = {"campaign": campaign_id, "now": now, "day": platform_day(now)}
    leaving = [row[0] for row in await rows(session, LEAVING, values)]
    last = (await rows(session, "select coalesce(max(position), 0) from ad_servings", {}))[0][0]
    if leaving:
        last -= len(leaving)
        await _close_gaps(session, leaving, last)
    connection = await session.connection()
    await connection.exec_driver_sql(ADD, values | {"last": last})


async def _close_gaps(session: AsyncSession, leaving: Sequence[int], last: int) -> None:
    """The rows behind the new end take the places of those that leave before it."""
    connection = await session.connection()
    await connection.exec_driver_sql(REMOVE, {"leaving": list(leaving)})
    holes = [position for position in leaving if position <= last]
    staying = [row[0] for row in await rows(session, STAYING, {"last": last})]
    if holes:
        await connection.exec_driver_sql(MOVE, {"positions": staying, "holes": holes})


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who asks for an ad."""

    ad_id: UUID | None
    """The one that was picked."""
    seen_last: UUID | None
    is_minor: bool


_OFFER: LiteralString = f"""
join ads on ads.id = known.ad_id
    join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers advertiser on advertiser.id = campaign.advertiser_id
where {SERVABLE} and (advertiser.reaches_minors or not %(is_minor)s)
"""
CHOOSE: LiteralString = f"""
with spot as materialized (
    select floor(random() * last)::int as at, last
    from (select coalesce(max(position), 0) as last from ad_servings) as edge
),
near as (
    select (at + step) %% last + 1 as position, step
    from spot, generate_series(0, least({OFFERED_AT_ONCE}, last) - 1) as step
),
known as (
    select ad_id, -1 as step from ad_servings where ad_id = %(wanted)s
    union all
    select ad_id, step + case when ad_id = %(seen_last)s then {OFFERED_AT_ONCE} else 0 end
    from near join ad_servings using (position)
)
select ads.id from known {_OFFER} order by step
"""  # noqa: S608  (all parts are ours)
SEARCH: LiteralString = f"""
with known as materialized (select ad_id from ad_servings order by random())
select ads.id from known {_OFFER} order by ads.id = %(seen_last)s limit {OFFERED_AT_ONCE}
"""  # noqa: S608  (all parts are ours)


async def choose(session: AsyncSession, wanted: Wanted, *, now: datetime) -> Sequence[UUID]:
    """Ads that can be served, the best first: the wanted one, a chance one, the last seen.

    By chance all of these few may have just run out: then all ads are searched.
    """
    values = {
        "wanted": wanted.ad_id,
        "seen_last": wanted.seen_last,
        "is_minor": wanted.is_minor,
        "now": now,
        "day": platform_day(now),
    }
    found = await rows(session, CHOOSE, values) or await rows(session, SEARCH, values)
    return [row[0] for row in found]
