"""Companies apply and admins decide; ads wait and are looked at: both sides see it at once."""

import asyncio
import re
import secrets
from email.message import EmailMessage

import pytest
from playwright.async_api import Locator, Route, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.admin.case_address import address_of
from rewards_app.features.ads import stories
from rewards_app.features.advertiser import creatives
from rewards_app.models import Ad, AdCampaign, Advertiser, AdvertiserMember
from tests.ads import a_campaign, an_ad, an_advertiser
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import LANGUAGES, is_no_wider_than_its_window
from tests.browser.watching import the_actor_behind
from tests.review import a_draft, a_waiting_ad, an_applicant, with_funds
from tests.serving import PROJECT, Served, text_of

REASON = "The website shows nothing yet"
FILM = {"video_url": "/ads/drift-one.webm", "image_url": "/ads/drift-one.webp"}


FOREIGN = "https://films.fjord.example"


async def show_the_film(route: Route) -> None:
    """What the company's own server would answer."""
    file = PROJECT / "assets" / "ads" / "drift-one.webm"
    await route.fulfill(path=file, content_type="video/webm")


def headed(screen: Screen, company: str) -> Locator:
    """The card of a company begins with its name."""
    return screen.page.get_by_role("heading", name=company, exact=True, level=2)


class Applications(Screen):
    """The first tab of the admin panel."""

    async def open(self) -> None:
        await self.page.goto("/admin?tab=advertisers")
        await expect(self.heading("admin.advertisers.processed")).to_be_visible()

    @property
    def tab(self) -> Locator:
        return self.page.get_by_role("link", name=re.compile("^Advertisers"))

    @property
    def dialog(self) -> Locator:
        return self.page.locator("#decision")

    def pending(self, company: str) -> Locator:
        heading = self.page.get_by_role("heading", name=company, exact=True, level=3)
        return self.page.get_by_role("listitem").filter(has=heading)

    def processed(self, company: str) -> Locator:
        return self.page.get_by_role("row").filter(has_text=company)

    async def searches(self, text: str) -> None:
        await self.field("admin.advertisers.search").fill(text)
        await self.button("admin.advertisers.find").click()

    async def looks_into(self, company: str) -> Screen:
        await self.searches(company)
        await self.page.get_by_role("link", name=company, exact=True).click()
        card = Screen(self.page)
        await expect(headed(card, company)).to_be_visible()
        return card

    async def asks(self, company: str, decision: str) -> None:
        words = self.says[f"admin.advertisers.decide_{decision}"]
        await self.page.get_by_role("button", name=f"{words}: {company}", exact=True).click()
        await expect(self.dialog).to_be_visible()

    async def decides(self, decision: str, reason: str = "") -> None:
        if reason:
            await self.dialog.get_by_role("textbox").fill(reason)
        words = self.says[f"admin.advertisers.decide_{decision}"]
        await self.dialog.get_by_role("button", name=words, exact=True).click()


class Queue(Screen):
    """Ads that wait for their review, and those that players report."""

    async def open(self) -> None:
        await self.page.goto("/admin?tab=ad_reviews")
        await expect(self.page.locator("#ad-review")).to_be_attached()
        await expect(self.page.get_by_role("table").first).to_be_visible()

    @property
    def dialog(self) -> Locator:
        return self.page.locator("#ad-review")

    def row(self, title: str) -> Locator:
        return self.page.get_by_role("row").filter(has_text=title)

    async def looks_at(self, title: str) -> None:
        await self.row(title).get_by_role("button").click()
        await expect(self.dialog).to_be_visible()

    def act(self, key: str) -> Locator:
        words = self.says[f"admin.ad_reviews.{key}"]
        return self.dialog.get_by_role("button", name=words, exact=True)

    @property
    def reason(self) -> Locator:
        return self.dialog.get_by_role("textbox")


