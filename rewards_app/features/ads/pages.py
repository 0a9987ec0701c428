"""The watch page: where a player stands today, the ads, and what became of the last ones."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.page import Page
from rewards_app.core.routes import WATCH
from rewards_app.features.ads.cards import ad_grid, is_at_limit, is_in_a_break
from rewards_app.features.ads.listing import SHOWN
from rewards_app.features.ads.outcomes import PLACE, latest_outcomes, tips
from rewards_app.features.ads.player import player
from rewards_app.features.ads.report import report_dialog
from rewards_app.features.ads.report_state import ReportState
from rewards_app.features.ads.rules import ADS_A_SITTING, ADULT_AT, DAILY_LIMIT
from rewards_app.features.ads.state import WatchState
from rewards_app.features.support.appeal import paused_banner
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import page_head, skeleton, tile
from rewards_app.ui.ends_later import EndsLater
from rewards_app.ui.feedback import BannerKind, banner, login_needed, progress
from rewards_app.ui.links import LINK, browser_link
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import number, time


def watch() -> rx.Component:
    return rx.fragment(
        page_head(t("watch.title"), t("watch.text"), [_to_outcomes()]),
        paused_banner("mb-4"),
        _figures(),
        rx.cond(WatchState.elsewhere, _unfinished(WatchState.elsewhere)),
        rx.cond(WatchState.is_loaded & is_at_limit(), _limit_reached()),
        rx.cond(WatchState.is_loaded & is_in_a_break(), _break()),
        EndsLater.create(
            ends_at=WatchState.break_ends_at,
            ends_in=WatchState.break_ends_in,
            on_over=WatchState.refresh,
        ),
        rx.el.div(
            rx.el.section(
                rx.el.h2(t("watch.choose"), class_name="mb-4 text-lg"),
                _first_ad(),
                ad_grid(),
                class_name="min-w-0",
            ),
            rx.el.div(tips(), latest_outcomes(), class_name="grid min-w-0 content-start gap-6"),
            class_name="mt-6 grid gap-6 xl:grid-cols-[minmax(0,1fr)_320px]",
        ),
        player(),
        report_dialog(),
    )


def _to_outcomes() -> rx.Component:
    """Below the ads on narrow screens, where nobody would look for it."""
    return browser_link(
        t("watch.outcomes_title"), href=f"#{PLACE}", class_name=f"target {LINK} xl:hidden"
    )


def _figures() -> rx.Component:
    return rx.el.div(
        tile(t("watch.daily_progress"), _known(_today()), "target", hint=_today_bar()),
        tile(t("watch.total_coins"), _known(coins(WatchState.total_coins)), "piggy-bank"),
        tile(t("watch.total_watched"), _known(number(WatchState.ads_watched)), "eye"),
        tile(t("watch.available_ads"), _known(number(WatchState.available)), "clapperboard"),
        class_name=(
            "grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4"
            " max-sm:[&>*>span:first-child]:hidden max-sm:[&>*]:items-start"
            " [&>*>span:last-child]:flex-1"
        ),
    )


def _known(value: Child) -> rx.Component:
    place = skeleton("line", "h-[27px]! w-16!")
    return rx.cond(WatchState.is_loaded, rx.fragment(value), place)


def _today() -> rx.Var[str]:
    return t("frame.ads_today_of", done=number(WatchState.ads_today), limit=number(DAILY_LIMIT))


def _today_bar() -> rx.Component:
    return rx.cond(
        is_at_limit(),
        rx.el.span(t("watch.come_back"), class_name="text-good"),
        rx.el.span(
            progress(
                WatchState.ads_today, DAILY_LIMIT, t("watch.daily_progress"), class_name="mt-1.5"
            ),
            rx.cond(WatchState.has_sittings, _in_sitting()),
            class_name="grid gap-1",
        ),
    )


def _in_sitting() -> rx.Component:
    return rx.el.span(
        t(
            "watch.in_sitting",
            done=number(WatchState.in_sitting),
            limit=number(ADS_A_SITTING),
        ),
        class_name="tnum",
    )


def _limit_reached() -> rx.Component:
    return rx.el.div(
        banner(
            "good",
            t("errors.ads.daily_limit_title"),
            t("errors.ads.daily_limit"),
            is_news=True,
        ),
        class_name="mt-4",
    )


def _break() -> rx.Component:
    return rx.el.div(
        banner(
            "info",
            t("errors.ads.sitting_over_title"),
            t(
                "watch.break_text",
                age=ADULT_AT,
                ads=ADS_A_SITTING,
                time=time(WatchState.break_ends_at),
            ),
            is_news=True,
        ),
        class_name="mt-4",
    )


def _first_ad() -> rx.Component:
    """For who has never watched one, what happens; after it, where its coins lead."""
    return rx.cond(
        WatchState.is_first,
        _on_the_way(
            "good",
            "watch.first_coins",
            link_button(t("home.steps.to_shop"), href="/shop", size="sm", icon="shopping-bag"),
        ),
        rx.cond(
            WatchState.is_loaded & (WatchState.ads_watched == 0),
            _on_the_way("info", "watch.first_ad"),
        ),
    )


def _on_the_way(kind: BannerKind, key: str, way: rx.Component | None = None) -> rx.Component:
    return rx.el.div(
        banner(kind, t(key), t(f"{key}_text"), way, is_news=way is not None),
        class_name="mb-4",
    )


def _unfinished(ad: Any) -> rx.Component:
    """It runs in another tab, or was left behind: go on here, or give it up."""
    take_over: Any = WatchState.take_over
    give_up: Any = WatchState.give_up
    session_id = ad["session_id"].to(str)
    return rx.el.div(
        banner(
            "warning",
            t("watch.unfinished_title"),
            t("watch.unfinished_text", title=ad["title"].to(str)),
            rx.el.div(
                button(t("watch.continue_here"), on_click=take_over(session_id), size="sm"),
                button(t("watch.give_up"), on_click=give_up(session_id), kind="ghost", size="sm"),
                class_name="flex flex-wrap gap-2",
            ),
            is_news=True,
        ),
        class_name="mt-4",
    )


PAGES = [
    Page(
        WATCH,
        watch,
        "watch.page_title",
        roles=PLAYING_ROLES,
        on_load=[
            ReportState.cancel,
            RestrictionState.cancel,
            WatchState.load,
            RestrictionState.load,
        ],
        refreshes=[WatchState.refresh],
        follows={SHOWN: [WatchState.renew]},
        is_told=[RestrictionState.load],
        goes_on=[WatchState.load],
        denied_to_visitors=lambda: login_needed(t("watch.login_needed")),
    )
]
