"""A view's place in its campaign's budget: taken when it begins, paid for, given up or returned.

One view has one identity on both sides: its row says what the company pays, and names the entry
that paid the player. All that comes of it counts for the day on which it began.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, statement, write
from rewards_app.core.ids import first_id_since
from rewards_app.core.settings import settings
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.budgets import IS_FULL, IS_OF_TODAY, SERVABLE
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.rules import ViewExpired
from rewards_app.models import AdView

VIEWED = "ads.viewed"
"""Announced with the company's id: somebody began, finished or clicked one of its ads."""
SLOTS = 8
"""So many views of one ad can end at once without waiting for each other."""
SLOT: LiteralString = "get_byte(uuid_send(view.id), 15) %% 8"
GRACE = timedelta(minutes=1)
SWEPT_AT_ONCE = 1000

BEGIN: LiteralString = f"""
with place as (
    update ad_campaigns campaign set taken = campaign.taken + 1,
        taken_today = campaign.taken_today + 1
    from ads, advertisers advertiser
    where ads.id = %(ad_id)s and campaign.id = ads.campaign_id
        and advertiser.id = campaign.advertiser_id and campaign.budget_cents is not null
        and {IS_OF_TODAY} and {SERVABLE}
    returning campaign.id, campaign.advertiser_id, campaign.budget_cents as price,
        true as holds_place, {IS_FULL} as is_full, campaign.taken_day as day
),
free as (
    select campaign.id, campaign.advertiser_id, 0::bigint as price, false as holds_place,
        false as is_full, %(day)s::date as day
    from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
        join advertisers advertiser on advertiser.id = campaign.advertiser_id
    where ads.id = %(ad_id)s and campaign.budget_cents is null and {SERVABLE}
),
offer as (select * from place union all select * from free),
begun as (
    insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds,
        reward_coins, expires_at, paused_ms, tab_hash, device_hash, day, price, holds_place,
        age_group, invalid_reason)
    select %(id)s, %(account_id)s, %(ad_id)s, 'running', %(now)s, %(required_seconds)s,
        %(reward_coins)s, %(expires_at)s, 0, %(tab_hash)s, %(device_hash)s, offer.day, offer.price,
        offer.holds_place, %(age_group)s, ''
    from offer
),
counted as (
    insert into ad_days as known (ad_id, day, slot, campaign_id, advertiser_id, impressions,
        completions, clicks, spend, rewards)
    select %(ad_id)s, offer.day, %(slot)s, offer.id, offer.advertiser_id, 1, 0, 0, 0, 0 from offer
    on conflict (ad_id, day, slot) do update set impressions = known.impressions + 1
),
seen as (
    insert into ad_viewers as known (advertiser_id, account_id, age_group, last_day)
    select offer.advertiser_id, %(account_id)s, %(age_group)s, offer.day from offer
    on conflict (advertiser_id, account_id) do update
        set last_day = excluded.last_day, age_group = excluded.age_group
        where known.last_day < excluded.last_day
)
select id, advertiser_id, price, holds_place, is_full from offer
"""  # noqa: S608  (all parts are ours)
"""A view is of the day whose place it takes: a worker whose clock is ahead may have begun the next
one, and what is spent, or given back, is that day's."""

OF_ANOTHER_DAY: LiteralString = f"""
select campaign.id from ad_campaigns campaign join ads on ads.campaign_id = campaign.id
where ads.id = %(ad_id)s and campaign.budget_cents is not null and ({IS_OF_TODAY}) is not true
for no key update of campaign
"""  # noqa: S608  (all parts are ours)
# Nearly always nothing: the day begins. Where a clock was wrong, it is in its midst.
TURN: LiteralString = """
update ad_campaigns campaign set taken_day = %(day)s, taken_today =
    (select coalesce(sum(completions), 0) from ad_days
        where campaign_id = campaign.id and day = %(day)s)
    + (select count(*) from ad_views view join ads on ads.id = view.ad_id
        where ads.campaign_id = campaign.id and view.holds_place and view.day = %(day)s)
where campaign.id = %(campaign)s
"""


@dataclass(frozen=True, slots=True)
class Place:
    """What a view that has begun took."""

    campaign_id: UUID
    advertiser_id: UUID
    price: int
    holds_place: bool
    is_full: bool
    """It was the last one, of the budget or of the day."""


