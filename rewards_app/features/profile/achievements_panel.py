"""The eight achievements: unlocked when, or how far they are."""

from typing import Any

import reflex as rx

from rewards_app.features.profile.achievements import RULES, Achievement
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge, panel, skeleton
from rewards_app.ui.feedback import progress
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import date, number

PLACE = "achievements"
AT_LEVEL = (Achievement.LIVING_LEGEND.value,)
AT_BEST = (Achievement.FULL_HOUSE.value, Achievement.SEVEN_IN_A_ROW.value)


def achievements_panel(rows: Any, unlocked: Any, *, shows_progress: bool = True) -> rx.Component:
    return panel(
        rx.cond(
            rows,
            rx.el.ul(
                rx.foreach(rows, lambda row: _achievement(row, shows_progress)),
                class_name=_GRID,
            ),
            rx.el.div(
                *(skeleton("line", "h-[84px] rounded-control") for _ in RULES),
                class_name=_GRID,
            ),
        ),
        title=t("achievements.title"),
        aside=rx.cond(
            rows,
            badge(
                t("achievements.unlocked_of", done=number(unlocked), all=number(len(RULES))),
                tone="house",
            ),
            skeleton("line", "h-6 w-28 rounded-full"),
        ),
        class_name="scroll-mt-32",
    )


_GRID = "grid grid-cols-[repeat(auto-fill,minmax(min(100%,264px),1fr))] gap-3"


def hexagon(key: Any, *, is_unlocked: Any) -> rx.Component:
    match: Any = rx.match
    signs = ((one.value, icon(rule.icon)) for one, rule in RULES.items())
    return rx.el.span(
        match(key, *signs, icon("trophy")),
        class_name=rx.cond(is_unlocked, "hexagon got", "hexagon"),
        aria_hidden="true",
    )


def _achievement(row: Any, shows_progress: bool) -> rx.Component:
    key, at = row["key"].to(str), row["unlocked_at"].to(str)
    return rx.el.li(
        hexagon(key, is_unlocked=at != ""),
        rx.el.div(
            rx.el.p(t(f"achievements.{key}"), class_name="font-semibold"),
            rx.el.p(t(f"achievements.{key}_text"), class_name="text-sm text-quiet"),
            rx.cond(at, _unlocked(at), _progress(row) if shows_progress else _locked()),
            class_name="min-w-0 flex-1",
        ),
        class_name="flex min-w-0 items-center gap-4 rounded-control border border-line bg-bg p-3",
    )


def _unlocked(at: Any) -> rx.Component:
    return rx.el.p(
        icon("check", 16, class_name="mt-0.5"),
        rx.el.span(t("achievements.unlocked_on", date=date(at)), class_name="min-w-0"),
        class_name="tnum mt-0.5 flex gap-1.5 text-sm font-medium text-good",
    )


def _locked() -> rx.Component:
    return rx.el.p(
        icon("lock", 14, class_name="mt-0.5"),
        t("achievements.locked"),
        class_name="mt-0.5 flex gap-1.5 text-sm text-quiet",
    )


def _progress(row: Any) -> rx.Component:
    done, goal = row["progress"].to(int), row["goal"].to(int)
    return rx.el.div(
        progress(done, goal, t(f"achievements.{row['key'].to(str)}"), class_name="flex-1"),
        rx.el.span(_so_far(row["key"].to(str), done, goal), class_name="tnum shrink-0 text-quiet"),
        class_name="mt-1.5 flex items-center gap-3 text-sm",
    )


def _so_far(key: Any, done: Any, goal: Any) -> Any:
    match: Any = rx.match
    return match(
        key,
        *((one, t("achievements.best", done=number(done))) for one in AT_BEST),
        *((one, t("achievements.at_level", level=number(done))) for one in AT_LEVEL),
        t("achievements.done_of", done=number(done), all=number(goal)),
    )
