"""The fields that describe a company, in its application and in its settings."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.i18n.page_text import t
from rewards_app.ui.forms import form_row, text_field
from rewards_app.ui.refusal import field_error, refusal_line


def company_fields(known: Any, *, is_name_fixed: rx.Var[bool] | bool = False) -> rx.Component:
    """Filled with what is `known`; a name that is fixed is shown and not sent."""
    refusal = AppState.refusal
    return rx.fragment(
        text_field(
            "company_name",
            t("advertiser.company_name"),
            autocomplete="organization",
            required=True,
            read_only=is_name_fixed,
            default_value=known["company_name"].to(str),
            hint=t("advertiser.company_name_hint"),
            error=field_error(refusal, "company_name"),
        ),
        text_field(
            "email",
            t("advertiser.email"),
            type_="email",
            autocomplete="email",
            required=True,
            default_value=known["email"].to(str),
            hint=t("advertiser.email_hint"),
            error=field_error(refusal, "email"),
        ),
        form_row(
            text_field(
                "phone",
                t("advertiser.phone"),
                type_="tel",
                autocomplete="tel",
                default_value=known["phone"].to(str),
                error=field_error(refusal, "phone"),
            ),
            text_field(
                "website",
                t("advertiser.website"),
                inputmode="url",
                autocomplete="url",
                placeholder="https://",
                default_value=known["website"].to(str),
                error=field_error(refusal, "website"),
            ),
        ),
    )


def other_refusal() -> rx.Component:
    """What is wrong with no field in particular."""
    refusal: Any = rx.Var.create(AppState.refusal)
    return rx.cond(refusal["params"].to(dict)["field"], rx.fragment(), refusal_line(refusal))
