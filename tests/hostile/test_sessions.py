"""Tickets and session cookies: replayed, forged, stolen, too late."""

import asyncio

import pytest

from rewards_app.api.session import LATE
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import sessions
from tests.hostile.client import SESSION, Browser
from tests.hostile.evidence import Vault
from tests.hostile.identities import (
    Person,
    a_visitor,
    role_of,
    ticket_path,
)
from tests.serving import Served


class TestTickets:
    async def _refused(self, browser: Browser, path: str) -> None:
        answer = await browser.enters(path)
        assert answer.status_code == 303
        assert answer.headers["location"] == LATE
        assert "session" not in browser.cookies

    async def test_a_ticket_opens_once(self, maja: Person):
        path = await ticket_path(maja.browser, maja.email)
        assert (await maja.browser.enters(path)).headers["location"] == "/"
        await self._refused(maja.browser.without("session"), path)

    async def test_of_ten_at_once_one_opens(self, maja: Person):
        path = await ticket_path(maja.browser, maja.email)
        browsers = [maja.browser.without() for _ in range(10)]
        answers = await asyncio.gather(*(browser.enters(path) for browser in browsers))
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

    async def test_an_address_alone_signs_nobody_in_and_uses_no_ticket_up(self, maja: Person):
        path = await ticket_path(maja.browser, maja.email)
        for _ in range(2):
            answer = await maja.browser.get(path)
            assert (answer.status_code, answer.headers["location"]) == (303, "/auth?mode=login")
        assert "session" not in maja.browser.cookies
        assert (await maja.browser.enters(path)).headers["location"] == "/"

    @pytest.mark.parametrize(
        "form",
        [
            *("", "{}", "ticket", "ticket=%FF%FE", '{{"ticket": "{0}"}}', "x" * 2**20),
            *("ticket={0}&ticket={0}", "a=b&ticket={0}", f"ticket={{0}}&{'x' * 2000}"),
        ],
    )
    async def test_what_is_no_form_of_ours_opens_nothing(self, maja: Person, form: str):
        path, _, ticket = (await ticket_path(maja.browser, maja.email)).partition("?ticket=")
        answer = await maja.browser.posts(path, form.format(ticket))
        assert answer.headers["location"] == LATE
        assert "session" not in maja.browser.cookies

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

    async def test_the_hash_in_the_database_is_no_cookie(
        self, maja_signed_in: Person, served: Served
    ):
        stolen = digest(maja_signed_in.browser.cookies["session"])
        assert await role_of(Browser(served, {"session": stolen})) == "visitor"

    @pytest.mark.parametrize("change", [str.swapcase, "{}A".format, "{:.42}".format])
    async def test_a_changed_cookie_signs_nobody_in(
        self, maja_signed_in: Person, served: Served, change: type[str]
    ):
        changed = change(maja_signed_in.browser.cookies["session"])
        assert await role_of(Browser(served, {"session": changed})) == "visitor"

    async def test_the_doors_cookie_is_no_session(self, maja_signed_in: Person, served: Served):
        door = maja_signed_in.browser.cookies["door"]
        assert await role_of(Browser(served, {"session": door})) == "visitor"

    async def test_a_cookie_is_worth_nothing_after_the_sign_out(self, maja_signed_in: Person):
        kept = maja_signed_in.browser.without()
        async with maja_signed_in.browser.tab("/") as tab:
            assert tab.says("role") == "player"
            await tab.call(f"{SESSION}.sign_out")
        assert await role_of(kept) == "visitor"

    @pytest.mark.parametrize(
        "age",
        [
            "last_active_at = now() - interval '31 minutes'",
            "created_at = now() - interval '30 days'",
            "ended_at = now()",
        ],
    )
    async def test_a_session_that_is_over_signs_nobody_in(
        self, maja_signed_in: Person, vault: Vault, age: str
    ):
        token = digest(maja_signed_in.browser.cookies["session"])
        vault.ask(f"update account_sessions set {age} where token_hash = %s", token)  # pyright: ignore[reportArgumentType]
        assert await role_of(maja_signed_in.browser) == "visitor"

    async def test_a_new_sign_in_ends_the_session_before_it(self, maja_signed_in: Person):
        before = maja_signed_in.browser.without()
        answer = await maja_signed_in.browser.enters(await _ticket_beside(maja_signed_in))
        assert answer.headers["location"] == "/"
        assert maja_signed_in.browser.cookies["session"] != before.cookies["session"]
        assert await role_of(maja_signed_in.browser) == "player"
        assert await role_of(before) == "visitor"


async def _ticket_beside(person: Person) -> str:
    """A ticket for the same browser: its sign-in form is for visitors only."""
    return await ticket_path(person.browser.without("session"), person.email)


class TestTheEndOfASession:
    async def test_sessions_end_once(self, maja_signed_in: Person, vault: Vault):
        token = digest(maja_signed_in.browser.cookies["session"])
        async with transaction() as session:
            await sessions.end(session, token, now=utc_now())
        ended = vault.one("select ended_at from account_sessions where token_hash = %s", token)
        async with transaction() as session:
            await sessions.end(session, token, now=utc_now())
        assert ended == vault.one(
            "select ended_at from account_sessions where token_hash = %s", token
        )

    async def test_a_page_elsewhere_cannot_take_the_cookie_of_a_living_one(
        self, maja_signed_in: Person
    ):
        answer = await maja_signed_in.browser.get("/session/end")
        assert answer.headers["location"] == "/"
        assert "set-cookie" not in answer.headers
        assert await role_of(maja_signed_in.browser) == "player"
