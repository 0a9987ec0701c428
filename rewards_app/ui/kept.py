"""What was typed on a page, for the page that takes its place."""

import reflex as rx


class KeepsTyped(rx.Component):
    """Stands on a page that changes into another with the same fields: these stay as they are."""

    library = "$/public/kept"
    tag = "KeepsTyped"
