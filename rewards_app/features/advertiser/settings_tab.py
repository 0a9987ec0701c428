"""The Settings tab: the company's form and switches, its people, its money, its standing."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.advertiser.billing import billing_card, came_back, money_panels
from rewards_app.features.advertiser.company_fields import company_fields
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.people_panel import people_panel
from rewards_app.features.advertiser.settings_service import MAILS, PREFERENCES
from rewards_app.features.advertiser.settings_state import SettingsState
from rewards_app.features.security.account_security import PATH as SECURITY
from rewards_app.features.security.account_security import section_path
from rewards_app.features.security.rules import Section
from rewards_app.features.security.sessions import session_list
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import facts, panel, skeleton, status
from rewards_app.ui.forms import actions, checkbox, form
from rewards_app.ui.numbers import date


def settings_tab() -> rx.Component:
    return rx.cond(
        SettingsState.is_loaded,
        rx.el.div(
            came_back(),
            rx.el.div(
                # On a phone before the long lists.
                rx.el.div(
                    _standing(),
                    billing_card(),
                    _security(),
                    class_name="grid gap-6 lg:col-start-2 lg:row-start-1",
                ),
                rx.el.div(
                    _company(),
                    _switches("preferences", PREFERENCES),
                    _switches("mails", MAILS),
                    _two_factor(),
                    panel(session_list(), title=t("security.sessions_title")),
                    people_panel(),
                    money_panels(),
                    class_name="grid grid-cols-[minmax(0,1fr)] gap-6 lg:row-start-1",
                ),
                class_name=_COLUMNS,
            ),
            class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
        ),
        rx.el.div(
            skeleton("card"),
            skeleton("card", "max-lg:hidden"),
            class_name=_COLUMNS,
        ),
    )


_COLUMNS = "grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_336px]"


def _company() -> rx.Component:
    is_name_fixed = ~rx.Var.create(AdvertiserState.is_owner)
    return panel(
        form(
            rx.el.div(
                company_fields(SettingsState.company, is_name_fixed=is_name_fixed),
                key=SettingsState.round,
                class_name="grid gap-4",
            ),
            actions(
                button(t("advertiser.save"), kind="ghost", submits=True, busy=AppState.is_busy)
            ),
            on_submit=SettingsState.save,
            no_validate=True,
        ),
        title=t("advertiser.company"),
    )


def _switches(name: str, keys: tuple[str, ...]) -> rx.Component:
    return panel(
        rx.el.div(*(_switch(key) for key in keys), class_name="grid gap-4"),
        title=t(f"advertiser.{name}"),
    )


def _switch(key: str) -> rx.Component:
    flip: Any = SettingsState.flip
    return checkbox(
        key,
        t(f"advertiser.switches.{key}"),
        checked=SettingsState.switches[key],
        on_change=lambda is_on: flip(key, is_on),
        hint=t(f"advertiser.switches.{key}_text"),
        is_switch=True,
    )


def _standing() -> rx.Component:
    return panel(
        facts(
            (t("advertiser.status"), status(t("advertiser.approved"), "good")),
            (t("advertiser.approved_since"), date(SettingsState.approved_at)),
            (
                t("advertiser.your_role"),
                rx.cond(AdvertiserState.is_owner, t("people.owner"), t("people.member")),
            ),
        ),
        title=t("advertiser.account_status"),
    )


def _two_factor() -> rx.Component:
    """As it stands; it is changed where the password is asked for."""
    is_on = SettingsState.has_second_factor
    return panel(
        rx.el.div(
            rx.el.p(
                rx.cond(
                    is_on, status(t("security.on"), "good"), status(t("security.off"), "quiet")
                ),
                rx.el.span(
                    rx.cond(
                        is_on, t("security.two_factor_text"), t("security.factor_disabled_text")
                    ),
                    class_name="text-quiet",
                ),
                class_name="flex flex-[1_1_220px] flex-wrap items-center gap-x-3 gap-y-1",
            ),
            link_button(
                rx.cond(is_on, t("security.manage"), t("security.setup")),
                href=section_path(Section.TWO_FACTOR),
                kind="ghost",
            ),
            class_name="flex flex-wrap items-center gap-4",
        ),
        title=t("security.two_factor_title"),
    )


def _security() -> rx.Component:
    return panel(
        rx.el.p(t("security.subtitle"), class_name="mb-4 text-sm text-quiet"),
        link_button(
            t("advertiser.security_settings"),
            href=SECURITY,
            kind="ghost",
            icon="shield",
            wide=True,
        ),
        title=t("advertiser.security"),
    )
