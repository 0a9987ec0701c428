"""The admin panel: the tabs in a row, and below them the one that is open."""

from collections import defaultdict
from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.features.admin.state import LOADS, PATH, AdminState
from rewards_app.features.admin.tabs import TABS, Tab
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import badge, empty_state, page_head, skeleton
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import attributes, hidden_text
from rewards_app.ui.numbers import number


def panel() -> rx.Component:
    match: Any = rx.match
    views = ((tab.key, tab.view()) for tab in TABS)
    return rx.fragment(
        page_head(t("admin.title")),
        rx.el.nav(
            rx.el.ul(*(_tab(tab) for tab in TABS), class_name=_TABS),
            aria_label=t("admin.tabs_label"),
        ),
        match(AdminState.tab, *views, _loading()),
    )


_TABS = (
    "mb-6 flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line"
    " max-sm:-mx-4 max-sm:px-4"
)
_TAB = (
    "relative -mb-px flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3"
    " font-semibold whitespace-nowrap text-quiet no-underline hover:text-text focus-visible:-outline-offset-2"
    " aria-[current=page]:border-purple aria-[current=page]:text-text"
)


def _tab(tab: Tab) -> rx.Component:
    return rx.el.li(
        anchor(
            icon(tab.icon, 18),
            t(f"admin.tabs.{tab.key}"),
            *([] if tab.waiting is None else [_count(tab.waiting)]),
            href=f"{PATH}?tab={tab.key}",
            class_name=_TAB,
            custom_attrs=attributes(
                aria_current=rx.cond(AdminState.tab == tab.key, "page", "false")
            ),
        ),
        class_name="shrink-0",
    )


def _count(waiting: Any) -> rx.Component:
    return rx.cond(
        waiting > 0,
        badge(
            rx.el.span(number(waiting), aria_hidden="true"),
            hidden_text(t("admin.tabs_waiting", count=waiting, shown=number(waiting))),
            tone="house",
        ),
    )


def _loading() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("admin.loading"), class_name="text-quiet", role="status"),
        *(skeleton("row") for _ in range(6)),
        class_name="grid gap-3",
    )


def _denied() -> rx.Component:
    return rx.el.main(
        rx.el.div(
            empty_state(
                "shield-x",
                t("admin.denied_title"),
                t("admin.denied_text"),
                link_button(t("not_found.home"), href="/"),
                is_whole_page=True,
            ),
            class_name="w-full max-w-[560px]",
        ),
        class_name="grid min-h-dvh place-items-center p-4",
    )


def _follows() -> dict[str, list[Any]]:
    """What all tabs follow: each asks itself whether it is the one that is open."""
    found: dict[str, list[Any]] = defaultdict(list)
    for tab in TABS:
        for topic, handlers in tab.follows.items():
            found[topic] += handlers
    return dict(found)


LOADS.update({tab.key: tab.loads for tab in TABS})
PAGES = [
    Page(
        PATH,
        panel,
        "admin.title",
        roles=frozenset({Role.ADMIN}),
        on_load=[AdminState.open, WaitingState.count],
        follows=_follows(),
        denied=_denied,
    )
]
