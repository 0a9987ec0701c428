"""Browsers from before popovers: pages open, and say what they have to say."""

from playwright.async_api import expect

from tests.browser.chromium import Visitor
from tests.browser.conftest import Come, Person
from tests.browser.pages import Home
from tests.browser.test_profile import Profile, has_games
from tests.browser.watching import Wire

WITHOUT_POPOVERS = """
  for (const name of ["show", "hide", "toggle"]) delete HTMLElement.prototype[`${name}Popover`];
  const matches = Element.prototype.matches;
  Element.prototype.matches = function (selector) {
    if (selector.includes(":popover-open")) throw new SyntaxError(`'${selector}' is no selector`);
    return matches.call(this, selector);
  };
"""


async def an_older_one(come: Come) -> Visitor:
    visitor = await come()
    await visitor.context.add_init_script(WITHOUT_POPOVERS)
    return visitor


async def test_a_page_opens_and_outlives_a_lost_connection(come: Come, maja: Person):
    visitor = await an_older_one(come)
    visitor.bears("WebSocket")
    wire = await Wire.of(visitor)
    await visitor.comes_with(maja.session)
    home = Home(await visitor.open("/"))
    await home.welcomes("Maja")
    bar = home.page.locator(".connection-layer")

    await wire.cut()
    await expect(bar).to_have_text(home.says["frame.reconnecting"])
    wire.mend()

    await expect(bar).to_have_text("", timeout=30_000)
    await home.welcomes("Maja")


async def test_a_moment_is_celebrated(come: Come, maja: Person):
    await has_games(maja, {"game": "minecraft"}, {"game": "roblox"}, {"game": "valorant"})
    visitor = await an_older_one(come)
    await visitor.comes_with(maja.session)
    home = Profile(await visitor.open("/"))
    await expect(home.moment).to_contain_text("Squad Ready")


async def test_visitors_are_shown_the_front_page(come: Come):
    visitor = await an_older_one(come)
    page = await visitor.open("/landing")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")
