"""The ads as players see them, in the database."""

from dataclasses import dataclass, replace
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.ads.rules import LISTED_ADS


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


SHOWN: LiteralString = """
ads.id, ads.title, ads.description, ads.ad_type, ads.video_url, ads.image_url, ads.duration,
    ads.reward_coins, advertiser.company_name, ads.click_url <> ''
"""
"""What is shown of `ads`, of `advertiser`."""
OWNERS: LiteralString = """
join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers advertiser on advertiser.id = campaign.advertiser_id
"""
REVIEWED: LiteralString = "ads.status in ('active', 'paused')"
"""Whether `ads` were approved as they are now: others were changed since, or rejected."""
FOR_THEIR_AGE: LiteralString = "(advertiser.reaches_minors or not %(is_minor)s)"
NOT_THEIR_OWN: LiteralString = """advertiser.id is distinct from
    (select advertiser_id from advertiser_members where account_id = %(player)s)"""
"""Nobody is paid for watching what their own company shows."""
LISTED: LiteralString = f"""
select {SHOWN} from ad_servings serving join ads on ads.id = serving.ad_id {OWNERS}
where {FOR_THEIR_AGE} and {NOT_THEIR_OWN}
order by serving.added_at desc, serving.ad_id limit %(limit)s
"""  # noqa: S608  (all parts are ours)
ONE: LiteralString = f"select {SHOWN}, {REVIEWED} from ads {OWNERS} where ads.id = %(id)s"  # noqa: S608
COUNT: LiteralString = "select count(*) from ad_servings"
COUNT_FOR: LiteralString = f"""
select count(*) from ad_servings serving join ads on ads.id = serving.ad_id {OWNERS}
where {FOR_THEIR_AGE} and {NOT_THEIR_OWN}
"""  # noqa: S608  (all parts are ours)


async def listed(
    session: AsyncSession, *, is_minor: bool = False, player: UUID | None = None
) -> list[ShownAd]:
    """The newest ads that can be served to people of this age, and to this one if it is said."""
    values = {"is_minor": is_minor, "player": player, "limit": LISTED_ADS}
    return [ShownAd(*row) for row in await rows(session, LISTED, values)]


async def servable_count(
    session: AsyncSession, *, is_minor: bool = False, player: UUID | None = None
) -> int:
    if not is_minor and player is None:
        return (await rows(session, COUNT, {}))[0][0]
    return (await rows(session, COUNT_FOR, {"is_minor": is_minor, "player": player}))[0][0]


async def shown(session: AsyncSession, ad_id: UUID) -> ShownAd | None:
    """Any ad, also one that is served no more; of what nobody has approved only the title."""
    found = await rows(session, ONE, {"id": ad_id})
    if not found:
        return None
    *ad, is_reviewed = found[0]
    known = ShownAd(*ad)
    return known if is_reviewed else _without_creative(known)


def _without_creative(ad: ShownAd) -> ShownAd:
    return replace(ad, description="", video_url="", image_url="", has_link=False)


async def usual(session: AsyncSession) -> tuple[float, float] | None:
    """What an ad of now pays and takes on average, in coins and seconds; None without ads."""
    averages: LiteralString = "select avg(reward_coins), avg(seconds) from ad_servings"
    paid, takes = (await rows(session, averages, {}))[0]
    return (float(paid), float(takes)) if paid else None
