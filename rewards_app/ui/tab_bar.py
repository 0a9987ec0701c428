"""Tabs in rows: links, so that each has an address; where it is narrow they are swiped."""

from typing import Any

import reflex as rx

from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child, Text, attributes

_BAR = (
    "mb-6 flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line lg:flex-wrap"
    " max-sm:-mx-4 max-sm:px-4"
)
_TAB = (
    "relative -mb-px flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3"
    " font-semibold whitespace-nowrap text-quiet no-underline hover:text-text"
    " focus-visible:-outline-offset-2 aria-[current=page]:border-purple"
    " aria-[current=page]:text-text aria-[current=page]:[scroll-initial-target:nearest]"
)


def tab_bar(label: Text, *tabs: Child) -> rx.Component:
    return rx.el.nav(rx.el.ul(*tabs, class_name=_BAR), aria_label=label)


def tab_link(*children: Child, href: str, is_current: Any) -> rx.Component:
    return rx.el.li(
        anchor(
            *children,
            href=href,
            class_name=_TAB,
            custom_attrs=attributes(aria_current=rx.cond(is_current, "page", "false")),
        ),
        class_name="shrink-0",
    )
