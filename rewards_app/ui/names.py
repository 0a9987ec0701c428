"""What people are called, also those who are called nothing any more."""

from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t


def name_of(name: Any) -> Any:
    """As it is; who deleted their account has none."""
    return rx.cond(name == "", t("closing.deleted_player"), name).to(str)
