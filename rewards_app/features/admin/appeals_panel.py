"""Appeals that wait: whose, against what, and what they say; each leads to its case."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.appeals_state import AppealsState
from rewards_app.features.admin.parts import quoted
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge, panel
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.lists import shown_of
from rewards_app.ui.markup import attributes
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import ago


def appeals_panel() -> rx.Component:
    """Only where there are some."""
    shown: Any = AppealsState.appeals
    return rx.cond(
        AppealsState.appeals,
        panel(
            rx.el.ul(rx.foreach(AppealsState.appeals, _appeal)),
            shown_of(shown.length(), AppealsState.in_all),
            title=t("admin.case.appeals"),
            flush=True,
        ),
    )


def _appeal(appeal: Any) -> rx.Component:
    name = name_of(appeal["name"].to(str))
    return rx.el.li(
        rx.el.div(
            anchor(
                name,
                href=appeal["link"].to(str),
                class_name=f"target font-medium wrap-anywhere {LINK}",
                custom_attrs=attributes(aria_label=t("admin.fraud.case_of", name=name)),
            ),
            badge(t(f"admin.case.holding.{appeal['kind']}"), tone="danger"),
            rx.el.span(
                t("restrictions.ticket", number=appeal["number"].to(str)),
                " · ",
                ago(appeal["at"].to(str)),
                class_name="text-sm text-quiet",
            ),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
        ),
        rx.foreach(appeal["said"].to(list[str]), quoted),
        class_name="grid gap-2 border-t border-line px-4 py-3 first:border-t-0 sm:px-5",
    )
