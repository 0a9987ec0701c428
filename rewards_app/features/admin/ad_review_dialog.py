"""One ad as players will see it, what is known of it, and the decision on it."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.ad_reviews_state import AdReviewState
from rewards_app.features.admin.parts import (
    PRICE_DECIMALS,
    company_link,
    or_none,
    outward_link,
    reason_field,
)
from rewards_app.features.ads.frame import ad_preview
from rewards_app.features.ads.funding import Gap
from rewards_app.features.advertiser.ad_rules import Status
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import facts
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, form
from rewards_app.ui.numbers import ago, dollars_of_parts, number
from rewards_app.ui.overlays import dialog

"""A view may cost less than a cent."""


def review_dialog() -> rx.Component:
    ad: Any = AdReviewState.ad
    is_open = ad.contains("id")
    return dialog(
        rx.cond(
            is_open,
            rx.el.div(
                ad_preview(ad),
                _facts(ad),
                _gap(ad),
                rx.cond(AdReviewState.reports, _reports(ad)),
                rx.cond(AdReviewState.is_stale, _stale(ad), _decision(ad)),
                class_name="grid grid-cols-[minmax(0,1fr)] gap-6 wrap-anywhere",
            ),
        ),
        id="ad-review",
        title=t("admin.ad_reviews.review"),
        open=is_open,
        on_close=AdReviewState.close,
        width=760,
    )


def _facts(ad: Any) -> rx.Component:
    return facts(
        (t("admin.ad_reviews.company"), company_link(ad["advertiser"], ad["company_card"])),
        (t("admin.ad_reviews.kind"), t(f"ads_desk.kind.{ad['kind']}")),
        (t("admin.ad_reviews.campaign"), or_none(ad["campaign"])),
        (t("admin.ad_reviews.seconds"), duration(ad)),
        (t("admin.ad_reviews.reward"), coins(ad["reward"].to(int))),
        (t("admin.ad_reviews.price"), price(ad)),
        (t("admin.ad_reviews.link"), outward_link(ad["address"], ad["link"])),
        columns=2,
    )


def _gap(ad: Any) -> rx.Component:
    """What a view costs does not cover what its player gets: told before the decision."""
    match: Any = rx.match
    said = {
        "price": dollars_of_parts(ad["price"].to(int), PRICE_DECIMALS),
        "worth": dollars_of_parts(ad["worth"].to(int)),
    }
    title = t("admin.ad_reviews.gap_title")
    return match(
        ad["gap"].to(str),
        (
            Gap.NOT_SERVED.value,
            banner("warning", title, t("admin.ad_reviews.gap_not_served", **said)),
        ),
        (Gap.WARNED.value, banner("info", title, t("admin.ad_reviews.gap_warned", **said))),
        rx.fragment(),
    )


def duration(ad: Any) -> Any:
    seconds = ad["seconds"].to(int)
    return t("admin.ad_reviews.in_seconds", count=seconds, shown=number(seconds))


def price(ad: Any) -> rx.Component:
    """Of one completed view."""
    return rx.cond(
        ad["is_house"].to(bool),
        rx.el.span(t("admin.ad_reviews.house")),
        rx.el.span(dollars_of_parts(ad["price"].to(int), PRICE_DECIMALS)),
    )


def _reports(ad: Any) -> rx.Component:
    said: Any = AdReviewState.reports
    shown, everything = said.length(), ad["reports"].to(int)
    return rx.el.section(
        rx.el.h3(t("admin.ad_reviews.players_say"), class_name="mb-2 text-base"),
        rx.cond(
            shown < everything,
            rx.el.p(
                t("admin.ad_reviews.newest_of", shown=number(shown), all=number(everything)),
                class_name="mb-2 text-sm text-quiet",
            ),
        ),
        rx.el.ul(rx.foreach(AdReviewState.reports, _report), class_name="grid gap-2"),
    )


def _report(report: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(
                t(f"watch.report_reasons.{report['reason']}"), class_name="min-w-0 font-medium"
            ),
            rx.el.span(ago(report["created_at"].to(str)), class_name="text-sm text-quiet"),
            class_name="flex flex-wrap items-baseline justify-between gap-x-4",
        ),
        rx.el.p(report["text"].to(str), class_name="wrap-anywhere text-quiet empty:hidden"),
        class_name="rounded-control border-l-2 border-cyan bg-bg p-3",
    )


def _stale(ad: Any) -> rx.Component:
    """Nobody decides on what is not there any more."""
    look: Any = AdReviewState.look_at
    return banner(
        "warning",
        t("admin.ad_reviews.stale_title"),
        t("admin.ad_reviews.stale_text"),
        button(
            t("admin.ad_reviews.look_again"),
            kind="ghost",
            size="sm",
            on_click=look(ad["id"].to(str)),
        ),
        is_news=True,
    )


def _decision(ad: Any) -> rx.Component:
    status = ad["status"].to(str)
    return rx.el.section(
        rx.el.h3(t("admin.ad_reviews.decision"), class_name="mb-3 text-base"),
        rx.cond(
            status == Status.REJECTED.value,
            _rejected(ad),
            rx.el.div(
                rx.cond(
                    AdReviewState.has_newer_reports,
                    _stale(ad),
                    rx.cond(status == Status.PENDING_REVIEW.value, _approval(ad), _keeping()),
                ),
                _rejection(ad),
                class_name="grid gap-4",
            ),
        ),
        class_name="border-t border-line pt-5",
    )


_OPTION = "grid gap-3 rounded-control border border-line p-4"


def _approval(ad: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(t("admin.ad_reviews.approve_means", company=ad["advertiser"].to(str))),
        actions(
            button(
                t("admin.ad_reviews.approve"),
                on_click=AdReviewState.approve,
                busy=AppState.is_busy,
            )
        ),
        class_name=_OPTION,
    )


def _keeping() -> rx.Component:
    """For an ad that players see already."""
    return rx.el.div(
        rx.el.p(t("admin.ad_reviews.keep_means")),
        actions(
            button(
                t("admin.ad_reviews.keep"),
                kind="ghost",
                on_click=AdReviewState.keep,
                busy=AppState.is_busy,
            )
        ),
        class_name=_OPTION,
    )


def _rejection(ad: Any) -> rx.Component:
    return form(
        rx.el.p(t("admin.ad_reviews.reject_means")),
        reason_field(t("admin.ad_reviews.reason_hint", company=ad["advertiser"].to(str))),
        actions(
            button(t("admin.ad_reviews.reject"), kind="danger", submits=True, busy=AppState.is_busy)
        ),
        on_submit=AdReviewState.reject,
        class_name=_OPTION,
    )


def _rejected(ad: Any) -> rx.Component:
    return facts((t("admin.ad_reviews.was_rejected"), or_none(ad["reason"])))
