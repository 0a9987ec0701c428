"""The tabs of the admin panel: another one is a module and a row here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from rewards_app.features.accounts import restrictions, sessions
from rewards_app.features.admin.ad_reviews_state import AdReviewState
from rewards_app.features.admin.ad_reviews_tab import ad_reviews_tab
from rewards_app.features.admin.advertisers_state import AdvertisersState
from rewards_app.features.admin.advertisers_tab import advertisers_tab
from rewards_app.features.admin.appeals_state import AppealsState
from rewards_app.features.admin.arrivals_state import ArrivalsState
from rewards_app.features.admin.audit_state import AuditLogState
from rewards_app.features.admin.audit_tab import audit_tab
from rewards_app.features.admin.case_state import CaseState
from rewards_app.features.admin.company_state import CompanyState
from rewards_app.features.admin.economy_state import EconomyState
from rewards_app.features.admin.economy_tab import economy_tab
from rewards_app.features.admin.fraud_state import FraudState
from rewards_app.features.admin.fraud_tab import fraud_tab
from rewards_app.features.admin.health_state import HealthState
from rewards_app.features.admin.health_tab import health_tab
from rewards_app.features.admin.orders_state import OrderDeskState
from rewards_app.features.admin.orders_tab import orders_tab
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.admin.people_tab import people_tab
from rewards_app.features.admin.reports_state import ReportsTabState
from rewards_app.features.admin.resets_state import ResetsState
from rewards_app.features.admin.security_state import SecurityState
from rewards_app.features.admin.security_tab import security_tab
from rewards_app.features.admin.stock_state import StockState
from rewards_app.features.admin.stock_tab import stock_tab
from rewards_app.features.admin.support_state import SupportDeskState
from rewards_app.features.admin.support_tab import support_tab
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.features.admin.weights_state import WeightsState
from rewards_app.features.ads import places, stories
from rewards_app.features.advertiser import membership
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import service as audit
from rewards_app.features.factors import resets
from rewards_app.features.forum import reports
from rewards_app.features.forum.desk import desk
from rewards_app.features.forum.desk_state import DeskState, ModerationLogState
from rewards_app.features.fraud import simulations
from rewards_app.features.shop import buying, stock
from rewards_app.features.signals import policy
from rewards_app.features.signals import service as signals
from rewards_app.features.support import appeals
from rewards_app.features.support import service as support


@dataclass(frozen=True, slots=True)
class Tab:
    """`key` stands in the address and names the label, `admin.tabs.<key>`."""

    key: str
    icon: str
    view: Callable[[], rx.Component]
    loads: Sequence[Any]
    follows: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """As a page's: passive handlers that run again when anything under a topic has changed."""
    forgets: Sequence[Any] = ()
    """States that put away what an earlier visit opened, before the tab is seen again."""
    waiting: rx.Var[int] | None = None
    """How much in it waits for a decision: its label shows it, and the overview
    (`admin.waits.<key>`). `what_waits.py` says when it is counted again."""


TABS = (
    Tab(
        "advertisers",
        "building-2",
        advertisers_tab,
        [CompanyState.load, AdvertisersState.load],
        {membership.CHANGED: [CompanyState.refresh, AdvertisersState.refresh]},
        forgets=[CompanyState, AdvertisersState],
        waiting=rx.Var.create(WaitingState.applications),
    ),
    Tab(
        "security",
        "siren",
        security_tab,
        [SecurityState.load],
        {
            alerts.RAISED: [SecurityState.refresh],
            alerts.CHANGED: [SecurityState.refresh],
        },
        waiting=rx.Var.create(WaitingState.open_alerts),
    ),
    Tab(
        "fraud",
        "scan-search",
        fraud_tab,
        [CaseState.load, AppealsState.load, WeightsState.load, FraudState.load],
        {
            signals.NOTED: [FraudState.refresh, CaseState.refresh],
            restrictions.CHANGED: [CaseState.refresh],
            appeals.APPEALED: [CaseState.refresh, AppealsState.refresh],
            policy.CHANGED: [WeightsState.refresh],
            simulations.TOLD: [WeightsState.look],
        },
        forgets=[CaseState, FraudState],
        waiting=rx.Var.create(WaitingState.appeals),
    ),
    Tab("health", "heart-pulse", health_tab, [HealthState.load]),
    Tab(
        "ad_reviews",
        "clapperboard",
        ad_reviews_tab,
        [AdReviewState.load],
        {
            membership.CHANGED: [AdReviewState.refresh],
            stories.REPORTED: [AdReviewState.refresh],
        },
        forgets=[AdReviewState],
        waiting=rx.Var.create(WaitingState.ads),
    ),
    Tab(
        "reports",
        "flag",
        desk,
        [DeskState.load, ModerationLogState.load],
        {
            reports.DESK: [ReportsTabState.refresh],
            support.APPEALED_ELSEWHERE: [ReportsTabState.refresh],
        },
        forgets=[DeskState],
        waiting=rx.Var.create(WaitingState.reports),
    ),
    Tab(
        "support",
        "life-buoy",
        support_tab,
        [ResetsState.load, SupportDeskState.load],
        {
            support.CHANGED: [SupportDeskState.refresh],
            resets.CHANGED: [ResetsState.refresh],
        },
        forgets=[ResetsState, SupportDeskState],
        waiting=rx.Var.create(WaitingState.tickets),
    ),
    Tab(
        "people",
        "users",
        people_tab,
        [PeopleDeskState.load],
        {
            sessions.ACCOUNT_ADDED: [PeopleDeskState.refresh],
            sessions.ACCOUNT_CHANGED: [PeopleDeskState.refresh],
            sessions.SESSIONS_CHANGED: [PeopleDeskState.refresh_person],
            restrictions.CHANGED: [PeopleDeskState.refresh],
        },
        forgets=[PeopleDeskState],
    ),
    Tab(
        "orders",
        "receipt-text",
        orders_tab,
        [OrderDeskState.load],
        {buying.CHANGED: [OrderDeskState.refresh], support.CHANGED: [OrderDeskState.refresh]},
        forgets=[OrderDeskState],
    ),
    Tab(
        "stock",
        "ticket",
        stock_tab,
        [StockState.load],
        {buying.CHANGED: [StockState.refresh], stock.CHANGED: [StockState.refresh]},
    ),
    Tab(
        "economy",
        "chart-line",
        economy_tab,
        [EconomyState.load, ArrivalsState.load],
        {places.VIEWED: [EconomyState.refresh], buying.CHANGED: [EconomyState.refresh]},
    ),
    Tab(
        "audit",
        "scroll-text",
        audit_tab,
        [AuditLogState.load],
        {audit.RECORDED: [AuditLogState.refresh]},
    ),
)
