"""What somebody sees in a page's place while their account is suspended."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.routes import SUPPORT
from rewards_app.core.state import AppState
from rewards_app.features.shell.state import BarState, CompanyBarState
from rewards_app.features.support.appeal import (
    ANSWERED,
    appeal_answer,
    appeal_form,
    appeal_mark,
    can_appeal,
    grounds_of,
    reason_of,
)
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.i18n.page_text import t
from rewards_app.ui.bars import STATEMENT
from rewards_app.ui.brand import coin_figure
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import badge, page_head, panel, skeleton
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.numbers import ago, balance, date_and_time, number

ORDERS = "/shop/orders"
STOPS = ("watch", "buy", "talk")
GOES_ON = ("orders", "held", "read")
COMPANY_STOPS = ("campaigns", "top_ups")
COMPANY_GOES_ON = ("running", "balance")


def suspended() -> rx.Component:
    held: Any = RestrictionState.suspended
    return rx.el.div(
        page_head(t("restrictions.suspended_title"), _text()),
        rx.cond(
            RestrictionState.suspended,
            rx.el.div(
                rx.el.div(_reason(held), _appeal(held), class_name="grid min-w-0 gap-6"),
                rx.el.div(_belongings(), _effects(), class_name="grid min-w-0 content-start gap-6"),
                class_name="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]",
            ),
            rx.el.div(skeleton("card"), skeleton("card"), class_name="grid gap-6"),
        ),
    )


def _by_kind(player: Any, company: Any) -> Any:
    """For who plays, and for who acts for a company."""
    match: Any = rx.match
    return match(
        AppState.role,
        *((role.value, player) for role in sorted(PLAYING_ROLES)),
        (Role.COMPANY.value, company),
        company,
    )


def _text() -> Any:
    company = t("restrictions.company_text")
    return _by_kind(
        rx.fragment(t("restrictions.suspended_text"), _for_their_company(" ", company)),
        rx.fragment(company),
    )


def _for_their_company(*children: Any) -> rx.Component:
    """Players act for companies, too."""
    return rx.cond(BarState.company != "", rx.fragment(*children))


def _reason(held: Any) -> rx.Component:
    since = held["since"].to(str)
    return panel(
        rx.el.blockquote(
            reason_of(held),
            class_name=(
                "rounded-control border-l-2 border-danger bg-bg p-3 whitespace-pre-line"
                " wrap-anywhere"
            ),
        ),
        rx.el.div(grounds_of(held), class_name="mt-3"),
        rx.el.p(
            t("restrictions.since", moment=date_and_time(since)),
            " · ",
            ago(since),
            class_name="tnum mt-3 text-sm text-quiet",
        ),
        title=t("restrictions.reason"),
    )


def _appeal(held: Any) -> rx.Component:
    return panel(
        rx.el.div(
            rx.cond(held["ticket"].to(str), appeal_mark(held)),
            appeal_answer(held),
            rx.cond(
                can_appeal(held),
                rx.fragment(
                    rx.el.p(t("restrictions.appeal_text"), class_name="text-quiet"), appeal_form()
                ),
                rx.cond(
                    held["status"].to(str) == ANSWERED,
                    rx.el.p(t("restrictions.appeal_stands"), class_name="text-quiet"),
                    rx.el.p(t("restrictions.appeal_waits"), class_name="text-quiet"),
                ),
            ),
            rx.el.p(
                t("restrictions.anything_else"),
                " ",
                link(t("nav.support"), href=SUPPORT),
                class_name="text-quiet",
            ),
            class_name="grid gap-4",
        ),
        title=t("restrictions.appeal_title"),
    )


def _belongings() -> rx.Component:
    return _by_kind(
        _balance(
            coin_figure(number(BarState.balance)),
            rx.el.div(
                link_button(t("statement.title"), href=STATEMENT, kind="ghost", size="sm"),
                link_button(t("orders.title"), href=ORDERS, kind="ghost", size="sm"),
                class_name="mt-4 flex flex-wrap gap-2",
            ),
        ),
        rx.cond(
            CompanyBarState.company,
            _balance(rx.el.span(balance(CompanyBarState.balance))),
        ),
    )


def _balance(amount: rx.Component, *ways: rx.Component) -> rx.Component:
    return panel(
        rx.el.p(
            rx.el.span(amount, class_name="tnum font-display text-2xl font-bold"),
            badge(icon("snowflake", 14), t("restrictions.frozen"), tone="action"),
            class_name="flex flex-wrap items-center gap-3",
        ),
        rx.el.p(
            _by_kind(t("restrictions.frozen_text"), t("restrictions.company_frozen_text")),
            class_name="mt-1 text-sm text-quiet",
        ),
        *ways,
        title=t("restrictions.balance"),
    )


def _effects() -> rx.Component:
    stops, goes_on = _stops(COMPANY_STOPS), _goes_on(COMPANY_GOES_ON)
    return _by_kind(
        _lists(
            [*_stops(STOPS), _for_their_company(*stops)],
            [*_goes_on(GOES_ON), _for_their_company(*goes_on)],
        ),
        _lists(stops, goes_on),
    )


def _stops(what: tuple[str, ...]) -> list[rx.Component]:
    return [_point("circle-x", t(f"restrictions.stops.{one}"), "text-danger") for one in what]


def _goes_on(what: tuple[str, ...]) -> list[rx.Component]:
    return [_point("circle-check", t(f"restrictions.goes_on.{one}"), "text-good") for one in what]


def _lists(stops: list[rx.Component], goes_on: list[rx.Component]) -> rx.Component:
    return panel(
        rx.el.h3(t("restrictions.stops_title"), class_name="mb-2 text-base"),
        rx.el.ul(*stops, class_name="grid gap-2"),
        rx.el.h3(t("restrictions.goes_on_title"), class_name="mt-5 mb-2 text-base"),
        rx.el.ul(*goes_on, class_name="grid gap-2"),
    )


def _point(sign: str, words: Any, tone: str) -> rx.Component:
    return rx.el.li(
        icon(sign, 18, class_name=f"mt-0.5 {tone}"),
        rx.el.span(words, class_name="min-w-0"),
        class_name="flex gap-2.5",
    )
