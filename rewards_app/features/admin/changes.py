"""What was changed, name by name, as the audit log and a case show it."""

from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import hidden_text


def changes(changed: Any) -> rx.Component:
    return rx.el.ul(
        rx.foreach(changed.to(list[dict[str, str]]), _change),
        class_name="grid gap-1 text-sm empty:hidden",
    )


def _change(change: Any) -> rx.Component:
    """Before and after, side by side."""
    return rx.el.li(
        rx.el.span(_words(change, "name"), ": ", class_name="text-quiet"),
        rx.cond(
            change["before"].to(str) != "",
            rx.fragment(
                hidden_text(t("audit.before"), " "),
                rx.el.del_(_words(change, "before"), class_name="text-quiet"),
                icon("arrow-right", 14, class_name="mx-1 inline-block align-[-2px]"),
                hidden_text(t("audit.after"), " "),
            ),
        ),
        rx.cond(
            change["after"].to(str) != "",
            rx.el.span(_words(change, "after"), class_name="font-medium"),
            rx.el.span("–", class_name="text-quiet"),
        ),
        class_name="wrap-anywhere",
    )


def _words(change: Any, part: str) -> Any:
    key = change[f"{part}_key"].to(str)
    return rx.cond(key != "", t(key), change[part].to(str))
