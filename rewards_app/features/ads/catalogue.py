"""Which ads there are and which can be served, in the database."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession
from rewards_app.features.ads.rules import LISTED_ADS
from rewards_app.models import Ad, AdCampaign, Advertiser


@dataclass(frozen=True, slots=True)
class ShownAd:
    """An ad as players see it."""

    id: UUID
    title: str
    description: str
    kind: str
    video_url: str
    image_url: str
    seconds: int
    reward: int
    advertiser: str
    has_link: bool


_SHOWN = (
    col(Ad.id),
    col(Ad.title),
    col(Ad.description),
    col(Ad.ad_type),
    col(Ad.video_url),
    col(Ad.image_url),
    col(Ad.duration),
    col(Ad.reward_coins),
    col(Advertiser.company_name),
    col(Ad.click_url) != "",
)


def _with_owners(query: Any) -> Any:
    return query.join(AdCampaign, col(AdCampaign.id) == col(Ad.campaign_id)).join(
        Advertiser, col(Advertiser.id) == col(AdCampaign.advertiser_id)
    )


def _servable(query: Any, *, now: datetime) -> Any:
    """Only ads that are active, whose campaign is running, in its dates, of an approved company."""
    return _with_owners(query).where(
        Ad.status == "active",
        AdCampaign.status == "active",
        Advertiser.status == "approved",
        col(AdCampaign.starts_at) <= now,
        col(AdCampaign.ends_at) > now,
    )


async def listed(session: AsyncSession, *, now: datetime) -> list[ShownAd]:
    """The newest ads that can be served."""
    query = _servable(select(*_SHOWN), now=now)  # pyright: ignore[reportCallIssue, reportArgumentType]
    newest = query.order_by(col(Ad.created_at).desc(), col(Ad.id)).limit(LISTED_ADS)
    return [ShownAd(*row) for row in (await session.exec(newest)).all()]


async def servable_count(session: AsyncSession, *, now: datetime) -> int:
    query = _servable(select(func.count(col(Ad.id))), now=now)
    return (await session.exec(query)).one()


async def to_serve(
    session: AsyncSession, wanted: UUID | None, *, seen_last: UUID | None, now: datetime
) -> ShownAd | None:
    """The wanted ad if it can be served, else another; the last seen only for want of others."""
    query = _servable(select(*_SHOWN), now=now)  # pyright: ignore[reportCallIssue, reportArgumentType]
    best = query.order_by(
        (col(Ad.id) == wanted).desc(), (col(Ad.id) == seen_last).asc(), func.random()
    ).limit(1)
    row = (await session.exec(best)).first()
    return ShownAd(*row) if row else None


async def shown(session: AsyncSession, ad_id: UUID) -> ShownAd | None:
    """Any ad, also one that is served no more."""
    query = _with_owners(select(*_SHOWN)).where(col(Ad.id) == ad_id)  # pyright: ignore
    row = (await session.exec(query)).first()
    return ShownAd(*row) if row else None


async def servable(session: AsyncSession, ad_id: UUID, *, now: datetime) -> bool:
    query = _servable(select(col(Ad.id)), now=now).where(col(Ad.id) == ad_id)
    return (await session.exec(query)).first() is not None


async def usual(session: AsyncSession, *, now: datetime) -> tuple[float, float] | None:
    """What an ad of now pays and takes on average, in coins and seconds; None without ads."""
    averages = (func.avg(col(Ad.reward_coins)), func.avg(col(Ad.duration)))
    paid, takes = (await session.exec(_servable(select(*averages), now=now))).one()
    return (float(paid), float(takes)) if paid else None
