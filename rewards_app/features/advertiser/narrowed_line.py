"""What lists and figures are narrowed down to by their address, and the way out of it."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.state import AppState
from rewards_app.features.advertiser import addresses
from rewards_app.features.advertiser.narrowing import To
from rewards_app.i18n.page_text import t
from rewards_app.ui.links import link
from rewards_app.ui.markup import Child, Text


def narrowed_line(only: Any, everything: Text, *, here: str) -> rx.Component:
    """Of `only`; nothing where all is shown. `everything` is the address of that.

    `here` is what the place is called in the navigation.
    """
    return rx.cond(
        only.contains("id"),
        rx.el.div(
            rx.el.p(_words(only), class_name="min-w-0 font-medium wrap-anywhere"),
            rx.el.p(
                _of_company(only, here),
                link(t("narrowed.show_all"), href=everything, class_name="target"),
                class_name="flex flex-wrap gap-x-4 gap-y-2 text-sm",
            ),
            class_name=(
                "mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-panel"
                " border border-line bg-panel px-4 py-3"
            ),
        ),
    )


def _words(only: Any) -> Child:
    match: Any = rx.match
    name = only["name"].to(str)
    return match(
        only["to"].to(str),
        *((to.value, t(f"narrowed.{to}", name=name)) for to in To),
        "",
    )


def _of_company(only: Any, here: str) -> rx.Component:
    """From one thing of a company to the others, for who looks at all companies."""
    company_id = only["id"].to(str)
    ways = (
        ("nav.campaigns", addresses.campaigns_of_company(company_id)),
        ("nav.ads", addresses.ads_of_company(company_id)),
        ("nav.analytics", addresses.figures_of_company(company_id)),
    )
    return rx.cond(
        (AppState.role == Role.ADMIN.value) & (only["to"].to(str) == To.COMPANY.value),
        rx.fragment(
            *(
                link(t(name), href=rx.Var.create(there), class_name="target")
                for name, there in ways
                if name != here
            )
        ),
    )
