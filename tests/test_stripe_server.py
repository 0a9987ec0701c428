"""The Stripe of the tests, tried with Stripe's own package."""

import asyncio
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any, get_args
from urllib.parse import urlsplit

import httpx
import pytest
import stripe
import stripe.params.checkout._session_create_params as params

from tests.stripe import parameters
from tests.stripe.webhooks import NO_ANSWER, Delivery
from tests.stripe_server import StripeServer, stripe_server

NOON = 1_790_000_000


def an_item(**changes: Any) -> dict[str, Any]:
    price = {"currency": "sek", "unit_amount": 4900, "product_data": {"name": "2800 V-Bucks"}}
    return {"price_data": price | changes, "quantity": 1}


def an_order(**changes: Any) -> dict[str, Any]:
    return {
        "mode": "payment",
        "line_items": [an_item()],
        "success_url": "https://watchcoins.test/shop?paid={CHECKOUT_SESSION_ID}",
        "cancel_url": "https://watchcoins.test/shop",
        "client_reference_id": "COIN-1790000000000-abcdefghij",
        "metadata": {"purchase": "COIN-1790000000000-abcdefghij"},
    } | changes


class Clock:
    def __init__(self) -> None:
        self.time = float(NOON)

    def __call__(self) -> float:
        return self.time


