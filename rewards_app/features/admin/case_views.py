"""The views of an hour in a case: all of them in a line, and each of them."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.case_parts import DETAIL, details, words
from rewards_app.features.admin.case_state import CaseState
from rewards_app.features.admin.parts import PRICE_DECIMALS, quoted
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import badge
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import date_and_time, dollars_of_parts, number, time

_OUTCOMES = ("rewarded", "given_up", "expired", "refused", "running", "clicks", "credited")


def views(event: Any) -> rx.Component:
    look: Any = CaseState.look_at_hour
    count, hour = event["views"].to(int), event["hour"].to(str)
    is_open = rx.Var.create(CaseState.hour) == hour
    return rx.fragment(
        words(t("admin.case.views", count=count, shown=number(count))),
        details(
            rx.el.span(
                time(event["first"].to(str)), " – ", time(event["last"].to(str)), class_name="tnum"
            ),
            coins(event["coins"].to(int), is_change=True),
            *(_outcome(event, what) for what in _OUTCOMES),
            rx.cond(
                event["parts"].to(int) > 0,
                rx.el.span(
                    t(
                        "admin.case.companies_pay",
                        amount=dollars_of_parts(event["parts"].to(int), PRICE_DECIMALS),
                    )
                ),
            ),
            button(
                rx.cond(is_open, t("admin.case.fold"), t("admin.case.unfold")),
                kind="link",
                size="sm",
                on_click=look(hour),
                aria_expanded=rx.cond(is_open, "true", "false"),
            ),
        ),
        rx.cond(is_open, _each_view()),
    )


def _outcome(event: Any, what: str) -> rx.Component:
    count = event[what].to(int)
    told = t(f"admin.case.outcomes.{what}", shown=number(count))
    return rx.cond(count > 0, rx.el.span(told))


def _each_view() -> rx.Component:
    return rx.el.ul(
        rx.foreach(CaseState.views, _view),
        class_name="mt-1 grid rounded-control border border-line bg-bg",
    )


def _view(view: Any) -> rx.Component:
    return rx.el.li(
        _what_was_watched(view),
        _what_came_of_it(view),
        rx.cond(view["is_credited"].to(bool), _why_credited(view)),
        class_name=(
            "flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-3 py-2.5"
            " first:border-t-0"
        ),
    )


def _what_was_watched(view: Any) -> rx.Component:
    refusal = view["refusal"].to(str)
    return rx.el.div(
        rx.el.p(view["title"].to(str), class_name="font-medium wrap-anywhere"),
        rx.el.div(
            rx.el.span(view["company"].to(str), class_name="wrap-anywhere"),
            rx.el.span(date_and_time(view["started_at"].to(str)), class_name="tnum"),
            rx.el.span(
                t(
                    "admin.case.took",
                    seconds=number(view["seconds"].to(int)),
                    required=number(view["required"].to(int)),
                )
            ),
            rx.cond(
                refusal,
                rx.el.span(
                    t("admin.case.refused_with"),
                    ": ",
                    rx.el.span(t(f"admin.case.refusals.{refusal}")),
                ),
            ),
            class_name=DETAIL,
        ),
        class_name="min-w-0 flex-[1_1_200px]",
    )


def _why_credited(view: Any) -> rx.Component:
    why, by = view["credited_why"].to(str), view["credited_by"].to(str)
    return rx.el.div(
        rx.cond(why != "", quoted(why)),
        rx.cond(
            by != "",
            rx.el.p(t("admin.case.by", name=by), class_name="text-sm text-quiet wrap-anywhere"),
        ),
        class_name="grid min-w-0 basis-full gap-1",
    )


def _what_came_of_it(view: Any) -> rx.Component:
    ask: Any = CaseState.ask_view
    match: Any = rx.match
    state = view["status"].to(str)
    return rx.el.div(
        rx.cond(
            state == "rewarded",
            coins(view["reward"].to(int), is_change=True),
            status_mark(
                t(f"admin.case.states.{state}"),
                match(state, ("running", "action"), ("refused", "danger"), "quiet"),
            ),
        ),
        rx.cond(
            view["is_credited"].to(bool),
            badge(icon("undo-2", 14), t("admin.case.credited"), tone="house"),
        ),
        rx.cond(
            view["can_be_credited"].to(bool),
            button(
                t("admin.case.credit_back"),
                kind="ghost",
                size="sm",
                on_click=ask(view["id"].to(str)),
                label_for_readers=t("admin.case.credit_back_of", ad=view["title"].to(str)),
            ),
        ),
        class_name="flex flex-wrap items-center gap-2",
    )
