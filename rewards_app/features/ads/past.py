"""Views that have ended already, kept at once with all that came of them, as the demo's are."""

from collections.abc import Sequence
from typing import LiteralString

from rewards_app.core.database import AsyncSession, write
from rewards_app.features.coins.service import CREDITING_ALL
from rewards_app.models import AdView

PRICE: LiteralString = """
update ad_views view set price = campaign.budget_cents
from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
where view.id = any(%(ids)s) and ads.id = view.ad_id and campaign.budget_cents is not null
"""
COUNT: LiteralString = """
with known as (
    select view.*, campaign.id as campaign_id, campaign.advertiser_id,
        (view.status = 'rewarded')::int as completed,
        (view.status <> 'rewarded' and view.refused_at is not null)::int as refused
    from ad_views view join ads on ads.id = view.ad_id
        join ad_campaigns campaign on campaign.id = ads.campaign_id
    where view.id = any(%(ids)s)
),
counted as (
    insert into ad_days as day (ad_id, day, slot, campaign_id, advertiser_id, impressions,
        completions, refused, clicks, spend, rewards)
    select ad_id, day, 0, campaign_id, advertiser_id, count(*), sum(completed), sum(refused),
        count(clicked_at), sum(completed * price), sum(completed * reward_coins)
    from known group by ad_id, day, campaign_id, advertiser_id
    on conflict (ad_id, day, slot) do update set
        impressions = day.impressions + excluded.impressions,
        completions = day.completions + excluded.completions,
        refused = day.refused + excluded.refused,
        clicks = day.clicks + excluded.clicks, spend = day.spend + excluded.spend,
        rewards = day.rewards + excluded.rewards
),
seen as (
    insert into ad_viewers as viewer (advertiser_id, account_id, age_group, last_day)
    select distinct on (advertiser_id, account_id) advertiser_id, account_id, age_group, day
    from known order by advertiser_id, account_id, day desc
    on conflict (advertiser_id, account_id) do update
        set last_day = excluded.last_day, age_group = excluded.age_group
        where viewer.last_day < excluded.last_day
),
placed as (
    select campaign_id, sum(completed) as places, max(day) as newest from known group by campaign_id
)
update ad_campaigns campaign set taken = campaign.taken + places,
    taken_today = case when campaign.taken_day >= newest then campaign.taken_today else 0 end
        + (select coalesce(sum(completed), 0) from known where known.campaign_id = campaign.id
            and known.day = greatest(campaign.taken_day, newest)),
    taken_day = greatest(campaign.taken_day, newest)
from placed where campaign.id = placed.campaign_id and campaign.budget_cents is not null
"""


PAY: LiteralString = f"""
with paid as (
    select view.account_id, view.reward_coins as amount, 'ad' as kind, 'ad:' || view.id as cause,
        ads.title as subject, view.rewarded_at as paid_at
    from ad_views view join ads on ads.id = view.ad_id
    where view.id = any(%(ids)s) and view.status = 'rewarded'
),
{CREDITING_ALL}
select count(*) from entered
"""  # noqa: S608  (both parts are ours)


async def keep(session: AsyncSession, views: Sequence[AdView]) -> None:
    """Keep views that hold no place any more: each at its campaign's price, counted, and paid."""
    session.add_all(views)
    await session.flush()
    values = {"ids": [view.id for view in views]}
    connection = await session.connection()
    await connection.exec_driver_sql(PRICE, values)
    await connection.exec_driver_sql(COUNT, values)
    await write(session, PAY, values)
