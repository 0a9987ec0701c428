"""Who somebody is: name, handle, member since, rank and level; their own with what they edit."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.coins.rules import COINS_PER_LEVEL
from rewards_app.features.profile.player_state import PATH, QUERY
from rewards_app.features.profile.state import ProfileState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.faces import LARGE, face
from rewards_app.ui.feedback import progress
from rewards_app.ui.forms import actions, checkbox, form, form_row, text_field, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import date, number
from rewards_app.ui.refusal import field_error, other_refusal

OWN = ProfileState.profile


def info_card() -> rx.Component:
    return panel(
        rx.cond(
            OWN,
            rx.el.div(
                rx.cond(ProfileState.is_editing, _editing(), _shown()),
                _level(),
                _visibility(),
                class_name="grid gap-5",
            ),
            _loading(),
        ),
        glows=True,
    )


def _loading() -> rx.Component:
    """As tall as what comes: games and achievements stand below."""
    return rx.el.div(
        rx.el.div(
            skeleton("avatar", "size-20"),
            rx.el.div(skeleton("title"), skeleton("line", "mt-3"), class_name="min-w-0 flex-1"),
            class_name="flex h-[235px] items-start gap-5 sm:h-[118px]",
        ),
        skeleton("line", "h-[71px] sm:h-[45px]"),
        skeleton("line", "h-[150px] sm:h-[113px]"),
        class_name="grid gap-5",
    )


def who(
    known: Any, name: Any, handle: Any, *facts: Child, action: Child | None = None
) -> rx.Component:
    """The head of a profile; on a phone its action stands below the name."""
    return rx.el.div(
        face(known, LARGE),
        rx.el.div(
            rx.el.h1(name, class_name="text-2xl wrap-anywhere"),
            rx.cond(handle, rx.el.p(f"@{handle}", class_name="text-quiet wrap-anywhere")),
            class_name="min-w-0 flex-[1_1_180px]",
        ),
        *([] if action is None else [rx.el.div(action, class_name="grid max-sm:w-full")]),
        rx.el.ul(
            *(rx.el.li(one, class_name="min-w-0") for one in facts),
            class_name="flex w-full min-w-0 flex-wrap gap-x-5 gap-y-1 text-quiet",
        ),
        class_name="flex flex-wrap items-center gap-x-5 gap-y-3",
    )


def fact(sign: str, *words: Child) -> rx.Component:
    return rx.el.span(
        icon(sign, 18, class_name="mt-0.5"),
        rx.el.span(*words, class_name="tnum min-w-0 wrap-anywhere"),
        class_name="inline-flex min-w-0 gap-2",
    )


def _shown() -> rx.Component:
    rank: Any = rx.Var.create(ProfileState.rank)
    return who(
        OWN["face"],
        OWN["display_name"].to(str),
        rx.cond(OWN["handle"], OWN["handle"].to(str), OWN["username"].to(str)).to(str),  # pyright: ignore
        fact("mail", AppState.email),
        fact(
            "calendar-days",
            t("profile.member_since", date=date(OWN["member_since"].to(str))),
        ),
        fact(
            "trophy",
            rx.cond(
                rank > 0,
                t(
                    "profile.current_rank",
                    rank=number(rank),
                    shown=number(ProfileState.ranked),
                ),
                t("profile.no_rank"),
            ),
        ),
        action=button(t("profile.edit"), icon="pencil", on_click=ProfileState.edit),
    )


def _editing() -> rx.Component:
    refusal = AppState.refusal
    return form(
        rx.el.h1(t("profile.edit"), class_name="text-2xl"),
        form_row(
            text_field(
                "display_name",
                t("profile.display_name"),
                default_value=OWN["display_name"].to(str),
                autocomplete="nickname",
                required=True,
                hint=t("profile.display_name_hint"),
                error=field_error(refusal, "display_name"),
            ),
            text_field(
                "username",
                t("profile.username"),
                default_value=OWN["username"].to(str),
                hint=t("profile.stays"),
                read_only=True,
                autocomplete="off",
            ),
        ),
        text_field(
            "email",
            t("profile.email"),
            default_value=AppState.email,
            read_only=True,
            hint=t("profile.email_hint"),
            autocomplete="off",
        ),
        textarea_field(
            "bio",
            t("profile.your_bio"),
            default_value=OWN["bio"].to(str),
            hint=t("profile.bio_hint"),
            error=field_error(refusal, "bio"),
        ),
        other_refusal(refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=ProfileState.cancel),
            button(t("profile.save"), submits=True, busy=AppState.is_busy),
        ),
        on_submit=ProfileState.save,
        no_validate=True,
    )


def _level() -> rx.Component:
    level: Any = OWN["level"].to(int)
    into = OWN["into_level"].to(int)
    words = t(
        "home.to_next_level",
        done=number(into),
        all=number(COINS_PER_LEVEL),
        level=number(level + 1),
    )
    return rx.el.div(
        rx.el.p(
            t("profile.level", level=number(level)), class_name="font-display text-lg font-bold"
        ),
        progress(into, COINS_PER_LEVEL, words, class_name="min-w-[min(100%,200px)] flex-1"),
        rx.el.p(words, class_name="tnum text-quiet"),
        class_name="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-4",
    )


def _visibility() -> rx.Component:
    """What the switch means, on and off, and how others see this."""
    is_public: Any = OWN["is_public"].to(bool)
    return rx.el.div(
        checkbox(
            "is_public",
            t("profile.public"),
            checked=is_public,
            on_change=ProfileState.open_or_close,
            hint=rx.cond(  # pyright: ignore
                OWN["waits_for_guardian"].to(bool),
                t("profile.public_waits"),
                rx.cond(is_public, t("profile.public_on"), t("profile.public_off")),
            ).to(str),
            disabled=OWN["waits_for_guardian"].to(bool),
            is_switch=True,
        ),
        rx.cond(
            OWN["handle"],
            rx.el.div(
                link_button(
                    t("profile.as_others_see_it"),
                    href=f"{PATH}?{QUERY}={OWN['handle'].to(str)}",
                    kind="ghost",
                    size="sm",
                    icon="eye",
                ),
                class_name="mt-2",
            ),
        ),
        class_name="border-t border-line pt-3",
    )
