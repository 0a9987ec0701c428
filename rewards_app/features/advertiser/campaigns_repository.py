"""Campaigns in the database, of one company or of all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.like import literally
from rewards_app.core.settings import settings
from rewards_app.features.ads.budgets import TAKEN_TODAY
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.funding import HAS_AD_TO_SHOW, IS_COVERED
from rewards_app.features.advertiser.campaign_rules import EndedBy, Plan, Standing, Status
from rewards_app.features.advertiser.figure_rules import Figures
from rewards_app.features.advertiser.membership import HAS_SOMEBODY

_COLUMNS: LiteralString = f"""
select campaign.id, campaign.advertiser_id, advertiser.company_name, campaign.status,
    campaign.name, campaign.description, coalesce(campaign.budget_cents, 0),
    campaign.daily_budget_cents, campaign.starts_at, campaign.ends_at,
    campaign.set_aside_at is not null, campaign.taken,
    {TAKEN_TODAY},
    campaign.paused_at, campaign.ended_at, campaign.ended_by, campaign.ended_because,
    advertiser.balance, {HAS_SOMEBODY},
    {HAS_AD_TO_SHOW},
    exists (select from ads where ads.campaign_id = campaign.id and ads.status = 'pending_review'),
    exists (select from ads where ads.campaign_id = campaign.id and ads.status = 'paused'),
    refused.id, refused.title, refused.review_reason,
    exists (select from ads where ads.campaign_id = campaign.id and ads.status = 'active'
        and not {IS_COVERED})
from ad_campaigns campaign join advertisers advertiser on advertiser.id = campaign.advertiser_id
    left join lateral (
        select id, title, review_reason from ads
        where ads.campaign_id = campaign.id and ads.status = 'rejected'
        order by reviewed_at desc limit 1) as refused on true
"""  # noqa: S608  (all parts are ours)
_WHERE: LiteralString = """
where (%(advertiser)s::uuid is null or campaign.advertiser_id = %(advertiser)s)
    and (%(search)s = '' or campaign.name ilike %(pattern)s
        or campaign.description ilike %(pattern)s)
"""
NEWEST: LiteralString = f"""
{_COLUMNS} {_WHERE}
    and (%(status)s = '' or campaign.status = %(status)s)
    and (%(before)s::uuid is null or campaign.id < %(before)s)
order by campaign.id desc limit %(limit)s
"""
COUNTS: LiteralString = f"""
select campaign.status, count(*) from ad_campaigns campaign {_WHERE} group by campaign.status
"""  # noqa: S608  (all parts are ours)
ONE: LiteralString = f"""
{_COLUMNS} where campaign.id = %(id)s
    and (%(advertiser)s::uuid is null or campaign.advertiser_id = %(advertiser)s)
"""


@dataclass(frozen=True, slots=True)
class FoundCampaign:
    id: UUID
    advertiser_id: UUID
    company: str
    standing: Standing
    taken_today: int
    paused_at: datetime | None
    ended_at: datetime | None
    ended_by: EndedBy | None
    ended_because: str
    has_ad_in_review: bool
    has_paused_ad: bool
    rejected_ad_id: UUID | None
    rejected_ad: str
    """The title of the ad that was rejected last, and why."""
    rejected_because: str
    has_uncovered_ad: bool
    """An approved one whose price does not cover its reward."""

    @property
    def has_rejected_ad(self) -> bool:
        return bool(self.rejected_because)


def _found(row: Any) -> FoundCampaign:
    (campaign_id, advertiser_id, company, status, name, description, budget, daily, starts, ends,
     is_set_aside, taken, taken_today, paused_at, ended_at, ended_by, because, balance,
     has_somebody, has_ad_to_show, has_ad_in_review, has_paused_ad,
     rejected_id, title, reason, uncovered) = row  # fmt: skip
    plan = Plan(name, description, budget, daily, starts, ends)
    return FoundCampaign(
        campaign_id,
        advertiser_id,
        company,
        Standing(Status(status), plan, is_set_aside, taken, has_ad_to_show, balance, has_somebody),
        taken_today,
        paused_at,
        ended_at,
        EndedBy(ended_by) if ended_by else None,
        because,
        has_ad_in_review,
        has_paused_ad,
        rejected_id,
        title or "",
        reason or "",
        uncovered,
    )


@dataclass(frozen=True, slots=True)
class Search:
    """`text` is looked for in names and descriptions, in whatever case."""

    text: str = ""
    status: Status | None = None
    company_id: UUID | None = None
    """For who sees every company's campaigns."""


def _values(advertiser_id: UUID | None, search: Search) -> dict[str, Any]:
    return {
        "advertiser": advertiser_id,
        "search": search.text,
        "pattern": f"%{literally(search.text)}%",
    }


async def newest(
    session: AsyncSession,
    advertiser_id: UUID | None,
    search: Search,
    *,
    before: UUID | None,
    limit: int,
    now: datetime,
) -> list[FoundCampaign]:
    values = _values(advertiser_id, search) | {
        "status": search.status or "",
        "before": before,
        "limit": limit,
        "day": platform_day(now),
        "enforces": settings().enforces_funding,
    }
    return [_found(row) for row in await rows(session, NEWEST, values)]


