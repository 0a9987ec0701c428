"""Beside a profile: figures, what happened last, and where settings are."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from rewards_app.features.profile.achievements import RULES
from rewards_app.features.profile.state import ProfileState
from rewards_app.features.profile.written import BOUGHT, SHOWN_ROWS, WATCHED
from rewards_app.features.security.account_security import account_security_opener
from rewards_app.i18n.page_text import t
from rewards_app.ui.bars import STATEMENT
from rewards_app.ui.brand import coins
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.glyphs import glyph_tile
from rewards_app.ui.icons import icon, icon_tile
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import NBSP, Child
from rewards_app.ui.names import unbroken
from rewards_app.ui.numbers import number, since

OWN = ProfileState.profile


@dataclass(frozen=True, slots=True)
class Setting:
    """A page with settings; `key` names its words, under `profile.settings.`."""

    key: str
    href: str
    icon: str


SETTINGS = (
    Setting("notifications", "/settings", "bell"),
    Setting("privacy", "/gdpr", "lock"),
)


def side(there: Collection[str]) -> rx.Component:
    """`there` are the paths that a player can go to."""
    settings = [setting for setting in SETTINGS if setting.href in there]
    return rx.el.div(
        _stats(),
        _quick_stats(),
        _activity(),
        _settings(settings),
        class_name="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6",
    )


def _stats() -> rx.Component:
    rank: Any = rx.Var.create(ProfileState.rank)
    return panel(
        rx.el.dl(
            _stat("ads", number(OWN["ads"].to(int))),
            _stat("rank", rx.cond(rank > 0, number(rank), "–")),
            _stat("streak", days_in_a_row(OWN["streak"].to(int))),
            _stat(
                "achievements",
                t(
                    "achievements.done_of",
                    done=number(OWN["unlocked"].to(int)),
                    all=number(len(RULES)),
                ),
            ),
            class_name=(
                "grid grid-cols-2 overflow-hidden rounded-control border border-line bg-line gap-px"
            ),
        ),
        title=t("profile.your_stats"),
    )


def days_in_a_row(count: Any) -> Any:
    return t("profile.days", count=count, shown=number(count))


def _stat(name: str, value: Child) -> rx.Component:
    return rx.el.div(
        rx.el.dt(t(f"profile.stats.{name}"), class_name="text-sm text-quiet"),
        rx.el.dd(
            rx.cond(OWN, value, skeleton("line", "my-1.5 w-12")),
            class_name="tnum font-display text-lg font-bold",
        ),
        class_name="min-w-0 bg-panel px-4 py-3",
    )


def _quick_stats() -> rx.Component:
    held, expired = OWN["held"].to(int), OWN["expired"].to(int)
    return panel(
        rx.el.dl(
            _line("earned", coins(OWN["earned"].to(int))),
            _line("spent", _gone(OWN["spent"].to(int))),
            rx.cond(held > 0, _line("held", _gone(held))),
            rx.cond(expired > 0, _line("expired", _gone(expired))),
            _line("balance", coins(OWN["balance"].to(int)), is_sum=True),
            _line("best_streak", days_in_a_row(OWN["best_streak"].to(int))),
        ),
        _go(Setting("statement", STATEMENT, "receipt-text")),
        title=t("profile.quick_stats"),
    )


def _gone(amount: Any) -> rx.Component:
    return rx.cond(amount > 0, coins(amount * -1), coins(0))


def _line(name: str, value: Child, *, is_sum: bool = False) -> rx.Component:
    look = "border-t border-edge font-semibold" if is_sum else "border-t border-line"
    return rx.el.div(
        rx.el.dt(t(f"profile.stats.{name}"), class_name="" if is_sum else "text-quiet"),
        rx.el.dd(
            rx.cond(OWN, value, skeleton("line", "w-14")),
            class_name="tnum ml-auto font-semibold",
        ),
        class_name=f"flex flex-wrap items-center gap-x-4 py-2.5 first:border-t-0 {look}",
    )


def _activity() -> rx.Component:
    return panel(
        rx.cond(
            ProfileState.activity,
            rx.el.ul(
                rx.foreach(ProfileState.activity, _happened), class_name="divide-y divide-line"
            ),
            rx.el.div(
                *(skeleton("row") for _ in range(SHOWN_ROWS)),
                class_name="grid gap-3",
            ),
        ),
        title=t("profile.activity"),
    )


def _happened(row: Any) -> rx.Component:
    match: Any = rx.match
    return rx.el.li(
        match(row["what"].to(str), (WATCHED, _watched(row)), (BOUGHT, _bought(row)), _nothing()),
        class_name="flex min-h-14 items-center gap-3 py-2.5",
    )


def _watched(row: Any) -> rx.Component:
    return rx.fragment(
        icon_tile("circle-play", "text-lilac"),
        _what(t("profile.watched", title=row["title"].to(str)), row),
    )


def _bought(row: Any) -> rx.Component:
    tint, amount = row["tint"].to(str), row["amount"].to(int)
    name = row["title"].to(str)
    product = rx.cond(amount > 0, f"{number(amount)}{NBSP}{name}", name)
    return rx.fragment(
        rx.cond(tint, glyph_tile(tint, 44), icon_tile("shopping-bag", "text-lilac")),
        _what(unbroken(t("profile.bought", product=product)), row),
    )


def _moved(row: Any) -> rx.Component:
    """What it was worth or what it cost, in coins; nothing where neither."""
    moved = row["coins"].to(int)
    return rx.cond(moved != 0, coins(moved, is_change=True, with_unit=True))


def _what(words: Child, row: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(words, class_name="font-semibold wrap-anywhere"),
        rx.el.div(
            rx.el.span(since(row["at"].to(str)), class_name="tnum text-sm text-quiet"),
            _moved(row),
            class_name="flex flex-wrap items-center justify-between gap-x-3",
        ),
        class_name="min-w-0 flex-1",
    )


def _nothing() -> rx.Component:
    return rx.el.p(t("profile.no_activity"), class_name="text-quiet")


def _settings(settings: Sequence[Setting]) -> rx.Component:
    return panel(
        *(_go(setting) for setting in settings),
        account_security_opener(*_named("security", "shield"), class_name=_ROW),
        title=t("profile.settings_title"),
    )


def _go(setting: Setting) -> rx.Component:
    return anchor(*_named(setting.key, setting.icon), href=setting.href, class_name=_ROW)


def _named(key: str, sign: str) -> tuple[rx.Component, ...]:
    return (
        icon(sign, class_name="text-quiet"),
        rx.el.span(
            rx.el.span(t(f"profile.settings.{key}"), class_name="block font-semibold"),
            rx.el.span(t(f"profile.settings.{key}_text"), class_name="block text-sm text-quiet"),
            class_name="min-w-0 flex-1",
        ),
        icon("chevron-right", 18, class_name="text-quiet"),
    )


_ROW = (
    "-mx-2 flex min-h-11 items-center gap-3 rounded-control px-2 py-2 text-left text-text"
    " no-underline hover:bg-raised w-[calc(100%+16px)]"
)
