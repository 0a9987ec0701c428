"""One campaign in figures: all that came of it, its last days, its ads."""

from typing import Any

import reflex as rx

from rewards_app.features.ads.budgets import PARTS_A_DOLLAR
from rewards_app.features.advertiser import addresses
from rewards_app.features.advertiser.ad_status import ad_status
from rewards_app.features.advertiser.campaign_cards import budget_bar
from rewards_app.features.advertiser.campaign_rules import Status
from rewards_app.features.advertiser.campaign_state import STATS, CampaignState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import key_figure, key_figures, panel, status
from rewards_app.ui.links import link
from rewards_app.ui.markup import Child, Text, hidden_text
from rewards_app.ui.numbers import day, dollars_of_parts, length, number, percent
from rewards_app.ui.overlays import dialog
from rewards_app.ui.tables import Column, table


def stats_dialog() -> rx.Component:
    campaign: Any = CampaignState.campaign
    is_open: Any = rx.Var.create(CampaignState.dialog) == STATS
    return dialog(
        rx.cond(
            is_open,
            # Nothing in it takes the focus, and on a phone it scrolls.
            rx.el.div(
                _figures(campaign),
                _days(),
                _ads(),
                class_name="grid gap-6 rounded-control",
                custom_attrs={"tabindex": "0", "role": "group", "aria-label": t("campaigns.stats")},
            ),
        ),
        id="campaign-stats",
        title=rx.cond(is_open, campaign["name"].to(str), t("campaigns.stats")),
        open=is_open,
        on_close=CampaignState.close,
        width=760,
    )


def ctr(row: Any) -> Child:
    """Clicks of all impressions; a dash where there were none."""
    impressions, clicks = row["impressions"].to(int), row["clicks"].to(int)
    return rx.cond(impressions > 0, percent(clicks / impressions, 2), "–")


def _figures(campaign: Any) -> rx.Component:
    is_house = campaign["is_house"].to(bool)
    return rx.el.div(
        key_figures(
            key_figure(t("campaigns.impressions"), number(campaign["impressions"].to(int))),
            key_figure(t("campaigns.completed_views"), number(campaign["views"].to(int))),
            key_figure(t("campaigns.clicks"), number(campaign["clicks"].to(int))),
            key_figure(t("campaigns.ctr"), ctr(campaign)),
        ),
        rx.cond(is_house, rx.el.p(t("campaigns.house"), class_name="text-quiet"), _money(campaign)),
        class_name="grid gap-4",
    )


def _money(campaign: Any) -> rx.Component:
    views_a_day = campaign["views_a_day"].to(int)
    is_over = campaign["status"].to(str) == Status.COMPLETED.value
    # As many thousandths of a cent as the budget has cents.
    price = campaign["budget"].to(int)
    return rx.el.div(
        budget_bar(campaign),
        key_figures(
            key_figure(t("campaigns.spent"), dollars_of_parts(campaign["spend"].to(int))),
            key_figure(t("campaigns.cost_a_view"), _price(price)),
            rx.cond(~is_over, _still_to_come(campaign, views_a_day)),
        ),
        class_name="grid gap-4",
    )


def _still_to_come(campaign: Any, views_a_day: Any) -> rx.Component:
    """Of a campaign that has ended nothing is left, whatever of its budget went back."""
    taken = number(campaign["taken_today"].to(int))
    return rx.fragment(
        key_figure(t("campaigns.views_left"), number(campaign["views_left"].to(int))),
        key_figure(
            t("campaigns.today"),
            rx.cond(
                views_a_day > 0,
                t("campaigns.of_a_day", taken=taken, all=number(views_a_day)),
                taken,
            ),
        ),
    )


def _price(parts: Any) -> rx.Var[str]:
    """A price below a dollar is told to its last part."""
    decimals: Any = rx.cond(parts < PARTS_A_DOLLAR, 5, 3)
    return dollars_of_parts(parts, decimals)


def _all_figures() -> rx.Component:
    """Of all its days, and as a sheet to take along."""
    campaign: Any = CampaignState.campaign
    there = rx.Var.create(addresses.figures_of_campaign(campaign["id"].to(str)))
    return link(t("campaigns.all_figures"), href=there, class_name="target text-sm")


def _days() -> rx.Component:
    """Bars as tall as their day's views; readers hear each day with its figures."""
    days: Any = CampaignState.days
    return rx.el.section(
        rx.el.div(
            rx.el.h3(t("campaigns.last_days"), class_name="text-base"),
            _all_figures(),
            class_name="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2",
        ),
        rx.cond(
            CampaignState.most_a_day == 0,
            rx.el.p(t("campaigns.no_views_lately"), class_name="mb-2 text-sm text-quiet"),
        ),
        rx.el.ol(
            rx.foreach(days, _bar),
            class_name="grid h-24 grid-flow-col auto-cols-fr items-end gap-1 border-b border-line",
        ),
        rx.el.p(
            rx.el.span(day(days[0]["day"].to(str))),
            rx.el.span(day(days[days.length() - 1]["day"].to(str))),
            class_name="mt-1 flex justify-between text-sm text-quiet",
            aria_hidden="true",
        ),
    )


def _bar(one: Any) -> rx.Component:
    views = one["views"].to(int)
    words = t(
        "campaigns.day_words",
        day=day(one["day"].to(str)),
        views=number(views),
        impressions=number(one["impressions"].to(int)),
        clicks=number(one["clicks"].to(int)),
    )
    return rx.el.li(
        rx.el.div(
            class_name="w-full min-h-px rounded-t bg-purple",
            style={"height": length(views, CampaignState.most_a_day)},
            aria_hidden="true",
        ),
        hidden_text(words),
        title=words,
        class_name="flex h-full min-w-0 items-end",
    )


def _ads() -> rx.Component:
    load_more: Any = CampaignState.load_more_ads
    older = CampaignState.ads_before
    return rx.el.section(
        _heading(t("campaigns.ads")),
        rx.cond(
            CampaignState.ads,
            panel(
                table(
                    [
                        Column(t("campaigns.ad"), is_main=True),
                        Column(t("campaigns.state")),
                        Column(t("campaigns.impressions"), is_number=True),
                        Column(t("campaigns.views"), is_number=True),
                        Column(t("campaigns.clicks"), is_number=True),
                        Column(t("campaigns.ctr"), is_number=True),
                    ],
                    CampaignState.ads,
                    _cells,
                    caption=t("campaigns.ads"),
                ),
                rx.cond(
                    older != "",
                    rx.el.div(
                        button(t("statement.more"), kind="ghost", on_click=load_more(older)),
                        class_name="flex justify-center border-t border-line p-3",
                    ),
                ),
                flush=True,
            ),
            rx.el.p(t("campaigns.no_ads"), class_name="text-quiet"),
        ),
    )


def _cells(ad: Any) -> list[Child]:
    return [
        ad["title"],
        rx.cond(
            rx.Var.create(CampaignState.campaign)["status"].to(str) == Status.COMPLETED.value,
            # An ad that was let through is shown to nobody once its campaign is over.
            status(t("campaigns.status.completed")),
            ad_status(ad["status"].to(str)),
        ),
        number(ad["impressions"].to(int)),
        number(ad["views"].to(int)),
        number(ad["clicks"].to(int)),
        ctr(ad),
    ]


def _heading(words: Text) -> rx.Component:
    return rx.el.h3(words, class_name="mb-3 text-base")
