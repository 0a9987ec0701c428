"""What somebody sees before they have an approved company: form, waiting, rejection."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.advertiser.application_state import ApplicationState
from rewards_app.features.advertiser.company_fields import company_fields, other_refusal
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.people_panel import invitation_above, invitation_card
from rewards_app.features.advertiser.people_state import InvitationState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, facts, page_head, panel, skeleton
from rewards_app.ui.forms import actions, form
from rewards_app.ui.icons import icon_tile
from rewards_app.ui.markup import Child, Handler
from rewards_app.ui.overlays import dialog

WITHDRAWAL = "withdraw-application"
STEPS = (("apply", "file-pen-line"), ("review", "shield-check"), ("run", "megaphone"))


def application() -> rx.Component:
    return rx.fragment(
        page_head(t("home.welcome", name=AppState.name), t("advertiser.apply_text")),
        rx.el.div(
            invitation_card(),
            rx.el.div(_form(t("advertiser.apply_title")), _steps(), class_name=_COLUMNS),
            class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
        ),
    )


_COLUMNS = "grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_336px]"


def _form(title: rx.Var[str]) -> rx.Component:
    send = button(t("advertiser.apply"), submits=True, busy=AppState.is_busy)
    return _sent_by(title, ApplicationState.apply, send)


def _sent_by(title: rx.Var[str], on_submit: Handler, *buttons: Child) -> rx.Component:
    return panel(
        rx.cond(
            ApplicationState.typed,
            form(
                company_fields(ApplicationState.typed),
                other_refusal(),
                actions(*buttons),
                on_submit=on_submit,
                no_validate=True,
            ),
            rx.el.div(
                skeleton("row", "h-[93px]"),
                skeleton("row", "h-[112px] sm:h-[93px]"),
                skeleton("row", "h-[153px] sm:h-[69px]"),
                skeleton("row", "h-11"),
                class_name="grid gap-4",
            ),
        ),
        title=title,
    )


def _steps() -> rx.Component:
    return panel(
        rx.el.ol(*(_step(*step) for step in STEPS), class_name="grid gap-5"),
        title=t("advertiser.steps"),
    )


def _step(name: str, icon_name: str) -> rx.Component:
    return rx.el.li(
        icon_tile(icon_name, "text-lilac"),
        rx.el.div(
            rx.el.p(t(f"advertiser.step_{name}"), class_name="font-semibold"),
            rx.el.p(
                t(f"advertiser.step_{name}_text", email=AppState.email),
                class_name="text-sm wrap-anywhere text-quiet",
            ),
            class_name="min-w-0",
        ),
        class_name="flex gap-4",
    )


def under_review() -> rx.Component:
    return rx.fragment(
        invitation_above(), rx.cond(ApplicationState.is_again, _correction(), _waiting())
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        empty_state(
            "hourglass",
            t("advertiser.under_review"),
            t("advertiser.under_review_text", company=AdvertiserState.company),
            is_whole_page=True,
        ),
        rx.cond(AdvertiserState.is_owner & _is_known(), _sent()),
        class_name="grid gap-6",
    )


def _is_known() -> Any:
    typed: Any = ApplicationState.typed
    return typed.contains("email")


def _sent() -> rx.Component:
    """What an admin reads: the answer goes to this address."""
    known: Any = ApplicationState.typed
    fields = ("company_name", "email", "phone", "website")
    return panel(
        facts(*((t(f"advertiser.sent.{name}"), _or_nothing(known[name])) for name in fields)),
        rx.el.div(
            button(
                t("advertiser.correct"),
                kind="ghost",
                icon="pencil",
                on_click=ApplicationState.begin_again,
            ),
            _withdrawal(),
            class_name="mt-5 flex flex-wrap gap-2 max-sm:*:flex-auto",
        ),
        title=t("advertiser.sent_title"),
        class_name="mx-auto w-full max-w-[640px]",
    )


def _or_nothing(known: Any) -> rx.Component:
    return rx.el.span(rx.cond(known.to(str) == "", "–", known.to(str)), class_name="wrap-anywhere")


def _withdrawal() -> rx.Component:
    return rx.fragment(
        button(t("advertiser.withdraw"), kind="danger", opens=WITHDRAWAL),
        dialog(
            rx.el.p(t("advertiser.withdraw_text", company=AdvertiserState.company)),
            id=WITHDRAWAL,
            title=t("advertiser.withdraw_title"),
            footer=rx.el.div(
                button(t("ui.cancel"), kind="ghost", closes=WITHDRAWAL),
                button(
                    t("advertiser.withdraw"),
                    kind="danger",
                    closes=WITHDRAWAL,
                    on_click=ApplicationState.withdraw,
                ),
                class_name="flex flex-wrap justify-end gap-2",
            ),
            width=440,
        ),
    )


def _correction() -> rx.Component:
    return rx.fragment(
        page_head(t("advertiser.correct_title"), t("advertiser.correct_text")),
        rx.el.div(
            _sent_by(
                t("advertiser.sent_title"),
                ApplicationState.correct,
                button(t("ui.cancel"), kind="ghost", on_click=ApplicationState.leave_as_it_is),
                button(t("advertiser.send_correction"), submits=True, busy=AppState.is_busy),
            ),
            _steps(),
            class_name=_COLUMNS,
        ),
    )


def rejected() -> rx.Component:
    return rx.fragment(invitation_above(), _rejection())


def _rejection() -> rx.Component:
    return rx.cond(
        ApplicationState.is_again,
        rx.fragment(
            page_head(t("advertiser.apply_again"), t("advertiser.rejected_text")),
            rx.el.div(_form(t("advertiser.apply_title")), _reason(), class_name=_COLUMNS),
        ),
        empty_state(
            "circle-x",
            t("advertiser.rejected"),
            rx.fragment(
                t("advertiser.rejected_text"),
                rx.cond(
                    AdvertiserState.reason,
                    rx.el.span(
                        t("advertiser.rejected_reason", reason=AdvertiserState.reason),
                        class_name="mt-2 block wrap-anywhere text-text",
                    ),
                ),
            ),
            rx.cond(AdvertiserState.is_owner, _apply_again()),
            is_whole_page=True,
        ),
    )


def _apply_again() -> rx.Component:
    """Accepting comes first where somebody has invited them."""
    invitation: Any = InvitationState.invitation
    words, begin = t("advertiser.apply_again"), ApplicationState.begin_again
    return rx.cond(
        invitation.contains("id"),
        button(words, kind="ghost", on_click=begin),
        button(words, on_click=begin),
    )


def _reason() -> rx.Component:
    return panel(
        rx.el.p(AdvertiserState.reason, class_name="wrap-anywhere"),
        title=t("advertiser.reason_title"),
    )