async def begin(
    session: AsyncSession, view: AdView, age_group: AgeGroup, *, now: datetime
) -> Place | None:
    """Begin the view if its ad's campaign has a place for it; from then on it is sure to be paid.

    The campaign's row stays locked until this transaction ends: nothing slow may follow. Without a
    place it is let go: who waited for it in vain waits for another campaign next, and two of them
    who came crosswise would wait for each other.
    """
    values = {
        "id": view.id,
        "account_id": view.account_id,
        "ad_id": view.ad_id,
        "required_seconds": view.required_seconds,
        "reward_coins": view.reward_coins,
        "expires_at": view.expires_at,
        "tab_hash": view.tab_hash,
        "device_hash": view.device_hash,
        "age_group": age_group.value,
        "slot": view.id.int % SLOTS,
        "day": view.day,
        "enforces": settings().enforces_funding,
        "now": now,
    }
    connection = await session.connection()
    await connection.exec_driver_sql("savepoint place")
    row = await write(session, BEGIN, values)
    if row is None:
        await _turn(session, view)
        # Also where somebody else has turned it: what was seen before was not waited for.
        row = await write(session, BEGIN, values)
    if row is None:
        await connection.exec_driver_sql("rollback to savepoint place")
        return None
    return Place(*row)


async def _turn(session: AsyncSession, view: AdView) -> None:
    """If the campaign's last places were another day's, from now on they are those of the view's.

    They are counted by a second statement, which sees all that others did before the row was ours.
    """
    values = {"ad_id": view.ad_id, "day": view.day}
    if campaign := await write(session, OF_ANOTHER_DAY, values):
        connection = await session.connection()
        await connection.exec_driver_sql(TURN, values | {"campaign": campaign[0]})


COUNTED: LiteralString = f"""
counted as (
    insert into ad_days as known (ad_id, day, slot, campaign_id, advertiser_id, impressions,
        completions, refused, clicks, spend, rewards)
    select view.ad_id, view.day, {SLOT}, view.campaign_id, view.advertiser_id, 0,
        view.completions, view.refused, view.clicks, view.spend, view.rewards
    from counting view
    on conflict (ad_id, day, slot) do update set
        completions = known.completions + excluded.completions,
        refused = known.refused + excluded.refused,
        clicks = known.clicks + excluded.clicks, spend = known.spend + excluded.spend,
        rewards = known.rewards + excluded.rewards
    returning known.advertiser_id
)
"""  # noqa: S608  (all parts are ours)
"""A part of one statement `with counting as (…), …`: what came of views is counted for their days.

`counting` has id, ad_id, campaign_id, advertiser_id, day, completions, refused, clicks, spend and
rewards, a row for one view.
"""

RETURNING: LiteralString = """
returned as (
    update ad_campaigns campaign set taken = campaign.taken - 1,
        taken_today = campaign.taken_today - (campaign.taken_day = gone.day)::int
    from gone join ads on ads.id = gone.ad_id
    where campaign.id = ads.campaign_id and campaign.budget_cents is not null
        and campaign.settled_at is null
    returning campaign.id, campaign.advertiser_id
)
"""
"""A part of one statement `with gone as (…), …`: the one view's place is free again.

`gone` has ad_id and day. A campaign that was settled has no places any more.
"""

# Not `and holds_place`: the planner would read the index of all places instead of this one view.
LEAVE: LiteralString = f"""
with gone as (
    update ad_views set holds_place = false, ended_at = coalesce(ended_at, %(now)s),
        refusal = case when status = 'running' then coalesce(refusal, %(ran_out)s) else refusal end,
        status = case when status = 'running' then 'expired' else status end
    where id = %(view_id)s and holds_place::int = 1
        and (status <> 'running' or expires_at < %(too_old)s)
    returning ad_id, day
),
{RETURNING}
select id from returned
"""  # noqa: S608  (all parts are ours)
# In the index's order, so that it is read whatever the planner thinks of how many there are.
LEFT_BEHIND: LiteralString = """
select id, account_id from ad_views
where holds_place and (status <> 'running' or expires_at < %(too_old)s)
order by ad_id limit %(limit)s
"""


