"""Companies' figures in the database: sums of the days of ads, and of nothing else.

A company's id stands in every query; without one it asks for all companies. What is narrowed down
to a campaign names it besides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.budgets import PARTS
from rewards_app.features.advertiser.figure_rules import FEW_IMPRESSIONS, Capped, Figures, Span
from rewards_app.features.advertiser.figure_sheet import AdDayLine

SUMS: LiteralString = """
coalesce(sum(impressions), 0)::bigint as impressions,
    coalesce(sum(completions), 0)::bigint as completions,
    coalesce(sum(clicks), 0)::bigint as clicks, coalesce(sum(spend), 0)::bigint as spend,
    coalesce(sum(refused), 0)::bigint as refused
"""


def _own(advertiser_id: UUID | None) -> LiteralString:
    """Two plans, each with its index: `or` in one statement would get neither."""
    return "true" if advertiser_id is None else "advertiser_id = %(advertiser)s"


@dataclass(frozen=True, slots=True)
class Whose:
    """Of whom the days are: of all companies, of one, or of one of its campaigns."""

    advertiser_id: UUID | None = None
    campaign_id: UUID | None = None

    @property
    def days(self) -> LiteralString:
        own = _own(self.advertiser_id)
        return own if self.campaign_id is None else f"{own} and campaign_id = %(campaign)s"

    @property
    def campaigns(self) -> LiteralString:
        own = _own(self.advertiser_id)
        return own if self.campaign_id is None else f"{own} and id = %(campaign)s"


async def of_campaigns(
    session: AsyncSession, advertiser_id: UUID | None, ids: Sequence[UUID]
) -> dict[UUID, Figures]:
    query: LiteralString = f"""
        select campaign_id, {SUMS} from ad_days
        where campaign_id = any(%(ids)s) and {_own(advertiser_id)} group by campaign_id
    """  # noqa: S608  (all parts are ours)
    return _by_key(await rows(session, query, {"advertiser": advertiser_id, "ids": ids}))


async def of_ads(
    session: AsyncSession, advertiser_id: UUID | None, ids: Sequence[UUID]
) -> dict[UUID, Figures]:
    query: LiteralString = f"""
        select ad_id, {SUMS} from ad_days
        where ad_id = any(%(ids)s) and {_own(advertiser_id)} group by ad_id
    """  # noqa: S608  (all parts are ours)
    return _by_key(await rows(session, query, {"advertiser": advertiser_id, "ids": ids}))


async def ever(session: AsyncSession, advertiser_id: UUID | None) -> Figures:
    query: LiteralString = f"select {SUMS} from ad_days where {_own(advertiser_id)}"  # noqa: S608
    return Figures(*(await rows(session, query, {"advertiser": advertiser_id}))[0])


async def of_days(session: AsyncSession, whose: Whose, span: Span) -> dict[date, Figures]:
    """Only days on which there was something."""
    query: LiteralString = f"""
        select day, {SUMS} from ad_days
        where {whose.days} and day between %(first)s and %(last)s group by day
    """  # noqa: S608  (all parts are ours)
    return _by_key(await rows(session, query, _values(whose, span)))


async def first_and_last(session: AsyncSession, whose: Whose) -> tuple[date | None, date | None]:
    """The days between which there was something."""
    query: LiteralString = f"select min(day), max(day) from ad_days where {whose.days}"  # noqa: S608
    first, last = (await rows(session, query, _whose(whose)))[0]
    return first, last


@dataclass(frozen=True, slots=True)
class AdFigures:
    """What came of one ad, and what it is."""

    title: str
    kind: str
    seconds: int
    campaign: str
    company: str
    figures: Figures


async def best_ads(
    session: AsyncSession, whose: Whose, span: Span, *, limit: int
) -> list[AdFigures]:
    """By click-through rate; of two alike the one that was shown more often.

    Those of too few impressions come behind all others: a single click would make one the best.
    """
    query: LiteralString = f"""
        with best as (
            select ad_id, {SUMS},
                row_number() over (order by sum(impressions) < %(few)s,
                    sum(clicks)::numeric / sum(impressions) desc, sum(impressions) desc, ad_id)
                    as place
            from ad_days
            where {whose.days} and day between %(first)s and %(last)s
            group by ad_id having sum(impressions) > 0
            order by place limit %(limit)s
        )
        select ads.title, ads.ad_type, ads.duration, campaign.name, advertiser.company_name,
            best.impressions, best.completions, best.clicks, best.spend, best.refused
        from best join ads on ads.id = best.ad_id
            join ad_campaigns campaign on campaign.id = ads.campaign_id
            join advertisers advertiser on advertiser.id = campaign.advertiser_id
        order by place
    """  # noqa: S608  (all parts are ours)
    values = _values(whose, span) | {"limit": limit, "few": FEW_IMPRESSIONS}
    found = await rows(session, query, values)
    return [
        AdFigures(title, kind, seconds, campaign, company, Figures(*sums))
        for title, kind, seconds, campaign, company, *sums in map(tuple, found)
    ]


async def viewers_by_age(
    session: AsyncSession, advertiser_id: UUID | None, span: Span
) -> dict[AgeGroup, int]:
    """People, each counted once, who saw an ad on one of these days."""
    of_one: LiteralString = f"""
        select age_group, count(*) from ad_viewers
        where {_own(advertiser_id)} and last_day between %(first)s and %(last)s
            and age_group is not null
        group by age_group
    """  # noqa: S608  (all parts are ours)
    of_all: LiteralString = """
        select age_group, count(*) from (
            select account_id, max(age_group) as age_group from ad_viewers
            where last_day between %(first)s and %(last)s group by account_id
        ) people where age_group is not null group by age_group
    """
    query = of_all if advertiser_id is None else of_one
    found = await rows(session, query, _values(Whose(advertiser_id), span))
    return {AgeGroup(group): count for group, count in found}


async def capped(session: AsyncSession, whose: Whose, span: Span, *, limit: int) -> list[Capped]:
    """Campaigns that spent what is their daily budget now, those with most such days first."""
    query: LiteralString = f"""
        with shown as (
            select campaign_id, day, sum(completions) as completions from ad_days
            where {whose.days} and day between %(first)s and %(last)s
                and campaign_id in (select id from ad_campaigns
                    where {whose.campaigns} and daily_budget_cents is not null)
            group by campaign_id, day having sum(impressions) > 0
        ),
        counted as (
            select campaign_id, count(*) as shown_days, count(*) filter (where is_full) as days,
                max(day) filter (where is_full) as last_day
            from shown join ad_campaigns on id = campaign_id, lateral (
                select (completions + 1) * budget_cents > daily_budget_cents * {PARTS} as is_full
            ) as judged
            group by campaign_id
        )
        select name, days, shown_days, last_day
        from counted join ad_campaigns on id = campaign_id where days > 0
        order by last_day desc, days desc, id limit %(limit)s
    """  # noqa: S608  (all parts are ours)
    found = await rows(session, query, _values(whose, span) | {"limit": limit})
    return [Capped(*row) for row in found]


@dataclass(frozen=True, slots=True)
class Stock:
    """How many campaigns and ads there are."""

    campaigns: int
    running: int
    are_open: int
    """Those that have not ended."""
    ads: int
    active_ads: int
    """Those of campaigns that have ended are shown to nobody."""


async def stock(session: AsyncSession, whose: Whose) -> Stock:
    query: LiteralString = f"""
        with own as (select id, status from ad_campaigns where {whose.campaigns})
        select (select count(*) from own), (select count(*) from own where status = 'active'),
            (select count(*) from own where status <> 'completed'),
            count(*), count(*) filter (where ads.status = 'active' and own.status <> 'completed')
        from ads join own on own.id = ads.campaign_id
    """  # noqa: S608  (all parts are ours)
    return Stock(*(await rows(session, query, _whose(whose)))[0])


@dataclass(frozen=True, slots=True)
class CampaignLine:
    id: UUID
    name: str
    company: str
    status: str


async def newest_campaigns(
    session: AsyncSession, advertiser_id: UUID | None, *, limit: int
) -> list[CampaignLine]:
    query: LiteralString = f"""
        select campaign.id, name, company_name, campaign.status
        from ad_campaigns campaign join advertisers on advertisers.id = advertiser_id
        where {_own(advertiser_id)}
        order by campaign.created_at desc, campaign.id desc limit %(limit)s
    """  # noqa: S608  (all parts are ours)
    found = await rows(session, query, {"advertiser": advertiser_id, "limit": limit})
    return [CampaignLine(*row) for row in found]


async def of_ads_by_day(session: AsyncSession, whose: Whose, span: Span) -> list[AdDayLine]:
    query: LiteralString = f"""
        with summed as (
            select ad_id, day, {SUMS} from ad_days
            where {whose.days} and day between %(first)s and %(last)s
            group by ad_id, day
        )
        select day, advertiser.company_name, campaign.name, ads.title, summed.impressions,
            summed.completions, summed.clicks, summed.spend, summed.refused
        from summed join ads on ads.id = summed.ad_id
            join ad_campaigns campaign on campaign.id = ads.campaign_id
            join advertisers advertiser on advertiser.id = campaign.advertiser_id
        order by day, company_name, campaign.created_at, ads.created_at, ads.id
    """  # noqa: S608  (all parts are ours)
    found = await rows(session, query, _values(whose, span))
    return [
        AdDayLine(day, company, campaign, title, Figures(*sums))
        for day, company, campaign, title, *sums in map(tuple, found)
    ]


def _whose(whose: Whose) -> dict[str, Any]:
    return {"advertiser": whose.advertiser_id, "campaign": whose.campaign_id}


def _values(whose: Whose, span: Span) -> dict[str, Any]:
    return _whose(whose) | {"first": span.first, "last": span.last}


def _by_key(found: Sequence[Any]) -> dict[Any, Figures]:
    return {row[0]: Figures(*row[1:]) for row in found}
