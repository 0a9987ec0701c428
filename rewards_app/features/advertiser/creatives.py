"""Companies' ads: made, changed, paused; nobody sees one before it was approved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.ads import funding, serving
from rewards_app.features.ads.funding import Funding
from rewards_app.features.advertiser import (
    ad_rules,
    campaign_rules,
    campaigns_repository,
    choices_repository,
    creatives_repository,
    figures,
    oversight,
)
from rewards_app.features.advertiser.ad_rules import Draft, Status
from rewards_app.features.advertiser.choices_repository import Choice, OpenCampaign
from rewards_app.features.advertiser.creatives_repository import ENDED, EVERYTHING, FoundAd, Search
from rewards_app.features.advertiser.figure_rules import Figures
from rewards_app.features.advertiser.membership import CHANGED, Scope, scope_of
from rewards_app.features.advertiser.rules import UnknownAd, UnknownCampaign

__all__ = ["ENDED", "Search"]

A_PAGE = 24
NEW_ADS = limits.parse("120/hour")


@dataclass(frozen=True, slots=True)
class OwnAd:
    """An ad as its company sees it."""

    found: FoundAd
    figures: Figures


@dataclass(frozen=True, slots=True)
class OwnAds:
    shown: Sequence[OwnAd]
    next_before: UUID | None


async def listed(
    session: AsyncSession,
    actor: Actor,
    search: Search = EVERYTHING,
    *,
    before: UUID | None = None,
    limit: int = A_PAGE,
) -> OwnAds:
    """The newest first."""
    scope = (await scope_of(session, actor)).within(search.company_id)
    search = replace(search, text=search.text.strip())
    found = await creatives_repository.newest(
        session, scope.advertiser_id, search, before=before, limit=limit + 1
    )
    sums = await figures.of_ads(session, scope, [ad.id for ad in found[:limit]])
    shown = [OwnAd(ad, sums[ad.id]) for ad in found[:limit]]
    return OwnAds(shown, shown[-1].found.id if len(found) > limit else None)


async def counts(session: AsyncSession, actor: Actor, search: Search) -> dict[str, int]:
    """How many of each status there are of what is looked for."""
    scope = (await scope_of(session, actor)).within(search.company_id)
    search = replace(search, text=search.text.strip())
    return await creatives_repository.counts(session, scope.advertiser_id, search)


async def one(session: AsyncSession, actor: Actor, ad_id: UUID) -> FoundAd:
    scope = await scope_of(session, actor)
    found = await creatives_repository.one(session, scope.advertiser_id, ad_id)
    if found is None:
        raise UnknownAd
    return found


async def campaigns_to_choose(
    session: AsyncSession,
    actor: Actor,
    text: str = "",
    *,
    chosen: UUID | None = None,
    company_id: UUID | None = None,
) -> Choice[OpenCampaign]:
    """Those that an ad can be made for and whose names have `text`, and the `chosen` one.

    Of one company, if it is named, for who sees all of them.
    """
    scope = (await scope_of(session, actor)).within(company_id)
    return await choices_repository.open_for_ads(
        session, scope.advertiser_id, text.strip(), chosen=chosen
    )


async def create(
    session: AsyncSession,
    actor: Actor,
    campaign_id: UUID,
    form: Mapping[str, str],
    *,
    now: datetime,
) -> UUID:
    """An ad that waits for its review."""
    scope = await scope_of(session, actor)
    campaign = await campaigns_repository.lock(session, scope.advertiser_id, campaign_id, now=now)
    if campaign is None:
        raise UnknownCampaign
    if campaign.standing.status is campaign_rules.Status.COMPLETED:
        raise campaign_rules.CampaignHasEnded
    draft = _draft(form)
    await limits.spend(NEW_ADS, "ads", str(actor.user_id))
    ad_id = new_id()
    await creatives_repository.add(session, ad_id, campaign_id, draft, now=now)
    await oversight.ad_made(session, actor, ad_id, draft, now=now)
    live.announce_after(session, CHANGED, str(campaign.advertiser_id))
    return ad_id


async def edit(
    session: AsyncSession, actor: Actor, ad_id: UUID, form: Mapping[str, str], *, now: datetime
) -> bool:
    """A changed ad is shown to nobody until it was approved again; False when nothing changed.

    Fields that a form leaves out stay as they are.
    """
    scope = await scope_of(session, actor)
    ad = await _lock(session, scope, ad_id, now=now)
    draft = _draft({**ad_rules.written(ad.draft), **form})
    if draft == ad.draft and ad.status is not Status.REJECTED:
        return False
    await creatives_repository.change(session, ad_id, draft, now=now)
    await oversight.ad_changed(session, actor, ad, draft, now=now)
    await _follow(session, ad, now=now)
    return True


async def pause(session: AsyncSession, actor: Actor, ad_id: UUID, *, now: datetime) -> None:
    ad = await _lock(session, await scope_of(session, actor), ad_id, now=now)
    if ad.status is not Status.ACTIVE:
        raise ad_rules.CannotPause
    await creatives_repository.turn(session, ad_id, Status.PAUSED, now=now)
    await oversight.ad_paused(session, actor, ad, now=now)
    await _follow(session, ad, now=now)


async def resume(session: AsyncSession, actor: Actor, ad_id: UUID, *, now: datetime) -> Status:
    """What it is now: one that was approved at a higher price waits for its review first."""
    ad = await _lock(session, await scope_of(session, actor), ad_id, now=now)
    if ad.status is not Status.PAUSED:
        raise ad_rules.CannotResume
    gap = funding.gap(ad.price, ad.draft.coins, Funding(settings().reward_funding))
    status = ad_rules.resumed(gap, is_review_due=ad.is_review_due)
    await creatives_repository.turn(session, ad_id, status, now=now)
    await oversight.ad_resumed(session, actor, ad, status, now=now)
    await _follow(session, ad, now=now)
    return status


def _draft(form: Mapping[str, str]) -> Draft:
    return ad_rules.draft_from(form, allows_http=not settings().is_production)


async def _lock(session: AsyncSession, scope: Scope, ad_id: UUID, *, now: datetime) -> FoundAd:
    """The ad as it stays until this transaction ends; its campaign is locked before it."""
    known = await creatives_repository.one(session, scope.advertiser_id, ad_id)
    if known is None:
        raise UnknownAd
    await campaigns_repository.lock(session, scope.advertiser_id, known.campaign_id, now=now)
    ad = await creatives_repository.lock(session, scope.advertiser_id, ad_id)
    assert ad is not None, "ads are never deleted"
    if ad.campaign_status == campaign_rules.Status.COMPLETED:
        raise campaign_rules.CampaignHasEnded
    return ad


async def _follow(session: AsyncSession, changed: FoundAd, *, now: datetime) -> None:
    live.announce_after(session, CHANGED, str(changed.advertiser_id))
    await serving.sync(session, changed.campaign_id, now=now)
