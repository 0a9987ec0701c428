"""What routes answer on a day on which nobody can tell who asks."""

from collections.abc import AsyncIterator
from uuid import UUID

import httpx2 as httpx
import pytest
from redis.exceptions import ConnectionError as RedisIsAway
from redis.exceptions import RedisError
from starlette.applications import Starlette

from rewards_app.api import audit, clicks, exports, invoices, orders, privacy, session, waitlist
from rewards_app.api.refusals import answering
from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.features.accounts import sessions
from rewards_app.rewards_app import app
from tests.states import failing

COOKIE = {"Cookie": "session=somebody"}
SOMETHING = UUID(int=7)
MODULES = (audit, clicks, exports, invoices, orders, privacy, session, waitlist)
FETCHED = [
    ("GET", "/exports/analytics.csv"),
    ("GET", "/exports/audit.csv"),
    ("GET", "/exports/waitlist.csv"),
    ("GET", f"/invoices/{SOMETHING}.pdf"),
    ("GET", f"/orders/{SOMETHING}/code"),
    ("GET", f"/orders/{SOMETHING}/receipt.pdf"),
    ("POST", "/privacy/export"),
]


@pytest.fixture
def failure() -> type[Exception]:
    return StorageAway


@pytest.fixture
async def http(
    monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
) -> AsyncIterator[httpx.AsyncClient]:
    monkeypatch.setattr(sessions, "find_actor", failing(failure))
    routes = [route for module in MODULES for route in module.ROUTES]
    transport = httpx.ASGITransport(app=answering(routes))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as client:
        yield client


def test_the_app_answers_so():
    assert isinstance(app.api_transformer, Starlette)
    assert {StorageAway, StorageFull, RedisError} <= set(app.api_transformer.exception_handlers)


@pytest.mark.parametrize(("method", "path"), FETCHED)
class TestForAWhile:
    @pytest.mark.parametrize("failure", [StorageFull])
    async def test_a_full_disk_denies_nothing_to_anybody(self, http, method, path):
        answer = await http.request(method, path, headers=COOKIE)
        assert (answer.status_code, answer.json()) == (503, {"error": StorageFull.code})

    @pytest.mark.parametrize("failure", [RedisIsAway])
    async def test_nobody_knows_how_often_somebody_asked(self, http, method, path):
        answer = await http.request(method, path, headers=COOKIE)
        assert (answer.status_code, answer.json()) == (503, {"error": StorageAway.code})
        assert answer.headers["cache-control"] == "no-store, private"


class TestWithoutTheDatabase:
    @pytest.mark.parametrize(("method", "path"), FETCHED)
    async def test_what_is_fetched_is_refused_for_a_while_and_denied_to_nobody(
        self, http, method, path
    ):
        answer = await http.request(method, path, headers=COOKIE)
        assert (answer.status_code, answer.json()) == (503, {"error": StorageAway.code})
        assert answer.headers["cache-control"] == "no-store, private"

    async def test_signing_out_ends_at_the_landing_page_and_takes_no_cookie_of_a_living_session(
        self, http
    ):
        answer = await http.get("/session/end", headers=COOKIE)
        assert (answer.status_code, answer.headers["location"]) == (303, "/landing")
        assert "set-cookie" not in answer.headers

    async def test_a_click_on_an_ad_leads_home(self, http):
        answer = await http.get(f"/ads/visit/{SOMETHING}", headers=COOKIE)
        assert (answer.status_code, answer.headers["location"]) == (303, clicks.NOWHERE)
