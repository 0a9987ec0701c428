"""The webhook over HTTP: 200 once it is kept and done, and nothing for whoever has no signature."""

from collections.abc import AsyncIterator
from itertools import islice

import httpx
import pytest
from prometheus_client import REGISTRY
from starlette.applications import Starlette
from starlette.requests import Request

from rewards_app.api import webhooks
from rewards_app.core.errors import StorageAway
from rewards_app.features.payments import webhook
from tests.paying import an_order, ask, is_paid_at, letters_queued
from tests.shop import orders_of
from tests.stripe.objects import Thing
from tests.stripe_server import StripeServer

ADDRESS = "/webhooks/stripe"


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=Starlette(routes=webhooks.ROUTES))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as client:
        yield client


@pytest.fixture
async def paid(stripe: StripeServer) -> Thing:
    _, bought = await an_order()
    return await is_paid_at(stripe, bought)


async def posts(http: httpx.AsyncClient, body: bytes, header: str | None) -> httpx.Response:
    headers = {} if header is None else {b"Stripe-Signature": header.encode("latin-1")}
    return await http.post(ADDRESS, content=body, headers=headers)


def failed() -> float:
    told = {"outcome": "failed"}
    return REGISTRY.get_sample_value("watchcoins_webhooks_total", told) or 0


def rows(database: str) -> int:
    return ask(database, "select count(*) from payment_events")[0][0]


class TestAnEvent:
    async def test_is_answered_once_it_is_kept(self, http, stripe: StripeServer, database: str):
        buyer, bought = await an_order()
        event = await is_paid_at(stripe, bought)
        for _ in range(3):
            answer = await posts(http, *stripe.signed(event))
            assert (answer.status_code, answer.json()) == (200, {"received": True})
        assert [order.status for order in await orders_of(buyer)] == ["completed"]
        assert rows(database) == len(letters_queued(database)) == 1

    async def test_that_means_nothing_to_us_is_taken_all_the_same(self, http, stripe, paid):
        answer = await posts(http, *stripe.signed(paid | {"type": "invoice.paid"}))
        assert answer.status_code == 200

    async def test_is_sent_again_when_it_could_not_be_kept(self, http, stripe, paid, monkeypatch):
        async def is_away(*_: object) -> None:
            raise StorageAway

        monkeypatch.setattr(webhook, "receive", is_away)
        answer = await posts(http, *stripe.signed(paid))
        assert (answer.status_code, answer.json()) == (503, {"error": "try again"})

    async def test_that_breaks_us_is_counted_as_one_that_failed(
        self, http, stripe, paid, monkeypatch
    ):
        async def breaks(*_: object) -> None:
            raise KeyError("amount")

        monkeypatch.setattr(webhook, "receive", breaks)
        before = failed()
        with pytest.raises(KeyError):
            await posts(http, *stripe.signed(paid))
        assert failed() == before + 1

    async def test_is_delivered_by_stripe_itself(self, stripe: StripeServer, http, paid):
        """The header as Stripe writes it, with more than one signature while keys change."""
        body, header = stripe.signed(paid)
        answer = await posts(http, body, f"{header},v1={'0' * 64},v0={'0' * 64}")
        assert answer.status_code == 200


class TestWhatIsRefused:
    async def test_forged_in_two_hundred_ways(self, http, stripe, paid, database: str):
        for forgery in islice(stripe.forgeries(paid, rounds=10, seed=3), 200):
            answer = await posts(http, forgery.body, forgery.header)
            assert (answer.status_code, answer.json()) == (400, {"error": "not signed"})
        assert rows(database) == 0
        assert ask(database, "select status from purchases") == [("waiting",)]

    @pytest.mark.parametrize("size", [webhook.LARGEST_BODY + 1, 5 * 2**20])
    async def test_a_body_longer_than_any_event(self, http, stripe, paid, database: str, size: int):
        event = paid | {"padding": "x" * size}
        answer = await posts(http, *stripe.signed(event))
        assert (answer.status_code, answer.json()) == (413, {"error": "too large"})
        assert rows(database) == 0

    async def test_no_body_that_is_just_long_enough(self, http, stripe, paid):
        event = paid | {"padding": "x" * (webhook.LARGEST_BODY - 4096)}
        assert (await posts(http, *stripe.signed(event))).status_code == 200

    async def test_a_body_without_end_is_read_no_further(self, http, stripe, paid):
        read = 0

        async def without_end() -> AsyncIterator[bytes]:
            nonlocal read
            while True:
                read += 65536
                yield b"x" * 65536
                assert read < 2**21

        answer = await webhooks.stripe(_asking(without_end()))
        assert answer.status_code == 413
        assert read <= webhook.LARGEST_BODY + 2 * 65536

    @pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
    async def test_any_other_way_of_asking(self, http: httpx.AsyncClient, method: str):
        assert (await http.request(method, ADDRESS)).status_code == 405


def _asking(chunks: AsyncIterator[bytes]) -> Request:
    async def receive():
        return {"type": "http.request", "body": await anext(chunks), "more_body": True}

    scope = {"type": "http", "method": "POST", "path": ADDRESS, "headers": []}
    return Request(scope, receive)
