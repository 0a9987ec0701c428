"""A company's way from its application to money and people; its page changes by itself."""

import re
import time
from io import BytesIO
from uuid import UUID

import pytest
from playwright.async_api import Locator, expect
from pypdf import PdfReader

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.features.advertiser import application, people, review, settings_service
from rewards_app.features.advertiser.rules import CARD, Status
from rewards_app.features.payments import news
from rewards_app.models import AdvertiserMember
from tests import people as accounts
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person, an_email
from tests.browser.pages import Home, Screen, TestPayment, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.watching import the_actor_behind
from tests.companies import a_company
from tests.paying import ask
from tests.serving import Served, text_of

INVITATION = re.compile(r"https?://\S+(/advertiser\?invite=\S+)")


class Company(Screen):
    """The page of who advertises, from the application on."""

    async def open(self, query: str = "") -> None:
        await self.page.goto(f"/advertiser{query}")
        await self.page.locator("html[data-page='advertiser.page_title']").wait_for()
        await expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    async def apply(self, company: str, **changes: str) -> None:
        await self.field("advertiser.company_name").fill(company)
        for field, typed in changes.items():
            await self.field(f"advertiser.{field}").fill(typed)
        await self.button("advertiser.apply").click()

    async def settings(self) -> None:
        await self.open("?tab=settings")
        await expect(self.field("advertiser.company_name")).to_be_visible()

    def panel(self, key: str) -> Locator:
        return self.main.locator("section").filter(has=self.heading(key))

    @property
    def balance(self) -> Locator:
        return self.panel("billing.title").locator("dd").first

    @property
    def rail(self) -> Locator:
        return self.page.get_by_role("complementary", name=self.says["frame.menu"])

    async def top_up(self, amount: str) -> TestPayment:
        await self.button("billing.top_up").click()
        await self.field("billing.amount").fill(amount)
        await self.button("billing.to_checkout").click()
        payment = TestPayment(self.page)
        await payment.is_ready()
        return payment


async def decides(admin: Person, company: str, status: str, reason: str = "") -> None:
    """As an admin does in the panel."""
    async with transaction() as session:
        found = await rows(
            session, "select id from advertisers where company_name = %(name)s", {"name": company}
        )
        actor = await the_actor_behind(admin)
        await review.decide(
            session, actor, UUID(str(found[0][0])), Status(status), reason, now=utc_now()
        )
    await live.tell_now()


async def goes_back(advertiser_id: UUID) -> None:
    """What was paid in, by hand at the provider."""
    async with transaction() as session:
        query = (
            "select payments.id from payments join top_ups on top_ups.id = payments.subject_id"
            " where top_ups.advertiser_id = %(id)s"
        )
        (found,) = await rows(session, query, {"id": advertiser_id})
        await news.note_returned(session, found[0], "re_by_hand", now=utc_now())
    await live.tell_now()


async def company_of(come: Come, person: Person) -> Company:
    visitor = await come()
    await visitor.comes_with(person.session)
    return Company(visitor.page)


async def in_front(come: Come, person: Person) -> Company:
    screen = await company_of(come, person)
    await screen.open()
    return screen


async def at_the_settings(come: Come, person: Person) -> Company:
    screen = await company_of(come, person)
    await screen.settings()
    return screen


@pytest.fixture
async def freja(a_person: MakePerson) -> Person:
    return await a_person(Role.COMPANY, name="Freja")


