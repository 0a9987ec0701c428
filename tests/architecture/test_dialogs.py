"""A dialog is about what its page showed: whoever opens a page meets none of the page before."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import reflex as rx

from rewards_app.core.page import Page
from rewards_app.features.admin import state as admin
from rewards_app.features.advertiser import home_state as companies
from rewards_app.rewards_app import PAGES
from rewards_app.ui.overlays import Overlay

OF_TABS = {
    admin.AdminState.open: [*chain(*admin.LOADS.values())],
    companies.AdvertiserState.open: [*chain(*companies.LOADS.values())],
}
"""What is loaded by the tab that a page opens with."""


def parts_of(view: rx.Component) -> Iterator[rx.Component]:
    yield view
    for child in (*view.children, *view._get_components_in_props()):
        yield from parts_of(child)


def closings(page: Page) -> Iterator[Any]:
    """What the page's dialogs that the server opens call when somebody closes them."""
    for part in parts_of(page.view()):
        if isinstance(part, Overlay) and part.open is not None:
            for event in getattr(part.event_triggers.get("on_close"), "events", ()):
                yield event.handler


def owner_of(handler: Any) -> str:
    return handler.fn.__qualname__.partition(".")[0]


def loaded_by(page: Page) -> set[str]:
    """Whose state is put in order when the page opens."""
    more = [one for opening, loads in OF_TABS.items() if opening in page.on_load for one in loads]
    return {owner_of(handler) for handler in (*page.on_load, *more)}


def test_there_are_dialogs_that_the_server_opens():
    assert sum(1 for page in PAGES for _ in closings(page)) > 30


@pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: f"{page.path} {min(page.roles, default='')}"
)
def test_a_page_puts_its_dialogs_away_when_it_opens(page: Page):
    forgotten = {owner_of(one) for one in closings(page)} - loaded_by(page)
    assert not forgotten
