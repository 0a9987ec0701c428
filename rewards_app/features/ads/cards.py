"""The ads to choose from, each a card with what it is, how long it takes and what it earns."""

from typing import Any
from uuid import UUID

import reflex as rx
from reflex_base.event import no_args_event_spec, passthrough_event_spec

from rewards_app.core.state import AppState
from rewards_app.features.ads.report import report_button
from rewards_app.features.ads.rules import DAILY_LIMIT, LISTED_TIMES
from rewards_app.features.ads.state import WatchState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon, spinner
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import number, time
from rewards_app.ui.thumbnail import Thumbnail

SEEN_AT_ONCE = 4
"""Cards that stand above the fold: their pictures are fetched with the page."""

_GRID = "grid gap-3 sm:gap-4 sm:grid-cols-[repeat(auto-fill,minmax(min(100%,220px),1fr))]"
_CARD = (
    "relative grid min-w-0 overflow-hidden rounded-panel border border-line bg-panel"
    " hover:border-edge max-sm:grid-cols-[132px_minmax(0,1fr)] sm:grid-rows-[auto_1fr]"
)
_PICTURE = (
    "relative grid aspect-video place-items-center overflow-hidden bg-raised max-sm:m-3"
    " max-sm:mr-0 max-sm:self-start max-sm:rounded-control"
)
# The whole card is the button's target; only the flag lies above it.
_WATCH = (
    "inline-flex min-h-9 shrink-0 items-center justify-center gap-2 rounded-control border px-3"
    " py-1 text-sm font-semibold after:absolute after:inset-0 after:content-['']"
    " aria-busy:cursor-progress [&>.animate-spin]:hidden aria-busy:[&>.animate-spin]:inline-block"
    " aria-busy:[&>svg]:hidden max-sm:[&>svg]:hidden"
)
_READY = (
    "border-transparent bg-purple/12 text-lilac hover:bg-purple-strong hover:text-on-purple"
    " focus-visible:bg-purple-strong focus-visible:text-on-purple"
    " aria-busy:bg-purple-strong aria-busy:text-on-purple"
)
_LATER = "border-dashed border-edge text-quiet"


class AdStarts(rx.Component):
    """Around the cards: one press at a time, and a word when no answer comes."""

    library = "$/public/starts"
    tag = "AdStarts"

    answer: rx.Var[str]
    stage: rx.Var[str]
    on_start: rx.EventHandler[passthrough_event_spec(UUID, str)]
    on_refused: rx.EventHandler[no_args_event_spec]


def is_at_limit() -> rx.Var[bool]:
    return rx.Var.create(WatchState.ads_today) >= DAILY_LIMIT


def is_in_a_break() -> rx.Var[bool]:
    return ~is_at_limit() & (rx.Var.create(WatchState.break_ends_at) != "")


def ad_grid() -> rx.Component:
    """The ads, three times over; while they load, their places."""
    running: Any = WatchState.running
    notice: Any = AppState.notice
    answer = f"{WatchState.stage} {running['session_id']} {notice['id']}"
    return rx.cond(
        WatchState.is_loaded,
        rx.cond(
            WatchState.ads,
            AdStarts.create(
                rx.el.ul(*(_round(times) for times in range(LISTED_TIMES)), class_name=_GRID),
                answer=rx.Var.create(answer),
                stage=WatchState.stage,
                on_start=WatchState.start,
                on_refused=[WatchState.refresh, WatchState.renew],
            ),
            _no_ads(),
        ),
        rx.el.div(
            loading_line(),
            rx.el.div(*(_place() for _ in range(6)), class_name=_GRID),
            class_name="relative",
        ),
    )


def _round(times: int) -> rx.Component:
    def card(ad: Any, index: Any) -> rx.Component:
        is_first = (index < SEEN_AT_ONCE) if times == 0 else False
        return _card(ad, rx.cond(is_first, "eager", "lazy") if times == 0 else "lazy")

    return rx.foreach(WatchState.ads, card)


def _card(ad: Any, loading: Any) -> rx.Component:
    return rx.el.li(
        _picture(ad, loading),
        rx.el.div(
            rx.el.h3(ad["title"].to(str), class_name="text-base wrap-anywhere"),
            rx.el.p(
                rx.el.span(ad["advertiser"].to(str), class_name="min-w-0 wrap-anywhere"),
                rx.el.span(
                    icon("clock", 14),
                    t("watch.seconds", shown=number(ad["seconds"].to(int))),
                    class_name="tnum ml-auto inline-flex items-center gap-1 whitespace-nowrap",
                ),
                class_name="flex flex-wrap items-center gap-x-3 text-sm text-quiet",
            ),
            rx.el.div(
                coins(ad["reward"].to(int)),
                report_button(
                    ad["id"], ad["title"], class_name="relative z-1 -my-1 ml-auto sm:-mr-1"
                ),
                _watch_button(ad),
                class_name="mt-auto flex flex-wrap items-center gap-x-1 gap-y-1 pt-1",
            ),
            class_name="flex min-w-0 flex-col gap-1 p-3 sm:p-4",
        ),
        class_name=_CARD,
    )


def _picture(ad: Any, loading: Any) -> rx.Component:
    return rx.el.div(
        icon("clapperboard", 28, class_name="text-lilac"),
        rx.cond(
            ad["image_url"],
            Thumbnail.create(
                # One that cannot be shown hides itself, and must not hide the next one.
                key=ad["image_url"].to(str),
                src=ad["image_url"].to(str),
                loading=loading,
                class_name=rx.cond(
                    ad["kind"] == "banner",
                    "absolute inset-0 size-full bg-(--scene) object-contain",
                    "absolute inset-0 size-full object-cover",
                ),
            ),
        ),
        class_name=_PICTURE,
        aria_hidden="true",
    )


def _watch_button(ad: Any) -> rx.Component:
    """Where none can be watched now it says when; pressed all the same, the server explains."""
    label: Any = rx.cond(
        is_at_limit(),
        t("watch.tomorrow"),
        rx.cond(
            is_in_a_break(),
            t("watch.from_time", time=time(WatchState.break_ends_at)),
            t("watch.watch"),
        ),
    )
    is_later = is_at_limit() | is_in_a_break()
    return rx.el.button(
        spinner(16),
        icon("play", 16),
        label,
        type="button",
        class_name=rx.cond(is_later, f"{_WATCH} {_LATER}", f"{_WATCH} {_READY}"),
        custom_attrs=attributes(
            data_ad=ad["id"].to(str),
            aria_label=rx.Var.create(f"{label} {ad['title'].to(str)}"),
        ),
    )


def _no_ads() -> rx.Component:
    return empty_state(
        "clapperboard",
        t("watch.empty_title"),
        t("watch.empty_text"),
        button(t("watch.look_again"), kind="ghost", icon="refresh-cw", on_click=WatchState.load),
    )


def _place() -> rx.Component:
    """A card's place while the ads load."""
    return rx.el.div(
        rx.el.div(class_name=f"{_PICTURE} animate-pulse"),
        rx.el.div(
            skeleton("line"),
            skeleton("line", "w-2/3!"),
            skeleton("row", "mt-2 h-9!"),
            class_name="grid content-start gap-2 p-3 sm:p-4",
        ),
        class_name=_CARD,
        aria_hidden="true",
    )