class Company(Screen):
    """What somebody sees who acts for a company, or wants to."""

    async def applies(self, name: str) -> None:
        await self.field("advertiser.company_name").fill(name)
        await self.button("advertiser.apply").click()
        await expect(self.heading("advertiser.under_review")).to_be_visible()

    def ad(self, title: str) -> Locator:
        return self.main.get_by_role("article").filter(has_text=title)


def a_name(what: str = "Fjord Audio") -> str:
    return f"{what} {secrets.token_hex(3)}"


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def at_the_desk(visitor: Visitor, admin: Person) -> Applications:
    await visitor.comes_with(admin.session)
    desk = Applications(visitor.page)
    await desk.open()
    return desk


async def at_the_queue(visitor: Visitor, admin: Person) -> Queue:
    await visitor.comes_with(admin.session)
    queue = Queue(visitor.page)
    await queue.open()
    return queue


async def at_the_company(visitor: Visitor, person: Person, path: str = "/advertiser") -> Company:
    await visitor.comes_with(person.session)
    return Company(await visitor.open(path))


async def a_company_of(person: Person, name: str) -> Advertiser:
    """Approved, with money to spend."""
    now = utc_now()
    company = await an_advertiser(
        name, account_id=person.account_id, email=person.email, decided_at=now
    )
    async with transaction() as session:
        session.add(
            AdvertiserMember(account_id=person.account_id, advertiser_id=company.id, role="owner")
        )
    await with_funds(company, now=now)
    return company


async def a_film(campaign: AdCampaign, **changes: object) -> Ad:
    title = f"Film {secrets.token_hex(3)}"
    now = utc_now()
    known = FILM | {"updated_at": now, "created_at": now, "click_url": "https://fjord.example/"}
    return await a_waiting_ad(campaign, title, **known | changes)


async def the_letter(served: Served, person: Person, about: str) -> EmailMessage:
    for _ in range(200):
        for letter in served.letters.to(person.email):
            if about in text_of(letter):
                return letter
        await asyncio.sleep(0.1)
    raise AssertionError(f"no letter about {about}")


