"""Short texts that people take with them."""

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.markup import Text


class Copyable(rx.Component):
    """A text with a button that copies it."""

    library = "$/public/copying"
    tag = "Copyable"

    text: rx.Var[str]
    label: rx.Var[str]
    copied: rx.Var[str]


def copyable(text: Text, label: Text, class_name: str = "") -> rx.Component:
    return Copyable.create(
        text=text,
        label=label,
        copied=t("ui.copied"),
        class_name=f"inline-flex min-w-0 items-center gap-1 {class_name}".strip(),
    )