class Shop:
    """Takes webhooks as an app would: what Stripe's package does not accept is a 400."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self.events: list[stripe.Event] = []
        self.status = 200

    def take(self, body: bytes, header: str | None) -> int:
        try:
            event = stripe.Webhook.construct_event(body, header, self.secret)
        except (stripe.SignatureVerificationError, ValueError, TypeError):
            return 400
        self.events.append(event)
        return self.status

    @property
    def kinds(self) -> list[str]:
        return [event.type for event in self.events]

    @contextmanager
    def open(self) -> Iterator[str]:
        shop = self

        class Visit(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(shop.take(body, self.headers.get("Stripe-Signature")))
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Visit)
        thread = threading.Thread(target=server.serve_forever, args=(0.005,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/webhooks/stripe"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> Iterator[StripeServer]:
    with stripe_server(clock=clock) as running:
        yield running


@pytest.fixture
def live() -> Iterator[StripeServer]:
    """By the true time, which the package compares signatures with."""
    with stripe_server() as running:
        yield running


@pytest.fixture
def shop(live: StripeServer) -> Iterator[Shop]:
    receiver = Shop(live.webhook_secret)
    with receiver.open() as address:
        live.webhook_url = address
        yield receiver


def client_of(server: StripeServer, *, key: str = "", retries: int = 0) -> stripe.StripeClient:
    return stripe.StripeClient(
        key or server.api_key,
        base_addresses={"api": server.url},
        http_client=stripe.HTTPXClient(timeout=20, verify_ssl_certs=False),
        max_network_retries=retries,
    )


@pytest.fixture
async def client(server: StripeServer) -> AsyncIterator[stripe.StripeClient]:
    return client_of(server)


async def opened(client: stripe.StripeClient, key: str = "", **changes: Any) -> Any:
    options: Any = {"idempotency_key": key} if key else {}
    return await client.v1.checkout.sessions.create_async(an_order(**changes), options)


async def refused(client: stripe.StripeClient, **changes: Any) -> stripe.InvalidRequestError:
    with pytest.raises(stripe.InvalidRequestError) as refusal:
        await opened(client, **changes)
    assert refusal.value.http_status == 400
    return refusal.value


async def a_payment(client: stripe.StripeClient, server: StripeServer) -> str:
    session = await opened(client)
    return server.pay(session.id)["payment_intent"]


class TestOpening:
    async def test_an_open_session_has_all_that_a_shop_needs(self, client, server):
        session = await opened(client)
        assert session.id.startswith("cs_test_")
        assert session.object == "checkout.session"
        assert (session.amount_total, session.currency) == (4900, "sek")
        assert (session.status, session.payment_status) == ("open", "unpaid")
        assert session.payment_intent is None
        assert session.client_reference_id == "COIN-1790000000000-abcdefghij"
        assert session.metadata.purchase == "COIN-1790000000000-abcdefghij"
        assert session.expires_at == NOON + 24 * 3600
        assert session.livemode is False
        assert session.url.startswith(f"{server.url}/c/pay/{session.id}#")

    async def test_it_is_the_same_when_asked_for_later(self, client):
        session = await opened(client)
        again = await client.v1.checkout.sessions.retrieve_async(session.id)
        assert again.to_dict() == session.to_dict()

    async def test_quantities_multiply(self, client):
        items = [an_item() | {"quantity": 3}, an_item(unit_amount=150)]
        assert (await opened(client, line_items=items)).amount_total == 3 * 4900 + 150

    async def test_everything_that_we_might_say_is_understood(self, client):
        session = await opened(
            client,
            expires_at=NOON + 1800,
            customer_email="märta@example.com",
            locale="sv",
            submit_type="pay",
            allowed_payment_method_types=["card"],
            custom_text={"submit": {"message": "Your code comes by mail."}},
            payment_intent_data={"metadata": {"purchase": "COIN-1"}, "description": "V-Bucks"},
            adaptive_pricing={"enabled": False},
            billing_address_collection="auto",
            automatic_tax={"enabled": False},
        )
        assert session.payment_method_types == ["card"]
        assert session.customer_details.email == "märta@example.com"
        assert session.custom_text.submit.message == "Your code comes by mail."
        assert session.expires_at == NOON + 1800

    async def test_nobody_knows_a_session_that_was_never_opened(self, client):
        with pytest.raises(stripe.InvalidRequestError) as refusal:
            await client.v1.checkout.sessions.retrieve_async("cs_test_nothing")
        assert (refusal.value.http_status, refusal.value.code) == (404, "resource_missing")

    async def test_the_log_tells_what_was_asked(self, client, server):
        await opened(client, key="order-1")
        (asked,) = server.requests
        assert (asked.method, asked.path) == ("POST", "/v1/checkout/sessions")
        assert asked.form["line_items[0][price_data][unit_amount]"] == "4900"
        assert asked.idempotency_key == "order-1"
        assert server.api_key not in repr(asked)


def an_item_without(*path: str) -> dict[str, Any]:
    item = an_item()
    place = item
    for name in path[:-1]:
        place = place[name]
    del place[path[-1]]
    return item


class TestStrictness:
    @pytest.mark.parametrize(
        ("changes", "param"),
        [
            ({"colour": "purple"}, "colour"),
            ({"payment_method_types": ["card"]}, "payment_method_types[0]"),
            ({"line_items": [an_item(colour="purple")]}, "line_items[0][price_data][colour]"),
            ({"payment_intent_data": {"colour": "x"}}, "payment_intent_data[colour]"),
            ({"metadata": {"a[b]": "x"}}, "metadata[a[b]]"),
        ],
    )
    async def test_refuses_what_it_does_not_know(self, client, changes, param):
        refusal = await refused(client, **changes)
        assert (refusal.code, refusal.param) == ("parameter_unknown", param.removesuffix("[0]"))

    @pytest.mark.parametrize("name", ["mode", "line_items", "success_url"])
    async def test_misses_what_an_order_needs(self, client, name):
        order = an_order()
        del order[name]
        with pytest.raises(stripe.InvalidRequestError) as refusal:
            await client.v1.checkout.sessions.create_async(order)
        assert (refusal.value.code, refusal.value.param) == ("parameter_missing", name)

    @pytest.mark.parametrize(
        "path",
        [
            ("quantity",),
            ("price_data",),
            ("price_data", "currency"),
            ("price_data", "unit_amount"),
            ("price_data", "product_data"),
        ],
    )
    async def test_misses_what_an_item_needs(self, client, path):
        refusal = await refused(client, line_items=[an_item_without(*path)])
        param = "line_items[0]" + "".join(f"[{name}]" for name in path)
        assert (refusal.code, refusal.param) == ("parameter_missing", param)

    async def test_misses_the_name_of_a_product(self, client):
        refusal = await refused(client, line_items=[an_item(product_data={"description": "x"})])
        assert refusal.param == "line_items[0][price_data][product_data][name]"

    @pytest.mark.parametrize("amount", [0, -100, "49.00", "abc", "", 10**9])
    async def test_an_amount_is_a_positive_whole_number(self, client, amount):
        refusal = await refused(client, line_items=[an_item(unit_amount=amount)])
        assert refusal.code == "parameter_invalid_integer"

    async def test_less_than_three_kronor_is_too_small(self, client):
        refusal = await refused(client, line_items=[an_item(unit_amount=299)])
        assert refusal.code == "amount_too_small"

    async def test_three_kronor_are_enough(self, client):
        item = an_item(unit_amount=parameters.MINIMUMS["sek"])
        assert (await opened(client, line_items=[item])).amount_total == 300

    @pytest.mark.parametrize(("amount", "outcome"), [(50, 50), (49, "amount_too_small")])
    async def test_half_a_dollar_is_enough(self, client, amount: int, outcome: object):
        item = an_item(currency="usd", unit_amount=amount)
        if amount < parameters.MINIMUMS["usd"]:
            assert (await refused(client, line_items=[item])).code == outcome
        else:
            made = await opened(client, line_items=[item])
            assert (made.amount_total, made.currency) == (outcome, "usd")

    async def test_a_million_kronor_are_too_much(self, client):
        items = [an_item(unit_amount=99_999_999), an_item()]
        assert (await refused(client, line_items=items)).code == "amount_too_large"

    @pytest.mark.parametrize("seconds", [0, 1799, 24 * 3600 + 1, 30 * 24 * 3600])
    async def test_a_session_lasts_from_half_an_hour_to_a_day(self, client, seconds):
        assert (await refused(client, expires_at=NOON + seconds)).param == "expires_at"

    @pytest.mark.parametrize("seconds", [1800, 24 * 3600])
    async def test_half_an_hour_and_a_day_are_allowed(self, client, seconds):
        assert (await opened(client, expires_at=NOON + seconds)).expires_at == NOON + seconds

    @pytest.mark.parametrize("name", ["success_url", "cancel_url"])
    @pytest.mark.parametrize(
        "address", ["/shop", "shop", "javascript:alert(1)", "https://", "http://a b", "http://[x"]
    )
    async def test_ways_back_are_absolute(self, client, name, address):
        assert (await refused(client, **{name: address})).code == "url_invalid"

    @pytest.mark.parametrize("address", ["anna", "anna@", "@b.se", "a b@c.se", "anna@home"])
    async def test_refuses_what_is_no_mail_address(self, client, address):
        assert (await refused(client, customer_email=address)).code == "email_invalid"

    @pytest.mark.parametrize(
        "pairs",
        [
            {f"k{n}": "v" for n in range(51)},
            {"k" * 41: "v"},
            {"k": "v" * 501},
            {"k": {"deeper": "v"}},
        ],
    )
    async def test_metadata_has_limits(self, client, pairs):
        assert (await refused(client, metadata=pairs)).param.startswith("metadata")

    async def test_metadata_at_its_limits_is_kept(self, client):
        pairs = {f"{n:040}": "v" * 500 for n in range(50)}
        assert (await opened(client, metadata=pairs)).metadata.to_dict() == pairs

    @pytest.mark.parametrize(
        "changes",
        [
            {"mode": "subscription"},
            {"locale": "sv-SE"},
            {"submit_type": "buy"},
            {"client_reference_id": "x" * 201},
            {"client_reference_id": ""},
            {"custom_text": {"submit": {"message": "x" * 1201}}},
            {"custom_text": {"submit": "hello"}},
            {"line_items": [an_item(currency="kr")]},
            {"line_items": [an_item(currency="eur")]},
            {"line_items": [an_item() | {"quantity": 0}]},
            {"line_items": "2800 V-Bucks"},
            {"line_items": {"1": an_item()}},
            {"line_items": [an_item()] * 101},
            {"allowed_payment_method_types": ["cash"]},
            {"adaptive_pricing": {"enabled": "maybe"}},
        ],
    )
    async def test_refuses_what_it_cannot_use(self, client, server, changes):
        assert (await refused(client, **changes)).param
        assert server.sessions == []

    async def test_an_unknown_address_is_a_404(self, client):
        with pytest.raises(stripe.InvalidRequestError) as refusal:
            await client.v1.customers.create_async({})
        assert refusal.value.http_status == 404

    async def test_json_is_no_form(self, server):
        async with httpx.AsyncClient(verify=False) as http:
            answer = await http.post(
                f"{server.url}/v1/checkout/sessions",
                json=an_order(),
                headers={"Authorization": f"Bearer {server.api_key}"},
            )
        assert answer.status_code == 400
        assert "application/x-www-form-urlencoded" in answer.json()["error"]["message"]

    async def test_a_wrong_key_is_refused_and_not_repeated(self, server):
        with pytest.raises(stripe.AuthenticationError) as refusal:
            await opened(client_of(server, key="sk_test_somebody_else"))
        assert refusal.value.http_status == 401
        assert "somebody_else" not in str(refusal.value)

    @pytest.mark.parametrize("header", ["", "Basic !", "Digest x", "Bearer"])
    def test_no_key_is_refused(self, server, header):
        sent = {"Authorization": header}
        answer = httpx.get(f"{server.url}/v1/events", headers=sent, verify=False)
        assert answer.status_code == 401
        assert answer.json()["error"]["type"] == "invalid_request_error"

    def test_the_key_may_come_as_a_user_name(self, server):
        answer = httpx.get(f"{server.url}/v1/events", auth=(server.api_key, ""), verify=False)
        assert answer.json()["data"] == []


GENUINE = {
    "checkout.session": stripe.checkout.Session,
    "payment_intent": stripe.PaymentIntent,
    "charge": stripe.Charge,
    "refund": stripe.Refund,
    "dispute": stripe.Dispute,
}


class TestLikeTheGenuineOne:
    def test_locales_are_those_of_the_package(self):
        written = str(params.SessionCreateParams.__annotations__["locale"])
        assert parameters.LOCALES.split() == re.findall(r"'([\w-]+)'", written)

    @pytest.mark.parametrize(
        ("shape", "genuine"),
        [
            (parameters.checkout_session, params.SessionCreateParams),
            (parameters.line_item, params.SessionCreateParamsLineItem),
            (parameters.product, params.SessionCreateParamsLineItemPriceDataProductData),
            (parameters.refund, stripe.params.RefundCreateParams),
            (parameters.refunds, stripe.params.RefundListParams),
            (parameters.events, stripe.params.EventListParams),
        ],
    )
    def test_takes_no_parameter_that_the_package_does_not_have(self, shape, genuine):
        assert shape.shapes.keys() <= genuine.__annotations__.keys()

    async def test_objects_have_no_field_that_the_package_does_not_have(self, client, server):
        await a_payment(client, server)
        server.refund_at_dashboard(server.payments[0]["id"])
        dispute = server.dispute(await a_payment(client, server))
        server.close_dispute(dispute["id"], "won")
        for event in server.events:
            thing = event["data"]["object"]
            assert thing.keys() <= GENUINE[thing["object"]].__annotations__.keys()
            assert event["type"] in get_args(stripe.Event.__annotations__["type"])
            assert event.keys() <= stripe.Event.__annotations__.keys()


class TestPaying:
    async def test_a_paid_session_is_complete(self, client, server):
        session = await opened(client, payment_intent_data={"metadata": {"purchase": "COIN-1"}})
        server.pay(session.id)
        paid = await client.v1.checkout.sessions.retrieve_async(session.id)
        assert (paid.status, paid.payment_status, paid.url) == ("complete", "paid", None)
        payment = await client.v1.payment_intents.retrieve_async(paid.payment_intent)
        assert (payment.status, payment.amount_received) == ("succeeded", 4900)
        assert payment.metadata.purchase == "COIN-1"

    async def test_paying_tells_its_events_in_order(self, client, server):
        session = await opened(client)
        server.pay(session.id)
        assert [event["type"] for event in server.events] == [
            "payment_intent.created",
            "charge.succeeded",
            "payment_intent.succeeded",
            "checkout.session.completed",
        ]
        (completed,) = server.events_of("checkout.session.completed")
        assert completed["data"]["object"]["id"] == session.id
        assert completed["data"]["object"]["payment_status"] == "paid"

    async def test_an_event_shows_how_it_was_then(self, client, server):
        session = await opened(client)
        server.decline(session.id)
        server.pay(session.id)
        (failed,) = server.events_of("payment_intent.payment_failed")
        assert failed["data"]["object"]["status"] == "requires_payment_method"

    async def test_a_declined_card_leaves_the_session_open(self, client, server):
        session = await opened(client)
        server.decline(session.id)
        still = await client.v1.checkout.sessions.retrieve_async(session.id)
        assert (still.status, still.payment_status, still.payment_intent) == (
            "open",
            "unpaid",
            None,
        )
        assert server.pay(session.id)["payment_intent"] == server.payments[0]["id"]

    async def test_nobody_pays_twice(self, client, server):
        session = await opened(client)
        server.pay(session.id)
        with pytest.raises(Exception, match="complete"):
            server.pay(session.id)

    async def test_of_two_that_pay_and_expire_at_once_one_wins(self, client, server):
        for _ in range(10):
            session = await opened(client)
            done = await asyncio.gather(
                asyncio.to_thread(server.pay, session.id),
                client.v1.checkout.sessions.expire_async(session.id),
                return_exceptions=True,
            )
            assert sum(isinstance(one, Exception) for one in done) == 1


class TestExpiring:
    async def test_an_open_session_can_be_ended(self, client, server):
        session = await opened(client)
        ended = await client.v1.checkout.sessions.expire_async(session.id)
        assert (ended.status, ended.payment_status, ended.url) == ("expired", "unpaid", None)
        assert len(server.events_of("checkout.session.expired")) == 1

    @pytest.mark.parametrize("end", [StripeServer.pay, StripeServer.expire])
    async def test_a_closed_one_cannot(self, client, server, end):
        session = await opened(client)
        status = end(server, session.id)["status"]
        with pytest.raises(stripe.InvalidRequestError, match=status) as refusal:
            await client.v1.checkout.sessions.expire_async(session.id)
        assert refusal.value.http_status == 400

    async def test_time_ends_it_and_tells_once(self, client, server, clock):
        session = await opened(client, expires_at=NOON + 1800)
        clock.time += 1800
        for _ in range(2):
            late = await client.v1.checkout.sessions.retrieve_async(session.id)
            assert late.status == "expired"
        with pytest.raises(Exception, match="expired"):
            server.pay(session.id)
        assert len(server.events_of("checkout.session.expired")) == 1


class TestRefunding:
    async def test_everything_goes_back_at_once(self, client, server):
        payment = await a_payment(client, server)
        refund = await client.v1.refunds.create_async({"payment_intent": payment})
        assert (refund.status, refund.amount, refund.payment_intent) == ("succeeded", 4900, payment)
        assert [event["type"] for event in server.events][-2:] == [
            "refund.created",
            "charge.refunded",
        ]
        again = await client.v1.refunds.retrieve_async(refund.id)
        assert again.to_dict() == refund.to_dict()

    async def test_nothing_goes_back_twice(self, client, server):
        payment = await a_payment(client, server)
        server.refund_at_dashboard(payment)
        with pytest.raises(stripe.InvalidRequestError) as refusal:
            await client.v1.refunds.create_async({"payment_intent": payment})
        assert refusal.value.code == "charge_already_refunded"

    async def test_parts_add_up(self, client, server):
        payment = await a_payment(client, server)
        server.refund_at_dashboard(payment, amount=4000)
        with pytest.raises(stripe.InvalidRequestError, match="greater than unrefunded") as refusal:
            await client.v1.refunds.create_async({"payment_intent": payment, "amount": 901})
        assert refusal.value.param == "amount"
        await client.v1.refunds.create_async({"payment_intent": payment, "amount": 900})
        charge = server.events_of("charge.refunded")[-1]["data"]["object"]
        assert (charge["amount_refunded"], charge["refunded"]) == (4900, True)

    async def test_those_of_one_payment_are_listed(self, client, server):
        payment, other = [await a_payment(client, server) for _ in range(2)]
        made = [server.refund_at_dashboard(payment, amount=amount)["id"] for amount in (100, 200)]
        server.refund_at_dashboard(other)
        listed = await client.v1.refunds.list_async({"payment_intent": payment})
        assert [refund.id for refund in listed.data] == made[::-1]
        newest = await client.v1.refunds.list_async({"payment_intent": payment, "limit": 1})
        assert ([refund.id for refund in newest.data], newest.has_more) == (made[1:], True)

    async def test_what_was_not_paid_cannot_go_back(self, client, server):
        server.decline((await opened(client)).id)
        with pytest.raises(stripe.InvalidRequestError, match="successful charge"):
            await client.v1.refunds.create_async({"payment_intent": server.payments[0]["id"]})

    async def test_what_nobody_knows_cannot_go_back(self, client):
        with pytest.raises(stripe.InvalidRequestError) as refusal:
            await client.v1.refunds.create_async({"payment_intent": "pi_nothing"})
        assert (refusal.value.code, refusal.value.param) == ("resource_missing", "payment_intent")

    async def test_a_bank_may_take_its_time(self, client, server):
        payment = await a_payment(client, server)
        server.refund_outcome = "pending"
        refund = await client.v1.refunds.create_async({"payment_intent": payment})
        assert refund.status == "pending"
        server.settle_refund(refund.id)
        assert (await client.v1.refunds.retrieve_async(refund.id)).status == "succeeded"
        assert server.events_of("refund.updated")

    async def test_a_bank_may_send_it_back(self, client, server):
        payment = await a_payment(client, server)
        refund = await client.v1.refunds.create_async({"payment_intent": payment})
        server.fail_refund(refund.id)
        assert (await client.v1.refunds.retrieve_async(refund.id)).status == "failed"
        assert server.events_of("refund.failed")
        assert (await client.v1.refunds.create_async({"payment_intent": payment})).amount == 4900

    async def test_a_bank_may_refuse(self, client, server):
        payment = await a_payment(client, server)
        server.refund_outcome = "failed"
        refund = await client.v1.refunds.create_async({"payment_intent": payment})
        assert (refund.status, refund.failure_reason) == ("failed", "expired_or_canceled_card")
        assert server.events_of("charge.refunded") == []


class TestDisputes:
    async def test_take_the_money_and_tell_it_in_order(self, client, server):
        payment = await a_payment(client, server)
        dispute = server.dispute(payment)
        assert (dispute["amount"], dispute["payment_intent"]) == (4900, payment)
        server.close_dispute(dispute["id"], "lost")
        assert [event["type"] for event in server.events][-3:] == [
            "charge.dispute.created",
            "charge.dispute.funds_withdrawn",
            "charge.dispute.closed",
        ]

    async def test_leave_nothing_to_refund_unless_they_are_won(self, client, server):
        payment = await a_payment(client, server)
        dispute = server.dispute(payment)
        for status in ("needs_response", "lost"):
            server.close_dispute(dispute["id"], status)
            with pytest.raises(stripe.InvalidRequestError) as refusal:
                await client.v1.refunds.create_async({"payment_intent": payment})
            assert refusal.value.code == "charge_disputed"
        server.close_dispute(dispute["id"], "won")
        assert server.events[-1]["type"] == "charge.dispute.funds_reinstated"
        assert (await client.v1.refunds.create_async({"payment_intent": payment})).amount == 4900

    async def test_a_mere_inquiry_takes_nothing(self, client, server):
        payment = await a_payment(client, server)
        server.dispute(payment, is_inquiry=True)
        assert server.events[-1]["type"] == "charge.dispute.created"
        assert (await client.v1.refunds.create_async({"payment_intent": payment})).amount == 4900


class TestIdempotency:
    async def test_the_same_order_under_one_key_opens_one_session(self, client, server):
        first = await opened(client, key="order-1")
        second = await opened(client, key="order-1")
        assert first.id == second.id
        assert second.last_response.headers["Idempotent-Replayed"] == "true"
        assert "Idempotent-Replayed" not in first.last_response.headers
        assert len(server.sessions) == 1

    async def test_the_first_answer_is_repeated_as_it_was(self, client, server):
        session = await opened(client, key="order-1")
        server.pay(session.id)
        assert (await opened(client, key="order-1")).status == "open"

    async def test_another_order_under_that_key_is_refused(self, client, server):
        await opened(client, key="order-1")
        with pytest.raises(stripe.IdempotencyError) as refusal:
            await opened(client, key="order-1", client_reference_id="COIN-2")
        assert refusal.value.http_status == 400
        assert len(server.sessions) == 1

    async def test_a_refused_form_does_not_use_the_key_up(self, client):
        with pytest.raises(stripe.InvalidRequestError):
            await opened(client, key="order-1", colour="purple")
        assert (await opened(client, key="order-1")).status == "open"

    async def test_what_was_carried_out_and_refused_stays_refused(self, client, server):
        payment = await a_payment(client, server)
        refund = {"payment_intent": payment, "amount": 5000}
        for _ in range(2):
            with pytest.raises(stripe.InvalidRequestError) as refusal:
                await client.v1.refunds.create_async(refund, {"idempotency_key": "refund-1"})
        assert refusal.value.headers["Idempotent-Replayed"] == "true"

    @pytest.mark.parametrize("said", [0, 30])
    async def test_what_was_not_said_in_full_does_not_use_the_key_up(self, client, server, said):
        payment = await a_payment(client, server)
        body = f"payment_intent={payment}&amount=4900".encode()
        head = (
            f"POST /v1/refunds HTTP/1.1\r\nHost: stripe\r\nAuthorization: Bearer {server.api_key}"
            "\r\nContent-Type: application/x-www-form-urlencoded\r\nIdempotency-Key: refund-1"
            f"\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        address = urlsplit(server.url)
        with socket.create_connection((address.hostname, address.port), timeout=5) as dying:
            dying.sendall(head.encode() + body[:said])
            dying.shutdown(socket.SHUT_WR)
            assert dying.recv(1) == b""
        refund = {"payment_intent": payment, "amount": 4900}
        made = await client.v1.refunds.create_async(refund, {"idempotency_key": "refund-1"})
        assert made.status == "succeeded"

    async def test_a_key_in_use_at_the_moment_is_a_conflict(self, client, server):
        server.delay = 5
        first = asyncio.create_task(opened(client, key="order-1"))
        while not server.requests:
            await asyncio.sleep(0.01)
        with pytest.raises(stripe.APIError) as refusal:
            await opened(client, key="order-1")
        assert (refusal.value.http_status, refusal.value.json_body["error"]["code"]) == (
            409,
            "idempotency_key_in_use",
        )
        assert (await first).id == server.newest_session["id"]
        assert len(server.sessions) == 1

    async def test_a_hundred_at_once_open_one_session(self, client, server):
        done = await asyncio.gather(
            *(opened(client, key="order-1") for _ in range(100)), return_exceptions=True
        )
        assert len({one.id for one in done if not isinstance(one, Exception)}) == 1
        assert len(server.sessions) == 1

    async def test_without_a_key_each_is_a_session_of_its_own(self, client, server):
        await opened(client)
        await opened(client)
        assert len(server.sessions) == 2


class TestEvents:
    async def test_the_newest_come_first_a_page_at_a_time(self, client, server):
        for _ in range(3):
            server.pay((await opened(client)).id)
        page = await client.v1.events.list_async({"limit": 5})
        assert page.has_more
        names = [event.id async for event in page.auto_paging_iter()]
        assert names == [event["id"] for event in reversed(server.events)]
        assert len(names) == 12

    async def test_a_page_may_lead_back(self, client, server):
        server.pay((await opened(client)).id)
        newest = [event["id"] for event in reversed(server.events)]
        page = await client.v1.events.list_async({"ending_before": newest[3], "limit": 2})
        assert [event.id for event in page.data] == newest[1:3]
        assert page.has_more

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ({"type": "checkout.session.completed"}, 1),
            ({"type": "payment_intent.*"}, 2),
            ({"types": ["charge.succeeded", "checkout.session.completed"]}, 2),
            ({"created": {"gte": NOON}}, 4),
            ({"created": {"gt": NOON}}, 0),
        ],
    )
    async def test_some_kinds_can_be_asked_for(self, client, server, wanted, found):
        server.pay((await opened(client)).id)
        assert len((await client.v1.events.list_async(wanted)).data) == found

    async def test_one_can_be_asked_for(self, client, server):
        server.pay((await opened(client)).id)
        event = await client.v1.events.retrieve_async(server.events[-1]["id"])
        assert event.type == "checkout.session.completed"
        assert event.api_version == stripe.api_version


class TestHostedPage:
    async def test_the_pay_button_pays_and_leads_to_success(self, client, server):
        session = await opened(client)
        async with httpx.AsyncClient(verify=False) as buyer:
            page = await buyer.get(session.url)
            assert page.text.count("<button>") == 2
            paid = await buyer.post(f"{server.url}/c/pay/{session.id}/pay")
        assert paid.status_code == 303
        assert paid.headers["Location"] == f"https://watchcoins.test/shop?paid={session.id}"
        assert server.newest_session["payment_status"] == "paid"

    async def test_the_back_button_leads_back_and_leaves_it_open(self, client, server):
        session = await opened(client)
        async with httpx.AsyncClient(verify=False) as buyer:
            back = await buyer.post(f"{server.url}/c/pay/{session.id}/cancel")
        assert (back.status_code, back.headers["Location"]) == (303, "https://watchcoins.test/shop")
        assert server.newest_session["status"] == "open"

    async def test_looking_at_a_button_is_not_pressing_it(self, client, server):
        session = await opened(client)
        async with httpx.AsyncClient(verify=False) as buyer:
            await buyer.get(f"{server.url}/c/pay/{session.id}/pay")
        assert server.session(session.id)["status"] == "open"

    async def test_without_a_way_back_there_is_no_back_button(self, client, server):
        order = an_order()
        del order["cancel_url"]
        session = await client.v1.checkout.sessions.create_async(order)
        async with httpx.AsyncClient(verify=False) as buyer:
            assert (await buyer.get(session.url)).text.count("<button>") == 1
            again = await buyer.post(f"{server.url}/c/pay/{session.id}/cancel")
        assert again.status_code == 200

    @pytest.mark.parametrize("end", [StripeServer.pay, StripeServer.expire])
    async def test_a_closed_session_offers_nothing(self, client, server, end):
        session = await opened(client)
        end(server, session.id)
        async with httpx.AsyncClient(verify=False) as buyer:
            page = await buyer.post(f"{server.url}/c/pay/{session.id}/pay")
        assert (page.status_code, "<button>" in page.text) == (200, False)

    def test_nobody_knows_another(self, server):
        answer = httpx.get(f"{server.url}/c/pay/cs_test_nothing", verify=False)
        assert answer.status_code == 404


def an_event(server: StripeServer) -> dict[str, Any]:
    """Of a session that is paid while nobody listens."""
    address, server.webhook_url = server.webhook_url, ""
    client = stripe.StripeClient(server.api_key, base_addresses={"api": server.url})
    server.pay(client.v1.checkout.sessions.create(an_order()).id)
    server.webhook_url = address
    return server.events[-1]


class TestSigning:
    def test_the_package_accepts_what_is_signed(self, live):
        body, header = live.signed(an_event(live))
        event = stripe.Webhook.construct_event(body, header, live.webhook_secret)
        assert event.type == "checkout.session.completed"
        assert stripe.WebhookSignature.verify_header(body, header, live.webhook_secret, 300)

    @pytest.mark.parametrize("change", [{"secret": "whsec_other"}, {"at": 0}, {"secret": ""}])
    def test_the_package_refuses_another_secret_or_time(self, live, change):
        body, header = live.signed(an_event(live), **change)
        with pytest.raises(stripe.SignatureVerificationError):
            stripe.Webhook.construct_event(body, header, live.webhook_secret)

    def test_two_hundred_forgeries_are_refused(self, live, shop):
        forgeries = list(islice(live.forgeries(an_event(live), rounds=10), 200))
        assert {live.post(forged.body, forged.header) for forged in forgeries} == {400}
        assert shop.events == []

    def test_two_of_them_the_package_refuses_with_errors_of_python(self, live):
        """Whoever calls it has to answer these with a 400, too."""
        raised: dict[str, type[Exception]] = {}
        for forged in live.forgeries(an_event(live)):
            with pytest.raises((stripe.SignatureVerificationError, ValueError, TypeError)) as no:
                stripe.Webhook.construct_event(forged.body, forged.header, live.webhook_secret)
            raised[forged.name] = no.type
        assert raised.pop("mac beyond ASCII") is TypeError
        assert raised.pop("body that is no text") is UnicodeDecodeError
        assert set(raised.values()) == {stripe.SignatureVerificationError}

    def test_each_forgery_is_another(self, live):
        rounds = list(live.forgeries(an_event(live), rounds=2))
        names = Counter(forged.name for forged in rounds)
        assert len(names) >= 20
        assert set(names.values()) == {2}
        wrong = [forged.header for forged in rounds if forged.name == "wrong mac"]
        assert len(set(wrong)) == 2

    def test_the_same_seed_forges_the_same(self, server):
        event = an_event(server)
        assert list(server.forgeries(event, seed=7)) == list(server.forgeries(event, seed=7))

    def test_the_event_itself_is_true(self, live, shop):
        body, header = live.signed(an_event(live))
        assert live.post(body, header) == 200


class TestDelivering:
    def test_by_hand_as_often_as_wanted(self, live, shop):
        event = an_event(live)
        assert live.deliver(event, times=3) == [200, 200, 200]
        assert [taken.id for taken in shop.events] == [event["id"]] * 3

    def test_many_at_once_and_shuffled(self, live, shop):
        events = [an_event(live) for _ in range(10)]
        statuses = live.deliver(*events, times=5, is_shuffled=True, at_once=8)
        assert statuses == [200] * 50
        assert set(Counter(taken.id for taken in shop.events).values()) == {5}
        assert [taken.id for taken in shop.events] != [e["id"] for e in events for _ in range(5)]

    def test_to_nobody_there_is_no_answer(self, live):
        assert live.deliver(an_event(live), to="http://127.0.0.1:1/") == [NO_ANSWER]

    def test_by_itself_in_order(self, live, shop):
        client = stripe.StripeClient(live.api_key, base_addresses={"api": live.url})
        live.pay(client.v1.checkout.sessions.create(an_order()).id)
        live.wait_for_deliveries()
        assert shop.kinds == [event["type"] for event in live.events]
        assert live.undelivered == []

    @pytest.mark.parametrize(
        ("plan", "times"),
        [
            (Delivery(is_lost=True), 0),
            (Delivery(times=3), 3),
            (Delivery(times=5, is_shuffled=True), 5),
            (Delivery(late=0.3), 1),
        ],
    )
    def test_by_plan(self, live, shop, plan, times):
        live.delivery = plan
        client = stripe.StripeClient(live.api_key, base_addresses={"api": live.url})
        session = client.v1.checkout.sessions.create(an_order())
        began = time.monotonic()
        live.pay(session.id)
        live.wait_for_deliveries()
        assert time.monotonic() - began >= plan.late
        assert shop.kinds.count("checkout.session.completed") == times

    def test_what_the_shop_refused_can_be_tried_again(self, live, shop):
        shop.status = 500
        client = stripe.StripeClient(live.api_key, base_addresses={"api": live.url})
        live.expire(client.v1.checkout.sessions.create(an_order()).id)
        live.wait_for_deliveries()
        assert [post.status for post in live.posted] == [500]
        shop.status = 200
        assert live.deliver(*live.undelivered) == [200]
        assert live.undelivered == []

    async def test_what_is_done_by_request_is_told_too(self, live, shop):
        client = client_of(live)
        session = await opened(client)
        await client.v1.checkout.sessions.expire_async(session.id)
        await asyncio.to_thread(live.wait_for_deliveries)
        assert shop.kinds == ["checkout.session.expired"]


class TestTrouble:
    async def test_away_it_answers_nobody(self, client, server):
        server.is_away = True
        with pytest.raises(stripe.APIConnectionError):
            await opened(client)
        server.is_away = False
        assert (await opened(client)).status == "open"
        assert len(server.sessions) == 1

    async def test_a_lost_answer_is_found_again_by_its_key(self, client, server):
        server.swallows_answers = 1
        with pytest.raises(stripe.APIConnectionError):
            await opened(client, key="order-1")
        assert (await opened(client, key="order-1")).id == server.newest_session["id"]
        assert len(server.sessions) == 1

    async def test_the_package_tries_again_by_itself(self, server):
        server.swallows_answers = 1
        await opened(client_of(server, retries=1))
        assert len(server.sessions) == 1
        assert len({asked.idempotency_key for asked in server.requests}) == 1

    async def test_a_slow_answer_comes_all_the_same(self, client, server):
        server.delay = 0.3
        began = time.monotonic()
        assert (await opened(client)).status == "open"
        assert time.monotonic() - began >= 0.3

    async def test_a_held_answer_comes_afterwards(self, client, server):
        with server.hesitating():
            asking = asyncio.create_task(opened(client))
            while not server.requests:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            assert not server.sessions
            assert not asking.done()
        assert (await asking).status == "open"

    @pytest.mark.parametrize("nonsense", ["html", "empty", "truncated json"])
    async def test_what_is_no_json_is_an_error(self, client, server, nonsense):
        server.nonsense = nonsense
        with pytest.raises(stripe.APIError, match="Invalid response body"):
            await opened(client)
        assert len(server.sessions) == 1

    @pytest.mark.parametrize(
        ("nonsense", "error"), [("500", stripe.APIError), ("429", stripe.RateLimitError)]
    )
    async def test_turned_away_nothing_has_happened(self, client, server, nonsense, error):
        server.nonsense = nonsense
        with pytest.raises(error):
            await opened(client)
        assert server.sessions == []

    @pytest.mark.parametrize(
        ("nonsense", "said"),
        [
            ("wrong object", lambda answer: answer.object == "customer"),
            ("no url", lambda answer: answer.url is None),
            ("bad url", lambda answer: answer.url.startswith("javascript:")),
            ("other amount", lambda answer: answer.amount_total == 5000),
        ],
    )
    async def test_a_wrong_answer_looks_right_to_the_package(self, client, server, nonsense, said):
        server.nonsense = nonsense
        assert said(await opened(client))
        assert server.newest_session["amount_total"] == 4900

    async def test_an_open_door_can_close_in_the_middle_of_a_wait(self):
        with stripe_server() as server:
            server.delay = 60
            waiting = asyncio.create_task(opened(client_of(server)))
            while not server.requests:
                await asyncio.sleep(0.01)
        await asyncio.gather(waiting, return_exceptions=True)
