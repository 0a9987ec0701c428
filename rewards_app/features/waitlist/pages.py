"""Where the link in the mail leads: on the list, the place in line, and a link for friends."""

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE
from rewards_app.core.page import Page
from rewards_app.core.state import AppState, is_member
from rewards_app.features.waitlist.letters import SIGN_UP
from rewards_app.features.waitlist.links import PAGE
from rewards_app.features.waitlist.page_state import WaitingState
from rewards_app.features.waitlist.rules import FRIENDS_THAT_MOVE
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import panel
from rewards_app.ui.copying import copyable
from rewards_app.ui.dead_ends import dead_end_words
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import number
from rewards_app.ui.opening import opening
from rewards_app.ui.sharing import share_button

_PLACE = "mx-auto w-full max-w-[620px]"
"""The frame of members keeps its distance itself."""


def waiting() -> rx.Component:
    return rx.el.div(
        panel(
            rx.match(
                WaitingState.stage,
                ("waits", _place()),
                ("opened", _opened()),
                ("over", _over()),
                opening(AppState.refusal),
            ),
            glows=True,
        ),
        class_name=rx.cond(is_member(), _PLACE, f"{_PLACE} px-4 py-8 sm:py-12"),
    )


_HEADING = "text-2xl text-balance"


def _place() -> rx.Component:
    here, all_of_them = WaitingState.number, WaitingState.of
    return rx.fragment(
        rx.el.div(
            icon("circle-check", 32, class_name="text-good"),
            rx.el.h1(t("waitlist.title"), class_name=f"mt-3 {_HEADING}"),
            rx.el.p(
                t("waitlist.place", shown=number(here), of=number(all_of_them)),
                class_name="tnum mt-2 text-lg",
            ),
            rx.el.p(t("waitlist.text"), class_name="mt-2 text-quiet"),
            role="status",
        ),
        rx.el.section(
            rx.el.h2(t("waitlist.friends_title"), class_name="text-lg"),
            rx.el.p(t("waitlist.ahead", days=FRIENDS_THAT_MOVE), class_name="mt-1.5 text-quiet"),
            _own_link(),
            rx.el.p(_friends(), class_name="tnum mt-4"),
            class_name="mt-6 border-t border-line pt-5",
        ),
    )


def _own_link() -> rx.Component:
    return rx.el.div(
        copyable(
            WaitingState.own_link,
            t("waitlist.copy_link"),
            "min-h-11 rounded-control border border-line bg-bg py-1 pr-1 pl-3.5",
        ),
        share_button(t("waitlist.share_text"), WaitingState.own_link, t("waitlist.share")),
        class_name="mt-4 flex flex-wrap items-center gap-3",
    )


def _friends() -> rx.Var[str]:
    friends = WaitingState.friends
    return rx.cond(  # pyright: ignore[reportReturnType]
        friends > 0,
        t("waitlist.friends", count=friends, shown=number(friends)),
        t("waitlist.no_friends"),
    )


def _opened() -> rx.Component:
    return rx.el.div(
        icon("circle-check", 32, class_name="text-good"),
        rx.el.h1(t("waitlist.opened_title"), class_name=f"mt-3 mb-5 {_HEADING}"),
        rx.cond(
            is_member(),
            rx.fragment(),
            rx.el.p(t("waitlist.opened_text"), class_name="-mt-3 mb-5 text-quiet"),
        ),
        _way_on(link_button(t("waitlist.opened_action"), href=SIGN_UP)),
        role="status",
    )


def _over() -> rx.Component:
    return rx.el.div(
        dead_end_words(
            "link-2-off",
            t("waitlist.over_title"),
            rx.cond(is_member(), rx.fragment(), t("waitlist.over_text")),
            _way_on(link_button(t("waitlist.to_form"), href="/")),
        ),
        role="status",
    )


def _way_on(link: rx.Component) -> rx.Component:
    """Who is signed in has their account, and goes home."""
    return rx.cond(is_member(), link_button(t("waitlist.to_home"), href="/"), link)


def _no_robots() -> list[rx.Component]:
    return [rx.el.meta(name="robots", content="noindex")]


PAGES = [
    Page(
        PAGE,
        waiting,
        "waitlist.page_title",
        visitors=True,
        roles=EVERY_ROLE,
        on_load=[WaitingState.open],
        even_suspended=True,
        head=_no_robots,
    )
]
