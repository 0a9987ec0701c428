"""The decision to end all campaigns of the company that is looked into."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.company_state import CompanyState
from rewards_app.features.admin.parts import reason_field
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.forms import actions, form
from rewards_app.ui.numbers import number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import other_refusal


def ending_dialog() -> rx.Component:
    """The consequence stands before the decision."""
    company: Any = CompanyState.company
    name, count = company["company"].to(str), CompanyState.open_campaigns
    return dialog(
        rx.cond(
            CompanyState.is_asking,
            form(
                rx.el.p(t("admin.company.end_all_text", company=name, shown=number(count))),
                rx.el.p(t("admin.company.end_all_rest")),
                reason_field(t("admin.ad_reviews.reason_hint", company=name)),
                other_refusal(AppState.refusal),
                actions(
                    button(t("ui.cancel"), kind="ghost", closes="end-all"),
                    button(
                        t("admin.company.end_all"),
                        kind="danger",
                        submits=True,
                        busy=AppState.is_busy,
                    ),
                ),
                on_submit=CompanyState.end_all,
                class_name="wrap-anywhere",
            ),
        ),
        id="end-all",
        title=t("admin.company.end_all_title", company=name),
        open=CompanyState.is_asking,
        on_close=CompanyState.close,
        width=520,
    )
