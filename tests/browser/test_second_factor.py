"""Signing in with more than a password: by a code, a backup code, a passkey, and without any."""

import asyncio
import base64
from datetime import timedelta
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from playwright.async_api import expect

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing, repository
from rewards_app.i18n import mail_text
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, Person
from tests.browser.pages import Auth, Home
from tests.browser.test_signing_in import agree_at_the_provider, known_to_the_provider
from tests.factors import App, Device, a_passkey, an_app
from tests.people import PASSWORD
from tests.serving import LINK, Served, text_of


class SecondStep(Auth):
    """The auth screen after the password."""

    async def asks(self) -> None:
        await expect(self.heading("auth.second_title")).to_be_visible()

    async def type_code(self, code: str) -> None:
        await self.field("auth.second_code").fill(code)
        await self.button("auth.sign_in").click()

    async def guesses(self, code: str) -> None:
        """Until this very guess is answered: the one before was answered alike."""
        await self.toast.evaluate_all(
            "toasts => toasts.forEach((toast) => toast.setAttribute('data-before', ''))"
        )
        await self.type_code(code)
        before = self.page.locator("[data-before]:not([data-removed=true])")
        await expect(before).to_have_count(0)
        await expect(self.toast).to_contain_text(self.says["errors.factors.wrong_code"])


async def with_an_app(person: Person) -> App:
    return await an_app(person.account_id, now=utc_now() - timedelta(minutes=5))


async def shows_the_password(visitor: Visitor, person: Person) -> SecondStep:
    screen = SecondStep(await visitor.open("/auth?mode=login"))
    await screen.sign_in(person.email, PASSWORD)
    await screen.asks()
    return screen


async def carries(visitor: Visitor, device: Device | None) -> None:
    """A device that holds this passkey, or none, and whose owner agrees at once."""
    tools = await visitor.context.new_cdp_session(visitor.page)
    await tools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True}
    agrees = {"isUserVerified": True, "automaticPresenceSimulation": True}
    made = await tools.send(
        "WebAuthn.addVirtualAuthenticator", {"options": options | agrees | {"hasResidentKey": True}}
    )
    if device:
        await tools.send(
            "WebAuthn.addCredential",
            {"authenticatorId": made["authenticatorId"], "credential": credential(device)},
        )


def credential(device: Device) -> dict[str, Any]:
    key = device.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return {
        "credentialId": base64.b64encode(device.credential_id).decode(),
        "isResidentCredential": False,
        "rpId": "localhost",
        "privateKey": base64.b64encode(key).decode(),
        "signCount": 0,
    }


class TestACode:
    async def test_is_asked_for_and_opens(self, come: Come, maja: Person):
        app = await with_an_app(maja)
        visitor = await come(viewport=PHONE, has_touch=True)
        screen = await shows_the_password(visitor, maja)
        await expect(screen.button("auth.second_passkey")).to_have_count(0)

        await screen.type_code("000000")
        wrong = screen.says["errors.factors.wrong_code"]
        await expect(screen.main.get_by_text(wrong)).to_be_visible()
        await screen.type_code(app.code(utc_now()))

        await Home(visitor.page).welcomes("Maja")

    async def test_of_paper_opens_and_the_owner_hears_of_it(
        self, come: Come, maja: Person, served: Served
    ):
        app = await with_an_app(maja)
        visitor = await come()
        screen = await shows_the_password(visitor, maja)

        await screen.type_code(f"{app.codes[0][:4].lower()} {app.codes[0][4:].lower()}")
        await Home(visitor.page).welcomes("Maja")

        letter = await a_letter(served, maja.email, "security_backup_code_used")
        assert "9 codes are left" in " ".join(text_of(letter).split())

    async def test_that_is_guessed_is_locked_and_says_for_how_long(self, come: Come, maja: Person):
        app = await with_an_app(maja)
        screen = await shows_the_password(await come(), maja)
        for number in range(5):
            await screen.guesses(f"{number:06}")
            await expect(screen.main.get_by_text("This code does not work")).to_be_visible()
            await expect(screen.button("auth.sign_in")).not_to_have_attribute("aria-busy", "true")
        await screen.type_code(app.codes[0])
        await expect(screen.main.get_by_text("Too many wrong codes")).to_be_visible()


