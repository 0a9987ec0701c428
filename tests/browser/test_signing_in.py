"""Coming back: with a password, with a new password, with a provider."""

import asyncio
import re

import httpx2 as httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import Come, MakePerson, an_email
from tests.browser.moments import FRESH, led_to, within
from tests.browser.pages import GOOD_PASSWORD, AgePrompt, Auth, Home
from tests.browser.test_signing_up import mailed_link
from tests.people import PASSWORD
from tests.serving import Served

WRONG = "Invalid email or password. Please try again."


class TestAWrongSignIn:
    @pytest.mark.parametrize("is_known", [True, False], ids=["wrong password", "unknown email"])
    async def test_is_refused_in_the_same_words_and_what_was_typed_stays(
        self, come: Come, a_person: MakePerson, is_known: bool
    ):
        email = (await a_person()).email if is_known else an_email("nobody")
        visitor = await come()
        screen = Auth(await visitor.open("/auth?mode=login"))

        await screen.sign_in(email, "not-the-Password-1")

        await screen.sees_toast("Error occurred", WRONG)
        await expect(screen.main.get_by_text(WRONG)).to_be_visible()
        await expect(screen.field("auth.email")).to_have_value(email)
        await expect(screen.field("auth.password")).to_have_value("not-the-Password-1")


class TestAnAdmin:
    async def test_comes_in_by_a_door_of_their_own(self, come: Come):
        visitor = await come()
        screen = Auth(await visitor.open("/landing"))
        await screen.bars.get_by_role("link", name="Admin", exact=True).click()
        await expect(screen.page).to_have_url(re.compile(r"/auth/?\?mode=login&type=admin$"))
        await expect(screen.field("auth.password")).to_be_visible()


class TestANewPasswordByMail:
    async def test_signs_out_every_device_and_works_once(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        elsewhere = await come()
        await elsewhere.comes_with(maja.session)
        await Home(await elsewhere.open("/")).welcomes("Maja")
        visitor = await come()
        screen = Auth(await visitor.open("/auth?mode=login"))

        await screen.link("auth.forgot").click()
        await expect(screen.heading("auth.forgot_title")).to_be_visible()
        await screen.field("auth.email").fill(maja.email)
        await screen.button("auth.send_reset").click()
        await expect(screen.heading("auth.reset_sent_title")).to_be_visible()
        link = await mailed_link(served, maja.email)
        await visitor.page.goto(link)
        for password, why in (("Fortnite2026!", "known"), (f"{maja.email}-A1", "personal")):
            await screen.field("auth.new_password").fill(password)
            words = screen.says[f"errors.accounts.{why}_password"]
            await expect(screen.main.get_by_text(words)).to_be_visible()
        async with within(FRESH, led_to(elsewhere.page, "/landing")):
            await screen.choose_new_password(GOOD_PASSWORD)
            await screen.sees_toast("Password saved")

        await Home(elsewhere.page).is_at("/landing")
        await screen.sign_in(maja.email, PASSWORD)
        await screen.sees_toast("Error occurred", WRONG)
        await screen.sign_in(maja.email, GOOD_PASSWORD)
        await Home(visitor.page).welcomes("Maja")

        stranger = await come()
        await stranger.page.goto(link)
        late = Auth(stranger.page)
        await expect(late.heading("auth.verify_failed_title")).to_be_visible()
        await expect(late.main.get_by_text(late.says["errors.accounts.link_used"])).to_be_visible()
        await late.link("auth.new_reset_link").click()
        await expect(late.heading("auth.forgot_title")).to_be_visible()


class TestAProvider:
    async def test_signs_in_whose_email_it_vouches_for(self, come: Come, served: Served):
        email = an_email("signe")
        await known_to_the_provider(served, email, email_verified=True, name="Signe")
        visitor = await come()
        screen = Auth(await visitor.open("/auth?mode=login"))

        await screen.page.get_by_role("link", name="Continue with GameID").click()
        await agree_at_the_provider(screen, email)

        await AgePrompt(visitor.page).answer()
        home = Home(visitor.page)
        await home.welcomes("Signe")
        await home.is_at("/")
        await home.sign_out()

    async def test_is_told_what_is_wished_and_says_before_what_an_account_accepts(self, come: Come):
        visitor = await come(stored={"language": "de"})
        screen = Auth(await visitor.open("/auth?mode=login&type=company"), "de")
        button = screen.page.get_by_role("link", name="GameID")
        wished = "/oauth/oidc?language=de&type=company&addresses=no"
        await expect(button).to_have_attribute("href", wished)
        await expect(screen.main.get_by_text(screen.says["auth.accept_before"])).to_be_visible()

    async def test_is_not_believed_about_an_email_it_did_not_verify(
        self, come: Come, served: Served
    ):
        email = an_email("mallory")
        await known_to_the_provider(served, email, email_verified=False)
        visitor = await come()
        screen = Auth(await visitor.open("/auth?mode=login"))

        await screen.page.get_by_role("link", name="Continue with GameID").click()
        await agree_at_the_provider(screen, email)

        await expect(screen.heading("auth.login")).to_be_visible()
        await screen.sees_toast("Error occurred", "The provider did not confirm who you are")


async def known_to_the_provider(served: Served, email: str, **claims: object) -> None:
    """What the provider will say of the person with this email, who is also its subject."""

    def tell() -> None:
        answer = httpx.put(f"{served.issuer}/users/{email}", json={"email": email, **claims})
        assert answer.status_code == 204

    await asyncio.to_thread(tell)


async def agree_at_the_provider(screen: Auth, subject: str) -> None:
    await screen.page.get_by_placeholder("sub").fill(subject)
    await screen.page.get_by_role("button", name="Authorize").click()
