"""Companies' figures in the database: sums of the days of ads, and of nothing else.

A company's id stands in every query; without one it asks for all companies.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.advertiser.figure_rules import Figures

SUMS: LiteralString = """
coalesce(sum(impressions), 0)::bigint, coalesce(sum(completions), 0)::bigint,
    coalesce(sum(clicks), 0)::bigint, coalesce(sum(spend), 0)::bigint
"""
OWN: LiteralString = "(%(advertiser)s::uuid is null or advertiser_id = %(advertiser)s)"
OF_CAMPAIGNS: LiteralString = f"""
select campaign_id, {SUMS} from ad_days
where campaign_id = any(%(ids)s) and {OWN} group by campaign_id
"""  # noqa: S608  (all parts are ours)
OF_ADS: LiteralString = f"""
select ad_id, {SUMS} from ad_days where ad_id = any(%(ids)s) and {OWN} group by ad_id
"""  # noqa: S608  (all parts are ours)


async def of_campaigns(
    session: AsyncSession, advertiser_id: UUID | None, ids: Sequence[UUID]
) -> dict[UUID, Figures]:
    return _by_id(await rows(session, OF_CAMPAIGNS, {"advertiser": advertiser_id, "ids": ids}))


async def of_ads(
    session: AsyncSession, advertiser_id: UUID | None, ids: Sequence[UUID]
) -> dict[UUID, Figures]:
    return _by_id(await rows(session, OF_ADS, {"advertiser": advertiser_id, "ids": ids}))


def _by_id(found: Sequence[Any]) -> dict[UUID, Figures]:
    return {row[0]: Figures(*row[1:]) for row in found}
