"""Links that lead to nothing: whatever they were to, the same card says so, with one way on."""

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import Screen
from tests.browser.test_routes import NO_SUCH_FILE

NOBODY = "00000000-0000-0000-0000-000000000001"
FOR_MEMBERS = {
    f"/forum/topic?id={NOBODY}": "forum.topic.missing",
    f"/support?ticket={NOBODY}": "support.missing_title",
    "/player?name=nobody_at_all": "profile.missing_title",
    "/shop/test-payment?checkout=unknown": "test_payment.over_title",
    "/no-such-page": "not_found.text",
    "/mailed?mode=reset&token=x": "auth.verify_failed_title",
    "/mailed?mode=verify&token=x": "auth.verify_failed_title",
    "/guardian?token=x": "guardian.over_title",
    "/email?token=x": "auth.email.failed_title",
}
HOW_IT_LOOKS = """heading => {
  const style = getComputedStyle(heading), card = heading.closest("section");
  return {
    size: style.fontSize, align: style.textAlign,
    width: card?.clientWidth, ways: card?.querySelectorAll("a.min-h-11, button").length,
    signs: heading.parentElement.querySelectorAll("svg").length,
  };
}"""
ALIKE = {"size": "28px", "align": "center", "width": 518, "ways": 1, "signs": 1}


@pytest.mark.parametrize("path", FOR_MEMBERS)
async def test_every_dead_end_looks_alike(come: Come, a_person: MakePerson, path: str):
    visitor = await come()
    visitor.bears(NO_SUCH_FILE)
    await visitor.comes_with((await a_person(name="Ola")).session)
    screen = Screen(await visitor.open(path), "en")
    heading = screen.heading(FOR_MEMBERS[path])
    await expect(heading).to_be_visible()
    assert await heading.evaluate(HOW_IT_LOOKS) == ALIKE


async def test_a_guardian_whose_link_is_over_can_write_to_support(come: Come):
    screen = Screen(await (await come()).open("/guardian?token=x"), "en")
    await expect(screen.heading("guardian.over_title")).to_be_visible()
    by_mail = screen.main.locator("a[href^='mailto:']")
    await expect(by_mail).to_have_text("support@localhost")
    await expect(by_mail).to_have_attribute("href", "mailto:support@localhost")
