"""Tabs: links, so that each has an address; where it is narrow they are swiped.

On a desk a few stand in one row, underlined; many stand in several, and a line under one of them
would hang in the air: there the current one is filled.
"""

from typing import Any

import reflex as rx

from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child, Text, attributes

_BAR = (
    "mb-6 flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line"
    " max-sm:-mx-4 max-sm:px-4 lg:flex-wrap"
)
_ROWS = f"{_BAR} lg:gap-y-1.5 lg:pb-3"
_TAB = (
    "relative -mb-px flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3"
    " font-semibold whitespace-nowrap text-quiet no-underline hover:text-text"
    " focus-visible:-outline-offset-2 aria-[current=page]:border-purple"
    " aria-[current=page]:text-text"
)
_FILLED = (
    f"{_TAB} lg:mb-0 lg:rounded-control lg:border-0 lg:hover:bg-raised"
    " lg:aria-[current=page]:bg-raised lg:aria-[current=page]:shadow-[inset_0_-2px_0_var(--purple)]"
)


class TabRow(rx.Component):
    """Swiped by itself to the current tab, whichever that is."""

    library = "$/public/tabs"
    tag = "TabRow"


def tab_bar(label: Text, *tabs: Child, are_many: bool = False) -> rx.Component:
    row = TabRow.create(*tabs, class_name=_ROWS if are_many else _BAR)
    return rx.el.nav(row, aria_label=label)


def tab_link(
    *children: Child, href: str, is_current: Any, is_one_of_many: bool = False
) -> rx.Component:
    return rx.el.li(
        anchor(
            *children,
            href=href,
            class_name=_FILLED if is_one_of_many else _TAB,
            custom_attrs=attributes(aria_current=rx.cond(is_current, "page", "false")),
        ),
        class_name="shrink-0",
    )
