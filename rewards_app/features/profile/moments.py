"""The card that comes when an achievement is unlocked."""

from typing import Any

import reflex as rx

from rewards_app.features.profile.achievements_panel import hexagon
from rewards_app.features.profile.moment_state import MomentState
from rewards_app.features.profile.unlocking import SHOWN_AT
from rewards_app.i18n.page_text import t
from rewards_app.ui.links import link
from rewards_app.ui.moments import moment


def achievement_moment() -> rx.Component:
    """Beside every page of a player."""
    won: Any = MomentState.won
    says = t("achievements.moment", count=won.length())
    return moment(
        rx.el.p(
            says,
            class_name="text-sm font-semibold text-lilac",
        ),
        rx.el.ul(rx.foreach(MomentState.won, _won), class_name="mt-2 grid gap-3"),
        link(t("achievements.see"), href=SHOWN_AT, class_name="target mt-2 inline-block text-sm"),
        says=says,
        waiting=MomentState.moments_waiting,
        moment_id=MomentState.moment_id,
        on_ready=MomentState.celebrate,
    )


def _won(key: Any) -> rx.Component:
    return rx.el.li(
        hexagon(key, is_unlocked=True),
        rx.el.div(
            rx.el.p(t(f"achievements.{key}"), class_name="font-display text-lg font-bold"),
            rx.el.p(t(f"achievements.{key}_text"), class_name="text-sm text-quiet"),
            class_name="min-w-0",
        ),
        class_name="flex items-center gap-4",
    )
