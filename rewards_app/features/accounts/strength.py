"""How strong a password is, beside the field in which it is typed."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.accounts import password_rules
from rewards_app.features.accounts.state import AuthState
from rewards_app.i18n.page_text import t
from rewards_app.ui.feedback import meter
from rewards_app.ui.refusal import Words, fault_of


def strength() -> rx.Component:
    """Follows the typing; a password refused for its weakness is told so here, and only once."""
    return rx.cond(
        AuthState.strength,
        rx.el.div(
            meter(AuthState.strength["score"].to(int), t(AuthState.strength["label"].to(str))),
            rx.el.p(
                Words.create(says=AuthState.strength["says"].to(dict[str, Any])),
                class_name=rx.cond(
                    is_refused_as_weak(), "text-sm text-danger", "text-sm text-quiet"
                ),
            ),
            class_name="grid gap-2",
        ),
    )


def is_refused_as_weak() -> rx.Var[bool]:
    strength: Any = AuthState.strength
    refusal: Any = AppState.refusal
    weak = password_rules.WeakPassword
    is_told_first = refusal["code"] == weak.code
    is_told_there = fault_of(refusal, "password")["text"] == weak().text_key
    return strength.bool() & (is_told_first | is_told_there)
