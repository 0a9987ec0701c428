"""The dialog that asks people when they were born, before anything else."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.accounts.age_rules import EARLIEST_YEAR
from rewards_app.features.accounts.age_state import AgeState
from rewards_app.features.accounts.state import SessionState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.forms import form, text_field
from rewards_app.ui.frame import FooterLink
from rewards_app.ui.links import is_at, link
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import time_zone, today
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import refusal_line

ALWAYS_READABLE = ("/terms", "/privacy", "/gdpr", "/guardian")
"""Nobody has to tell their age before they have read what happens with it; a guardian may borrow
the browser."""

SURE = "age-sure"


def age_prompt(
    legal: Sequence[FooterLink] = (), for_the_young: rx.Component | None = None
) -> rx.Component:
    """Over every page but the legal ones, for whoever has not verified their age.

    `for_the_young` is what those read and do who need their parents' consent.
    """
    needs_age = rx.Var.create(AppState.needs_age)
    needs_parents = rx.Var.create(AgeState.needs_parents)
    return dialog(
        # Not before it is needed: a prerendered page would keep the day of the build.
        rx.cond(needs_parents, _notice(for_the_young), rx.cond(needs_age, _question(legal))),
        id="age-prompt",
        title=rx.cond(needs_parents, t("age.parents_title"), t("age.title")),
        open=(needs_age | needs_parents) & ~is_at(*ALWAYS_READABLE),
        is_pinned=True,
        footer=_way_out(),
        width=460,
    )


def _question(legal: Sequence[FooterLink]) -> rx.Component:
    return rx.fragment(
        rx.el.p(t("age.text"), class_name="mb-5 text-quiet"),
        form(
            text_field(
                "birth_date",
                t("age.birth_date"),
                type_="date",
                autocomplete="bday",
                hint=t("age.hint"),
                required=True,
                min=f"{EARLIEST_YEAR}-01-01",
                max=today(),
            ),
            rx.el.input(type="hidden", name="zone", value=time_zone()),
            rx.cond(AgeState.asked_years > 0, _are_you_sure(), _first_answer()),
            on_submit=AgeState.verify,
            # The server says in our words and in the page's language what is wrong.
            no_validate=True,
        ),
        *([_legal_links(legal)] if legal else []),
    )


def _first_answer() -> rx.Component:
    return rx.fragment(
        refusal_line(AppState.refusal),
        button(
            rx.cond(AppState.is_busy, t("age.verifying"), t("age.verify")),
            submits=True,
            busy=AppState.is_busy,
            wide=True,
            auto_focus=AgeState.has_reconsidered,
        ),
    )


def _are_you_sure() -> rx.Component:
    """Said in words before it is kept for good; the way back is where the focus is."""
    years: Any = AgeState.asked_years
    return rx.el.div(
        rx.el.p(t("age.sure", years=years), class_name="font-semibold", id=SURE),
        rx.el.input(type="hidden", name="confirmed", value=years.to_string()),
        # Where the first answer was pressed stands the way back: twice in a row is no yes.
        rx.el.div(
            button(t("age.not_right"), kind="ghost", on_click=AgeState.reconsider, auto_focus=True),
            button(t("age.right", years=years), submits=True, busy=AppState.is_busy),
            class_name="flex flex-col gap-2 sm:flex-row sm:flex-wrap sm:justify-end",
        ),
        role="group",
        class_name="grid gap-3",
        custom_attrs=attributes(aria_labelledby=SURE),
    )


def _legal_links(legal: Sequence[FooterLink]) -> rx.Component:
    return rx.el.p(
        *(link(t(item.label_key), href=item.href) for item in legal),
        class_name="mt-5 flex flex-wrap gap-x-6 gap-y-3",
    )


def _notice(for_the_young: rx.Component | None) -> rx.Component:
    if for_the_young:
        return rx.el.div(
            rx.el.p(t("age.parents_text")),
            for_the_young,
            button(t("age.understood"), kind="ghost", on_click=AgeState.close_notice, wide=True),
            class_name="grid gap-4",
        )
    return rx.fragment(
        rx.el.p(t("age.parents_text"), class_name="mb-5"),
        button(t("age.understood"), on_click=AgeState.close_notice, wide=True),
    )


def _way_out() -> rx.Component:
    return rx.el.div(
        rx.el.span(
            t("age.signed_in_as", name=AppState.name),
            class_name="min-w-0 flex-1 text-sm text-quiet wrap-anywhere",
        ),
        button(t("frame.log_out"), kind="ghost", icon="log-out", on_click=SessionState.sign_out),
        class_name="flex flex-wrap items-center gap-3",
    )
