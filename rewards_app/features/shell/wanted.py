"""Home offers the page that somebody came for, and had to sign in first."""

import reflex as rx

from rewards_app.core.routes import COMPANY_HOME, HOME
from rewards_app.core.state import AppState
from rewards_app.features.shell.wanted_state import WantedState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.feedback import banner


def wanted() -> rx.Component:
    is_home = [rx.Var.create(AppState.place) == home for home in (HOME, COMPANY_HOME)]
    page = t(WantedState.title).split(" · ")[0]  # pyright: ignore
    return rx.cond(
        (WantedState.address != "") & (is_home[0] | is_home[1]),
        rx.el.div(
            banner(
                "info",
                t("wanted.title", page=page),
                None,
                rx.el.div(
                    button(t("wanted.open"), size="sm", on_click=WantedState.follow),
                    button(
                        t("wanted.not_now"), kind="ghost", size="sm", on_click=WantedState.forget
                    ),
                    class_name="flex flex-wrap gap-2",
                ),
                is_news=True,
            ),
            class_name="mb-4",
        ),
    )
