"""What a finger presses is large enough on every page."""

from collections.abc import Iterable

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.places import FOR_PLAYERS, FOR_VISITORS, the_session_of
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import AT_WORK, at_work
from tests.browser.test_routes import NO_SUCH_FILE
from tests.serving import Served

pytestmark = pytest.mark.timeout(900)
"""A long walk: on a slow machine it takes minutes."""

SMALL = """() => {
  const NEEDED = 44, HALF = NEEDED / 2 - 1.5;
  const what = "a[href], button, input:not([type=hidden]), select, summary, textarea";
  const isInText = (element) =>
    getComputedStyle(element).display === "inline" && !element.matches(".target") &&
    element.parentElement.textContent.trim() !== element.textContent.trim();
  const isSmall = (element) => {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const isHit = (dx, dy) => {
      const at = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, x + dx)), y + dy);
      const label = at?.closest("label");
      return element.contains(at) || label?.control === element || label?.contains(element);
    };
    const isHigh = box.height >= NEEDED - 0.5 || (isHit(0, -HALF) && isHit(0, HALF));
    const isWide = box.width >= NEEDED - 0.5 || (isHit(-HALF, 0) && isHit(HALF, 0));
    return !(isHigh && isWide);
  };
  return [...document.querySelectorAll("main")].flatMap((main) => [...main.querySelectorAll(what)])
    .filter((element) => element.checkVisibility() && !isInText(element) && isSmall(element))
    .map((element) => `${element.tagName} “${(element.textContent || element.name).slice(0, 40)}”`);
}"""


async def has_large_targets(visitor: Visitor, paths: Iterable[str]) -> None:
    visitor.bears(NO_SUCH_FILE)
    found = []
    for path in paths:
        page = await visitor.open(path)
        await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        assert await comes_to_rest(page)
        found += [f"{path}: {one}" for one in await page.evaluate(SMALL)]
    assert not found, "\n".join(found)


async def test_what_visitors_press_has_44_pixels_on_a_phone(come: Come):
    visitor = await come(viewport=PHONE, has_touch=True, is_mobile=True)
    await has_large_targets(visitor, FOR_VISITORS)


async def test_what_players_press_has_44_pixels_on_a_phone(
    come: Come, served: Served, a_person: MakePerson
):
    visitor = await come(viewport=PHONE, has_touch=True, is_mobile=True)
    await visitor.comes_with(await the_session_of(served.accounts[Role.PLAYER.value]["email"]))
    await has_large_targets(visitor, FOR_PLAYERS)


@pytest.mark.parametrize("role", AT_WORK, ids=str)
async def test_what_is_pressed_has_44_pixels_on_a_phone(
    come: Come, a_person: MakePerson, role: Role
):
    visitor = await come(viewport=PHONE, has_touch=True, is_mobile=True)
    await visitor.comes_with(await at_work(a_person, role))
    await has_large_targets(visitor, AT_WORK[role])
