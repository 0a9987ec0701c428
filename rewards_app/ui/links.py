"""Links: inside the app the router changes the page, without a new document."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import VarData
from reflex_components_core.el.elements.inline import A
from reflex_components_core.react_router.dom import ReactRouterLink

from rewards_app.ui.markup import Child, Text

LINK = "text-cyan underline decoration-1 underline-offset-4 hover:decoration-2"
QUIET_LINK = "target text-quiet no-underline hover:text-text hover:underline underline-offset-4"


class _PageLink(ReactRouterLink):
    """Changes the page without a new document."""

    library = "$/public/links"
    tag = "PageLink"
    alias = "PageLink"


class _PlaceLink(_PageLink):
    """A link that knows when it is the current place: aria-current without the server."""

    tag = "PlaceLink"
    alias = "PlaceLink"
    end: rx.Var[bool]


def browser_link(*children: Child, href: Text, **props: Any) -> rx.Component:
    """A link that the browser follows itself. `rx.el.a` is the router's: it would look for /oauth
    among our pages, and take the query away before #main."""
    return A.create(*children, href=href, **props)


def anchor(*children: Child, href: Text, class_name: str = "", **props: Any) -> rx.Component:
    """A link without a look; a foreign address opens in a tab of its own."""
    if isinstance(href, str) and not href.startswith("/"):
        return browser_link(
            *children,
            href=href,
            rel="noopener noreferrer",
            target=None if href.startswith(("#", "mailto:")) else "_blank",
            class_name=class_name,
            **props,
        )
    return _PageLink.create(*children, to=href, class_name=class_name, **props)


def link(*children: Child, href: Text, quiet: bool = False, class_name: str = "") -> rx.Component:
    """A link in running text, or a quiet one in a footer."""
    look = QUIET_LINK if quiet else LINK
    return anchor(*children, href=href, class_name=f"{look} {class_name}".strip())


def place_link(*children: Child, href: str, class_name: str) -> rx.Component:
    """A link of a navigation; `aria-current="page"` is set where it leads here."""
    return _PlaceLink.create(*children, to=href, end=href == "/", class_name=class_name)


def is_at(*paths: str) -> rx.Var[bool]:
    """Whether the page is one of `paths`: the browser knows, before the server does."""
    return rx.Var(
        rf'{list(paths)}.includes(pathname.replace(/(.)\/$/, "$1"))',
        _var_type=bool,
        _var_data=VarData(
            imports={"react-router": [ImportVar(tag="useLocation")]},
            hooks={"const { pathname } = useLocation();": None},
        ),
    ).to(bool)
