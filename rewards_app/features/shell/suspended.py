"""What somebody sees in a page's place while their account is suspended."""

import reflex as rx

from rewards_app.features.shell.suspended_state import SuspendedState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import panel


def suspended() -> rx.Component:
    return rx.el.main(
        panel(
            rx.el.p(t("restrictions.suspended_text"), class_name="mb-5 text-quiet"),
            rx.el.h3(t("restrictions.reason"), class_name="mb-1 text-base"),
            rx.el.p(
                rx.cond(
                    SuspendedState.is_automatic,
                    t("restrictions.automatic"),
                    SuspendedState.reason,
                ),
                class_name="wrap-anywhere",
            ),
            title=t("restrictions.suspended_title"),
        ),
        class_name="mx-auto w-full max-w-[760px] p-4",
    )
