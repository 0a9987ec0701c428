"""The ads as players see them, in the database."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession
from rewards_app.features.ads.rules import LISTED_ADS
from rewards_app.models import Ad, AdCampaign, AdServing, Advertiser


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


async def listed(session: AsyncSession) -> list[ShownAd]:
    """The newest ads that can be served."""
    newest = (
        select(AdServing.ad_id)
        .order_by(col(AdServing.added_at).desc(), col(AdServing.ad_id))
        .limit(LISTED_ADS)
    ).subquery()
    shown = _with_owners(select(*_SHOWN))  # pyright: ignore[reportCallIssue, reportArgumentType]
    query = shown.join(newest, newest.c.ad_id == col(Ad.id)).order_by(
        col(Ad.created_at).desc(), col(Ad.id)
    )
    return [ShownAd(*row) for row in (await session.exec(query)).all()]


async def servable_count(session: AsyncSession) -> int:
    return (await session.exec(select(func.count()).select_from(AdServing))).one()


async def shown(session: AsyncSession, ad_id: UUID) -> ShownAd | None:
    """Any ad, also one that is served no more."""
    query = _with_owners(select(*_SHOWN)).where(col(Ad.id) == ad_id)  # pyright: ignore
    row = (await session.exec(query)).first()
    return ShownAd(*row) if row else None


async def usual(session: AsyncSession) -> tuple[float, float] | None:
    """What an ad of now pays and takes on average, in coins and seconds; None without ads."""
    averages = (func.avg(AdServing.reward_coins), func.avg(AdServing.seconds))
    paid, takes = (await session.exec(select(*averages))).one()
    return (float(paid), float(takes)) if paid else None
