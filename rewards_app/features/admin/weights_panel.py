"""The fraud rules as a table, and the dialog in which other weights are tried and then saved."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.weights_state import (
    ANSWER,
    CLOSED,
    DAYS,
    EACH_MORE,
    FAILED,
    FIRST,
    RUNNING,
    WeightsState,
)
from rewards_app.features.fraud import clockwork
from rewards_app.features.fraud.measure_rules import SHORTEST_REASON
from rewards_app.features.fraud.replay_rules import LISTED, Change
from rewards_app.features.fraud.rules import PAUSE_AT, SUSPEND_AT, Consequence
from rewards_app.features.signals.rules import (
    ACCOUNTS_A_DEVICE,
    CLOCKS_MAY_DIFFER,
    HEAVIEST,
    HIGHEST_RISK,
)
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import badge, key_figure, key_figures, panel, skeleton, status
from rewards_app.ui.every import Every
from rewards_app.ui.feedback import banner, progress
from rewards_app.ui.forms import actions, form, text_field, textarea_field
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import date_and_time, number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal
from rewards_app.ui.tables import Column, table

LOOK_EVERY_HOURS = 1 / 60
MILLISECONDS = 1000
TRIGGERS = {
    "seconds": int(CLOCKS_MAY_DIFFER.total_seconds()),
    "accounts": ACCOUNTS_A_DEVICE,
    "gaps": clockwork.GAPS,
    "spread": int(clockwork.WITHIN.total_seconds() * MILLISECONDS),
}


def weights_panel() -> rx.Component:
    return rx.fragment(
        panel(
            rx.el.p(
                t("admin.weights.text", most=HIGHEST_RISK, pause=PAUSE_AT, suspend=SUSPEND_AT),
                class_name="max-w-[80ch] px-4 pb-3 text-quiet sm:px-5",
            ),
            rx.cond(WeightsState.is_loaded, _rules(), skeleton("card")),
            title=t("admin.weights.title"),
            aside=button(t("admin.weights.edit"), kind="ghost", on_click=WeightsState.edit),
            flush=True,
        ),
        _dialog(),
    )


def _rules() -> rx.Component:
    return table(
        [
            Column(t("admin.weights.rule"), is_main=True),
            Column(t("admin.weights.first"), is_number=True),
            Column(t("admin.weights.each_more"), is_number=True),
        ],
        WeightsState.rules,
        lambda row: [
            _rule(row),
            row[FIRST].to(str),
            row[EACH_MORE].to(str),
        ],
        caption=t("admin.weights.title"),
        cell_on_phone=132,
    )


def _rule(row: Any) -> rx.Component:
    return rx.el.span(
        rx.el.span(t(f"fraud.rules.{row['rule']}"), class_name="block font-medium"),
        rx.el.span(
            t(f"fraud.triggers.{row['rule']}", **TRIGGERS),
            class_name="block text-sm font-normal text-quiet",
        ),
        rx.cond(
            row["is_changed"].to(bool),
            badge(t("admin.weights.changed", weight=row["original"].to(str)), tone="action"),
        ),
    )


def _dialog() -> rx.Component:
    match: Any = rx.match
    return dialog(
        match(
            WeightsState.step,
            (CLOSED, rx.fragment()),
            (RUNNING, _running()),
            (FAILED, _failed()),
            (ANSWER, _answer()),
            _weights(),
        ),
        id="fraud-weights",
        title=t("admin.weights.edit"),
        open=WeightsState.step != CLOSED,
        on_close=WeightsState.close,
        width=1080,
    )


def _weights() -> rx.Component:
    return form(
        rx.el.p(t("admin.weights.intro", most=HEAVIEST, days=DAYS), class_name="text-quiet"),
        rx.el.div(
            rx.foreach(WeightsState.draft, _fields),
            class_name="grid gap-y-0",
            key=WeightsState.round,
        ),
        other_refusal(AppState.refusal),
        actions(
            button(
                t("admin.weights.originals"), kind="ghost", on_click=WeightsState.fill_in_originals
            ),
            button(t("admin.weights.simulate"), submits=True),
        ),
        on_submit=WeightsState.simulate,
        no_validate=True,
    )


def _fields(row: Any) -> rx.Component:
    rule = row["rule"].to(str)
    return rx.el.fieldset(
        rx.el.legend(t(f"fraud.rules.{rule}"), class_name="float-left min-w-0 py-1 font-medium"),
        rx.el.div(
            _field(row, FIRST, t("admin.weights.first")),
            _field(row, EACH_MORE, t("admin.weights.each_more")),
            class_name="grid grid-cols-2 gap-3 sm:w-[320px]",
        ),
        class_name=(
            "flex flex-wrap items-start justify-between gap-x-4 border-t border-line py-3"
            " first:border-t-0"
        ),
    )


def _field(row: Any, name: str, label: Any) -> rx.Component:
    field = row["rule"].to(str) + f".{name}"
    return text_field(
        field,
        label,
        inputmode="numeric",
        autocomplete="off",
        max_length=3,
        default_value=row[name].to(str),
        error=field_error(AppState.refusal, field),
        field_id="weight-" + field,
    )


def _running() -> rx.Component:
    views, expected = WeightsState.views, WeightsState.expected
    return rx.el.div(
        rx.el.p(t("admin.weights.running", days=DAYS), class_name="font-semibold", role="status"),
        progress(views, rx.cond(expected > 0, expected, 1), t("admin.weights.running", days=DAYS)),
        rx.cond(
            expected > 0,
            rx.el.p(
                t("admin.weights.progress", views=number(views), expected=number(expected)),
                class_name="tnum text-quiet",
            ),
        ),
        rx.el.p(t("admin.weights.running_text"), class_name="text-quiet"),
        # Nobody tells of the end of a simulation whose worker died.
        Every.create(hours=LOOK_EVERY_HOURS, on_time=WeightsState.look),
        actions(button(t("admin.weights.cancel"), kind="ghost", on_click=WeightsState.back)),
        class_name="grid gap-4",
    )


def _failed() -> rx.Component:
    return banner(
        "warning",
        t("admin.weights.failed"),
        t("admin.weights.failed_text"),
        button(t("admin.weights.back"), kind="ghost", size="sm", on_click=WeightsState.back),
        is_news=True,
    )


def _answer() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.h3(t("admin.weights.answer", days=DAYS), class_name="text-base"), role="status"
        ),
        _tried(),
        _counts(),
        rx.cond(
            WeightsState.hit,
            _hit(),
            banner("good", t("admin.weights.nobody")),
        ),
        _saving(),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-5",
    )


def _tried() -> rx.Component:
    return rx.el.dl(
        rx.foreach(
            WeightsState.tried,
            lambda one: rx.el.div(
                rx.el.dt(t(f"fraud.rules.{one['rule']}"), class_name="text-quiet"),
                rx.el.dd(
                    one["before"].to(str),
                    rx.el.span(" → ", aria_hidden="true"),
                    rx.el.strong(one["after"].to(str)),
                    class_name="tnum",
                ),
                class_name="flex flex-wrap justify-between gap-x-4",
            ),
        ),
        class_name="grid gap-1 rounded-control bg-raised p-3",
        custom_attrs={"aria-label": t("admin.weights.tried")},
    )


def _counts() -> rx.Component:
    """Above who is stopped by these weights, below what is different."""
    answer: Any = WeightsState.answer
    changes = (Change.NEWLY, Change.HARDER, Change.MILDER, Change.NO_LONGER)
    return rx.fragment(
        key_figures(
            _count("paused", Consequence.EARNING_PAUSED),
            _count("suspended", Consequence.ACCOUNT_SUSPENDED),
            _count("same", Change.SAME),
            key_figure(
                t("admin.weights.counts.later"),
                coins(answer["later_coins"].to(int)),
                previous=t("admin.weights.of_all", coins=number(answer["coins"].to(int))),
            ),
        ),
        key_figures(*(_count(change.value, change) for change in changes)),
    )


def _count(label: str, what: Consequence | Change) -> rx.Component:
    answer: Any = WeightsState.answer
    return key_figure(t(f"admin.weights.counts.{label}"), number(answer[what.value].to(int)))


def _hit() -> rx.Component:
    return rx.el.section(
        rx.el.h4(t("admin.weights.who"), class_name="font-semibold"),
        rx.el.p(t("admin.weights.listed", most=LISTED), class_name="mb-2 text-sm text-quiet"),
        table(
            [
                Column(t("admin.fraud.player"), is_main=True),
                Column(t("admin.weights.happened")),
                Column(t("admin.weights.would")),
                Column(t("admin.fraud.risk"), is_number=True),
                Column(t("admin.weights.since")),
                Column(t("admin.weights.views"), is_number=True),
                Column(t("admin.weights.coins"), is_number=True),
                Column(t("admin.weights.counts.later"), is_number=True),
            ],
            WeightsState.hit,
            lambda row: [
                _player(row),
                rx.el.span(t(f"fraud.actions.{row['before']}"), class_name="text-quiet"),
                _would(row),
                number(row["risk"].to(int)),
                rx.el.span(date_and_time(row["at"].to(str)), class_name="text-sm text-quiet"),
                number(row["views"].to(int)),
                coins(row["coins"].to(int)),
                coins(row["later_coins"].to(int)),
            ],
            caption=t("admin.weights.who"),
            cell_on_phone=120,
        ),
        class_name="min-w-0",
    )


def _player(row: Any) -> rx.Component:
    return anchor(
        name_of(row["name"].to(str)),
        href="/admin?tab=fraud&case=" + row["id"].to(str),
        class_name=f"target min-w-32 font-medium wrap-anywhere {LINK}",
    )


def _would(row: Any) -> rx.Component:
    """In the colour of what it would mean for the player; the word says it."""
    after = row["after"].to(str)
    match: Any = rx.match
    return match(
        after,
        (
            Consequence.ACCOUNT_SUSPENDED.value,
            status(t(f"fraud.actions.{Consequence.ACCOUNT_SUSPENDED}"), "danger"),
        ),
        (
            Consequence.EARNING_PAUSED.value,
            status(t(f"fraud.actions.{Consequence.EARNING_PAUSED}"), "house"),
        ),
        status(t(f"fraud.actions.{Consequence.NONE}"), "good"),
    )


def _saving() -> rx.Component:
    return form(
        textarea_field(
            "reason",
            t("admin.weights.reason"),
            rows=2,
            hint=t("admin.weights.reason_hint"),
            error=field_error(AppState.refusal, "reason"),
            required=True,
            min_length=SHORTEST_REASON,
        ),
        other_refusal(AppState.refusal),
        actions(
            button(t("admin.weights.back"), kind="ghost", on_click=WeightsState.back),
            button(t("admin.weights.save"), submits=True, busy=AppState.is_busy),
        ),
        on_submit=WeightsState.save,
        class_name="border-t border-line pt-5",
    )
