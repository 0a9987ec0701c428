"""Campaigns of companies: planned, changed, paused, resumed, ended; each by its own people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.ads import serving
from rewards_app.features.ads.budgets import VIEWS_A_BUDGET, whole_cents
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import (
    campaign_rules,
    campaigns_repository,
    choices_repository,
    creatives_repository,
    figures,
    lifecycle,
    oversight,
    review_rules,
)
from rewards_app.features.advertiser.campaign_notes import (
    Note,
    is_daily_reached,
    note_of,
    views_of_a_day,
)
from rewards_app.features.advertiser.campaign_rules import EndedBy, Plan, Status
from rewards_app.features.advertiser.campaigns_repository import FoundCampaign, Search, Totals
from rewards_app.features.advertiser.choices_repository import Choice
from rewards_app.features.advertiser.figure_rules import NOTHING, Figures
from rewards_app.features.advertiser.membership import CHANGED, Scope, scope_of
from rewards_app.features.advertiser.rules import NotAnAdvertiser, UnknownCampaign

__all__ = ["Search", "Status"]

A_PAGE = 24
LAST_DAYS = 14
NEW_CAMPAIGNS = limits.parse("60/hour")


class Resumed(StrEnum):
    """When players see what was resumed."""

    NOW = "now"
    WITH_AN_AD = "with_an_ad"
    """Once one of its ads can be shown."""
    NOT_TODAY = "not_today"
    """The day's budget is used."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign as its card shows it."""

    id: UUID
    advertiser_id: UUID
    company: str
    status: Status
    plan: Plan
    is_house: bool
    is_set_aside: bool
    figures: Figures
    views_left: int
    taken_today: int
    views_a_day: int | None
    """How many places its daily budget has."""
    note: Note
    missing: int
    """Funds that it lacks to start, in thousandths of a cent; as whole cents, as they are paid."""
    paused_at: datetime | None
    ended_at: datetime | None
    ended_because: str
    """What the admin who ended it says."""
    rejected_ad_id: UUID | None
    rejected_ad: str
    rejected_because: str
    can_pause: bool
    can_resume: bool
    can_end: bool


@dataclass(frozen=True, slots=True)
class Campaigns:
    """A stretch of what was found, how many there are of each status, and where it goes on."""

    shown: Sequence[Campaign]
    counts: Mapping[Status, int]
    next_before: UUID | None
    totals: Totals
    """Of all campaigns that may be seen, or of one company's: found or not."""


async def listed(
    session: AsyncSession,
    actor: Actor,
    search: Search,
    *,
    before: UUID | None = None,
    limit: int = A_PAGE,
    now: datetime,
) -> Campaigns:
    """The newest first."""
    scope = (await scope_of(session, actor)).within(search.company_id)
    search = replace(search, text=search.text.strip())
    found = await campaigns_repository.newest(
        session, scope.advertiser_id, search, before=before, limit=limit + 1, now=now
    )
    counts = await campaigns_repository.counts(session, scope.advertiser_id, search)
    shown = await _cards(session, scope, found[:limit], now=now)
    totals = await campaigns_repository.totals(session, scope.advertiser_id)
    return Campaigns(shown, counts, shown[-1].id if len(found) > limit else None, totals)


async def one(session: AsyncSession, actor: Actor, campaign_id: UUID, *, now: datetime) -> Campaign:
    scope = await scope_of(session, actor)
    found = await campaigns_repository.one(session, scope.advertiser_id, campaign_id, now=now)
    if found is None:
        raise UnknownCampaign
    return (await _cards(session, scope, [found], now=now))[0]


async def last_days(
    session: AsyncSession, actor: Actor, campaign_id: UUID, *, now: datetime
) -> list[tuple[date, Figures]]:
    """What came of a campaign on each of the last days, today's included."""
    await one(session, actor, campaign_id, now=now)
    last = platform_day(now)
    days = [last - timedelta(days=number) for number in reversed(range(LAST_DAYS))]
    known = await campaigns_repository.days(session, campaign_id, days[0], last)
    return [(day, known.get(day, NOTHING)) for day in days]


