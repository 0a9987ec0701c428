"""Ads before players see them, and ads that players report."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.ad_review_dialog import duration, price, review_dialog
from rewards_app.features.admin.ad_reviews_state import AdReviewState
from rewards_app.features.admin.parts import failed, further
from rewards_app.features.advertiser.ad_status import ad_status
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.cards import empty_state, panel, skeleton
from rewards_app.ui.links import LINK
from rewards_app.ui.lists import shown_of
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import ago, number
from rewards_app.ui.tables import Column, table


def ad_reviews_tab() -> rx.Component:
    return rx.fragment(
        rx.cond(
            AdReviewState.is_loaded,
            rx.el.div(
                _waiting(), rx.cond(AdReviewState.reported, _reported()), class_name="grid gap-6"
            ),
            rx.cond(
                AdReviewState.has_failed,
                failed(t("admin.ad_reviews.not_loaded"), AdReviewState.load),
                rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
            ),
        ),
        review_dialog(),
    )


def _waiting() -> rx.Component:
    more: Any = AdReviewState.load_more
    return rx.cond(
        AdReviewState.ads,
        panel(
            table(
                [*_columns(), Column(t("admin.ad_reviews.since"))],
                AdReviewState.ads,
                lambda ad: [*_cells(ad), _since(ad)],
                caption=t("admin.ad_reviews.waiting"),
                cell_on_phone=132,
            ),
            further(AdReviewState.next_after, more),
            title=t("admin.ad_reviews.waiting"),
            flush=True,
        ),
        empty_state(
            "clapperboard",
            t("admin.ad_reviews.none_waiting"),
            t("admin.ad_reviews.none_waiting_text"),
        ),
    )


def _reported() -> rx.Component:
    shown: Any = AdReviewState.reported
    return panel(
        table(
            [
                *_columns(),
                Column(t("admin.ad_reviews.status")),
                Column(t("admin.ad_reviews.reports"), is_number=True),
            ],
            AdReviewState.reported,
            lambda ad: [
                *_cells(ad),
                ad_status(ad["status"].to(str)),
                number(ad["reports"].to(int)),
            ],
            caption=t("admin.ad_reviews.reported"),
            cell_on_phone=132,
        ),
        shown_of(shown.length(), AdReviewState.reported_in_all),
        title=t("admin.ad_reviews.reported"),
        flush=True,
    )


def _columns() -> list[Column]:
    return [
        Column(t("admin.ad_reviews.ad"), is_main=True),
        Column(t("admin.ad_reviews.company")),
        Column(t("admin.ad_reviews.kind")),
        Column(t("admin.ad_reviews.reward"), is_number=True),
        Column(t("admin.ad_reviews.price"), is_number=True),
    ]


def _cells(ad: Any) -> list[Any]:
    return [
        _way_in(ad),
        rx.el.span(
            rx.el.span(ad["advertiser"].to(str), class_name="block wrap-anywhere"),
            rx.el.span(ad["campaign"].to(str), class_name="block text-sm wrap-anywhere text-quiet"),
        ),
        rx.el.span(
            rx.el.span(t(f"ads_desk.kind.{ad['kind']}"), class_name="block"),
            rx.el.span(duration(ad), class_name="block text-sm text-quiet"),
        ),
        coins(ad["reward"].to(int)),
        price(ad),
    ]


def _way_in(ad: Any) -> rx.Component:
    """Opens the ad; its name for readers says that there is something to decide."""
    look: Any = AdReviewState.look_at
    title = ad["title"].to(str)
    return rx.el.button(
        title,
        type="button",
        on_click=look(ad["id"].to(str)),
        class_name=f"target text-left font-medium wrap-anywhere {LINK}",
        custom_attrs=attributes(aria_label=t("admin.ad_reviews.review_of", ad=title)),
    )


def _since(ad: Any) -> rx.Component:
    return rx.el.span(ago(ad["since"].to(str)), class_name="text-quiet")
