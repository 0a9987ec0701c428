"""A company's ads: how each stands, what came of it, and what can be done with it."""

from typing import Any

import reflex as rx

from rewards_app.features.ads.funding import Gap
from rewards_app.features.advertiser import addresses
from rewards_app.features.advertiser.ad_form import ad_dialog
from rewards_app.features.advertiser.ad_rules import Kind, Status
from rewards_app.features.advertiser.ad_status import ad_status
from rewards_app.features.advertiser.ads_state import STATUSES, AdsState
from rewards_app.features.advertiser.campaign_stats import ctr
from rewards_app.features.advertiser.creatives import ENDED
from rewards_app.features.advertiser.list_tools import list_tools
from rewards_app.features.advertiser.narrowed_line import narrowed_line
from rewards_app.features.advertiser.narrowing import To
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, panel, skeleton, status
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.lists import each
from rewards_app.ui.markup import Child, Text
from rewards_app.ui.numbers import dollars_of_parts, number
from rewards_app.ui.thumbnail import Thumbnail

SIGNS = {Kind.VIDEO: "clapperboard", Kind.IMAGE: "image", Kind.BANNER: "rectangle-horizontal"}


def ads_tab() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.el.p(t("ads_desk.text"), class_name="min-w-0 flex-[1_1_320px] text-quiet"),
            _new_button(),
            class_name="mb-6 flex flex-wrap items-center gap-4 max-sm:[&>button]:w-full",
        ),
        rx.cond(
            AdsState.is_loaded,
            rx.fragment(
                narrowed_line(AdsState.only, addresses.ADS, here="nav.ads"),
                rx.cond(_are_there(), _desk(), _none()),
            ),
            rx.el.div(*(skeleton("tile") for _ in range(5)), class_name="grid gap-3"),
        ),
        ad_dialog(),
    )


def _new_button() -> rx.Component:
    return button(t("ads_desk.new"), icon="plus", on_click=AdsState.plan)


def _are_there() -> Any:
    """Whether there is anything to search, or something is searched for."""
    search, status = rx.Var.create(AdsState.search), rx.Var.create(AdsState.status)
    counts: Any = AdsState.counts
    return (counts["all"].to(int) > 0) | (search != "") | (status != "")


def _desk() -> rx.Component:
    """Among a single ad there is nothing to search."""
    only: Any = AdsState.only
    tools = list_tools(
        AdsState,
        label=t("ads_desk.search"),
        placeholder=t("ads_desk.search_hint"),
        options=[(one, _status_words(one)) for one in STATUSES],
    )
    return rx.fragment(
        rx.cond(only["to"].to(str) == To.AD.value, rx.fragment(), tools),
        rx.cond(AdsState.ads, _ads(), _not_found()),
    )


def _status_words(one: str) -> rx.Var[str]:
    return t("campaigns.status.completed") if one == ENDED else t(f"ads_desk.status.{one}")


def _not_found() -> rx.Component:
    """Says what was looked for, and how to see all again."""
    search = AdsState.search
    return empty_state(
        "search-x",
        t("ads_desk.not_found"),
        rx.cond(
            rx.Var.create(search) == "",
            t("ads_desk.none_of_status"),
            rx.cond(
                rx.Var.create(AdsState.status) == "",
                t("ads_desk.not_found_text", search=search),
                t("ads_desk.found_none_of_status", search=search),
            ),
        ),
        button(t("campaigns.clear"), kind="ghost", on_click=AdsState.show_all),
    )


def _none() -> rx.Component:
    return empty_state(
        "clapperboard",
        t("ads_desk.none"),
        t("ads_desk.none_text"),
        button(t("ads_desk.new"), kind="ghost", icon="plus", on_click=AdsState.plan),
    )


def _ads() -> rx.Component:
    more: Any = AdsState.load_more
    return panel(
        rx.el.ul(each(AdsState.ads, _ad), class_name="divide-y divide-line"),
        rx.cond(
            AdsState.next_before,
            rx.el.div(
                button(t("statement.more"), kind="ghost", on_click=more(AdsState.next_before)),
                class_name="flex justify-center border-t border-line p-3",
            ),
        ),
        flush=True,
    )


def _ad(ad: Any) -> rx.Component:
    return rx.el.li(
        rx.el.article(
            _head(ad),
            _figures(ad),
            _actions(ad),
            class_name=(
                "grid items-center gap-x-6 gap-y-4 px-4 py-4 sm:px-5"
                " xl:grid-cols-[minmax(0,1fr)_470px_216px]"
            ),
            custom_attrs={"data-ad": ad["id"].to(str)},
        )
    )


def _head(ad: Any) -> rx.Component:
    return rx.el.div(
        _picture(ad),
        rx.el.div(
            rx.el.div(
                rx.el.h2(ad["title"], class_name="min-w-0 text-base wrap-anywhere"),
                rx.cond(
                    ad["has_ended"].to(bool),
                    status(t("campaigns.status.completed")),
                    ad_status(ad["status"].to(str)),
                ),
                class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
            ),
            rx.el.p(
                _whose(ad),
                ad["campaign"],
                class_name="mt-0.5 text-sm wrap-anywhere text-quiet",
            ),
            rx.el.p(
                t(f"ads_desk.kind.{ad['kind']}"),
                " · ",
                t("ads_desk.seconds", seconds=number(ad["seconds"].to(int))),
                " · ",
                t("ads_desk.coins", count=ad["coins"].to(int), shown=number(ad["coins"].to(int))),
                class_name="tnum text-sm text-quiet",
            ),
            class_name="min-w-0",
        ),
        # On a phone what is said of it has the whole line.
        rx.el.div(_reason(ad), _gap(ad), class_name="col-span-full sm:col-start-2"),
        class_name="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4",
    )


