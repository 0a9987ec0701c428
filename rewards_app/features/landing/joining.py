"""The form by which visitors ask to be told, what it answers, and figures that are true.

Once the doors are open, the way in stands in the form's place.
Every part has its place before it has its words: nothing moves when they come.
"""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.landing.state import LandingState
from rewards_app.features.waitlist.letters import SIGN_UP
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.forms import CONTROL
from rewards_app.ui.icons import icon
from rewards_app.ui.kept import KeepsTyped
from rewards_app.ui.links import LINK, link
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import compact
from rewards_app.ui.refusal import Words

FIELD, NOTE = "waitlist-email", "waitlist-note"
FIGURES = ("players", "ads", "rewards")
_WAY = "inline-flex min-h-11 items-center"


def joining() -> rx.Component:
    return rx.el.div(
        # Each language has a page of its own.
        KeepsTyped.create(),
        rx.el.div(
            rx.cond(
                LandingState.are_open,
                _way_in(),
                rx.cond(LandingState.has_joined, _joined(), _form()),
            ),
            class_name=_PLACE,
            role="status",
        ),
        _figures(),
        rx.el.p(
            link(t("landing.for_companies"), href=f"{SIGN_UP}&type=company", class_name=_WAY),
            # The last one: where it goes the other stays in its place.
            rx.cond(
                LandingState.are_open,
                rx.fragment(),
                link(t("landing.join"), href=SIGN_UP, class_name=_WAY),
            ),
            class_name="flex flex-wrap gap-x-6",
        ),
    )


# Between phones and desks the picture stands beside it, and the button below its field.
_PLACE = "min-h-[11.5rem] max-w-[34rem] sm:max-md:min-h-[8.25rem] lg:min-h-[8.25rem]"
_FIELD_AND_BUTTON = (
    "flex flex-col gap-2 *:min-h-12 sm:max-md:flex-row sm:max-md:*:min-h-13 lg:flex-row"
    " lg:*:min-h-13"
)


def _way_in() -> rx.Component:
    return rx.el.div(
        rx.el.h2(t("waitlist.opened_title"), class_name="text-lg"),
        rx.el.div(link_button(t("landing.join"), href=SIGN_UP), class_name=_BUTTON_ALONE),
        class_name="grid gap-3",
    )


_BUTTON_ALONE = "flex *:min-h-12 *:flex-auto sm:*:min-h-13 sm:*:flex-none"


def _form() -> rx.Component:
    join: Any = LandingState.join
    return rx.el.form(
        rx.el.label(t("landing.your_email"), html_for=FIELD, class_name="sr-only"),
        rx.el.div(
            rx.el.input(
                name="email",
                type="email",
                auto_complete="email",
                placeholder=t("landing.your_email"),
                required=True,
                default_value=LandingState.mailed_to,
                # Whoever pressed for another address goes on here.
                auto_focus=rx.Var.create(LandingState.mailed_to) != "",
                class_name=f"{CONTROL} min-w-0 sm:max-md:flex-1 lg:flex-1",
                custom_attrs=attributes(
                    id=FIELD,
                    aria_invalid=rx.cond(AppState.refusal, "true", "false"),
                    aria_describedby=NOTE,
                ),
            ),
            # Its sign makes room for the one that turns: the button keeps its width.
            button(t("landing.join_waitlist"), icon="mail", submits=True, busy=AppState.is_busy),
            class_name=_FIELD_AND_BUTTON,
        ),
        _note(),
        on_submit=join,
        # The rules say what is wrong, in our words and in place.
        no_validate=True,
        # Sent before its script is alive, the browser itself sends nothing anywhere.
        method="dialog",
    )


def _note() -> rx.Component:
    """Always there, so that what comes into it is announced."""
    return rx.el.p(
        rx.cond(
            AppState.refusal,
            rx.el.span(
                icon("circle-alert", 16, class_name="mt-0.5"),
                rx.el.span(Words.create(says=AppState.refusal)),
                class_name="flex gap-1.5 font-medium text-danger",
            ),
            rx.el.span(t("landing.waitlist_note"), class_name="text-quiet"),
        ),
        class_name="mt-2.5 text-sm",
        custom_attrs=attributes(id=NOTE, aria_live="polite"),
    )


def _joined() -> rx.Component:
    use_another: Any = LandingState.use_another
    return rx.el.div(
        icon("circle-check", 28, class_name="mt-0.5 text-good"),
        rx.el.div(
            rx.el.h2(t("landing.joined_title"), class_name="text-lg"),
            rx.el.p(
                t("landing.joined_text", email=LandingState.mailed_to),
                " ",
                rx.el.button(
                    t("landing.use_another"),
                    type="button",
                    on_click=use_another,
                    class_name=f"target font-semibold {LINK}",
                ),
                class_name="mt-1 text-sm wrap-anywhere text-quiet",
            ),
            rx.el.p(t("waitlist.each_friend"), class_name="mt-1 text-sm text-quiet"),
            class_name="min-w-0",
        ),
        class_name="flex gap-3",
    )


def _figures() -> rx.Component:
    return rx.el.div(
        rx.cond(
            LandingState.are_counted,
            rx.cond(LandingState.figures, _shown(), rx.el.p(t("landing.no_figures"))),
        ),
        class_name="min-h-[4.5rem] text-sm text-quiet",
    )


def _shown() -> rx.Component:
    return rx.el.dl(
        *(_figure(name) for name in FIGURES),
        class_name="flex gap-7 max-sm:justify-between max-sm:gap-5",
    )


def _figure(name: str) -> rx.Component:
    count = LandingState.figures[name]
    return rx.el.div(
        rx.el.dt(t(f"landing.figure_{name}", count=count), class_name="order-1"),
        rx.el.dd(compact(count), class_name="tnum font-display text-xl/tight font-bold text-text"),
        # As wide as its longest word at least: none is broken in two.
        class_name="flex flex-col",
    )
