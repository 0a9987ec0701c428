"""What waits for admins, on whichever page they are: what of it is shown there, and kept true."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.security_state import SecurityState
from rewards_app.features.admin.state import PATH
from rewards_app.features.admin.tabs import TABS, Tab
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.features.ads import stories
from rewards_app.features.advertiser import membership
from rewards_app.features.alerts import service as alerts
from rewards_app.features.factors import resets
from rewards_app.features.forum import reports
from rewards_app.features.support import appeals
from rewards_app.features.support import service as support
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import skeleton, tile, tiles
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import hidden_text
from rewards_app.ui.numbers import number
from rewards_app.ui.waiting import waiting_badge

LOADS = (WaitingState.count, SecurityState.hear)
"""With every page of an admin."""
COUNTED = (
    membership.CHANGED,
    alerts.CHANGED,
    appeals.APPEALED,
    stories.REPORTED,
    reports.DESK,
    support.APPEALED_ELSEWHERE,
    support.CHANGED,
    resets.CHANGED,
)
FOLLOWS: dict[str, list[Any]] = {
    alerts.RAISED: [SecurityState.hear, WaitingState.count],
    **{topic: [WaitingState.count] for topic in COUNTED},
}
"""On every page of an admin."""


def under_what_waits(*others: rx.Component) -> rx.Component:
    """What else the overview shows, below each kind that waits.

    Put there anew once it is known how much stands above: nothing moves down.
    """
    return rx.el.div(
        what_waits(),
        *others,
        class_name="grid gap-6",
        key=rx.cond(rx.Var.create(WaitingState.is_counted), "counted", "opening"),
    )


def what_waits() -> rx.Component:
    """Each kind leads to where it is decided."""
    return rx.el.section(
        rx.el.h2(t("admin.waits.title"), class_name="mb-4 text-lg"),
        rx.cond(
            rx.Var.create(WaitingState.is_counted),
            rx.cond(
                WaitingState.everything > 0,
                tiles(*(_kind(tab) for tab in TABS)),
                _nothing(),
            ),
            skeleton("tile", "h-[78px]"),
        ),
    )


def _kind(tab: Tab) -> rx.Component:
    waiting: Any = tab.waiting
    if waiting is None:
        return rx.fragment()
    return rx.cond(
        waiting > 0,
        tile(
            t(f"admin.waits.{tab.key}"),
            number(waiting),
            tab.icon,
            href=f"{PATH}?tab={tab.key}",
        ),
    )


def _nothing() -> rx.Component:
    return rx.el.p(
        icon("circle-check", class_name="text-good"),
        t("admin.waits.nothing"),
        class_name=(
            "flex items-center gap-3 rounded-panel border border-line bg-panel p-4 text-quiet"
        ),
    )


def all_that_waits() -> rx.Component:
    """The number of it, leading to the panel, where the navigation is folded away."""
    return rx.cond(
        WaitingState.everything > 0,
        anchor(
            icon("shield", 18),
            hidden_text(t("nav.admin"), " "),
            waiting_badge(WaitingState.everything),
            href=PATH,
            class_name=(
                "target inline-flex items-center gap-2 rounded-control text-quiet no-underline"
                " hover:text-text"
            ),
        ),
    )
