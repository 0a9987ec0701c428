"""A newcomer without a mouse, from sign-up to purchase; and the pages as readers hear them."""

import re

import pytest
from playwright.async_api import Locator, Page, Position, expect

from tests.browser.conftest import Come, MakePerson, an_email
from tests.browser.pages import GOOD_PASSWORD, AgePrompt, Auth, Shop, TestPayment, Watch, tab_to
from tests.browser.test_first_steps import FirstSteps, at_home
from tests.browser.test_signing_up import mailed_link
from tests.browser.watching import a_film
from tests.serving import Served
from tests.shop import stock

BORN = "05171998"
"""A birth date as the browser's own field takes it, digit by digit."""
A_LETTER = 40
"""More countries than any letter begins."""
BESIDE_EVERYTHING: Position = {"x": 2, "y": 2}


async def presses(
    target: Locator, key: str = "Enter", *, at_most: int = 60, is_before: bool = False
) -> None:
    await expect(target).to_be_visible()
    await tab_to(target.page, target, at_most=at_most, is_before=is_before)
    await target.page.keyboard.press(key)


async def types(target: Locator, words: str) -> None:
    await tab_to(target.page, target)
    await target.page.keyboard.type(words)


async def chooses(target: Locator, words: str) -> None:
    """In a list: its first letter leads near it, and from there it is a step at a time."""
    await types(target, words[0])
    for _ in range(A_LETTER):
        if await target.evaluate("list => list.selectedOptions[0].label") == words:
            return
        await target.press("ArrowDown")
    raise AssertionError(f"{A_LETTER} steps did not reach {words}")


async def signs_up(screen: Auth, email: str) -> None:
    await types(screen.field("auth.name"), "Maja")
    await chooses(screen.field("auth.phone_country"), "Sweden +46")
    await types(screen.field("auth.phone"), "070-174 06 05")
    await types(screen.field("auth.age"), "21")
    await chooses(screen.field("auth.gender"), "Female")
    await chooses(screen.field("auth.country"), "Sweden")
    await types(screen.field("auth.email"), email)
    await types(screen.field("auth.password"), GOOD_PASSWORD)
    await screen.page.keyboard.press("Enter")
    await screen.is_sent_to(email)


async def says_when_born(page: Page) -> None:
    prompt = AgePrompt(page)
    await expect(prompt.birth_date).to_be_focused()
    await page.keyboard.type(BORN)
    await page.keyboard.press("Enter")
    await prompt.is_gone()


async def watches_the_first_ad(page: Page, title: str) -> None:
    watch = Watch(page)
    await watch.is_ready()
    await presses(watch.ad(title))
    await watch.is_rewarded(15)
    await watch.is_closed()


async def buys_with_the_discount(page: Page) -> None:
    shop = Shop(page)
    await expect(shop.slider).to_be_visible()
    await tab_to(page, shop.slider, at_most=60)
    await page.keyboard.press("End")
    await shop.pays("74")
    await tab_to(page, shop.purchase)
    async with page.context.expect_page() as opening:
        await page.keyboard.press("Enter")
    payment = TestPayment(await opening.value)
    await payment.is_ready()
    await presses(payment.main.get_by_role("button", name=re.compile("^Pay ")))
    await shop.thanks_for("1,000 V-Bucks")


@pytest.mark.usefixtures("a_person")
async def test_a_newcomer_signs_up_earns_and_buys_with_the_keyboard_alone(
    come: Come, served: Served
):
    await stock(1)
    visitor = await come(locale="en-US")
    page, email = visitor.page, an_email("maja")
    screen = Auth(await visitor.open("/auth"))
    await signs_up(screen, email)

    await screen.follows(await mailed_link(served, email))
    await presses(screen.link("auth.to_sign_in"))
    await types(screen.field("auth.email"), email)
    await types(screen.field("auth.password"), GOOD_PASSWORD)
    await page.keyboard.press("Enter")
    await says_when_born(page)

    film = await a_film()
    home = FirstSteps(page)
    await presses(home.next.get_by_role("link", name="Watch your first ad"))
    await watches_the_first_ad(page, film.title)
    # It stands above the ads, of which there may be many.
    await presses(Watch(page).link("home.steps.to_shop"), is_before=True)
    await buys_with_the_discount(page)


async def test_the_way_is_found_by_what_readers_hear(come: Come, a_person: MakePerson):
    """Roles and names alone: places of the navigation, one heading a page, one way to act."""
    home = await at_home(await come(), await a_person())
    page = home.page
    places = page.get_by_role("complementary", name="Menu").get_by_role("navigation")
    for place, heading in (
        ("Earn", "Watch ads, earn WatchCoins"),
        ("CoinShop", "CoinShop"),
        ("Forum", "Forum"),
        ("Top Players", "Top Players"),
        ("Support", "Support"),
        ("My Profile", "Maja"),
    ):
        await places.get_by_role("link", name=place, exact=True).press("Enter")
        await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        await expect(page.get_by_role("main")).to_have_count(1)
        await expect(page.get_by_role("link", name=place, exact=True).first).to_have_attribute(
            "aria-current", "page"
        )


class TestWhoDoesNotSeeThePage:
    async def test_is_told_which_page_has_come(self, come: Come, a_person: MakePerson):
        home = await at_home(await come(), await a_person())
        named = home.page.locator("[data-page-name]")
        await presses(home.link("home.statement"))
        await expect(named).to_have_text(re.compile("^Statement"))
        assert await named.text_content() == await home.page.title()

    async def test_goes_on_at_the_content_of_the_next_page(self, come: Come, a_person: MakePerson):
        home = await at_home(await come(), await a_person())
        await presses(home.link("home.statement"))
        await home.is_at("/profile/statement")
        await expect(home.main).to_be_focused()

    async def test_goes_on_at_the_content_when_what_they_pressed_is_gone(
        self, come: Come, a_person: MakePerson
    ):
        home = await at_home(await come(), await a_person())
        await presses(home.button("home.steps.skip"))
        await expect(home.list).to_be_hidden()
        await expect(home.main).to_be_focused()

    async def test_is_left_where_they_clicked(self, come: Come, a_person: MakePerson):
        home = await at_home(await come(), await a_person())
        await tab_to(home.page, home.button("home.steps.skip"), at_most=40)
        await home.page.get_by_role("contentinfo").click(position=BESIDE_EVERYTHING)
        await home.page.evaluate("document.querySelector('main section').remove()")
        await home.page.wait_for_timeout(100)
        assert await home.page.evaluate("document.activeElement === document.body")

    async def test_is_left_where_they_clicked_even_if_all_goes_at_once(
        self, come: Come, a_person: MakePerson
    ):
        home = await at_home(await come(), await a_person())
        await tab_to(home.page, home.button("home.steps.skip"), at_most=40)
        await home.page.evaluate("""() => {
            const go = () => document.querySelector("main section").remove();
            document.addEventListener("focusout", () => queueMicrotask(go), { once: true });
        }""")
        await home.page.get_by_role("contentinfo").click(position=BESIDE_EVERYTHING)
        await home.page.wait_for_timeout(100)
        assert await home.page.evaluate("document.activeElement === document.body")

    async def test_stands_again_where_a_dialog_was_opened(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person()).session)
        watch = Watch(visitor.page)
        film = await a_film()
        await watch.open()
        flag = watch.flag(film.title)
        await presses(flag)
        await expect(watch.report).to_be_visible()
        await watch.page.keyboard.press("Escape")
        await expect(watch.report).to_be_hidden()
        await expect(flag).to_be_focused()
