"""Applying as an advertiser: once for each account, again after a rejection; until it is decided,
it can be corrected and withdrawn."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.settings import settings
from rewards_app.features.accounts import service as accounts
from rewards_app.features.advertiser import company_repository, membership, rules
from rewards_app.features.advertiser.application_rules import Company, company_from
from rewards_app.features.advertiser.membership import CHANGED, MemberRole
from rewards_app.features.advertiser.rules import Status
from rewards_app.models import Advertiser

_log = structlog.get_logger(__name__)

APPLICATIONS = limits.parse("5 per hour")
CORRECTIONS = limits.parse("10 per hour")


async def apply(
    session: AsyncSession, actor: Actor, form: Mapping[str, str], *, now: datetime
) -> None:
    """The application waits for an admin; one that was rejected waits again."""
    if actor.role is Role.ADMIN:
        raise rules.ActsAlready
    account = await accounts.find(session, actor.user_id)
    if account is None or account.email_verified_at is None:
        raise rules.EmailNotVerified
    company = company_from(form, country=account.country, allows_http=not settings().is_production)
    await limits.spend(APPLICATIONS, "apply", str(actor.user_id))
    advertiser_id = await _keep(session, actor.user_id, company, now=now)
    _announce(session, actor, advertiser_id)
    _log.info("advertiser.applied", advertiser_id=str(advertiser_id))


async def correct(
    session: AsyncSession, actor: Actor, form: Mapping[str, str], *, now: datetime
) -> None:
    """What waits says something else now: an admin who has read it before reads it again."""
    waiting = await _waiting(session, actor)
    account = await accounts.find(session, actor.user_id)
    country = account.country if account else ""
    company = company_from(form, country=country, allows_http=not settings().is_production)
    await limits.spend(CORRECTIONS, "correct", str(actor.user_id))
    company_repository.describe(waiting, company, now=now)
    session.add(waiting)
    _announce(session, actor, waiting.id)
    _log.info("advertiser.corrected", advertiser_id=str(waiting.id))


async def withdraw(session: AsyncSession, actor: Actor) -> None:
    """Nothing of it is kept: who never advertised has no books. They may apply anew."""
    waiting = await _waiting(session, actor)
    await company_repository.delete(session, waiting.id)
    _announce(session, actor, waiting.id)
    _log.info("advertiser.withdrew", advertiser_id=str(waiting.id))


async def _waiting(session: AsyncSession, actor: Actor) -> Advertiser:
    """The actor's own application, which nobody else decides on meanwhile."""
    known = await membership.membership_of(session, actor.user_id)
    if known is None or known.role is not MemberRole.OWNER:
        raise rules.NotWaiting
    waiting = await company_repository.lock_if_there(session, known.advertiser_id)
    if waiting is None or waiting.status != Status.PENDING:
        raise rules.NotWaiting
    return waiting


def _announce(session: AsyncSession, actor: Actor, advertiser_id: UUID) -> None:
    live.announce_after(session, CHANGED, str(advertiser_id))
    # Who has no company follows what happens to themselves.
    live.announce_after(session, CHANGED, str(actor.user_id))


async def _keep(
    session: AsyncSession, account_id: UUID, company: Company, *, now: datetime
) -> UUID:
    known = await membership.membership_of(session, account_id)
    if known is None:
        return await _keep_of_nobody(session, account_id, company, now=now)
    rejected = await company_repository.lock_if_there(session, known.advertiser_id)
    if rejected is None or rejected.status != Status.REJECTED:
        raise rules.ActsAlready
    if known.role is not MemberRole.OWNER:
        raise rules.ActsAlready
    company_repository.apply_again(rejected, company, now=now)
    session.add(rejected)
    return rejected.id


async def _keep_of_nobody(
    session: AsyncSession, account_id: UUID, company: Company, *, now: datetime
) -> UUID:
    """Of who acts for no company: a new application, or the one that they left behind."""
    left = await company_repository.left_by(session, account_id)
    if left is None:
        added = await company_repository.add(session, account_id, company, now=now)
        if added is None:
            raise rules.ActsAlready
        return added
    company_repository.apply_again(left, company, now=now)
    session.add(left)
    owner = MemberRole.OWNER
    if not await company_repository.add_member(session, account_id, left.id, owner, now=now):
        raise rules.ActsAlready
    return left.id


async def typed_before(session: AsyncSession, actor: Actor) -> dict[str, str]:
    """What the form begins with: the last application, or the account's own address."""
    known = await membership.membership_of(session, actor.user_id)
    if known is None:
        return {"company_name": "", "email": actor.email, "phone": "", "website": ""}
    company = await company_repository.find(session, known.advertiser_id)
    return {
        "company_name": company.company_name,
        "email": company.email,
        "phone": company.phone or "",
        "website": company.website,
    }
