"""The moderators' desk: the queue, and below it the log of what was decided."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.desk_dialog import decision_dialog
from rewards_app.features.forum.desk_log import log_panel
from rewards_app.features.forum.desk_parts import author_line, marks
from rewards_app.features.forum.desk_rules import ReportReason, Target
from rewards_app.features.forum.desk_state import KINDS, DeskState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import badge, empty_state, panel, skeleton
from rewards_app.ui.feedback import could_not_load
from rewards_app.ui.inputs import Option, seg
from rewards_app.ui.links import LINK
from rewards_app.ui.lists import each, shown_of
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import ago, number


def desk() -> rx.Component:
    """Everything needed to decide stands here: admins see no page of the forum."""
    return rx.fragment(
        rx.cond(
            DeskState.is_loaded,
            rx.el.div(
                _kinds(),
                rx.cond(DeskState.queue, _queue(), _nothing()),
                log_panel(),
                class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
            ),
            rx.cond(
                DeskState.has_failed,
                could_not_load(t("forum.desk.not_loaded"), DeskState.load),
                rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
            ),
        ),
        decision_dialog(),
    )


def _kinds() -> rx.Component:
    counts: Any = DeskState.counts
    return rx.el.div(
        seg(
            "kind",
            t("forum.desk.kinds_label"),
            [Option(kind, t(f"forum.desk.kinds.{kind}"), counts[kind]) for kind in KINDS],
            DeskState.kind,
            DeskState.choose,
        ),
        class_name="overflow-x-auto",
    )


def _nothing() -> rx.Component:
    return empty_state("shield-check", t("forum.desk.none"), t("forum.desk.none_text"))


def _queue() -> rx.Component:
    shown: Any = DeskState.queue
    in_all: Any = DeskState.counts[DeskState.kind]
    return panel(
        rx.el.ul(each(DeskState.queue, _one)),
        rx.cond(
            DeskState.has_more,
            rx.el.div(
                button(t("statement.more"), kind="ghost", on_click=DeskState.load_more),
                class_name="flex justify-center border-t border-line p-3",
            ),
            shown_of(shown.length(), in_all.to(int)),
        ),
        flush=True,
    )


def _one(item: Any) -> rx.Component:
    look: Any = DeskState.look_at
    match: Any = rx.match
    target, topic = item["target"].to(str), item["topic"].to(str)
    return rx.el.li(
        rx.el.div(
            rx.el.button(
                topic,
                type="button",
                on_click=look(target, item["id"].to(str)),
                class_name=f"target text-left font-semibold wrap-anywhere {LINK}",
                custom_attrs=attributes(
                    aria_label=match(
                        target,
                        (Target.POST.value, t("forum.desk.look_at_post", title=topic)),
                        (Target.PROFILE.value, t("forum.desk.look_at_profile", name=topic)),
                        t("forum.desk.look_at_reply", title=topic),
                    )
                ),
            ),
            marks(item),
            _gravest(item["gravest"].to(str)),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1.5",
        ),
        rx.el.p(
            item["content"].to(str),
            class_name="line-clamp-2 whitespace-pre-line wrap-anywhere text-quiet",
        ),
        rx.el.p(
            author_line(item),
            rx.el.span(ago(item["since"].to(str))),
            rx.cond(
                item["reporters"].to(int) > 0,
                rx.el.span(
                    t(
                        "forum.desk.reporters",
                        count=item["reporters"].to(int),
                        shown=number(item["reporters"].to(int)),
                    )
                ),
            ),
            class_name="flex flex-wrap gap-x-4 text-sm text-quiet",
        ),
        class_name="grid gap-1.5 border-b border-line px-4 py-4 last:border-b-0 sm:px-5",
    )


def _gravest(reason: Any) -> rx.Component:
    """Of all reasons for which it waits."""
    words = t(f"forum.reports.reasons.{reason}")
    return rx.cond(
        reason == ReportReason.SELF_HARM.value,
        badge(words, tone="danger"),
        rx.cond(reason != "", badge(words)),
    )
