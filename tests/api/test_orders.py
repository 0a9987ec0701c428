"""A gift code and a receipt leave over HTTP for their owner alone; everybody else finds nothing."""

from collections.abc import AsyncIterator
from datetime import timedelta
from io import BytesIO

import httpx
import pytest
import time_machine
from pypdf import PdfReader
from starlette.applications import Starlette

from rewards_app.api import orders
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.shop import service
from rewards_app.features.shop.buying import Bought
from tests.ads import the_actor
from tests.people import a_browser, an_account, signed_in
from tests.shop import PRICE, buys, earns, stock

COINS = 26


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=Starlette(routes=orders.ROUTES))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as client:
        yield client


async def somebody(name: str, role: Role = Role.PLAYER) -> tuple[Actor, dict[str, str]]:
    """An account that is signed in, and the cookie that says so."""
    now = utc_now()
    account = await an_account(f"{name.lower()}@example.com", role, name=name, now=now)
    secret = await signed_in(account.id, a_browser(name), now=now)
    return the_actor(account), {"Cookie": f"session={secret}"}


@pytest.fixture
async def codes(database: str) -> list[str]:
    return await stock(2)


@pytest.fixture
async def maja(codes: list[str]) -> tuple[Actor, dict[str, str]]:
    actor, cookie = await somebody("Maja")
    await earns(actor, PRICE + COINS)
    return actor, cookie


@pytest.fixture
async def bought(maja: tuple[Actor, dict[str, str]]) -> Bought:
    return await buys(maja[0], PRICE, now=utc_now())


def paths_of(purchase_id: object) -> list[str]:
    return [f"/orders/{purchase_id}/code", f"/orders/{purchase_id}/receipt.pdf"]


def is_nothing(answer: httpx.Response) -> bool:
    """The same answer for what is not there and for what is somebody else's."""
    return (answer.status_code, answer.json()) == (404, {"error": "not found"})


class TestTheCode:
    async def test_is_its_owners(self, http, maja, bought: Bought, codes: list[str]):
        answer = await http.get(paths_of(bought.purchase_id)[0], headers=maja[1])
        assert answer.status_code == 200
        assert answer.json()["code"] in codes
        assert answer.headers["cache-control"] == "no-store, private"

    async def test_is_not_there_while_the_order_is_unpaid(self, http, maja):
        waiting = await buys(maja[0], COINS, now=utc_now())
        for path in paths_of(waiting.purchase_id):
            assert is_nothing(await http.get(path, headers=maja[1]))

    async def test_is_not_there_any_more_once_it_was_refunded(self, http, maja, bought: Bought):
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
        code, receipt = paths_of(bought.purchase_id)
        assert is_nothing(await http.get(code, headers=maja[1]))
        assert (await http.get(receipt, headers=maja[1])).status_code == 200


class TestTheReceipt:
    async def test_is_one_page_in_the_language_that_is_asked_for(self, http, maja, bought: Bought):
        titles = {"en": "Receipt", "de": "Quittung", "tlh": "Receipt", "": "Receipt"}
        for language, title in titles.items():
            path = f"{paths_of(bought.purchase_id)[1]}?language={language}"
            answer = await http.get(path, headers=maja[1])
            assert answer.headers["content-type"] == "application/pdf"
            assert answer.headers["cache-control"] == "no-store, private"
            assert 'filename="WatchCoins-COIN-' in answer.headers["content-disposition"]
            (page,) = PdfReader(BytesIO(answer.content)).pages
            assert title in page.extract_text()

    async def test_is_drawn_twenty_times_a_minute_at_most(self, http, maja, bought: Bought):
        path = paths_of(bought.purchase_id)[1]
        answers = [await http.get(path, headers=maja[1]) for _ in range(22)]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 2
        assert 0 < int(answers[-1].headers["retry-after"]) <= 60

    async def test_never_has_the_code(self, http, maja, bought: Bought, codes: list[str]):
        answer = await http.get(paths_of(bought.purchase_id)[1], headers=maja[1])
        (page,) = PdfReader(BytesIO(answer.content)).pages
        assert not [code for code in codes if code in page.extract_text()]


class TestEverybodyElse:
    async def test_without_a_session_finds_nothing(self, http, bought: Bought):
        for path in paths_of(bought.purchase_id):
            assert is_nothing(await http.get(path))
            for cookie in ("session=", "session=made-up", "session=" + "x" * 5000, "door=x"):
                assert is_nothing(await http.get(path, headers={"Cookie": cookie}))

    async def test_signed_in_as_anybody_finds_nothing(self, http, bought: Bought):
        for role in Role:
            _, cookie = await somebody(f"Eva-{role}", role)
            for path in paths_of(bought.purchase_id):
                assert is_nothing(await http.get(path, headers=cookie))

    async def test_finds_the_same_where_no_order_is(self, http, maja):
        for path in paths_of(new_id()):
            assert is_nothing(await http.get(path, headers=maja[1]))

    async def test_asks_for_what_is_no_order_in_vain(self, http, maja):
        for name in ("1", "x", "../../etc/passwd", "' or 1=1 --", "%00", "0" * 36):
            for path in paths_of(name):
                assert (await http.get(path, headers=maja[1])).status_code == 404

    async def test_writes_to_nothing(self, http, maja, bought: Bought):
        for path in paths_of(bought.purchase_id):
            for method in ("POST", "PUT", "DELETE"):
                assert (await http.request(method, path, headers=maja[1])).status_code == 405

    async def test_in_a_session_that_has_ended_finds_nothing(self, http, maja, bought):
        with time_machine.travel(utc_now() + timedelta(minutes=31), tick=True):
            for path in paths_of(bought.purchase_id):
                assert is_nothing(await http.get(path, headers=maja[1]))


class TestABadDay:
    async def test_without_the_database_is_no_denial(self, http, maja, bought, monkeypatch):
        async def is_away(*_: object) -> None:
            raise StorageAway

        monkeypatch.setattr(service, "code_of", is_away)
        answer = await http.get(paths_of(bought.purchase_id)[0], headers=maja[1])
        assert (answer.status_code, answer.json()) == (503, {"error": "storage_away"})
