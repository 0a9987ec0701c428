"""What the forms for topics and replies share: what moderation would change, before it is sent."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.rules import LONGEST_DRAFT
from rewards_app.features.forum.thing_parts import violation_words
from rewards_app.i18n.page_text import t
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import number


def preview_panel(found: Any, is_outdated: Any) -> rx.Component:
    """Always there, so that what comes into it is announced."""
    shows: Any = found.contains("violations")
    words = t("forum.preview.outdated")
    return rx.el.div(
        rx.cond(shows, _panel(found)),
        rx.cond(is_outdated, rx.el.p(words, class_name="text-sm text-quiet")),
        class_name="grid gap-2 empty:hidden",
        aria_live="polite",
    )


def _panel(found: Any) -> rx.Component:
    kind, title_kind = found["removed"].to(str), found["removed_title"].to(str)
    return rx.el.div(
        rx.el.p(
            icon("shield-check", 18, class_name="mt-0.5 text-cyan"),
            _headline(found),
            class_name="flex gap-2 font-semibold",
        ),
        _as_shown(title_kind, found["title"].to(str), "font-semibold"),
        _as_shown(kind, found["content"].to(str), ""),
        rx.el.ul(
            rx.foreach(
                found["violations"].to(list[dict[str, str]]),
                lambda one: rx.el.li(violation_words(one)),
            ),
            class_name="text-sm text-quiet",
        ),
        rx.cond(
            found["waits"].to(bool),
            help_lines(),
            rx.el.p(t("forum.preview.others"), class_name="text-sm text-quiet"),
        ),
        class_name="grid gap-2 rounded-panel border border-cyan/40 bg-cyan/8 p-4 wrap-anywhere",
    )


def _headline(found: Any) -> Any:
    masked = found["masked"].to(int)
    is_removed = (found["removed"].to(str) != "") | (found["removed_title"].to(str) != "")
    return rx.cond(
        found["waits"].to(bool),
        t("forum.preview.waits"),
        rx.cond(
            is_removed,
            t("forum.preview.removed"),
            rx.cond(
                masked > 0,
                t("forum.preview.masked", count=masked, shown=number(masked)),
                t("forum.preview.marked"),
            ),
        ),
    )


def _as_shown(kind: Any, shown: Any, look: str) -> rx.Component:
    return rx.cond(
        kind != "",
        rx.el.p(t(f"moderation.removed.{kind}"), class_name="italic"),
        rx.cond(
            shown != "",
            rx.el.p(shown, class_name=f"max-h-40 overflow-y-auto whitespace-pre-line {look}"),
        ),
    )


def draft_line(is_cut: Any) -> rx.Component:
    """Said while it is typed that not all of it waits for who leaves now."""
    words = t("forum.form.draft_cut", most=number(LONGEST_DRAFT))
    return rx.el.div(
        rx.cond(is_cut, rx.el.p(words, class_name="text-sm text-quiet")),
        class_name="empty:hidden",
        aria_live="polite",
    )


def help_lines() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("moderation.help.title"), class_name="font-semibold"),
        rx.el.p(t("moderation.help.text")),
    )
