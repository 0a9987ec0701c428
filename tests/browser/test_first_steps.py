"""The first steps of a new player: from the sign-up to the first coins, or put aside."""

import asyncio

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository as accounts
from rewards_app.features.coins.rules import Kind
from rewards_app.features.dashboard.start_rules import KEPT_AT
from tests.browser.chromium import DESK, PHONE, Visitor, opened
from tests.browser.conftest import Come, MakePerson, Person, an_email
from tests.browser.pages import GOOD_PASSWORD, AgePrompt, Auth, Home, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_dashboard import earns
from tests.browser.test_signing_up import mailed_link
from tests.browser.watching import Watch, a_film
from tests.serving import Served

FILLED = ".bg-purple-strong"


class FirstSteps(Home):
    @property
    def list(self) -> Locator:
        title = self.page.get_by_role("heading", name=self.says["auth.steps.title"], exact=True)
        return self.main.locator("section").filter(has=title)

    @property
    def next(self) -> Locator:
        """What the list asks for now."""
        return self.list.locator("[aria-current=step]")

    @property
    def end(self) -> Locator:
        return self.heading("home.steps.finished")

    @property
    def news(self) -> Locator:
        """What is read aloud of them."""
        return self.main.get_by_role("status").filter(has_text=self.says["home.steps.finished"])

    async def open(self) -> None:
        await self.page.goto("/")
        await expect(self.heading("home.your_day")).to_be_visible()
        await expect(self.link("home.statement")).to_be_visible()
        await expect(self.main).to_have_attribute("aria-busy", "false")

    async def has(self, *done: str) -> None:
        marked = self.list.get_by_role("listitem").filter(has_text=self.says["home.steps.done"])
        await expect(marked).to_have_count(len(done))
        for number, step in enumerate(done):
            await expect(marked.nth(number)).to_contain_text(self.says[f"auth.steps.{step}"])


async def at_home(visitor: Visitor, person: Person) -> FirstSteps:
    await visitor.comes_with(person.session)
    home = FirstSteps(visitor.page)
    await home.open()
    return home


async def the_person_of(email: str) -> Person:
    async with transaction() as session:
        account = await accounts.account_by_email(session, email)
    assert account
    return Person("Maja", email, GOOD_PASSWORD, "", account.id)


@pytest.mark.usefixtures("a_person")
async def test_lead_from_the_sign_up_to_the_first_coins(come: Come, served: Served):
    visitor = await come()
    email = an_email("maja")
    screen = Auth(await visitor.open("/auth"))
    await screen.type_player_details()
    await screen.sign_up(email)
    await screen.is_sent_to(email)
    await expect(screen.main.get_by_role("listitem")).to_have_text(
        ["Verify your email", "Watch your first ad", "Spend or keep your first coins"]
    )
    await screen.follows(await mailed_link(served, email))
    await screen.link("auth.to_sign_in").click()
    await screen.sign_in(email, GOOD_PASSWORD)
    prompt = AgePrompt(visitor.page)
    await expect(prompt.dialog).to_be_visible()
    await prompt.answer()

    home = FirstSteps(visitor.page)
    await home.has("verify")
    await expect(home.main.locator(FILLED)).to_have_count(1)
    film = await a_film()
    await home.next.get_by_role("link", name="Watch your first ad").click()

    watch = Watch(visitor.page)
    await watch.is_ready()
    before = watch.main.get_by_text(watch.says["watch.first_ad_text"])
    await expect(before).to_be_visible()
    await watch.start(film.title)
    first = expect(watch.player).to_contain_text("Your first coins!", timeout=20_000)
    await asyncio.gather(watch.is_rewarded(15), first)
    await watch.is_closed()
    await expect(before).to_be_hidden()
    await expect(watch.main.get_by_text("Your first coins!")).to_be_visible()
    await expect(watch.link("home.steps.to_shop")).to_have_attribute("href", "/shop")

    await home.open()
    await home.has("verify", "watch")
    await expect(home.next).to_contain_text("You have 15\u00a0coins: 15\u00a0kr off")
    await expect(home.main.locator(FILLED)).to_have_text("See what they take off")

    await earns(await the_person_of(email), KEPT_AT - 15)

    await expect(home.end).to_be_visible()
    await expect(visitor.page.locator("canvas")).to_have_count(1)
    await expect(home.list).to_be_hidden()
    await expect(home.news).to_contain_text(home.says["home.steps.finished"])
    await home.button("home.steps.done").click()
    await expect(home.end).to_be_hidden()
    await expect(home.main).to_be_focused()
    await home.open()
    await expect(home.end).to_be_hidden()


