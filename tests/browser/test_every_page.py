"""Axe on every page of visitors and players in both themes, and in every language on a few."""

from collections.abc import Iterable

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.i18n.languages import CODES
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.places import FOR_MODERATORS, FOR_PLAYERS, FOR_VISITORS, each, the_session_of
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.serving import Served

pytestmark = pytest.mark.timeout(900)
"""A long walk: on a slow machine it takes minutes."""

IN_EVERY_LANGUAGE = ("/", "/shop", "/support")


async def breaks_no_rule(one: Visitor, paths: Iterable[str]) -> None:
    async for path, page in each(one, paths):
        assert await comes_to_rest(page), f"{path} does not come to rest"
        await has_no_violations(page)


class TestNoPageBreaksARuleOfAxe:
    async def test_of_visitors(self, come: Come):
        await breaks_no_rule(await one_following_the_system(come, viewport=PHONE), FOR_VISITORS)

    @pytest.mark.parametrize(
        ("role", "paths"),
        [(Role.PLAYER, FOR_PLAYERS), (Role.MODERATOR, FOR_MODERATORS)],
        ids=["player", "moderator"],
    )
    async def test_of_somebody_with_a_long_past(
        self,
        come: Come,
        served: Served,
        a_person: MakePerson,
        role: Role,
        paths: tuple[str, ...],
    ):
        one = await one_following_the_system(come, viewport=PHONE)
        await one.comes_with(await the_session_of(served.accounts[role.value]["email"]))
        await breaks_no_rule(one, paths)

    async def test_in_any_language(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        for language in CODES:
            one = await come(
                bypass_csp=True,
                stored={"theme": "system", "language": language},
                viewport=PHONE,
            )
            await one.comes_with(maja.session)
            async for _, page in each(one, IN_EVERY_LANGUAGE):
                await expect(page.locator("html")).to_have_attribute("lang", language)
                await comes_to_rest(page)
                await has_no_violations(page)
