"""Saying that something is wrong with an order."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.shop.orders_state import ProblemState
from rewards_app.features.shop.parts import product
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.forms import actions, textarea_field
from rewards_app.ui.inputs import MessageForm
from rewards_app.ui.names import unbroken
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal


def problem_button(order: Any) -> rx.Component:
    """Opens the question; among many orders its name for readers says which one it means."""
    ask: Any = ProblemState.ask
    words = t("orders.wrong")
    return button(
        words,
        kind="ghost",
        size="sm",
        icon="flag",
        on_click=ask(order["id"].to(str), product(order)),
        label_for_readers=rx.Var.create(f"{words}: {product(order)}"),
    )


def problem_dialog() -> rx.Component:
    is_open = rx.Var.create(ProblemState.order_id) != ""
    return dialog(
        rx.cond(is_open, _form()),
        id="order-problem",
        title=t("orders.wrong"),
        open=is_open,
        on_close=ProblemState.cancel,
        width=480,
    )


def _form() -> rx.Component:
    return MessageForm.create(
        rx.el.p(
            unbroken(t("orders.wrong_about", product=ProblemState.product)), class_name="text-quiet"
        ),
        textarea_field(
            "message",
            t("orders.wrong_label"),
            hint=t("orders.wrong_hint"),
            rows=5,
            error=field_error(AppState.refusal, "message"),
            required=True,
            field_id="field-problem",
        ),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=ProblemState.cancel),
            button(t("orders.wrong_send"), submits=True, busy=AppState.is_busy),
        ),
        on_send=ProblemState.send,
        class_name="grid gap-4",
    )
