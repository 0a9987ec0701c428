"""The case of one account: who it is, all evidence on one time line, and then the decision."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.admin.case_address import TAB
from rewards_app.features.admin.case_dialog import (
    CREDIT_ALL,
    PAUSE,
    RESTORE,
    RESUME,
    SUSPEND,
    case_dialog,
    consequences,
)
from rewards_app.features.admin.case_events import event_row
from rewards_app.features.admin.case_parts import appeal_status, level_mark, ticket_link
from rewards_app.features.admin.case_state import CaseState
from rewards_app.features.admin.parts import failed, further, quoted
from rewards_app.features.admin.state import PATH
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.fraud.case_rules import Source
from rewards_app.features.support.appeal import grounds_of
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coin_figure
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import (
    badge,
    empty_state,
    key_figure,
    key_figures,
    panel,
    skeleton,
    status,
)
from rewards_app.ui.icons import icon
from rewards_app.ui.inputs import Option, seg
from rewards_app.ui.links import LINK, browser_link, link
from rewards_app.ui.markup import Child
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import ago, date, date_and_time, number

ALL_CASES = f"{PATH}?tab={TAB}"
DECISION = "decision"


def case_page() -> rx.Component:
    """For the fraud tab while a case is open."""
    return rx.el.div(
        link(icon("arrow-left", 18), t("admin.case.back"), href=ALL_CASES, class_name=_BACK),
        rx.cond(
            CaseState.person,
            rx.el.div(
                _who(),
                _figures(),
                rx.foreach(CaseState.holding, _holding),
                _evidence(),
                _decision(),
                class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
            ),
            rx.cond(
                CaseState.is_unknown,
                empty_state(
                    "user-x",
                    t("errors.fraud.unknown_account"),
                    t("admin.case.unknown_text"),
                    link_button(t("admin.case.back"), href=ALL_CASES, kind="ghost"),
                ),
                rx.cond(
                    CaseState.has_failed,
                    failed(t("admin.case.not_loaded"), CaseState.load),
                    rx.el.div(
                        skeleton("tile"),
                        *(skeleton("row") for _ in range(8)),
                        class_name="grid gap-3",
                    ),
                ),
            ),
        ),
        case_dialog(),
        class_name="grid gap-4",
    )


_BACK = "target inline-flex items-center gap-2 justify-self-start"


def _who() -> rx.Component:
    person: Any = CaseState.person
    return rx.el.header(
        rx.el.div(
            rx.el.h2(name_of(person["name"].to(str)), class_name="text-xl wrap-anywhere"),
            rx.el.p(
                rx.el.span(mail_address(person["email"]), class_name="wrap-anywhere"),
                rx.cond(
                    person["is_verified"].to(bool),
                    status(t("home.verified"), "good"),
                    status(t("admin.case.unverified"), "quiet"),
                ),
                rx.cond(
                    person["is_erased"].to(bool),
                    status(t("admin.people.is_erased"), "quiet"),
                    rx.cond(
                        person["is_closed"].to(bool),
                        status(t("admin.people.is_closing"), "quiet"),
                    ),
                ),
                badge(t(f"roles.{person['role']}")),
                rx.cond(
                    person["company_card"].to(str) != "",
                    link(
                        t("admin.case.acts_for", company=person["company"].to(str)),
                        href=person["company_card"].to(str),
                        class_name="target min-w-0 wrap-anywhere",
                    ),
                ),
                class_name="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1",
            ),
            rx.el.p(
                t("admin.case.member_since", day=date(person["since"].to(str))),
                " · ",
                rx.el.span(person["id"].to(str), class_name="font-mono wrap-anywhere"),
                class_name="mt-1 text-sm text-quiet",
            ),
            class_name="min-w-0 flex-[1_1_320px]",
        ),
        browser_link(t("admin.case.to_decision"), href=f"#{DECISION}", class_name=f"target {LINK}"),
        class_name="flex flex-wrap items-start gap-x-6 gap-y-2",
    )


def _figures() -> rx.Component:
    known: Any = CaseState.figures
    return key_figures(
        key_figure(
            t("admin.case.risk_now"),
            rx.el.span(
                number(known["risk"].to(int)),
                rx.el.span(level_mark(known["level"].to(str)), class_name="font-sans"),
                class_name="flex flex-wrap items-center gap-2",
            ),
            previous=t(
                "admin.case.signals_that_count",
                count=known["signals"].to(int),
                shown=number(known["signals"].to(int)),
            ),
        ),
        key_figure(
            t("admin.case.ads_today"),
            t(
                "frame.ads_today_of",
                done=number(known["ads_today"].to(int)),
                limit=number(DAILY_LIMIT),
            ),
            previous=t("admin.case.ads_ever", shown=number(known["ads"].to(int))),
        ),
        key_figure(
            t("admin.case.balance"),
            coin_figure(number(known["balance"].to(int))),
            previous=t("admin.case.coins_held", shown=number(known["held"].to(int))),
        ),
        key_figure(t("admin.case.coins_ever"), coin_figure(number(known["total"].to(int)))),
    )


def _holding(held: Any) -> rx.Component:
    """A restriction in force: why, by whom, and what its owner says to it."""
    by = held["by"].to(str)
    return rx.el.section(
        icon("lock", 20, class_name="mt-0.5 text-danger"),
        rx.el.div(
            rx.el.h3(t(f"admin.case.holding.{held['kind']}"), class_name="text-base"),
            rx.el.p(
                rx.cond(
                    held["is_automatic"].to(bool),
                    t("admin.case.by_checks", risk=number(held["risk"].to(int))),
                    rx.cond(by != "", t("admin.case.by", name=by), ""),
                ),
                " · ",
                date_and_time(held["since"].to(str)),
                " · ",
                ago(held["since"].to(str)),
                class_name="tnum text-sm wrap-anywhere text-quiet",
            ),
            quoted(
                rx.cond(
                    held["has_words"].to(bool),
                    held["reason"].to(str),
                    t("restrictions.automatic"),
                )
            ),
            grounds_of(held),
            rx.cond(
                held["ticket"].to(str) != "",
                rx.el.div(
                    rx.el.p(
                        icon("life-buoy", 16, class_name="text-cyan"),
                        ticket_link(held["ticket"].to(str)),
                        appeal_status(held["status"].to(str)),
                        class_name="flex flex-wrap items-center gap-x-2 gap-y-1",
                    ),
                    rx.foreach(held["said"].to(list[str]), quoted),
                    class_name="mt-1 grid gap-1.5",
                ),
            ),
            class_name="grid min-w-0 flex-1 gap-1.5",
        ),
        class_name="flex gap-3 rounded-panel border border-danger/40 bg-danger/8 p-4",
    )


def _evidence() -> rx.Component:
    sources = [Option(source.value, t(f"admin.case.sources.{source}")) for source in Source]
    return panel(
        rx.el.div(
            seg(
                "source",
                t("admin.case.sources_label"),
                [Option("", t("admin.case.sources.all")), *sources],
                CaseState.source,
                CaseState.choose_source,
            ),
            class_name="border-b border-line px-4 pb-4 sm:px-5",
        ),
        rx.cond(
            CaseState.events,
            rx.el.ol(rx.foreach(CaseState.events, event_row)),
            rx.el.p(t("admin.case.nothing"), class_name="px-4 py-8 text-center text-quiet"),
        ),
        further(CaseState.next_before, CaseState.load_more),
        title=t("admin.case.evidence"),
        flush=True,
    )


def _decision() -> rx.Component:
    person: Any = CaseState.person
    return rx.el.section(
        rx.el.h2(t("admin.case.decision"), class_name="mb-1 text-lg"),
        rx.cond(
            person["is_own"].to(bool),
            rx.el.p(t("errors.fraud.not_yourself"), class_name="text-quiet"),
            rx.cond(
                person["role"].to(str) == Role.ADMIN.value,
                rx.el.p(t("errors.fraud.admin_first"), class_name="text-quiet"),
                rx.fragment(
                    rx.el.p(t("admin.case.decision_text"), class_name="mb-4 text-quiet"),
                    _options(),
                ),
            ),
        ),
        custom_attrs={"id": DECISION},
        class_name="scroll-mt-28",
    )


def _options() -> rx.Component:
    """Only what can be decided now; what holds the account comes first."""
    plays = _is_player()
    return rx.el.div(
        rx.cond(
            _is_held(Kind.EARNING_PAUSED),
            _option(RESUME),
            rx.cond(plays, _option(PAUSE)),
        ),
        rx.cond(_is_held(Kind.SUSPENDED), _option(RESTORE), _option(SUSPEND)),
        rx.cond(plays, _option(CREDIT_ALL)),
        class_name="grid gap-4 md:grid-cols-2 xl:grid-cols-3",
    )


def _is_player() -> Any:
    role: Any = CaseState.person["role"].to(str)
    player, *others = sorted(PLAYING_ROLES)
    found = role == player.value
    for other in others:
        found = found | (role == other.value)
    return found


def _is_held(kind: Kind) -> rx.Var[bool]:
    return CaseState.held_kinds.contains(kind.value)  # pyright: ignore


def _option(what: str) -> rx.Component:
    ask: Any = CaseState.ask
    return rx.el.div(
        rx.el.h3(t(f"admin.case.options.{what}.title"), class_name="text-base"),
        consequences(what),
        rx.el.div(
            _ask_button(what, ask(what)),
            class_name="mt-auto flex pt-1 max-sm:[&>button]:w-full",
        ),
        class_name="flex flex-col gap-3 rounded-panel border border-line bg-panel p-4",
    )


def _ask_button(what: str, on_click: Any) -> rx.Component:
    words: Child = t(f"admin.case.options.{what}.ask")
    kind = "ghost" if what in (RESUME, RESTORE) else "danger"
    return button(words, kind=kind, on_click=on_click)
