"""From a stranger to somebody with an account."""

import asyncio
import re
from email.header import decode_header, make_header

import pytest
from playwright.async_api import expect

from rewards_app.i18n import mail_text
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, an_email
from tests.browser.pages import GOOD_PASSWORD, AgePrompt, Auth, Home, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in
from tests.serving import Served, text_of

KNOWN, PERSONAL = "errors.accounts.known_password", "errors.accounts.personal_password"


async def mailed_link(served: Served, email: str, number: int = 1) -> str:
    return await asyncio.to_thread(served.letters.link_to, email, number=number)


class TestANewPlayer:
    async def test_signs_up_in_swedish_on_a_phone(self, come: Come, served: Served):
        visitor = await come(viewport=PHONE, has_touch=True)
        email = an_email("linnea")
        screen = Auth(await visitor.open("/auth"))
        await screen.choose_language("sv")

        await screen.type_player_details("Linnea Öberg")
        await screen.sign_up(email)

        await screen.is_sent_to(email)
        link = await mailed_link(served, email)
        letter = served.letters.to(email)[0]
        assert str(make_header(decode_header(letter["Subject"]))) == mail_text.text(
            "mails.verify.subject", "sv"
        )
        assert mail_text.text("mails.verify.body", "sv") in " ".join(text_of(letter).split())

        await screen.follows(link)
        await screen.link("auth.to_sign_in").click()
        await screen.sign_in(email, GOOD_PASSWORD)
        await AgePrompt(visitor.page, "sv").answer()

        home = Home(visitor.page, "sv")
        await home.welcomes("Linnea Öberg")
        await home.is_at("/")
        await home.has_coins(0)
        await expect(home.bars).to_contain_text(re.compile(r"[1-9]\d* online"))
        await home.button("frame.menu").click()
        await home.sign_out()

    async def test_sees_how_strong_the_password_is(self, come: Come):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))

        await expect(screen.field("auth.password")).to_have_attribute("type", "password")
        for password, strength, advice in (
            ("abc", "Weak", "Password must include: at least 8 characters"),
            ("abcdefgH", "Fair", "Password must include: a number and a special character"),
            ("abcdefG1", "Good", "Password must include: a special character"),
            (GOOD_PASSWORD, "Strong", "Password is strong"),
        ):
            await screen.field("auth.password").fill(password)
            await expect(screen.text(strength)).to_be_visible()
            await expect(screen.main.get_by_text(advice)).to_be_visible()

    @pytest.mark.parametrize("password", ["Fortnite2026!", "Summer2026!", "P@ssw0rd!23"])
    async def test_is_never_told_that_a_password_which_is_refused_is_strong(
        self, come: Come, password: str
    ):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.type_player_details()
        await screen.field("auth.email").fill(an_email("maja"))

        for length in range(8, len(password) + 1):
            await screen.field("auth.password").fill(password[:length])
            # Longer than the page waits for more to be typed, and for what the server says.
            await screen.page.wait_for_timeout(450)
            await expect(screen.main.get_by_text("Password is strong")).to_have_count(0)

        await expect(screen.text("Fair")).to_be_visible()
        await expect(screen.main.get_by_text(screen.says[KNOWN])).to_be_visible()
        await screen.button("auth.create_account").click()
        await screen.sees_toast("Weak password", screen.says[KNOWN])
        await expect(screen.main.get_by_text(screen.says[KNOWN])).to_have_count(1)

    async def test_is_told_that_a_password_is_made_of_the_own_name_whichever_was_typed_first(
        self, come: Come
    ):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.field("auth.password").fill("Maja-Berg77!")
        await expect(screen.main.get_by_text("Password is strong")).to_be_visible()

        await screen.type_player_details("Maja Berg")

        await expect(screen.main.get_by_text(screen.says[PERSONAL])).to_be_visible()
        await expect(screen.main.get_by_text("Password is strong")).to_have_count(0)
        await screen.field("auth.password").fill(GOOD_PASSWORD)
        await expect(screen.main.get_by_text("Password is strong")).to_be_visible()

    async def test_shows_and_hides_what_the_password_is(self, come: Come):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        password = screen.field("auth.password")
        await password.fill(GOOD_PASSWORD)
        for turns, type_, turns_back in (
            ("Show password", "text", "Hide password"),
            ("Hide password", "password", "Show password"),
        ):
            await visitor.page.get_by_role("button", name=turns, exact=True).click()
            await expect(password).to_have_attribute("type", type_)
            await expect(password).to_have_value(GOOD_PASSWORD)
            label = visitor.page.get_by_role("button", name=re.compile("password"))
            await expect(label).to_have_accessible_name(turns_back)

    async def test_with_a_weak_password_is_told_what_is_missing_and_loses_nothing(self, come: Come):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.type_player_details()

        await screen.sign_up(email := an_email("maja"), "abcdefgh")

        await screen.sees_toast(
            "Weak password",
            "Password must include: an uppercase letter, a number, and a special character",
        )
        await expect(screen.field("auth.email")).to_have_value(email)
        await expect(screen.field("auth.name")).to_have_value("Maja")
        await expect(screen.field("auth.phone")).to_have_value("070-174 06 05")
        await expect(screen.field("auth.phone_country")).to_have_value("SE")
        await expect(screen.field("auth.age")).to_have_value("21")
        await expect(screen.field("auth.gender")).to_have_value("Female")
        await expect(screen.field("auth.password")).to_have_value("abcdefgh")

    async def test_with_the_email_of_somebody_else_is_told_so(
        self, come: Come, a_person: MakePerson
    ):
        maja = await a_person()
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.type_player_details()

        await screen.sign_up(maja.email)

        await screen.sees_toast(
            "Error occurred", "A user with this email already exists. Try logging in instead."
        )
        await expect(screen.field("auth.email")).to_have_value(maja.email)