async def test_are_ticked_while_one_looks(come: Come, a_person: MakePerson):
    maja = await a_person()
    home = await at_home(await come(), maja)
    await home.has("verify")
    await earns(maja, 15, Kind.AD)
    await home.has("verify", "watch")


async def test_whose_end_was_seen_are_gone_the_next_time(come: Come, a_person: MakePerson):
    maja = await a_person()
    before = await at_home(await come(), maja)
    await before.has("verify")
    # A page that is only closed may see the end, until the server hears that it is gone.
    await opened(before.page, "/settings")
    # Only this page loads them: the server knows by then that the home is left.
    await expect(before.main.get_by_role("switch").first).to_be_visible()
    await earns(maja, KEPT_AT, Kind.AD)
    home = await at_home(await come(), maja)
    await expect(home.end).to_be_visible()
    await expect(home.page.locator("canvas")).to_have_count(0)
    await home.open()
    await expect(home.end).to_be_hidden()


async def test_show_nothing_to_who_was_done_before_there_were_any(come: Come, a_person: MakePerson):
    maja = await a_person()
    await earns(maja, KEPT_AT, Kind.AD)
    home = await at_home(await come(), maja)
    await expect(home.end).to_be_hidden()
    await expect(home.list).to_be_hidden()


async def test_are_skipped_for_good_and_brought_back_in_settings(come: Come, a_person: MakePerson):
    home = await at_home(await come(), await a_person())
    await home.button("home.steps.skip").click()
    await home.sees_toast("First steps put aside", "You can bring them back in Settings.")
    await expect(home.list).to_be_hidden()
    await expect(home.main.locator(FILLED)).to_have_text("Watch your first ad")
    await home.open()
    await expect(home.list).to_be_hidden()

    await home.page.goto("/settings")
    await home.button("settings.show_steps").click()

    await home.is_at("/")
    await home.has("verify")


async def test_are_not_named_to_a_company(come: Come):
    visitor = await come()
    screen = Auth(await visitor.open("/auth?type=company"))
    await screen.sign_up(email := an_email("fjord"))
    await screen.is_sent_to(email)
    await expect(screen.main.get_by_role("listitem")).to_have_count(0)


async def test_need_no_mouse(come: Come, a_person: MakePerson):
    home = await at_home(await come(), await a_person())
    await home.has("verify")
    await tab_to(home.page, home.button("home.steps.skip"), at_most=40)
    await tab_to(home.page, home.link("home.first_ad"))
    await home.page.keyboard.press("Enter")
    await home.is_at("/watch")


async def test_break_no_rule_of_axe(come: Come, a_person: MakePerson):
    maja = await a_person()
    visitor = await one_following_the_system(come, viewport=PHONE)
    home = await at_home(visitor, maja)
    await home.has("verify")
    await has_no_violations(home.page, DESK, PHONE)
    await earns(maja, KEPT_AT, Kind.AD)
    await expect(home.end).to_be_visible()
    await has_no_violations(home.page, DESK, PHONE)
    fresh = await one_following_the_system(come, viewport=PHONE)
    await fresh.comes_with((await a_person(name="Emil")).session)
    watch = Watch(fresh.page)
    await watch.open()
    await has_no_violations(watch.page, DESK, PHONE)
