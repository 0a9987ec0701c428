"""The way to report something, on whatever page shows it, and the dialog that asks why."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.forum.desk_rules import ReportReason, Target
from rewards_app.features.forum.report_state import ReportState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, icon_button
from rewards_app.ui.forms import actions, form, select_field, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal


def report_button(target: Target, thing_id: Any) -> rx.Component:
    """For what somebody else wrote; the page needs `report_dialog()` once."""
    ask: Any = ReportState.ask
    label = t(f"forum.reports.report_{target}")
    return icon_button("flag", label, on_click=ask(target.value, thing_id))


def report_profile_button(account_id: Any) -> rx.Component:
    """As above, in words: beside a name a flag alone could mean anything."""
    ask: Any = ReportState.ask
    return rx.el.button(
        icon("flag", 18),
        t(f"forum.reports.report_{Target.PROFILE}"),
        type="button",
        on_click=ask(Target.PROFILE.value, account_id),
        class_name=(
            "target inline-flex items-center gap-2 justify-self-start rounded-control text-sm"
            " font-semibold text-quiet hover:text-text"
        ),
    )


def report_dialog() -> rx.Component:
    return dialog(
        rx.cond(ReportState.is_open, _form()),
        id="report",
        title=t("forum.reports.title"),
        open=ReportState.is_open,
        on_close=ReportState.close,
        width=520,
    )


def _form() -> rx.Component:
    send: Any = ReportState.send
    reasons = [(reason.value, t(f"forum.reports.reasons.{reason}")) for reason in ReportReason]
    return form(
        rx.el.p(t("forum.reports.what_happens"), class_name="text-quiet"),
        select_field(
            "reason",
            t("forum.reports.reason"),
            [("", t("forum.reports.choose")), *reasons],
            error=field_error(AppState.refusal, "reason"),
            required=True,
            field_id="report-reason",
        ),
        textarea_field(
            "text",
            t("forum.reports.text"),
            rows=3,
            hint=t("forum.reports.text_hint"),
            error=field_error(AppState.refusal, "text"),
            field_id="report-text",
        ),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=ReportState.close),
            button(t("forum.reports.send"), submits=True, busy=AppState.is_busy),
        ),
        on_submit=lambda typed: send(ReportState.target, ReportState.thing, typed),
        no_validate=True,
        key=ReportState.thing,
    )
