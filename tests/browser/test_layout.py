"""Nothing overflows and nothing is cut, from a small phone to a wide screen."""

import pytest
from playwright.async_api import Page, expect

from rewards_app.core.actor import Role
from rewards_app.features.forum.desk_rules import Deed
from rewards_app.features.notifications.rules import Kind
from tests.browser.buying import a_rich, bought, live_in
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, Shop
from tests.browser.test_forum_desk import Desk, a_reported_topic
from tests.browser.test_notifications import Bell, is_told

WIDTHS = (360, 390, 768, 1024, 1440, 2560)
LANGUAGES = ("en", "de", "ru")
FOR_VISITORS = ("/landing", "/auth", "/auth?mode=login")

SPILLED = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  // What only readers hear has no width that anybody sees.
  const unseen = [...document.querySelectorAll(".sr-only")];
  unseen.forEach((element) => (element.style.display = "none"));
  const contents = document.createRange();
  const isSpilling = (element) => {
    contents.selectNodeContents(element);
    const [inner, outer] = [contents.getBoundingClientRect(), element.getBoundingClientRect()];
    return inner.right > outer.right + 1 || inner.left < outer.left - 1;
  };
  const spills = [...document.querySelectorAll("h1, h2, p, a, button, label, dt, dd, li")]
    .filter((element) => element.checkVisibility() && !element.querySelector("select"))
    .filter((element) => getComputedStyle(element).display !== "inline")
    .filter((element) => !element.matches(".sr-only, .sr-only *") && isSpilling(element))
    .map((element) => `${element.tagName} “${element.textContent.slice(0, 40)}”`);
  unseen.forEach((element) => (element.style.display = ""));
  return wide > 0 ? [`the page, by ${wide}px`, ...spills] : spills;
}"""


async def spilled(page: Page) -> list[str]:
    """At every width: what is wider than its place."""
    found = []
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": 900})
        found += [f"{page.url} {width}px: {what}" for what in await page.evaluate(SPILLED)]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_screen_fits_from_360_to_2560_pixels(
    come: Come, a_person: MakePerson, language: str
):
    visitor = await come(stored={"language": language})
    screen = Screen(visitor.page, language)
    found = []
    for path in FOR_VISITORS:
        await visitor.open(path)
        await expect(screen.main.get_by_role("heading").first).to_be_visible()
        await expect(screen.page.locator("html")).to_have_attribute("lang", language)
        found += await spilled(screen.page)

    await visitor.comes_with((await a_person(name="Maximiliane von Hohenstaufen-Lange")).session)
    await visitor.open("/")
    await expect(screen.text(screen.says["home.level"])).to_be_visible()
    await expect(screen.text(screen.says["home.platform_players"])).to_be_visible()
    found += await spilled(screen.page)

    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_bell_the_settings_and_the_desk_fit_from_360_to_2560_pixels(
    come: Come, a_person: MakePerson, language: str
):
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    await is_told(linnea, "W" * 120, Kind.POST_HIDDEN)
    visitor = await come(stored={"language": language})
    await visitor.comes_with(linnea.session)
    bell = Bell(await visitor.open("/settings"), language)
    await expect(bell.page.get_by_role("switch")).to_have_count(4)
    found = await spilled(bell.page)
    await bell.itself.click()
    await expect(bell.told.first).to_be_visible()
    found += await spilled(bell.page)

    maja = await a_person(name="Maximiliane von Hohenstaufen-Lange")
    title, _ = await a_reported_topic(maja, a_person, content="what a stupid map " + "W" * 200)
    desk = Desk(await visitor.open("/forum/moderation"), language)
    await expect(desk.item(title)).to_be_visible()
    found += await spilled(desk.page)
    await desk.looks_at(title)
    await expect(desk.deed(Deed.HIDE)).to_be_visible()
    found += await spilled(desk.page)
    await desk.deed(Deed.HIDE).click()
    await expect(desk.field("forum.desk.reason")).to_be_visible()
    found += await spilled(desk.page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_shop_fits_from_360_to_2560_pixels(come: Come, maja: Person, language: str):
    await live_in(maja, "NO")
    actor = await a_rich(maja, 89 + 100 + 186)
    await bought(actor, 89)
    order_id = await bought(actor, 100, "valorant-5350")
    visitor = await come(stored={"language": language})
    await visitor.comes_with(maja.session)
    shop = Shop(visitor.page, language)
    await shop.open()
    found = []
    for name in ("V-Bucks", "Valorant Points"):
        await shop.choose_currency(name)
        found += await spilled(shop.page)
    for path in ("/shop/orders", f"/shop/orders?order={order_id}&came=paid"):
        await visitor.open(path)
        await expect(shop.main.get_by_role("listitem").first).to_be_visible()
        found += await spilled(shop.page)
    assert not found, "\n".join(found)
