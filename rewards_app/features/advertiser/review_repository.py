"""Applications and ads as admins look at them, and what they decide, in the database."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, plan_for_these_values, rows, write
from rewards_app.core.like import literally
from rewards_app.core.sealed import unseal
from rewards_app.features.advertiser import ad_rules
from rewards_app.features.advertiser.ad_rules import Draft, Kind
from rewards_app.features.advertiser.rules import Status


@dataclass(frozen=True, slots=True)
class Applicant:
    """The account that sent an application."""

    name: str
    email: str
    role: str
    is_verified: bool
    since: datetime


@dataclass(frozen=True, slots=True)
class Application:
    """What is known of a company that wants to advertise."""

    id: UUID
    company: str
    email: str
    phone: str
    website: str
    status: Status
    reason: str
    """Why it was rejected."""
    sent_at: datetime
    version: datetime
    """Another one after each change."""
    decided_at: datetime | None
    decided_by: str
    """The admin's name; empty where nobody decided, or they are gone."""
    has_people: bool
    """Nobody acts any more for one whose owner was erased, or has joined another company."""
    applicant: Applicant | None
    """None: the account was erased."""


_APPLICATIONS: LiteralString = """
select company.id, company.company_name, company.email, company.phone, company.website,
    company.status, company.reason, company.created_at, company.updated_at, company.decided_at,
    coalesce(admin.display_name, ''),
    exists (select from advertiser_members where advertiser_id = company.id),
    account.display_name, account.email, account.role,
    account.email_verified_at is not null, account.created_at
from advertisers company left join accounts account on account.id = company.account_id
    left join accounts admin on admin.id = company.decided_by
"""
# A first stretch and a later one are two statements: one for both could use no index.
# One that was sent again is new.
_PENDING: LiteralString = f"{_APPLICATIONS} where company.status = 'pending'"
_LATEST: LiteralString = "order by company.updated_at desc, company.id desc limit %(limit)s"
PENDING: LiteralString = f"{_PENDING} {_LATEST}"
PENDING_BEFORE: LiteralString = f"""
{_PENDING} and (company.updated_at, company.id)
    < (select updated_at, id from advertisers where id = %(before)s)
{_LATEST}
"""  # noqa: S608  (all parts are ours)
# The house's own companies never applied.
_PROCESSED: LiteralString = f"""
{_APPLICATIONS} where company.status <> 'pending'
    and (company.account_id is not null or company.decided_at is not null)
"""
_DECIDED_LAST: LiteralString = """
order by coalesce(company.decided_at, company.created_at) desc, company.id desc limit %(limit)s
"""
PROCESSED: LiteralString = f"{_PROCESSED} {_DECIDED_LAST}"
PROCESSED_BEFORE: LiteralString = f"""
{_PROCESSED} and (coalesce(company.decided_at, company.created_at), company.id)
    < (select coalesce(decided_at, created_at), id from advertisers where id = %(before)s)
{_DECIDED_LAST}
"""  # noqa: S608  (all parts are ours)
APPLICATION: LiteralString = f"{_APPLICATIONS} where company.id = %(id)s"
_BEGINS: LiteralString = r"""(lower(company.email) like %(begins)s escape '\'
    or lower(company.company_name) like %(begins)s escape '\')"""
_NEWEST: LiteralString = "order by company.id desc limit %(limit)s"
FOUND: LiteralString = f"{_APPLICATIONS} where {_BEGINS} {_NEWEST}"
FOUND_BEFORE: LiteralString = f"""
{_APPLICATIONS} where {_BEGINS} and company.id < %(before)s {_NEWEST}
"""


async def pending(session: AsyncSession, *, before: UUID | None, limit: int) -> list[Application]:
    """The newest first."""
    query = PENDING_BEFORE if before else PENDING
    found = await rows(session, query, {"before": before, "limit": limit})
    return [_application(row) for row in found]


async def processed(session: AsyncSession, *, before: UUID | None, limit: int) -> list[Application]:
    """What was decided last comes first."""
    query = PROCESSED_BEFORE if before else PROCESSED
    found = await rows(session, query, {"before": before, "limit": limit})
    return [_application(row) for row in found]


async def application(session: AsyncSession, advertiser_id: UUID) -> Application | None:
    found = await rows(session, APPLICATION, {"id": advertiser_id})
    return _application(found[0]) if found else None


