"""Campaigns as cards: how each stands, what it cost and brought, and what can be done with it."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rewards_app.core.routes import BILLING
from rewards_app.features.advertiser import addresses
from rewards_app.features.advertiser.campaign_notes import Note
from rewards_app.features.advertiser.campaign_rules import Status
from rewards_app.features.advertiser.campaign_state import CampaignState
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.rules import CARD
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import status
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.lists import each
from rewards_app.ui.markup import Child, Text
from rewards_app.ui.numbers import date, days, dollars, dollars_of_parts, length, number

TONES = {
    Status.ACTIVE: "good",
    Status.DRAFT: "quiet",
    Status.PAUSED: "quiet",
    Status.COMPLETED: "quiet",
}
SIGNS = {
    Note.BUDGET_USED: "circle-check",
    Note.ENDED_BY_ADMIN: "circle-x",
    Note.PAUSED: "pause",
    Note.DAILY_REACHED: "clock",
    Note.AD_REJECTED: "triangle-alert",
    Note.DATES_PASSED: "calendar-x",
    Note.NEEDS_AD: "clapperboard",
    Note.IN_REVIEW: "hourglass",
    Note.ADS_PAUSED: "pause",
    Note.NEEDS_FUNDS: "wallet",
    Note.NOBODY_ACTS: "user-x",
    Note.WAITS_FOR_DATE: "calendar-check",
    Note.WAITS_FOR_YOU: "play",
    Note.NOT_SERVED: "triangle-alert",
    Note.NOT_COVERED: "info",
}
BAD = frozenset({Note.ENDED_BY_ADMIN, Note.AD_REJECTED, Note.NOT_SERVED})
LEADS_TO: dict[Note, Callable[[Any], str]] = {
    Note.AD_REJECTED: lambda campaign: addresses.ad(campaign["ad_id"]),
    Note.NEEDS_AD: lambda campaign: addresses.new_ad(campaign["id"]),
    Note.ADS_PAUSED: lambda campaign: addresses.ads_of_campaign(campaign["id"]),
    Note.NEEDS_FUNDS: lambda _: BILLING,
    Note.NOT_SERVED: lambda campaign: addresses.ads_of_campaign(campaign["id"]),
    Note.NOT_COVERED: lambda campaign: addresses.ads_of_campaign(campaign["id"]),
}


def campaign_cards() -> rx.Component:
    return rx.el.ul(
        each(CampaignsState.campaigns, _card),
        class_name="grid gap-4 grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))]",
    )


def _card(campaign: Any) -> rx.Component:
    return rx.el.li(
        rx.el.article(
            _head(campaign),
            _money(campaign),
            _facts(campaign),
            _note(campaign),
            _actions(campaign),
            class_name=(
                "grid h-full grid-rows-[auto_auto_auto_1fr_auto] gap-4 rounded-panel border"
                " border-line bg-panel p-5"
            ),
            custom_attrs={"data-campaign": campaign["id"].to(str)},
        ),
        class_name="min-w-0",
    )


def _head(campaign: Any) -> rx.Component:
    return rx.el.header(
        rx.el.p(
            campaign_status(campaign["status"].to(str)),
            rx.el.span(
                t(
                    f"campaigns.when.{campaign['when']}",
                    count=campaign["days"].to(int),
                    shown=number(campaign["days"].to(int)),
                ),
                class_name="ml-auto text-right text-sm text-quiet",
            ),
            class_name="mb-3 flex flex-wrap items-center gap-2",
        ),
        _company(campaign),
        rx.el.h2(campaign["name"], class_name="text-lg wrap-anywhere"),
        rx.el.p(
            campaign["description"],
            class_name="mt-1 text-sm whitespace-pre-line wrap-anywhere text-quiet empty:hidden",
        ),
    )


def _company(campaign: Any) -> rx.Component:
    """Only admins see campaigns of more than one."""
    return rx.cond(
        CampaignsState.role == "admin",
        rx.el.p(
            anchor(
                campaign["company"],
                href=rx.Var.create(f"{CARD}{campaign['company_id']}"),
                class_name=f"target {LINK}",
            ),
            class_name="text-sm wrap-anywhere",
        ),
    )


def campaign_status(value: rx.Var[str]) -> rx.Component:
    """A dot and a word; what nobody knows is told as that."""
    match: Any = rx.match
    known = [
        (one.value, status(t(f"campaigns.status.{one}"), tone))  # pyright: ignore[reportArgumentType]
        for one, tone in TONES.items()
    ]
    return match(value, *known, status(t("campaigns.status.unknown"), "danger"))


def _money(campaign: Any) -> rx.Component:
    return rx.cond(
        campaign["is_house"].to(bool),
        rx.el.p(t("campaigns.house"), class_name="text-sm text-quiet"),
        rx.el.div(
            rx.el.dl(
                _amount(t("campaigns.spent"), dollars_of_parts(campaign["spend"].to(int))),
                _amount(
                    t("campaigns.budget"),
                    dollars(campaign["budget"].to(int)),
                    "text-right [&>dd]:text-quiet",
                ),
                class_name="flex flex-wrap items-end justify-between gap-x-4",
            ),
            budget_bar(campaign),
            class_name="grid gap-2",
        ),
    )


def _amount(label: Text, value: Text, class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="text-sm text-quiet"),
        rx.el.dd(value, class_name="tnum text-lg/tight font-semibold"),
        class_name=class_name,
    )


def budget_bar(campaign: Any) -> rx.Component:
    """How much of the budget's views were shown and paid for."""
    views = campaign["views"].to(int)
    return rx.el.div(
        rx.el.div(
            class_name=rx.cond(
                campaign["status"].to(str) == Status.COMPLETED.value,
                "h-full rounded-full bg-edge",
                "h-full rounded-full bg-purple",
            ),
            style={"width": length(views, 1000)},
        ),
        class_name="h-1.5 overflow-hidden rounded-full bg-raised",
        custom_attrs={
            "role": "progressbar",
            "aria-label": t("campaigns.budget_spent"),
            "aria-valuenow": views,
            "aria-valuemin": 0,
            "aria-valuemax": 1000,
        },
    )


