"""The money of a company, entry by entry, for its owner; admins look into everybody's."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlmodel import col, select

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.advertiser import membership
from rewards_app.models import AdvertiserEntry

A_PAGE = 20


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of the entries, newest first; `next_before` leads to the older rest."""

    entries: Sequence[AdvertiserEntry]
    next_before: int | None


async def statement(session: AsyncSession, actor: Actor, *, before: int | None = None) -> Statement:
    company = await membership.owned_company(session, actor)
    return await of_company(session, company.advertiser_id, before=before)


async def of_company(
    session: AsyncSession, advertiser_id: UUID, *, before: int | None = None
) -> Statement:
    """Whoever asks has proven that they may read it."""
    found = await _before(session, advertiser_id, before, A_PAGE + 1)
    shown = found[:A_PAGE]
    return Statement(shown, shown[-1].number if len(found) > A_PAGE else None)


async def _before(
    session: AsyncSession, advertiser_id: UUID, before: int | None, limit: int
) -> Sequence[AdvertiserEntry]:
    query = select(AdvertiserEntry).where(AdvertiserEntry.advertiser_id == advertiser_id)
    if before is not None:
        query = query.where(col(AdvertiserEntry.number) < before)
    found = await session.exec(query.order_by(col(AdvertiserEntry.number).desc()).limit(limit))
    return found.all()
