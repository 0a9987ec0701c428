"""No page moves under the eyes of who reads it: what comes later comes in its place."""

from collections.abc import Iterable

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.i18n.catalogues import interface
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.desks import comes_with_a_past
from tests.browser.pages import Screen
from tests.browser.places import (
    FOR_COMPANIES,
    FOR_MODERATORS,
    FOR_PLAYERS,
    FOR_VISITORS,
    OF_EACH_ROLE,
    each,
)
from tests.browser.stillness import is_watched, moved, nothing_moved
from tests.serving import Served

pytestmark = pytest.mark.timeout(900)
"""A long walk: on a slow machine it takes minutes."""

NO_MATTER_WHOSE_PAST = {"/terms", "/privacy", "/no-such-page"}


async def is_still(one: Visitor, paths: Iterable[str]) -> None:
    await is_watched(one.context)
    nothing_moved([await moved(page, path) async for path, page in each(one, paths)])


class TestAtADesk:
    """The same on a phone is with all else that holds there: test_every_page.py."""

    async def test_nothing_moves_on_the_pages_of_visitors(self, come: Come):
        await is_still(await come(viewport=DESK), FOR_VISITORS)

    @OF_EACH_ROLE
    async def test_nothing_moves_where_the_demo_has_a_long_past(
        self,
        come: Come,
        served: Served,
        a_person: MakePerson,
        role: Role,
        paths: tuple[str, ...],
    ):
        one = await come(viewport=DESK)
        await comes_with_a_past(one, role, served, a_person)
        await is_still(one, paths)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
class TestNothingMoves:
    @pytest.mark.parametrize("language", ["de", "ru"])
    async def test_for_visitors_who_chose_another_language(
        self, come: Come, viewport: dict[str, int], language: str
    ):
        await is_still(await come(viewport=viewport, stored={"language": language}), FOR_VISITORS)

    @pytest.mark.parametrize(
        ("role", "paths"),
        [
            (Role.PLAYER, FOR_PLAYERS),
            (Role.MODERATOR, FOR_MODERATORS),
            (Role.COMPANY, FOR_COMPANIES),
        ],
        ids=["player", "moderator", "company"],
    )
    async def test_where_somebody_new_has_nothing_yet(
        self,
        come: Come,
        a_person: MakePerson,
        viewport: dict[str, int],
        role: Role,
        paths: tuple[str, ...],
    ):
        one = await come(viewport=viewport)
        await one.comes_with((await a_person(role)).session)
        await is_still(one, [path for path in paths if path not in NO_MATTER_WHOSE_PAST])

    async def test_where_the_rules_have_changed(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int]
    ):
        one = await come(viewport=viewport)
        await one.comes_with((await a_person(knows_the_rules=False)).session)
        await is_still(one, ("/watch", "/shop"))
        news = Screen(await one.another_tab("/shop")).text(interface("en")["editions.title"])
        await expect(news).to_be_visible()
