"""Who sees what: the route table, asked by opening addresses."""

import secrets

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import PLAYING_ROLES, Role
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import Auth, Home
from tests.serving import Served

HOMES = {
    Role.PLAYER: "/",
    Role.MODERATOR: "/",
    Role.COMPANY: "/advertiser",
    Role.ADMIN: "/",
}
FOREIGN = {
    Role.PLAYER: "/admin",
    Role.MODERATOR: "/admin/waitlist",
    Role.COMPANY: "/watch",
    Role.ADMIN: "/shop",
}
NO_SUCH_FILE = "status of 404"
"""How Chromium notes that a document came with the status of a missing page."""


class TestAVisitor:
    @pytest.mark.parametrize("path", ["/", "/landing"])
    async def test_sees_the_landing_page(self, come: Come, path: str):
        visitor = await come()
        screen = Home(await visitor.open(path))
        await screen.is_at(path)
        await expect(screen.page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")
        year = await screen.page.evaluate("new Date().getFullYear()")
        await expect(screen.page.get_by_role("contentinfo")).to_contain_text(f"© {year} WatchCoins")

    @pytest.mark.parametrize("path", ["/watch", "/advertiser", "/admin", "/no-such-page"])
    async def test_is_led_home_from_any_other_address(self, come: Come, path: str):
        visitor = await come()
        visitor.bears(NO_SUCH_FILE)
        screen = Home(await visitor.open(path))
        await screen.is_at("/")
        await expect(screen.page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")


class TestEveryRole:
    @pytest.mark.parametrize("role", list(HOMES))
    async def test_is_led_home_from_the_pages_of_visitors(
        self, come: Come, a_person: MakePerson, role: Role
    ):
        visitor = await come()
        maja = await a_person(role)
        await visitor.comes_with(maja.session)
        home = Home(visitor.page)
        for path in ("/landing", "/auth?mode=login", "/"):
            await visitor.page.goto(path)
            await home.is_at(HOMES[role])
            await expect(home.heading_of(role, "Maja")).to_be_visible()
            if role not in PLAYING_ROLES:
                await expect(home.main.get_by_text(maja.email)).to_be_visible()

    @pytest.mark.parametrize("role", list(FOREIGN))
    async def test_finds_nothing_at_the_addresses_of_others(
        self, come: Come, a_person: MakePerson, served: Served, role: Role
    ):
        visitor = await come()
        visitor.bears(NO_SUCH_FILE)
        await visitor.comes_with((await a_person(role)).session)
        unknown = f"/no-such-page-{secrets.token_hex(4)}"
        home = Home(visitor.page)

        for path in (FOREIGN[role], unknown):
            await visitor.open(path)
            await home.is_at(path)
            await expect(home.text("Oops! Page not found")).to_be_visible()
        await home.page.get_by_role("link", name="Return to Home").click()

        await expect(home.heading_of(role, "Maja")).to_be_visible()
        notes = [line for line in served.log.read_text().splitlines() if unknown in line]
        assert any("page.not_found" in note for note in notes)


class TestTheAddressOfMails:
    """Whoever is signed in where a mail is opened: what it is for is done, or refused in words."""

    @pytest.mark.parametrize("role", [None, *HOMES])
    async def test_shows_what_the_mail_is_for(
        self, come: Come, a_person: MakePerson, role: Role | None
    ):
        visitor = await come()
        if role:
            await visitor.comes_with((await a_person(role)).session)
        screen = Auth(visitor.page)
        for query, heading in (
            ("mode=reset&token=x", "auth.verify_failed_title"),
            ("mode=verify&token=x", "auth.verify_failed_title"),
            ("mode=forgot", "auth.forgot_title"),
        ):
            await visitor.open(f"/mailed?{query}")
            await expect(screen.heading(heading)).to_be_visible()

    async def test_leads_to_the_way_that_is_open_to_a_new_password(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await come()
        screen = Auth(await visitor.open("/mailed?mode=renew"))
        await expect(screen.heading("auth.forgot_title")).to_be_visible()
        await visitor.comes_with((await a_person()).session)
        await visitor.open("/mailed?mode=renew")
        await screen.is_at("/security")


class TestTheAddressOfTheAuthScreen:
    @pytest.mark.parametrize(
        ("query", "heading", "switch"),
        [
            ("", "Create your player account", "Switch to a Company account"),
            ("?mode=signup&type=company", "Create your company account", "Switch to a Player"),
            ("?type=admin", "Ask for an admin account", None),
            ("?mode=login", "Sign In", "Switch to a Company account"),
            ("?mode=login&type=company", "Sign In", "Switch to a Player account"),
            ("?mode=login&type=admin", "Sign In", None),
            ("?mode=nonsense&type=nonsense", "Create your player account", "Switch to a Company"),
        ],
    )
    async def test_chooses_form_and_kind(
        self, come: Come, query: str, heading: str, switch: str | None
    ):
        visitor = await come()
        screen = Auth(await visitor.open(f"/auth{query}"))
        await expect(screen.page.get_by_role("heading", level=1)).to_have_text(heading)
        switches = screen.page.get_by_role("link", name="Switch to a")
        await expect(switches).to_have_count(1 if switch else 0)
        if switch:
            await expect(switches).to_contain_text(switch)

    async def test_follows_the_links_of_the_screen(self, come: Come):
        visitor = await come()
        screen = Auth(await visitor.open("/auth"))
        title = screen.page.get_by_role("heading", level=1)

        await screen.link("auth.to_company").click()
        await expect(title).to_have_text("Create your company account")
        await screen.main.get_by_role("link", name="Sign In").click()
        await expect(title).to_have_text("Sign In")
        assert "type=company" in screen.page.url
        await screen.link("auth.back_home").click()
        await screen.is_at("/")
