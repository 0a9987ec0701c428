"""What a company set for itself: how it is reached, what its ads do, which mails it wants."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.errors import BadArguments
from rewards_app.core.settings import settings
from rewards_app.features.accounts import service as accounts
from rewards_app.features.ads import serving
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import company_repository, membership
from rewards_app.features.advertiser.application_rules import company_from
from rewards_app.features.advertiser.membership import CHANGED, MemberRole
from rewards_app.features.alerts import service as alerts
from rewards_app.models import Advertiser

PREFERENCES = ("reaches_minors", "starts_by_itself", "tags_links")
MAILS = ("mails_reviews", "mails_budgets", "mails_reports")
SWITCHES = (*PREFERENCES, *MAILS)


@dataclass(frozen=True, slots=True)
class CompanySettings:
    company: Mapping[str, str]
    """What its form shows."""
    switches: Mapping[str, bool]
    approved_at: datetime
    is_owner: bool
    spent_this_month: int
    """In thousandths of a cent, for views that began since the month did."""
    has_second_factor: bool
    """Of the account that asks."""


SPENT: LiteralString = """
select coalesce(sum(spend), 0)::bigint from ad_days
where advertiser_id = %(id)s and day >= date_trunc('month', %(today)s::date)
"""


async def settings_of(session: AsyncSession, actor: Actor, *, now: datetime) -> CompanySettings:
    member = await membership.own_company(session, actor)
    company = await company_repository.find(session, member.advertiser_id)
    values = {"id": member.advertiser_id, "today": platform_day(now)}
    account = await accounts.find(session, actor.user_id)
    return CompanySettings(
        company=_written(company),
        switches={name: bool(getattr(company, name)) for name in SWITCHES},
        approved_at=company.decided_at or company.created_at,
        is_owner=member.role is MemberRole.OWNER,
        spent_this_month=int((await rows(session, SPENT, values))[0][0]),
        has_second_factor=bool(account and account.second_factor_at),
    )


def _written(company: Advertiser) -> dict[str, str]:
    """As the form shows it."""
    return {
        "company_name": company.company_name,
        "email": company.email,
        "phone": company.phone or "",
        "website": company.website,
    }


async def describe(
    session: AsyncSession, actor: Actor, form: Mapping[str, str], *, now: datetime
) -> None:
    """Keep how the company is reached; how it is called is for its owner to say.

    Fields that a form leaves out stay as they are.
    """
    member = await membership.own_company(session, actor)
    account = await accounts.find(session, actor.user_id)
    assert account is not None, "an actor has an account"
    known = await company_repository.lock(session, member.advertiser_id)
    typed = {**_written(known), **form}
    if member.role is not MemberRole.OWNER:
        typed["company_name"] = known.company_name
    company = company_from(
        typed,
        country=account.country,
        allows_http=not settings().is_production,
        called=known.company_name,
    )
    if company.name != known.company_name:
        await _tell_of_new_name(session, actor, known, company.name, now=now)
    company_repository.describe(known, company, now=now)
    session.add(known)
    live.announce_after(session, CHANGED, str(member.advertiser_id))


async def _tell_of_new_name(
    session: AsyncSession, actor: Actor, known: Advertiser, name: str, *, now: datetime
) -> None:
    """Players read it at once, on ads that were reviewed under another one.

    While nobody has looked, it says from which name it began: that is the one that was approved.
    """
    kind, about = alerts.Kind.ADVERTISER_RENAMED, f"company:{known.id}"
    told = await alerts.open_about(session, kind, about=about)
    await alerts.raise_alert(
        session,
        kind,
        about=about,
        account_id=actor.user_id,
        now=now,
        was=told.params["was"] if told else known.company_name,
        name=name,
        company=str(known.id),
    )


async def switch(
    session: AsyncSession, actor: Actor, name: str, is_on: bool, *, now: datetime
) -> None:
    if name not in SWITCHES:
        raise BadArguments
    member = await membership.own_company(session, actor)
    known = await company_repository.lock(session, member.advertiser_id)
    setattr(known, name, is_on)
    known.updated_at = now
    session.add(known)
    live.announce_after(session, CHANGED, str(member.advertiser_id))
    if name == "reaches_minors":
        live.announce_after(session, serving.CHANGED)