class TestAPasskey:
    async def test_opens_at_a_press(self, come: Come, maja: Person):
        device, _ = await a_passkey(maja.account_id, now=utc_now())
        visitor = await come()
        await visitor.open("/auth?mode=login")
        await carries(visitor, device)
        screen = await shows_the_password(visitor, maja)
        await expect(screen.main).to_contain_text(screen.says["auth.second_passkey_text"])

        await screen.button("auth.second_passkey").click()

        await Home(visitor.page).welcomes("Maja")

    async def test_that_is_not_there_leaves_the_codes(self, come: Come, maja: Person):
        _, codes = await a_passkey(maja.account_id, now=utc_now())
        visitor = await come()
        await visitor.open("/auth?mode=login")
        await carries(visitor, None)
        screen = await shows_the_password(visitor, maja)

        await screen.button("auth.second_passkey").click()
        told = screen.main.get_by_text(screen.says["errors.factors.passkey_cancelled"])
        await expect(told).to_be_visible()
        await screen.type_code(codes[0])

        await Home(visitor.page).welcomes("Maja")


class TestAProvider:
    async def test_does_not_do_without_the_second_factor(
        self, come: Come, maja: Person, served: Served
    ):
        app = await with_an_app(maja)
        await known_to_the_provider(served, maja.email, email_verified=True, name="Maja")
        visitor = await come()
        screen = SecondStep(await visitor.open("/auth?mode=login"))
        await screen.page.get_by_role("link", name="Continue with GameID").click()
        await agree_at_the_provider(screen, maja.email)
        await screen.asks()

        thief = await come()
        stolen = SecondStep(thief.page)
        await stolen.page.goto(screen.page.url)
        expired = stolen.says["errors.accounts.step_expired"]
        await expect(stolen.main.get_by_text(expired)).to_be_visible()

        await screen.type_code(app.code(utc_now()))
        await Home(visitor.page).welcomes("Maja")


class TestWhoHasNeither:
    async def test_asks_support_and_the_owner_can_stop_it_wherever_they_are(
        self, come: Come, maja: Person, served: Served
    ):
        await with_an_app(maja)
        screen = await shows_the_password(await come(), maja)
        await screen.button("auth.second_lost").click()
        await screen.button("auth.lost_ask").click()
        await expect(screen.heading("auth.asked_title")).to_be_visible()

        letter = await a_letter(served, maja.email, "factor_reset_asked")
        link = LINK.search(text_of(letter))
        assert link
        owner = await come()
        await owner.comes_with(maja.session)
        await owner.page.goto(link.group())
        kept = Auth(owner.page)
        await kept.button("auth.keep_go").click()
        await expect(kept.heading("auth.factor_kept_title")).to_be_visible()


class TestAnAccountThatIsToBeDeleted:
    async def test_is_kept_by_who_changed_their_mind(self, come: Come, maja: Person):
        await close(maja)
        visitor = await come()
        screen = Auth(await visitor.open("/auth?mode=login"))
        await screen.sign_in(maja.email, PASSWORD)
        await expect(screen.heading("auth.closing_title")).to_be_visible()

        await screen.button("auth.closing_keep").click()

        await Home(visitor.page).welcomes("Maja")

    async def test_stays_closed_for_who_signs_out(self, come: Come, maja: Person):
        await close(maja)
        visitor = await come()
        screen = Auth(await visitor.open("/auth?mode=login"))
        await screen.sign_in(maja.email, PASSWORD)

        await screen.button("auth.closing_leave").click()

        await screen.is_at("/landing")
        async with transaction() as session:
            account = await repository.account_by_id(session, maja.account_id)
        assert account
        assert account.closed_at


async def close(person: Person) -> None:
    async with transaction() as session:
        await closing.close(session, person.account_id, now=utc_now())


async def a_letter(served: Served, email: str, name: str):
    """The one of that name to this address, once it has come."""
    subject = mail_text.text(f"mails.{name}.subject", "en")
    for _ in range(200):
        found = [letter for letter in served.letters.to(email) if letter["Subject"] == subject]
        if found:
            return found[0]
        await asyncio.sleep(0.1)
    raise AssertionError(f"no letter {name}")
