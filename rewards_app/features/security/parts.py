"""What the sections of Account Security are made of."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import Kind, button
from rewards_app.ui.forms import actions, form, password_field
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Child, Handler, Text
from rewards_app.ui.refusal import field_error, other_refusal


def head(title: Text, text: Child) -> rx.Component:
    return rx.el.div(
        rx.el.h2(title, class_name="font-display text-lg font-bold text-balance"),
        rx.el.p(text, class_name="mt-1 text-quiet"),
        class_name="mb-5",
    )


def card(
    sign: str,
    title: Text,
    text: Child,
    *rest: Child,
    state: Child | None = None,
    aside: Child | None = None,
) -> rx.Component:
    """One thing that protects the account: what it is, how it stands, what can be done."""
    return rx.el.div(
        rx.el.div(
            icon(sign, class_name="mt-0.5 text-quiet"),
            rx.el.div(
                rx.el.div(
                    rx.el.h3(title, class_name="font-semibold"),
                    rx.el.p(text, class_name="text-sm text-quiet"),
                    *([] if state is None else [state]),
                    class_name="min-w-0 flex-[1_1_200px]",
                ),
                *([] if aside is None else [aside]),
                class_name="flex min-w-0 flex-1 flex-wrap items-start gap-3",
            ),
            class_name="flex items-start gap-3",
        ),
        *rest,
        class_name="rounded-panel border border-line p-4",
    )


def own_password(label: str = "security.your_password", *, begins: bool = False) -> rx.Component:
    """Asked for again before a change; who has none has signed in minutes ago, or is told to.

    Where a step `begins` with it, whoever types goes on there.
    """
    return rx.cond(
        AccountSecurityState.has_password,
        password_field(
            "password",
            t(label),
            autocomplete="current-password",
            error=field_error(AppState.refusal, "password"),
            auto_focus=begins,
        ),
        rx.el.p(t("security.no_password_text"), class_name="text-sm text-quiet"),
    )


def step(
    *fields: Child, does: Text, on_submit: Handler, on_cancel: Handler, kind: Kind = "primary"
) -> rx.Component:
    """A form in the place of a section: its fields, what is wrong, the way on and the way back."""
    busy: Any = AppState.is_busy
    return form(
        *fields,
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=on_cancel),
            button(does, kind=kind, submits=True, busy=busy),
        ),
        on_submit=on_submit,
        no_validate=True,
    )