async def beginning_with(
    session: AsyncSession, begins: str, *, before: UUID | None, limit: int
) -> list[Application]:
    """Companies whose name or email begins so, in any case; the newest first."""
    await plan_for_these_values(session)
    values = {"begins": f"{literally(begins.lower())}%", "before": before, "limit": limit}
    found = await rows(session, FOUND_BEFORE if before else FOUND, values)
    return [_application(row) for row in found]


def _application(row: Any) -> Application:
    (advertiser_id, company, email, phone, website, status, reason, created_at, updated_at,
     decided_at, decided_by, has_people, *applicant) = row  # fmt: skip
    return Application(
        id=advertiser_id,
        company=company,
        email=email,
        phone=unseal(phone) if phone else "",
        website=website,
        status=Status(status),
        reason=reason,
        sent_at=updated_at if status == Status.PENDING else created_at,
        version=updated_at,
        decided_at=decided_at,
        decided_by=decided_by,
        has_people=has_people,
        applicant=Applicant(*applicant) if applicant[0] else None,
    )


DECIDE: LiteralString = """
update advertisers set status = %(status)s, reason = %(reason)s, decided_at = %(now)s,
    decided_by = %(by)s, updated_at = %(now)s
where id = %(id)s and updated_at = %(version)s and (%(status)s <> 'approved'
    or exists (select from advertiser_members where advertiser_id = advertisers.id))
returning id
"""


async def decide(
    session: AsyncSession,
    known: Application,
    status: Status,
    *,
    reason: str,
    by: UUID,
    now: datetime,
) -> bool:
    """Whether the application was still what is known of it; nobody's is not approved."""
    values = {
        "id": known.id,
        "version": known.version,
        "status": status.value,
        "reason": reason,
        "by": by,
        "now": now,
    }
    return await write(session, DECIDE, values) is not None


@dataclass(frozen=True, slots=True)
class Reported:
    """What players have said of an ad since it was looked at last; the newest may not come last."""

    count: int
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class ReviewedAd:
    """An ad with what a decision on it needs."""

    id: UUID
    campaign_id: UUID
    campaign: str
    advertiser_id: UUID
    company: str
    status: ad_rules.Status
    draft: Draft
    price: int | None
    """Of one completed view, in thousandths of a cent. None: an ad of the house."""
    reports: int
    """How many players have reported it since it was looked at last."""
    newest_report: datetime | None
    """When the last of them did."""
    reason: str
    """Why it was rejected."""
    reviewed_at: datetime | None
    reviewed_by: str
    version: datetime
    """Another one after each change."""

    @property
    def reported(self) -> Reported:
        return Reported(self.reports, self.newest_report)


_OPEN: LiteralString = """
report.ad_id = ads.id and report.created_at > coalesce(ads.reviewed_at, '-infinity')
"""
_ADS: LiteralString = f"""
select ads.id, campaign.id, campaign.name, advertiser.id, advertiser.company_name, ads.status,
    campaign.budget_cents, (select count(*) from ad_reports report where {_OPEN}),
    (select max(report.created_at) from ad_reports report where {_OPEN}),
    ads.review_reason, ads.reviewed_at, coalesce(admin.display_name, ''), ads.updated_at,
    ads.title, ads.description, ads.ad_type, ads.video_url, ads.image_url, ads.click_url,
    ads.duration, ads.reward_coins
from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers advertiser on advertiser.id = campaign.advertiser_id
    left join accounts admin on admin.id = ads.reviewed_by
"""  # noqa: S608  (all parts are ours)
# What has ended shows no ads any more.
_GOES_ON: LiteralString = "campaign.status <> 'completed'"
_WAITING: LiteralString = f"{_ADS} where ads.status = 'pending_review' and {_GOES_ON}"
_LONGEST: LiteralString = "order by ads.updated_at, ads.id limit %(limit)s"
WAITING: LiteralString = f"{_WAITING} {_LONGEST}"
WAITING_AFTER: LiteralString = f"""
{_WAITING} and (ads.updated_at, ads.id) > (select updated_at, id from ads where id = %(after)s)
{_LONGEST}
"""  # noqa: S608  (all parts are ours)
REPORTED: LiteralString = f"""
{_ADS} where ads.status in ('active', 'paused') and {_GOES_ON}
    and exists (select from ad_reports report where {_OPEN})
order by 8 desc, ads.id limit %(limit)s
"""
REPORTED_COUNT: LiteralString = f"""
select count(distinct ads.id) from ads join ad_reports report on {_OPEN}
    join ad_campaigns campaign on campaign.id = ads.campaign_id
where ads.status in ('active', 'paused') and {_GOES_ON}
"""  # noqa: S608  (both parts are ours)
AD: LiteralString = f"{_ADS} where ads.id = %(id)s"


