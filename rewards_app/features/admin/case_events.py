"""One event of a case's time line in words and figures."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from rewards_app.features.admin.case_address import address_of
from rewards_app.features.admin.case_parts import (
    appeal_status,
    details,
    level_mark,
    ticket_link,
    words,
)
from rewards_app.features.admin.case_rows import NOT_KNOWN
from rewards_app.features.admin.case_views import views
from rewards_app.features.admin.changes import changes
from rewards_app.features.admin.parts import or_none, quoted
from rewards_app.features.shop.parts import order_status
from rewards_app.features.support.appeal import grounds_of
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.cards import badge
from rewards_app.ui.cards import status as status_mark
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.markup import Child
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import (
    ago,
    date_and_time,
    kronor,
    number,
)

SIGNS = {
    "signal": ("shield-alert", "text-danger"),
    "views": ("circle-play", "text-lilac"),
    "session_begun": ("log-in", "text-quiet"),
    "session_ended": ("log-out", "text-quiet"),
    "device": ("monitor-smartphone", "text-quiet"),
    "purchase": ("shopping-bag", "text-lilac"),
    "refund": ("undo-2", "text-lilac"),
    "restricted": ("lock", "text-danger"),
    "lifted": ("lock-open", "text-good"),
    "appeal": ("life-buoy", "text-cyan"),
    "audit": ("scroll-text", "text-cyan"),
    "joined": ("user-plus", "text-good"),
}


def event_row(event: Any) -> rx.Component:
    match: Any = rx.match
    what = event["what"].to(str)
    told = (
        ("signal", _signal(event)),
        ("views", views(event)),
        ("session_begun", _session(event)),
        ("session_ended", _ended(event)),
        ("device", _device(event)),
        ("purchase", _purchase(event)),
        ("refund", _refund(event)),
        ("restricted", _restricted(event)),
        ("lifted", _lifted(event)),
        ("appeal", _appeal(event)),
        ("audit", _audit(event)),
    )
    signs = ((kind, icon(*_sign(kind))) for kind in SIGNS)
    return rx.el.li(
        rx.el.span(
            match(what, *signs, icon("circle", 18)),
            class_name="grid size-9 shrink-0 place-items-center rounded-control bg-raised",
        ),
        rx.el.div(
            match(what, *told, words(t("admin.case.joined"))),
            class_name="grid min-w-0 flex-[1_1_240px] gap-1",
        ),
        rx.el.p(
            rx.el.span(date_and_time(event["at"].to(str)), class_name="block"),
            rx.el.span(ago(event["at"].to(str)), class_name="block"),
            class_name="tnum text-sm text-quiet sm:text-right",
        ),
        class_name=(
            "flex flex-wrap items-start gap-x-3 gap-y-1 border-t border-line px-4 py-3"
            " first:border-t-0 sm:px-5 max-sm:[&>:last-child]:w-full max-sm:[&>:last-child]:pl-12"
            " max-sm:[&>:last-child>*]:inline max-sm:[&>:last-child>:last-child]:pl-2"
        ),
    )


def _sign(kind: str) -> tuple[str, int, None, str]:
    name, tone = SIGNS[kind]
    return name, 18, None, tone


def _risk_mark(risk: Any, level: Any) -> rx.Component:
    """A risk of 0 to 100, and how it is called."""
    called = t(f"alerts.severity.{level}")
    return level_mark(level, t("admin.case.risk_level", risk=number(risk), level=called))


def _signal(event: Any) -> rx.Component:
    rule, action = event["rule"].to(str), event["action"].to(str)
    evidence = event["evidence"].to(dict)
    named = {name: evidence[name].to(str) for name in NOT_KNOWN}
    return rx.fragment(
        words(t(f"fraud.rules.{rule}")),
        rx.el.p(t(f"admin.case.signals.{rule}", **named), class_name="text-sm wrap-anywhere"),
        details(
            _risk_mark(event["risk"].to(int), event["level"].to(str)),
            t(
                "admin.case.weighs",
                first=number(event["first"].to(int)),
                each=number(event["each_more"].to(int)),
            ),
            rx.cond(
                action != "none",
                badge(icon("lock", 14), t(f"fraud.actions.{action}"), tone="danger"),
            ),
        ),
    )


def _browser(event: Any) -> Any:
    browser, system = event["browser"].to(str), event["system"].to(str)
    return rx.cond(
        browser != "",
        rx.cond(system != "", t("admin.case.browser_on", browser=browser, system=system), browser),
        rx.cond(system != "", system, t("admin.case.unknown_browser")),
    )


def _session(event: Any) -> rx.Component:
    return rx.fragment(
        words(t("admin.case.session_begun", device=_browser(event))),
        details(
            rx.cond(
                event["is_open"].to(bool),
                status_mark(t("admin.case.session_open"), "good"),
                status_mark(t("admin.case.session_over"), "quiet"),
            ),
            rx.el.span(t("admin.case.last_active", when=ago(event["active"].to(str)))),
            rx.cond(
                event["address"].to(str) != "",
                rx.el.span(event["address"].to(str), class_name="tnum wrap-anywhere"),
            ),
        ),
    )


def _ended(event: Any) -> rx.Component:
    return rx.fragment(
        words(t("admin.case.session_ended", device=_browser(event))),
        details(t("admin.case.begun_at", moment=date_and_time(event["begun"].to(str)))),
    )


def _device(event: Any) -> rx.Component:
    others = event["accounts"].to(int)
    return rx.fragment(
        words(t("admin.case.device", device=event["device"].to(str))),
        details(
            rx.cond(
                others > 0,
                rx.el.span(t("admin.case.device_others", count=others, shown=number(others)), ":"),
                rx.el.span(t("admin.case.device_alone")),
            ),
            rx.foreach(event["others"].to(list[dict[str, Any]]), _other),
            rx.el.span(t("admin.case.device_last", when=ago(event["last"].to(str)))),
        ),
    )


def _other(account: Any) -> rx.Component:
    """Another account on the device: a way to its case."""
    return rx.el.span(
        anchor(
            name_of(account["name"].to(str)),
            href=rx.Var.create(address_of("")).to(str) + account["id"].to(str),
            class_name=f"target wrap-anywhere {LINK}",
        ),
        rx.cond(
            account["is_suspended"].to(bool),
            badge(icon("lock", 14), t("admin.case.is_suspended"), tone="danger"),
        ),
        class_name="inline-flex flex-wrap items-center gap-1.5",
    )


def _amounts(event: Any) -> Sequence[Child]:
    spent, ore = event["coins"].to(int), event["ore"].to(int)
    return [
        rx.cond(spent > 0, coins(spent)),
        rx.cond(ore > 0, rx.el.span(kronor(ore), class_name="tnum")),
        rx.el.span(event["code"].to(str), class_name="font-mono wrap-anywhere"),
    ]


def _purchase(event: Any) -> rx.Component:
    return rx.fragment(
        words(t("admin.case.purchase", product=event["product"].to(str))),
        details(order_status(event), *_amounts(event)),
    )


def _refund(event: Any) -> rx.Component:
    return rx.fragment(
        words(t("admin.case.refund", product=event["product"].to(str))),
        details(*_amounts(event), _by(event)),
        _reason(event),
    )


def _by(event: Any) -> rx.Component:
    by = event["by"].to(str)
    return rx.cond(by != "", rx.el.span(t("admin.case.by", name=by), class_name="wrap-anywhere"))


def _reason(event: Any) -> rx.Component:
    return rx.cond(event["reason"].to(str) != "", quoted(event["reason"].to(str)))


def _restricted(event: Any) -> rx.Component:
    return rx.fragment(
        words(t(f"admin.case.restricted.{event['kind']}")),
        details(
            rx.cond(
                event["is_automatic"].to(bool),
                rx.el.span(t("admin.case.by_checks", risk=number(event["risk"].to(int)))),
                _by(event),
            )
        ),
        quoted(
            rx.cond(
                event["has_words"].to(bool),
                event["reason"].to(str),
                t("restrictions.automatic"),
            )
        ),
        grounds_of(event),
    )


def _lifted(event: Any) -> rx.Component:
    return rx.fragment(
        words(t(f"admin.case.lifted.{event['kind']}")), details(_by(event)), _reason(event)
    )


def _appeal(event: Any) -> rx.Component:
    return rx.fragment(
        words(ticket_link(event["number"].to(str))),
        rx.foreach(event["said"].to(list[str]), quoted),
        details(appeal_status(event["status"].to(str))),
    )


def _audit(event: Any) -> rx.Component:
    return rx.fragment(
        words(t(f"audit.actions.{event['action']}")),
        details(or_none(event["by"], t("admin.case.by", name=event["by"].to(str)))),
        changes(event["changes"]),
        _reason(event),
    )
