"""People: found by what a name or an email begins with, the newest first."""

from typing import Any

import reflex as rx

from rewards_app.features.accounts.directory import Which
from rewards_app.features.admin.parts import failed, further
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.admin.person_dialog import person_dialog, standing
from rewards_app.features.admin.state import LONGEST_SEARCH
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, panel, skeleton
from rewards_app.ui.forms import select_field
from rewards_app.ui.links import LINK
from rewards_app.ui.markup import Text, attributes
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import date
from rewards_app.ui.search import search_form
from rewards_app.ui.tables import Column, table


def people_tab() -> rx.Component:
    return rx.fragment(
        rx.cond(
            PeopleDeskState.has_failed,
            failed(t("admin.people.not_loaded"), PeopleDeskState.load),
            rx.fragment(
                _search(),
                rx.cond(
                    PeopleDeskState.is_loaded,
                    rx.cond(PeopleDeskState.people, _people(), _nobody()),
                    rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
                ),
            ),
        ),
        person_dialog(),
    )


def _search() -> rx.Component:
    choices: list[tuple[str, Text]] = [
        (which.value, t(f"admin.people.which.{which.value or 'everybody'}")) for which in Which
    ]
    return rx.el.div(
        search_form(
            "search",
            t("admin.people.search"),
            t("admin.people.find"),
            on_submit=PeopleDeskState.find,
            placeholder=t("admin.people.search_hint"),
            max_length=LONGEST_SEARCH,
            key=PeopleDeskState.round,
            class_name="flex-[1_1_320px]",
        ),
        rx.el.div(
            select_field(
                "which",
                t("admin.people.show"),
                choices,
                value=PeopleDeskState.which,
                on_change=PeopleDeskState.choose,
            ),
            class_name="flex-[0_1_240px] max-sm:flex-auto",
        ),
        class_name="mb-6 flex flex-wrap items-end gap-x-4 gap-y-3",
    )


def _nobody() -> rx.Component:
    """There is always the admin who looks: nobody is found where something is looked for."""
    return empty_state(
        "search-x",
        t("admin.people.not_found"),
        t("admin.people.not_found_text"),
        button(t("admin.people.show_all"), kind="ghost", on_click=PeopleDeskState.show_all),
    )


def _people() -> rx.Component:
    more: Any = PeopleDeskState.load_more
    return panel(
        table(
            [
                Column(t("admin.people.person"), is_main=True),
                Column(t("admin.people.role")),
                Column(t("admin.people.standing")),
                Column(t("admin.people.since")),
            ],
            PeopleDeskState.people,
            _cells,
            caption=t("admin.tabs.people"),
            cell_on_phone=132,
        ),
        further(PeopleDeskState.next_before, more),
        flush=True,
    )


def _cells(person: Any) -> list[Any]:
    look: Any = PeopleDeskState.look_into
    return [
        rx.el.span(
            rx.el.button(
                name_of(person["name"].to(str)),
                type="button",
                on_click=look(person["id"].to(str)),
                class_name=f"target text-left font-medium wrap-anywhere {LINK}",
                custom_attrs=attributes(
                    aria_label=rx.Var.create(f"{person['name']}, {person['email']}")
                ),
            ),
            rx.el.span(
                mail_address(person["email"]),
                class_name="block text-sm font-normal wrap-anywhere text-quiet",
            ),
        ),
        t(f"roles.{person['role']}"),
        standing(person),
        rx.el.span(date(person["since"].to(str)), class_name="text-quiet"),
    ]
