"""What companies are told: decisions on them and on their ads, campaigns that have ended."""

from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core import mail
from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.mail import Letter
from rewards_app.core.routes import COMPANY_HOME
from rewards_app.core.settings import settings
from rewards_app.features.ads.budgets import cost_and_rest
from rewards_app.features.advertiser import addresses
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import CompanyTopic, Kind
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import text

HOME = COMPANY_HOME

APPLICATION: LiteralString = """
select company.email, coalesce(account.language, 'en'), company.company_name, company.status,
    company.reason
from advertisers company left join accounts account on account.id = company.account_id
where company.id = %(id)s and company.email <> '' and account.closed_at is null
"""


async def tell_decision(session: AsyncSession, advertiser_id: UUID) -> None:
    """Queue the letter that answers an application."""
    for email, language, company, status, reason in await rows(
        session, APPLICATION, {"id": advertiser_id}
    ):
        params = {"company": company, "why": reason}
        await _send(session, email, language, f"advertiser_{status}", HOME, params)


WANTED: LiteralString = """
    not exists (select from notification_choices choice
        where choice.account_id = account.id and choice.topic = %(topic)s and not choice.by_mail)
"""
"""Whether a person wants what their company has chosen to have by mail."""

REVIEWED: LiteralString = f"""
select account.id, account.email, account.language, ads.title, campaign.name,
    advertiser.company_name,
    case ads.status when 'active' then 'ad_approved' else 'ad_rejected' end, ads.review_reason,
    advertiser.mails_reviews and {WANTED}
from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers advertiser on advertiser.id = campaign.advertiser_id
    join advertiser_members member on member.advertiser_id = advertiser.id
    join accounts account on account.id = member.account_id and account.closed_at is null
where ads.id = %(id)s
"""  # noqa: S608  (it is ours)


async def tell_review(session: AsyncSession, ad_id: UUID, *, now: datetime) -> None:
    """Ring everybody who acts for an ad's company, and queue a letter to who wants one."""
    topic, link = CompanyTopic.REVIEWS, addresses.ad(ad_id)
    for account_id, email, language, ad, campaign, company, name, reason, by_mail in await rows(
        session, REVIEWED, {"id": ad_id, "topic": topic.value}
    ):
        cause = f"review:{ad_id}:{now.isoformat()}"
        said = {"title": ad} | ({"why": reason} if reason else {})
        await notifications.tell(
            session, account_id, Kind(name), link=link, cause=cause, now=now, **said
        )
        if by_mail:
            params = {"ad": ad, "campaign": campaign, "company": company, "why": reason}
            stop = notifications.unsubscribe_link(account_id, topic)
            await _send(session, email, language, name, link, params, unsubscribe=stop)


ENDED: LiteralString = f"""
select account.id, account.email, account.language, campaign.name, advertiser.company_name,
    campaign.ended_by,
    (select coalesce(sum(completions), 0) from ad_days where campaign_id = campaign.id)::bigint,
    (select coalesce(sum(spend), 0) from ad_days where campaign_id = campaign.id)::bigint,
    (select coalesce(sum(amount), 0) from advertiser_entries entry
        where entry.cause = 'rest:' || campaign.id)::bigint,
    advertiser.mails_budgets and {WANTED}
from ad_campaigns campaign join advertisers advertiser on advertiser.id = campaign.advertiser_id
    join advertiser_members member on member.advertiser_id = advertiser.id
    join accounts account on account.id = member.account_id and account.closed_at is null
where campaign.id = %(id)s and campaign.ended_by in ('budget', 'date')
"""  # noqa: S608  (it is ours)


async def tell_ended(session: AsyncSession, campaign_id: UUID, *, now: datetime) -> None:
    """Ring, and mail who wants it, once a campaign has ended by itself and is settled."""
    topic = CompanyTopic.BUDGETS
    known = {"id": campaign_id, "topic": topic.value}
    for (
        account_id,
        email,
        language,
        campaign,
        company,
        by,
        views,
        spent,
        back,
        wanted,
    ) in await rows(session, ENDED, known):
        name = f"campaign_ended_{by}"
        await _ring_ended(session, account_id, Kind(name), campaign_id, now, title=campaign)
        if wanted:
            stop = notifications.unsubscribe_link(account_id, topic)
            params = {
                "campaign": campaign,
                "company": company,
                "count": views,
                **sums(spent, back, language),
            }
            there = addresses.CAMPAIGNS
            await _send(session, email, language, name, there, params, unsubscribe=stop)


ENDED_BY_ADMIN: LiteralString = """
select account.id, account.email, account.language, campaign.name, advertiser.company_name,
    campaign.ended_because
from ad_campaigns campaign join advertisers advertiser on advertiser.id = campaign.advertiser_id
    join advertiser_members member on member.advertiser_id = advertiser.id
    join accounts account on account.id = member.account_id and account.closed_at is null
where campaign.id = %(id)s and campaign.ended_by = 'admin'
"""


async def tell_ended_by_admin(session: AsyncSession, campaign_id: UUID, *, now: datetime) -> None:
    """Ring, and queue a letter with the reason, whatever they chose to be told; else nothing."""
    kind = Kind.CAMPAIGN_ENDED_ADMIN
    for account_id, email, language, campaign, company, why in await rows(
        session, ENDED_BY_ADMIN, {"id": campaign_id}
    ):
        await _ring_ended(session, account_id, kind, campaign_id, now, title=campaign, why=why)
        params = {"campaign": campaign, "company": company, "why": why}
        await _send(session, email, language, kind.value, addresses.CAMPAIGNS, params)


async def _ring_ended(
    session: AsyncSession,
    account_id: UUID,
    kind: Kind,
    campaign_id: UUID,
    now: datetime,
    **said: str,
) -> None:
    cause = f"ended:{campaign_id}"
    await notifications.tell(
        session, account_id, kind, link=addresses.CAMPAIGNS, cause=cause, now=now, **said
    )


def sums(spent: int, back: int, language: str) -> dict[str, str]:
    """What a campaign cost and what it gave back, which add up to its budget as they are read."""
    cost, rest = cost_and_rest(spent, back)
    return {"spent": written.dollars(cost, language), "rest": _rest(rest, language)}


def _rest(cents: int, language: str) -> str:
    if not cents:
        return text("ended.nothing_back", language)
    return text("ended.back", language, money=written.dollars(cents, language))


async def _send(
    session: AsyncSession,
    recipient: str,
    language: str,
    name: str,
    path: str,
    params: dict[str, Any],
    *,
    unsubscribe: str = "",
) -> None:
    link = f"{settings().origin}{path}"
    params = params | {"support": settings().support_email}
    letter = Letter(recipient, language, name, link=link, params=params, unsubscribe=unsubscribe)
    await mail.send(session, letter)
