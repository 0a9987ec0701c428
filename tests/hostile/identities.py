"""The five who knock: a visitor, and one of each role, signed in as people sign in."""

import secrets
from dataclasses import dataclass
from uuid import UUID, uuid4

from rewards_app.core.actor import Role
from rewards_app.core.caller import Caller, digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import service
from tests.hostile.client import AUTH, Browser
from tests.hostile.evidence import Vault
from tests.people import signed_in
from tests.serving import Served

VISITOR = "visitor"
IDENTITIES = (VISITOR, *(role.value for role in Role))
PASSWORD = "Tall-Otter7-rides!"


def a_new_email(name: str = "maja") -> str:
    return f"{name}-{uuid4().hex[:12]}@example.com"


async def a_visitor(served: Served) -> Browser:
    return await Browser(served).opens_the_door()


async def signs_in(browser: Browser, email: str, password: str = PASSWORD) -> Browser:
    """Through the form's handler and the ticket's route, with the door that came with the page."""
    answer = await browser.enters(await ticket_path(browser, email, password))
    assert answer.headers["location"] == "/"
    assert browser.cookies.get("session")
    return browser


async def comes_in(browser: Browser, account_id: UUID) -> Browser:
    """Beside the app, for tests of something else: in the browser that the first page named."""
    door = digest(browser.cookies["door"])
    caller = Caller(address=browser.address, user_agent="python", door_hash=door)
    browser.cookies["session"] = await signed_in(account_id, caller, now=utc_now())
    return browser


async def ticket_path(browser: Browser, email: str, password: str = PASSWORD) -> str:
    async with browser.tab("/auth?mode=login") as tab:
        form = {"email": email, "password": password}
        answer = await tab.call(f"{AUTH}.sign_in", {"form": form})
        assert tab.says("door").startswith("/session/start?ticket="), answer.refused_as
        return tab.says("door")


async def the_one_who_is(role: str, served: Served) -> Browser:
    browser = await a_visitor(served)
    if role == VISITOR:
        return browser
    account = served.accounts[role]
    return await signs_in(browser, account["email"], account["password"])


async def becomes(email: str, role: str) -> None:
    """The account gets another role; the test works beside the running app."""
    async with transaction() as session:
        assert await service.promote(session, email, Role(role), now=utc_now())


@dataclass
class Person:
    """An account of one test alone, and the browser of its owner."""

    email: str
    name: str
    browser: Browser


async def role_of(browser: Browser) -> str:
    async with browser.tab("/") as tab:
        return tab.says("role")


def a_mailed_link(vault: Vault, email: str, purpose: str, lasts: str = "1 hour") -> str:
    token = secrets.token_urlsafe(32)
    vault.ask(
        "insert into email_links"
        " (token_hash, account_id, purpose, new_email, created_at, expires_at)"
        " select %s, id, %s, case when %s = 'email_keep' then email end,"
        " now(), now() + %s::interval from accounts where email = %s",
        digest(token),
        purpose,
        purpose,
        lasts,
        email,
    )
    return token
