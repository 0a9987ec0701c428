"""Stolen, replayed and forged: tickets, cookies, links, and the tokens of tabs."""

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from socketio.exceptions import ConnectionError as SocketRefused

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import sessions
from tests.hostile.client import APP, AUTH, CENSUS, HOME, SESSION, UPDATE_VARS, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.identities import (
    PASSWORD,
    a_new_email,
    a_visitor,
    becomes,
    signs_in,
    ticket_path,
)
from tests.people import an_account
from tests.serving import Served


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass
class Person:
    """An account of this test alone, and the browser of its owner."""

    email: str
    name: str
    browser: Browser


@pytest.fixture
async def maja(beside: Served) -> Person:
    """She has an account, and has not signed in yet."""
    email, name = a_new_email(), f"Maja {secrets.token_hex(4)}"
    await an_account(email, name=name, now=utc_now())
    return Person(email, name, await a_visitor(beside))


@pytest.fixture
async def maja_inside(maja: Person) -> Person:
    await signs_in(maja.browser, maja.email)
    return maja


async def role_of(browser: Browser) -> str:
    async with browser.tab("/") as tab:
        return tab.says("role")


class TestTickets:
    async def _refused(self, browser: Browser, path: str) -> None:
        answer = await browser.get(path)
        assert answer.status_code == 303
        assert answer.headers["location"] == "/auth?mode=login"
        assert "session" not in browser.cookies

    async def test_a_ticket_opens_once(self, maja: Person):
        path = await ticket_path(maja.browser, maja.email)
        assert (await maja.browser.get(path)).headers["location"] == "/"
        await self._refused(maja.browser.without("session"), path)

    async def test_of_ten_at_once_one_opens(self, maja: Person):
        path = await ticket_path(maja.browser, maja.email)
        browsers = [maja.browser.without() for _ in range(10)]
        answers = await asyncio.gather(*(browser.get(path) for browser in browsers))
        assert [answer.headers["location"] for answer in answers].count("/") == 1

    async def test_an_expired_ticket_opens_nothing(self, maja: Person, vault: Vault):
        path = await ticket_path(maja.browser, maja.email)
        token = digest(path.partition("=")[2])
        vault.ask("update sign_in_tickets set expires_at = now() where token_hash = %s", token)
        await self._refused(maja.browser, path)

    @pytest.mark.parametrize("door", ["", "made-up", "' or 1=1 --"])
    async def test_a_ticket_opens_in_no_other_browser(
        self, maja: Person, served: Served, door: str
    ):
        path = await ticket_path(maja.browser, maja.email)
        await self._refused(Browser(served, {"door": door} if door else {}), path)

    async def test_a_ticket_opens_behind_no_other_real_door(self, maja: Person, served: Served):
        path = await ticket_path(maja.browser, maja.email)
        await self._refused(await a_visitor(served), path)

    async def test_a_browser_without_a_door_gets_no_session(self, maja: Person, served: Served):
        doorless = Browser(served)
        await self._refused(doorless, await ticket_path(doorless, maja.email))

    @pytest.mark.parametrize("change", [str.swapcase, "{}A".format, " {}".format, "{}%00".format])
    async def test_a_changed_ticket_opens_nothing(self, maja: Person, change: type[str]):
        path, _, ticket = (await ticket_path(maja.browser, maja.email)).partition("=")
        await self._refused(maja.browser, f"{path}={change(ticket)}")

    async def test_the_hash_in_the_database_is_no_ticket(self, maja: Person):
        path, _, ticket = (await ticket_path(maja.browser, maja.email)).partition("=")
        await self._refused(maja.browser, f"{path}={digest(ticket)}")


