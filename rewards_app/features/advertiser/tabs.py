"""The tabs of the dashboard: another one is a module and a row here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from rewards_app.features.ads.places import VIEWED
from rewards_app.features.advertiser.ads_state import AdsState
from rewards_app.features.advertiser.ads_tab import ads_tab
from rewards_app.features.advertiser.analytics import analytics_panel
from rewards_app.features.advertiser.analytics_state import AnalyticsState
from rewards_app.features.advertiser.billing_state import BillingState
from rewards_app.features.advertiser.campaign_state import CampaignState
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.campaigns_tab import campaigns_tab
from rewards_app.features.advertiser.membership import CHANGED
from rewards_app.features.advertiser.overview_state import OverviewState
from rewards_app.features.advertiser.overview_tab import overview_tab
from rewards_app.features.advertiser.people_state import PeopleState
from rewards_app.features.advertiser.settings_state import SettingsState
from rewards_app.features.advertiser.settings_tab import settings_tab
from rewards_app.features.security.sessions_state import SessionsState


@dataclass(frozen=True, slots=True)
class Tab:
    """`key` stands in the address and names the label, `advertiser.tabs.<key>`."""

    key: str
    icon: str
    view: Callable[[], rx.Component]
    loads: Sequence[Any]
    follows: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """As a page's: passive handlers, each of which asks itself whether its tab is open."""
    is_of_one_company: bool = False
    """Not for admins, who have none."""


TABS = (
    Tab(
        "overview",
        "layout-dashboard",
        overview_tab,
        [OverviewState.load],
        {VIEWED: [OverviewState.refresh], CHANGED: [OverviewState.refresh]},
    ),
    Tab(
        "campaigns",
        "megaphone",
        campaigns_tab,
        [CampaignsState.open, CampaignState.open],
        dict.fromkeys((VIEWED, CHANGED), (CampaignsState.refresh, CampaignState.refresh)),
    ),
    Tab(
        "ads",
        "clapperboard",
        ads_tab,
        [AdsState.open],
        dict.fromkeys((VIEWED, CHANGED), (AdsState.refresh,)),
    ),
    Tab(
        "analytics",
        "chart-column",
        analytics_panel,
        [AnalyticsState.load],
        {VIEWED: [AnalyticsState.refresh], CHANGED: [AnalyticsState.refresh]},
    ),
    Tab(
        "settings",
        "settings",
        settings_tab,
        [SessionsState.load, SettingsState.load, PeopleState.load, BillingState.load],
        {
            VIEWED: [SettingsState.follow_views],
            CHANGED: [SettingsState.refresh, PeopleState.refresh, BillingState.refresh],
        },
        is_of_one_company=True,
    ),
)