@pytest.fixture
async def admin(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


def a_name() -> str:
    return an_email("Company").partition("@")[0].title()


async def the_invoice(screen: Company) -> str:
    """Of the only top-up that is paid, as it is downloaded."""
    async with screen.page.expect_download() as downloading:
        await screen.panel("billing.top_ups").get_by_role("link").click()
    file = await (await downloading.value).path()
    return PdfReader(BytesIO(file.read_bytes())).pages[0].extract_text()


class TestTheWholeWay:
    async def test_from_the_application_to_an_invoice(
        self, come: Come, freja: Person, admin: Person, a_person: MakePerson, served: Served
    ):
        name = a_name()
        screen = await in_front(come, freja)
        await expect(screen.field("advertiser.email")).to_have_value(freja.email)
        await screen.apply(name, website="https://fjord.example")
        await screen.sees_toast(
            "Registration Successful!",
            "Your advertiser application has been submitted for review.",
        )
        await expect(screen.heading("advertiser.under_review")).to_be_visible()

        # Decided in another browser: this page changes by itself, and its frame with it.
        await decides(admin, name, "approved")
        await expect(screen.page.get_by_role("heading", name=name)).to_be_visible()
        await expect(screen.text("Active Advertiser")).to_be_visible()
        await expect(screen.rail).to_contain_text(name)

        await screen.settings()
        payment = await screen.top_up("250.50")
        await expect(payment.main).to_contain_text("$250.50")
        await payment.pay()
        await expect(screen.text("$250.50 added to your balance")).to_be_visible(timeout=20_000)
        await expect(screen.balance).to_have_text("$250.50")
        await expect(screen.rail).to_contain_text("Balance $250.50")
        entry = screen.panel("billing.statement").get_by_role("row").nth(1)
        await expect(entry).to_contain_text("+$250.50")

        said = await the_invoice(screen)
        assert name in said
        assert "$250.50" in said
        [(card,)] = ask(
            served.database, "select id::text from advertisers where company_name = %s", name
        )
        desk = await company_of(come, admin)
        await desk.page.goto(f"{CARD}{card}")
        assert await the_invoice(desk) == said

        sven = await a_person(Role.PLAYER, name="Sven")
        await screen.field("people.colleague").fill(sven.email)
        await screen.button("people.invite").click()
        await screen.sees_toast("Invitation sent")
        await expect(screen.panel("people.title")).to_contain_text(sven.email)
        letter = _newest(served, sven.email)
        found = INVITATION.search(letter)
        assert found
        colleague = await company_of(come, sven)
        await colleague.page.goto(found[1])
        await colleague.button("people.accept").click()
        await expect(colleague.page.get_by_role("heading", name=name)).to_be_visible()
        await colleague.settings()
        await expect(colleague.field("advertiser.company_name")).not_to_be_editable()
        await expect(colleague.button("billing.top_up")).to_have_count(0)
        await expect(colleague.panel("billing.statement")).to_have_count(0)
        await expect(screen.panel("people.title").get_by_role("listitem")).to_have_count(2)

        # Who is removed sees nothing any more, on the page that is open.
        await screen.page.get_by_role("button", name="Remove Sven").click()
        await screen.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        await expect(colleague.heading("advertiser.apply_title")).to_be_visible()
        await expect(colleague.main).not_to_contain_text(name)


def _newest(served: Served, email: str, within: float = 20) -> str:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if letters := served.letters.to(email):
            return text_of(letters[-1])
        time.sleep(0.1)
    raise AssertionError(f"no letter to {email}")


class TestAMember:
    async def test_leaves_the_company_on_their_own(
        self, come: Come, freja: Person, a_person: MakePerson
    ):
        name = a_name()
        company = await a_company(name, owner=await the_actor_behind(freja))
        sven = await a_person(Role.PLAYER, name="Sven")
        async with transaction() as session:
            session.add(AdvertiserMember(account_id=sven.account_id, advertiser_id=company.id))
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(sven.session)
        screen = Company(visitor.page)
        await screen.settings()
        await expect(screen.button("people.leave")).to_have_count(1)
        await screen.button("people.leave").click()
        question = screen.page.get_by_role("dialog", name=f"Leave {name}?")
        await expect(question).to_be_visible()
        await has_no_violations(screen.page)
        await question.get_by_role("button", name="Leave company").click()
        await screen.sees_toast("You have left", f"You no longer act for {name}.")
        await expect(screen.heading("advertiser.apply_title")).to_be_visible()
        await expect(screen.main).not_to_contain_text(name)

        owner = await at_the_settings(come, freja)
        await expect(owner.panel("people.title").get_by_role("listitem")).to_have_count(1)
        await expect(owner.button("people.leave")).to_have_count(0)


class TestWhatWaits:
    async def test_is_shown_corrected_and_withdrawn(self, come: Come, a_person: MakePerson):
        eva = await a_person(Role.COMPANY, name="Eva")
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(eva.session)
        screen, name = Company(visitor.page), a_name()
        await screen.open()
        await screen.apply(name, website="https://fjrod.example")
        await expect(screen.heading("advertiser.under_review")).to_be_visible()
        await expect(screen.main).to_contain_text("https://fjrod.example")
        await has_no_violations(screen.page)

        await screen.button("advertiser.correct").click()
        await expect(screen.field("advertiser.website")).to_have_value("https://fjrod.example")
        await has_no_violations(screen.page)
        await screen.field("advertiser.website").fill("https://fjord.example")
        await screen.button("advertiser.send_correction").click()
        await screen.sees_toast("Application corrected", "It is reviewed as it reads now.")
        await expect(screen.heading("advertiser.under_review")).to_be_visible()
        await expect(screen.main).to_contain_text("https://fjord.example")

        await screen.button("advertiser.withdraw").click()
        question = screen.page.get_by_role("dialog", name="Withdraw your application?")
        await expect(question).to_contain_text(name)
        await has_no_violations(screen.page)
        await question.get_by_role("button", name="Withdraw").click()
        await screen.sees_toast("Application withdrawn")
        await expect(screen.heading("advertiser.apply_title")).to_be_visible()


class TestARejection:
    async def test_says_why_and_can_be_answered(self, come: Come, freja: Person, admin: Person):
        name = a_name()
        screen = await in_front(come, freja)
        await screen.apply(name, phone="+46 8 123 456 78")
        await expect(screen.heading("advertiser.under_review")).to_be_visible()
        await decides(admin, name, "rejected", "We cannot find this company.")
        await expect(screen.heading("advertiser.rejected")).to_be_visible()
        await expect(screen.main).to_contain_text(
            "Unfortunately, your advertiser application was not approved."
        )
        await expect(screen.main).to_contain_text("We cannot find this company.")
        await screen.button("advertiser.apply_again").click()
        await expect(screen.field("advertiser.company_name")).to_have_value(name)
        await expect(screen.field("advertiser.phone")).to_have_value("+46812345678")
        await screen.button("advertiser.apply").click()
        await expect(screen.heading("advertiser.under_review")).to_be_visible()

    async def test_is_left_behind_for_a_company_that_invites(
        self, come: Come, freja: Person, admin: Person, a_person: MakePerson, served: Served
    ):
        name, own = a_name(), a_name()
        eva = await a_person(Role.COMPANY, name="Eva")
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(eva.session)
        screen = Company(visitor.page)
        await screen.open()
        await screen.apply(own)
        await expect(screen.heading("advertiser.under_review")).to_be_visible()
        async with transaction() as session:
            owner = await the_actor_behind(freja)
            form = {"company_name": name, "email": freja.email}
            await application.apply(session, owner, form, now=utc_now())
        await decides(admin, name, "approved")
        async with transaction() as session:
            form = {"colleague": eva.email}
            await people.invite(session, owner, form, language="en", now=utc_now())
        found = INVITATION.search(_newest(served, eva.email))
        assert found

        # While nobody knows what becomes of their own, it says so and offers nothing.
        await screen.page.goto(found[1])
        await expect(screen.main).to_contain_text(f"Your own application for {own} is still")
        await expect(screen.button("people.accept")).to_have_count(0)
        await decides(admin, own, "rejected", "Your colleague has an account: ask them.")
        await expect(screen.main).to_contain_text(f"give up your rejected application for {own}")
        await has_no_violations(screen.page)
        await screen.button("people.accept").click()
        await expect(screen.page.get_by_role("heading", name=name)).to_be_visible()
        await expect(screen.page).to_have_url(re.compile("/advertiser$"))

        # A link that is worth nothing says so on the dashboard, too.
        await screen.page.goto(found[1])
        await expect(screen.text("This invitation cannot be used")).to_be_visible()
        await expect(screen.page.get_by_role("heading", name=name)).to_be_visible()
        await has_no_violations(screen.page)


class TestTheForm:
    async def test_says_at_a_field_what_is_wrong_and_keeps_what_was_typed(
        self, come: Come, freja: Person
    ):
        screen = await in_front(come, freja)
        await screen.apply("Fjord Audio", website="https://192.168.0.1/")
        await screen.sees_toast("Registration Failed")
        website = screen.field("advertiser.website")
        await expect(website).to_have_attribute("aria-invalid", "true")
        await expect(website).to_have_accessible_description(re.compile("not open to everybody"))
        await expect(screen.field("advertiser.company_name")).to_have_value("Fjord Audio")
        await expect(screen.field("advertiser.company_name")).to_have_attribute(
            "aria-invalid", "false"
        )

    async def test_is_sent_with_the_keyboard_alone(self, come: Come, freja: Person):
        screen = await in_front(come, freja)
        await tab_to(screen.page, screen.field("advertiser.company_name"))
        await screen.page.keyboard.type(a_name())
        await tab_to(screen.page, screen.button("advertiser.apply"))
        await screen.page.keyboard.press("Enter")
        await expect(screen.heading("advertiser.under_review")).to_be_visible()


class TestAPlayer:
    async def test_finds_the_way_in_the_small_print(self, come: Come, maja: Person):
        visitor = await come()
        await visitor.comes_with(maja.session)
        home = Home(await visitor.open("/"))
        await home.page.get_by_role("contentinfo").get_by_role("link", name="Advertise").click()
        screen = Company(visitor.page)
        await expect(screen.heading("advertiser.apply_title")).to_be_visible()


class TestSettings:
    async def test_stay_as_they_were_put(self, come: Come, freja: Person, admin: Person):
        name = a_name()
        screen = await in_front(come, freja)
        await screen.apply(name)
        await expect(screen.heading("advertiser.under_review")).to_be_visible()
        await decides(admin, name, "approved")
        await expect(screen.page.get_by_role("heading", name=name)).to_be_visible()
        await screen.settings()
        minors = screen.page.get_by_role(
            "switch", name=screen.says["advertiser.switches.reaches_minors"]
        )
        await expect(minors).to_be_checked()
        await minors.click()
        await expect(minors).not_to_be_checked()
        await screen.field("advertiser.company_name").fill(f"{name} AB")
        await screen.button("advertiser.save").click()
        await screen.sees_toast("Saved")
        await expect(screen.rail).to_contain_text(f"{name} AB")
        await screen.page.reload()
        await expect(minors).not_to_be_checked()
        await expect(screen.field("advertiser.company_name")).to_have_value(f"{name} AB")

    async def test_show_what_a_colleague_saved_meanwhile_and_undo_none_of_it(
        self, come: Come, freja: Person
    ):
        company = await a_company(a_name(), owner=await the_actor_behind(freja))
        screen = await at_the_settings(come, freja)
        async with transaction() as session:
            typed = {"email": "hi@fjord.example"}
            await settings_service.describe(session, company.owner, typed, now=utc_now())
        await screen.field("advertiser.phone").fill("+46 8 123 456 78")
        await screen.button("advertiser.save").click()
        await screen.sees_toast("Saved")
        await expect(screen.field("advertiser.email")).to_have_value("hi@fjord.example")
        await expect(screen.field("advertiser.phone")).to_have_value("+46812345678")

    async def test_show_where_one_is_signed_in_and_what_protects_the_account(
        self, come: Come, freja: Person
    ):
        await a_company(a_name(), owner=await the_actor_behind(freja))
        screen = await in_front(come, freja)
        await screen.settings()
        signed_in = screen.panel("security.sessions_title").get_by_role("listitem")
        await expect(signed_in).to_contain_text(["Current Session"])
        await accounts.signed_in(freja.account_id, accounts.a_browser(), now=utc_now())
        await live.tell_now()
        await expect(signed_in).to_have_count(2)
        await signed_in.get_by_role("button", name="Revoke").click()
        await screen.sees_toast("Session Revoked")
        await expect(signed_in).to_have_count(1)

        two_factor = screen.panel("security.two_factor_title")
        await expect(two_factor).to_contain_text("Off")
        await expect(two_factor).to_contain_text("Your password alone is enough to sign in now.")
        await two_factor.get_by_role("link", name="Setup").click()
        await expect(screen.button("security.setup")).to_be_visible()

    async def test_say_after_a_top_up_how_campaigns_start(self, come: Come, freja: Person):
        owner = await the_actor_behind(freja)
        await a_company(a_name(), owner=owner, starts_by_itself=False)
        screen = await at_the_settings(come, freja)
        payment = await screen.top_up("100")
        await payment.pay()
        await expect(screen.main).to_contain_text(
            "Campaigns that waited for funds start once you press Resume.", timeout=20_000
        )

    async def test_say_of_a_top_up_that_went_back_what_it_is(self, come: Come, freja: Person):
        owner = await the_actor_behind(freja)
        company = await a_company(a_name(), owner=owner)
        screen = await at_the_settings(come, freja)
        await (await screen.top_up("100")).pay()
        await expect(screen.text("$100.00 added to your balance")).to_be_visible(timeout=20_000)
        await goes_back(company.id)
        await expect(screen.text("$100.00 went back to the card")).to_be_visible()
        await expect(screen.balance).to_have_text("$0.00")

    async def test_can_be_used_by_everybody(self, come: Come, freja: Person, admin: Person):
        name = a_name()
        visitor: Visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(freja.session)
        screen = Company(visitor.page)
        await screen.open()
        await has_no_violations(screen.page, DESK, PHONE)
        for size in (DESK, PHONE):
            await screen.apply("", website="x")
            await screen.sees_toast("Registration Failed")
            await has_no_violations(screen.page, size)
        await screen.apply(name, website="")
        await expect(screen.heading("advertiser.under_review")).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)
        await decides(admin, name, "rejected", "We cannot find this company.")
        await expect(screen.heading("advertiser.rejected")).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)
        await screen.button("advertiser.apply_again").click()
        await screen.button("advertiser.apply").click()
        await expect(screen.heading("advertiser.under_review")).to_be_visible()
        await decides(admin, name, "approved")
        await screen.settings()
        for size in (DESK, PHONE):
            await screen.field("people.colleague").fill(an_email("Sven"))
            await screen.button("people.invite").click()
            await screen.sees_toast("Invitation sent")
            await has_no_violations(screen.page, size)
        await screen.button("billing.top_up").click()
        await expect(screen.field("billing.amount")).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)
        await screen.field("billing.amount").fill("100")
        await screen.button("billing.to_checkout").click()
        payment = TestPayment(screen.page)
        await payment.is_ready()
        await payment.button("test_payment.decline").click()
        await expect(payment.page.get_by_role("alert")).to_be_visible()
        await has_no_violations(payment.page, DESK, PHONE)
        await payment.button("test_payment.cancel").click()
        await expect(screen.text(screen.says["billing.not_paid"])).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)
