"""/advertiser: the application and what becomes of it, then the dashboard with its tabs."""

from collections import defaultdict
from typing import Any

import reflex as rx

from rewards_app.core import loads
from rewards_app.features.advertiser.application_form import application, rejected, under_review
from rewards_app.features.advertiser.application_state import ApplicationState
from rewards_app.features.advertiser.desk import NO_COMPANY
from rewards_app.features.advertiser.home_state import (
    LOADS,
    LOADS_BEFORE,
    LOADS_BY_LINK,
    OF_ONE_COMPANY,
    PATH,
    AdvertiserState,
)
from rewards_app.features.advertiser.membership import CHANGED
from rewards_app.features.advertiser.people_panel import invitation_above
from rewards_app.features.advertiser.people_state import InvitationState
from rewards_app.features.advertiser.rules import Status
from rewards_app.features.advertiser.tabs import TABS, Tab
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge, page_head, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import balance
from rewards_app.ui.tab_bar import tab_bar, tab_link


def advertiser_home() -> rx.Component:
    match: Any = rx.match
    return match(
        AdvertiserState.standing,
        (NO_COMPANY, application()),
        (Status.PENDING.value, under_review()),
        (Status.REJECTED.value, rejected()),
        (Status.APPROVED.value, _dashboard()),
        _loading(),
    )


def _dashboard() -> rx.Component:
    match: Any = rx.match
    views = ((tab.key, tab.view()) for tab in TABS)
    return rx.el.div(
        rx.cond(
            AdvertiserState.company,
            page_head(
                rx.el.span(AdvertiserState.company, class_name="wrap-anywhere"),
                rx.el.span(
                    badge(icon("badge-check", 14), t("advertiser.active"), tone="good"),
                    rx.el.span(
                        t(
                            "advertiser.balance_is",
                            amount=balance(AdvertiserState.balance),
                        ),
                        class_name="tnum",
                    ),
                    class_name="flex flex-wrap items-center gap-x-3 gap-y-2",
                ),
            ),
            page_head(t("advertiser.all_companies"), t("advertiser.all_companies_text")),
        ),
        rx.cond(AdvertiserState.came_by_link, invitation_above()),
        tab_bar(t("advertiser.tabs_label"), *(_tab(tab) for tab in TABS)),
        match(AdvertiserState.tab, *views, _rows()),
    )


def _tab(tab: Tab) -> rx.Component:
    shown = tab_link(
        icon(tab.icon, 18),
        t(f"advertiser.tabs.{tab.key}"),
        href=f"{PATH}?tab={tab.key}",
        is_current=AdvertiserState.tab == tab.key,
    )
    return rx.cond(AdvertiserState.company, shown) if tab.is_of_one_company else shown


def _loading() -> rx.Component:
    return rx.el.div(
        loading_line(),
        skeleton("title"),
        skeleton("line", "mt-2 mb-6 max-w-96"),
        _rows(),
        class_name="relative",
    )


def _rows() -> rx.Component:
    return rx.el.div(
        skeleton("tile"), *(skeleton("row") for _ in range(5)), class_name="grid gap-3"
    )


def follows() -> dict[str, list[Any]]:
    """What the page and all its tabs follow: each tab asks itself whether it is open."""
    found: dict[str, list[Any]] = defaultdict(list)
    found[CHANGED].append(AdvertiserState.refresh)
    for tab in TABS:
        for topic, handlers in tab.follows.items():
            found[topic] += handlers
    return dict(found)


LOADS.update({tab.key: tab.loads for tab in TABS})
OF_ONE_COMPANY.update(tab.key for tab in TABS if tab.is_of_one_company)
LOADS_BEFORE.extend([ApplicationState.load, InvitationState.load])
LOADS_BY_LINK.append(InvitationState.load)
loads.note(handler for several in (LOADS_BEFORE, *LOADS.values()) for handler in several)
