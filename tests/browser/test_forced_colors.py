"""Browsers that draw in their reader's own colours: what is chosen is seen all the same."""

from playwright.async_api import Locator, expect

from tests.browser.buying import in_the_shop
from tests.browser.conftest import Come, Person
from tests.browser.pages import Screen
from tests.browser.watching import a_film, at_the_ads

LOOK = """element => {
  const { outlineStyle, outlineWidth, outlineColor, appearance } = getComputedStyle(element);
  return [outlineStyle, outlineWidth, outlineColor, appearance].join(" ");
}"""
BESIDE_IT_A_BOX = """one => {
  one.after(Object.assign(one.cloneNode(), { className: "check" }));
}"""


async def look(element: Locator) -> str:
    """While nothing has the focus."""
    await element.page.evaluate("document.activeElement.blur()")
    return await element.evaluate(LOOK)


async def differ(chosen: Locator, other: Locator) -> bool:
    await expect(chosen).to_be_visible()
    return await look(chosen) != await look(other)


async def test_a_package_and_a_currency(come: Come, maja: Person):
    shop = await in_the_shop(await come(forced_colors="active"), maja)
    radios = {
        group: shop.page.get_by_role("group", name=shop.says[group]).get_by_role("radio")
        for group in ("shop.currency", "shop.package")
    }
    await radios["shop.currency"].nth(1).check()
    # The packages come with the answer, and their first one is chosen.
    await expect(shop.packages.first).to_contain_text("Robux")
    await expect(radios["shop.package"].nth(0)).to_be_checked()
    await radios["shop.package"].nth(1).check()
    for group in radios.values():
        assert await differ(group.nth(1), group.nth(0))
    await expect(shop.slider).to_have_css("appearance", "auto")


async def test_a_switch_and_a_box_are_the_browsers_own(come: Come, maja: Person):
    visitor = await come(forced_colors="active")
    await visitor.comes_with(maja.session)
    page = await visitor.open("/settings")
    switch = page.get_by_role("switch").first
    await expect(switch).to_be_visible()
    await switch.evaluate(BESIDE_IT_A_BOX)
    for control in (switch, page.locator("input.check").first):
        await expect(control).to_have_css("appearance", "auto")
        assert await control.evaluate("one => getComputedStyle(one, '::before').content") == "none"


async def test_the_current_place_and_the_focus_on_it(come: Come, maja: Person):
    visitor = await come(forced_colors="active")
    await visitor.comes_with(maja.session)
    screen = Screen(await visitor.open("/leaderboard"))
    current = screen.main.locator("a[aria-current=page]").first
    other = screen.main.locator("a[aria-current=false]").first
    assert await differ(current, other)
    before = await look(current)
    await screen.page.keyboard.press("Tab")
    await current.focus()
    assert await current.evaluate(LOOK) != before


async def test_how_far_an_ad_is(come: Come, maja: Person):
    film = await a_film(seconds=20)
    watch = await at_the_ads(await come(forced_colors="active"), maja)
    await watch.start(film.title)
    colour = "element => getComputedStyle(element).backgroundColor"
    fill = watch.progress.locator("div")
    assert await fill.evaluate(colour) != await watch.progress.evaluate(colour)
    await expect(watch.progress).to_have_css("border-top-width", "1px")
