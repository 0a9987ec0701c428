"""A player's own day: ads, coins, level, and the next ad."""

import reflex as rx

from rewards_app.core.routes import WATCH
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.coins.rules import COINS_PER_LEVEL
from rewards_app.features.dashboard.start_rules import Step
from rewards_app.features.dashboard.start_state import FirstStepsState
from rewards_app.features.dashboard.state import OwnDayState
from rewards_app.i18n.page_text import t
from rewards_app.ui.bars import STATEMENT
from rewards_app.ui.brand import coin_figure
from rewards_app.ui.buttons import Kind, link_button
from rewards_app.ui.cards import key_figure, key_figures, panel, skeleton
from rewards_app.ui.ends_later import EndsLater
from rewards_app.ui.feedback import progress
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import counting, number, time

DAY = OwnDayState.day


def own_day(*, leads_to_ads: bool) -> rx.Component:
    return panel(
        rx.cond(DAY, _known(leads_to_ads=leads_to_ads), _loading(leads_to_ads=leads_to_ads)),
        title=t("home.your_day"),
        aside=link(t("home.statement"), href=STATEMENT, class_name="target"),
        glows=True,
    )


def _known(*, leads_to_ads: bool) -> rx.Component:
    return rx.el.div(
        key_figures(
            key_figure(t("home.ads"), _ads()),
            key_figure(t("home.coins_today"), coin_figure(number(DAY["coins_today"]))),
            key_figure(t("home.total"), coin_figure(counting(DAY["total"]))),
            key_figure(t("home.level"), number(DAY["level"])),
        ),
        _level(),
        *([_unless_said_above(_next_now())] if leads_to_ads else []),
        EndsLater.create(
            ends_at=OwnDayState.rests_until,
            ends_in=OwnDayState.rests_for,
            on_over=OwnDayState.refresh,
        ),
        class_name="grid gap-5",
    )


def _loading(*, leads_to_ads: bool) -> rx.Component:
    """As tall as what comes."""
    return rx.el.div(
        skeleton("tile", "h-[165px] min-[700px]:h-[84px]"),
        skeleton("line", "h-[35px] sm:h-6"),
        *([_unless_said_above(skeleton("line", "h-11"))] if leads_to_ads else []),
        class_name="grid gap-5",
    )


def _ads() -> rx.Component:
    return rx.el.span(
        number(DAY["ads_today"]),
        rx.el.span(
            " ",
            t("home.of_limit", limit=number(DAILY_LIMIT)),
            class_name="font-sans text-sm font-normal text-quiet",
        ),
    )


def _level() -> rx.Component:
    into, level = DAY["into_level"], DAY["level"]
    words = t(
        "home.to_next_level",
        done=number(into),
        all=number(COINS_PER_LEVEL),
        level=number(level + 1),
    )
    return rx.el.div(
        progress(into, COINS_PER_LEVEL, words, class_name="sm:flex-1"),
        rx.el.span(words, class_name="tnum text-quiet"),
        class_name="grid items-center gap-x-4 gap-y-1 sm:flex",
    )


def _unless_said_above(what: rx.Component) -> rx.Component:
    """First steps that lead to the ads say so themselves."""
    return rx.cond(FirstStepsState.next_step == Step.WATCH.value, rx.fragment(), what)


def _next_now() -> rx.Component:
    """One filled button a page: that of the first steps, as long as there are some."""
    return rx.cond(FirstStepsState.next_step == "", _next("primary"), _next("ghost"))


def _next(kind: Kind) -> rx.Component:
    """The one thing to do now: the first ad, the next one, or nothing until later or tomorrow."""
    return rx.cond(
        DAY["left_today"] == 0,
        rx.el.p(
            icon("circle-check", class_name="mt-px text-good"),
            t("home.limit_reached"),
            class_name="flex gap-2 font-medium",
        ),
        rx.cond(OwnDayState.rests_until != "", _break(), _more(kind)),
    )


def _break() -> rx.Component:
    return rx.el.p(
        icon("hourglass", class_name="mt-px text-lilac"),
        t("home.break_until", time=time(OwnDayState.rests_until)),
        class_name="flex gap-2 font-medium",
    )


def _more(kind: Kind) -> rx.Component:
    return rx.cond(
        DAY["ads_watched"] == 0,
        _invitation(t("home.first_ad_text"), _to_ads("home.first_ad", kind)),
        _invitation(
            t("home.left_today", count=DAY["left_today"], shown=number(DAY["left_today"])),
            _to_ads("home.next_ad", kind),
        ),
    )


def _to_ads(label_key: str, kind: Kind) -> rx.Component:
    return link_button(t(label_key), href=WATCH, kind=kind, icon="circle-play")


def _invitation(text: Child, way: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.div(way, class_name="grid max-sm:w-full"),
        rx.el.p(text, class_name="min-w-0 flex-[1_1_220px] text-quiet"),
        class_name="flex flex-wrap items-center gap-x-4 gap-y-2",
    )
