"""The dialog that an ad runs in: nobody can close it, and at its end coins fall."""

from typing import Any
from uuid import UUID

import reflex as rx
from reflex_base.event import no_args_event_spec, passthrough_event_spec

from rewards_app.features.ads.frame import LIBRARY, framed
from rewards_app.features.ads.report import report_button
from rewards_app.features.ads.state import REWARDED, WatchState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coin, coins
from rewards_app.ui.overlays import dialog

FALLING_COINS = 18


class AdClock(rx.Component):
    """Counts what is watched, and tells when the ad is hidden, left or over."""

    library = LIBRARY
    tag = "AdClock"

    running: rx.Var[dict[str, Any]]
    stage: rx.Var[str]
    on_pause: rx.EventHandler[passthrough_event_spec(UUID)]
    on_resume: rx.EventHandler[passthrough_event_spec(UUID)]
    on_leave: rx.EventHandler[passthrough_event_spec(UUID)]
    on_finish: rx.EventHandler[passthrough_event_spec(UUID, int)]
    on_ask_again: rx.EventHandler[passthrough_event_spec(UUID, int)]
    on_ended: rx.EventHandler[no_args_event_spec]
    on_close: rx.EventHandler[no_args_event_spec]


class SavingLine(rx.Component):
    library = LIBRARY
    tag = "SavingLine"

    text: rx.Var[str]


class LeftEnd(rx.Component):
    """Reports an end that nobody had answered when its page was left, until somebody does.

    An ad that begins after its page was left is given up.
    """

    library = "$/public/left_end"
    tag = "LeftEnd"

    running: rx.Var[dict[str, Any]]
    stage: rx.Var[str]
    on_leave: rx.EventHandler[passthrough_event_spec(UUID)]
    on_ask_again: rx.EventHandler[passthrough_event_spec(UUID, int)]
    on_close: rx.EventHandler[no_args_event_spec]


def left_end() -> rx.Component:
    """Beside every page: players go on while our answer is late."""
    running: Any = WatchState.running
    return LeftEnd.create(
        running=running,
        stage=WatchState.stage,
        on_leave=WatchState.leave,
        on_ask_again=WatchState.ask_again,
        on_close=WatchState.close,
    )


def player() -> rx.Component:
    is_rewarded = rx.Var.create(WatchState.stage) == REWARDED
    running: Any = WatchState.running
    return AdClock.create(
        dialog(
            rx.cond(is_rewarded, _reward(), rx.cond(running, _running_ad(running))),
            id="ad-player",
            title=rx.cond(is_rewarded, t("watch.completed"), running["title"].to(str)),
            open=rx.Var.create(WatchState.stage) != "",
            is_pinned=True,
            width=760,
            flush=True,
        ),
        running=running,
        stage=WatchState.stage,
        on_pause=WatchState.pause,
        on_resume=WatchState.resume,
        on_leave=WatchState.leave,
        on_finish=WatchState.finish,
        on_ask_again=WatchState.ask_again,
        on_ended=WatchState.refresh,
        on_close=WatchState.close,
    )


def _running_ad(ad: Any) -> rx.Component:
    return framed(
        ad,
        report_button(ad["ad_id"], ad["title"], with_text=True),
        news=SavingLine.create(text=t("watch.saving")),
    )


def _reward() -> rx.Component:
    return rx.el.div(
        _falling_coins(),
        coin(72),
        coins(WatchState.earned, is_change=True, with_unit=True, class_name=_LARGE),
        rx.el.p(
            rx.cond(WatchState.is_first, t("watch.first_coins"), t("watch.won")),
            class_name="text-quiet",
        ),
        class_name=(
            "relative isolate grid min-h-[420px] place-content-center justify-items-center gap-4"
            " overflow-hidden p-6 text-center"
        ),
    )


_LARGE = (
    "[&>.coin]:hidden [&>span>span]:text-lg [&>span>span:first-child]:font-display"
    " [&>span>span:first-child]:text-3xl [&>span>span:first-child]:font-bold"
)


def _falling_coins() -> rx.Component:
    return rx.el.div(
        *(rx.el.span(class_name="coin", style=_fall(number)) for number in range(FALLING_COINS)),
        class_name="burst",
        aria_hidden="true",
    )


def _fall(number: int) -> dict[str, str]:
    """Spread without chance; the last coin has fallen after two and a half seconds."""
    return {
        "--from": f"{4 + number * 57 % 92}%",
        "--size": f"{18 + number * 7 % 17}px",
        "--after": f"{number * 5 % FALLING_COINS * 70}ms",
        "--takes": f"{1300 + number * 130 % 300}ms",
    }
