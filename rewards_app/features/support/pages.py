"""Support: what is asked most often, the form, how else we are reached, and one's own tickets."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rewards_app.core.page import Page
from rewards_app.core.routes import SUPPORT
from rewards_app.features.support.contact import contact_card, contact_form, quick_tips
from rewards_app.features.support.faq import Figures
from rewards_app.features.support.faq_panel import faq_panel
from rewards_app.features.support.rules import ASKING_ROLES
from rewards_app.features.support.state import LIST, MISSING, THREAD, SupportState
from rewards_app.features.support.ticket_page import missing, thread, tickets_panel
from rewards_app.features.support.tickets import CHANGED
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import page_head, skeleton
from rewards_app.ui.every import Every
from rewards_app.ui.feedback import could_not_load, loading_line

LOOK_AT_THE_CLOCK_EVERY_HOURS = 0.1


def pages(figures: Figures) -> list[Page]:
    return [
        Page(
            SUPPORT,
            _support(figures),
            "support.page_title",
            roles=ASKING_ROLES,
            on_load=[SupportState.load],
            follows={CHANGED: [SupportState.refresh]},
            even_suspended=True,
        )
    ]


def _support(figures: Figures) -> Callable[[], rx.Component]:
    def support() -> rx.Component:
        match: Any = rx.match
        return rx.fragment(
            rx.cond(
                SupportState.has_failed,
                _failed(),
                match(
                    SupportState.shows,
                    (LIST, _home(figures)),
                    (THREAD, thread()),
                    (MISSING, missing()),
                    _loading(),
                ),
            ),
            Every.create(hours=LOOK_AT_THE_CLOCK_EVERY_HOURS, on_time=SupportState.refresh),
        )

    return support


def _home(figures: Figures) -> rx.Component:
    return rx.fragment(
        page_head(t("support.title"), t("support.subtitle")),
        rx.el.div(
            rx.el.div(
                tickets_panel(),
                faq_panel(figures),
                contact_form(),
                class_name="grid min-w-0 content-start gap-6",
            ),
            rx.el.div(contact_card(), quick_tips(), class_name="grid min-w-0 content-start gap-6"),
            class_name="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]",
        ),
    )


def _failed() -> rx.Component:
    return could_not_load(t("support.not_loaded"), SupportState.load)


def _loading() -> rx.Component:
    return rx.el.div(
        loading_line(),
        skeleton("title"),
        *(skeleton("row") for _ in range(8)),
        class_name="grid gap-3",
    )
