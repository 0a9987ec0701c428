"""What is decided on one person: where they are signed in, and their role."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.state import AppState
from rewards_app.features.accounts.role_rules import SHORTEST_REASON
from rewards_app.features.admin.people_state import EVERY_SESSION, PeopleDeskState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import status
from rewards_app.ui.forms import actions, form, select_field, textarea_field
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import ago, date_and_time
from rewards_app.ui.refusal import field_error, other_refusal

SECTION = "border-t border-line pt-5"


def sessions(person: Any) -> rx.Component:
    ask: Any = PeopleDeskState.ask_to_end
    return rx.el.section(
        rx.el.h3(t("admin.people.sessions"), class_name="mb-2 text-base"),
        rx.cond(
            PeopleDeskState.sessions,
            rx.fragment(
                rx.el.ul(rx.foreach(PeopleDeskState.sessions, _session)),
                rx.cond(
                    PeopleDeskState.ending != "",
                    _ending(person),
                    actions(
                        button(
                            t("admin.people.end_all"), kind="danger", on_click=ask(EVERY_SESSION)
                        )
                    ),
                ),
            ),
            rx.el.p(t("admin.people.no_sessions"), class_name="text-quiet"),
        ),
        class_name=SECTION,
    )


def _session(known: Any) -> rx.Component:
    ask: Any = PeopleDeskState.ask_to_end
    device = rx.cond(
        known["device"].to(str) != "", known["device"].to(str), t("admin.people.unknown_device")
    )
    return rx.el.li(
        rx.el.span(
            rx.el.span(device, class_name="block font-medium wrap-anywhere"),
            rx.el.span(
                t(
                    "admin.people.session_times",
                    since=date_and_time(known["since"].to(str)),
                    active=ago(known["active"].to(str)),
                ),
                class_name="block text-sm text-quiet",
            ),
            class_name="min-w-0 flex-[1_1_220px]",
        ),
        rx.cond(
            known["is_own"].to(bool),
            status(t("admin.people.this_session"), "action"),
            button(
                t("admin.people.end"),
                kind="danger",
                size="sm",
                on_click=ask(known["id"].to(str)),
                label_for_readers=rx.Var.create(f"{t('admin.people.end')}: {device}"),
            ),
        ),
        class_name="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2.5",
    )


def _ending(person: Any) -> rx.Component:
    """What it does comes before it can be decided on."""
    ask: Any = PeopleDeskState.ask_to_end
    name = name_of(person["name"].to(str))
    return form(
        rx.el.p(
            rx.cond(
                PeopleDeskState.ending == EVERY_SESSION,
                t("admin.people.end_all_means", name=name),
                t("admin.people.end_means", name=name),
            )
        ),
        _reason("ending-reason"),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=ask("")),
            button(
                rx.cond(
                    PeopleDeskState.ending == EVERY_SESSION,
                    t("admin.people.end_all"),
                    t("admin.people.end_this"),
                ),
                kind="danger",
                submits=True,
                busy=AppState.is_busy,
            ),
        ),
        on_submit=PeopleDeskState.end_sessions,
        class_name="mt-3 rounded-control border border-line bg-bg p-4 wrap-anywhere",
    )


def _reason(field_id: str) -> rx.Component:
    return textarea_field(
        "reason",
        t("admin.people.reason"),
        rows=2,
        hint=t("admin.people.reason_hint"),
        error=field_error(AppState.refusal, "reason"),
        required=True,
        min_length=SHORTEST_REASON,
        field_id=field_id,
    )


def birth_date(person: Any) -> rx.Component:
    """What is told once, and was mistyped: its owner tells it anew."""
    return rx.el.section(
        rx.el.h3(t("admin.people.age"), class_name="mb-2 text-base"),
        form(
            rx.el.p(
                t("admin.people.ask_age_means", name=name_of(person["name"].to(str))),
                class_name="text-quiet",
            ),
            _reason("age-reason"),
            other_refusal(AppState.refusal),
            actions(
                button(
                    t("admin.people.ask_age"), kind="danger", submits=True, busy=AppState.is_busy
                )
            ),
            on_submit=PeopleDeskState.ask_birth_date,
            class_name="wrap-anywhere",
        ),
        class_name=SECTION,
    )


def role(person: Any) -> rx.Component:
    return rx.el.section(
        rx.el.h3(t("admin.people.role"), class_name="mb-2 text-base"),
        rx.cond(
            person["is_self"].to(bool),
            rx.el.p(t("errors.roles.own"), class_name="text-quiet"),
            _new_role(person),
        ),
        class_name=SECTION,
    )


def _new_role(person: Any) -> rx.Component:
    """The consequence of what is chosen, then why, then the decision."""
    name = name_of(person["name"].to(str))
    is_asked = person["asked_for_admin"].to(bool)
    is_other = PeopleDeskState.chosen_role != person["role"].to(str)
    return form(
        rx.cond(is_asked, rx.el.p(t("admin.people.asked_text", name=name))),
        select_field(
            "role",
            t("admin.people.new_role"),
            [(role.value, t(f"roles.{role}")) for role in Role],
            value=PeopleDeskState.chosen_role,
            on_change=PeopleDeskState.choose_role,
        ),
        rx.cond(
            is_other | is_asked,
            _decision(name, is_other),
        ),
        on_submit=PeopleDeskState.change_role,
        class_name="wrap-anywhere",
    )


def _decision(name: Any, is_other: Any) -> rx.Component:
    return rx.fragment(
        rx.el.p(
            rx.cond(
                is_other,
                t(f"admin.people.role_means.{PeopleDeskState.chosen_role}", name=name),
                t("admin.people.stays", name=name),
            ),
            rx.cond(is_other, rx.fragment(" ", t("admin.people.role_follows"))),
        ),
        _reason("role-reason"),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", closes="person"),
            button(
                rx.cond(
                    is_other,
                    t(
                        "admin.people.change_role",
                        role=t(f"roles.{PeopleDeskState.chosen_role}"),
                    ),
                    t("admin.people.decline"),
                ),
                kind="danger",
                submits=True,
                busy=AppState.is_busy,
            ),
        ),
    )