class TestSessionCookies:
    @pytest.mark.parametrize(
        "forged",
        [
            "made-up",
            "0" * 43,
            "null",
            "true",
            "admin",
            "{}",
            "../../etc/passwd",
            "' or '1'='1",
            "%00",
            "x" * 3000,
            '"quoted\\"',
            "\xe5\xe4\xf6",
        ],
    )
    async def test_a_forged_cookie_signs_nobody_in(self, served: Served, forged: str):
        assert await role_of(Browser(served, {"session": forged})) == "visitor"

    async def test_the_hash_in_the_database_is_no_cookie(self, maja_inside: Person, served: Served):
        stolen = digest(maja_inside.browser.cookies["session"])
        assert await role_of(Browser(served, {"session": stolen})) == "visitor"

    @pytest.mark.parametrize("change", [str.swapcase, "{}A".format, "{:.42}".format])
    async def test_a_changed_cookie_signs_nobody_in(
        self, maja_inside: Person, served: Served, change: type[str]
    ):
        changed = change(maja_inside.browser.cookies["session"])
        assert await role_of(Browser(served, {"session": changed})) == "visitor"

    async def test_the_doors_cookie_is_no_session(self, maja_inside: Person, served: Served):
        door = maja_inside.browser.cookies["door"]
        assert await role_of(Browser(served, {"session": door})) == "visitor"

    async def test_a_cookie_is_worth_nothing_after_the_sign_out(self, maja_inside: Person):
        kept = maja_inside.browser.without()
        async with maja_inside.browser.tab("/") as tab:
            assert tab.says("role") == "player"
            await tab.call(f"{SESSION}.sign_out")
        assert await role_of(kept) == "visitor"

    @pytest.mark.parametrize(
        "age",
        [
            "last_active_at = now() - interval '30 minutes'",
            "created_at = now() - interval '30 days'",
            "ended_at = now()",
        ],
    )
    async def test_a_session_that_is_over_signs_nobody_in(
        self, maja_inside: Person, vault: Vault, age: str
    ):
        token = digest(maja_inside.browser.cookies["session"])
        vault.ask(f"update account_sessions set {age} where token_hash = %s", token)  # pyright: ignore[reportArgumentType]
        assert await role_of(maja_inside.browser) == "visitor"

    async def test_a_new_sign_in_ends_the_session_before_it(self, maja_inside: Person):
        before = maja_inside.browser.without()
        answer = await maja_inside.browser.get(await _ticket_beside(maja_inside))
        assert answer.headers["location"] == "/"
        assert maja_inside.browser.cookies["session"] != before.cookies["session"]
        assert await role_of(maja_inside.browser) == "player"
        assert await role_of(before) == "visitor"


async def _ticket_beside(person: Person) -> str:
    """A ticket for the same browser: its sign-in form is for visitors only."""
    return await ticket_path(person.browser.without("session"), person.email)


class TestLinks:
    def _mailed(self, vault: Vault, email: str, purpose: str, lasts: str = "1 hour") -> str:
        token = secrets.token_urlsafe(32)
        vault.ask(
            "insert into email_links (token_hash, account_id, purpose, created_at, expires_at)"
            " select %s, id, %s, now(), now() + %s::interval from accounts where email = %s",
            digest(token),
            purpose,
            lasts,
            email,
        )
        return token

    async def _opens(self, served: Served, mode: str, token: str) -> str:
        """What the page with the link says: the new mode, or why not."""
        browser = await a_visitor(served)
        async with browser.tab(f"/auth?mode={mode}&token={token}") as tab:
            if mode == "reset":
                form = {"password": "Quick-Badger5-hums!"}
                await tab.call(f"{AUTH}.reset_password", {"form": form})
            await tab.settle()
            return (tab.says("refusal") or {}).get("code") or tab.says("mode")

    @pytest.mark.parametrize(("purpose", "done"), [("verify", "verified"), ("reset", "login")])
    async def test_a_link_works_once(
        self, maja: Person, served: Served, vault: Vault, purpose: str, done: str
    ):
        token = self._mailed(vault, maja.email, purpose)
        assert await self._opens(served, purpose, token) == done
        before = vault.fingerprint()
        assert await self._opens(served, purpose, token) == "accounts.link_used"
        assert vault.fingerprint() == before

    @pytest.mark.parametrize("purpose", ["verify", "reset"])
    @pytest.mark.parametrize("lasts", ["0 seconds", "-1 day"])
    async def test_an_expired_link_does_nothing(
        self, maja: Person, served: Served, vault: Vault, purpose: str, lasts: str
    ):
        token = self._mailed(vault, maja.email, purpose, lasts)
        before = vault.fingerprint()
        assert await self._opens(served, purpose, token) == "accounts.link_expired"
        assert vault.fingerprint() == before

    @pytest.mark.parametrize(("mailed", "used"), [("verify", "reset"), ("reset", "verify")])
    async def test_a_link_serves_its_own_purpose_only(
        self, maja: Person, served: Served, vault: Vault, mailed: str, used: str
    ):
        token = self._mailed(vault, maja.email, mailed)
        before = vault.fingerprint()
        assert await self._opens(served, used, token) == "accounts.link_expired"
        assert vault.fingerprint() == before

    @pytest.mark.parametrize("token", ["", "made-up", "%00", quote("' or '1'='1"), "x" * 5000])
    @pytest.mark.parametrize("purpose", ["verify", "reset"])
    @pytest.mark.usefixtures("nothing_changes")
    async def test_a_made_up_link_does_nothing(self, served: Served, purpose: str, token: str):
        assert await self._opens(served, purpose, token) == "accounts.link_expired"

    async def test_a_reset_ends_every_session(
        self, maja_inside: Person, served: Served, vault: Vault
    ):
        token = self._mailed(vault, maja_inside.email, "reset")
        assert await self._opens(served, "reset", token) == "login"
        assert await role_of(maja_inside.browser) == "visitor"


