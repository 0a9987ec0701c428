"""Account Security: a new password, sessions that end, second factors, the end of an account."""

import re
from datetime import timedelta

import psycopg
import pyotp
import pytest
from playwright.async_api import expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.postgres import embedded
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, comes_to_show, led_to, shown, within
from tests.browser.pages import GOOD_PASSWORD, Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in
from tests.browser.test_signing_up import mailed_link
from tests.people import a_browser, signed_in
from tests.serving import Served

A_TOAST = 10_000
"""Twice as long as it is seen."""
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"
BOTH_SIZES = pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])


class Security(Screen):
    async def opens(self, section: str = "password") -> None:
        await self.page.goto(f"/security?section={section}")
        await expect(self.heading("security.title").first).to_be_visible()

    async def proves(self, person: Person, does: str) -> None:
        await self.field("security.your_password").fill(person.password)
        await self.button(does).click()

    async def sets_up_an_app(self, person: Person) -> pyotp.TOTP:
        await self.button("security.setup").click()
        await self.proves(person, "security.continue")
        key = await self.main.locator(".font-mono").first.inner_text()
        app = pyotp.TOTP(key.replace(" ", ""))
        await self.field("security.enter_code").fill(app.now())
        await self.button("security.turn_on").click()
        await expect(self.heading("security.save_codes")).to_be_visible()
        return app


async def security_of(come: Come, person: Person, section: str = "", **options: object) -> Security:
    visitor = await come(**options)
    await visitor.comes_with(person.session)
    query = f"?section={section}" if section else ""
    return Security(await visitor.open(f"/security{query}"))


class TestPassword:
    @BOTH_SIZES
    async def test_is_changed_with_the_present_one(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int]
    ):
        maja = await a_person()
        screen = await security_of(come, maja, viewport=viewport)
        await screen.field("security.current_password").fill(maja.password)
        await screen.field("security.new_password").fill(GOOD_PASSWORD)
        await screen.field("security.confirm_password").fill(GOOD_PASSWORD)
        await screen.button("security.update_password").click()
        await screen.sees_toast("Password Updated", "Your password has been changed successfully")
        await expect(screen.field("security.current_password")).to_be_visible()

    async def test_says_what_is_missing_and_what_differs(self, come: Come, a_person: MakePerson):
        screen = await security_of(come, await a_person())
        await screen.button("security.update_password").click()
        await screen.sees_toast("Error", "Please fill in all password fields")
        await screen.field("security.current_password").fill("x")
        await screen.field("security.new_password").fill(GOOD_PASSWORD)
        await screen.field("security.confirm_password").fill(GOOD_PASSWORD + "x")
        await screen.button("security.update_password").click()
        await screen.sees_toast("Error", "New passwords don't match")

    async def test_says_beside_the_field_that_the_present_one_is_wrong(
        self, come: Come, a_person: MakePerson
    ):
        screen = await security_of(come, await a_person())
        await screen.field("security.current_password").fill("Wrong-Otter7-rides!")
        await screen.field("security.new_password").fill(GOOD_PASSWORD)
        await screen.field("security.confirm_password").fill(GOOD_PASSWORD)
        await screen.button("security.update_password").click()
        field = screen.field("security.current_password")
        await expect(field).to_have_attribute("aria-invalid", "true")
        await expect(field).to_have_accessible_description(
            screen.says["errors.accounts.wrong_password"]
        )

    async def test_is_not_called_strong_where_it_is_known_or_made_of_the_own_name(
        self, come: Come, a_person: MakePerson
    ):
        maja = await a_person(name="Maja Berg")
        screen = await security_of(come, maja)
        for password, why in (
            ("Fortnite2026!", "errors.accounts.known_password"),
            ("Maja-Berg77!", "errors.accounts.personal_password"),
        ):
            await screen.field("security.current_password").fill(maja.password)
            await screen.field("security.new_password").fill(password)
            await screen.field("security.confirm_password").fill(password)
            told = screen.main.get_by_text(screen.says[why])
            await expect(told).to_be_visible()
            await screen.button("security.update_password").click()
            await screen.sees_toast("Error", screen.says[why])
            await expect(told).to_have_count(1)

    async def test_settings_lead_there(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person()).session)
        screen = Security(await visitor.open("/settings?tab=security"))
        await expect(screen.page).to_have_url(re.compile(r"/security\?section=password$"))
        await expect(screen.heading("security.change_password")).to_be_visible()


