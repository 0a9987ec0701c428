"""What several kinds of evidence in a case are made of."""

from typing import Any

import reflex as rx

from rewards_app.features.support.rules import DESK
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.markup import Child

DETAIL = "flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet"


def words(said: Child) -> rx.Component:
    return rx.el.p(said, class_name="font-medium wrap-anywhere")


def details(*parts: Child) -> rx.Component:
    return rx.el.div(*parts, class_name=DETAIL)


def level_mark(level: Any, words: Any = None) -> rx.Component:
    """How a risk is called, or `words` in the tone of that."""
    match: Any = rx.match
    return status_mark(
        t(f"alerts.severity.{level}") if words is None else words,
        match(level, ("critical", "danger"), ("high", "danger"), ("medium", "house"), "quiet"),
    )


def ticket_link(number: Any) -> rx.Component:
    """An appeal by its number, which leads to where it is answered."""
    return anchor(
        t("restrictions.ticket", number=number),
        href=rx.Var.create(f"{DESK}{number}"),
        class_name=f"target font-semibold {LINK}",
    )


def appeal_status(state: Any) -> rx.Component:
    match: Any = rx.match
    return status_mark(
        t(f"restrictions.appeal_status.{state}"),
        match(state, ("open", "action"), ("answered", "good"), "quiet"),
    )
