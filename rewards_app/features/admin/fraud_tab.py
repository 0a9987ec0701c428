"""Fraud Detection: what was noticed, whose case it is, and what the rules weigh."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.appeals_panel import appeals_panel
from rewards_app.features.admin.case_page import case_page
from rewards_app.features.admin.case_state import CaseState
from rewards_app.features.admin.fraud_state import FraudState
from rewards_app.features.admin.parts import failed, further
from rewards_app.features.admin.weights_panel import weights_panel
from rewards_app.features.fraud.rules import Consequence
from rewards_app.features.signals.rules import HIGH_RISK, HIGHEST_RISK
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import (
    badge,
    empty_state,
    key_figure,
    key_figures,
    panel,
    skeleton,
    status,
)
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.markup import attributes
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import ago, number
from rewards_app.ui.tables import Column, table


def fraud_tab() -> rx.Component:
    """The case that the address names stands in the place of everything else."""
    return rx.cond(CaseState.account_id != "", case_page(), _overview())


def _overview() -> rx.Component:
    return rx.cond(
        FraudState.has_failed,
        failed(t("admin.fraud.not_loaded"), FraudState.load),
        rx.cond(
            FraudState.is_loaded,
            rx.el.div(
                _figures(),
                appeals_panel(),
                rx.cond(FraudState.logs, _logs(), _nothing()),
                weights_panel(),
                class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
            ),
            rx.el.div(
                skeleton("tile"),
                *(skeleton("row") for _ in range(8)),
                class_name="grid gap-3",
            ),
        ),
    )


def _figures() -> rx.Component:
    figures: Any = FraudState.figures
    return key_figures(
        key_figure(
            t("admin.fraud.total"),
            number(figures["total"].to(int)),
            previous=t("admin.fraud.total_hint"),
        ),
        key_figure(
            t("admin.fraud.high"),
            number(figures["high"].to(int)),
            previous=t("admin.fraud.high_hint", limit=HIGH_RISK),
        ),
        key_figure(
            t("admin.fraud.blocked"),
            number(figures["blocked"].to(int)),
            previous=t("admin.fraud.blocked_hint"),
        ),
        key_figure(
            t("admin.fraud.average"),
            number(figures["average"].to(int)),
            previous=t("admin.fraud.average_hint", most=HIGHEST_RISK),
        ),
    )


def _logs() -> rx.Component:
    more: Any = FraudState.load_more
    return panel(
        table(
            [
                Column(t("admin.fraud.player"), is_main=True),
                Column(t("admin.fraud.risk")),
                Column(t("admin.fraud.patterns")),
                Column(t("admin.fraud.action")),
                Column(t("admin.fraud.when")),
            ],
            FraudState.logs,
            lambda log: [_way_in(log), risk_badge(log), _patterns(log), _action(log), _when(log)],
            caption=t("admin.fraud.logs"),
            cell_on_phone=132,
        ),
        further(FraudState.next_before, more),
        title=t("admin.fraud.logs"),
        aside=status(t("admin.fraud.live"), "good"),
        flush=True,
    )


def _nothing() -> rx.Component:
    return empty_state("shield-check", t("admin.fraud.none"), t("admin.fraud.none_text"))


def _way_in(log: Any) -> rx.Component:
    """Leads to the case; its name for readers says so."""
    name = name_of(log["name"].to(str))
    return anchor(
        name,
        href=log["case"].to(str),
        class_name=f"target font-medium wrap-anywhere {LINK}",
        custom_attrs=attributes(aria_label=t("admin.fraud.case_of", name=name)),
    )


def risk_badge(row: Any) -> rx.Component:
    """The number and its word: red from a high risk on."""
    words = (
        rx.el.span(number(row["risk"].to(int)), class_name="tnum"),
        rx.el.span(t(f"alerts.severity.{row['level']}")),
    )
    return rx.cond(row["is_high"].to(bool), badge(*words, tone="danger"), badge(*words))


def _patterns(log: Any) -> rx.Component:
    return rx.el.ul(
        rx.foreach(
            log["patterns"].to(list[str]),
            lambda rule: rx.el.li(t(f"fraud.rules.{rule}")),
        ),
        class_name="text-sm",
    )


def _action(log: Any) -> rx.Component:
    action = log["action"].to(str)
    return rx.cond(
        action == Consequence.NONE.value,
        rx.el.span(t(f"fraud.actions.{Consequence.NONE}"), class_name="text-quiet"),
        rx.cond(
            action == Consequence.ACCOUNT_SUSPENDED.value,
            status(t(f"fraud.actions.{Consequence.ACCOUNT_SUSPENDED}"), "danger"),
            status(t(f"fraud.actions.{action}"), "house"),
        ),
    )


def _when(log: Any) -> rx.Component:
    return rx.el.span(ago(log["at"].to(str)), class_name="text-quiet")
