"""At the top of one's own profile: that a moderator hid words of it, why, and the way to appeal."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.appeal_dialog import appeal_button
from rewards_app.features.forum.desk_parts import reason_words
from rewards_app.features.forum.desk_rules import Target, Why
from rewards_app.features.forum.writing_parts import help_lines
from rewards_app.features.profile.state import ProfileState
from rewards_app.i18n.page_text import t
from rewards_app.ui.feedback import banner
from rewards_app.ui.markup import Child


def hidden_words() -> Child:
    """The page needs `appeal_dialog()`."""
    own: Any = ProfileState.profile
    return rx.cond(
        own["is_hidden"].to(bool),
        banner(
            "warning",
            t("profile.hidden"),
            _why(own),
            appeal_button(Target.PROFILE, own["id"].to(str)),
        ),
    )


def _why(own: Any) -> rx.Component:
    """A reason that speaks of help lines stands beside them."""
    return rx.el.div(
        reason_words(own, "hidden_key", "hidden_note"),
        rx.cond(own["hidden_key"].to(str) == f"forum.desk.reasons.{Why.CARE}", help_lines()),
        rx.el.p(t("profile.hidden_text")),
        class_name="grid gap-2",
    )
