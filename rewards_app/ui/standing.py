"""Where somebody stands who does not see the page: its name when it changes, and the focus."""

import reflex as rx


class Standing(rx.Component):
    """Names each new page to readers; who stood on what is gone goes on at the content."""

    library = "$/public/standing"
    tag = "Standing"