async def companies(
    session: AsyncSession, actor: Actor, text: str = "", *, chosen: UUID | None = None
) -> Choice[tuple[UUID, str]]:
    """For whom an admin can plan campaigns: those whose names have `text`, and the `chosen` one."""
    scope = await scope_of(session, actor)
    if not scope.is_everything:
        return Choice([], False)
    return await choices_repository.approved(session, text.strip(), chosen=chosen)


async def create(
    session: AsyncSession,
    actor: Actor,
    form: Mapping[str, str],
    *,
    advertiser_id: UUID | None = None,
    now: datetime,
) -> UUID:
    """A draft of the actor's company; an admin names the company."""
    owner = await _owner(session, actor, advertiser_id)
    plan = campaign_rules.plan_from(form, now=now)
    await limits.spend(NEW_CAMPAIGNS, "campaigns", str(actor.user_id))
    campaign_id = new_id()
    await campaigns_repository.add(session, campaign_id, owner, plan, now=now)
    await oversight.campaign_planned(session, actor, campaign_id, plan, now=now)
    live.announce_after(session, CHANGED, str(owner))
    return campaign_id


async def _owner(session: AsyncSession, actor: Actor, wanted: UUID | None) -> UUID:
    scope = await scope_of(session, actor)
    if scope.advertiser_id:
        return scope.advertiser_id
    if wanted is None:
        raise campaign_rules.FieldsMissing("company")
    if not await campaigns_repository.is_approved(session, wanted):
        raise NotAnAdvertiser
    return wanted


async def edit(
    session: AsyncSession,
    actor: Actor,
    campaign_id: UUID,
    form: Mapping[str, str],
    *,
    now: datetime,
) -> int:
    """How many of its ads are reviewed again: they were approved at a higher price."""
    found = await _lock(session, actor, campaign_id, now=now)
    plan = campaign_rules.edited(form, found.standing, now=now)
    await campaigns_repository.change(session, campaign_id, plan, now=now)
    waiting = 0
    if settings().heeds_funding and campaign_rules.costs_less(plan, found.standing.plan):
        waiting = await creatives_repository.review_uncovered(session, campaign_id, now=now)
    await oversight.campaign_changed(session, actor, found, plan, now=now)
    await _follow(session, found, now=now)
    return waiting


async def pause(session: AsyncSession, actor: Actor, campaign_id: UUID, *, now: datetime) -> None:
    found = await _lock(session, actor, campaign_id, now=now)
    if not campaign_rules.can_pause(found.standing.status):
        raise campaign_rules.CannotPause
    await campaigns_repository.turn(session, campaign_id, Status.PAUSED, now=now)
    await oversight.campaign_became(session, actor, found, Status.PAUSED, now=now)
    await _follow(session, found, now=now)


async def resume(
    session: AsyncSession, actor: Actor, campaign_id: UUID, *, now: datetime
) -> Resumed:
    """Run it again, or for the first time; what a colleague has just resumed runs already."""
    found = await _lock(session, actor, campaign_id, now=now)
    if found.standing.status is Status.COMPLETED:
        raise campaign_rules.CampaignHasEnded
    if found.standing.status is not Status.ACTIVE:
        await _run(session, actor, found, now=now)
    if not found.standing.has_ad_to_show:
        return Resumed.WITH_AN_AD
    return Resumed.NOT_TODAY if is_daily_reached(found) else Resumed.NOW


