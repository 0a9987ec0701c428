"""An admin looks into an account and decides; its player reads why, appeals, and plays on."""

import re
import secrets

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule
from tests import ads
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, shown, within
from tests.browser.pages import Home, Screen, Watch, tab_to
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.watching import a_film, at_the_ads, the_actor_behind
from tests.measures import APPEAL, appeals_against, pauses_by_itself, suspends_by_itself
from tests.paying import ask

REASON = "Ads were reported as over before they were: <b>six</b> times =1+1"


class Case(Screen):
    """The case of one account, in the fraud tab of the admin panel."""

    async def open(self, person: Person) -> None:
        await self.page.goto(f"/admin?tab=fraud&case={person.account_id}")
        await expect(self.page.get_by_role("heading", name=person.name, exact=True)).to_be_visible()

    @property
    def events(self) -> Locator:
        return self.main.locator("section ol > li")

    @property
    def dialog(self) -> Locator:
        return self.page.locator("#case-decision")

    def option(self, what: str) -> Locator:
        words = self.says[f"admin.case.options.{what}.ask"]
        return self.main.get_by_role("button", name=words, exact=True)

    async def asks(self, what: str) -> None:
        await self.option(what).click()
        await expect(self.dialog).to_be_visible()

    async def decides(self, what: str, reason: str) -> None:
        await self.asks(what)
        await self.dialog.get_by_role("textbox").fill(reason)
        words = self.says[f"admin.case.options.{what}.title"]
        await self.dialog.get_by_role("button", name=words, exact=True).click()

    async def shows_only(self, source: str) -> None:
        await self.page.get_by_role("radio", name=self.says[f"admin.case.sources.{source}"]).check()


class Suspended(Screen):
    """What a suspended player sees in a page's place."""

    async def is_told(self, reason: str) -> None:
        await expect(self.heading("restrictions.suspended_title")).to_be_visible()
        await expect(self.main).to_contain_text(reason)

    async def appeals(self, words: str) -> None:
        await self.field("restrictions.appeal_label").fill(words)
        await self.button("restrictions.appeal_send").click()


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def at_the_case(visitor: Visitor, admin: Person, person: Person) -> Case:
    await visitor.comes_with(admin.session)
    case = Case(visitor.page)
    await case.open(person)
    return case


async def at_home(visitor: Visitor, person: Person) -> Home:
    await visitor.comes_with(person.session)
    home = Home(await visitor.open("/"))
    await home.welcomes(person.name)
    return home


async def is_noticed(person: Person, rule: Rule, **evidence: object) -> None:
    async with transaction() as session:
        await signals.note(session, person.account_id, rule, now=utc_now(), **evidence)


async def has_watched(person: Person) -> str:
    """An ad to its end; its title."""
    film, player = await a_film(), await the_actor_behind(person)
    await ads.watches(player, film, now=utc_now() - 10 * ads.SECOND)
    return film.title


