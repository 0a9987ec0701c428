"""What is chosen or closed shows at once; where nobody heard it, what the server knows is shown."""

from playwright.async_api import expect

from rewards_app.core.clock import utc_now
from tests.browser.buying import a_rich, bought, in_the_shop
from tests.browser.chromium import Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Orders, Screen
from tests.browser.test_forum import Forum, a_title
from tests.browser.test_lost_connection import AWAY, Bar
from tests.browser.watching import Wire, the_actor_behind
from tests.forum import a_topic


async def on_a_wire(come: Come) -> tuple[Visitor, Wire]:
    visitor = await come()
    visitor.bears(*AWAY)
    return visitor, await Wire.of(visitor)


async def is_cut_off_and_back(wire: Wire, screen: Screen) -> None:
    await wire.cut()
    await Bar(screen.page).says_lost()
    wire.is_deaf = False
    wire.mend()
    await Bar(screen.page).is_gone()


async def test_the_chosen_package_is_what_the_button_buys(come: Come, maja: Person):
    visitor, wire = await on_a_wire(come)
    screen = await in_the_shop(visitor, maja)
    first, second = (screen.packages.nth(place).get_by_role("radio") for place in (0, 1))
    wire.is_deaf = True
    await second.check()
    await is_cut_off_and_back(wire, screen)
    await expect(first).to_be_checked()
    await expect(screen.purchase).not_to_have_attribute("aria-disabled", "true")
    await screen.choose("2,800 V-Bucks")


async def test_a_package_that_is_told_later_stays_chosen(come: Come, maja: Person):
    visitor, wire = await on_a_wire(come)
    screen = await in_the_shop(visitor, maja)
    await wire.cut()
    await Bar(screen.page).says_lost()
    await screen.packages.nth(1).get_by_role("radio").check()
    wire.mend()
    await Bar(screen.page).is_gone()
    await expect(screen.summary.get_by_role("heading", name="2,800 V-Bucks")).to_be_visible()
    await screen.page.wait_for_timeout(1500)
    await expect(screen.packages.nth(1).get_by_role("radio")).to_be_checked()


async def test_likes_that_were_not_heard_are_taken_back(
    come: Come, maja: Person, a_person: MakePerson
):
    titles, author = (a_title(), a_title()), await the_actor_behind(maja)
    for title in titles:
        await a_topic(author, title=title, now=utc_now())
    visitor, wire = await on_a_wire(come)
    await visitor.comes_with((await a_person(name="Ola")).session)
    forum = Forum(await visitor.open("/forum"))
    likes = [forum.like(forum.card(title)) for title in titles]
    await expect(likes[0]).to_have_attribute("aria-pressed", "false")
    wire.is_deaf = True
    for like in likes:
        await like.click()
        await expect(like).to_have_attribute("aria-pressed", "true")
    await is_cut_off_and_back(wire, forum)
    for like in likes:
        await expect(like).to_have_attribute("aria-pressed", "false")


async def test_a_dialog_that_was_closed_unheard_can_be_closed_and_opened(come: Come, maja: Person):
    await bought(await a_rich(maja, 89), 89)
    visitor, wire = await on_a_wire(come)
    await visitor.comes_with(maja.session)
    screen = Orders(visitor.page)
    await screen.open()
    wrong = screen.act(screen.row("1,000 V-Bucks"), "orders.wrong")
    await wrong.click()
    await expect(screen.problem).to_be_visible()
    wire.is_deaf = True
    await screen.page.keyboard.press("Escape")
    await expect(screen.problem).to_be_hidden()
    await is_cut_off_and_back(wire, screen)
    await expect(screen.problem).to_be_visible()
    await screen.page.keyboard.press("Escape")
    await expect(screen.problem).to_be_hidden()
    await wrong.click()
    await expect(screen.problem).to_be_visible()