async def _run(session: AsyncSession, actor: Actor, found: FoundCampaign, *, now: datetime) -> None:
    if not campaign_rules.can_resume(found.standing, now=now):
        raise campaign_rules.CannotResume
    await oversight.campaign_became(session, actor, found, Status.ACTIVE, now=now)
    if found.standing.status is Status.PAUSED:
        await campaigns_repository.turn(session, found.id, Status.ACTIVE, now=now)
        await _follow(session, found, now=now)
    elif not await lifecycle.start_what_can(session, campaign_id=found.id, by_hand=True, now=now):
        raise campaign_rules.CannotResume


async def end(
    session: AsyncSession, actor: Actor, campaign_id: UUID, reason: str = "", *, now: datetime
) -> bool:
    """For good; whether a budget was set aside, of which the rest goes back to the balance.

    An admin says why, and the company is told.
    """
    found = await _lock(session, actor, campaign_id, now=now)
    if found.standing.status is Status.COMPLETED:
        raise campaign_rules.CampaignHasEnded
    is_admin = actor.role is Role.ADMIN
    why = review_rules.reason_from(reason) if is_admin else ""
    by = EndedBy.ADMIN if is_admin else EndedBy.COMPANY
    await lifecycle.end(session, campaign_id, by, because=why, now=now)
    await oversight.campaign_became(session, actor, found, Status.COMPLETED, reason=why, now=now)
    return found.standing.is_set_aside


async def end_all(
    session: AsyncSession, actor: Actor, advertiser_id: UUID, reason: str, *, now: datetime
) -> int:
    """Everything of one company that has not ended, as `end` does it with one; how many."""
    if actor.role is not Role.ADMIN:
        raise NotAllowed
    review_rules.reason_from(reason)
    wanted = await campaigns_repository.lock_open(session, advertiser_id)
    if not wanted:
        raise campaign_rules.NothingToEnd
    for campaign_id in wanted:
        await end(session, actor, campaign_id, reason, now=now)
    return len(wanted)


async def _lock(
    session: AsyncSession, actor: Actor, campaign_id: UUID, *, now: datetime
) -> FoundCampaign:
    scope = await scope_of(session, actor)
    found = await campaigns_repository.lock(session, scope.advertiser_id, campaign_id, now=now)
    if found is None:
        raise UnknownCampaign
    return found


async def _follow(session: AsyncSession, changed: FoundCampaign, *, now: datetime) -> None:
    """What a change leads to: it may start now, and be served or not."""
    live.announce_after(session, CHANGED, str(changed.advertiser_id))
    await lifecycle.start_what_can(session, campaign_id=changed.id, now=now)
    await serving.sync(session, changed.id, now=now)


async def _cards(
    session: AsyncSession, scope: Scope, found: Sequence[FoundCampaign], *, now: datetime
) -> list[Campaign]:
    sums = await figures.of_campaigns(session, scope, [one.id for one in found])
    return [_card(one, sums[one.id], now=now) for one in found]


def _card(found: FoundCampaign, sums: Figures, *, now: datetime) -> Campaign:
    known = found.standing
    missing = known.plan.budget_cents * VIEWS_A_BUDGET - known.balance
    return Campaign(
        id=found.id,
        advertiser_id=found.advertiser_id,
        company=found.company,
        status=known.status,
        plan=known.plan,
        is_house=not known.plan.budget_cents,
        is_set_aside=known.is_set_aside,
        figures=sums,
        views_left=max(0, VIEWS_A_BUDGET - sums.completions),
        taken_today=found.taken_today,
        views_a_day=views_of_a_day(known.plan),
        note=note_of(found, now=now),
        missing=0 if known.is_set_aside else max(0, whole_cents(missing)),
        paused_at=found.paused_at,
        ended_at=found.ended_at,
        ended_because=found.ended_because,
        rejected_ad_id=found.rejected_ad_id,
        rejected_ad=found.rejected_ad,
        rejected_because=found.rejected_because,
        can_pause=campaign_rules.can_pause(known.status),
        can_resume=campaign_rules.can_resume(known, now=now),
        can_end=known.status is not Status.COMPLETED,
    )
