"""The addresses of what a company has: lists, what is to be done in them, and single things."""

from urllib.parse import urlencode

from rewards_app.core.routes import COMPANY_HOME
from rewards_app.features.advertiser.figure_rules import WHOLE

CAMPAIGNS = f"{COMPANY_HOME}?tab=campaigns"
NEW_CAMPAIGN = f"{CAMPAIGNS}&dialog=new"
"""With the form open."""
ADS = f"{COMPANY_HOME}?tab=ads"


def ad(ad_id: object) -> str:
    """Alone in the list; one that was rejected stands in its form, to be corrected."""
    return f"{ADS}&ad={ad_id}"


def new_ad(campaign_id: object) -> str:
    """The form, with its campaign chosen."""
    return f"{ADS}&new={campaign_id}"


def ads_of_campaign(campaign_id: object) -> str:
    return f"{ADS}&campaign={campaign_id}"


def ads_of_company(company_id: object) -> str:
    return f"{ADS}&company={company_id}"


def campaigns_of_company(company_id: object, *, search: str = "") -> str:
    """All of them, or those alone that the words of a search find."""
    words = f"&{urlencode({'search': search})}" if search else ""
    return f"/campaigns?company={company_id}{words}"


def figures_of_company(company_id: object) -> str:
    return f"/analytics?company={company_id}"


def figures_of_campaign(campaign_id: object) -> str:
    """All of its days, where everybody who acts for a company finds them."""
    return f"{COMPANY_HOME}?tab=analytics&period={WHOLE}&campaign={campaign_id}"
