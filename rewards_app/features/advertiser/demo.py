"""A company to try the app out with: Fjord Audio, its money, its campaigns and their past."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import id_at
from rewards_app.features.accounts import demo as accounts
from rewards_app.features.accounts.rules import DEMO_DOMAIN
from rewards_app.features.ads import past, serving
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.budgets import VIEWS_A_BUDGET
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.demo import DemoAd, ad_of
from rewards_app.features.advertiser import lifecycle, money
from rewards_app.features.advertiser.campaign_rules import EndedBy, Status
from rewards_app.features.advertiser.demo_views import Viewing, births, viewings
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.models import Ad, AdCampaign, Advertiser, AdvertiserMember, AdView

COMPANY = "Fjord Audio"
OPENING = 250_000_000
"""$2,500, in thousandths of a cent."""
DAY = timedelta(days=1)
APPLIED_AGO = 60 * DAY
PREPARED_IN = 5 * DAY


async def add_company(session: AsyncSession, account_id: UUID, *, now: datetime) -> UUID:
    """The approved company that the account owns, with money to begin with."""
    began = now - APPLIED_AGO
    company = Advertiser(
        account_id=account_id,
        company_name=COMPANY,
        email=f"company@{DEMO_DOMAIN}",
        website="https://example.com/",
        status="approved",
        decided_at=began,
        created_at=began,
        updated_at=began,
    )
    session.add(company)
    await session.flush()
    session.add(
        AdvertiserMember(
            account_id=account_id,
            advertiser_id=company.id,
            role=MemberRole.OWNER.value,
            created_at=began,
        )
    )
    await session.flush()
    await money.enter(
        session, company.id, OPENING, money.Kind.OPENING, f"opening:{company.id}", now=began
    )
    return company.id


@dataclass(frozen=True, slots=True)
class DemoCampaign:
    """From which day to which it was shown, counted back from today, and how often a day."""

    name: str
    description: str
    status: Status
    budget_cents: int
    ads: Sequence[DemoAd]
    from_day: int
    to_day: int
    a_day: float = 0
    daily_budget_cents: int | None = None


HEAR_THE_FJORD = DemoAd(
    COMPANY,
    "Hear the fjord",
    "The Fjord One headset shuts the world out and lets you hear every step, and from where.",
    "video",
    "hear-the-fjord",
    15,
    15,
)
EVERY_STEP = DemoAd(
    COMPANY,
    "Every step counts",
    "Hear them before they see you: Fjord One with a microphone that forgets the room.",
    "video",
    "hear-the-fjord",
    15,
    15,
)
LATE_NIGHTS = DemoAd(
    COMPANY,
    "Late nights, quiet house",
    "Closed studio headphones: everything for you, nothing for the neighbours.",
    "video",
    "hear-the-fjord",
    15,
    10,
)
STUDENT_PRICE = DemoAd(
    COMPANY,
    "Student price: 30% off",
    "Studio sound at a student's price, with your student ID.",
    "video",
    "hear-the-fjord",
    15,
    10,
)
FIRST_SNOW = DemoAd(
    COMPANY,
    "First snow, first sale",
    "A first look at the winter prices of Fjord Audio.",
    "video",
    "hear-the-fjord",
    15,
    20,
)
CAMPAIGNS = (
    DemoCampaign(
        "Studio monitors for small rooms",
        "Players with a desk and neighbours",
        Status.COMPLETED,
        60_000,
        (LATE_NIGHTS,),
        from_day=45,
        to_day=14,
        a_day=12,
    ),
    DemoCampaign(
        "Autumn launch: Fjord One",
        "Two films for players who listen",
        Status.ACTIVE,
        90_000,
        (HEAR_THE_FJORD, EVERY_STEP),
        from_day=44,
        to_day=1,
        a_day=16,
        daily_budget_cents=45_000,
    ),
    DemoCampaign(
        "Student price, studio sound",
        "Semester offer with student ID",
        Status.PAUSED,
        40_000,
        (STUDENT_PRICE,),
        from_day=30,
        to_day=8,
        a_day=8,
    ),
    DemoCampaign(
        "Winter sale teaser",
        "First look before the December prices",
        Status.DRAFT,
        50_000,
        (FIRST_SNOW,),
        from_day=-10,
        to_day=-34,
    ),
)


async def add_past_of_campaigns(
    session: AsyncSession, advertiser_id: UUID, *, now: datetime
) -> Sequence[UUID]:
    """Campaigns of every kind, and some weeks of views by people whom nobody can be: those."""
    today = platform_day(now)
    born = list(births(today))
    viewers = await accounts.make_demo_viewers(
        session, [birth for _, birth in born], now=now - APPLIED_AGO
    )
    groups = [group for group, _ in born]
    views: list[AdView] = []
    ended: list[AdCampaign] = []
    for number, plan in enumerate(CAMPAIGNS):
        campaign, ads = await _add_campaign(session, advertiser_id, plan, now=now)
        lengths = [ad.duration for ad in ads]
        seen = viewings(lengths, _days(today, plan), a_day=plan.a_day, first=7 * number)
        views += [_view(one, viewers, groups, ads) for one in seen]
        ended += [campaign] if campaign.ended_at else []
    await past.keep(session, views)
    for campaign in ended:
        assert campaign.ended_at, "only what has ended is settled"
        await lifecycle.settle(session, campaign.id, now=campaign.ended_at)
    await serving.sync(session, now=now)
    return viewers


def _days(today: date, plan: DemoCampaign) -> list[date]:
    return [today - ago * DAY for ago in range(plan.from_day, plan.to_day - 1, -1)]


async def _add_campaign(
    session: AsyncSession, advertiser_id: UUID, plan: DemoCampaign, *, now: datetime
) -> tuple[AdCampaign, list[Ad]]:
    """With its budget set aside where it has started."""
    starts, ends = now - (plan.from_day + 1) * DAY, now - (plan.to_day - 1) * DAY
    made = min(starts, now) - PREPARED_IN
    has_started, has_ended = plan.status is not Status.DRAFT, plan.status is Status.COMPLETED
    campaign = AdCampaign(
        advertiser_id=advertiser_id,
        name=plan.name,
        description=plan.description,
        status=plan.status.value,
        budget_cents=plan.budget_cents,
        daily_budget_cents=plan.daily_budget_cents,
        starts_at=starts,
        ends_at=ends if has_ended or not has_started else now + 45 * DAY,
        set_aside_at=starts if has_started else None,
        paused_at=ends if plan.status is Status.PAUSED else None,
        ended_at=ends if has_ended else None,
        ended_by=EndedBy.DATE.value if has_ended else "",
        created_at=made,
        updated_at=made,
    )
    session.add(campaign)
    await session.flush()
    if has_started:
        await money.enter(
            session,
            advertiser_id,
            -plan.budget_cents * VIEWS_A_BUDGET,
            money.Kind.SET_ASIDE,
            f"campaign:{campaign.id}",
            subject=plan.name,
            is_covered=True,
            now=starts,
        )
    ads = [
        # The first one last: the newest is listed first.
        _ad(ad, campaign.id, has_started=has_started, made=made + 4 * DAY / (number + 1) ** 2)
        for number, ad in enumerate(plan.ads)
    ]
    session.add_all(ads)
    await session.flush()
    return campaign, ads


def _ad(plan: DemoAd, campaign_id: UUID, *, has_started: bool, made: datetime) -> Ad:
    """Approved where its campaign has started, else waiting for its review."""
    ad = ad_of(plan, campaign_id, now=made)
    ad.status = "active" if has_started else "pending_review"
    ad.reviewed_at = made if has_started else None
    return ad


def _view(
    seen: Viewing, viewers: Sequence[UUID], groups: Sequence[AgeGroup], ads: Sequence[Ad]
) -> AdView:
    ad = ads[seen.ad]
    return AdView(
        id=id_at(seen.started_at),
        account_id=viewers[seen.viewer],
        ad_id=ad.id,
        status="rewarded" if seen.is_finished else "given_up",
        started_at=seen.started_at,
        required_seconds=ad.duration,
        reward_coins=ad.reward_coins,
        expires_at=seen.expires_at,
        rewarded_at=seen.ended_at if seen.is_finished else None,
        ended_at=seen.ended_at,
        clicked_at=seen.clicked_at,
        client_seconds=ad.duration if seen.is_finished else None,
        tab_hash="",
        day=platform_day(seen.started_at),
        age_group=groups[seen.viewer].value,
    )
