"""A picture from elsewhere, before whatever stands in its place where it cannot be shown."""

import reflex as rx


class Thumbnail(rx.Component):
    """Hides itself where it cannot be shown: without `alt` it is for eyes alone."""

    library = "$/public/thumbnail"
    tag = "Thumbnail"

    src: rx.Var[str]
    alt: rx.Var[str]
    loading: rx.Var[str]