async def counts(
    session: AsyncSession, advertiser_id: UUID | None, search: Search
) -> dict[Status, int]:
    found = await rows(session, COUNTS, _values(advertiser_id, search))
    return {Status(status): count for status, count in found}


TOTALS: LiteralString = """
select count(*), count(*) filter (where status = 'active'),
    (select coalesce(sum(spend), 0)::bigint from ad_days
        where %(advertiser)s::uuid is null or advertiser_id = %(advertiser)s)
from ad_campaigns where %(advertiser)s::uuid is null or advertiser_id = %(advertiser)s
"""


@dataclass(frozen=True, slots=True)
class Totals:
    campaigns: int
    running: int
    spend: int
    """In thousandths of a cent."""


async def totals(session: AsyncSession, advertiser_id: UUID | None) -> Totals:
    return Totals(*(await rows(session, TOTALS, {"advertiser": advertiser_id}))[0])


DAYS: LiteralString = """
select day, sum(impressions)::bigint, sum(completions)::bigint, sum(clicks)::bigint,
    sum(spend)::bigint, sum(refused)::bigint
from ad_days where campaign_id = %(id)s and day between %(first)s and %(last)s group by day
"""


async def days(
    session: AsyncSession, campaign_id: UUID, first: date, last: date
) -> dict[date, Figures]:
    """What came of a campaign on each day on which something did."""
    values = {"id": campaign_id, "first": first, "last": last}
    return {row[0]: Figures(*row[1:]) for row in await rows(session, DAYS, values)}


async def one(
    session: AsyncSession, advertiser_id: UUID | None, campaign_id: UUID, *, now: datetime
) -> FoundCampaign | None:
    values = {
        "advertiser": advertiser_id,
        "id": campaign_id,
        "day": platform_day(now),
        "enforces": settings().enforces_funding,
    }
    found = await rows(session, ONE, values)
    return _found(found[0]) if found else None


LOCK: LiteralString = """
select id from ad_campaigns
where id = %(id)s and (%(advertiser)s::uuid is null or advertiser_id = %(advertiser)s)
for no key update
"""


async def lock(
    session: AsyncSession, advertiser_id: UUID | None, campaign_id: UUID, *, now: datetime
) -> FoundCampaign | None:
    """The campaign as it stays until this transaction ends."""
    values = {"advertiser": advertiser_id, "id": campaign_id}
    if await write(session, LOCK, values) is None:
        return None
    return await one(session, advertiser_id, campaign_id, now=now)


# Of several those with lower ids come first, as everywhere.
LOCK_OPEN: LiteralString = """
select id from ad_campaigns where advertiser_id = %(advertiser)s and status <> 'completed'
order by id for no key update
"""


async def lock_open(session: AsyncSession, advertiser_id: UUID) -> Sequence[UUID]:
    """All campaigns of a company that have not ended, as they stay until this transaction ends."""
    return [row[0] for row in await rows(session, LOCK_OPEN, {"advertiser": advertiser_id})]


ADD: LiteralString = """
insert into ad_campaigns (id, advertiser_id, name, description, status, budget_cents,
    daily_budget_cents, starts_at, ends_at, taken, taken_today, ended_by, created_at, updated_at)
values (%(id)s, %(advertiser)s, %(name)s, %(description)s, 'draft', %(budget)s, %(daily)s,
    %(starts_at)s, %(ends_at)s, 0, 0, '', %(now)s, %(now)s)
returning id
"""
CHANGE: LiteralString = """
update ad_campaigns set name = %(name)s, description = %(description)s,
    budget_cents = case when budget_cents is null then null else %(budget)s end,
    daily_budget_cents = %(daily)s, starts_at = %(starts_at)s, ends_at = %(ends_at)s,
    updated_at = %(now)s
where id = %(id)s returning id
"""
TURN: LiteralString = """
update ad_campaigns set status = %(status)s::text, updated_at = %(now)s,
    paused_at = case when %(status)s::text = 'paused' then %(now)s::timestamptz end
where id = %(id)s returning id
"""


def _planned(plan: Plan) -> dict[str, Any]:
    return {
        "name": plan.name,
        "description": plan.description,
        "budget": plan.budget_cents,
        "daily": plan.daily_budget_cents,
        "starts_at": plan.starts_at,
        "ends_at": plan.ends_at,
    }


async def add(
    session: AsyncSession, campaign_id: UUID, advertiser_id: UUID, plan: Plan, *, now: datetime
) -> None:
    values = _planned(plan) | {"id": campaign_id, "advertiser": advertiser_id, "now": now}
    await write(session, ADD, values)


async def change(session: AsyncSession, campaign_id: UUID, plan: Plan, *, now: datetime) -> None:
    await write(session, CHANGE, _planned(plan) | {"id": campaign_id, "now": now})


async def turn(session: AsyncSession, campaign_id: UUID, status: Status, *, now: datetime) -> None:
    """Active or paused."""
    await write(session, TURN, {"id": campaign_id, "status": status.value, "now": now})


async def is_approved(session: AsyncSession, advertiser_id: UUID) -> bool:
    query: LiteralString = "select id from advertisers where id = %(id)s and status = 'approved'"
    return await write(session, query, {"id": advertiser_id}) is not None
