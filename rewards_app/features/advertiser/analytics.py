"""The analytics: six figures beside those before, each day, the best ads, the audience, and news.

One component, at /analytics and in the dashboard's tab of that name.
"""

from typing import Any

import reflex as rx

from rewards_app.features.advertiser import home_state
from rewards_app.features.advertiser.addresses import NEW_CAMPAIGN
from rewards_app.features.advertiser.analytics_panels import activity, audience, best_ads
from rewards_app.features.advertiser.analytics_state import PATH, TAB, AnalyticsState
from rewards_app.features.advertiser.chart import daily_chart
from rewards_app.features.advertiser.figure_rules import WHOLE, Period
from rewards_app.features.advertiser.metric_cards import metric_cards
from rewards_app.features.advertiser.narrowed_line import narrowed_line
from rewards_app.features.advertiser.narrowing import To
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button, look
from rewards_app.ui.cards import empty_state, page_head, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor, browser_link
from rewards_app.ui.markup import Child, attributes, hidden_text
from rewards_app.ui.numbers import days, number

HERE = "nav.analytics"


def analytics_page() -> rx.Component:
    return rx.fragment(
        page_head(t("analytics.title"), _span(), _actions(f"{PATH}?")),
        narrowed_line(AnalyticsState.only, _all(f"{PATH}?"), here=HERE),
        _what_there_is(),
    )


def _all(address: str) -> rx.Var[str]:
    """The same period of everything; the whole is one campaign's alone."""
    return rx.Var.create(f"{address}period={AnalyticsState.period}")


def analytics_panel() -> rx.Component:
    """The same as a tab of the dashboard."""
    return rx.fragment(
        rx.el.div(
            rx.el.p(_span(), class_name="min-w-0 flex-[1_1_280px] text-quiet"),
            rx.el.div(*_actions(f"{home_state.PATH}?tab={TAB}&"), class_name=_ACTIONS),
            class_name="mb-6 flex flex-wrap items-center gap-4",
        ),
        narrowed_line(AnalyticsState.only, _all(f"{home_state.PATH}?tab={TAB}&"), here=HERE),
        _what_there_is(),
    )


_ACTIONS = "flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-auto"


def _span() -> rx.Component:
    span = AnalyticsState.span
    between = days(span["first"], span["last"])
    return rx.cond(
        span,
        rx.cond(
            AnalyticsState.is_whole,
            t("analytics.whole", span=between),
            t(
                "analytics.compared",
                span=between,
                count=span["length"],
                shown=number(span["length"]),
            ),
        ),
        rx.cond(
            AnalyticsState.standing == "closed",
            rx.fragment(),
            rx.el.span(
                class_name="inline-block h-4 w-72 max-w-full animate-pulse rounded bg-raised",
                aria_hidden="true",
            ),
        ),
    )


def _actions(address: str) -> list[Child]:
    """Periods are links: the address says which one is shown. Nothing to choose, no actions."""
    is_open = AnalyticsState.standing != "closed"
    return [rx.cond(is_open, _periods(address)), rx.cond(is_open, _export())]


def _periods(address: str) -> rx.Component:
    return rx.el.nav(
        *(_period(period, address) for period in Period),
        rx.cond(_is_of_campaign(), _period(WHOLE, address)),
        class_name="inline-flex gap-0.5 rounded-[10px] border border-line bg-panel p-[3px]",
        aria_label=t("analytics.period"),
    )


def _is_of_campaign() -> Any:
    only: Any = AnalyticsState.only
    return only["to"].to(str) == To.CAMPAIGN.value


def _period(period: str, address: str) -> rx.Component:
    return anchor(
        rx.el.span(t(f"analytics.periods.{period}"), aria_hidden="true"),
        hidden_text(t(f"analytics.periods_long.{period}")),
        href=rx.Var.create(f"{address}period={period}{AnalyticsState.narrows}"),
        class_name=(
            "inline-flex min-h-9 flex-auto items-center justify-center rounded-[7px] px-3.5"
            " text-sm font-semibold text-quiet no-underline hover:text-text"
            " aria-[current=true]:bg-raised aria-[current=true]:text-text"
            " aria-[current=true]:ring-1 aria-[current=true]:ring-inset"
            " aria-[current=true]:ring-purple"
            " max-sm:px-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        ),
        custom_attrs=attributes(
            aria_current=rx.cond(AnalyticsState.period == str(period), "true", "false")
        ),
    )


def _export() -> rx.Component:
    return browser_link(
        icon("download", 18),
        t("analytics.export"),
        href=f"/exports/analytics.csv?period={AnalyticsState.period}{AnalyticsState.narrows}",
        class_name=look("ghost").replace("enabled:", ""),
        custom_attrs={"download": True},
    )


def _what_there_is() -> rx.Component:
    match: Any = rx.match
    return match(
        AnalyticsState.standing,
        ("open", rx.cond(AnalyticsState.campaigns, _figures(), _no_campaigns())),
        ("closed", _no_company()),
        _loading(),
    )


def _no_campaigns() -> rx.Component:
    return empty_state(
        "chart-column",
        t("analytics.none"),
        t("analytics.none_text"),
        link_button(t("analytics.new_campaign"), href=NEW_CAMPAIGN, icon="plus"),
    )


def _no_company() -> rx.Component:
    return empty_state(
        "chart-column",
        t("analytics.closed"),
        t("analytics.closed_text"),
        link_button(t("analytics.to_application"), href=home_state.PATH),
    )


def _figures() -> rx.Component:
    return rx.el.div(
        metric_cards(),
        daily_chart(AnalyticsState.days, AnalyticsState.today),
        rx.cond(
            _is_of_campaign(),
            # Who saw what is kept for a company, and not for each of its campaigns.
            best_ads(),
            rx.el.div(best_ads(), audience(), class_name=_TWO),
        ),
        activity(),
        class_name="grid gap-4",
    )


_TWO = "grid gap-4 lg:grid-cols-[minmax(0,1fr)_352px]"


def _loading() -> rx.Component:
    """As tall as what comes."""
    return rx.el.div(
        loading_line(),
        skeleton("tile", "h-[329px] min-[720px]:h-[222px] min-[1200px]:h-[111px]"),
        skeleton("card", "h-[400px]"),
        rx.el.div(skeleton("card", "h-[300px]"), skeleton("card", "h-[300px]"), class_name=_TWO),
        skeleton("card", "h-[180px]"),
        class_name="relative grid gap-4",
        # Its parts are nothing of what comes: React would make the one of the other.
        key="loading",
    )
