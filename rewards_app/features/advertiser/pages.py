"""The pages of companies beside their home, which admins have for all companies together."""

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.features.ads.places import VIEWED
from rewards_app.features.advertiser.analytics import analytics_page
from rewards_app.features.advertiser.analytics_state import PATH as ANALYTICS
from rewards_app.features.advertiser.analytics_state import AnalyticsState
from rewards_app.features.advertiser.membership import CHANGED

PAGES = [
    Page(
        ANALYTICS,
        analytics_page,
        "analytics.title",
        roles=frozenset({Role.COMPANY, Role.ADMIN}),
        on_load=[AnalyticsState.load],
        follows={VIEWED: [AnalyticsState.refresh], CHANGED: [AnalyticsState.refresh]},
    ),
]
