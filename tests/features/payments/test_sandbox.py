"""The provider that stands in where none is configured: the same ways, and no money."""

import json
from datetime import timedelta

import procrastinate
import pytest
import time_machine

from rewards_app.core import jobs
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.payments import jobs as payments_jobs
from rewards_app.features.payments import rules, sandbox, webhook
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.gateway import Asked
from rewards_app.features.payments.rules import CardsAreOff, Forged, Outcome, ProviderRefused
from rewards_app.features.payments.sandbox import SandboxGateway
from rewards_app.features.shop import service
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.rules import Status
from tests.core.test_settings import PRODUCTION
from tests.paying import an_order, ask, letters_queued, payment_of
from tests.queued import work_off
from tests.shop import PRICE, a_buyer, balance_of, buys, orders_of, stock

pytestmark = pytest.mark.usefixtures("database")

COINS = 26
for job in payments_jobs.JOBS:
    jobs.offer(job)


async def checkout_of(bought: Bought) -> str:
    checkout_id = (await payment_of(bought)).checkout_id
    assert checkout_id
    return checkout_id


async def pays(buyer: Actor, checkout_id: str, *, loses_webhook: bool = False) -> None:
    async with transaction() as session:
        await sandbox.pay(session, buyer, checkout_id, loses_webhook=loses_webhook, now=utc_now())


async def is_shown(buyer: Actor, checkout_id: str) -> sandbox.ShownTestCheckout:
    async with transaction() as session:
        return await sandbox.shown(session, buyer, checkout_id, now=utc_now())


def queue() -> procrastinate.App:
    return jobs.queue()


async def the_queue_runs() -> None:
    app = queue()
    async with app.open_async():
        await work_off(app, listen_notify=False)


async def status_of(buyer: Actor) -> Status:
    (order,) = await orders_of(buyer)
    return order.status


def told(database: str) -> list[str]:
    """The bodies that wait to be told to our own webhook."""
    query = f"select args->>'body' from procrastinate_jobs where task_name = '{sandbox.TELL}'"
    return [body for (body,) in ask(database, query)]


class TestATestPayment:
    async def test_shows_what_is_to_be_paid(self):
        buyer, bought = await an_order(COINS)
        shown = await is_shown(buyer, await checkout_of(bought))
        assert (shown.description, shown.amount, shown.currency, shown.status) == (
            "1000 V-Bucks",
            (PRICE - COINS) * 100,
            "sek",
            "open",
        )
        assert bought.checkout_url == f"{settings().origin}/shop/test-payment?checkout={shown.id}"

    async def test_goes_through_the_queue_and_the_webhook_and_is_delivered(self, database: str):
        buyer, bought = await an_order(COINS)
        await pays(buyer, await checkout_of(bought))
        assert await status_of(buyer) is Status.WAITING, "the page itself delivers nothing"
        await the_queue_runs()
        assert await status_of(buyer) is Status.COMPLETED
        (order,) = await orders_of(buyer)
        assert order.is_test
        assert letters_queued(database) == [str(bought.purchase_id)]

    async def test_whose_webhook_is_lost_is_found_by_asking(self, database: str):
        buyer, bought = await an_order(COINS)
        await pays(buyer, await checkout_of(bought), loses_webhook=True)
        assert told(database) == []
        with time_machine.travel(utc_now() + timedelta(minutes=2), tick=True):
            await payments.look_at_what_waits(now=utc_now())
        assert await status_of(buyer) is Status.COMPLETED

    async def test_that_is_declined_can_be_tried_again(self, database: str):
        buyer, bought = await an_order(COINS)
        checkout_id = await checkout_of(bought)
        async with transaction() as session:
            await sandbox.decline(session, buyer, checkout_id, now=utc_now())
        await the_queue_runs()
        assert await status_of(buyer) is Status.WAITING
        await pays(buyer, checkout_id)
        await the_queue_runs()
        assert await status_of(buyer) is Status.COMPLETED

    async def test_is_paid_once(self):
        buyer, bought = await an_order(COINS)
        checkout_id = await checkout_of(bought)
        await pays(buyer, checkout_id)
        for _ in range(2):
            with pytest.raises(sandbox.TestCheckoutEnded):
                await pays(buyer, checkout_id)

    async def test_of_another_is_unknown(self):
        _, bought = await an_order(COINS)
        checkout_id = await checkout_of(bought)
        stranger = await a_buyer("Eva")
        for act in (pays, is_shown):
            with pytest.raises(sandbox.UnknownTestCheckout):
                await act(stranger, checkout_id)
        with pytest.raises(sandbox.UnknownTestCheckout):
            async with transaction() as session:
                await sandbox.decline(session, stranger, checkout_id, now=utc_now())

    async def test_that_nobody_opened_is_unknown(self):
        buyer = await a_buyer()
        for name in ("", "cs_test_made_up", "' or 1=1 --", "x" * 300):
            with pytest.raises(sandbox.UnknownTestCheckout):
                await pays(buyer, name)

    async def test_whose_time_is_over_takes_no_card(self):
        buyer, bought = await an_order(COINS)
        checkout_id = await checkout_of(bought)
        with time_machine.travel(utc_now() + rules.CHECKOUT_LASTS * 2, tick=True):
            assert (await is_shown(buyer, checkout_id)).status == "expired"
            with pytest.raises(sandbox.TestCheckoutEnded):
                await pays(buyer, checkout_id)
            await payments.look_at_what_waits(now=utc_now())
        assert await status_of(buyer) is Status.EXPIRED
        assert await balance_of(buyer) == (COINS, 0)

    async def test_that_was_cancelled_takes_no_card(self):
        buyer, bought = await an_order(COINS)
        checkout_id = await checkout_of(bought)
        await service.cancel(buyer, bought.purchase_id)
        with pytest.raises(sandbox.TestCheckoutEnded):
            await pays(buyer, checkout_id)

    async def test_can_be_refunded(self, database: str):
        buyer, bought = await an_order(COINS)
        await pays(buyer, await checkout_of(bought))
        await the_queue_runs()
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
        await the_queue_runs()
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        assert ask(database, "select returned from test_checkouts") == [((PRICE - COINS) * 100,)]


