"""What a guardian's link leads to: the question, and taking the answer back."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE
from rewards_app.core.page import Page
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.guardians.letters import PAGE
from rewards_app.features.guardians.page_state import GuardianPageState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import panel
from rewards_app.ui.dead_ends import dead_end
from rewards_app.ui.forms import checkbox, form, text_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.names import with_mail_link
from rewards_app.ui.opening import opening
from rewards_app.ui.refusal import field_error, other_refusal, refusal_line

WHO = GuardianPageState.who
DONE = (
    ("gave", "circle-check", "text-good"),
    ("refused", "circle-check", "text-cyan"),
    ("withdrew", "circle-check", "text-cyan"),
    ("withdrew_grown", "circle-check", "text-cyan"),
)


def guardian() -> rx.Component:
    return rx.el.div(
        rx.cond(
            GuardianPageState.stage == "over",
            _over(),
            panel(
                rx.match(
                    GuardianPageState.stage,
                    ("asked", _question()),
                    ("given", _given()),
                    *((stage, _done(stage, sign, tone)) for stage, sign, tone in DONE),
                    opening(AppState.refusal),
                ),
                glows=True,
            ),
        ),
        class_name="mx-auto w-full max-w-[620px] px-4 py-8 sm:py-12",
    )


def _question() -> rx.Component:
    return rx.fragment(
        rx.el.h1(t("guardian.title", name=WHO), class_name=_HEADING),
        rx.el.p(t("guardian.text", name=WHO), class_name="mt-2 text-quiet wrap-anywhere"),
        _points("held", "guardian.held_title"),
        _points("means", "guardian.means_title"),
        rx.el.p(
            link(t("editions.read_privacy"), href="/privacy"),
            " ",
            link(t("editions.read_terms"), href="/terms"),
            class_name="mt-4 flex flex-wrap gap-x-6 gap-y-3",
        ),
        _answer(),
    )


_HEADING = "text-2xl text-balance wrap-anywhere"


def _points(name: str, title: str) -> rx.Component:
    return rx.fragment(
        rx.el.h2(t(title), class_name="mt-5 text-lg"),
        rx.el.ul(
            *(rx.el.li(t(f"guardian.{name}_{number}")) for number in (1, 2, 3)),
            class_name="mt-2 grid list-disc gap-1.5 pl-5 text-quiet marker:text-lilac",
        ),
    )


def _answer() -> rx.Component:
    give, refuse = GuardianPageState.give, GuardianPageState.refuse
    return form(
        text_field(
            "full_name",
            t("guardian.full_name"),
            autocomplete="name",
            error=field_error(AppState.refusal, "full_name"),
            required=True,
        ),
        checkbox(
            "is_guardian",
            t("guardian.is_guardian"),
            error=field_error(AppState.refusal, "is_guardian"),
        ),
        other_refusal(AppState.refusal),
        rx.el.div(
            button(t("guardian.give"), submits=True, busy=AppState.is_busy),
            button(t("guardian.refuse"), kind="ghost", on_click=refuse, busy=AppState.is_busy),
            class_name="flex flex-wrap gap-3 max-sm:*:w-full",
        ),
        rx.el.p(t("guardian.nothing_means_no"), class_name="text-sm text-quiet"),
        on_submit=give,
        no_validate=True,
        class_name="mt-6 border-t border-line pt-5",
    )


def _given() -> rx.Component:
    withdraw: Any = GuardianPageState.withdraw
    return rx.fragment(
        rx.el.h1(t("guardian.given_title", name=WHO), class_name=_HEADING),
        rx.el.p(t("guardian.given_text", name=WHO), class_name="mt-2 mb-5 text-quiet"),
        refusal_line(AppState.refusal),
        button(t("guardian.withdraw"), kind="danger", on_click=withdraw, busy=AppState.is_busy),
    )


def _done(stage: str, sign: str, tone: str) -> rx.Component:
    return rx.el.div(
        icon(sign, 32, class_name=tone),
        rx.el.h1(t(f"guardian.{stage}_title"), class_name=f"mt-3 {_HEADING}"),
        rx.el.p(
            t(f"guardian.{stage}_text", name=WHO),
            class_name="mt-2 text-quiet wrap-anywhere",
        ),
        role="status",
    )


def _over() -> rx.Component:
    support = settings().support_email
    return rx.el.div(
        dead_end(
            "link-2-off",
            t("guardian.over_title"),
            with_mail_link(t("guardian.over_text", support=support), support),
            link_button(t("not_found.home"), href="/"),
        ),
        role="status",
    )


PAGES = [
    Page(
        PAGE,
        guardian,
        "guardian.page_title",
        visitors=True,
        roles=EVERY_ROLE,
        on_load=[GuardianPageState.open],
        even_suspended=True,
    )
]