class TestASuspension:
    async def test_is_seen_appealed_against_and_undone_while_both_look_on(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        maja = await a_person(name=f"Maja {secrets.token_hex(2)}")
        await is_noticed(maja, Rule.EARLY_COMPLETION, watched_seconds=2, required_seconds=5)
        await has_watched(maja)
        home = await at_home(await come(), maja)
        case = await at_the_case(await come(), linnea, maja)
        await expect(case.events.filter(has_text="Completed too early")).to_contain_text(
            "2 of its 5"
        )

        await case.asks("suspend")
        await expect(case.dialog).to_contain_text("The balance is frozen, never taken.")
        await case.dialog.get_by_role("button", name="Cancel").click()
        gone = Suspended(home.page)
        async with within(FRESH, shown(gone.main, gone.says["restrictions.suspended_title"])):
            await case.decides("suspend", REASON)
            await case.sees_toast("Account suspended")
        await gone.is_told(REASON)
        await expect(gone.main).to_contain_text("Frozen")
        await expect(gone.main).to_contain_text("15")

        async with within(FRESH, shown(case.main, APPEAL)):
            await gone.appeals(APPEAL)
            await gone.sees_toast("Appeal received")
        await expect(gone.main).to_contain_text("Waiting for a decision")
        await expect(case.events.filter(has_text=APPEAL)).to_be_visible()

        await case.decides("restore", "Sorry, our mistake.")
        await gone.sees_toast("Your account is restored")
        await home.welcomes(maja.name)
        await expect(case.option("suspend")).to_be_visible()
        await expect(case.events.filter(has_text="Sorry, our mistake.")).to_be_visible()

        watch = Watch(home.page)
        film = await a_film()
        await watch.open()
        await watch.start(film.title)
        await watch.is_rewarded()

        about = f"account:{maja.account_id}"
        trail = ask(
            settings().database_url,
            "select action, actor_name, reason from audit_entries where about = %s order by number",
            about,
        )
        assert trail == [
            ("suspended", "Linnea", REASON),
            ("restored", "Linnea", "Sorry, our mistake."),
        ]

    async def test_leaves_the_statement_the_orders_and_the_way_out(
        self, come: Come, maja: Person, linnea: Person
    ):
        await suspends_by_itself(maja.account_id)
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Suspended(await visitor.open("/shop"))
        await screen.is_told("Our fraud checks saw")
        await screen.main.get_by_role("link", name="Statement").click()
        await expect(screen.heading("statement.title")).to_be_visible()
        await visitor.open("/shop/orders")
        await expect(screen.heading("orders.title")).to_be_visible()
        await screen.button("frame.log_out").filter(visible=True).click()
        await screen.is_at("/landing")

    async def test_of_who_acts_for_a_company_says_that_campaigns_go_on(
        self, come: Come, a_person: MakePerson
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        await suspends_by_itself(anna.account_id)
        visitor = await come()
        await visitor.comes_with(anna.session)
        screen = Suspended(await visitor.open("/advertiser"))
        await screen.is_told("Campaigns that run")

    async def test_another_admin_was_quicker_is_said_and_what_is_true_is_shown(
        self, come: Come, a_person: MakePerson, maja: Person, linnea: Person
    ):
        sven = await a_person(Role.ADMIN, name="Sven")
        first, second = [await at_the_case(await come(), one, maja) for one in (linnea, sven)]
        await second.asks("suspend")
        await first.decides("suspend", REASON)
        await first.sees_toast("Account suspended")
        await second.dialog.get_by_role("textbox").fill("Me, too")
        await second.dialog.get_by_role("button", name="Suspend account", exact=True).click()
        await second.sees_toast("", "Somebody else has decided")
        await expect(second.option("restore")).to_be_visible()
        await expect(second.main).to_contain_text("By Linnea")


class TestAPause:
    async def test_is_said_before_the_button_is_pressed_and_lifted_again(
        self, come: Come, maja: Person, linnea: Person
    ):
        film = await a_film()
        watch = await at_the_ads(await come(), maja)
        case = await at_the_case(await come(), linnea, maja)
        async with within(FRESH, shown(watch.main, "Your clock seems to be wrong.")):
            await case.decides("pause", "Your clock seems to be wrong.")
        banner = watch.main.get_by_role("status").filter(has_text="Earning is paused")
        await expect(banner).to_contain_text("Your clock seems to be wrong.")
        await watch.ad(film.title).click()
        await watch.sees_toast("Earning is paused", "Your clock seems to be wrong.")

        await banner.get_by_role("button", name="Appeal").click()
        await watch.page.get_by_role("dialog").get_by_role("textbox").fill(APPEAL)
        async with within(FRESH, shown(case.main, APPEAL)):
            await watch.button("restrictions.appeal_send").click()
            await watch.sees_toast("Appeal received")
        await expect(banner).to_contain_text("Waiting for a decision")

        await case.decides("resume", "Thank you, that explains it.")
        await watch.sees_toast("You can earn coins again")
        await expect(banner).to_be_hidden()
        await watch.start(film.title)
        await watch.is_rewarded()

    async def test_of_who_is_suspended_too_ends_for_their_ads_only_with_both(
        self, come: Come, maja: Person, linnea: Person
    ):
        await pauses_by_itself(maja.account_id)
        case = await at_the_case(await come(), linnea, maja)
        await case.asks("resume")
        await expect(case.dialog).to_contain_text("Ads pay again at once.")
        await expect(case.dialog).to_contain_text(case.says["admin.case.reason_lifted"])
        words = "Ads pay again once the account is restored"
        async with within(FRESH, shown(case.dialog, words)):
            await suspends_by_itself(maja.account_id)
            await live.tell_now()


class TestAppeals:
    async def test_of_too_few_words_are_refused_beside_them(self, come: Come, maja: Person):
        await suspends_by_itself(maja.account_id)
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Suspended(await visitor.open("/watch"))
        await screen.choose_language("sv")
        for typed in ("", "Nej."):
            await screen.appeals(typed)
            await screen.says_it_is_too_short(screen.field("restrictions.appeal_label"))

    async def test_wait_above_the_detections_and_lead_to_their_case(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        maja = await a_person(name=f"Maja {secrets.token_hex(2)}")
        restriction = await suspends_by_itself(maja.account_id)
        assert restriction
        visitor = await come()
        await visitor.comes_with(linnea.session)
        page = await visitor.open("/admin?tab=fraud")
        await expect(page.get_by_role("link", name=re.compile("^Fraud Detection"))).to_be_visible()
        words = f"It was not me {secrets.token_hex(4)}"
        async with within(FRESH, shown(page.get_by_role("main"), words)):
            await appeals_against(await the_actor_behind(maja), restriction, words, now=utc_now())
            await live.tell_now()
        appeal = page.get_by_role("listitem").filter(has_text=words)
        await expect(appeal).to_be_visible()
        await appeal.get_by_role("link").click()
        case = Case(page)
        await expect(page.get_by_role("heading", name=maja.name, exact=True)).to_be_visible()
        await page.get_by_role("link", name=re.compile("^Appeal \\d")).first.click()
        await expect(page).to_have_url(re.compile(r"tab=support&ticket=\d+$"))
        await expect(page.get_by_role("main")).to_contain_text(words)
        await page.go_back()
        # Nobody presses within the blink in which the case is read again.
        await expect(case.main).to_have_attribute("aria-busy", "false")
        await comes_to_rest(page)
        await case.decides("restore", "Sorry, our mistake.")
        await case.link("admin.case.back").click()
        await expect(appeal).to_be_hidden()


class TestTheEvidence:
    async def test_is_folded_by_the_hour_and_shown_ad_by_ad(
        self, come: Come, maja: Person, linnea: Person
    ):
        title = await has_watched(maja)
        case = await at_the_case(await come(), linnea, maja)
        await case.shows_only("views")
        await expect(case.events).to_have_count(1)
        await case.events.first.get_by_role("button", name="Show each ad").click()
        await expect(case.events.first).to_contain_text(title)

    async def test_of_nobody_is_said(self, come: Come, linnea: Person):
        visitor = await come()
        await visitor.comes_with(linnea.session)
        page = await visitor.open("/admin?tab=fraud&case=00000000-0000-0000-0000-000000000007")
        await expect(page.get_by_text("There is no such account.")).to_be_visible()

    async def test_ones_own_case_and_an_admins_have_no_decisions(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        sven = await a_person(Role.ADMIN, name="Sven")
        case = await at_the_case(await come(), linnea, linnea)
        await expect(case.main).to_contain_text("Nobody decides about their own account.")
        await case.open(sven)
        await expect(case.main).to_contain_text("This account is an admin's.")
        await expect(case.option("suspend")).to_have_count(0)


class TestEverybody:
    async def test_finds_nothing_that_axe_would(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        maja = await a_person()
        await is_noticed(maja, Rule.IMPOSSIBLE_PACE, watched_seconds=2, required_seconds=5)
        await has_watched(maja)
        visitor = await one_following_the_system(come, viewport=PHONE)
        case = await at_the_case(visitor, linnea, maja)
        await expect(case.events.first).to_be_visible()
        await has_no_violations(case.page, DESK, PHONE)
        await case.asks("suspend")
        await has_no_violations(case.page, DESK, PHONE)
        await suspends_by_itself(maja.account_id)
        other = await one_following_the_system(come, viewport=PHONE)
        await other.comes_with(maja.session)
        screen = Suspended(await other.open("/"))
        await screen.is_told("Our fraud checks saw")
        await has_no_violations(screen.page, DESK, PHONE)

    async def test_decides_with_the_keyboard_alone(self, come: Come, maja: Person, linnea: Person):
        case = await at_the_case(await come(), linnea, maja)
        page = case.page
        await tab_to(page, case.option("suspend"), at_most=90)
        await page.keyboard.press("Enter")
        await expect(case.dialog).to_be_visible()
        await tab_to(page, case.dialog.get_by_role("textbox"))
        await page.keyboard.type(REASON)
        await tab_to(page, case.dialog.get_by_role("button", name="Suspend account", exact=True))
        await page.keyboard.press("Enter")
        await expect(case.dialog).to_be_hidden()
        await expect(case.main).to_contain_text(REASON)
        await expect(case.main).to_contain_text(re.compile("By Linnea"))
