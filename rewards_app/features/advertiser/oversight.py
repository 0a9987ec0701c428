"""What admins do to companies' campaigns and ads is written down; what companies do is theirs."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.features.advertiser import ad_rules, campaign_rules
from rewards_app.features.advertiser.campaign_rules import Plan
from rewards_app.features.advertiser.campaigns_repository import FoundCampaign
from rewards_app.features.advertiser.creatives_repository import FoundAd
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action

Told = Mapping[str, str]
NOTHING: Told = {}

CAMPAIGN_BECAME = {
    campaign_rules.Status.ACTIVE: Action.CAMPAIGN_RESUMED,
    campaign_rules.Status.PAUSED: Action.CAMPAIGN_PAUSED,
    campaign_rules.Status.COMPLETED: Action.CAMPAIGN_ENDED,
}


async def campaign_planned(
    session: AsyncSession, actor: Actor, campaign_id: UUID, plan: Plan, *, now: datetime
) -> None:
    about, after = f"campaign:{campaign_id}", campaign_rules.written(plan)
    planned = Action.CAMPAIGN_PLANNED
    await _record(session, actor, planned, about, plan.name, NOTHING, after, now=now)


async def campaign_changed(
    session: AsyncSession, actor: Actor, found: FoundCampaign, plan: Plan, *, now: datetime
) -> None:
    was = found.standing.plan
    before, after = _changes(campaign_rules.written(was), campaign_rules.written(plan))
    changed, about = Action.CAMPAIGN_CHANGED, f"campaign:{found.id}"
    await _record(session, actor, changed, about, was.name, before, after, now=now)


async def campaign_became(
    session: AsyncSession,
    actor: Actor,
    found: FoundCampaign,
    status: campaign_rules.Status,
    *,
    reason: str = "",
    now: datetime,
) -> None:
    was = found.standing
    before, after = {"status": was.status.value}, {"status": status.value}
    became, about = CAMPAIGN_BECAME[status], f"campaign:{found.id}"
    await _record(session, actor, became, about, was.plan.name, before, after, reason, now=now)


async def ad_made(
    session: AsyncSession, actor: Actor, ad_id: UUID, draft: ad_rules.Draft, *, now: datetime
) -> None:
    about, after = f"ad:{ad_id}", ad_rules.written(draft)
    await _record(session, actor, Action.AD_MADE, about, draft.title, NOTHING, after, now=now)


async def ad_changed(
    session: AsyncSession, actor: Actor, ad: FoundAd, draft: ad_rules.Draft, *, now: datetime
) -> None:
    """Also one that was rejected and is sent as it was: it waits for its review again."""
    before, after = _changes(
        ad_rules.written(ad.draft) | {"status": ad.status.value},
        ad_rules.written(draft) | {"status": ad_rules.Status.PENDING_REVIEW.value},
    )
    changed, about = Action.AD_CHANGED, f"ad:{ad.id}"
    await _record(session, actor, changed, about, ad.draft.title, before, after, now=now)


async def ad_paused(session: AsyncSession, actor: Actor, ad: FoundAd, *, now: datetime) -> None:
    await _ad_became(session, actor, Action.AD_PAUSED, ad, ad_rules.Status.PAUSED, now=now)


async def ad_resumed(
    session: AsyncSession, actor: Actor, ad: FoundAd, status: ad_rules.Status, *, now: datetime
) -> None:
    """It is shown again, or waits for its review."""
    await _ad_became(session, actor, Action.AD_RESUMED, ad, status, now=now)


async def _ad_became(
    session: AsyncSession,
    actor: Actor,
    action: Action,
    ad: FoundAd,
    status: ad_rules.Status,
    *,
    now: datetime,
) -> None:
    before, after = {"status": ad.status.value}, {"status": status.value}
    about = f"ad:{ad.id}"
    await _record(session, actor, action, about, ad.draft.title, before, after, now=now)


def _changes(before: Told, after: Told) -> tuple[Told, Told]:
    """What of a form is not as it was."""
    changed = [name for name, text in after.items() if before[name] != text]
    return {name: before[name] for name in changed}, {name: after[name] for name in changed}


async def _record(
    session: AsyncSession,
    actor: Actor,
    action: Action,
    about: str,
    label: str,
    before: Told,
    after: Told,
    reason: str = "",
    *,
    now: datetime,
) -> None:
    """Where nothing is different, nothing was done."""
    if actor.role is not Role.ADMIN or before == after:
        return
    await audit.record(
        session,
        actor,
        action,
        about,
        label=label,
        before=before,
        after=after,
        reason=reason,
        now=now,
    )
