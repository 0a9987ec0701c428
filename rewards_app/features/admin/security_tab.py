"""Security alerts: what happened, to whom, from where, what to do, and who has seen to it."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.parts import failed, further
from rewards_app.features.admin.security_state import OPEN, RESOLVED, SecurityState
from rewards_app.features.advertiser.rules import CARD
from rewards_app.features.alerts.service import MOST_COUNTED, Severity
from rewards_app.i18n.page_text import said, t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import Tone, empty_state, panel, skeleton, status
from rewards_app.ui.icons import icon
from rewards_app.ui.inputs import Option, seg
from rewards_app.ui.links import link
from rewards_app.ui.lists import each
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import ago, date_and_time, dollars, number

CASES = "/admin?tab=fraud&case="
PEOPLE = "/admin?tab=people&person="
TONES: dict[Severity, Tone] = {
    Severity.CRITICAL: "danger",
    Severity.HIGH: "danger",
    Severity.MEDIUM: "house",
    Severity.LOW: "quiet",
}


def security_tab() -> rx.Component:
    return rx.cond(
        SecurityState.is_loaded,
        rx.el.div(
            _filters(),
            rx.cond(SecurityState.alerts, _alerts(), _nothing()),
            class_name="grid gap-4",
        ),
        rx.cond(
            SecurityState.has_failed,
            failed(t("admin.security.not_loaded"), SecurityState.load),
            rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
        ),
    )


def _filters() -> rx.Component:
    counts: Any = SecurityState.counts
    is_open = SecurityState.standing == OPEN
    return rx.el.div(
        rx.el.div(
            rx.cond(is_open, _severities(counts), _severities()),
            class_name="max-w-full max-sm:w-full",
        ),
        rx.el.div(
            seg(
                "standing",
                t("admin.security.standing"),
                [
                    Option(OPEN, t("admin.security.open")),
                    Option(RESOLVED, t("admin.security.resolved")),
                ],
                SecurityState.standing,
                SecurityState.choose_standing,
            ),
            class_name="max-w-full max-sm:w-full",
        ),
        rx.cond(
            is_open & SecurityState.has_more_than_counted,
            rx.el.p(
                t("admin.security.counted_up_to", shown=number(MOST_COUNTED)),
                class_name="w-full text-sm text-quiet",
            ),
        ),
        class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-3",
    )


def _severities(counts: Any = None) -> rx.Component:
    """How many of each are open; of those that are resolved nobody has to know."""

    def counted(key: str) -> Any:
        return None if counts is None else counts[key].to(int)

    return seg(
        "severity",
        t("admin.security.severity"),
        [
            Option("", t("admin.security.all"), counted("all")),
            *(
                Option(one.value, t(f"alerts.severity.{one}"), counted(one.value))
                for one in Severity
            ),
        ],
        SecurityState.severity,
        SecurityState.choose_severity,
    )


def _nothing() -> rx.Component:
    return rx.cond(
        SecurityState.severity != "",
        empty_state("search-x", t("admin.security.none_such"), t("admin.security.none_such_text")),
        rx.cond(
            SecurityState.standing == OPEN,
            empty_state("shield-check", t("admin.security.none"), t("admin.security.none_text")),
            empty_state(
                "archive",
                t("admin.security.none_resolved"),
                t("admin.security.none_resolved_text"),
            ),
        ),
    )


def _alerts() -> rx.Component:
    more: Any = SecurityState.load_more
    return panel(
        rx.el.ul(each(SecurityState.alerts, _alert), aria_label=t("admin.tabs.security")),
        further(SecurityState.next_before, more),
        flush=True,
    )


def _alert(alert: Any) -> rx.Component:
    words = _words(alert)
    return rx.el.li(
        rx.el.div(
            rx.el.div(_severity(alert), _when(alert), class_name=_HEAD),
            rx.el.p(words, class_name="mt-2 font-medium wrap-anywhere"),
            _advice(alert),
            _meta(alert),
            class_name="min-w-0 flex-[1_1_320px]",
        ),
        _outcome(alert, words),
        class_name=(
            "flex flex-wrap items-start gap-x-6 gap-y-3 border-t border-line px-4 py-4"
            " first:border-t-0 sm:px-5"
        ),
    )


_HEAD = "flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet"


def _words(alert: Any) -> Any:
    """In the reader's language; what is older than its words says what it said then."""
    return rx.cond(
        alert["text"].to(str) != "",
        said(alert["text"].to(str), _params(alert)),
        alert["description"].to(str),
    )