class TestSessions:
    @BOTH_SIZES
    async def test_a_revoked_one_is_out_within_five_seconds(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int]
    ):
        maja = await a_person()
        elsewhere = await signed_in(
            maja.account_id, a_browser("b", user_agent=FIREFOX), now=utc_now()
        )
        phone = await come()
        await phone.comes_with(elsewhere)
        other = Screen(await phone.open("/"))
        screen = await security_of(come, maja, "sessions", viewport=viewport)
        revoke = screen.page.get_by_role("button", name="Revoke Firefox on Windows", exact=True)
        await expect(screen.text(screen.says["security.current_session"])).to_be_visible()
        async with within(FRESH, led_to(other.page, "/landing")):
            await revoke.click()
            await screen.sees_toast("Session Revoked")
        await other.is_at("/landing")
        await expect(revoke).to_have_count(0)

    async def test_all_others_end_at_once(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        for name in "bcd":
            await signed_in(maja.account_id, a_browser(name), now=utc_now())
        screen = await security_of(come, maja, "sessions")
        await screen.button("security.revoke_others").click()
        await screen.sees_toast("Sessions Revoked")
        await expect(screen.button("security.revoke_others")).to_have_count(0)
        await expect(screen.text(screen.says["security.current_session"])).to_have_count(1)

    async def test_a_session_that_begins_appears_by_itself(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        screen = await security_of(come, maja, "sessions")
        await expect(screen.text(screen.says["security.current_session"])).to_be_visible()
        async with within(FRESH, shown(screen.main, "Firefox on Windows")):
            await signed_in(maja.account_id, a_browser("b", user_agent=FIREFOX), now=utc_now())
            await live.tell_now()
        await expect(screen.text("Firefox on Windows").first).to_be_visible()


class TestTwoFactor:
    @BOTH_SIZES
    async def test_goes_on_with_a_code_and_off_with_the_password(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int]
    ):
        maja = await a_person()
        screen = await security_of(come, maja, "two-factor", viewport=viewport)
        await screen.sets_up_an_app(maja)
        await screen.sees_toast("2FA Enabled")
        await screen.button("security.saved_codes").click()
        await expect(screen.text("10 of 10 are left. Each signs you in once.")).to_be_visible()
        await screen.button("security.turn_off").click()
        await screen.proves(maja, "security.turn_off")
        await screen.sees_toast("2FA Disabled")
        await expect(screen.button("security.setup")).to_be_visible()

    async def test_each_step_begins_where_something_is_typed(
        self, come: Come, a_person: MakePerson
    ):
        screen = await security_of(come, await a_person(), "two-factor")
        password, name = screen.field("security.your_password"), screen.field("security.key_name")
        await screen.button("security.setup").click()
        await expect(password).to_be_focused()
        await screen.button("ui.cancel").click()
        await screen.button("security.add_key").click()
        await expect(name).to_be_focused()

    async def test_a_wrong_code_turns_nothing_on(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        screen = await security_of(come, maja, "two-factor")
        await screen.button("security.setup").click()
        await screen.proves(maja, "security.continue")
        await screen.field("security.enter_code").fill("000000")
        await screen.button("security.turn_on").click()
        await screen.sees_toast("Failed to update 2FA settings")
        await expect(screen.button("security.turn_on")).to_be_visible()

    async def test_codes_are_copied_with_a_tick_of_two_seconds_and_shown_once(
        self, come: Come, a_person: MakePerson
    ):
        maja = await a_person()
        both = ["clipboard-read", "clipboard-write"]
        screen = await security_of(come, maja, "two-factor", permissions=both)
        await screen.sets_up_an_app(maja)
        codes = await screen.main.locator("ol .font-mono").all_inner_texts()
        assert len(codes) == 10
        assert all(re.fullmatch(r"[A-Z0-9]{8}", code) for code in codes)
        third = screen.page.get_by_role("button", name="Copy code 3", exact=True)
        tick, clock = third.locator(".lucide-check"), screen.page.clock
        await clock.install()
        await clock.pause_at(utc_now() + timedelta(minutes=1))
        await third.click()
        await expect(tick).to_be_visible()
        assert await screen.page.evaluate("navigator.clipboard.readText()") == codes[2]
        await clock.run_for(1999)
        await expect(tick).to_be_visible()
        await screen.sees_toast("Copied")
        # Who hears the toast hears it once.
        await expect(screen.page.get_by_role("status").filter(has_text="Copied")).to_have_count(0)
        await clock.run_for(1)
        await expect(tick).to_have_count(0)
        await clock.resume()
        await expect(screen.toast).to_have_count(0, timeout=A_TOAST)
        await screen.button("security.codes.copy_all").click()
        await screen.sees_toast("Copied")
        assert await screen.page.evaluate("navigator.clipboard.readText()") == "\n".join(codes)
        async with screen.page.expect_download() as saving:
            await screen.button("security.codes.download").click()
        saved = (await (await saving.value).path()).read_text()
        assert all(code in saved for code in codes)
        await screen.page.reload()
        await expect(screen.button("security.new_codes")).to_be_visible()
        now_shown = await screen.page.content()
        assert not any(code in now_shown for code in codes)

    async def test_text_messages_are_not_offered(self, come: Come, a_person: MakePerson):
        screen = await security_of(come, await a_person(), "two-factor")
        card = screen.main.locator("div").filter(has=screen.heading("security.sms_title")).last
        await expect(card).to_be_visible()
        await expect(card.get_by_role("button")).to_have_count(0)


class TestDangerZone:
    @BOTH_SIZES
    async def test_deletes_with_the_password_and_ends_outside(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int]
    ):
        maja = await a_person()
        screen = await security_of(come, maja, "danger", viewport=viewport)
        await screen.button("security.delete_account").click()
        dialog = screen.page.get_by_role("dialog")
        await expect(dialog.get_by_text(screen.says["security.delete_sure"])).to_be_visible()
        await screen.field("security.your_password").fill(maja.password)
        await dialog.get_by_role("button", name="Delete Account", exact=True).click()
        await screen.is_at("/landing")
        await screen.sees_toast("Account deletion initiated")

    async def test_does_nothing_with_a_wrong_password(self, come: Come, a_person: MakePerson):
        screen = await security_of(come, await a_person(), "danger")
        await screen.button("security.delete_account").click()
        await screen.field("security.your_password").fill("wrong")
        dialog = screen.page.get_by_role("dialog")
        await dialog.get_by_role("button", name="Delete Account", exact=True).click()
        await expect(screen.field("security.your_password")).to_have_attribute(
            "aria-invalid", "true"
        )
        await screen.button("security.keep_account").click()
        await expect(dialog).to_be_hidden()


class TestEverywhere:
    @pytest.mark.parametrize("role", list(Role))
    async def test_every_role_has_it(self, come: Come, a_person: MakePerson, role: Role):
        screen = await security_of(come, await a_person(role))
        await expect(screen.heading("security.change_password")).to_be_visible()

    async def test_a_profile_opens_it_as_a_dialog(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person()).session)
        screen = Security(await visitor.open("/profile"))
        await screen.page.get_by_role("button", name=re.compile("^Account Security")).click()
        dialog = screen.page.get_by_role("dialog", name="Account Security")
        await dialog.get_by_role("button", name="Login Sessions").click()
        await expect(dialog.get_by_text("Current Session")).to_be_visible()
        await screen.page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        await screen.is_at("/profile")

    async def test_axe_finds_nothing(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(maja.session)
        screen = Security(await visitor.open("/security"))
        for section in ("password", "sessions", "danger", "two-factor"):
            await screen.opens(section)
            await expect(screen.main.get_by_role("heading", level=2).first).to_be_visible()
            await has_no_violations(screen.page, DESK, PHONE)
        await screen.sets_up_an_app(maja)
        await has_no_violations(screen.page, DESK, PHONE)

    async def test_nothing_spills_on_a_small_phone(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        visitor = await come(viewport={"width": 360, "height": 740})
        await visitor.comes_with(maja.session)
        screen = Security(await visitor.open("/security"))
        for section in ("password", "sessions", "two-factor", "danger"):
            await screen.opens(section)
            await expect(screen.main.get_by_role("heading", level=2).first).to_be_visible()
            assert not await spilled_in(screen)


async def a_move_to(served: Served, person: Person, email: str) -> None:
    """The account has another address, whoever did that."""
    url = embedded.url_of_running(served.data)
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute(
            "update accounts set email = %s where id = %s", (email, person.account_id)
        )


async def asks_for_another_address(screen: Security, person: Person, new: str) -> None:
    await screen.button("security.change_address").click()
    await screen.field("security.new_address").fill(new)
    await screen.proves(person, "security.mail_link")
    await expect(screen.text(screen.says["security.address_asked"]).first).to_be_visible()


async def changes_address(screen: Security, served: Served, person: Person, new: str) -> None:
    """By what the person knows, and the link in the new mailbox."""
    await asks_for_another_address(screen, person, new)
    await screen.page.goto(await mailed_link(served, new))
    await expect(screen.main.get_by_text(new)).to_be_visible()
    # What the old one was told first has come first.
    await mailed_link(served, person.email)
    await screen.button("auth.email.use_go").click()
    await expect(screen.heading("auth.email.used_title")).to_be_visible()


class TestAddress:
    async def test_moves_when_its_owner_says_so_behind_the_link_in_the_new_mailbox(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        new = f"new-{maja.email}"
        screen = await security_of(come, maja)
        await changes_address(screen, served, maja, new)
        await screen.opens()
        await comes_to_show(screen.main, new)
        await expect(screen.main.get_by_text(new)).to_be_visible()

    async def test_comes_back_by_the_link_in_the_old_mailbox(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        new = f"thief-{maja.email}"
        thief = await security_of(come, maja)
        await changes_address(thief, served, maja, new)
        asked, told = [await mailed_link(served, maja.email, number) for number in (1, 2)]

        owner = Screen(await (await come()).open(asked))
        await expect(owner.heading("auth.email.bring_back_title")).to_be_visible()
        await expect(owner.main.get_by_text(maja.email)).to_be_visible()
        await expect(thief.heading("auth.email.used_title")).to_be_visible()
        async with within(FRESH, led_to(thief.page, "/landing")):
            await owner.button("auth.email.bring_back_go").click()
            await expect(owner.heading("auth.email.back_title")).to_be_visible()
        await expect(owner.main.get_by_text(maja.email)).to_be_visible()
        await expect(owner.link("auth.reset_title")).to_be_visible()
        await thief.is_at("/landing")

        await a_move_to(served, maja, "third@example.com")
        await owner.page.goto(told)
        await expect(owner.heading("auth.email.moved_title")).to_be_visible()
        await expect(owner.main.get_by_text("we can still bring it back")).to_be_visible()
        await expect(owner.main.locator("a[href='mailto:support@localhost']")).to_be_visible()

    async def test_everybody_can_read_and_press_what_a_link_would_do(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        new = f"new-{maja.email}"
        await asks_for_another_address(await security_of(come, maja), maja, new)
        confirming, stopping = [await mailed_link(served, email) for email in (new, maja.email)]
        visitor = await one_following_the_system(come, viewport=PHONE)
        owner = Screen(visitor.page)
        for link, does in ((confirming, "use"), (stopping, "stop")):
            await visitor.page.goto(link)
            await expect(owner.heading(f"auth.email.{does}_title")).to_be_visible()
            await has_no_violations(visitor.page, DESK, PHONE)
        for size in (DESK, PHONE):
            await visitor.page.set_viewport_size(size)
            await tab_to(visitor.page, owner.button("auth.email.stop_go"))
        await visitor.page.keyboard.press("Enter")
        await expect(owner.heading("auth.email.stopped_title")).to_be_visible()
        await expect(owner.main).to_be_focused()
        for link in (confirming, stopping):
            await visitor.page.goto(link)
            await expect(owner.heading("auth.email.failed_title")).to_be_visible()

    async def test_what_a_link_would_do_fits_every_screen(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        new = f"maximiliane.von.hohenstaufen-lange-{maja.email}"
        await asks_for_another_address(await security_of(come, maja), maja, new)
        links = [await mailed_link(served, email) for email in (new, maja.email)]
        visitor = await come()
        owner = Screen(visitor.page)
        for link, does in zip(links, ("use", "stop"), strict=True):
            await visitor.page.goto(link)
            await expect(owner.button(f"auth.email.{does}_go")).to_be_visible()
            assert not await spilled_in(owner)


class TestPasskeys:
    async def test_one_is_made_renamed_and_removed(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        screen = await security_of(come, maja, "two-factor")
        await with_a_device(screen)
        await screen.button("security.add_key").click()
        await screen.field("security.key_name").fill("My phone")
        await screen.proves(maja, "security.continue")
        await screen.button("security.make_key").click()
        await expect(screen.heading("security.save_codes")).to_be_visible()
        await screen.button("security.saved_codes").click()
        await expect(screen.text("My phone")).to_be_visible()

        await screen.page.get_by_role("button", name="Rename My phone", exact=True).click()
        await screen.field("security.key_name").fill("Old phone")
        await screen.button("security.save").click()
        await screen.sees_toast("Passkey renamed")

        await screen.page.get_by_role("button", name="Remove Old phone", exact=True).click()
        await screen.proves(maja, "security.remove_key")
        await screen.sees_toast("2FA Disabled")
        await expect(screen.text("Old phone")).to_have_count(0)

    async def test_a_device_that_says_no_changes_nothing(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        screen = await security_of(come, maja, "two-factor")
        await with_a_device(screen, isUserVerified=False, automaticPresenceSimulation=False)
        await screen.button("security.add_key").click()
        await screen.field("security.key_name").fill("My phone")
        await screen.proves(maja, "security.continue")
        await screen.page.evaluate(
            "() => { navigator.credentials.create ="
            " () => Promise.reject(new DOMException('no', 'NotAllowedError')) }"
        )
        await screen.button("security.make_key").click()
        await screen.sees_toast("Failed to update 2FA settings")
        await expect(screen.button("security.add_key")).to_be_visible()


async def with_a_device(screen: Security, **changes: bool) -> None:
    """A device that holds passkeys, of Chromium's own making."""
    tools = await screen.page.context.new_cdp_session(screen.page)
    await tools.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await tools.send("WebAuthn.addVirtualAuthenticator", {"options": device | changes})