async def waiting_ads(session: AsyncSession, *, after: UUID | None, limit: int) -> list[ReviewedAd]:
    """What has waited longest comes first."""
    query = WAITING_AFTER if after else WAITING
    found = await rows(session, query, {"after": after, "limit": limit})
    return [_ad(row) for row in found]


async def reported_ads(session: AsyncSession, *, limit: int) -> list[ReviewedAd]:
    """What most players have reported comes first."""
    return [_ad(row) for row in await rows(session, REPORTED, {"limit": limit})]


async def reported_count(session: AsyncSession) -> int:
    return (await rows(session, REPORTED_COUNT, {}))[0][0]


async def ad(session: AsyncSession, ad_id: UUID) -> ReviewedAd | None:
    found = await rows(session, AD, {"id": ad_id})
    return _ad(found[0]) if found else None


def _ad(row: Any) -> ReviewedAd:
    (ad_id, campaign_id, campaign, advertiser_id, company, status, price, reports,
     newest_report, reason, reviewed_at, reviewed_by, version, title, description, kind,
     *shown) = row  # fmt: skip
    return ReviewedAd(
        id=ad_id,
        campaign_id=campaign_id,
        campaign=campaign,
        advertiser_id=advertiser_id,
        company=company,
        status=ad_rules.Status(status),
        draft=Draft(title, description, Kind(kind), *shown),
        price=price,
        reports=reports,
        newest_report=newest_report,
        reason=reason,
        reviewed_at=reviewed_at,
        reviewed_by=reviewed_by,
        version=version,
    )


@dataclass(frozen=True, slots=True)
class Report:
    """What one player says of an ad."""

    reason: str
    text: str
    created_at: datetime


REPORTS: LiteralString = f"""
select report.reason, report.text, report.created_at
from ads join ad_reports report on {_OPEN}
where ads.id = %(ad)s order by report.created_at desc limit %(limit)s
"""  # noqa: S608  (all parts are ours)


async def reports_of(session: AsyncSession, ad_id: UUID, *, limit: int) -> list[Report]:
    """The newest first, of those that came since the ad was looked at last."""
    return [Report(*row) for row in await rows(session, REPORTS, {"ad": ad_id, "limit": limit})]


# Campaigns are locked before their ads, everywhere.
LOCK_CAMPAIGN: LiteralString = """
select campaign.id from ad_campaigns campaign where campaign.id = %(id)s for no key update
"""
LOCK_AD: LiteralString = "select id from ads where id = %(id)s for no key update"
REVIEW: LiteralString = """
update ads set status = %(status)s::text, review_reason = %(reason)s, reviewed_at = %(now)s,
    reviewed_by = %(by)s, is_review_due = is_review_due and %(status)s::text = 'paused',
    updated_at = %(now)s
where id = %(id)s and updated_at = %(version)s
returning id
"""


async def lock(session: AsyncSession, known: ReviewedAd) -> None:
    """Whoever reports it waits for the review, and is not closed by it."""
    await write(session, LOCK_CAMPAIGN, {"id": known.campaign_id})
    await write(session, LOCK_AD, {"id": known.id})


async def review(
    session: AsyncSession,
    known: ReviewedAd,
    status: ad_rules.Status,
    *,
    reason: str,
    by: UUID,
    now: datetime,
) -> bool:
    """Whether the ad was still what is known of it; its campaign stays locked."""
    await write(session, LOCK_CAMPAIGN, {"id": known.campaign_id})
    values = {
        "id": known.id,
        "version": known.version,
        "status": status.value,
        "reason": reason,
        "by": by,
        "now": now,
    }
    return await write(session, REVIEW, values) is not None


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much waits for an admin's decision, counted up to MOST_COUNTED of each."""

    applications: int
    ads: int


MOST_COUNTED = 1000
"""Nobody works through more at once; to count a million would take longer than any list."""
COUNTS: LiteralString = f"""
select
    (select count(*) from (
        select from advertisers where status = 'pending' limit %(most)s) as counted),
    (select count(*) from (
            select from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
            where ads.status = 'pending_review' and {_GOES_ON}
            limit %(most)s) as counted)
        + ({REPORTED_COUNT})
"""  # noqa: S608  (all parts are ours)


async def waiting(session: AsyncSession) -> Waiting:
    return Waiting(*(await rows(session, COUNTS, {"most": MOST_COUNTED}))[0])