def _params(alert: Any) -> Any:
    """With its sum as the reader writes it; older alerts hold it as it was written then."""
    params = alert["params"].to(dict)
    cents = params["cents"]
    amount = rx.cond(cents, dollars(cents.to(int)), params["amount"].to(str))
    return params.merge({"amount": amount})


def _severity(alert: Any) -> rx.Component:
    match: Any = rx.match
    known = [(one.value, status(t(f"alerts.severity.{one}"), tone)) for one, tone in TONES.items()]
    return match(alert["severity"].to(str), *known, rx.fragment())


def _when(alert: Any) -> rx.Component:
    times = alert["times"].to(int)
    return rx.fragment(
        rx.el.span(date_and_time(alert["created_at"].to(str)), class_name="tnum"),
        rx.cond(
            times > 1,
            rx.el.span(
                t(
                    "admin.security.times",
                    count=times,
                    shown=number(times),
                    when=ago(alert["last_at"].to(str)),
                ),
                class_name="tnum font-semibold text-text",
            ),
        ),
    )


def _advice(alert: Any) -> rx.Component:
    return rx.cond(
        alert["advice"].to(str) != "",
        rx.el.p(
            said(alert["advice"].to(str), _params(alert)),
            class_name="mt-1 max-w-[80ch] text-sm text-quiet",
        ),
    )


def _meta(alert: Any) -> rx.Component:
    """Whom it concerns and from where it came, as far as that is known."""
    account, address = alert["account_id"].to(str), alert["address"].to(str)
    return rx.el.p(
        rx.cond(
            account != "",
            rx.el.span(
                icon("user-round", 14),
                rx.el.span(name_of(alert["account"].to(str)), class_name="wrap-anywhere"),
                rx.el.span(
                    link(t("admin.security.case"), href=CASES + account, class_name="target"),
                    link(t("admin.security.person"), href=PEOPLE + account, class_name="target"),
                    class_name="inline-flex flex-wrap gap-x-4 gap-y-6",
                ),
                class_name=_FACT,
            ),
        ),
        _company(alert),
        rx.cond(
            address != "",
            rx.el.span(
                icon("map-pin", 14),
                t("admin.security.from", address=address),
                class_name=f"{_FACT} wrap-anywhere",
            ),
        ),
        class_name="my-3 flex flex-wrap gap-x-5 gap-y-3 text-sm empty:hidden",
    )


def _company(alert: Any) -> rx.Component:
    company_id = alert["company_id"].to(str)
    return rx.cond(
        company_id != "",
        rx.el.span(
            icon("building-2", 14),
            rx.el.span(alert["company"].to(str), class_name="wrap-anywhere"),
            link(t("admin.company.open"), href=CARD + company_id, class_name="target"),
            class_name=_FACT,
        ),
    )


_FACT = "inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-3"


def _outcome(alert: Any, words: Any) -> rx.Component:
    resolve: Any = SecurityState.resolve
    when, name = alert["resolved_at"].to(str), alert["resolved_by"].to(str)
    return rx.cond(
        when == "",
        button(
            t("admin.security.resolve"),
            kind="ghost",
            icon="check",
            on_click=resolve(alert["id"].to(str)),
            label_for_readers=t("admin.security.resolve_of", alert=words),
        ),
        rx.el.p(
            icon("check", 16, class_name="mt-0.5 text-good"),
            rx.cond(
                name != "",
                t("admin.security.resolved_by", when=ago(when), name=name),
                t("admin.security.resolved_at", when=ago(when)),
            ),
            class_name="flex max-w-[36ch] gap-2 text-sm wrap-anywhere text-quiet",
        ),
    )
