"""Saying that something is wrong with an ad."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.ads import rules
from rewards_app.features.ads.report_state import ReportState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, icon_button
from rewards_app.ui.forms import actions, form, select_field, textarea_field
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal


def report_button(
    ad_id: Any, title: Any, *, with_text: bool = False, class_name: str = ""
) -> rx.Component:
    """Opens the report; among many ads its name for readers says which one it means."""
    ask: Any = ReportState.ask
    opens = ask(ad_id.to(str), title.to(str))
    if with_text:
        return button(t("watch.report"), kind="ghost", size="sm", icon="flag", on_click=opens)
    return icon_button(
        "flag",
        t("watch.report_title", title=title.to(str)),
        on_click=opens,
        class_name=class_name,
    )


def report_dialog() -> rx.Component:
    is_open = rx.Var.create(ReportState.ad_id) != ""
    return dialog(
        rx.cond(is_open, _form()),
        id="ad-report",
        title=t("watch.report"),
        open=is_open,
        on_close=ReportState.cancel,
        width=480,
    )


def _form() -> rx.Component:
    reasons: list[tuple[str, Any]] = [
        ("", t("watch.reason_choose")),
        *((reason.value, t(f"watch.report_reasons.{reason}")) for reason in rules.ReportReason),
    ]
    return rx.fragment(
        rx.el.p(t("watch.report_about", title=ReportState.title), class_name="mb-4 text-quiet"),
        form(
            select_field(
                "reason",
                t("watch.reason"),
                reasons,
                error=field_error(AppState.refusal, "reason"),
                required=True,
            ),
            textarea_field(
                "text",
                t("watch.report_text"),
                rows=3,
                error=field_error(AppState.refusal, "text"),
                field_id="field-report-text",
            ),
            other_refusal(AppState.refusal),
            actions(
                button(t("ui.cancel"), kind="ghost", on_click=ReportState.cancel),
                button(t("watch.report_send"), submits=True, busy=AppState.is_busy),
            ),
            on_submit=ReportState.send,
            no_validate=True,
        ),
    )
