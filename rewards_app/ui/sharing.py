"""Links that people hand to others."""

import reflex as rx

from rewards_app.ui.buttons import look
from rewards_app.ui.markup import Text


class ShareButton(rx.Component):
    """Opens what the system shares with; where there is no such thing, it is not there."""

    library = "$/public/sharing"
    tag = "ShareButton"

    text: rx.Var[str]
    url: rx.Var[str]
    label: rx.Var[str]


def share_button(text: Text, url: Text, label: Text) -> rx.Component:
    return ShareButton.create(text=text, url=url, label=label, class_name=look("ghost"))
