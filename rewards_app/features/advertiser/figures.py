"""What came of companies' campaigns and ads, for those who may see it."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import (
    figure_rules,
    figure_sheet,
    figures_repository,
    membership,
)
from rewards_app.features.advertiser.figure_rules import (
    NOTHING,
    AgeShare,
    Figures,
    Note,
    Period,
    Span,
)
from rewards_app.features.advertiser.figure_sheet import AdDayLine
from rewards_app.features.advertiser.figures_repository import AdFigures, CampaignLine, Stock, Whose
from rewards_app.features.advertiser.membership import Scope
from rewards_app.features.advertiser.rules import NotAnAdvertiser

BEST_ADS = 4
NEWEST_CAMPAIGNS = 2
CAPPED_CAMPAIGNS = 3


async def of_campaigns(
    session: AsyncSession, scope: Scope, campaign_ids: Collection[UUID]
) -> dict[UUID, Figures]:
    """All that ever came of each of these campaigns; of another company's: nothing."""
    found = await figures_repository.of_campaigns(session, scope.advertiser_id, list(campaign_ids))
    return {campaign_id: found.get(campaign_id, NOTHING) for campaign_id in campaign_ids}


async def of_ads(
    session: AsyncSession, scope: Scope, ad_ids: Collection[UUID]
) -> dict[UUID, Figures]:
    """All that ever came of each of these ads; of another company's: nothing."""
    found = await figures_repository.of_ads(session, scope.advertiser_id, list(ad_ids))
    return {ad_id: found.get(ad_id, NOTHING) for ad_id in ad_ids}


async def scope_for(session: AsyncSession, actor: Actor) -> Scope | None:
    """What the actor may see: their own approved company's, for admins all; nothing for others."""
    try:
        return await membership.scope_of(session, actor)
    except NotAnAdvertiser:
        return None


@dataclass(frozen=True, slots=True)
class Analytics:
    """A period that ends today, beside the one before it."""

    span: Span
    stock: Stock
    now: Figures
    before: Figures | None
    """Nothing was before the whole."""
    days: Sequence[tuple[date, Figures]]
    """Every day of the period, in order."""
    best_ads: Sequence[AdFigures]
    notes: Sequence[Note]


async def analytics(
    session: AsyncSession,
    scope: Scope,
    period: Period | None,
    *,
    campaign_id: UUID | None = None,
    now: datetime,
) -> Analytics:
    """Of one campaign where it is named, of nothing if it is another's; its whole has no period."""
    whose = Whose(scope.advertiser_id, campaign_id)
    stock = await figures_repository.stock(session, whose)
    span = await _span(session, whose, period, goes_on=stock.are_open > 0, now=now)
    by_day = await _both_periods(session, whose, span)
    figures = figure_rules.total(by_day, span)
    capped = await figures_repository.capped(session, whose, span, limit=CAPPED_CAMPAIGNS)
    is_whole = period is None
    return Analytics(
        span=span,
        stock=stock,
        now=figures,
        before=None if is_whole else figure_rules.total(by_day, span.before),
        days=[(day, by_day.get(day, NOTHING)) for day in span.days],
        best_ads=await figures_repository.best_ads(session, whose, span, limit=BEST_ADS),
        notes=figure_rules.notes(stock.running, figures, capped),
    )


async def _span(
    session: AsyncSession, whose: Whose, period: Period | None, *, goes_on: bool, now: datetime
) -> Span:
    today = platform_day(now)
    if period is not None:
        return figure_rules.span_of(period, today)
    first, last = await figures_repository.first_and_last(session, whose)
    return figure_rules.whole_span(first, last, today, goes_on=goes_on)


async def _both_periods(session: AsyncSession, whose: Whose, span: Span) -> Mapping[date, Figures]:
    both = Span(span.before.first, span.last)
    return await figures_repository.of_days(session, whose, both)


async def audience(
    session: AsyncSession, scope: Scope, period: Period, *, now: datetime
) -> list[AgeShare]:
    """How old the period's viewers are, in groups that are large enough to say nothing of one."""
    span = figure_rules.span_of(period, platform_day(now))
    viewers = await figures_repository.viewers_by_age(session, scope.advertiser_id, span)
    return figure_rules.age_shares(viewers)


@dataclass(frozen=True, slots=True)
class Overview:
    """All that ever was, and what is newest."""

    stock: Stock
    figures: Figures
    newest: Sequence[tuple[CampaignLine, Figures]]


async def overview(session: AsyncSession, scope: Scope) -> Overview:
    owner = scope.advertiser_id
    newest = await figures_repository.newest_campaigns(session, owner, limit=NEWEST_CAMPAIGNS)
    came_of = await of_campaigns(session, scope, [campaign.id for campaign in newest])
    return Overview(
        stock=await figures_repository.stock(session, Whose(owner)),
        figures=await figures_repository.ever(session, owner),
        newest=[(campaign, came_of[campaign.id]) for campaign in newest],
    )


async def by_day(
    session: AsyncSession,
    scope: Scope,
    period: Period | None,
    *,
    campaign_id: UUID | None = None,
    now: datetime,
) -> tuple[Span, list[AdDayLine]]:
    """One line for each ad and day on which it was shown: they add up to `analytics`."""
    whose = Whose(scope.advertiser_id, campaign_id)
    span = await _span(session, whose, period, goes_on=False, now=now)
    return span, await figures_repository.of_ads_by_day(session, whose, span)


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    text: str


async def sheet(
    session: AsyncSession,
    scope: Scope,
    period: Period | None,
    *,
    campaign_id: UUID | None = None,
    now: datetime,
) -> Sheet:
    """What `analytics` shows, to take along; of all companies each line names its own."""
    span, lines = await by_day(session, scope, period, campaign_id=campaign_id, now=now)
    # A year of hundreds of ads takes a second, in which others go on.
    text = await asyncio.to_thread(
        figure_sheet.sheet_of, lines, names_companies=scope.is_everything
    )
    return Sheet(figure_sheet.name_of(span), text)