class TestTokensOfTabs:
    """The token travels in the socket's URL: whoever knows it must gain nothing."""

    @pytest.fixture(params=["no cookie", "another door", "another account"])
    async def thief(self, request: pytest.FixtureRequest, beside: Served) -> Browser:
        if request.param == "no cookie":
            return Browser(beside)
        browser = await a_visitor(beside)
        if request.param == "another account":
            email = a_new_email("thief")
            await an_account(email, name="Thief", now=utc_now())
            await signs_in(browser, email)
        return browser

    def _sees_nothing_of(self, person: Person, tab: Tab) -> bool:
        return person.email not in tab.everything() and person.name not in tab.everything()

    async def test_a_connected_tab_is_not_taken_over(self, maja_inside: Person, thief: Browser):
        async with maja_inside.browser.tab("/") as hers:
            assert hers.says("email") == maja_inside.email
            async with thief.tab("/", token=hers.token) as stolen:
                await stolen.call(f"{HOME}.load")
                assert self._sees_nothing_of(maja_inside, stolen)
            await hers.call(f"{APP}.enter")
            assert hers.says("email") == maja_inside.email

    async def test_a_left_tab_is_found_empty(self, maja_inside: Person, thief: Browser):
        async with maja_inside.browser.tab("/") as hers:
            await hers.call(f"{HOME}.load")
        async with thief.tab("/", token=hers.token) as stolen:
            await stolen.call(f"{HOME}.load")
            await stolen.call(f"{APP}.check_in")
            assert self._sees_nothing_of(maja_inside, stolen)

    async def test_a_visitors_left_form_is_found_empty(self, maja: Person, thief: Browser):
        async with maja.browser.tab("/auth?mode=login") as hers:
            await hers.call(f"{AUTH}.forgot", {"form": {"email": maja.email}})
            assert hers.says("mailed_to") == maja.email
        async with thief.tab("/auth?mode=login", token=hers.token) as stolen:
            await stolen.call(f"{APP}.check_in")
            assert self._sees_nothing_of(maja, stolen)

    async def test_the_link_of_a_left_tab_is_gone(self, maja: Person, thief: Browser, vault: Vault):
        token = TestLinks()._mailed(vault, maja.email, "reset")
        async with maja.browser.tab(f"/auth?mode=reset&token={token}") as hers:
            assert hers.says("mode") == "reset"
        before = vault.one("select password_hash from accounts where email = %s", maja.email)
        async with thief.tab("/landing", token=hers.token) as stolen:
            form = {"password": "Quick-Badger5-hums!"}
            await stolen.call(f"{AUTH}.reset_password", {"form": form})
        assert before == vault.one(
            "select password_hash from accounts where email = %s", maja.email
        )

    async def test_a_silent_listener_is_told_nothing(self, maja_inside: Person, thief: Browser):
        async with maja_inside.browser.tab("/") as hers:
            assert hers.says("role") == "player"
        async with thief.tab("/", token=hers.token, is_silent=True) as stolen:
            await becomes(maja_inside.email, "moderator")
            await asyncio.sleep(1)
            assert self._sees_nothing_of(maja_inside, stolen)
            assert "moderator" not in stolen.everything()


