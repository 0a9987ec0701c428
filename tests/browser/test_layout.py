"""Nothing overflows and nothing is cut, from a small phone to a wide screen."""

import re
from collections.abc import Iterable

import pytest
from playwright.async_api import Page, expect

from rewards_app.core.actor import Role
from rewards_app.features.admin.tabs import TABS
from rewards_app.features.forum.desk_rules import Deed
from rewards_app.features.notifications.rules import Kind
from tests.browser.buying import a_rich, bought, live_in
from tests.browser.chromium import PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, Shop
from tests.browser.stillness import comes_to_rest
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

BROKEN = """(words) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [], place = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const word of words) {
      const at = text.data.indexOf(word);
      if (at < 0 || !text.parentElement.checkVisibility()) continue;
      place.setStart(text, at);
      place.setEnd(text, at + word.length);
      if (place.getClientRects().length > 1) found.push(text.parentElement.outerHTML);
    }
  return found;
}"""
COVERED = """() => {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  return [...document.querySelectorAll("footer a")].filter((link) => link.checkVisibility())
    .filter((link) => {
      const { left, right, top, bottom } = link.getBoundingClientRect();
      const at = (y) => document.elementFromPoint((left + right) / 2, y);
      return !link.contains(at(top + 2)) || !link.contains(at(bottom - 2));
    })
    .map((link) => link.textContent);
}"""
SMALLEST = {"width": 360, "height": 780}


async def spilled(page: Page) -> list[str]:
    """At every width: what is wider than its place."""
    found = []
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": 900})
        found += [f"{page.url} {width}px: {what}" for what in await page.evaluate(SPILLED)]
    return found


async def is_no_wider_than_its_window(page: Page) -> bool:
    return await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def spilled_in(screen: Screen, languages: Iterable[str] = LANGUAGES) -> list[str]:
    """The same in each language."""
    found = []
    async for language in screen.in_each_of(languages):
        found += [f"{language} {what}" for what in await spilled(screen.page)]
    return found


async def test_every_screen_fits_from_360_to_2560_pixels(come: Come, a_person: MakePerson):
    visitor = await come()
    screen = Screen(visitor.page)
    found = []
    for path in FOR_VISITORS:
        await visitor.open(path)
        await expect(screen.main.get_by_role("heading").first).to_be_visible()
        found += await spilled_in(screen)

    await visitor.comes_with((await a_person(name="Maximiliane von Hohenstaufen-Lange")).session)
    await visitor.open("/")
    await expect(screen.text(screen.says["home.level"])).to_be_visible()
    await expect(screen.text(screen.says["home.platform_players"])).to_be_visible()
    found += await spilled_in(screen)

    assert not found, "\n".join(found)


async def test_the_bell_the_settings_and_the_desk_fit_from_360_to_2560_pixels(
    come: Come, a_person: MakePerson
):
    linnea = await a_person(Role.MODERATOR, name="Linnea")
    await is_told(linnea, "W" * 120, Kind.POST_HIDDEN)
    visitor = await come()
    await visitor.comes_with(linnea.session)
    bell = Bell(await visitor.open("/settings"))
    await expect(bell.page.get_by_role("switch")).to_have_count(4)
    found = await spilled_in(bell)
    await bell.itself.click()
    await expect(bell.told.first).to_be_visible()
    found += await spilled_in(bell)

    maja = await a_person(name="Maximiliane von Hohenstaufen-Lange")
    title, _ = await a_reported_topic(maja, a_person, content="what a stupid map " + "W" * 200)
    desk = Desk(await visitor.open("/forum/moderation"), bell.language)
    await expect(desk.item(title)).to_be_visible()
    found += await spilled_in(desk)
    await desk.looks_at(title)
    await expect(desk.deed(Deed.HIDE)).to_be_visible()
    found += await spilled_in(desk)
    await desk.deed(Deed.HIDE).click()
    await expect(desk.field("forum.desk.reason")).to_be_visible()
    found += await spilled_in(desk)
    assert not found, "\n".join(found)


