"""What is on its way: the loading screen holds nobody for ever, and no page says what is not so."""

import re
from collections.abc import Iterable

import pytest
from playwright.async_api import Route, expect

from rewards_app.core.actor import Role
from tests.browser.chromium import Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.desks import comes_with_a_past
from tests.browser.holding import Tab, untrue_meanwhile
from tests.browser.pages import Screen
from tests.browser.places import (
    FOR_VISITORS,
    OF_EACH_ROLE,
)
from tests.browser.test_routes import NO_SUCH_FILE
from tests.serving import Served

pytestmark = pytest.mark.timeout(900)
"""A long walk: on a slow machine it takes minutes."""


async def test_after_three_seconds_without_an_answer_it_shows_a_way_on(come: Come):
    visitor = await come()
    await visitor.page.route_web_socket(re.compile("/_event"), lambda _silent: None)
    await visitor.page.goto("/watch", wait_until="commit")
    screen = Screen(visitor.page)
    way_on = screen.link("frame.to_landing")
    await expect(screen.text(screen.says["frame.loading"])).to_be_visible()
    # Counted from its first paint, which may be long before anybody can look.
    is_shown, after, since = await way_on.evaluate(
        """link => {
          const [coming] = link.closest(".after-3-seconds").getAnimations();
          const isShown = link.checkVisibility({ visibilityProperty: true });
          return [isShown, coming.effect.getTiming().delay, coming.currentTime];
        }"""
    )
    assert after == 3000
    assert is_shown == (since >= after)
    await expect(way_on).to_be_visible(timeout=6_000)
    await way_on.click()
    await expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("By Gamers")


async def test_a_page_of_the_version_before_is_left_by_one_press(come: Come):
    """What it would load next is there no more."""
    visitor = await come()
    visitor.bears("404", "route module", "dynamically imported")
    screen = Screen(await visitor.open("/landing"))
    asked: list[str] = []

    async def is_gone(route: Route):
        asked.append(route.request.url)
        await route.fulfill(status=404)

    await visitor.page.route("**/assets/_terms_*.js", is_gone, times=1)
    await screen.link("frame.terms").click()
    await screen.is_at("/terms")
    await expect(screen.page.get_by_role("heading", level=1)).to_be_visible()
    assert len(asked) == 1
    await screen.page.reload()
    await screen.is_at("/terms")


ON_ITS_WAY = (
    *("app.name", "frame.loading", "admin.loading"),
    *("auth.email.working_title", "auth.email.working_text"),
)
"""What a page says of itself while it is not there."""


class TestWhileTheServersWordsAreHeldBack:
    """Each page shows that it waits; what it says is still so when all of it has come."""

    async def test_on_the_pages_of_visitors(self, come: Come):
        await says_nothing_untrue(await come(), FOR_VISITORS)

    @OF_EACH_ROLE
    async def test_on_the_pages_of_members(
        self,
        come: Come,
        served: Served,
        a_person: MakePerson,
        role: Role,
        paths: tuple[str, ...],
    ):
        one = await come()
        await comes_with_a_past(one, role, served, a_person)
        await says_nothing_untrue(one, paths)


async def says_nothing_untrue(one: Visitor, paths: Iterable[str]) -> None:
    one.bears(NO_SUCH_FILE)
    says = Screen(one.page).says
    loading = [says[key] for key in ON_ITS_WAY]
    tab = await Tab.of(one)
    found = [what for path in paths for what in await untrue_meanwhile(tab, path, loading)]
    assert not found, "\n".join(found)
