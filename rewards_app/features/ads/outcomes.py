"""What became of the last ads: the coins, or the exact reason why there were none."""

from typing import Any

import reflex as rx

from rewards_app.features.ads import rules
from rewards_app.features.ads.state import WatchState
from rewards_app.i18n.page_text import t
from rewards_app.ui.bars import STATEMENT
from rewards_app.ui.brand import coins
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.numbers import ago

PLACE = "credited"
"""Where on the page the answers stand."""


def latest_outcomes() -> rx.Component:
    return rx.el.div(
        panel(
            rx.el.p(t("watch.outcomes_text"), class_name="text-sm text-quiet"),
            rx.cond(
                WatchState.is_loaded,
                rx.cond(
                    WatchState.outcomes,
                    rx.el.ul(rx.foreach(WatchState.outcomes, _outcome), class_name="mt-2"),
                    rx.el.p(t("watch.outcomes_empty"), class_name="mt-4"),
                ),
                rx.el.div(*(skeleton("row") for _ in range(3)), class_name="mt-4 grid gap-3"),
            ),
            rx.el.p(
                link(t("watch.statement"), href=STATEMENT, class_name="target"),
                class_name="mt-3 border-t border-line pt-4",
            ),
            title=t("watch.outcomes_title"),
        ),
        custom_attrs={"id": PLACE},
    )


def _outcome(view: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(view["title"].to(str), class_name="font-semibold wrap-anywhere"),
            rx.el.p(ago(view["started_at"].to(str)), class_name="text-sm text-quiet"),
            class_name="min-w-0 flex-1",
        ),
        rx.cond(
            view["is_rewarded"],
            coins(view["reward"].to(int), is_change=True),
            rx.cond(
                view["is_running"],
                status_mark(t("watch.not_finished"), "action"),
                status_mark(t("watch.not_credited"), "quiet"),
            ),
        ),
        rx.cond(view["reason"], rx.el.p(_reason(view), class_name="w-full text-sm")),
        class_name=(
            "flex flex-wrap items-start gap-x-3 gap-y-1 border-t border-line py-3 first:border-t-0"
        ),
    )


def _reason(view: Any) -> rx.Var[str]:
    return t(
        f"watch.reasons.{view['reason']}",
        count=view["missing_seconds"].to(int),
        required=view["required_seconds"].to(int),
        limit=rules.DAILY_LIMIT,
    )


def tips() -> rx.Component:
    told = [
        ("eye", t("watch.tip_hidden")),
        ("wifi", t("watch.tip_connection")),
        ("calendar-check", t("watch.tip_limit", limit=rules.DAILY_LIMIT)),
        ("hourglass", t("watch.tip_sitting", age=rules.ADULT_AT, ads=rules.ADS_A_SITTING)),
    ]
    return panel(
        rx.el.ul(
            *(
                rx.el.li(
                    icon(sign, 18, class_name="mt-0.5 text-lilac"),
                    rx.el.span(words, class_name="min-w-0"),
                    class_name="flex gap-3",
                )
                for sign, words in told
            ),
            class_name="grid gap-3",
        ),
        title=t("watch.tips_title"),
    )
