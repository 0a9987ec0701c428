"""What stands around an ad while it is watched; the same for whoever looks at it before players."""

from typing import Any

import reflex as rx

from rewards_app.features.ads.kinds import creative
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import look
from rewards_app.ui.icons import icon
from rewards_app.ui.links import browser_link
from rewards_app.ui.markup import Child

LIBRARY = "$/public/player"


class AdProgress(rx.Component):
    library = LIBRARY
    tag = "AdProgress"

    label: rx.Var[str]


class PreviewClock(rx.Component):
    """Counts for one reader alone: nobody is told, and nobody is paid."""

    library = LIBRARY
    tag = "PreviewClock"

    shows: rx.Var[list[str]]
    """Whatever makes it another ad, which begins anew."""
    seconds: rx.Var[int]


def framed(ad: Any, *actions: Child, news: Child | None = None) -> rx.Component:
    """The ad with its progress, whose it is and pays what, its text, and what can be done."""
    return rx.fragment(
        rx.el.div(creative(ad), class_name="bg-(--scene)"),
        AdProgress.create(label=t("watch.progress")),
        rx.el.div(
            rx.el.p(
                rx.el.span(
                    t("watch.by", advertiser=ad["advertiser"].to(str)),
                    class_name="min-w-0 flex-1 wrap-anywhere",
                ),
                coins(ad["reward"].to(int), is_change=True, with_unit=True),
                class_name="flex flex-wrap items-center gap-x-4 gap-y-1",
            ),
            rx.el.p(ad["description"].to(str), class_name="text-quiet wrap-anywhere empty:hidden"),
            *([] if news is None else [news]),
            rx.el.p(
                icon("shield-check", 18, class_name="mt-0.5 text-cyan"),
                rx.el.span(t("watch.secure"), class_name="min-w-0"),
                class_name="flex gap-2 text-sm text-quiet",
            ),
            rx.el.div(
                rx.cond(ad["link"], _visit(ad)),
                *actions,
                class_name="flex flex-wrap items-center gap-2 empty:hidden",
            ),
            class_name="grid gap-3 px-4 pt-1 pb-5 sm:px-6",
        ),
    )


def _visit(ad: Any) -> rx.Component:
    return browser_link(
        t("watch.visit"),
        icon("external-link", 16),
        href=ad["link"].to(str),
        target="_blank",
        rel="noopener",
        class_name=look("ghost", "sm").replace("enabled:", ""),
    )


def ad_preview(ad: Any) -> rx.Component:
    """The ad as a player will see it, its title on top; `link` leads straight to its page."""
    return PreviewClock.create(
        rx.el.div(
            rx.el.p(
                ad["title"].to(str),
                class_name=(
                    "border-b border-line px-4 py-3 font-display text-lg font-bold wrap-anywhere"
                    " empty:hidden sm:px-6"
                ),
            ),
            framed(ad),
            class_name="min-w-0 overflow-hidden rounded-panel border border-line bg-panel",
        ),
        shows=[ad["kind"].to(str), ad["video_url"].to(str), ad["image_url"].to(str)],
        seconds=ad["seconds"].to(int),
    )
