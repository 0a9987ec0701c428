"""No words in the code: whatever a page says goes through the catalogue."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import reflex as rx

from rewards_app.core.page import Page
from rewards_app.features.profile import games
from rewards_app.features.shell import pages as shell
from rewards_app.features.shell.beside_members import beside_members
from rewards_app.features.shop.catalogue import CATALOGUE
from rewards_app.i18n.languages import LANGUAGES
from rewards_app.rewards_app import PAGES, app

TEXT = re.compile(r'^"((?:[^"\\]|\\.)*)"$')
SPOKEN = re.compile(r'^"?(aria-?[lL]abel|title|placeholder|alt|label)"?:"((?:[^"\\]|\\.)*)"$')
WORD = re.compile(r"[^\W\d_]{2,}")
SHOWN = [page for page in PAGES if page.path != "/dev/components"]
"""Developers alone see the components, and those speak English."""
THE_SAME_EVERYWHERE = {
    *(name for language in LANGUAGES for name in (language.code, language.name)),
    *(game.title for game in games.CATALOGUE),
    *(name for currency in CATALOGUE for name in (currency.name, currency.game)),
    *("https://", "PostgreSQL", "Redis", "REWARD_FUNDING=", "VIP"),
    # What a sheet of gift codes looks like.
    "package,code\\nvbucks-1000,XXXX-XXXX-XXXX",
}


def rendered(component: Any) -> Iterator[str]:
    """Every text and every spoken attribute that stands in it as it is."""
    if isinstance(component, dict):
        contents = component.get("contents")
        if isinstance(contents, str) and (found := TEXT.match(contents)):
            yield found[1]
        for prop in component.get("props", ()):
            if isinstance(prop, str) and (said := SPOKEN.match(prop)):
                yield said[2]
        yield from rendered(list(component.values()))
    elif isinstance(component, list | tuple):
        for part in component:
            yield from rendered(part)


def words_in(component: Any) -> set[str]:
    return {
        text
        for text in rendered(component.render())
        if WORD.search(text) and text.strip() not in THE_SAME_EVERYWHERE
    }


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.path)
def test_no_page_says_anything_by_itself(page: Page):
    assert words_in(page.view()) == set()


def test_nor_does_what_stands_around_and_beside_them():
    frame = shell.frame_for(PAGES)
    nothing = rx.fragment()
    around = [
        frame.visitor(nothing),
        *(member(nothing) for _, member in frame.members),
        *(frame.loading(), frame.not_found(), frame.suspended()),
        *(wrap(True) for wrap in app.extra_app_wraps.values()),
        beside_members.__wrapped__(),
    ]
    assert [words_in(part) for part in around if part is not None and words_in(part)] == []


def test_a_text_that_passed_the_catalogue_by_is_found():
    said = rx.el.p("Hello", rx.cond(rx.Var("x"), rx.el.b("there"), rx.el.i(aria_label="you")))
    assert words_in(said) == {"Hello", "there", "you"}
