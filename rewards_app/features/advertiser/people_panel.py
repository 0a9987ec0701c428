"""Who acts for the company: its members, and for the owner the invitations."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.people_rules import Way
from rewards_app.features.advertiser.people_state import InvitationState, PeopleState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import badge, panel, skeleton
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import form, text_field
from rewards_app.ui.lists import each
from rewards_app.ui.markup import Text
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import date
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error

LEAVE = "leave-company"
_LIST = "divide-y divide-line"
_LINE = "flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"


def people_panel() -> rx.Component:
    return panel(
        rx.el.p(t("people.text"), class_name="mb-4 text-quiet"),
        rx.cond(
            PeopleState.is_loaded,
            rx.el.ul(each(PeopleState.members, _member), class_name=_LIST),
            rx.el.div(skeleton("row"), skeleton("row"), class_name="grid gap-3"),
        ),
        rx.cond(AdvertiserState.is_owner, rx.fragment(_invitations(), _invite())),
        title=t("people.title"),
    )


def _member(member: Any) -> rx.Component:
    name = name_of(member["name"].to(str))
    is_owner = member["role"].to(str) == "owner"
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                name,
                rx.cond(member["is_you"].to(bool), rx.el.span(" ", t("people.you"))),
                class_name="font-medium wrap-anywhere",
            ),
            rx.el.p(mail_address(member["email"]), class_name="text-sm wrap-anywhere text-quiet"),
            class_name="min-w-0 flex-[1_1_200px]",
        ),
        badge(
            rx.cond(is_owner, t("people.owner"), t("people.member")),
            tone="house",
        ),
        rx.cond(AdvertiserState.is_owner & ~is_owner, _removal(member)),
        rx.cond(member["is_you"].to(bool) & ~is_owner, _leaving()),
        class_name=_LINE,
    )


def _removal(member: Any) -> rx.Component:
    remove: Any = PeopleState.remove
    name = name_of(member["name"].to(str))
    dialog_id: Any = rx.Var.create("remove-") + member["id"].to(str)
    return rx.fragment(
        button(
            t("people.remove"),
            kind="danger",
            size="sm",
            opens=dialog_id,
            label_for_readers=t("people.remove_name", name=name),
        ),
        _question(
            dialog_id,
            t("people.remove_name", name=name),
            t("people.remove_text", name=name),
            t("people.remove"),
            remove(member["id"].to(str)),
        ),
    )


def _leaving() -> rx.Component:
    company = AdvertiserState.company
    return rx.fragment(
        button(t("people.leave"), kind="danger", size="sm", opens=LEAVE),
        _question(
            LEAVE,
            t("people.leave_title", company=company),
            t("people.leave_text", company=company),
            t("people.leave"),
            PeopleState.leave,
        ),
    )


def _question(dialog_id: Any, title: Text, text: Text, yes: Text, on_yes: Any) -> rx.Component:
    """Asks once more, in a dialog that the browser opens alone."""
    return dialog(
        rx.el.p(text),
        id=dialog_id,
        title=title,
        footer=rx.el.div(
            button(t("ui.cancel"), kind="ghost", closes=dialog_id),
            button(yes, kind="danger", closes=dialog_id, on_click=on_yes),
            class_name="flex flex-wrap justify-end gap-2",
        ),
        width=440,
    )


def _invitations() -> rx.Component:
    return rx.cond(
        PeopleState.invitations,
        rx.el.div(
            rx.el.h3(t("people.invitations"), class_name="mb-3 text-base"),
            rx.el.ul(each(PeopleState.invitations, _invitation), class_name=_LIST),
            class_name="mt-5 border-t border-line pt-5",
        ),
    )


def _invitation(invitation: Any) -> rx.Component:
    again: Any = PeopleState.invite_again
    withdraw: Any = PeopleState.withdraw
    invitation_id, email = invitation["id"].to(str), invitation["email"].to(str)
    return rx.el.li(
        rx.el.div(
            rx.el.p(mail_address(email), class_name="font-medium wrap-anywhere"),
            rx.el.p(
                rx.cond(
                    invitation["is_over"].to(bool),
                    t("people.over"),
                    t("people.until", date=date(invitation["until"].to(str))),
                ),
                class_name="text-sm text-quiet",
            ),
            class_name="min-w-0 flex-[1_1_200px]",
        ),
        button(
            t("people.again"),
            kind="ghost",
            size="sm",
            label_for_readers=t("people.again_to", email=email),
            on_click=again(invitation_id),
        ),
        button(
            t("people.withdraw"),
            kind="danger",
            size="sm",
            label_for_readers=t("people.withdraw_of", email=email),
            on_click=withdraw(invitation_id),
        ),
        class_name=_LINE,
    )


def _invite() -> rx.Component:
    return form(
        text_field(
            "colleague",
            t("people.colleague"),
            type_="email",
            autocomplete="off",
            hint=t("people.colleague_hint"),
            required=True,
            error=field_error(AppState.refusal, "colleague"),
        ),
        rx.el.div(
            button(
                t("people.invite"),
                kind="ghost",
                icon="user-plus",
                submits=True,
                busy=AppState.is_busy,
            ),
            class_name="flex justify-end",
        ),
        on_submit=PeopleState.invite,
        no_validate=True,
        key=PeopleState.invited,
        class_name="mt-5 border-t border-line pt-5",
    )


def invitation_above() -> rx.Component:
    """The card on a page that is about something else."""
    return rx.el.div(invitation_card(), class_name="mb-6 empty:hidden")


def invitation_card() -> rx.Component:
    """For who was asked to act for a company that is there already."""
    invitation: Any = InvitationState.invitation
    accept: Any = InvitationState.accept
    way, own = invitation["way"].to(str), invitation["own"].to(str)
    return rx.cond(
        invitation.contains("id"),
        banner(
            "info",
            t("people.invitation", company=invitation["company"].to(str)),
            rx.fragment(
                t("people.invitation_text", name=invitation["by"].to(str)),
                " ",
                _in_the_way(way, own),
            ),
            rx.cond(
                (way == Way.FREE.value) | (way == Way.LEAVES.value),
                button(
                    t("people.accept"),
                    busy=AppState.is_busy,
                    on_click=accept(invitation["id"].to(str)),
                ),
            ),
        ),
        rx.cond(
            InvitationState.has_link,
            banner("warning", t("people.no_invitation"), t("people.no_invitation_text")),
        ),
    )


def _in_the_way(way: Any, own: Any) -> Any:
    """What becomes of their own company, or why they cannot accept."""
    match: Any = rx.match
    return match(
        way,
        (Way.LEAVES.value, t("people.invitation_leaves", company=own)),
        (Way.WAITS.value, t("people.invitation_waits", company=own)),
        (Way.TAKEN.value, t("people.invitation_taken", company=own)),
        "",
    )
