"""How strong a password is, beside the field in which it is typed."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.accounts import password_rules
from rewards_app.features.accounts.state import AuthState
from rewards_app.i18n.page_text import t
from rewards_app.ui.feedback import meter
from rewards_app.ui.refusal import Words, field_error


def strength() -> rx.Component:
    """Follows the typing; a password refused for its weakness is told so here, and only once."""
    return rx.cond(
        AuthState.strength,
        rx.el.div(
            meter(AuthState.strength["score"].to(int), t(AuthState.strength["label"].to(str))),
            rx.cond(
                field_error(AppState.refusal, "password") == "",
                rx.el.p(
                    Words.create(says=AuthState.strength["says"].to(dict[str, Any])),
                    class_name=rx.cond(
                        is_refused_as_weak(), "text-sm text-danger", "text-sm text-quiet"
                    ),
                ),
            ),
            class_name="grid gap-2",
        ),
    )


def is_refused_as_weak() -> rx.Var[bool]:
    """Unless the field itself says so, or it was refused for something that is not told here."""
    strength: Any = AuthState.strength
    refusal: Any = AppState.refusal
    code, field = refusal["code"], refusal["params"].to(dict)["field"].to(str)
    weak, short = password_rules.WeakPassword.code, password_rules.ShortPassword.code
    is_told = strength["says"].to(dict)["text"].to(str) == refusal["text"].to(str)
    return strength.bool() & ~field.bool() & ((code == weak) | (code == short) | is_told)