def _facts(campaign: Any) -> rx.Component:
    return rx.el.dl(
        _fact(t("campaigns.views"), number(campaign["views"].to(int))),
        _fact(t("campaigns.clicks"), number(campaign["clicks"].to(int))),
        _fact(t("campaigns.period"), days(campaign["first"].to(str), campaign["last"].to(str))),
        # Each begins where it does in the cards above and below.
        class_name="flex flex-wrap gap-x-4 gap-y-2 *:min-w-14",
    )


def _fact(label: Text, value: Text) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="text-sm text-quiet"),
        rx.el.dd(value, class_name="tnum font-medium"),
    )


def _note(campaign: Any) -> rx.Component:
    """The one thing that its people should know now."""
    match: Any = rx.match
    rows = [(note.value, _one_note(note, campaign)) for note in SIGNS]
    return rx.el.div(match(campaign["note"].to(str), *rows, rx.fragment()))


def _one_note(note: Note, campaign: Any) -> rx.Component:
    is_bad = note in BAD
    return rx.el.p(
        icon(SIGNS[note], 16, class_name="mt-0.5"),
        rx.el.span(
            _words(note, campaign), *_way(note, campaign), class_name="min-w-0 wrap-anywhere"
        ),
        class_name=(
            "flex gap-2 rounded-control px-3 py-2 text-sm "
            + ("bg-danger/12 text-danger [&_a]:text-current" if is_bad else "bg-raised text-text")
        ),
    )


def _words(note: Note, campaign: Any) -> Child:
    words = _filled(note, campaign)
    if note is Note.PAUSED:
        # The house's own campaigns have no number of views to keep to.
        paused_at = date(campaign["paused_at"].to(str))
        return rx.cond(
            campaign["is_house"], t("campaigns.note.paused_house", date=paused_at), words
        )
    return words


def _filled(note: Note, campaign: Any) -> rx.Var[str]:
    if note in {Note.NOT_SERVED, Note.NOT_COVERED}:
        return t(f"campaigns.note.{note}", price=dollars_of_parts(campaign["budget"].to(int), 5))
    return t(
        f"campaigns.note.{note}",
        title=campaign["ad"].to(str),
        reason=campaign["because"].to(str),
        date=date(campaign["paused_at"].to(str)),
        count=campaign["views_left"].to(int),
        left=number(campaign["views_left"].to(int)),
        missing=dollars_of_parts(campaign["missing"].to(int)),
    )


def _way(note: Note, campaign: Any) -> list[Child]:
    """To the ad, or the form, that the note is about."""
    if note not in LEADS_TO:
        return []
    there = rx.Var.create(LEADS_TO[note](campaign))
    link = anchor(t(f"campaigns.way.{note}"), href=there, class_name=f"target {LINK}")
    if note is Note.NEEDS_FUNDS:
        # Only a company has money to look after.
        return [rx.cond(CampaignsState.role == "admin", rx.fragment(), rx.fragment(" ", link))]
    return [" ", link]


def _actions(campaign: Any) -> rx.Component:
    edit: Any = CampaignState.edit
    stats: Any = CampaignState.show_stats
    pause: Any = CampaignsState.pause
    resume: Any = CampaignsState.resume
    campaign_id = campaign["id"].to(str)
    return rx.el.footer(
        _action(campaign, "edit", "pencil", edit(campaign_id)),
        rx.cond(
            campaign["can_pause"].to(bool), _action(campaign, "pause", "pause", pause(campaign_id))
        ),
        rx.cond(
            campaign["can_resume"].to(bool),
            _action(campaign, "resume", "play", resume(campaign_id)),
        ),
        _action(campaign, "stats", "chart-column", stats(campaign_id)),
        # Equally wide, however long their words: three of them, where they fit beside each other.
        class_name="flex flex-wrap gap-2 border-t border-line pt-4 *:flex-[1_1_96px] *:px-2",
    )


def _action(campaign: Any, name: str, icon_name: str, on_click: Any) -> rx.Component:
    """Among many cards its name for readers says which one it means."""
    words = t(f"campaigns.{name}")
    return button(
        words,
        kind="ghost",
        size="sm",
        icon=icon_name,
        on_click=on_click,
        label_for_readers=rx.Var.create(f"{words}: {campaign['name']}"),
    )