class TestAnApplication:
    async def test_is_sent_in_one_browser_and_approved_in_another_and_both_see_it_at_once(
        self, come: Come, served: Served, a_person: MakePerson, linnea: Person
    ):
        anna, name = await a_person(Role.COMPANY, name="Anna"), a_name()
        desk = await at_the_desk(await come(), linnea)
        company = await at_the_company(await come(), anna)
        await company.applies(name)
        application = desk.pending(name)
        await expect(application).to_be_visible()
        await expect(application).to_contain_text(anna.email)
        await expect(application).to_contain_text("Email verified")
        await expect(desk.tab).to_contain_text(re.compile(r"\d"))

        await desk.asks(name, "approved")
        await expect(desk.dialog).to_contain_text("can create campaigns and ads at once")
        await desk.decides("approved")
        await desk.sees_toast("Advertiser approved successfully")
        await expect(desk.processed(name)).to_contain_text("Linnea")
        await expect(application).to_be_hidden()
        await expect(company.text("Active Advertiser")).to_be_visible()
        letter = await the_letter(served, anna, name)
        assert "was approved" in text_of(letter)

    async def test_is_rejected_with_a_reason_and_can_be_approved_later(
        self, come: Come, served: Served, a_person: MakePerson, linnea: Person
    ):
        anna, name = await a_person(Role.COMPANY, name="Anna"), a_name()
        company = await at_the_company(await come(), anna)
        await company.applies(name)
        desk = await at_the_desk(await come(), linnea)
        await desk.asks(name, "rejected")
        await desk.decides("rejected")
        # The browser itself asks for the reason, then the rules do.
        await expect(desk.dialog).to_be_visible()
        await desk.decides("rejected", "      ")
        await expect(desk.dialog).to_contain_text("This field is needed.")
        await desk.sees_toast("Failed to update advertiser status")
        await desk.decides("rejected", REASON)
        await desk.sees_toast("Advertiser rejected successfully")
        await expect(desk.processed(name)).to_contain_text(REASON)
        await expect(company.heading("advertiser.rejected")).to_be_visible()
        await expect(company.main).to_contain_text(REASON)
        await the_letter(served, anna, REASON)

        await desk.asks(name, "approved")
        await desk.decides("approved")
        await expect(company.text("Active Advertiser")).to_be_visible()

    async def test_is_decided_on_with_the_keyboard_alone(self, come: Come, linnea: Person):
        name = a_name()
        await an_applicant(name, email=f"{name.split()[-1]}@example.com", now=utc_now())
        desk = await at_the_desk(await come(), linnea)
        page = desk.page
        approve = page.get_by_role("button", name=f"Approve: {name}", exact=True)
        await tab_to(page, approve, at_most=90)
        await page.keyboard.press("Enter")
        await expect(desk.dialog).to_be_visible()
        await tab_to(page, desk.dialog.get_by_role("button", name="Approve", exact=True))
        await page.keyboard.press("Enter")
        await expect(desk.dialog).to_be_hidden()
        await expect(desk.processed(name)).to_contain_text("Approved")

    async def test_that_another_admin_decides_on_closes_the_question(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        name = a_name()
        await an_applicant(name, email=f"{name.split()[-1]}@example.com", now=utc_now())
        sven = await a_person(Role.ADMIN, name="Sven")
        first, second = [await at_the_desk(await come(), admin) for admin in (linnea, sven)]
        for desk in (first, second):
            await desk.asks(name, "approved")
        await first.decides("approved")
        await expect(second.dialog).to_be_hidden()
        await second.sees_toast("Failed to update advertiser status", "Somebody else has decided")
        await expect(second.processed(name)).to_contain_text("Linnea")

    async def test_with_hostile_words_is_shown_as_it_was_typed(self, come: Come, linnea: Person):
        name = f"<img src=x onerror=alert(1)> {secrets.token_hex(3)}"
        email = f"{secrets.token_hex(6)}@example.com"
        await an_applicant(name, email=email, website="javascript:alert(1)", now=utc_now())
        desk = await at_the_desk(await come(), linnea)
        application = desk.pending(name)
        await expect(application).to_contain_text("javascript:alert(1)")
        await expect(application.get_by_role("link")).to_have_count(0)


class TestACompany:
    async def test_is_found_by_its_name_and_looked_into_with_all_that_it_has(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        anna, name = await a_person(Role.COMPANY, name="Anna"), a_name()
        company = await a_company_of(anna, name)
        await a_draft(company, name="Spring")
        desk = await at_the_desk(await come(), linnea)
        card = await desk.looks_into(name)
        await expect(headed(card, name)).to_be_visible()
        await expect(card.main).to_contain_text(anna.email)
        await expect(card.main).to_contain_text(str(company.id))
        await expect(card.main).to_contain_text("$1,000.00")
        await expect(card.main).to_contain_text("Opening balance")
        await card.page.get_by_role("link", name="Spring", exact=True).click()
        await expect(card.main.get_by_role("article")).to_have_count(1)
        await expect(card.main).to_contain_text(f"Company: {name}")
        await card.page.get_by_role("link", name=name, exact=True).click()
        await card.page.get_by_role("link", name="Anna", exact=True).click()
        dialog = card.page.get_by_role("dialog")
        await expect(dialog).to_contain_text(anna.email)
        await dialog.get_by_role("link", name=f"Acts for {name}").click()
        await expect(headed(card, name)).to_be_visible()
        await card.page.goto(address_of(anna.account_id))
        await card.page.get_by_role("link", name=f"Acts for {name}").click()
        await expect(headed(card, name)).to_be_visible()

    async def test_that_nobody_knows_says_so_and_leads_back(self, come: Come, linnea: Person):
        desk = await at_the_desk(await come(), linnea)
        await desk.searches(secrets.token_hex(6))
        await expect(desk.heading("admin.advertisers.not_found")).to_be_visible()
        await desk.page.goto(f"/admin?tab=advertisers&company={new_id()}")
        await expect(desk.heading("admin.company.unknown")).to_be_visible()
        await desk.page.get_by_role("link", name=desk.says["admin.company.back"]).last.click()
        await expect(desk.heading("admin.advertisers.processed")).to_be_visible()

    async def test_is_searched_and_opened_with_the_keyboard_alone(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        anna, name = await a_person(Role.COMPANY, name="Anna"), a_name()
        await a_company_of(anna, name)
        desk = await at_the_desk(await come(), linnea)
        page = desk.page
        await tab_to(page, desk.field("admin.advertisers.search"))
        await page.keyboard.type(name)
        await page.keyboard.press("Enter")
        found = page.get_by_role("link", name=name, exact=True)
        await expect(found).to_be_visible()
        await tab_to(page, found)
        await page.keyboard.press("Enter")
        await expect(headed(desk, name)).to_be_visible()

    async def test_can_be_looked_into_by_everybody_on_the_smallest_phone(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        name = f"{a_name('Donaudampfschifffahrtsgesellschaft')} International"
        company = await a_company_of(anna, name)
        await a_draft(company, name="Frühjahrsschlussverkaufskampagne")
        visitor = await one_following_the_system(come, viewport={"width": 360, "height": 780})
        desk = await at_the_desk(visitor, linnea)
        card = await desk.looks_into(name)
        await has_no_violations(card.page, DESK, {"width": 360, "height": 780})
        async for language in card.in_each_of(LANGUAGES):
            assert await is_no_wider_than_its_window(card.page), language


class TestAnAd:
    async def test_is_made_in_one_browser_and_approved_in_another_and_both_see_it_at_once(
        self, come: Come, served: Served, a_person: MakePerson, linnea: Person
    ):
        anna, name = await a_person(Role.COMPANY, name="Anna"), a_name()
        company = await a_company_of(anna, name)
        campaign = await a_draft(company, name="Spring")
        film = await a_film(campaign)
        queue = await at_the_queue(await come(), linnea)
        theirs = await at_the_company(await come(), anna, "/advertiser?tab=ads")
        await expect(theirs.ad(film.title)).to_contain_text("In review")

        await queue.looks_at(film.title)
        await expect(queue.dialog.locator("video")).to_have_attribute("src", FILM["video_url"])
        await expect(queue.dialog).to_contain_text(f"Ad by {name}")
        await expect(queue.dialog).to_contain_text("$0.50")
        link = queue.dialog.get_by_role("link", name="https://fjord.example/")
        await expect(link).to_have_attribute("rel", "noopener noreferrer")
        await queue.act("approve").click()
        await queue.sees_toast("Ad approved")
        await expect(queue.row(film.title)).to_be_hidden()
        await expect(theirs.ad(film.title)).to_contain_text("Active")
        await the_letter(served, anna, film.title)

        await theirs.page.goto("/advertiser?tab=campaigns")
        await expect(theirs.main.get_by_role("article").filter(has_text="Spring")).to_contain_text(
            "Active"
        )

    async def test_that_a_company_makes_comes_to_the_queue_by_itself_with_its_foreign_film(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        campaign = await a_draft(await a_company_of(anna, a_name()))
        await a_film(campaign)
        visitors = [await come(), await come()]
        for visitor in visitors:
            await visitor.context.route(f"{FOREIGN}/*", show_the_film)
        queue = await at_the_queue(visitors[0], linnea)
        theirs = await at_the_company(visitors[1], anna, "/advertiser?tab=ads")
        title = f"Typed {secrets.token_hex(3)}"
        await theirs.button("ads_desk.new").first.click()
        await theirs.field("ads_desk.campaign").select_option(str(campaign.id))
        await theirs.field("ads_desk.title").fill(title)
        await theirs.field("ads_desk.video_url").fill(f"{FOREIGN}/clip.webm")
        await theirs.button("ads_desk.create").click()
        await theirs.sees_toast("Ad Created!")
        await queue.looks_at(title)
        film = queue.dialog.locator("video")
        await expect(film).to_have_attribute("src", f"{FOREIGN}/clip.webm")
        await expect(film).to_have_js_property("readyState", 4)

    async def test_that_is_rejected_shows_its_company_why(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        film = await a_film(await a_draft(await a_company_of(anna, a_name())))
        theirs = await at_the_company(await come(), anna, "/advertiser?tab=ads")
        queue = await at_the_queue(await come(), linnea)
        await queue.looks_at(film.title)
        await expect(queue.dialog).to_contain_text(film.description)
        await queue.reason.fill(REASON)
        await queue.act("reject").click()
        await queue.sees_toast("Ad rejected")
        await expect(theirs.ad(film.title)).to_contain_text(REASON)

    async def test_that_another_admin_decided_on_must_be_looked_at_again(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        film = await a_film(await a_draft(await a_company_of(anna, a_name())))
        sven = await a_person(Role.ADMIN, name="Sven")
        first, second = [await at_the_queue(await come(), one) for one in (linnea, sven)]
        for queue in (first, second):
            await queue.looks_at(film.title)
        await first.reason.fill(REASON)
        await first.act("reject").click()
        await expect(second.act("approve")).to_be_hidden()
        await second.act("look_again").click()
        await expect(second.dialog).to_contain_text(REASON)

    async def test_that_players_report_can_be_taken_out_of_serving(
        self, come: Come, a_person: MakePerson, maja: Person, linnea: Person
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        company = await a_company_of(anna, a_name())
        ad = await an_ad(await a_campaign(company), title=a_name("Get rich"), **FILM)
        async with transaction() as session:
            player = await the_actor_behind(maja)
            await stories.report_ad(
                session, player, ad.id, "misleading", "<b>Not</b> free", now=utc_now()
            )
        queue = await at_the_queue(await come(), linnea)
        await queue.looks_at(ad.title)
        await expect(queue.dialog).to_contain_text("<b>Not</b> free")
        await queue.reason.fill(REASON)
        await queue.act("reject").click()
        await queue.sees_toast("Ad rejected")
        await expect(queue.row(ad.title)).to_be_hidden()
        async with transaction() as session:
            found = await creatives.one(session, await the_actor_behind(linnea), ad.id)
        assert (found.status, found.review_reason) == ("rejected", REASON)


class TestEverybody:
    async def test_can_use_both_tabs(self, come: Come, a_person: MakePerson, linnea: Person):
        anna, name = await a_person(Role.COMPANY, name="Anna"), a_name()
        await an_applicant(name, email=f"{name.split()[-1]}@example.com", now=utc_now())
        film = await a_film(await a_draft(await a_company_of(anna, a_name())))
        visitor = await one_following_the_system(come, viewport=PHONE)
        desk = await at_the_desk(visitor, linnea)
        await has_no_violations(desk.page, DESK, PHONE)
        await desk.asks(name, "rejected")
        await desk.decides("rejected", "      ")
        await expect(desk.dialog).to_contain_text("This field is needed.")
        await has_no_violations(desk.page, DESK, PHONE)
        queue = await at_the_queue(visitor, linnea)
        await has_no_violations(queue.page, DESK, PHONE)
        await queue.looks_at(film.title)
        await has_no_violations(queue.page, DESK, PHONE)

    async def test_sees_nothing_that_is_wider_than_a_small_phone(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        anna = await a_person(Role.COMPANY, name="Anna")
        long = f"{a_name('Donaudampfschifffahrtsgesellschaft')} International"
        await an_applicant(long, email=f"{secrets.token_hex(12)}@example.com", now=utc_now())
        await a_film(await a_draft(await a_company_of(anna, a_name())))
        visitor = await come(viewport={"width": 360, "height": 780})
        await visitor.comes_with(linnea.session)
        screen = Screen(visitor.page)
        for tab in ("advertisers", "ad_reviews"):
            page = await visitor.open(f"/admin?tab={tab}")
            await expect(page.get_by_role("table").first).to_be_visible()
            async for language in screen.in_each_of(LANGUAGES):
                assert await is_no_wider_than_its_window(page), f"{tab} in {language}"
