"""One person: what is known, where they are signed in, and the decisions on role and sessions."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.state import AppState
from rewards_app.features.accounts.role_rules import LONGEST_REASON, SHORTEST_REASON
from rewards_app.features.admin.parts import or_none
from rewards_app.features.admin.people_state import EVERY_SESSION, PeopleDeskState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import facts, status
from rewards_app.ui.forms import actions, form, select_field, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import ago, date_and_time, number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal

_SECTION = "border-t border-line pt-5"


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
                _sessions(person),
                _role(person),
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
        class_name="rounded-control border-l-2 border-danger bg-bg p-3",
    )


def _ways_on(person: Any) -> rx.Component:
    """What else is known stands elsewhere."""
    return rx.el.ul(
        rx.el.li(_way("shield-alert", t("admin.people.case"), person["case"])),
        rx.el.li(_way("receipt-text", t("admin.people.orders"), person["orders"])),
        rx.el.li(_way("scroll-text", t("admin.people.audit"), person["audit"])),
        class_name=f"grid {_SECTION}",
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
            class_name=_SECTION,
        ),
    )


def _sessions(person: Any) -> rx.Component:
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
        class_name=_SECTION,
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
        max_length=LONGEST_REASON,
        field_id=field_id,
    )


def _role(person: Any) -> rx.Component:
    return rx.el.section(
        rx.el.h3(t("admin.people.role"), class_name="mb-2 text-base"),
        rx.cond(
            person["is_self"].to(bool),
            rx.el.p(t("errors.roles.own"), class_name="text-quiet"),
            _new_role(person),
        ),
        class_name=_SECTION,
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
            rx.fragment(
                rx.el.p(
                    rx.cond(
                        is_other,
                        t(f"admin.people.role_means.{PeopleDeskState.chosen_role}", name=name),
                        t("admin.people.stays", name=name),
                    ),
                    " ",
                    t("admin.people.role_follows"),
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
            ),
        ),
        on_submit=PeopleDeskState.change_role,
        class_name="wrap-anywhere",
    )
