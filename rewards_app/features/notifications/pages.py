"""Settings: what somebody said of themselves, and what comes by mail."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.core.state import AppState
from rewards_app.features.accounts.details_panel import details_panel
from rewards_app.features.accounts.details_state import DetailsState
from rewards_app.features.notifications.choices_state import ChoicesState
from rewards_app.features.notifications.letters import SETTINGS
from rewards_app.features.notifications.rules import TOLD_ROLES
from rewards_app.features.notifications.start_state import StartAgainState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import page_head, panel, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.forms import checkbox

SECURITY, YOUR_DATA = "/security", "/gdpr"


def settings_page() -> rx.Component:
    return rx.fragment(
        page_head(t("settings.title"), t("settings.subtitle")),
        rx.el.div(
            details_panel(),
            _notifications(),
            _elsewhere(),
            class_name="grid max-w-[720px] gap-6",
            # Put there anew with the switches: how many a company has is not known before.
            key=rx.cond(ChoicesState.is_loaded, "known", "opening"),
        ),
    )


def _elsewhere() -> rx.Component:
    """What else can be set, on pages of its own."""
    return panel(
        rx.el.p(t("settings.language_text"), class_name="mb-4 text-pretty text-quiet"),
        rx.el.div(
            link_button(t("settings.to_security"), href=SECURITY, kind="ghost", icon="shield"),
            link_button(t("settings.to_data"), href=YOUR_DATA, kind="ghost", icon="lock"),
            rx.cond(AppState.role != Role.COMPANY.value, _first_steps()),
            class_name="flex flex-wrap gap-3",
        ),
        title=t("settings.more"),
    )


def _first_steps() -> rx.Component:
    return button(
        t("settings.show_steps"),
        kind="ghost",
        icon="footprints",
        on_click=StartAgainState.show_first_steps,
    )


def _notifications() -> rx.Component:
    return panel(
        rx.el.p(
            t("settings.mails_text", email=AppState.email),
            class_name="mb-4 wrap-anywhere text-quiet",
        ),
        rx.cond(
            ChoicesState.is_loaded,
            rx.el.div(rx.foreach(ChoicesState.topics, _switch), class_name="grid gap-4"),
            rx.cond(AppState.role == Role.COMPANY.value, _loading(6), _loading(4)),
        ),
        title=t("settings.notifications"),
    )


def _loading(topics: int) -> rx.Component:
    """As tall as so many switches."""
    return rx.el.div(
        loading_line(),
        *(skeleton("row", "h-[75px] sm:h-[57px]") for _ in range(topics)),
        class_name="grid gap-4",
    )


def _switch(topic: Any) -> rx.Component:
    flip: Any = ChoicesState.flip
    return checkbox(
        topic,
        t(f"notifications.topics.{topic}"),
        checked=ChoicesState.by_mail[topic],
        on_change=lambda is_on: flip(topic, is_on),
        hint=t(f"notifications.topics.{topic}_text"),
        is_switch=True,
    )


PAGES = [
    Page(
        SETTINGS,
        settings_page,
        "settings.page_title",
        roles=TOLD_ROLES,
        on_load=[DetailsState.load, ChoicesState.load],
        refreshes=[DetailsState.refresh],
    )
]
