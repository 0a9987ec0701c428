"""What the queue, the dialog and the log of the desk share."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.desk_rules import Target
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge, status
from rewards_app.ui.names import name_of


def marks(item: Any) -> rx.Component:
    """What it is, how it stands, and why it waits."""
    match: Any = rx.match
    state = item["state"].to(str)
    return rx.el.span(
        badge(
            match(
                item["target"].to(str),
                (Target.POST.value, t("forum.desk.a_post")),
                (Target.PROFILE.value, t("forum.desk.a_profile")),
                t("forum.desk.a_reply"),
            )
        ),
        status(
            t(f"forum.desk.states.{state}"),
            match(state, ("shown", "good"), ("waiting", "action"), ("hidden", "danger"), "quiet"),
        ),
        rx.cond(
            item["appeal_number"].to(str) != "",
            badge(t("forum.desk.appealed"), tone="house"),
        ),
        rx.cond(item["is_locked"].to(bool), badge(t("forum.desk.is_locked"))),
        rx.cond(item["is_hot"].to(bool), badge(t("forum.desk.is_hot"))),
        class_name="flex flex-wrap gap-1.5",
    )


def author_line(item: Any) -> rx.Component:
    """The name that is shown, and the one that is theirs alone."""
    return rx.el.span(
        name_of(item["author"].to(str)),
        rx.cond(item["handle"].to(str) != "", rx.el.span(" @", item["handle"].to(str))),
        class_name="wrap-anywhere",
    )


def reason_words(row: Any, key: str = "reason_key", note: str = "note") -> rx.Component:
    """A kept reason: the words of the template, and what a moderator wrote."""
    return rx.el.span(
        rx.cond(row[key].to(str) != "", rx.el.span(t(row[key].to(str)), " ")),
        rx.el.span(row[note].to(str), class_name="whitespace-pre-line"),
        class_name="wrap-anywhere",
    )
