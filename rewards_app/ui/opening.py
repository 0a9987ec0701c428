"""What a page shows that a mail's link has opened, until it knows what the link is for."""

from typing import Any

import reflex as rx

from rewards_app.ui.cards import skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.refusal import refusal_line


def opening(refusal: Any) -> rx.Component:
    return rx.el.div(
        loading_line(),
        refusal_line(refusal),
        skeleton("title"),
        skeleton("row"),
        skeleton("card"),
        class_name="grid gap-4",
    )
