"""What a finger presses is large enough; test_every_page.py goes through all other pages."""

from collections import defaultdict
from collections.abc import Iterable

import pytest
from playwright.async_api import Page, expect

from rewards_app.core.actor import Role
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.places import FOR_ADMINS
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import AT_WORK, at_work
from tests.browser.test_routes import NO_SUCH_FILE

pytestmark = pytest.mark.timeout(900)
"""A long walk: on a slow machine it takes minutes."""

VISITED = defaultdict(set, {Role.ADMIN: {*FOR_ADMINS}})
"""In test_every_page.py, with the same on them: what waits for admins waits for all of them."""
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


async def small_targets(page: Page, path: str) -> list[str]:
    return [f"{path}: {one}" for one in await page.evaluate(SMALL)]


async def has_large_targets(visitor: Visitor, paths: Iterable[str]) -> None:
    visitor.bears(NO_SUCH_FILE)
    found = []
    for path in paths:
        page = await visitor.open(path)
        await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        assert await comes_to_rest(page)
        found += await small_targets(page, path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("role", AT_WORK, ids=str)
async def test_what_is_pressed_has_44_pixels_on_a_phone(
    come: Come, a_person: MakePerson, role: Role
):
    visitor = await come(viewport=PHONE, has_touch=True, is_mobile=True)
    await visitor.comes_with(await at_work(a_person, role))
    await has_large_targets(visitor, [path for path in AT_WORK[role] if path not in VISITED[role]])
