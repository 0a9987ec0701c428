"""The loading screen holds nobody for ever."""

import re

from playwright.async_api import expect

from tests.browser.conftest import Come
from tests.browser.pages import Screen


async def test_after_three_seconds_without_an_answer_it_shows_a_way_on(come: Come):
    visitor = await come()
    await visitor.page.route_web_socket(re.compile("/_event"), lambda _silent: None)
    await visitor.page.goto("/")
    screen = Screen(visitor.page)
    way_on = screen.link("frame.to_landing")
    await expect(screen.text(screen.says["frame.loading"])).to_be_visible()
    await expect(way_on).to_be_hidden()
    await expect(way_on).to_be_visible(timeout=6_000)
    await way_on.click()
    await expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("By Gamers")
