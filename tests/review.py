"""Companies that applied, people who act for them, and admins who decide."""

from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.features.accounts import service as accounts
from rewards_app.features.advertiser import application, money, review
from rewards_app.models import Ad, AdCampaign, Advertiser, AdvertiserMember
from tests.ads import a_campaign, an_ad, an_advertiser, the_actor
from tests.people import NOON, an_account

REASON = "The website shows nothing yet."
BUDGET_CENTS = 50_000
"""A view costs half a dollar."""


async def an_admin(name: str = "Linnea", *, now: datetime = NOON) -> Actor:
    account = await an_account(f"{name.lower()}@example.com", Role.ADMIN, name=name, now=now)
    return the_actor(account)


async def an_applicant(
    company: str = "Fjord Audio",
    *,
    email: str = "anna@example.com",
    language: str = "en",
    now: datetime = NOON,
    **changes: object,
) -> Advertiser:
    """A company that waits, with the account of its owner."""
    account = await an_account(email, Role.COMPANY, name="Anna", now=now)
    account.language = language
    known = {"email": email, "phone": "+46701740605", "website": "https://fjord.example/"}
    made = await an_advertiser(
        company,
        **{"status": "pending", "account_id": account.id, "created_at": now, "updated_at": now}
        | known
        | changes,
    )
    async with transaction() as session:
        await session.merge(account)
        session.add(AdvertiserMember(account_id=account.id, advertiser_id=made.id, role="owner"))
    return made


async def withdraws(applicant: Advertiser) -> None:
    assert applicant.account_id
    async with transaction() as session:
        owner = await accounts.find(session, applicant.account_id)
        assert owner
        await application.withdraw(session, the_actor(owner))


async def a_member(
    company: Advertiser, email: str = "bo@example.com", *, language: str = "sv"
) -> Actor:
    """A colleague who acts for the company, too."""
    account = await an_account(email, name="Bo")
    account.language = language
    async with transaction() as session:
        await session.merge(account)
        session.add(
            AdvertiserMember(account_id=account.id, advertiser_id=company.id, role="member")
        )
    return the_actor(account)


async def a_company(name: str = "Fjord Audio", **changes: object) -> Advertiser:
    """One that was approved."""
    return await an_applicant(name, **{"status": "approved", "decided_at": NOON} | changes)


async def with_funds(company: Advertiser, dollars: int = 1_000, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await money.enter(
            session,
            company.id,
            dollars * 100_000,
            money.Kind.OPENING,
            f"opening:{company.id}",
            now=now,
        )


async def a_draft(company: Advertiser, **changes: object) -> AdCampaign:
    """A campaign that waits for its first ad."""
    known = {"status": "draft", "budget_cents": BUDGET_CENTS}
    return await a_campaign(company, **known | changes)


async def a_waiting_ad(
    campaign: AdCampaign, title: str = "Hear the fjord", **changes: object
) -> Ad:
    known = {"status": "pending_review", "updated_at": NOON, "created_at": NOON}
    return await an_ad(campaign, title=title, **known | changes)


async def approves(admin: Actor, ad: Ad | UUID, *, now: datetime = NOON) -> None:
    """The admin has looked at the ad as it is now."""
    ad_id = ad if isinstance(ad, UUID) else ad.id
    async with transaction() as session:
        seen = await review.ad(session, ad_id)
        await review.approve_ad(session, admin, ad_id, seen.version, seen.reported, now=now)


async def rejects(
    admin: Actor, ad: Ad | UUID, reason: str = REASON, *, now: datetime = NOON
) -> None:
    ad_id = ad if isinstance(ad, UUID) else ad.id
    async with transaction() as session:
        seen = await review.ad(session, ad_id)
        await review.reject_ad(session, admin, ad_id, seen.version, reason, now=now)


__all__ = [
    "BUDGET_CENTS",
    "NOON",
    "REASON",
    "a_company",
    "a_draft",
    "a_member",
    "a_waiting_ad",
    "an_admin",
    "an_applicant",
    "approves",
    "rejects",
    "with_funds",
]
