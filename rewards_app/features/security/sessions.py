"""The section Login Sessions: every browser that is signed in, and the way to end it."""

from typing import Any

import reflex as rx

from rewards_app.features.security.parts import head
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import skeleton, status
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import hidden_text
from rewards_app.ui.numbers import date_and_time, since


def sessions_section() -> rx.Component:
    return rx.fragment(
        head(t("security.sessions_title"), t("security.sessions_text")), session_list()
    )


def session_list() -> rx.Component:
    """Also for a page that names them itself: it loads `SessionsState`, and follows it."""
    rows: Any = SessionsState.rows
    return rx.fragment(
        rx.cond(
            SessionsState.is_loaded,
            rx.cond(
                rows.length() > 0,
                rx.el.ul(
                    rx.foreach(rows, _session),
                    class_name="divide-y divide-line rounded-panel border border-line",
                ),
                rx.el.p(t("security.no_sessions"), class_name="text-quiet"),
            ),
            rx.el.div(loading_line(), skeleton("row"), skeleton("row"), class_name="grid gap-3"),
        ),
        rx.cond(rows.length() > 1, _all_others()),
    )


def device(row: Any) -> Any:
    browser, system = row["browser"].to(str), row["system"].to(str)
    either = rx.cond(browser, browser, rx.cond(system, system, t("security.unknown_device")))
    both = t("security.device", browser=browser, system=system)
    return rx.cond(browser.bool() & system.bool(), both, either)


def _session(row: Any) -> rx.Component:
    is_current = row["current"].to(str) != ""
    revoke: Any = SessionsState.revoke
    return rx.el.li(
        _sign(row["sign"].to(str)),
        rx.el.div(
            rx.el.p(
                rx.el.span(device(row), class_name="font-semibold wrap-anywhere"),
                rx.cond(is_current, status(t("security.current_session"), "good")),
                class_name="flex flex-wrap items-center gap-x-2 gap-y-1",
            ),
            rx.el.p(
                rx.cond(
                    is_current,
                    t("security.active_now"),
                    t("security.active", ago=since(row["active_at"].to(str))),
                ),
                " · ",
                t("security.signed_in_since", when=date_and_time(row["since"].to(str))),
                rx.cond(row["address"].to(str), rx.fragment(" · ", row["address"].to(str))),
                class_name="tnum text-sm wrap-anywhere text-quiet",
            ),
            class_name="min-w-0 flex-1",
        ),
        rx.cond(
            is_current,
            rx.fragment(),
            button(
                t("security.revoke"),
                hidden_text(" ", device(row)),
                kind="danger",
                size="sm",
                on_click=revoke(row["id"].to(str)),
            ),
        ),
        key=row["id"].to(str),
        class_name="flex flex-wrap items-center gap-3 px-4 py-3",
    )


def _sign(kind: rx.Var[str]) -> Any:
    match: Any = rx.match
    look = "text-quiet"
    return match(
        kind,
        ("phone", icon("smartphone", class_name=look)),
        ("laptop", icon("laptop", class_name=look)),
        icon("monitor", class_name=look),
    )


def _all_others() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("security.unknown_session"), class_name="flex-[1_1_220px] text-sm text-quiet"),
        button(t("security.revoke_others"), kind="danger", on_click=SessionsState.revoke_others),
        class_name="mt-4 flex flex-wrap items-center gap-4 max-sm:[&>button]:w-full",
    )
