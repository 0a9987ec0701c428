"""Says when the password must be changed, on the homes of all; looks again every day."""

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.dashboard.state import PasswordState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.every import Every
from rewards_app.ui.feedback import BannerKind, banner
from rewards_app.ui.markup import Text
from rewards_app.ui.numbers import number

CHECK_EVERY_HOURS = 24
CHANGE = "/security?section=password"


def password_banner() -> rx.Component:
    days = PasswordState.days_left
    return rx.el.div(
        Every.create(hours=CHECK_EVERY_HOURS, on_time=PasswordState.check),
        rx.cond(
            PasswordState.is_expired,
            _banner("danger", t("password.expired")),
            rx.cond(
                days > 0,
                _banner("warning", t("password.expires", count=days, shown=number(days))),
            ),
        ),
        class_name="empty:hidden",
    )


def _banner(kind: BannerKind, title: Text) -> rx.Component:
    return banner(
        kind,
        title,
        rx.cond(
            PasswordState.is_mailed,
            t("password.link_mailed_text", email=AppState.email),
            t("password.expires_text"),
        ),
        rx.el.div(
            link_button(
                t("password.change"), href=CHANGE, kind="ghost", size="sm", icon="key-round"
            ),
            button(
                rx.cond(
                    PasswordState.is_mailed, t("password.mail_link_again"), t("password.mail_link")
                ),
                kind="ghost",
                size="sm",
                icon="mail",
                on_click=PasswordState.mail_link,
            ),
            class_name="flex flex-wrap gap-2",
        ),
        is_news=True,
    )
