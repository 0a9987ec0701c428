"""Campaigns and ads as their companies plan, change and end them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import rows, transaction
from rewards_app.features.advertiser import campaigns, creatives, money
from rewards_app.features.advertiser.ad_rules import Status as AdStatus
from rewards_app.features.advertiser.campaigns import Campaign, Campaigns, Resumed, Search
from rewards_app.features.advertiser.creatives import OwnAds
from rewards_app.models import Account
from tests.ads import the_actor
from tests.companies import Company
from tests.people import NOON
from tests.review import an_admin, approves

EVERYTHING: Search = Search()
ALL_ADS = creatives.Search()


def a_plan(**changes: str) -> dict[str, str]:
    """As it is typed; it begins and ends around noon of the tests."""
    return {
        "name": "Winter sale",
        "description": "First look",
        "budget": "500.00",
        "daily_budget": "",
        "start_date": "2026-03-01",
        "end_date": "2026-03-31",
    } | changes


def a_draft(**changes: str) -> dict[str, str]:
    """An ad as it is typed."""
    return {
        "title": "Hear the fjord",
        "ad_type": "video",
        "video_url": "/ads/hear-the-fjord.webm",
        "click_url": "https://fjord.example/",
        "duration": "5",
        "reward_coins": "15",
    } | changes


async def plans(
    actor: Actor,
    typed: Mapping[str, str] | None = None,
    *,
    company: UUID | None = None,
    now: datetime = NOON,
) -> UUID:
    form = a_plan(**(typed or {}))
    async with transaction() as session:
        return await campaigns.create(session, actor, form, advertiser_id=company, now=now)


async def makes_ad(
    actor: Actor,
    campaign_id: UUID,
    typed: Mapping[str, str] | None = None,
    *,
    now: datetime = NOON,
) -> UUID:
    form = a_draft(**(typed or {}))
    async with transaction() as session:
        return await creatives.create(session, actor, campaign_id, form, now=now)


async def runs(company: Company, *, now: datetime = NOON, **changes: str) -> tuple[UUID, UUID]:
    """A campaign that has started, by the approval of its ad; the two of them."""
    campaign_id = await plans(company.owner, changes, now=now)
    ad_id = await makes_ad(company.owner, campaign_id, now=now)
    await approves(await the_admin(), ad_id, now=now)
    return campaign_id, ad_id


async def the_admin() -> Actor:
    """The same one for all that happens in a test."""
    async with transaction() as session:
        found = await rows(session, "select id from accounts where role = 'admin' limit 1", {})
    return await an_admin() if not found else await _actor_of(found[0][0])


async def _actor_of(account_id: UUID) -> Actor:
    async with transaction() as session:
        account = await session.get(Account, account_id)
    assert account
    return the_actor(account)


async def lists(
    actor: Actor, search: Search = EVERYTHING, *, now: datetime = NOON, **asked: Any
) -> Campaigns:
    async with transaction() as session:
        return await campaigns.listed(session, actor, search, now=now, **asked)


async def sees(actor: Actor, campaign_id: UUID, *, now: datetime = NOON) -> Campaign:
    async with transaction() as session:
        return await campaigns.one(session, actor, campaign_id, now=now)


async def edits(
    actor: Actor, campaign_id: UUID, typed: Mapping[str, str], *, now: datetime = NOON
) -> int:
    async with transaction() as session:
        return await campaigns.edit(session, actor, campaign_id, typed, now=now)


async def pauses(actor: Actor, campaign_id: UUID, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await campaigns.pause(session, actor, campaign_id, now=now)


async def resumes(actor: Actor, campaign_id: UUID, *, now: datetime = NOON) -> Resumed:
    async with transaction() as session:
        return await campaigns.resume(session, actor, campaign_id, now=now)


async def ends(actor: Actor, campaign_id: UUID, reason: str = "", *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await campaigns.end(session, actor, campaign_id, reason, now=now)


async def ads_of(actor: Actor, search: creatives.Search = ALL_ADS, **asked: Any) -> OwnAds:
    async with transaction() as session:
        return await creatives.listed(session, actor, search, **asked)


async def changes_ad(
    actor: Actor, ad_id: UUID, typed: Mapping[str, str], *, now: datetime = NOON
) -> bool:
    async with transaction() as session:
        return await creatives.edit(session, actor, ad_id, typed, now=now)


async def pauses_ad(actor: Actor, ad_id: UUID, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await creatives.pause(session, actor, ad_id, now=now)


async def resumes_ad(actor: Actor, ad_id: UUID, *, now: datetime = NOON) -> AdStatus:
    async with transaction() as session:
        return await creatives.resume(session, actor, ad_id, now=now)


async def status_of(actor: Actor, ad_id: UUID) -> AdStatus:
    async with transaction() as session:
        return (await creatives.one(session, actor, ad_id)).status


async def funds_of(company: Company) -> money.Funds:
    async with transaction() as session:
        return await money.funds_of(session, company.id)


async def entries_of(company: Company) -> list[tuple[str, int]]:
    """What each was for, and how many dollars."""
    async with transaction() as session:
        found = await rows(
            session,
            "select kind, amount from advertiser_entries where advertiser_id = %(id)s"
            " order by number",
            {"id": company.id},
        )
    return [(kind, amount / 100_000) for kind, amount in found]


async def served_now() -> set[UUID]:
    """Ads that players can be shown."""
    async with transaction() as session:
        return {row[0] for row in await rows(session, "select ad_id from ad_servings", {})}


async def all_kept() -> tuple[object, ...]:
    """Everything that campaigns and ads consist of: a refusal leaves it as it was."""
    async with transaction() as session:
        return tuple([tuple(await rows(session, query, {})) for query in KEPT])


KEPT = (
    "select * from ad_campaigns order by id",
    "select * from ads order by id",
    "select * from advertiser_entries order by number",
    "select id, balance from advertisers order by id",
    "select ad_id from ad_servings order by ad_id",
)