async def give_back(view_id: UUID, *, now: datetime) -> UUID | None:
    """Free the place of a view that ended without a reward, or ran out; its campaign."""
    values = {
        "view_id": view_id,
        "ran_out": ViewExpired.code,
        "now": now,
        "too_old": now - GRACE,
    }
    found = await statement(LEAVE, values)
    return found[0] if found else None


async def left_behind(session: AsyncSession, *, now: datetime) -> dict[UUID, UUID]:
    """Views that keep a place for nothing, each with its player, who has gone."""
    values = {"too_old": now - GRACE, "limit": SWEPT_AT_ONCE}
    return dict(await rows(session, LEFT_BEHIND, values))


# Nobody may watch for long: whatever began before then has run out.
RUN_OUT: LiteralString = """
with old as (
    select view_id from running_views where view_id < %(before)s order by view_id limit %(limit)s
)
update ad_views view
set status = 'expired', ended_at = coalesce(ended_at, %(now)s),
    refusal = coalesce(refusal, %(ran_out)s)
from old
where view.id = old.view_id and view.status = 'running' and not view.holds_place
    and view.expires_at < %(too_old)s
returning view.account_id
"""


async def end_free_ones(session: AsyncSession, *, before: datetime, now: datetime) -> list[UUID]:
    """Views without a place that somebody left behind end as the others do; whose they were.

    Those that had run out before then, and a minute more.
    """
    values = {
        "before": first_id_since(before - GRACE),
        "limit": SWEPT_AT_ONCE,
        "now": now,
        "ran_out": ViewExpired.code,
        "too_old": before - GRACE,
    }
    return [player for (player,) in await rows(session, RUN_OUT, values)]


INVALIDATE: LiteralString = f"""
with counting as (
    update ad_views view set invalid_at = %(now)s, invalid_reason = %(reason)s
    from ads, ad_campaigns campaign
    where view.id = %(view_id)s and view.status = 'rewarded' and view.invalid_at is null
        and ads.id = view.ad_id and campaign.id = ads.campaign_id
    returning view.id, view.ad_id, campaign.id as campaign_id, campaign.advertiser_id,
        campaign.name as campaign, view.day, view.price, -1 as completions, 0 as refused,
        0 as clicks, -view.price as spend, 0 as rewards
),
{COUNTED},
gone as (select ad_id, day from counting),
{RETURNING}
select campaign_id, advertiser_id, campaign, price, exists (select from returned) from counting
"""  # noqa: S608  (all parts are ours)


@dataclass(frozen=True, slots=True)
class Invalidated:
    """A view that the company does not pay for after all."""

    campaign_id: UUID
    advertiser_id: UUID
    campaign: str
    price: int
    is_place_free: bool
    """The campaign can show another view instead; else its price goes back to the balance."""


async def invalidate(
    session: AsyncSession, view_id: UUID, reason: str, *, now: datetime
) -> Invalidated | None:
    """The company does not pay for this view, once; its player keeps the coins."""
    values = {"view_id": view_id, "reason": reason, "now": now}
    row = await write(session, INVALIDATE, values)
    return Invalidated(*row) if row else None


# A late click may make the first row of a day while its others are folded into it.
FOLD: LiteralString = """
with old as (
    delete from ad_days where day < %(before)s and (ad_id, day) in (
        select ad_id, day from ad_days where day < %(before)s and slot > 0)
    returning *
)
insert into ad_days as known (ad_id, day, slot, campaign_id, advertiser_id, impressions,
    completions, refused, clicks, spend, rewards)
select ad_id, day, 0, campaign_id, advertiser_id, sum(impressions), sum(completions), sum(refused),
    sum(clicks), sum(spend), sum(rewards)
from old group by ad_id, day, campaign_id, advertiser_id
on conflict (ad_id, day, slot) do update set
    impressions = known.impressions + excluded.impressions,
    completions = known.completions + excluded.completions,
    refused = known.refused + excluded.refused,
    clicks = known.clicks + excluded.clicks, spend = known.spend + excluded.spend,
    rewards = known.rewards + excluded.rewards
"""


async def fold_old_days(session: AsyncSession, *, now: datetime) -> int:
    """Days on which nothing runs any more need one row for each ad; how many became one."""
    connection = await session.connection()
    before = platform_day(now) - timedelta(days=1)
    return (await connection.exec_driver_sql(FOLD, {"before": before})).rowcount
