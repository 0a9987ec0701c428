"""The first steps of a new player: what is done, what is next, and the moment of the last one."""

import reflex as rx

from rewards_app.core.routes import WATCH
from rewards_app.features.dashboard.start_rules import KEPT_AT, Step
from rewards_app.features.dashboard.start_state import FirstStepsState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import panel
from rewards_app.ui.confetti import Confetti
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Text, hidden_text
from rewards_app.ui.numbers import number

A_LITTLE = 80
"""Pieces of confetti: the large shower is for what was bought."""

_SIGN = "grid size-7 shrink-0 place-items-center rounded-full text-sm font-bold"
_STEP = "flex min-w-0 gap-3 border-t border-line py-4 first:border-t-0 first:pt-0 last:pb-0"
_IN_COLUMNS = (
    " lg:flex-col lg:border-t-0 lg:border-l lg:px-5 lg:py-0 lg:first:border-l-0 lg:first:pl-0"
    " lg:last:pr-0"
)


def first_steps() -> rx.Component:
    return rx.cond(
        FirstStepsState.are_shown,
        rx.fragment(_news(), rx.cond(FirstStepsState.next_step, _steps(), _finished())),
    )


def _news() -> rx.Component:
    """Always there beside the steps, so that their end is announced when it comes."""
    return rx.el.p(
        rx.cond(
            FirstStepsState.is_won,
            rx.fragment(t("home.steps.finished"), " ", t("home.steps.finished_text")),
        ),
        class_name="sr-only",
        role="status",
    )


def _steps() -> rx.Component:
    return panel(
        rx.el.ol(
            _step(1, Step.VERIFY, t("home.steps.verify_text")),
            _step(
                2,
                Step.WATCH,
                t("home.first_ad_text"),
                link_button(t("home.first_ad"), href=WATCH, icon="circle-play"),
            ),
            _step(
                3,
                Step.COINS,
                _worth(),
                link_button(t("home.steps.to_shop"), href="/shop", icon="shopping-bag"),
            ),
            class_name="grid lg:grid-cols-3",
        ),
        title=t("auth.steps.title"),
        aside=button(t("home.steps.skip"), kind="ghost", size="sm", on_click=FirstStepsState.skip),
        glows=True,
    )


def _step(place: int, step: Step, text: Text, way: rx.Component | None = None) -> rx.Component:
    is_done = FirstStepsState.done[step.value]
    is_next = rx.Var.create(FirstStepsState.next_step) == step.value
    return rx.el.li(
        rx.cond(is_done, _tick(), _number(place, is_next)),
        rx.el.div(
            rx.el.h3(
                t(f"auth.steps.{step.value}"),
                rx.cond(is_done, hidden_text(" · ", t("home.steps.done"))),
                class_name=rx.cond(is_done, "text-base text-quiet", "text-base"),
            ),
            rx.cond(is_done, None, rx.el.p(text, class_name="mt-0.5 text-sm text-quiet")),
            *([] if way is None else [rx.cond(is_next, rx.el.div(way, class_name=_WAY))]),
            class_name="min-w-0 flex-1",
        ),
        class_name=_STEP + _IN_COLUMNS,
        aria_current=rx.cond(is_next, "step", "false"),
    )


_WAY = "mt-3 grid sm:justify-start"


def _tick() -> rx.Component:
    return rx.el.span(icon("check", 18), class_name=f"{_SIGN} bg-good/9 text-good")


def _number(place: int, is_next: rx.Var[bool]) -> rx.Component:
    return rx.el.span(
        str(place),
        class_name=rx.cond(
            is_next, f"{_SIGN} bg-purple/16 text-lilac", f"{_SIGN} bg-raised text-quiet"
        ),
        aria_hidden="true",
    )


def _worth() -> rx.Var[str]:
    """What the coins take off that are there; before, what coins do."""
    balance = FirstStepsState.balance
    kept = number(KEPT_AT)
    return rx.cond(
        balance > 0,
        t("home.steps.worth", count=balance, shown=number(balance), kept=kept),
        t("home.steps.coins_text", kept=kept),
    )


def _finished() -> rx.Component:
    return panel(
        rx.cond(FirstStepsState.is_won, Confetti.create(pieces=A_LITTLE)),
        rx.el.div(
            icon("party-popper", 28, class_name="mt-0.5 text-lilac"),
            rx.el.div(
                rx.el.h2(t("home.steps.finished"), class_name="text-lg"),
                rx.el.p(t("home.steps.finished_text"), class_name="text-quiet"),
                class_name="min-w-0 flex-[1_1_220px]",
            ),
            button(t("home.steps.done"), kind="ghost", on_click=FirstStepsState.close),
            class_name="flex flex-wrap items-center gap-4",
        ),
        glows=True,
    )