class TestStoredVars:
    """A browser may write its own storage, and nothing else."""

    @pytest.mark.parametrize(
        ("var", "value"),
        [
            (f"{APP}.role", "admin"),
            (f"{APP}.name", "Admin"),
            (f"{APP}.email", "admin@demo.watchcoins.example"),
            (f"{APP}.balance", 10**9),
            (f"{APP}.door", "https://evil.example"),
            (f"{APP}.notice", {"title": "x"}),
            (f"{APP}.is_missing", True),
            (f"{APP}._session_hash", "0" * 64),
            (f"{APP}._is_acquainted", False),
            (f"{AUTH}.mailed_to", "victim@example.com"),
            (f"{AUTH}.mode", "verified"),
            (f"{AUTH}._token", "made-up"),
            (f"{HOME}.account", {"email": "x"}),
            (f"{CENSUS}.census", {"players": 9}),
            (f"{APP}.role_rx_state_", "admin"),
        ],
    )
    @pytest.mark.parametrize("identity", ["visitor", "player"])
    async def test_a_var_that_is_not_stored_stays(
        self, known: dict[str, Browser], identity: str, var: str, value: object
    ):
        async with known[identity].tab() as tab:
            answer = await tab.call(UPDATE_VARS, {"vars": {var: value}})
            assert answer.is_silence, answer.changed
            assert tab.says("role") == identity
            again = await tab.call(f"{APP}.enter")
            assert value not in again.changed.values()

    @pytest.mark.parametrize("stored", [12, None, True, [], {"ipLogging": True}, "{", "[" * 900])
    async def test_a_spoilt_consent_is_no_consent_and_no_obstacle(
        self, maja: Person, vault: Vault, stored: object
    ):
        async with maja.browser.tab("/auth?mode=login") as tab:
            await tab.call(UPDATE_VARS, {"vars": {f"{AUTH}.stored_consent": stored}})
            form = {"email": maja.email, "password": PASSWORD}
            await tab.call(f"{AUTH}.sign_in", {"form": form})
            await maja.browser.get(tab.says("door"))
        query = "select ip_address from account_sessions where token_hash = %s"
        assert vault.one(query, digest(maja.browser.cookies["session"])) is None

    @pytest.mark.parametrize("language", [5, None, ["sv"], {"sv": 1}, "xx", "x" * 100_000])
    async def test_a_spoilt_language_is_english(self, visitor: Browser, language: object):
        async with visitor.tab() as tab:
            await tab.call(UPDATE_VARS, {"vars": {f"{APP}.language": language}})
            await tab.call(f"{APP}.choose_language", {"code": str(language)[:9]})
            assert tab.heard
            answer = await tab.call(f"{APP}.still_here")
        assert answer.is_refusal


class TestOrigins:
    @pytest.mark.parametrize(
        "forged",
        [
            "https://evil.example",
            "null",
            "{url}.evil.example",
            "{url}@evil.example",
            "https://localhost",
            "http://localhost",
            "http://localhost:1",
            "file://",
            "{url}/",
        ],
    )
    async def test_a_socket_of_another_origin_is_refused(
        self, known: dict[str, Browser], served: Served, forged: str
    ):
        with pytest.raises(SocketRefused):
            async with known["admin"].tab("/", origin=forged.format(url=served.url)):
                pass


class TestTheEndOfASession:
    async def test_sessions_end_once(self, maja_inside: Person, vault: Vault):
        token = digest(maja_inside.browser.cookies["session"])
        async with transaction() as session:
            await sessions.end(session, token, now=utc_now())
        ended = vault.one("select ended_at from account_sessions where token_hash = %s", token)
        async with transaction() as session:
            await sessions.end(session, token, now=utc_now())
        assert ended == vault.one(
            "select ended_at from account_sessions where token_hash = %s", token
        )
