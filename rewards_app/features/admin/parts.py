"""What several tabs of the admin panel share."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.advertiser.review_rules import SHORTEST_REASON
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.feedback import could_not_load
from rewards_app.ui.forms import textarea_field
from rewards_app.ui.links import LINK, anchor, browser_link
from rewards_app.ui.markup import Child, Handler, Text
from rewards_app.ui.refusal import field_error

PRICE_DECIMALS = 5
"""What a view costs its company is shown so exactly."""


def failed(what: Text, load: Handler) -> rx.Component:
    """In the place of what could not be loaded."""
    return could_not_load(what, load)


def further(before: Any, load_more: Any) -> rx.Component:
    """The way to the rest of a list, where there is one."""
    return rx.cond(
        before,
        rx.el.div(
            button(t("statement.more"), kind="ghost", on_click=load_more(before)),
            class_name="flex justify-center border-t border-line p-3",
        ),
    )


def or_none(value: Any, shown: Child | None = None) -> rx.Component:
    """The text, or what is `shown` for it; a dash where there is none."""
    words = value.to(str) if shown is None else shown
    return rx.cond(
        value.to(str) != "",
        rx.el.span(words, class_name="wrap-anywhere"),
        rx.el.span("–", class_name="text-quiet"),
    )


def company_link(name: Any, card: Any) -> rx.Component:
    """A company by its name, which leads to its card."""
    return anchor(
        name.to(str),
        href=card.to(str),
        class_name=f"target font-medium wrap-anywhere {LINK}",
    )


def outward_link(address: Any, link: Any) -> rx.Component:
    """A company's address in full, as it is written; it learns nothing of where it was followed."""
    return rx.cond(
        link.to(str) != "",
        browser_link(
            address.to(str),
            href=link.to(str),
            target="_blank",
            rel="noopener noreferrer",
            class_name=f"target font-normal wrap-anywhere {LINK}",
        ),
        or_none(address),
    )


def reason_field(hint: Any) -> rx.Component:
    """Why something is rejected; what is wrong with it stands below it."""
    return textarea_field(
        "reason",
        t("admin.reason"),
        rows=3,
        hint=hint,
        error=field_error(AppState.refusal, "reason"),
        required=True,
        min_length=SHORTEST_REASON,
    )


def quoted(words: Any) -> rx.Component:
    """What somebody wrote, as they wrote it."""
    return rx.el.blockquote(
        words,
        class_name=(
            "rounded-control border-l-2 border-edge bg-bg px-3 py-2 text-sm whitespace-pre-line"
            " wrap-anywhere"
        ),
    )
