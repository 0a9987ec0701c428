"""How much waits for somebody, beside the way there."""

from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge
from rewards_app.ui.markup import hidden_text
from rewards_app.ui.numbers import number


def waiting_badge(waiting: Any) -> rx.Component:
    """Nothing where nothing waits."""
    return rx.cond(
        waiting > 0,
        badge(
            rx.el.span(number(waiting), aria_hidden="true"),
            hidden_text(t("admin.tabs_waiting", count=waiting, shown=number(waiting))),
            tone="house",
        ),
    )
