"""System Health: what answers how fast, what waits, and how the last day was."""

from typing import Any

import reflex as rx

from rewards_app.core.errors import StorageAway
from rewards_app.features.admin.health_state import LEVELS, HealthState
from rewards_app.features.admin.parts import failed
from rewards_app.features.admin.schedule_panel import schedule_panel
from rewards_app.features.health.rules import Level
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import Tone, facts, key_figure, key_figures, panel, skeleton, status
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import ago, duration, gigabytes, length, number, percent
from rewards_app.ui.poll import Poll
from rewards_app.ui.small_chart import small_chart

EVERY_SECONDS = 30
TONES: dict[str, Tone] = {
    Level.HEALTHY.value: "good",
    Level.WARNING.value: "action",
    Level.ERROR.value: "danger",
}


def health_tab() -> rx.Component:
    return rx.fragment(
        Poll.create(seconds=EVERY_SECONDS, on_time=HealthState.refresh),
        rx.cond(
            _is_away(),
            _failed(),
            rx.cond(
                HealthState.is_loaded,
                _measured(),
                rx.el.div(
                    *(skeleton("tile") for _ in range(3)), skeleton("card"), class_name="grid gap-4"
                ),
            ),
        ),
    )


def _is_away() -> Any:
    """The database did not answer the measuring, or not even who asks."""
    refusal: Any = HealthState.refusal
    return HealthState.has_failed | (refusal["code"].to(str) == StorageAway.code)


def _failed() -> rx.Component:
    """Nothing of the database is known; the page asks again by itself."""
    return rx.el.div(
        failed(t("health.not_loaded"), HealthState.load),
        key_figures(
            key_figure(t("health.database"), status(t("health.levels.error"), "danger")),
            key_figure(t("health.uptime"), percent(0)),
            key_figure(t("health.online"), number(0)),
            key_figure(t("health.views_today"), number(0)),
        ),
        rx.el.p(t("health.asks_again"), class_name="text-sm text-quiet", role="status"),
        class_name="grid gap-4",
    )


def _measured() -> rx.Component:
    return rx.el.div(
        _answers(),
        rx.el.div(_queue(), _machine(), class_name="grid items-start gap-4 lg:grid-cols-2"),
        _charts(),
        schedule_panel(),
        rx.el.p(
            t("health.measured", when=ago(HealthState.measured_at)),
            class_name="text-sm text-quiet",
        ),
        class_name="grid gap-4",
    )


def _answers() -> rx.Component:
    database: Any = HealthState.database
    people: Any = HealthState.people
    return key_figures(
        key_figure(t("health.database"), _level(database), previous=_milliseconds(database)),
        key_figure(
            t("health.uptime"),
            rx.cond(HealthState.has_uptime, percent(HealthState.uptime, 2), "–"),
            previous=rx.cond(
                HealthState.has_uptime, t("health.uptime_text"), t("health.uptime_none")
            ),
        ),
        key_figure(
            t("health.online"), number(people["online"].to(int)), previous=t("health.online_text")
        ),
        key_figure(
            t("health.views_today"),
            number(people["views"].to(int)),
            previous=t("health.views_text"),
        ),
    )


def _level(measured: Any) -> rx.Component:
    match: Any = rx.match
    words = [(one, status(t(f"health.levels.{one}"), TONES.get(one, "quiet"))) for one in LEVELS]
    return match(measured["level"].to(str), *words, rx.fragment())


def _milliseconds(measured: Any) -> rx.Var[str]:
    return t("health.milliseconds", shown=number(measured["ms"].to(float), 1))


def _queue() -> rx.Component:
    queue: Any = HealthState.queue
    redis: Any = HealthState.redis
    oldest = queue["oldest"].to(int)
    return panel(
        facts(
            (t("health.jobs_waiting"), number(queue["waiting"].to(int))),
            (t("health.oldest_job"), rx.cond(oldest > 0, duration(oldest), "–")),
            (t("health.jobs_running"), number(queue["running"].to(int))),
            (t("health.jobs_failed"), _none_is_good(queue["failed"].to(int))),
            (t("health.mails_waiting"), number(queue["mails"].to(int))),
            (t("health.workers"), _some_are_good(queue["workers"].to(int))),
            ("Redis", _redis(redis)),
        ),
        title=t("health.behind"),
    )


def _none_is_good(count: Any) -> rx.Component:
    return rx.cond(
        count > 0, status(number(count), "danger"), rx.el.span(number(0), class_name="text-text")
    )


def _some_are_good(count: Any) -> rx.Component:
    return rx.cond(count > 0, rx.el.span(number(count)), status(t("health.no_worker"), "danger"))


def _redis(redis: Any) -> rx.Component:
    is_measured = (redis["level"].to(str) == Level.HEALTHY.value) | (
        redis["level"].to(str) == Level.WARNING.value
    )
    return rx.el.span(
        _level(redis),
        rx.cond(is_measured, rx.el.span(_milliseconds(redis), class_name="ml-2")),
        class_name="inline-flex flex-wrap items-center justify-end",
    )


def _machine() -> rx.Component:
    machine: Any = HealthState.machine
    return panel(
        rx.el.div(
            _share("disk", machine),
            rx.cond(machine["memory_size"].to(int) > 0, _share("memory", machine)),
            class_name="grid gap-4",
        ),
        facts(
            (t("health.memory_here"), gigabytes(machine["memory_used_here"].to(int))),
            (t("health.running_for"), duration(machine["running_for"].to(int))),
        ),
        title=t("health.machine"),
    )


def _share(name: str, machine: Any) -> rx.Component:
    """What is used of something, and what is left."""
    free, size = machine[f"{name}_free"].to(int), machine[f"{name}_size"].to(int)
    used: Child = rx.el.div(
        class_name="h-full rounded-full bg-purple", style={"width": length(size - free, size)}
    )
    return rx.el.div(
        rx.el.div(
            rx.el.span(t(f"health.{name}"), class_name="text-quiet"),
            rx.el.span(
                t("health.free_of", free=gigabytes(free), size=gigabytes(size)),
                class_name="tnum font-semibold",
            ),
            class_name="flex flex-wrap items-baseline justify-between gap-x-4",
        ),
        rx.el.div(
            used,
            class_name="mt-1.5 h-1.5 overflow-hidden rounded-full bg-raised",
            aria_hidden="true",
        ),
    )


CHARTS: tuple[tuple[str, str], ...] = (
    ("database", "health.chart_database"),
    ("jobs", "health.chart_jobs"),
    ("mails", "health.chart_mails"),
    ("workers", "health.chart_workers"),
)


def _charts() -> rx.Component:
    return panel(
        rx.el.div(
            *(
                small_chart(
                    t(words),
                    HealthState.stretches,
                    [(key, t(words))],
                    written="ms" if key == "database" else "number",
                    scale="time",
                )
                for key, words in CHARTS
            ),
            class_name="grid gap-x-8 gap-y-6 md:grid-cols-2",
        ),
        title=t("health.last_day"),
    )
