"""What runs by itself: each job with how it went last and when it runs next."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.health_state import HealthState
from rewards_app.features.health.schedule_rules import State
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import Tone, panel, status
from rewards_app.ui.numbers import ago, date_and_time, number, since
from rewards_app.ui.tables import Column, table

TONES: dict[State, Tone] = {
    State.FINE: "good",
    State.RUNNING: "quiet",
    State.NEW: "quiet",
    State.LATE: "danger",
    State.FAILED: "danger",
    State.BROKEN_OFF: "action",
}


def schedule_panel() -> rx.Component:
    return panel(
        table(
            [
                Column(t("schedule.job"), is_main=True),
                Column(t("schedule.how_often")),
                Column(t("schedule.last_run")),
                Column(t("schedule.did_what")),
                Column(t("schedule.next_run")),
            ],
            HealthState.schedule,
            _cells,
            caption=t("schedule.title"),
            cell_on_phone=130,
        ),
        title=t("schedule.title"),
        flush=True,
    )


def _cells(job: Any) -> list[Any]:
    return [
        rx.el.div(
            rx.el.span(t(f"schedule.jobs.{job['name']}"), class_name="block font-medium"),
            rx.el.span(
                job["name"].to(str), class_name="block font-mono text-xs text-quiet wrap-anywhere"
            ),
        ),
        t(f"schedule.every.{job['every']}", count=job["minutes"].to(int)),
        _last(job),
        _did(job),
        date_and_time(job["next"].to(str)),
    ]


def _last(job: Any) -> rx.Component:
    has_run = job["last"].to(str) != ""
    took = t("health.milliseconds", shown=number(job["ms"].to(float), 0))
    return rx.el.div(
        _state(job),
        rx.cond(
            has_run,
            rx.el.span(
                ago(job["last"].to(str)),
                rx.cond(job["ms"].to(float) > 0, rx.el.span(" · ", took)),
                class_name="block text-sm text-quiet",
            ),
        ),
        rx.cond(
            job["failing_since"].to(str) != "",
            rx.el.span(
                t(
                    "schedule.failing",
                    error=job["error"].to(str),
                    since=since(job["failing_since"].to(str)),
                ),
                class_name="block text-sm text-quiet wrap-anywhere",
            ),
        ),
    )


def _state(job: Any) -> rx.Component:
    match: Any = rx.match
    words = [(one.value, status(t(f"schedule.states.{one}"), TONES[one])) for one in State]
    return rx.el.span(
        match(job["state"].to(str), *words, rx.fragment()), class_name="lg:whitespace-nowrap"
    )


def _did(job: Any) -> rx.Component:
    found = job["did"].to(list[dict[str, Any]])
    return rx.cond(
        found.length() > 0,
        rx.el.ul(rx.foreach(found, _count), class_name="text-sm"),
        rx.el.span("–", class_name="text-quiet"),
    )


def _count(one: Any) -> rx.Component:
    return rx.el.li(
        t(f"schedule.did.{one['what']}", shown=number(one["count"].to(int))),
        class_name="tnum",
    )
