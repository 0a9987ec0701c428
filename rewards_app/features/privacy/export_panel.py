"""A copy of one's data: asked for, made, fetched."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.privacy.export_rules import Status
from rewards_app.features.privacy.state import ExportState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.feedback import banner, loading_line, progress
from rewards_app.ui.forms import DownloadForm, form, password_field
from rewards_app.ui.numbers import date_and_time
from rewards_app.ui.numbers import percent as share
from rewards_app.ui.refusal import field_error, other_refusal

EXPORT: Any = ExportState.export
STATUS = EXPORT["status"].to(str)
DOWNLOAD = "/privacy/export"
ANCHOR = "export"


def export_panel() -> rx.Component:
    return panel(
        rx.el.p(t("gdpr.export_text"), class_name="text-pretty text-quiet"),
        rx.cond(
            ExportState.is_loaded,
            rx.el.div(
                rx.cond(ExportState.is_link_dead, _dead_link()),
                _how_it_stands(),
                class_name="mt-4 grid gap-4",
            ),
            rx.el.div(
                loading_line(),
                skeleton("row", "h-[184px] sm:h-[159px]"),
                class_name="mt-4 grid gap-4",
            ),
        ),
        title=t("gdpr.export"),
    )


def _how_it_stands() -> Any:
    match: Any = rx.match
    return match(
        STATUS,
        (Status.WAITING.value, _being_made("waiting")),
        (Status.RUNNING.value, _being_made("running")),
        (Status.READY.value, _ready()),
        (
            Status.TAKEN.value,
            _over("good", "taken", moment=date_and_time(EXPORT["taken_at"].to(str))),
        ),
        (Status.EXPIRED.value, _over("info", "expired")),
        (Status.FAILED.value, _over("danger", "failed")),
        _ask("gdpr.ask"),
    )


def _being_made(status: str) -> rx.Component:
    percent = EXPORT["percent"].to(int)
    return rx.el.div(
        rx.el.div(
            rx.el.p(t(f"gdpr.{status}"), class_name="font-semibold", role="status"),
            rx.el.p(share(percent / 100), class_name="tnum text-quiet"),
            class_name="flex justify-between gap-4",
        ),
        progress(percent, 100, t(f"gdpr.{status}")),
        rx.el.p(t("gdpr.open_text"), class_name="text-sm text-quiet"),
        class_name="grid gap-2",
    )


def _ready() -> rx.Component:
    """The browser posts the form itself: what comes back is a file, and the page stays.

    What comes instead of it is said here, or by what stands here then.
    """
    until = date_and_time(EXPORT["expires_at"].to(str))
    return rx.el.div(
        banner(
            "good",
            t("gdpr.ready"),
            t("gdpr.ready_text", moment=until),
            DownloadForm.create(
                rx.el.input(type="hidden", name="token", value=EXPORT["token"].to(str)),
                button(t("gdpr.download"), icon="download", submits=True),
                action=DOWNLOAD,
                name="download",
                on_refused=ExportState.explain,
            ),
            is_news=True,
        ),
        other_refusal(AppState.refusal),
        class_name="grid gap-3",
    )


def _over(kind: Any, status: str, **params: Any) -> rx.Component:
    return rx.fragment(
        banner(kind, t(f"gdpr.{status}"), t(f"gdpr.{status}_text", **params), is_news=True),
        _ask("gdpr.ask_again"),
    )


def _dead_link() -> rx.Component:
    return banner("info", t("gdpr.dead_link"), t("gdpr.dead_link_text"), is_news=True)


def _ask(label: str) -> rx.Component:
    return form(
        rx.el.p(t("gdpr.export_once"), class_name="text-sm text-quiet"),
        rx.cond(
            ExportState.has_password,
            rx.el.div(
                password_field(
                    "password",
                    t("gdpr.password"),
                    autocomplete="current-password",
                    error=field_error(AppState.refusal, "password"),
                    field_id="export-password",
                ),
                class_name="max-w-[360px]",
            ),
            rx.el.p(t("gdpr.no_password"), class_name="text-sm text-quiet"),
        ),
        other_refusal(AppState.refusal),
        rx.el.div(button(t(label), icon="archive", submits=True, busy=AppState.is_busy)),
        on_submit=ExportState.ask,
        no_validate=True,
    )
