"""What signed-in people are told, on every page, when the terms or the privacy policy change."""

import json
from typing import Any

import reflex as rx

from rewards_app.features.legal.rules import EDITIONS, Document
from rewards_app.features.legal.state import LegalState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.feedback import banner
from rewards_app.ui.links import link


def news_of_editions() -> rx.Component:
    """Calm, and gone with one press; opening a page of the two tells of that one, too.

    A tab that outlived an update has no words for what came with it: it tells once it is reloaded.
    """
    return rx.cond(
        _can_be_told(),
        rx.el.div(
            banner(
                "info",
                t("editions.title"),
                rx.el.ul(rx.foreach(LegalState.news, _one), class_name="mt-1 grid gap-2"),
                button(t("editions.understood"), kind="ghost", size="sm", on_click=_understood()),
                is_news=True,
            ),
            class_name="mb-6",
        ),
    )


def _can_be_told() -> rx.Var[bool]:
    known = json.dumps([edition.changed for edition in EDITIONS])
    news = rx.Var.create(LegalState.news)
    return rx.Var(
        f"({news!s}.length > 0 && {news!s}.every((one) => {known}.includes(one.changed)))",
        _var_type=bool,
        _var_data=news._get_all_var_data(),
    ).to(bool)


def _understood() -> Any:
    return LegalState.understood


def _one(edition: Any) -> rx.Component:
    match: Any = rx.match
    return rx.el.li(
        match(edition["changed"].to(str), *((one.changed, t(one.changed)) for one in EDITIONS), ""),
        " ",
        rx.cond(
            edition["is_newest"].to(bool),
            rx.cond(
                edition["document"].to(str) == Document.TERMS.value,
                link(t("editions.read_terms"), href="/terms"),
                link(t("editions.read_privacy"), href="/privacy"),
            ),
        ),
    )
