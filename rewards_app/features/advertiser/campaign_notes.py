"""What a campaign's card says of how it stands: why it is not seen, and what would help."""

from datetime import datetime
from enum import StrEnum

from rewards_app.core.settings import settings
from rewards_app.features.ads.budgets import VIEWS_A_BUDGET, views_a_day
from rewards_app.features.ads.days import PLATFORM_CALENDAR, day_at
from rewards_app.features.ads.funding import Funding
from rewards_app.features.advertiser.campaign_rules import EndedBy, Plan, Status
from rewards_app.features.advertiser.campaigns_repository import FoundCampaign


class Note(StrEnum):
    """What a campaign's people should know of it; the first that is true."""

    BUDGET_USED = "budget_used"
    ENDED_BY_DATE = "ended_by_date"
    ENDED_BY_HAND = "ended_by_hand"
    ENDED_BY_ADMIN = "ended_by_admin"
    PAUSED = "paused"
    DAILY_REACHED = "daily_reached"
    AD_REJECTED = "ad_rejected"
    DATES_PASSED = "dates_passed"
    NEEDS_AD = "needs_ad"
    IN_REVIEW = "in_review"
    ADS_PAUSED = "ads_paused"
    NEEDS_FUNDS = "needs_funds"
    NOBODY_ACTS = "nobody_acts"
    WAITS_FOR_DATE = "waits_for_date"
    WAITS_FOR_YOU = "waits_for_you"
    NOT_SERVED = "not_served"
    NOT_COVERED = "not_covered"
    NOTHING = ""


_OF_ENDED = {
    EndedBy.BUDGET: Note.BUDGET_USED,
    EndedBy.DATE: Note.ENDED_BY_DATE,
    EndedBy.COMPANY: Note.ENDED_BY_HAND,
    EndedBy.ADMIN: Note.ENDED_BY_ADMIN,
}


def note_of(found: FoundCampaign, *, now: datetime) -> Note:
    known = found.standing
    match known.status:
        case Status.COMPLETED:
            return _OF_ENDED.get(found.ended_by or EndedBy.DATE, Note.ENDED_BY_DATE)
        case Status.PAUSED:
            return Note.PAUSED
        case Status.ACTIVE:
            return _note_of_active(found, now=now)
        case Status.DRAFT:
            return _note_of_draft(found, now=now)


def _note_of_active(found: FoundCampaign, *, now: datetime) -> Note:
    plan = found.standing.plan
    if plan.budget_cents and found.standing.taken >= VIEWS_A_BUDGET:
        return Note.BUDGET_USED
    if _waits_for_tomorrow(found, now=now):
        return Note.DAILY_REACHED
    gap = _gap(found)
    if gap is Note.NOT_SERVED or not found.standing.has_ad_to_show:
        return gap or _note_of_ads(found)
    return Note.AD_REJECTED if found.has_rejected_ad else gap


def _waits_for_tomorrow(found: FoundCampaign, *, now: datetime) -> bool:
    """The day's places are taken, and there is another day; on its last one it only ends."""
    ends_at = found.standing.plan.ends_at
    return is_daily_reached(found) and ends_at > day_at(PLATFORM_CALENDAR, now).ends_at


def views_of_a_day(plan: Plan) -> int | None:
    """How many places the daily budget of a campaign has, where there is one."""
    daily = plan.daily_budget_cents
    return views_a_day(plan.budget_cents, daily) if daily else None


def is_daily_reached(found: FoundCampaign) -> bool:
    of_a_day = views_of_a_day(found.standing.plan)
    return of_a_day is not None and found.taken_today >= of_a_day


def _gap(found: FoundCampaign) -> Note:
    """What to say of ads whose price does not cover their reward."""
    funding = Funding(settings().reward_funding)
    if not found.has_uncovered_ad or funding is Funding.OFF:
        return Note.NOTHING
    return Note.NOT_SERVED if funding is Funding.ENFORCE else Note.NOT_COVERED


def _note_of_ads(found: FoundCampaign) -> Note:
    if found.has_ad_in_review:
        return Note.IN_REVIEW
    if found.has_rejected_ad:
        return Note.AD_REJECTED
    return Note.ADS_PAUSED if found.has_paused_ad else Note.NEEDS_AD


def _note_of_draft(found: FoundCampaign, *, now: datetime) -> Note:
    known = found.standing
    if known.plan.ends_at <= now:
        return Note.DATES_PASSED
    if not known.has_ad_to_show:
        return _gap(found) or _note_of_ads(found)
    if known.balance < known.plan.budget_cents * VIEWS_A_BUDGET:
        return Note.NEEDS_FUNDS
    if not known.has_somebody:
        return Note.NOBODY_ACTS
    if known.plan.starts_at > now:
        return Note.WAITS_FOR_DATE
    return Note.WAITS_FOR_YOU
