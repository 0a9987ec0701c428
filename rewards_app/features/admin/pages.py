"""The admin panel: the tabs in a row, and below them the one that is open."""

from collections import defaultdict
from typing import Any

import reflex as rx

from rewards_app.core import loads
from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.features.admin import waitlist_page
from rewards_app.features.admin.state import FORGETS, LOADS, PATH, AdminState
from rewards_app.features.admin.tabs import TABS, Tab
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import page_head, skeleton
from rewards_app.ui.feedback import lone_page
from rewards_app.ui.icons import icon
from rewards_app.ui.tab_bar import tab_bar, tab_link
from rewards_app.ui.waiting import waiting_badge


def panel() -> rx.Component:
    match: Any = rx.match
    views = ((tab.key, tab.view()) for tab in TABS)
    return rx.fragment(
        page_head(
            t("admin.title"),
            actions=[
                link_button(
                    t("admin.to_waitlist"), href=waitlist_page.PATH, kind="ghost", icon="mail"
                )
            ],
        ),
        rx.el.div(
            tab_bar(t("admin.tabs_label"), *(_tab(tab) for tab in TABS), are_many=True),
            class_name=rx.cond(AdminState.tab == "", "invisible", ""),
        ),
        match(AdminState.tab, *views, _loading()),
    )


def _tab(tab: Tab) -> rx.Component:
    return tab_link(
        icon(tab.icon, 18),
        t(f"admin.tabs.{tab.key}"),
        *([] if tab.waiting is None else [waiting_badge(tab.waiting)]),
        href=f"{PATH}?tab={tab.key}",
        is_current=AdminState.tab == tab.key,
        is_one_of_many=True,
    )


def _loading() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("admin.loading"), class_name="text-quiet", role="status"),
        *(skeleton("row") for _ in range(6)),
        class_name="grid gap-3",
    )


def _denied(text: str = "admin.denied_text") -> rx.Component:
    return lone_page(
        "shield-x",
        t("admin.denied_title"),
        t(text),
        link_button(t("not_found.home"), href="/"),
    )


def _follows() -> dict[str, list[Any]]:
    """What all tabs follow: each asks itself whether it is the one that is open."""
    found: dict[str, list[Any]] = defaultdict(list)
    for tab in TABS:
        for topic, handlers in tab.follows.items():
            found[topic] += handlers
    return dict(found)


LOADS.update({tab.key: tab.loads for tab in TABS})
FORGETS.update({tab.key: tab.forgets for tab in TABS})
loads.note(handler for tab in TABS for handler in tab.loads)
PAGES = [
    Page(
        PATH,
        panel,
        "admin.page_title",
        roles=frozenset({Role.ADMIN}),
        # The tabs are seen when it is known which one is open: their counts come with the frame.
        on_load=[AdminState.open],
        follows=_follows(),
        denied=_denied,
        denied_to_visitors=lambda: _denied("admin.denied_signed_out"),
    ),
    *waitlist_page.PAGES,
]
