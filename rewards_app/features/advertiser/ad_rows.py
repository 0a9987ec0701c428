"""Ads as pages show them, with what can be done with each."""

from typing import Any

from rewards_app.core.settings import settings
from rewards_app.features.ads import funding
from rewards_app.features.ads.funding import Funding, Gap
from rewards_app.features.advertiser.ad_rules import Status
from rewards_app.features.advertiser.campaign_rules import Status as CampaignStatus
from rewards_app.features.advertiser.creatives import FoundAd, OwnAd


def row_of(ad: OwnAd) -> dict[str, Any]:
    return facts_of(ad.found) | {
        "impressions": ad.figures.impressions,
        "views": ad.figures.completions,
        "clicks": ad.figures.clicks,
        "spend": ad.figures.spend,
    }


def facts_of(ad: FoundAd) -> dict[str, Any]:
    """An ad as the page shows it."""
    is_open = ad.campaign_status != CampaignStatus.COMPLETED
    return {
        "id": str(ad.id),
        "title": ad.draft.title,
        "campaign": ad.campaign,
        "company_id": str(ad.advertiser_id),
        "company": ad.company,
        "kind": ad.draft.kind.value,
        "image_url": ad.draft.image_url,
        "seconds": ad.draft.seconds,
        "coins": ad.draft.coins,
        "status": ad.status.value,
        "reason": ad.review_reason,
        "price": ad.price,
        "gap": _gap(ad).value if is_open else "",
        "worth": funding.worth_of(ad.draft.coins),
        "has_ended": not is_open,
        "can_edit": is_open,
        "can_pause": is_open and ad.status is Status.ACTIVE,
        "can_resume": is_open and ad.status is Status.PAUSED,
    }


def _gap(ad: FoundAd) -> Gap:
    """What a rejected ad lacks is told already."""
    if ad.status is Status.REJECTED:
        return Gap.NONE
    return funding.gap(ad.price, ad.draft.coins, Funding(settings().reward_funding))
