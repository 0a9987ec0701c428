"""Under a text of one's own profile: that others read it differently or not at all, and why."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.writing_parts import help_lines
from rewards_app.features.moderation.rules import Kind
from rewards_app.features.profile.written import HIDDEN
from rewards_app.i18n.page_text import t
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Child

FOUND = list[dict[str, str]]


def as_others_read_it(found: Any) -> rx.Component:
    """What moderation `found`; nothing where that is nothing."""
    match: Any = rx.match
    return rx.cond(
        found.length() > 0,
        rx.el.div(
            match(
                found[0]["kind"].to(str),
                (
                    Kind.SELF_HARM.value,
                    rx.fragment(_headline(t("profile.unseen")), help_lines()),
                ),
                (HIDDEN, _headline(t("profile.unseen"))),
                rx.fragment(
                    _headline(t("profile.moderated")),
                    rx.el.ul(rx.foreach(found, _violation), class_name="list-disc pl-8 text-quiet"),
                ),
            ),
            class_name=(
                "mt-2 grid gap-1 rounded-control border border-line bg-raised px-3 py-2 text-sm"
            ),
        ),
    )


def _headline(words: Child) -> rx.Component:
    return rx.el.p(
        icon("shield-alert", 18, class_name="mt-0.5"), words, class_name="flex gap-2 font-medium"
    )


def _violation(found: Any) -> rx.Component:
    return rx.el.li(
        t(f"moderation.violations.{found['kind'].to(str)}", words=found["words"].to(str))
    )
