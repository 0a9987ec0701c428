"""The counting of page views, for browsers that allow it."""

import reflex as rx


class PageViews(rx.Component):
    """Tells each page that somebody sees, once; `place` is empty until it is known."""

    library = "$/public/page_views"
    tag = "PageViews"
    place: rx.Var[str]
    counter: rx.Var[dict[str, str]]