def _picture(ad: Any) -> rx.Component:
    """What players see of it; the sign of its kind where there is none, or none to be had."""
    match: Any = rx.match
    signs = [(kind.value, icon(sign, class_name="text-lilac")) for kind, sign in SIGNS.items()]
    return rx.el.div(
        match(ad["kind"].to(str), *signs, icon("image", class_name="text-lilac")),
        rx.cond(
            ad["image_url"],
            Thumbnail.create(
                # One that cannot be shown hides itself, and must not hide the next one.
                key=ad["image_url"].to(str),
                src=ad["image_url"].to(str),
                alt=t("ads_desk.picture", title=ad["title"].to(str)),
                loading="lazy",
                class_name=rx.cond(
                    ad["kind"] == Kind.BANNER.value, f"{_SHOWN} object-contain", _COVERS
                ),
            ),
        ),
        class_name=(
            "relative grid aspect-video w-20 shrink-0 place-items-center overflow-hidden"
            " rounded-control bg-raised sm:row-span-2 sm:max-xl:w-28"
        ),
    )


_SHOWN = "absolute inset-0 size-full bg-(--scene)"
_COVERS = f"{_SHOWN} object-cover"


def _whose(ad: Any) -> rx.Component:
    """Only admins see ads of more than one company."""
    return rx.cond(
        AdsState.role == "admin",
        rx.fragment(
            anchor(
                ad["company"],
                href=rx.Var.create(addresses.ads_of_company(ad["company_id"])),
                class_name=f"target {LINK}",
            ),
            " · ",
        ),
    )


def _reason(ad: Any) -> rx.Component:
    """Why it was rejected, and that this is not the end."""
    return rx.cond(
        ad["status"].to(str) == Status.REJECTED.value,
        rx.el.p(
            t("ads_desk.rejected", reason=ad["reason"].to(str)),
            class_name=(
                "mt-2 rounded-control bg-danger/12 px-3 py-2 text-sm wrap-anywhere text-danger"
            ),
        ),
    )


def _gap(ad: Any) -> rx.Component:
    """Its price does not cover its reward: what follows from that, as the house has set it."""
    match: Any = rx.match
    said = {
        "price": dollars_of_parts(ad["price"].to(int), 5),
        "worth": dollars_of_parts(ad["worth"].to(int)),
    }
    look = "mt-2 rounded-control px-3 py-2 text-sm wrap-anywhere"
    return match(
        ad["gap"].to(str),
        (
            Gap.NOT_SERVED.value,
            rx.el.p(
                t("ads_desk.gap_not_served", **said), class_name=f"{look} bg-danger/12 text-danger"
            ),
        ),
        (
            Gap.WARNED.value,
            rx.el.p(t("ads_desk.gap_warned", **said), class_name=f"{look} bg-raised"),
        ),
        rx.fragment(),
    )


def _figures(ad: Any) -> rx.Component:
    spend = rx.cond(
        ad["price"].to(int) > 0, dollars_of_parts(ad["spend"].to(int)), t("campaigns.free")
    )
    return rx.el.dl(
        _figure(t("campaigns.impressions"), number(ad["impressions"].to(int))),
        _figure(t("campaigns.views"), number(ad["views"].to(int))),
        _figure(t("campaigns.clicks"), number(ad["clicks"].to(int))),
        _figure(t("campaigns.ctr"), ctr(ad)),
        _figure(t("campaigns.spent"), spend),
        class_name=(
            "grid grid-cols-[repeat(auto-fill,minmax(80px,1fr))] gap-x-3 gap-y-2"
            " xl:grid-cols-5 xl:text-right"
        ),
    )


def _figure(label: Text, value: Child) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="text-sm text-quiet"),
        rx.el.dd(value, class_name="tnum font-medium"),
    )


def _actions(ad: Any) -> rx.Component:
    edit: Any = AdsState.edit
    pause: Any = AdsState.pause
    resume: Any = AdsState.resume
    ad_id = ad["id"].to(str)
    return rx.el.div(
        rx.cond(ad["can_edit"].to(bool), _action(ad, "edit", "pencil", edit(ad_id))),
        rx.cond(ad["can_pause"].to(bool), _action(ad, "pause", "pause", pause(ad_id))),
        rx.cond(ad["can_resume"].to(bool), _action(ad, "resume", "play", resume(ad_id))),
        class_name="flex flex-wrap gap-2 max-sm:*:flex-auto max-xl:empty:hidden xl:justify-end",
    )


def _action(ad: Any, name: str, icon_name: str, on_click: Any) -> rx.Component:
    """Among many ads its name for readers says which one it means."""
    words = t(f"campaigns.{name}")
    return button(
        words,
        kind="ghost",
        size="sm",
        icon=icon_name,
        on_click=on_click,
        label_for_readers=rx.Var.create(f"{words}: {ad['title']}"),
    )
