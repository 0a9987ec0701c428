"""The overview: what there is, the newest campaigns, and how well it goes."""

from typing import Any

import reflex as rx

from rewards_app.features.advertiser.addresses import CAMPAIGNS, NEW_CAMPAIGN
from rewards_app.features.advertiser.campaign_cards import campaign_status
from rewards_app.features.advertiser.overview_state import OverviewState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import empty_state, key_figures, panel, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import dollars_of_parts, number, percent


def overview_tab() -> rx.Component:
    match: Any = rx.match
    return match(
        OverviewState.standing, ("open", _overview()), ("closed", rx.fragment()), _loading()
    )


def _overview() -> rx.Component:
    return rx.el.div(
        overview_cards(),
        rx.el.div(_newest(), _insights(), class_name=_TWO),
        class_name="grid gap-4",
    )


_TWO = "grid gap-4 lg:grid-cols-[minmax(0,1fr)_352px]"


def _loading() -> rx.Component:
    return rx.el.div(
        loading_line(),
        skeleton("tile", "h-[222px] min-[700px]:h-[111px]"),
        rx.el.div(skeleton("card", "h-[250px]"), skeleton("card", "h-[250px]"), class_name=_TWO),
        class_name="relative grid gap-4",
        # Its parts are nothing of what comes: React would make the one of the other.
        key="loading",
    )


def overview_cards() -> rx.Component:
    totals = OverviewState.totals
    return key_figures(
        _card(
            "campaigns",
            number(totals["campaigns"]),
            t(
                "advertiser.overview.running",
                count=totals["running"],
                shown=number(totals["running"]),
            ),
        ),
        _card(
            "active_ads",
            number(totals["active_ads"]),
            t("advertiser.overview.of_ads", count=totals["ads"], shown=number(totals["ads"])),
        ),
        _card(
            "views",
            number(totals["impressions"]),
            t(
                "advertiser.overview.completed",
                count=totals["completions"],
                shown=number(totals["completions"]),
            ),
        ),
        _card(
            "revenue", dollars_of_parts(totals["revenue"]), t("advertiser.overview.revenue_hint")
        ),
    )


def _card(name: str, value: Child, hint: Child) -> rx.Component:
    return rx.el.div(
        rx.el.dt(t(f"advertiser.overview.{name}"), class_name="text-sm text-quiet"),
        rx.el.dd(value, class_name="tnum mt-0.5 font-display text-xl font-bold whitespace-nowrap"),
        rx.el.dd(hint, class_name="tnum text-sm text-quiet"),
        class_name="min-w-0 px-4 py-4 sm:px-5",
    )


def _newest() -> rx.Component:
    return rx.cond(
        OverviewState.newest,
        panel(
            rx.el.ul(rx.foreach(OverviewState.newest, _campaign)),
            title=t("advertiser.overview.newest"),
            aside=link(t("advertiser.overview.all_campaigns"), href=CAMPAIGNS, class_name="target"),
        ),
        empty_state(
            "megaphone",
            t("advertiser.overview.no_campaigns"),
            t("advertiser.overview.no_campaigns_text"),
            link_button(t("analytics.new_campaign"), href=NEW_CAMPAIGN, icon="plus"),
        ),
    )


def _campaign(campaign: Any) -> rx.Component:
    views = campaign["views"].to(int)
    return rx.el.li(
        rx.el.div(
            rx.el.p(campaign["name"], class_name="font-semibold wrap-anywhere"),
            rx.cond(
                OverviewState.is_of_all,
                rx.el.p(campaign["company"], class_name="text-sm wrap-anywhere text-quiet"),
            ),
            class_name="min-w-0 flex-[1_1_200px]",
        ),
        campaign_status(campaign["status"].to(str)),
        rx.el.span(
            t("advertiser.overview.views_of", count=views, shown=number(views)),
            class_name="tnum min-w-28 text-right text-quiet",
        ),
        class_name=(
            "flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-3"
            " first:border-t-0 first:pt-0 last:pb-0"
        ),
    )


def _insights() -> rx.Component:
    return panel(
        rx.el.div(_insight("completion"), _insight("engagement"), class_name="grid gap-5"),
        title=t("advertiser.overview.insights"),
    )


def _insight(name: str) -> rx.Component:
    """A share, what divides what, and what is to be thought of it; nothing is judged unseen."""
    insight = OverviewState.insights[name]
    return rx.el.div(
        rx.el.div(
            rx.el.p(t(f"advertiser.overview.{name}"), class_name="font-semibold"),
            rx.el.p(
                rx.cond(insight["is_known"], percent(insight["share"].to(float), 1), "–"),
                class_name="tnum font-display text-lg font-bold",
            ),
            class_name="flex items-baseline justify-between gap-3",
        ),
        rx.cond(
            insight["is_known"],
            rx.cond(
                insight["is_above"],
                _verdict("trending-up", t(f"advertiser.overview.{name}_above"), "text-good"),
                _verdict("trending-down", t(f"advertiser.overview.{name}_below"), "text-danger")
                if name == "completion"
                else _verdict("minus", t(f"advertiser.overview.{name}_below"), "text-quiet"),
            ),
            rx.el.p(t("advertiser.overview.not_yet"), class_name="text-sm text-quiet"),
        ),
        rx.el.p(t(f"advertiser.overview.{name}_hint"), class_name="mt-0.5 text-sm text-quiet"),
    )


def _verdict(sign: str, words: Child, tone: str) -> rx.Component:
    return rx.el.p(
        icon(sign, 16),
        words,
        class_name=f"flex items-center gap-1.5 text-sm font-semibold {tone}",
    )