class TestOtherKinds:
    async def test_a_company_gives_email_and_password_and_lands_at_its_own_home(
        self, come: Come, served: Served
    ):
        visitor = await come()
        email = an_email("fjord")
        screen = Auth(await visitor.open("/auth?type=company"))
        await expect(screen.heading("auth.signup_company")).to_be_visible()
        assert await screen.names_of_fields() == ["email", "password"]

        await screen.sign_up(email)
        await screen.is_sent_to(email)
        await screen.follows(await mailed_link(served, email))
        await screen.open_sign_in()
        await screen.sign_in(email, GOOD_PASSWORD)

        await AgePrompt(visitor.page).answer()
        home = Home(visitor.page)
        await home.is_at("/advertiser")
        await home.welcomes(email.partition("@")[0])

    async def test_asking_for_an_admin_account_makes_no_admin(self, come: Come, served: Served):
        visitor = await come()
        email = an_email("ada")
        screen = Auth(await visitor.open("/auth?type=admin"))
        assert await screen.names_of_fields() == ["email", "password"]

        await screen.sign_up(email)
        await screen.is_sent_to(email)
        await screen.follows(await mailed_link(served, email))
        await visitor.open("/auth?mode=login&type=admin")
        await screen.sign_in(email, GOOD_PASSWORD)
        await AgePrompt(visitor.page).answer()

        home = Home(visitor.page)
        await home.welcomes(email.partition("@")[0])
        await expect(home.link("nav.earn")).to_be_visible()
        await expect(home.link("nav.admin")).to_have_count(0)


class TestBeforeTheEmailIsVerified:
    async def test_a_sign_in_offers_a_second_mail_that_replaces_the_first(
        self, come: Come, served: Served
    ):
        visitor = await come()
        email = an_email("otto")
        screen = Auth(await visitor.open("/auth?type=company"))
        await screen.sign_up(email)
        await screen.is_sent_to(email)
        first = await mailed_link(served, email)

        await screen.link("auth.to_sign_in").click()
        await screen.sign_in(email, GOOD_PASSWORD)
        await expect(screen.heading("auth.unverified_title")).to_be_visible()
        await screen.button("auth.send_again").click()
        await screen.sees_toast("Mail sent")
        second = await mailed_link(served, email, 2)

        await visitor.page.goto(first)
        await expect(screen.heading("auth.verify_failed_title")).to_be_visible()
        await screen.follows(second)


async def signed_up(come: Come, served: Served) -> tuple[Auth, str]:
    """A company that waits for its email to be verified, and the link that was mailed."""
    visitor = await come()
    email = an_email("fjord")
    screen = Auth(await visitor.open("/auth?type=company"))
    await screen.sign_up(email)
    await screen.is_sent_to(email)
    return screen, await mailed_link(served, email)


