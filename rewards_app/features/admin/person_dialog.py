"""One person: what is known, and below it what can be decided."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.parts import or_none
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.admin.person_decisions import (
    SECTION,
    birth_date,
    role,
    sessions,
)
from rewards_app.features.support.appeal import grounds_of
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import facts, status
from rewards_app.ui.forms import actions
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import ago, date_and_time, number
from rewards_app.ui.overlays import dialog


def person_dialog() -> rx.Component:
    person: Any = PeopleDeskState.person
    is_open = person.contains("id")
    return dialog(
        rx.cond(
            is_open,
            rx.el.div(
                _known(person),
                _restrictions(),
                _ways_on(person),
                _verification(person),
                sessions(person),
                rx.cond(person["is_age_verified"].to(bool), birth_date(person)),
                rx.cond(person["is_erased"].to(bool), rx.fragment(), role(person)),
                class_name="grid gap-6",
            ),
        ),
        id="person",
        title=rx.cond(is_open, name_of(person["name"].to(str)), t("admin.people.person")),
        open=is_open,
        on_close=PeopleDeskState.close,
        width=640,
    )


def standing(person: Any) -> rx.Component:
    """What is special about an account; a dash where all is as it should be."""
    return rx.cond(
        person["is_special"].to(bool),
        _what_is_special(person),
        rx.el.span("–", class_name="text-quiet"),
    )


def _what_is_special(person: Any) -> rx.Component:
    return rx.el.span(
        rx.cond(person["is_suspended"].to(bool), status(t("admin.people.is_suspended"), "danger")),
        rx.cond(person["is_paused"].to(bool), status(t("admin.people.is_paused"), "danger")),
        rx.cond(person["is_closing"].to(bool), status(t("admin.people.is_closing"), "quiet")),
        rx.cond(person["is_erased"].to(bool), status(t("admin.people.is_erased"), "quiet")),
        rx.cond(
            person["is_verified"].to(bool),
            rx.fragment(),
            status(t("admin.people.is_unverified"), "quiet"),
        ),
        rx.cond(
            person["asked_for_admin"].to(bool), status(t("admin.people.asks_for_admin"), "action")
        ),
        class_name="flex flex-wrap gap-1",
    )


def _known(person: Any) -> rx.Component:
    return rx.el.div(
        facts(
            (t("admin.people.email"), _email(person)),
            (t("admin.people.role"), t(f"roles.{person['role']}")),
            (t("admin.people.since"), date_and_time(person["since"].to(str))),
            (
                t("admin.people.last_active"),
                or_none(person["last_active"], ago(person["last_active"].to(str))),
            ),
            (t("admin.people.signs_in"), _signs_in(person)),
            (t("admin.people.country"), person["country"].to(str)),
            (t("admin.people.age"), _age(person)),
            (t("admin.people.balance"), _balance(person)),
            (t("admin.people.id"), _id(person)),
        ),
    )


def _email(person: Any) -> rx.Component:
    return rx.el.span(
        rx.el.span(mail_address(person["email"]), class_name="block wrap-anywhere"),
        rx.cond(
            person["is_verified"].to(bool),
            status(t("admin.advertisers.verified"), "good"),
            status(t("admin.advertisers.unverified"), "danger"),
        ),
    )


def _signs_in(person: Any) -> rx.Component:
    return rx.el.span(
        rx.cond(
            person["has_password"].to(bool),
            rx.el.span(t("admin.people.password"), class_name="mr-1"),
        ),
        rx.el.span(person["providers"].to(str), class_name="capitalize"),
    )


def _age(person: Any) -> rx.Component:
    return rx.cond(
        person["is_age_verified"].to(bool),
        t("admin.people.age_told"),
        rx.el.span(t("admin.people.age_untold"), class_name="font-normal text-quiet"),
    )


def _balance(person: Any) -> rx.Component:
    held = person["held"].to(int)
    return rx.el.span(
        coins(person["balance"].to(int)),
        rx.cond(
            held > 0,
            rx.el.span(
                t("admin.people.held", count=held, shown=number(held)),
                class_name="block text-sm font-normal text-quiet",
            ),
        ),
    )


def _id(person: Any) -> rx.Component:
    return rx.el.span(
        person["id"].to(str), class_name="font-mono text-sm font-normal wrap-anywhere text-quiet"
    )


def _restrictions() -> rx.Component:
    """What holds this person now, in the words that they read."""
    return rx.cond(
        PeopleDeskState.restrictions,
        rx.el.ul(
            rx.foreach(PeopleDeskState.restrictions, _restriction),
            class_name="grid gap-3",
        ),
    )


def _restriction(held: Any) -> rx.Component:
    return rx.el.li(
        rx.el.p(
            rx.el.strong(t(f"audit.values.{held['kind']}")),
            rx.el.span(date_and_time(held["at"].to(str)), class_name="tnum text-sm text-quiet"),
            class_name="flex flex-wrap items-baseline justify-between gap-x-4",
        ),
        rx.el.p(
            rx.cond(
                held["reason"].to(str) != "", held["reason"].to(str), t("restrictions.automatic")
            ),
            class_name="wrap-anywhere whitespace-pre-wrap",
        ),
        grounds_of(held),
        class_name="rounded-control border-l-2 border-danger bg-bg p-3",
    )


def _ways_on(person: Any) -> rx.Component:
    """What else is known stands elsewhere."""
    return rx.el.ul(
        rx.cond(
            person["company_card"].to(str) != "",
            rx.el.li(
                _way(
                    "building-2",
                    t("admin.case.acts_for", company=person["company"].to(str)),
                    person["company_card"],
                )
            ),
        ),
        rx.el.li(_way("shield-alert", t("admin.people.case"), person["case"])),
        rx.el.li(_way("receipt-text", t("admin.people.orders"), person["orders"])),
        rx.el.li(_way("scroll-text", t("admin.people.audit"), person["audit"])),
        class_name=f"grid {SECTION}",
    )


def _way(icon_name: str, words: Any, href: Any) -> rx.Component:
    return link(
        icon(icon_name, 18),
        words,
        href=href.to(str),
        class_name="inline-flex min-h-11 items-center gap-2",
    )


def _verification(person: Any) -> rx.Component:
    return rx.cond(
        person["is_verified"].to(bool),
        rx.fragment(),
        rx.el.section(
            rx.el.h3(t("admin.people.verification"), class_name="mb-2 text-base"),
            rx.el.p(t("admin.people.verification_text"), class_name="mb-4 text-quiet"),
            actions(
                button(
                    t("admin.people.send_verification"),
                    kind="ghost",
                    icon="mail",
                    on_click=PeopleDeskState.send_verification,
                )
            ),
            class_name=SECTION,
        ),
    )
