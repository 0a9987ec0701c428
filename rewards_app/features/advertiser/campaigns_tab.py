"""Campaigns: on a page of their own, and as a tab of the dashboard."""

from typing import Any

import reflex as rx

from rewards_app.features.advertiser import addresses
from rewards_app.features.advertiser.campaign_cards import TONES, campaign_cards
from rewards_app.features.advertiser.campaign_dialog import campaign_dialogs
from rewards_app.features.advertiser.campaign_state import CampaignState
from rewards_app.features.advertiser.campaign_stats import stats_dialog
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.list_tools import list_tools
from rewards_app.features.advertiser.narrowed_line import narrowed_line
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, page_head, skeleton
from rewards_app.ui.markup import Child, Text
from rewards_app.ui.numbers import dollars_of_parts, number


def campaigns_page() -> rx.Component:
    return rx.fragment(
        page_head(t("campaigns.title"), _summary(), [_new_button()]),
        narrowed_line(CampaignsState.only, "/campaigns", here="nav.campaigns"),
        _desk(t("campaigns.not_found")),
        campaign_dialogs(CampaignState.create, "date"),
        stats_dialog(),
    )


def campaigns_tab() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.el.p(_summary(), class_name="min-w-0 flex-1 text-quiet"),
            _new_button(),
            class_name="mb-6 flex flex-wrap items-center gap-4 max-sm:[&>button]:w-full",
        ),
        narrowed_line(CampaignsState.only, addresses.CAMPAIGNS, here="nav.campaigns"),
        _desk(t("campaigns.none")),
        campaign_dialogs(CampaignState.create_at_dashboard, "datetime-local"),
        stats_dialog(),
    )


def _new_button() -> rx.Component:
    return button(t("campaigns.new"), icon="plus", on_click=CampaignState.plan)


def _summary() -> Child:
    """What was spent, on how many campaigns, and how many of them run."""
    spent: Any = CampaignsState.spend
    total: Any = CampaignsState.total
    running: Any = CampaignsState.running
    return rx.cond(
        CampaignsState.is_loaded,
        rx.fragment(
            t(
                "campaigns.summary",
                count=total,
                shown=number(total),
                spent=dollars_of_parts(spent),
            ),
            " ",
            rx.cond(
                running > 0,
                t("campaigns.running", count=running, shown=number(running)),
                t("campaigns.none_running"),
            ),
        ),
        rx.el.span(
            class_name="inline-block h-4 w-80 max-w-full animate-pulse rounded bg-raised",
            aria_hidden="true",
        ),
    )


def _desk(none: Text) -> rx.Component:
    """`none` is what the specification says there where nothing was planned yet."""
    return rx.cond(
        CampaignsState.is_loaded,
        rx.cond(
            CampaignsState.total > 0,
            rx.fragment(
                _tools(),
                rx.cond(
                    CampaignsState.campaigns,
                    rx.fragment(campaign_cards(), _further()),
                    _not_found(),
                ),
            ),
            empty_state(
                "megaphone",
                none,
                t("campaigns.none_text"),
                button(t("campaigns.new"), kind="ghost", icon="plus", on_click=CampaignState.plan),
            ),
        ),
        rx.el.div(
            *(skeleton("card", "h-80") for _ in range(6)),
            class_name="grid gap-4 grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))]",
        ),
    )


def _tools() -> rx.Component:
    return list_tools(
        CampaignsState,
        label=t("campaigns.search"),
        placeholder=t("campaigns.search_hint"),
        options=[(one.value, t(f"campaigns.status.{one}")) for one in TONES],
    )


def _not_found() -> rx.Component:
    """Says what was looked for, and how to see all again."""
    counts: Any = CampaignsState.counts
    total: Any = CampaignsState.total
    search = CampaignsState.search
    words = rx.cond(
        counts["all"].to(int) == 0,
        t("campaigns.not_found_text", search=search, count=total, shown=number(total)),
        rx.cond(
            rx.Var.create(search) != "",
            t("campaigns.found_none_of_status", search=search),
            t("campaigns.none_of_status"),
        ),
    )
    return empty_state(
        "search-x",
        t("campaigns.not_found"),
        words,
        button(t("campaigns.clear"), kind="ghost", on_click=CampaignsState.show_all),
    )


def _further() -> rx.Component:
    more: Any = CampaignsState.load_more
    return rx.cond(
        CampaignsState.next_before,
        rx.el.div(
            button(t("statement.more"), kind="ghost", on_click=more(CampaignsState.next_before)),
            class_name="mt-6 flex justify-center",
        ),
    )