class TestTheLinkInAnotherBrowser:
    """It may be a mail scanner's, or of somebody whose address another person typed."""

    async def test_asks_whether_it_was_them(self, come: Come, served: Served):
        _, link = await signed_up(come, served)
        elsewhere = await one_following_the_system(come, viewport=PHONE)
        screen = Auth(elsewhere.page)
        await elsewhere.page.goto(link)
        await expect(screen.heading("auth.to_verify_title")).to_be_visible()
        await has_no_violations(elsewhere.page, DESK, PHONE)
        for size in (DESK, PHONE):
            await elsewhere.page.set_viewport_size(size)
            await tab_to(elsewhere.page, screen.button("auth.to_verify_go"))
        await elsewhere.page.keyboard.press("Enter")
        await expect(screen.heading("auth.verified_title")).to_be_visible()
        await expect(screen.main).to_be_focused()
        await elsewhere.page.goto(link)
        await expect(screen.heading("auth.verify_failed_title")).to_be_visible()

    async def test_takes_nothing_from_the_one_that_signed_up(self, come: Come, served: Served):
        own, link = await signed_up(come, served)
        elsewhere = Auth((await come()).page)
        await elsewhere.page.goto(link)
        await expect(elsewhere.heading("auth.to_verify_title")).to_be_visible()
        await own.follows(link)
        await elsewhere.button("auth.to_verify_go").click()
        await expect(elsewhere.heading("auth.verify_failed_title")).to_be_visible()

    async def test_fits_every_screen(self, come: Come, served: Served):
        _, link = await signed_up(come, served)
        elsewhere = await come()
        screen = Auth(elsewhere.page)
        await elsewhere.page.goto(link)
        await expect(screen.button("auth.to_verify_go")).to_be_visible()
        assert not await spilled_in(screen)


class TestTheFormItself:
    @pytest.mark.parametrize(
        ("typed", "refusal"),
        [
            ({"auth.phone": "12"}, "This is not a phone number of the chosen country."),
            ({"auth.name": "a"}, "A player name has 2 to 40 characters."),
        ],
    )
    async def test_a_refusal_stands_beside_the_form_and_in_a_toast(
        self, come: Come, typed: dict[str, str], refusal: str
    ):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.type_player_details()
        for key, value in typed.items():
            await screen.field(key).fill(value)

        await screen.sign_up(an_email("maja"))

        await screen.sees_toast("Error occurred", refusal)
        await expect(screen.main.get_by_text(refusal)).to_be_visible()

    async def test_all_that_is_wrong_is_told_at_once_each_beside_its_field(self, come: Come):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.type_player_details()
        wrong = {
            "auth.name": ("a", "A player name has 2 to 40 characters."),
            "auth.phone": ("12", "This is not a phone number of the chosen country."),
        }
        for key, (typed, _) in wrong.items():
            await screen.field(key).fill(typed)

        await screen.sign_up("maja@mailinator.com")

        for key, (_, refusal) in wrong.items():
            await expect(screen.field(key)).to_have_attribute("aria-invalid", "true")
            await expect(screen.field(key)).to_have_accessible_description(refusal)
            await expect(screen.main.get_by_text(refusal)).to_have_count(1)
        await expect(screen.field("auth.email")).to_have_attribute("aria-invalid", "true")
        await screen.field("auth.phone").fill("0701234567")
        await expect(screen.field("auth.phone")).to_have_attribute("aria-invalid", "false")
        await expect(screen.field("auth.name")).to_have_attribute("aria-invalid", "true")

    async def test_a_short_password_is_marked_until_it_is_changed(self, come: Come):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.type_player_details()
        await screen.sign_up(an_email("maja"), "abc")
        password = screen.field("auth.password")
        refusal = screen.main.get_by_text("Password must be at least 8 characters long with")
        await expect(password).to_have_attribute("aria-invalid", "true")
        await expect(refusal).to_have_count(1)
        await password.fill("abcdefgH")
        await expect(password).to_have_attribute("aria-invalid", "false")
        await expect(refusal).to_have_count(0)
        await expect(screen.main.get_by_text("a number and a special character")).to_be_visible()

    async def test_nobody_under_thirteen_or_over_ninety_nine_gets_past_the_age_field(
        self, come: Come
    ):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        await screen.type_player_details()
        for age in ("12", "100", "15.5"):
            await screen.field("auth.age").fill(age)
            assert not await screen.field("auth.age").evaluate("field => field.checkValidity()")


class TestTheDrawer:
    async def test_opens_closes_and_signs_out_by_keyboard(self, come: Come, a_person: MakePerson):
        visitor = await come(viewport=PHONE)
        await visitor.comes_with((await a_person()).session)
        home = Home(await visitor.open("/"))
        press = visitor.page.keyboard.press

        await home.button("frame.menu").focus()
        await press("Enter")
        await expect(home.drawer).to_be_visible()
        await press("Escape")
        await expect(home.drawer).to_be_hidden()
        await expect(home.button("frame.menu")).to_be_focused()

        await press("Enter")
        await tab_to(visitor.page, home.drawer.get_by_role("button", name="Log out"))
        await press("Enter")
        await home.is_at("/landing")