async def test_the_shop_fits_from_360_to_2560_pixels(come: Come, maja: Person):
    await live_in(maja, "NO")
    actor = await a_rich(maja, 89 + 100 + 186)
    await bought(actor, 89)
    order_id = await bought(actor, 100, "valorant-5350")
    visitor = await come()
    await visitor.comes_with(maja.session)
    shop = Shop(visitor.page)
    await shop.open()
    found = []
    for name in ("V-Bucks", "Valorant Points"):
        await shop.choose_currency(name)
        found += await spilled_in(shop)
    for path in ("/shop/orders", f"/shop/orders?order={order_id}&came=paid"):
        await visitor.open(path)
        await expect(shop.main.get_by_role("listitem").first).to_be_visible()
        found += await spilled_in(shop)
    assert not found, "\n".join(found)


async def test_what_stands_at_the_foot_covers_none_of_the_pages_links(come: Come, maja: Person):
    await live_in(maja, "US")
    visitor = await come(viewport=PHONE)
    await visitor.comes_with(maja.session)
    for path in ("/shop", "/leaderboard", "/add-game", "/forum"):
        page = await visitor.open(path)
        assert await comes_to_rest(page)
        for width in (360, 390, 800):
            await page.set_viewport_size({"width": width, "height": 844})
            assert await page.evaluate(COVERED) == [], f"{path} {width}px"


async def test_the_name_of_a_currency_never_breaks(come: Come, maja: Person):
    await bought(await a_rich(maja, 89), 89)
    visitor = await come(viewport=SMALLEST)
    await visitor.comes_with(maja.session)
    screen = Screen(visitor.page)
    found = []
    for path in ("/shop", "/shop/orders", "/profile/statement", "/profile"):
        page = await visitor.open(path)
        await expect(page.get_by_role("main")).to_contain_text("V-Bucks")
        async for language in screen.in_each_of(["pl", "de", "ru"]):
            assert await comes_to_rest(page), f"{path} in {language}"
            broken = await page.evaluate(BROKEN, ["V-Bucks"])
            found += [f"{path} in {language}: {what}" for what in broken]
    assert not found, "\n".join(found)


async def test_a_long_mail_address_breaks_between_its_parts(come: Come, a_person: MakePerson):
    linnea = await a_person(Role.ADMIN, name="Linnea")
    maja = await a_person(name="Maximiliane.von.Hohenstaufen.und.Lange")
    visitor = await come(viewport=SMALLEST)
    await visitor.comes_with(linnea.session)
    page = await visitor.open(f"/admin?tab=people&person={maja.account_id}")
    await expect(page.get_by_role("dialog")).to_contain_text(maja.email)
    parts = re.split(r"(?=@)|(?<=[.-])", maja.email)
    broken = await page.evaluate(BROKEN, parts)
    assert not [one for one in broken if "<wbr>" in one]
    assert not await spilled(page)


async def test_the_current_tab_is_in_sight_on_a_phone(come: Come, a_person: MakePerson):
    visitor = await come(viewport=SMALLEST)
    await visitor.comes_with((await a_person(Role.ADMIN, name="Linnea")).session)
    page = await visitor.open(f"/admin?tab={TABS[-1].key}")
    current = page.get_by_role("main").locator("nav [aria-current=page]")
    await expect(current).to_be_in_viewport(ratio=0.95)
    for tab in (TABS[0], TABS[len(TABS) // 2]):
        await page.get_by_role("main").locator(f"nav a[href$='tab={tab.key}']").click()
        await expect(current).to_have_attribute("href", re.compile(f"tab={tab.key}$"))
        await expect(current).to_be_in_viewport(ratio=0.95)


NUMBERS = """() => {
  const figures = [...document.querySelector("main .figures").children];
  const top = (element) => Math.round(element.getBoundingClientRect().top);
  return figures.map((one) => [top(one), top(one.querySelector("dd"))]);
}"""
"""Of each key figure: where it begins, and where its number does."""


@pytest.mark.parametrize("width", [390, 768])
async def test_numbers_stand_on_one_line_beside_a_label_of_two(
    come: Come, a_person: MakePerson, width: int
):
    linnea = await a_person(Role.ADMIN, name="Linnea")
    visitor = await come(viewport={"width": width, "height": 900})
    await visitor.comes_with(linnea.session)
    screen = Screen(await visitor.open("/"))
    await expect(screen.text(screen.says["overview.admins"])).to_be_visible()
    rows: dict[int, set[int]] = {}
    for begins, number in await screen.page.evaluate(NUMBERS):
        rows.setdefault(begins, set()).add(number)
    assert all(len(numbers) == 1 for numbers in rows.values())
    assert len(rows) == (3 if width == 390 else 1)
