"""The log of moderation: what was decided on whose words, by whom and why."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.desk_parts import author_line, reason_words
from rewards_app.features.forum.desk_rules import Deed, Target
from rewards_app.features.forum.desk_state import DeskState, ModerationLogState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.forms import select_field
from rewards_app.ui.links import LINK
from rewards_app.ui.numbers import date_and_time
from rewards_app.ui.search import search_form
from rewards_app.ui.tables import Column, table


def log_panel() -> rx.Component:
    more: Any = ModerationLogState.load_more
    return panel(
        _search(),
        rx.cond(
            ModerationLogState.is_loaded,
            _lines(),
            rx.el.div(*(skeleton("row") for _ in range(4)), class_name="grid gap-3 p-4 sm:px-5"),
        ),
        rx.cond(
            ModerationLogState.next_before != "",
            rx.el.div(
                button(
                    t("statement.more"),
                    kind="ghost",
                    on_click=more(ModerationLogState.next_before),
                ),
                class_name="flex justify-center border-t border-line p-3",
            ),
        ),
        title=t("forum.desk.log"),
        flush=True,
    )


def _lines() -> rx.Component:
    return rx.cond(
        ModerationLogState.lines,
        table(
            [
                Column(t("forum.desk.log_what"), is_main=True),
                Column(t("forum.desk.log_of")),
                Column(t("forum.desk.log_why")),
                Column(t("forum.desk.log_who")),
                Column(t("forum.desk.log_when")),
            ],
            ModerationLogState.lines,
            _cells,
            caption=t("forum.desk.log"),
            cell_on_phone=132,
        ),
        rx.el.p(t("forum.desk.log_none"), class_name="px-4 pb-5 text-quiet sm:px-5"),
    )


def _search() -> rx.Component:
    return rx.el.div(
        search_form(
            "handle",
            t("forum.desk.log_search"),
            t("audit.find"),
            on_submit=ModerationLogState.find,
            placeholder="@…",
            class_name="flex-[1_1_280px]",
        ),
        rx.el.div(
            select_field(
                "action",
                t("audit.action"),
                [
                    ("", t("audit.every_action")),
                    *((deed.value, t(f"forum.desk.decided.{deed}")) for deed in Deed),
                ],
                value=ModerationLogState.action,
                on_change=ModerationLogState.choose,
                field_id="log-action",
            ),
            class_name="flex-[0_1_240px] max-sm:flex-auto",
        ),
        class_name="flex flex-wrap items-end gap-x-4 gap-y-3 px-4 pb-4 sm:px-5",
    )


def _cells(one: Any) -> list[Any]:
    look: Any = DeskState.look_at
    return [
        t(f"forum.desk.decided.{one['action']}"),
        rx.el.span(
            rx.el.button(
                rx.cond(
                    one["target"].to(str) == Target.PROFILE.value,
                    t("forum.desk.a_profile"),
                    one["topic"].to(str),
                ),
                type="button",
                on_click=look(one["target"].to(str), one["thing"].to(str)),
                class_name=f"target block text-left wrap-anywhere {LINK}",
            ),
            rx.el.span(author_line(one), class_name="block text-sm text-quiet"),
        ),
        reason_words(one),
        rx.el.span(one["by"].to(str), class_name="wrap-anywhere"),
        rx.el.span(date_and_time(one["at"].to(str)), class_name="text-quiet"),
    ]
