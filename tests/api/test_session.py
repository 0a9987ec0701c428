"""The session's cookie, as a browser is given it for a ticket."""

import httpx2 as httpx
import pytest
from starlette.applications import Starlette

from rewards_app.api import session as api
from rewards_app.core import caller
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.settings import Settings
from rewards_app.features.accounts import rules, sessions
from tests.people import a_browser, an_account
from tests.states import failing

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def behind_https(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = Settings(public_url="https://play.example.com")
    for module in (api, caller):
        monkeypatch.setattr(module, "settings", lambda: chosen)


async def start(*, door: str = "door") -> httpx.Response:
    """What is answered to a ticket in the browser that it was issued to."""
    ticket = await a_ticket()
    return await starts_with(ticket, door=door)


async def a_ticket() -> str:
    account = await an_account(now=utc_now())
    async with transaction() as session:
        return await sessions.issue_ticket(
            session, account.id, a_browser(), may_log_address=False, now=utc_now()
        )


async def starts_with(ticket: str, *, door: str = "door") -> httpx.Response:
    transport = httpx.ASGITransport(app=Starlette(routes=api.ROUTES))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as browser:
        cookie = {"Cookie": f"{door}=door a"}
        return await browser.post("/session/start", data={"ticket": ticket}, headers=cookie)


def parts_of(answer: httpx.Response) -> tuple[str, str, set[str]]:
    """The cookie's name, its value, and what the browser is told to do with it."""
    cookie, *told = answer.headers["set-cookie"].split("; ")
    name, _, value = cookie.partition("=")
    return name, value, {one.lower() for one in told}


class TestItsCookie:
    async def test_is_kept_from_scripts_and_from_other_sites(self):
        name, _, told = parts_of(await start())
        lasts = int(rules.SESSION_LIFETIME.total_seconds())
        assert name == "session"
        assert told >= {"httponly", "samesite=lax", "path=/", f"max-age={lasts}"}
        assert not any(one.startswith("domain") for one in told)

    @pytest.mark.usefixtures("behind_https")
    async def test_is_secure_and_bound_to_the_host_behind_https(self):
        name, _, told = parts_of(await start(door="__Host-door"))
        assert name == "__Host-session"
        assert told >= {"secure", "httponly", "samesite=lax", "path=/"}
        assert not any(one.startswith("domain") for one in told)

    async def test_is_the_only_way_that_the_secret_goes(self):
        answer = await start()
        _, secret, _ = parts_of(answer)
        assert await sessions.find_actor(caller.digest(secret), now=utc_now())
        assert secret not in answer.text
        assert secret not in answer.headers["location"]


async def test_a_ticket_without_its_door_leads_back_and_says_so():
    answer = await start(door="something-else")
    assert (answer.status_code, answer.headers["location"]) == (303, api.LATE)
    assert "set-cookie" not in answer.headers


class TestABadDay:
    async def test_without_the_database_leads_back_and_says_why_and_the_ticket_opens_later(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        ticket = await a_ticket()
        with monkeypatch.context() as while_away:
            while_away.setattr(sessions, "redeem_ticket", failing(StorageAway))
            answer = await starts_with(ticket)
        assert (answer.status_code, answer.headers["location"]) == (303, api.AWAY)
        assert "set-cookie" not in answer.headers
        assert (await starts_with(ticket)).headers["location"] == "/"