class TestItsNews:
    async def test_are_signed_with_a_secret_that_only_this_installation_has(self, database: str):
        buyer, bought = await an_order(COINS)
        await pays(buyer, await checkout_of(bought))
        (body,) = told(database)
        assert webhook.secret() == sandbox.signing_secret()
        forged = json.dumps(json.loads(body) | {"id": "evt_forged"})
        with pytest.raises(Forged):
            await webhook.receive(forged.encode(), sandbox.signature_of(body))
        outcome = await webhook.receive(body.encode(), sandbox.signature_of(body))
        assert outcome is Outcome.PAID

    async def test_are_believed_nowhere_else(self, stripe, database: str):
        """An installation that takes real cards has no test payments, and no way to make any."""
        assert not settings().offers_test_payments
        body = '{"id": "evt_1", "type": "x", "data": {"object": {}}}'
        with pytest.raises(Forged):
            await webhook.receive(body.encode(), sandbox.signature_of(body))


class TestTheGateway:
    def asked(self, account_id, **changes: object) -> Asked:
        return Asked(
            **{
                "payment_id": new_id(),
                "account_id": account_id,
                "description": "1000 V-Bucks",
                "amount": 6300,
                "currency": "sek",
                "email": "maja@example.com",
                "language": "en",
                "expires_at": utc_now() + rules.CHECKOUT_LASTS,
                "paid_url": "https://app.test/paid",
                "cancelled_url": "https://app.test/cancelled",
            }
            | changes
        )

    async def test_opens_one_checkout_for_each_payment(self):
        buyer = await a_buyer()
        asked = self.asked(buyer.user_id)
        first, again = [await SandboxGateway().open(asked) for _ in range(2)]
        assert first == again
        other = await SandboxGateway().open(self.asked(buyer.user_id))
        assert other.checkout_id != first.checkout_id

    @pytest.mark.parametrize("question", ["find", "close"])
    async def test_does_not_know_what_it_never_opened(self, question: str):
        with pytest.raises(ProviderRefused):
            await getattr(SandboxGateway(), question)("cs_test_made_up")

    async def test_pays_back_what_was_paid_and_no_more(self):
        buyer, bought = await an_order(COINS)
        await pays(buyer, await checkout_of(bought), loses_webhook=True)
        payment = await payment_of(bought)
        found = await SandboxGateway().find(await checkout_of(bought))
        assert found.intent_id
        refund = await SandboxGateway().pay_back(payment.id, found.intent_id, found.amount)
        assert refund == await SandboxGateway().pay_back(payment.id, found.intent_id, found.amount)
        for intent_id, amount in ((found.intent_id, found.amount + 1), ("pi_test_other", 100)):
            with pytest.raises(ProviderRefused):
                await SandboxGateway().pay_back(payment.id, intent_id, amount)


class TestInProduction:
    async def test_nobody_buys_by_a_test_payment(self, monkeypatch):
        buyer = await a_buyer()
        await stock(1)
        await stock(1, is_demo=True)
        for name, value in PRODUCTION.items():
            monkeypatch.setenv(name, value)
        settings.cache_clear()
        with pytest.raises(CardsAreOff):
            await buys(buyer)
        assert webhook.secret() == ""
