"""What Stripe is asked for, and what becomes of a purchase on Stripe's bad days."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
import stripe as package
import time_machine
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.payments import rules, stripe_gateway
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.rules import Outcome, ProviderAway, ProviderRefused
from rewards_app.features.payments.stripe_gateway import StripeGateway, checkout_from
from rewards_app.features.shop import books, buying, purse
from rewards_app.features.shop import rules as shop
from rewards_app.features.shop.rules import Status
from rewards_app.i18n import languages
from rewards_app.i18n.catalogues import interface
from tests import certificates
from tests.paying import an_order, ask, hears, is_paid_at, newest, payment_of
from tests.shop import PRICE, THE_PACKAGE, a_buyer, a_wish, balance_of, buys, orders_of, stock
from tests.stripe import objects
from tests.stripe.nonsense import Nonsense
from tests.stripe_server import StripeServer

COINS = 26
NO_ANSWERS: tuple[Nonsense, ...] = ("html", "empty", "truncated json", "wrong object", "500", "429")


@pytest.fixture(autouse=True)
def _asks_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package.HTTPXClient, "INITIAL_DELAY", 0.01)
    monkeypatch.setattr(package.HTTPXClient, "MAX_DELAY", 0.02)


@pytest.fixture
def impatient(stripe: StripeServer, monkeypatch: pytest.MonkeyPatch) -> StripeServer:
    """As patient as the app is, but in tenths of seconds."""
    monkeypatch.setattr(stripe_gateway, "SECONDS_FOR_AN_ANSWER", 1)
    monkeypatch.setattr(stripe_gateway, "SECONDS_IN_ALL", 2)
    stripe_gateway._client.cache_clear()
    return stripe


async def a_buyer_before_stock(coins_owned: int = COINS) -> Actor:
    await stock(1)
    return await a_buyer(coins_owned=coins_owned)


def failed_by(reason: str) -> float:
    """As operators are told it."""
    name = "watchcoins_provider_failures_total"
    return REGISTRY.get_sample_value(name, {"reason": reason}) or 0


async def fails_to_buy(buyer: Actor) -> None:
    with pytest.raises(shop.PurchaseFailed) as refusal:
        await buys(buyer, COINS, now=utc_now())
    english = interface("en")
    said = english[refusal.value.title], english[refusal.value.text_key]
    assert said == ("Purchase Failed", "Failed to complete purchase. Please try again.")


async def is_as_if_nothing_had_happened(buyer: Actor) -> None:
    """Coins and code are free again; the order is there to see, and failed."""
    assert await balance_of(buyer) == (COINS, 0)
    assert [order.status for order in await orders_of(buyer)] == [Status.FAILED]
    async with transaction() as session:
        assert THE_PACKAGE in (await purse.purse_of(session, buyer, now=utc_now())).in_stock
        assert (await books.check(session)).is_clean


class TestWhatIsAskedFor:
    async def test_is_exactly_this_purchase(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        payment = await payment_of(bought)
        (asked,) = stripe.requests
        assert (asked.method, asked.path) == ("POST", "/v1/checkout/sessions")
        back = f"{settings().origin}/shop/orders?order={bought.purchase_id}&came="
        assert asked.form == {
            "mode": "payment",
            "client_reference_id": str(payment.id),
            "metadata[payment_id]": str(payment.id),
            "metadata[site]": settings().origin,
            "payment_intent_data[metadata][payment_id]": str(payment.id),
            "line_items[0][quantity]": "1",
            "line_items[0][price_data][currency]": "sek",
            "line_items[0][price_data][unit_amount]": str((PRICE - COINS) * 100),
            "line_items[0][price_data][product_data][name]": "1000 V-Bucks",
            "customer_email": buyer.email,
            "locale": "en",
            "expires_at": str(int(payment.expires_at.timestamp())),
            "success_url": f"{back}paid",
            "cancel_url": f"{back}cancelled",
        }

    async def test_is_asked_for_once_for_each_payment(self, stripe: StripeServer):
        _, bought = await an_order()
        (asked,) = stripe.requests
        assert asked.idempotency_key == f"checkout-{(await payment_of(bought)).id}"

    async def test_lasts_a_little_longer_than_stripes_shortest(self, stripe: StripeServer):
        before = utc_now()
        _, bought = await an_order()
        ends = (await payment_of(bought)).expires_at
        assert timedelta(minutes=30) < ends - before
        assert ends - utc_now() <= rules.CHECKOUT_LASTS

    async def test_is_in_the_buyers_language_if_stripe_speaks_it(self, stripe: StripeServer):
        await stock(len(languages.CODES) + 1)
        asked = {}
        for language in (*languages.CODES, "tlh"):
            buyer = await a_buyer()
            await buying.buy(buyer, a_wish(), language=language, now=utc_now())
            asked[language] = stripe.requests[-1].form["locale"]
        assert asked == {code: code for code in languages.CODES} | {"tlh": "auto"}

    async def test_is_paid_where_stripe_says(self, stripe: StripeServer):
        _, bought = await an_order()
        assert bought.checkout_url == stripe.newest_session["url"]

    async def test_names_our_own_address_wherever_it_was_asked_from(self, stripe, monkeypatch):
        monkeypatch.setenv("PUBLIC_URL", "https://play.example.com")
        settings.cache_clear()
        await an_order()
        form = stripe.requests[-1].form
        for way in ("success_url", "cancel_url"):
            assert form[way].startswith("https://play.example.com/shop/orders?order=")

    async def test_is_nothing_at_all_for_coins_alone(self, stripe: StripeServer):
        buyer = await a_buyer_before_stock(PRICE)
        assert (await buys(buyer, PRICE, now=utc_now())).status is Status.COMPLETED
        assert stripe.requests == []

    async def test_is_nothing_at_all_when_the_stock_is_empty(self, stripe: StripeServer):
        buyer = await a_buyer(coins_owned=COINS)
        with pytest.raises(shop.SoldOut):
            await buys(buyer, COINS, now=utc_now())
        assert stripe.requests == []


class TestStripeOnABadDay:
    async def test_away_fails_the_purchase_and_sells_again_once_it_is_back(
        self, stripe: StripeServer
    ):
        buyer = await a_buyer_before_stock()
        failures_before = failed_by("away")
        stripe.is_away = True
        await fails_to_buy(buyer)
        assert failed_by("away") > failures_before
        await is_as_if_nothing_had_happened(buyer)

        stripe.is_away = False
        assert (await buys(buyer, COINS, now=utc_now())).status is Status.WAITING

    async def test_too_slow_fails_the_purchase(self, impatient: StripeServer):
        buyer = await a_buyer_before_stock()
        impatient.delay = 30
        await fails_to_buy(buyer)
        await is_as_if_nothing_had_happened(buyer)

    async def test_slow_is_waited_for(self, stripe: StripeServer):
        buyer = await a_buyer_before_stock()
        stripe.delay = 0.3
        assert (await buys(buyer, COINS, now=utc_now())).checkout_url

    async def test_talking_nonsense_of_any_kind_fails_the_purchase(self, stripe: StripeServer):
        for nonsense in get_args(Nonsense):
            buyer = await a_buyer_before_stock()
            stripe.nonsense = nonsense
            await fails_to_buy(buyer)
            await is_as_if_nothing_had_happened(buyer)

    async def test_that_refuses_our_key_fails_the_purchase(self, stripe, monkeypatch):
        monkeypatch.setenv("STRIPE_SECRET_KEY", "sk_test_of_somebody_else")
        settings.cache_clear()
        stripe_gateway._client.cache_clear()
        buyer = await a_buyer_before_stock()
        failures_before = failed_by("key_refused")
        with capture_logs() as logs:
            await fails_to_buy(buyer)
        assert ("error", "stripe.key_refused") in [
            (line["log_level"], line["event"]) for line in logs
        ]
        assert failed_by("key_refused") > failures_before
        await is_as_if_nothing_had_happened(buyer)

    async def test_that_refuses_what_we_ask_for_fails_the_purchase(self, stripe: StripeServer):
        buyer = await a_buyer_before_stock()
        with time_machine.travel(utc_now() - timedelta(hours=2)):
            asked_too_early = utc_now()
        with pytest.raises(shop.PurchaseFailed):
            await buys(buyer, COINS, now=asked_too_early)
        await is_as_if_nothing_had_happened(buyer)

    async def test_whose_first_answer_is_lost_is_asked_again_and_opens_one_checkout(self, stripe):
        buyer = await a_buyer_before_stock()
        stripe.swallows_answers = 1
        bought = await buys(buyer, COINS, now=utc_now())
        assert bought.checkout_url == stripe.newest_session["url"]
        assert len(stripe.sessions) == 1
        assert len({asked.idempotency_key for asked in stripe.requests}) == 1

    async def test_whose_answers_are_lost_gets_the_money_sent_back_that_it_takes_later(
        self, stripe: StripeServer, database: str
    ):
        buyer = await a_buyer_before_stock()
        stripe.swallows_answers = 2
        await fails_to_buy(buyer)
        await is_as_if_nothing_had_happened(buyer)

        (session,) = stripe.sessions
        stripe.pay(session["id"])
        completed = newest(stripe, "checkout.session.completed")
        assert await hears(stripe, completed, completed) == [Outcome.TOO_LATE, Outcome.NOTHING_NEW]
        assert [order.status for order in await orders_of(buyer)] == [Status.REFUNDING]

        (order,) = await orders_of(buyer)
        await payments.return_money((await payment_of(order.id)).id)
        (refund,) = stripe.refunds
        assert refund["amount"] == (PRICE - COINS) * 100
        assert [order.status for order in await orders_of(buyer)] == [Status.REFUNDED]
        assert await balance_of(buyer) == (COINS, 0)
        assert ask(database, "select count(*) from gift_codes where status = 'free'") == [(1,)]


class TestACertificate:
    """Of whoever answers for Stripe."""

    @pytest.fixture
    def shown(
        self, stripe: StripeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Callable[..., None]:
        def show(*certificate: str, is_trusted: bool) -> None:
            stripe.speak_tls(certificates.signed_by_itself(tmp_path, *certificate))
            if is_trusted:
                trusted = str(tmp_path / certificates.NAME)
                monkeypatch.setattr(package, "ca_bundle_path", trusted)
            monkeypatch.setenv("STRIPE_API_BASE", stripe.url)
            settings.cache_clear()
            stripe_gateway._client.cache_clear()

        return show

    async def test_that_is_trusted_is_spoken_to(self, stripe: StripeServer, shown):
        shown(*certificates.OF_THIS_MACHINE, is_trusted=True)
        with pytest.raises(ProviderRefused):
            await StripeGateway().find("cs_test_made_up")
        assert len(stripe.requests) == 1

    @pytest.mark.parametrize(
        ("certificate", "is_trusted"),
        [(certificates.OF_THIS_MACHINE, False), (certificates.OF_ANOTHER, True)],
        ids=["of nobody we trust", "of another"],
    )
    async def test_that_is_foreign_is_told_nothing(
        self, stripe: StripeServer, shown, certificate: tuple[str, ...], is_trusted: bool
    ):
        shown(*certificate, is_trusted=is_trusted)
        with pytest.raises(ProviderAway):
            await StripeGateway().find("cs_test_made_up")
        assert stripe.requests == []


class TestAskingLater:
    async def test_tells_an_open_a_paid_and_an_expired_checkout_apart(self, stripe: StripeServer):
        found = []
        for act in (lambda _: None, stripe.pay, stripe.expire):
            _, bought = await an_order()
            checkout_id = (await payment_of(bought)).checkout_id
            act(checkout_id)
            found.append(await StripeGateway().find(checkout_id))
        assert [(one.is_paid, one.is_expired) for one in found] == [
            (False, False),
            (True, False),
            (False, True),
        ]
        assert [bool(one.intent_id) for one in found] == [False, True, False]

    async def test_closing_leaves_a_paid_checkout_paid(self, stripe: StripeServer):
        _, bought = await an_order()
        await is_paid_at(stripe, bought)
        closed = await StripeGateway().close((await payment_of(bought)).checkout_id)
        assert (closed.is_paid, closed.is_expired) == (True, False)

    async def test_closing_twice_is_closing_once(self, stripe: StripeServer):
        _, bought = await an_order()
        checkout_id = (await payment_of(bought)).checkout_id
        for _ in range(2):
            assert (await StripeGateway().close(checkout_id)).is_expired

    async def test_an_unknown_checkout_is_a_refusal(self, stripe: StripeServer):
        with pytest.raises(ProviderRefused) as refusal:
            await StripeGateway().find("cs_test_made_up")
        assert refusal.value.reason == "resource_missing"

    async def test_with_a_key_that_may_not_know_is_a_defect_that_is_logged(
        self, stripe: StripeServer
    ):
        _, bought = await an_order()
        stripe.may_read_payments = False
        with capture_logs() as logs, pytest.raises(ProviderAway):
            await StripeGateway().find((await payment_of(bought)).checkout_id)
        assert [(line["log_level"], line["event"]) for line in logs] == [
            ("error", "stripe.key_refused")
        ]

    async def test_nonsense_is_no_answer(self, stripe: StripeServer):
        _, bought = await an_order()
        checkout_id = (await payment_of(bought)).checkout_id
        for stripe.nonsense in NO_ANSWERS:
            for question in (StripeGateway().find, StripeGateway().close):
                with pytest.raises(ProviderAway):
                    await question(checkout_id)


class TestPayingBack:
    @pytest.fixture
    async def paid(self, stripe: StripeServer) -> payments.DuePayment:
        _, bought = await an_order(COINS)
        await hears(stripe, await is_paid_at(stripe, bought))
        return await payment_of(bought)

    async def returns(self, paid: payments.DuePayment) -> str:
        return await StripeGateway().pay_back(paid.id, paid.intent_id, paid.charged)

    async def test_asks_for_exactly_what_was_charged(self, stripe: StripeServer, paid):
        assert await self.returns(paid) == stripe.refunds[0]["id"]
        asked = stripe.requests[-1]
        assert asked.idempotency_key == f"refund-{paid.id}"
        assert asked.form == {
            "payment_intent": paid.intent_id,
            "amount": str((PRICE - COINS) * 100),
            "metadata[payment_id]": str(paid.id),
        }

    async def test_asked_twice_returns_it_once(self, stripe: StripeServer, paid):
        assert await self.returns(paid) == await self.returns(paid)
        assert len(stripe.refunds) == 1

    async def test_whose_answer_was_lost_returns_it_once(self, stripe: StripeServer, paid):
        stripe.swallows_answers = 1
        assert await self.returns(paid) == stripe.refunds[0]["id"]
        assert len(stripe.refunds) == 1

    async def test_takes_what_was_returned_by_hand_for_returned(self, stripe: StripeServer, paid):
        stripe.refund_at_dashboard(paid.intent_id)
        assert await self.returns(paid) == f"before:{paid.intent_id}"

    async def test_is_content_with_a_refund_that_is_on_its_way(self, stripe: StripeServer, paid):
        stripe.refund_outcome = "pending"
        assert await self.returns(paid) == stripe.refunds[0]["id"]

    async def test_does_not_take_a_failed_refund_for_one(self, stripe: StripeServer, paid):
        stripe.refund_outcome = "failed"
        with pytest.raises(ProviderAway):
            await self.returns(paid)

    async def test_that_was_partly_done_by_hand_returns_the_rest(self, stripe: StripeServer, paid):
        stripe.refund_at_dashboard(paid.intent_id, amount=100)
        assert await self.returns(paid) == stripe.refunds[1]["id"]
        assert [refund["amount"] for refund in stripe.refunds] == [100, paid.charged - 100]
        assert await self.returns(paid) == f"before:{paid.intent_id}"
        assert len(stripe.refunds) == 2

    async def test_does_not_count_a_part_that_did_not_arrive(self, stripe: StripeServer, paid):
        failed = stripe.refund_at_dashboard(paid.intent_id, amount=100)
        stripe.refund_at_dashboard(paid.intent_id, amount=200)
        stripe.fail_refund(failed["id"])
        await self.returns(paid)
        assert [refund["amount"] for refund in stripe.refunds][1:] == [200, paid.charged - 200]

    async def test_that_is_refused_for_another_reason_stays_refused(self, stripe, paid):
        stripe.dispute(paid.intent_id)
        with pytest.raises(ProviderRefused) as refusal:
            await self.returns(paid)
        assert refusal.value.reason == "charge_disputed"
        assert stripe.refunds == []

    async def test_does_not_take_nonsense_for_a_refund(self, stripe: StripeServer, paid):
        for stripe.nonsense in NO_ANSWERS:
            with pytest.raises(ProviderAway):
                await self.returns(paid)


def a_session(**changes: object) -> dict[str, Any]:
    wanted = {
        "line_items": [{"quantity": 1, "price_data": {"currency": "sek", "unit_amount": 6300}}],
        "success_url": "https://play.example.com",
        "client_reference_id": "order-1",
        "metadata": {"payment_id": "order-1"},
    }
    return objects.checkout_session(wanted, base="https://stripe.test", now=0) | changes


class TestCheckoutFrom:
    def test_reads_what_stripe_writes(self):
        read = checkout_from(a_session(payment_intent="pi_1"))
        assert (read.amount, read.currency, read.intent_id) == (6300, "sek", "pi_1")
        assert read.references == {"order-1"}

    def test_finds_an_expanded_intents_name(self):
        assert checkout_from(a_session(payment_intent={"id": "pi_1"})).intent_id == "pi_1"

    @pytest.mark.parametrize(
        ("status", "payment_status", "is_paid"),
        [
            ("complete", "paid", True),
            ("complete", "unpaid", False),
            ("complete", "no_payment_required", False),
            ("open", "paid", False),
            ("expired", "paid", False),
        ],
    )
    def test_is_paid_when_it_is_complete_and_paid(self, status, payment_status, is_paid):
        found = a_session(status=status, payment_status=payment_status)
        assert checkout_from(found).is_paid is is_paid

    @pytest.mark.parametrize(
        ("status", "payment_status", "intent", "is_under_way"),
        [
            ("complete", "unpaid", "pi_1", True),
            ("complete", "unpaid", {"id": "pi_1", "status": "processing"}, True),
            ("complete", "unpaid", {"id": "pi_1", "status": "canceled"}, False),
            ("complete", "paid", "pi_1", False),
            ("open", "unpaid", None, False),
            ("expired", "unpaid", None, False),
        ],
    )
    def test_is_under_way_when_it_is_complete_and_may_still_be_paid(
        self, status, payment_status, intent, is_under_way
    ):
        found = a_session(status=status, payment_status=payment_status, payment_intent=intent)
        assert checkout_from(found).is_under_way is is_under_way

    def test_knows_every_name_that_it_is_given(self):
        found = a_session(client_reference_id="order-1", metadata={"payment_id": "order-2"})
        assert checkout_from(found).references == {"order-1", "order-2"}

    @pytest.mark.parametrize(
        "changes",
        [
            {"object": "customer"},
            {"id": None},
            {"id": 7},
            {"amount_total": None},
            {"amount_total": "6300"},
            {"amount_total": 63.0},
            {"amount_total": True},
            {"currency": None},
            {"currency": ["sek"]},
        ],
        ids=repr,
    )
    def test_refuses_what_is_no_checkout_session(self, changes: dict[str, object]):
        with pytest.raises(ProviderAway):
            checkout_from(a_session(**changes))

    @pytest.mark.parametrize(
        "taken",
        [
            {"amount_received": 6300, "currency": "eur"},
            {"amount_received": 6400, "currency": "sek"},
            {"amount_received": "6300", "currency": "sek"},
            {"amount_received": 0, "currency": "sek"},
            {"currency": "sek"},
        ],
        ids=repr,
    )
    def test_is_not_paid_by_a_payment_of_something_else(self, taken: dict[str, object]):
        paid = {"status": "complete", "payment_status": "paid"}
        right = {"id": "pi_1", "amount_received": 6300, "currency": "sek"}
        assert checkout_from(a_session(payment_intent=right, **paid)).is_paid
        with pytest.raises(ProviderAway):
            checkout_from(a_session(payment_intent={"id": "pi_1", **taken}, **paid))

    @pytest.mark.parametrize("metadata", [None, [], "x", {}, {"payment_id": ""}])
    def test_does_without_what_stripe_leaves_out(self, metadata: object):
        found = a_session(client_reference_id=None, metadata=metadata)
        assert checkout_from(found).references == frozenset()


class TestWhereThePayerGoes:
    @pytest.fixture
    def _live(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setenv("STRIPE_SECRET_KEY", "sk_live_1")
        monkeypatch.setenv("STRIPE_WEBHOOK_SECRET", "whsec_1")
        settings.cache_clear()
        yield
        settings.cache_clear()

    @pytest.mark.usefixtures("_live")
    @pytest.mark.parametrize(
        "url",
        [
            None,
            "",
            7,
            "http://checkout.stripe.com/c/pay",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "/shop",
        ],
    )
    def test_is_no_other_address_than_one_of_the_web(self, url: object):
        with pytest.raises(ProviderAway):
            stripe_gateway._address(url)

    @pytest.mark.usefixtures("_live")
    def test_is_stripes_page(self):
        address = "https://checkout.stripe.com/c/pay/cs_live_1#x"
        assert stripe_gateway._address(address) == address
