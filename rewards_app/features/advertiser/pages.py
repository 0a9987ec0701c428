"""The pages of companies beside their home, which admins have for all companies together."""

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.features.ads.places import VIEWED
from rewards_app.features.advertiser.analytics import analytics_page
from rewards_app.features.advertiser.analytics_state import PATH as ANALYTICS
from rewards_app.features.advertiser.analytics_state import AnalyticsState
from rewards_app.features.advertiser.campaign_state import CampaignState
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.campaigns_tab import campaigns_page
from rewards_app.features.advertiser.membership import CHANGED

CAMPAIGNS = "/campaigns"
PAGES = [
    Page(
        CAMPAIGNS,
        campaigns_page,
        "campaigns.page_title",
        roles=frozenset({Role.COMPANY, Role.ADMIN}),
        on_load=[CampaignsState.open, CampaignState.open],
        follows=dict.fromkeys((VIEWED, CHANGED), (CampaignsState.refresh, CampaignState.refresh)),
    ),
    Page(
        ANALYTICS,
        analytics_page,
        "analytics.page_title",
        roles=frozenset({Role.COMPANY, Role.ADMIN}),
        on_load=[AnalyticsState.load],
        follows={VIEWED: [AnalyticsState.refresh], CHANGED: [AnalyticsState.refresh]},
    ),
]
