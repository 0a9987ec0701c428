"""Every page on a phone: it stays still, axe finds nothing in it, a finger hits what it presses."""

from collections.abc import Iterable

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.i18n.languages import CODES
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.desks import comes_with_a_past
from tests.browser.pages import Screen
from tests.browser.places import FOR_VISITORS, OF_EACH_ROLE, each
from tests.browser.stillness import comes_to_rest, is_watched, moved, nothing_moved
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_targets import small_targets
from tests.serving import Served

pytestmark = pytest.mark.timeout(900)
"""A long walk: on a slow machine it takes minutes."""

AXE_COMES_TO_THEIR_DESKS = {Role.COMPANY, Role.ADMIN}
"""Where they work, as test_accessibility.py does."""
IN_EVERY_LANGUAGE = ("/", "/shop", "/support")


async def is_right(one: Visitor, paths: Iterable[str], *, is_given_axe: bool = True) -> None:
    """In one visit: to come takes longer than to look at a page in one more way."""
    await is_watched(one.context)
    came, small = [], []
    async for path, page in each(one, paths):
        came.append(await moved(page, path))
        if is_given_axe:
            await has_no_violations(page)
        await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        small += await small_targets(page, path)
    nothing_moved(came)
    assert not small, "\n".join(small)


async def one_with_a_phone(come: Come) -> Visitor:
    return await one_following_the_system(come, viewport=PHONE, has_touch=True, is_mobile=True)


class TestEveryPageIsRightOnAPhone:
    async def test_of_visitors(self, come: Come):
        await is_right(await one_with_a_phone(come), FOR_VISITORS)

    @OF_EACH_ROLE
    async def test_of_somebody_with_a_long_past(
        self,
        come: Come,
        served: Served,
        a_person: MakePerson,
        role: Role,
        paths: tuple[str, ...],
    ):
        one = await one_with_a_phone(come)
        await comes_with_a_past(one, role, served, a_person)
        await is_right(one, paths, is_given_axe=role not in AXE_COMES_TO_THEIR_DESKS)


class TestNoPageBreaksARuleOfAxe:
    async def test_in_any_language(self, come: Come, a_person: MakePerson):
        one = await one_following_the_system(come, viewport=PHONE)
        await one.comes_with((await a_person()).session)
        screen = Screen(one.page)
        async for path, page in each(one, IN_EVERY_LANGUAGE):
            async for language in screen.in_each_of(CODES):
                assert await comes_to_rest(page), f"{path} in {language}"
                await has_no_violations(page)
