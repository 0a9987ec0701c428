"""A decision on a case: what it leads to, how it is undone, and the reason that is read."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.state import AppState
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.admin.case_state import (
    CREDIT_ALL,
    CREDIT_VIEW,
    DECISIONS,
    LIFTING,
    PAUSE,
    RESTORE,
    RESUME,
    SUSPEND,
    CaseState,
)
from rewards_app.features.admin.parts import PRICE_DECIMALS
from rewards_app.features.advertiser import review_rules
from rewards_app.features.fraud.case_rules import SPANS
from rewards_app.features.fraud.measure_rules import SHORTEST_REASON
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import facts
from rewards_app.ui.forms import actions, form, textarea_field
from rewards_app.ui.inputs import Option, seg
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import dollars_of_parts, number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal

DESTRUCTIVE = (PAUSE, SUSPEND, CREDIT_VIEW, CREDIT_ALL)


def case_dialog() -> rx.Component:
    asked = rx.Var.create(CaseState.asked)
    match: Any = rx.match
    titles = ((what, t(f"admin.case.options.{what}.title")) for what in DECISIONS)
    return dialog(
        rx.cond(
            asked != "",
            rx.el.div(
                rx.el.p(
                    t("admin.case.about", name=name_of(CaseState.person["name"].to(str))),
                    class_name="wrap-anywhere text-quiet",
                ),
                match(
                    asked,
                    (CREDIT_VIEW, _one_view()),
                    (CREDIT_ALL, _span()),
                    rx.fragment(),
                ),
                match(asked, *((what, consequences(what)) for what in DECISIONS), rx.fragment()),
                _form(),
                class_name="grid gap-4",
            ),
        ),
        id="case-decision",
        title=match(asked, *titles, t("admin.case.decision")),
        open=asked != "",
        on_close=CaseState.cancel,
        width=600,
    )


def consequences(what: str) -> rx.Component:
    """What an option does to coins and to money, and how it is undone."""
    means = f"admin.case.options.{what}"
    if what == RESUME:
        is_suspended: Any = CaseState.held_kinds.contains(Kind.SUSPENDED.value)  # pyright: ignore
        return rx.cond(is_suspended, _means(f"{means}_suspended"), _means(means))
    if what not in (SUSPEND, RESTORE):
        return _means(means)
    company = f"{means}_company"
    return _for_companies(_means(means, _of_their_company(t(f"{company}.money"))), _means(company))


def _for_companies(others: rx.Component, companies: rx.Component) -> rx.Component:
    return rx.cond(CaseState.person["role"].to(str) == Role.COMPANY.value, companies, others)


def _of_their_company(money: Any) -> rx.Component:
    """Players act for companies, too."""
    company = CaseState.person["company"].to(str)
    return rx.cond(
        company != "",
        rx.el.p(
            rx.el.strong(company, ": ", class_name="font-semibold"),
            money,
            class_name="wrap-anywhere",
        ),
    )


def _means(key: str, *more: rx.Component) -> rx.Component:
    return rx.el.div(
        *(
            rx.el.p(
                rx.el.strong(t(f"admin.case.{part}"), ": ", class_name="font-semibold"),
                t(f"{key}.{part}"),
            )
            for part in ("coins", "money", "undo")
        ),
        *more,
        class_name="grid gap-1.5 text-sm",
    )


def _one_view() -> rx.Component:
    view: Any = CaseState.view
    return facts(
        (t("admin.case.ad"), view["title"].to(str)),
        (t("admin.case.company"), view["company"].to(str)),
        (t("admin.case.price"), dollars_of_parts(view["parts"].to(int), PRICE_DECIMALS)),
    )


def _span() -> rx.Component:
    """Since when, and how much that is."""
    views, now = CaseState.creditable["views"], CaseState.creditable["now"]
    return rx.el.div(
        seg(
            "span",
            t("admin.case.since_when"),
            [Option(span, t(f"admin.case.spans.{span}")) for span in SPANS],
            CaseState.span,
            CaseState.choose_span,
        ),
        rx.el.p(
            t(
                "admin.case.creditable",
                count=views,
                shown=number(views),
                amount=dollars_of_parts(CaseState.creditable["parts"], PRICE_DECIMALS),
            ),
            class_name="font-medium",
            aria_live="polite",
        ),
        rx.cond(
            views > now,
            rx.el.p(
                t("admin.case.at_once", count=now, shown=number(now)),
                class_name="text-sm text-quiet",
            ),
        ),
        class_name="grid gap-2",
    )


def _form() -> rx.Component:
    asked: Any = rx.Var.create(CaseState.asked)
    is_credit = (asked == CREDIT_VIEW) | (asked == CREDIT_ALL)
    lifts = rx.Var.create(list(LIFTING)).contains(asked)
    return form(
        rx.cond(
            is_credit,
            _reason(t("admin.case.reason_company"), review_rules.SHORTEST_REASON),
            _reason(
                rx.cond(
                    CaseState.person["is_mailed"].to(bool),
                    rx.cond(lifts, t("admin.case.reason_lifted"), t("admin.case.reason_player")),
                    rx.cond(
                        lifts,
                        t("admin.case.reason_lifted_unmailed"),
                        t("admin.case.reason_unmailed"),
                    ),
                ),
                SHORTEST_REASON,
            ),
        ),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=CaseState.cancel),
            _buttons(asked),
        ),
        on_submit=CaseState.decide,
        key=asked.to(str),
    )


def _reason(hint: Any, shortest: int) -> rx.Component:
    return textarea_field(
        "reason",
        t("admin.reason"),
        rows=3,
        hint=hint,
        error=field_error(AppState.refusal, "reason"),
        required=True,
        min_length=shortest,
        field_id="field-case-reason",
    )


def _buttons(asked: Any) -> rx.Component:
    """Each names its decision."""
    match: Any = rx.match
    nothing = CaseState.creditable["views"] == 0
    named = (
        (
            what,
            button(
                t(f"admin.case.options.{what}.title"),
                kind="danger" if what in DESTRUCTIVE else "primary",
                submits=True,
                busy=AppState.is_busy,
                disabled=nothing if what == CREDIT_ALL else False,
            ),
        )
        for what in DECISIONS
    )
    return match(asked, *named, rx.fragment())


__all__ = ["CREDIT_ALL", "PAUSE", "RESTORE", "RESUME", "SUSPEND", "case_dialog", "consequences"]
