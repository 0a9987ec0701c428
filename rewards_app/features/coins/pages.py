"""The statement: where every coin came from, and where it went."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.page import Page
from rewards_app.core.routes import WATCH
from rewards_app.features.coins.rules import Kind
from rewards_app.features.coins.state import StatementState
from rewards_app.i18n.page_text import t
from rewards_app.ui.bars import STATEMENT
from rewards_app.ui.brand import coin_figure, coins
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import (
    empty_state,
    key_figure,
    key_figures,
    page_head,
    panel,
    skeleton,
)
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.markup import NBSP
from rewards_app.ui.names import unbroken
from rewards_app.ui.numbers import counting, date, date_and_time, number
from rewards_app.ui.tables import Column, table

OUTCOMES = f"{WATCH}#credited"
SIGNS = {
    Kind.AD: "circle-play",
    Kind.WELCOME: "gift",
    Kind.PURCHASE: "shopping-bag",
    Kind.REFUND: "undo-2",
    Kind.EXPIRY: "clock",
}


def statement() -> rx.Component:
    return rx.fragment(
        page_head(t("statement.title"), t("statement.text")),
        rx.el.div(
            rx.cond(
                StatementState.is_loaded,
                rx.fragment(_balance(), _held(), _history()),
                rx.fragment(skeleton("tile"), *(skeleton("row") for _ in range(6))),
            ),
            class_name="grid gap-6",
        ),
    )


def _balance() -> rx.Component:
    return key_figures(
        key_figure(t("statement.balance"), coin_figure(counting(StatementState.balance))),
        key_figure(t("statement.total"), coin_figure(counting(StatementState.total))),
        rx.cond(
            StatementState.held > 0,
            key_figure(t("statement.held"), coin_figure(counting(StatementState.held))),
        ),
    )


def _held() -> rx.Component:
    """What is held, and why."""
    return rx.cond(
        StatementState.held > 0,
        panel(
            rx.el.p(t("statement.held_text"), class_name="text-quiet"),
            rx.el.ul(
                rx.foreach(StatementState.holds, _hold),
                class_name="mt-3 grid gap-2",
            ),
            title=t("statement.held"),
        ),
    )


def _hold(hold: Any) -> rx.Component:
    return rx.el.li(
        icon("lock", 18, class_name="text-quiet"),
        rx.el.span(
            t("statement.held_since", date=date(hold["since"])), class_name="min-w-0 flex-1"
        ),
        coins(hold["amount"].to(int)),
        class_name="flex items-center gap-3",
    )


def _history() -> rx.Component:
    return rx.cond(
        StatementState.entries,
        panel(
            table(
                [
                    Column(t("statement.what"), is_main=True),
                    Column(t("statement.when")),
                    Column(t("statement.amount"), is_number=True),
                    Column(t("statement.left"), is_number=True),
                ],
                StatementState.entries,
                _cells,
                caption=t("statement.title"),
                is_ledger=True,
            ),
            _further(),
            title=t("statement.entries"),
            aside=link(t("watch.outcomes_title"), href=OUTCOMES, class_name="target"),
            flush=True,
        ),
        rx.fragment(
            empty_state(
                "coins",
                t("statement.empty"),
                t("statement.empty_text"),
                link_button(t("home.first_ad"), href=WATCH, icon="circle-play"),
            ),
            rx.el.p(
                link(t("watch.outcomes_title"), href=OUTCOMES, class_name="target"),
                class_name="text-center",
            ),
        ),
    )


def _cells(entry: Any) -> list[Any]:
    amount = entry["amount"].to(int)
    return [
        rx.el.span(
            _sign(entry["kind"]),
            rx.el.span(_words(entry), class_name="min-w-0 font-medium"),
            class_name="flex items-center gap-3",
        ),
        rx.el.span(date_and_time(entry["at"]), class_name="text-quiet"),
        coins(amount, is_change=True),
        rx.el.span(number(entry["left"].to(int)), class_name="text-quiet"),
    ]


def _sign(kind: rx.Var[Any]) -> rx.Component:
    match: Any = rx.match
    signs = ((known.value, _icon(name)) for known, name in SIGNS.items())
    return match(kind, *signs, _icon("coins"))


def _icon(name: str) -> rx.Component:
    return icon(name, 18, class_name="text-lilac")


def _words(entry: Any) -> Any:
    kind = t(f"coins.kinds.{entry['kind']}")
    subject, count = entry["subject"].to(str), entry["count"].to(int)
    whole: Any = rx.cond(count > 0, f"{number(count)}{NBSP}{subject}", subject)
    words = t("statement.entry", kind=kind, subject=whole.to(str))
    return rx.cond(subject, rx.cond(count > 0, unbroken(words), words), kind)


def _further() -> rx.Component:
    """Older entries, and the way back from very old ones."""
    older = StatementState.next_before
    load_more: Any = StatementState.load_more
    return rx.cond(
        (older > 0) | StatementState.has_newer,
        rx.el.div(
            rx.cond(
                older > 0,
                button(
                    t("statement.more"),
                    kind="ghost",
                    on_click=load_more(older),
                ),
            ),
            rx.cond(
                StatementState.has_newer,
                button(t("statement.newest"), kind="ghost", on_click=StatementState.load),
            ),
            class_name="flex flex-wrap justify-center gap-3 border-t border-line p-4",
        ),
    )


PAGES = [
    Page(
        STATEMENT,
        statement,
        "statement.page_title",
        roles=PLAYING_ROLES,
        on_load=[StatementState.load],
        refreshes=[StatementState.refresh],
        even_suspended=True,
    )
]
