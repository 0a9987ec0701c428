"""Your details: what somebody said of themselves, and the form that corrects it."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.routes import SUPPORT
from rewards_app.core.state import AppState
from rewards_app.features.accounts import contacts
from rewards_app.features.accounts.auth_forms import GENDERS
from rewards_app.features.accounts.country_field import CountryName, country_field
from rewards_app.features.accounts.details_state import DetailsState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import facts, panel, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.forms import actions, form, form_row, select_field, text_field
from rewards_app.ui.links import link
from rewards_app.ui.markup import Child, Text
from rewards_app.ui.refusal import field_error, other_refusal

KNOWN: Any = DetailsState.details
IS_WHOLE: Any = KNOWN["is_whole"].to(bool)
"""Whether more than the country is asked."""


def details_panel() -> rx.Component:
    return panel(
        rx.el.p(
            rx.cond(_is_company(), t("details.text_company"), t("details.text")),
            class_name="mb-4 text-pretty text-quiet",
        ),
        rx.cond(KNOWN, rx.cond(DetailsState.is_editing, _form(), _shown()), _loading()),
        _birth_date(),
        title=t("details.title"),
    )


def _is_company() -> rx.Var[bool]:
    return rx.Var.create(AppState.role) == Role.COMPANY.value


def _shown() -> rx.Component:
    country = (t("auth.country"), CountryName.create(code=KNOWN["country"].to(str)))
    phone = (t("auth.phone"), _or_untold(KNOWN["phone"].to(str), KNOWN["phone"].to(str)))
    gender = (t("auth.gender"), _or_untold(KNOWN["gender"].to(str), _gender()))
    return rx.el.div(
        rx.cond(IS_WHOLE, facts(country, phone, gender), facts(country)),
        actions(
            button(t("details.change"), kind="ghost", icon="pencil", on_click=DetailsState.edit)
        ),
        class_name="grid gap-4",
    )


def _or_untold(value: Any, shown: Child) -> rx.Component:
    untold = rx.el.span(t("details.untold"), class_name="font-normal text-quiet")
    return rx.cond(value != "", shown, untold)


def _gender() -> Any:
    match: Any = rx.match
    return match(KNOWN["gender"].to(str), *((value, t(key)) for value, key in GENDERS), "")


def _form() -> rx.Component:
    return form(
        country_field(
            "country",
            "auth.country",
            sorted(contacts.country_codes()),
            chosen=KNOWN["country"].to(str),
            error=_error("country"),
        ),
        rx.cond(IS_WHOLE, _of_a_player()),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=DetailsState.cancel),
            button(t("details.save"), submits=True, busy=AppState.is_busy),
        ),
        on_submit=DetailsState.save,
        # The server says in our words and in the page's language what is wrong.
        no_validate=True,
    )


def _of_a_player() -> rx.Component:
    return rx.fragment(
        form_row(
            country_field(
                "phone_country",
                "auth.phone_country",
                list(contacts.dialling_codes()),
                contacts.dialling_codes(),
                chosen=KNOWN["phone_country"].to(str),
                error=_error("phone_country"),
            ),
            text_field(
                "phone",
                t("auth.phone"),
                type_="tel",
                autocomplete="tel-national",
                default_value=KNOWN["typed_phone"].to(str),
                error=_error("phone"),
            ),
        ),
        select_field(
            "gender",
            t("auth.gender"),
            [("", t("auth.gender_choose")), *((value, t(key)) for value, key in GENDERS)],
            default_value=KNOWN["gender"].to(str),
            error=_error("gender"),
        ),
    )


def _error(field: str) -> rx.Var[str]:
    return field_error(AppState.refusal, field)


def _birth_date() -> rx.Component:
    """Told once: who mistyped it reads here who can help."""
    words: Text = t("details.birth_date")
    return rx.el.p(
        words,
        " ",
        link(t("gdpr.to_support"), href=SUPPORT, class_name="target"),
        class_name="mt-4 text-sm text-pretty text-quiet",
    )


def _loading() -> rx.Component:
    """As tall as what comes: for a company one line of it."""
    return rx.el.div(
        loading_line(),
        rx.cond(
            _is_company(),
            skeleton("row", "h-[42.5px]"),
            skeleton("row", "h-[129.5px]"),
        ),
        skeleton("row", "h-11"),
        class_name="grid gap-4",
    )
