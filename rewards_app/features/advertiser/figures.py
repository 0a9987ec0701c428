"""What came of companies' campaigns and ads."""

from collections.abc import Collection
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.features.advertiser import figures_repository
from rewards_app.features.advertiser.figure_rules import NOTHING, Figures
from rewards_app.features.advertiser.membership import Scope


async def of_campaigns(
    session: AsyncSession, scope: Scope, campaign_ids: Collection[UUID]
) -> dict[UUID, Figures]:
    """All that ever came of each of these campaigns; of another company's: nothing."""
    found = await figures_repository.of_campaigns(session, scope.advertiser_id, list(campaign_ids))
    return {campaign_id: found.get(campaign_id, NOTHING) for campaign_id in campaign_ids}


async def of_ads(
    session: AsyncSession, scope: Scope, ad_ids: Collection[UUID]
) -> dict[UUID, Figures]:
    """All that ever came of each of these ads; of another company's: nothing."""
    found = await figures_repository.of_ads(session, scope.advertiser_id, list(ad_ids))
    return {ad_id: found.get(ad_id, NOTHING) for ad_id in ad_ids}
