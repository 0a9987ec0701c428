"""The audit log: who did what, what it was before and is since, and why; the newest first."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.audit_state import AuditLogState
from rewards_app.features.admin.changes import changes
from rewards_app.features.admin.parts import failed, further, or_none
from rewards_app.features.admin.state import PATH
from rewards_app.features.audit.rules import LONGEST_TEXT, Action, Origin
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, look
from rewards_app.ui.cards import empty_state, panel, skeleton
from rewards_app.ui.forms import select_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor, browser_link
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import date_and_time
from rewards_app.ui.search import search_form
from rewards_app.ui.tables import Column, table

NOBODY = (Origin.COMMAND_LINE, Origin.AUTOMATION)
"""Who did what no person did."""


def audit_tab() -> rx.Component:
    return rx.cond(
        AuditLogState.has_failed,
        failed(t("audit.not_loaded"), AuditLogState.load),
        rx.fragment(
            _search(),
            _about(),
            rx.cond(
                AuditLogState.is_loaded,
                rx.cond(AuditLogState.lines, _lines(), _nothing()),
                rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
            ),
        ),
    )


def _search() -> rx.Component:
    return rx.el.div(
        search_form(
            "search",
            t("audit.search"),
            t("audit.find"),
            on_submit=AuditLogState.find,
            placeholder=t("audit.search_hint"),
            max_length=LONGEST_TEXT,
            key=AuditLogState.round,
            class_name="flex-[1_1_300px]",
        ),
        rx.el.div(_actions(), class_name="flex-[0_1_220px] max-sm:flex-auto"),
        rx.el.div(_doers(), class_name="flex-[0_1_200px] max-sm:flex-auto"),
        _export(),
        class_name="mb-6 flex flex-wrap items-end gap-x-4 gap-y-3",
    )


def _actions() -> rx.Component:
    return select_field(
        "action",
        t("audit.action"),
        [
            ("", t("audit.every_action")),
            *((action.value, t(f"audit.actions.{action}")) for action in Action),
        ],
        value=AuditLogState.action,
        on_change=AuditLogState.choose_action,
    )


def _doers() -> rx.Component:
    nobody = (
        rx.el.option(t(f"audit.origins.{origin}"), value=origin.value)  # no person
        for origin in NOBODY
    )
    return select_field(
        "by",
        t("audit.by"),
        rx.fragment(
            rx.el.option(t("audit.everybody"), value=""),
            rx.foreach(AuditLogState.doers, _doer),
            *nobody,
        ),
        value=AuditLogState.by,
        on_change=AuditLogState.choose_doer,
    )


def _doer(doer: Any) -> rx.Component:
    return rx.el.option(doer[1], value=doer[0])


def _export() -> rx.Component:
    return browser_link(
        icon("download", 18),
        t("audit.export"),
        href=AuditLogState.sheet,
        class_name=f"{look('ghost').replace('enabled:', '')} max-sm:w-full",
        custom_attrs={"download": True},
    )


def _about() -> rx.Component:
    """What the log is narrowed down to by a link, and the way out of it."""
    return rx.cond(
        AuditLogState.about != "",
        rx.el.p(
            rx.el.span(
                t("audit.only_about", label=AuditLogState.about_label),
                class_name="min-w-0 wrap-anywhere",
            ),
            button(t("audit.show_all"), kind="link", size="sm", on_click=AuditLogState.show_all),
            class_name=(
                "mb-4 flex flex-wrap items-center justify-between gap-x-4 rounded-panel border"
                " border-line bg-panel px-4 py-1.5"
            ),
        ),
    )


def _nothing() -> rx.Component:
    """Nothing was done yet, or nothing that is looked for."""
    state = AuditLogState
    is_narrow = (state.search != "") | (state.action != "") | (state.by != "") | (state.about != "")
    show_all = button(t("audit.show_all"), kind="ghost", on_click=AuditLogState.show_all)
    return rx.cond(
        is_narrow,
        empty_state("search-x", t("audit.not_found"), t("audit.not_found_text"), show_all),
        empty_state("scroll-text", t("audit.none"), t("audit.none_text")),
    )


def _lines() -> rx.Component:
    return panel(
        table(
            [
                Column(t("audit.what"), is_main=True),
                Column(t("audit.changed"), is_wide=True),
                Column(t("audit.why")),
                Column(t("audit.who")),
                Column(t("audit.when")),
            ],
            AuditLogState.lines,
            _cells,
            caption=t("admin.tabs.audit"),
            cell_on_phone=132,
        ),
        further(AuditLogState.next_before, AuditLogState.load_more),
        flush=True,
    )


def _cells(line: Any) -> list[Any]:
    return [
        rx.el.span(
            rx.el.span(t(f"audit.actions.{line['action']}"), class_name="block font-medium"),
            _whom(line),
            class_name="block lg:min-w-[168px]",
        ),
        _changes(line["changes"].to(list[dict[str, str]])),
        _why(line),
        _who(line),
        rx.el.span(
            date_and_time(line["at"].to(str)),
            class_name="block text-quiet lg:min-w-[104px] xl:whitespace-nowrap",
        ),
    ]


def _whom(line: Any) -> rx.Component:
    """What it was done to: everything else that was done to it is one press away."""
    label = line["label"].to(str)
    return rx.cond(
        label != "",
        anchor(
            label,
            href=rx.Var.create(f"{PATH}?tab=audit&about={line['about']}"),
            class_name=f"target text-sm font-normal wrap-anywhere {LINK}",
            custom_attrs=attributes(aria_label=t("audit.about_this", label=label)),
        ),
    )


def _why(line: Any) -> rx.Component:
    key = line["reason_key"].to(str)
    said = rx.cond(key != "", rx.el.span(t(key)), or_none(line["reason"]))
    erased = rx.el.span(t("audit.words_erased"), class_name="text-sm text-quiet")
    return rx.cond(line["is_erased"].to(bool), erased, said)


def _who(line: Any) -> rx.Component:
    return rx.cond(
        line["who"].to(str) != "",
        rx.el.span(line["who"].to(str), class_name="wrap-anywhere"),
        rx.el.span(t(f"audit.origins.{line['origin']}"), class_name="text-quiet"),
    )


def _changes(changed: Any) -> rx.Component:
    return rx.cond(changed.length() > 0, changes(changed), rx.el.span("–", class_name="text-quiet"))
