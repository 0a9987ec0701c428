"""Companies as admins look into them: who they are, their money, people and campaigns."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import NotAllowed
from rewards_app.features.advertiser import (
    campaigns,
    company_repository,
    membership,
    money,
    people_repository,
    review,
    statement,
    top_ups,
)
from rewards_app.features.advertiser.campaigns import Campaigns, Search
from rewards_app.features.advertiser.company_repository import Named
from rewards_app.features.advertiser.money import Funds
from rewards_app.features.advertiser.people_repository import Member
from rewards_app.features.advertiser.review import Application
from rewards_app.features.advertiser.statement import Statement
from rewards_app.features.advertiser.top_ups import TopUps

__all__ = ["Member", "Named"]

_log = structlog.get_logger(__name__)

CAMPAIGNS_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Story:
    """What admins may know of one company, but for its lists."""

    application: Application
    funds: Funds
    members: Sequence[Member]


async def look_into(
    session: AsyncSession, actor: Actor, advertiser_id: UUID, *, again: bool = False
) -> Story:
    """Who looks is in the log, but not `again` whenever what they look at changes."""
    _refuse_others(actor)
    found = await review.application(session, advertiser_id)
    if not again:
        _log.info("company.looked_into", company=str(advertiser_id), by=str(actor.user_id))
    return Story(
        found,
        await money.funds_of(session, advertiser_id),
        await people_repository.members(session, advertiser_id),
    )


async def campaigns_of(
    session: AsyncSession,
    actor: Actor,
    advertiser_id: UUID,
    *,
    before: UUID | None = None,
    limit: int | None = None,
    now: datetime,
) -> Campaigns:
    _refuse_others(actor)
    search, most = Search(company_id=advertiser_id), limit or CAMPAIGNS_AT_ONCE
    return await campaigns.listed(session, actor, search, before=before, limit=most, now=now)


async def top_ups_of(
    session: AsyncSession,
    actor: Actor,
    advertiser_id: UUID,
    *,
    before: UUID | None = None,
    limit: int | None = None,
) -> TopUps:
    _refuse_others(actor)
    most = limit or top_ups.A_PAGE
    return await top_ups.of_company(session, advertiser_id, before=before, limit=most)


async def statement_of(
    session: AsyncSession, actor: Actor, advertiser_id: UUID, *, before: int | None = None
) -> Statement:
    _refuse_others(actor)
    return await statement.of_company(session, advertiser_id, before=before)


async def owners(session: AsyncSession, actor: Actor, ids: Collection[UUID]) -> dict[UUID, Named]:
    """Whose companies, campaigns, top-ups and payments these are, as far as that is known."""
    _refuse_others(actor)
    return await company_repository.owners(session, ids)


async def acted_for(session: AsyncSession, actor: Actor, account_id: UUID) -> Named | None:
    """The company that somebody acts for."""
    _refuse_others(actor)
    found = await membership.membership_of(session, account_id)
    return Named(found.advertiser_id, found.company) if found else None


def _refuse_others(actor: Actor) -> None:
    if actor.role is not Role.ADMIN:
        raise NotAllowed
