"""What Stripe tells: believed when it is signed, kept once, in any order, as often as it comes."""

import asyncio
import hashlib
import hmac
import json
import random
import time
from datetime import timedelta
from itertools import islice
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.sealed import unseal
from rewards_app.core.settings import settings
from rewards_app.features.accounts import closing
from rewards_app.features.payments import sandbox, webhook
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.rules import Forged, Outcome
from rewards_app.features.payments.stripe_gateway import StripeGateway
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import history_repository, service
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.rules import Status
from tests.crowds import all_at_once
from tests.paying import (
    again,
    an_order,
    ask,
    changed,
    hears,
    is_paid_at,
    letters_queued,
    mails_queued,
    newest,
    payment_of,
)
from tests.shop import PRICE, a_buyer, balance_of, buys, orders_of, stock, the_books_are_clean
from tests.stripe.at_hand import StripeAtHand
from tests.stripe.objects import Thing
from tests.stripe_server import StripeServer

COINS = 26
ORDERS = 1000
DUPLICATES = 5


def events_kept(database: str) -> list[tuple]:
    return ask(database, "select kind, outcome, payment_id is not null from payment_events")


def words_kept(database: str) -> list[Thing]:
    kept = ask(database, "select payload from payment_events")
    return [json.loads(unseal(payload)) for (payload,) in kept]


def alerts_raised(database: str) -> list[str]:
    return [kind for (kind,) in ask(database, "select alert_type from security_alerts")]


async def status_of(buyer) -> Status:
    (order,) = await orders_of(buyer)
    return order.status


class TestAPaidOrder:
    async def test_is_delivered_once_though_it_is_told_ten_times(self, stripe, database: str):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        said = await hears(stripe, *[completed] * 10)
        assert said == [Outcome.PAID] + [Outcome.NOTHING_NEW] * 9
        assert await status_of(buyer) is Status.COMPLETED
        assert await balance_of(buyer) == (0, 0)
        assert letters_queued(database) == [str(bought.purchase_id)]
        assert events_kept(database) == [("checkout.session.completed", "paid", True)]

    async def test_is_delivered_once_though_it_is_told_ten_times_at_once(self, stripe, database):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        told = await asyncio.gather(*(hears(stripe, completed) for _ in range(10)))
        said = [outcome for (outcome,) in told]
        assert sorted(said) == [Outcome.NOTHING_NEW] * 9 + [Outcome.PAID]
        assert await status_of(buyer) is Status.COMPLETED
        assert len(letters_queued(database)) == len(events_kept(database)) == 1

    async def test_told_before_its_checkout_was_kept_is_delivered(
        self, stripe: StripeServer, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        opens = StripeGateway.open

        async def opens_and_is_paid_at_once(self, asked):
            opened = await opens(self, asked)
            stripe.pay(opened.checkout_id)
            completed = newest(stripe, "checkout.session.completed")
            assert await hears(stripe, completed) == [Outcome.PAID]
            return opened

        monkeypatch.setattr(StripeGateway, "open", opens_and_is_paid_at_once)
        buyer, bought = await an_order(COINS)
        assert await status_of(buyer) is Status.COMPLETED
        assert (await payment_of(bought)).checkout_id == stripe.newest_session["id"]
        assert letters_queued(database) == [str(bought.purchase_id)]

    async def test_keeps_what_it_was_told_sealed(self, stripe: StripeServer, database: str):
        _, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        await hears(stripe, completed)
        ((kept,),) = ask(database, "select payload from payment_events")
        assert "cs_test" not in kept
        assert json.loads(unseal(kept)) == completed

    async def test_takes_its_time_with_a_way_of_paying_that_does(self, stripe, database: str):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        unpaid = changed(completed, payment_status="unpaid")
        assert await hears(stripe, unpaid) == [Outcome.STILL_OPEN]
        assert await status_of(buyer) is Status.WAITING
        assert (await payment_of(bought)).is_under_way
        later = completed | {"id": "evt_2", "type": "checkout.session.async_payment_succeeded"}
        assert await hears(stripe, later) == [Outcome.PAID]
        assert await status_of(buyer) is Status.COMPLETED

    async def test_comes_to_nothing_when_that_fails_in_the_end(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        unpaid = changed(completed, payment_status="unpaid")
        failed = unpaid | {"id": "evt_2", "type": "checkout.session.async_payment_failed"}
        said = await hears(stripe, unpaid, failed, failed)
        assert said == [Outcome.STILL_OPEN, Outcome.ENDED, Outcome.NOTHING_NEW]
        assert await status_of(buyer) is Status.FAILED
        assert await balance_of(buyer) == (COINS, 0)

    async def test_comes_to_nothing_also_where_that_is_heard_first(
        self, stripe: StripeServer, database: str
    ):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        unpaid = changed(completed, payment_status="unpaid")
        failed = unpaid | {"id": "evt_2", "type": "checkout.session.async_payment_failed"}
        assert await hears(stripe, failed, unpaid) == [Outcome.ENDED, Outcome.NOTHING_NEW]
        assert await status_of(buyer) is Status.FAILED
        assert mails_queued(database) == ["payment_refused"]


def named_by(site: str, payment_id: str) -> dict[str, Any]:
    """What a checkout says that this app opened there."""
    said = {"payment_id": payment_id, "site": site}
    return {"client_reference_id": payment_id, "metadata": said}


class TestOrder:
    """In which things are told does not matter."""

    async def test_an_expiry_after_the_payment_changes_nothing(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        expired = changed(completed, status="expired", payment_status="unpaid")
        expired |= {"id": "evt_2", "type": "checkout.session.expired"}
        assert await hears(stripe, completed, expired) == [Outcome.PAID, Outcome.NOTHING_NEW]
        assert await status_of(buyer) is Status.COMPLETED

    async def test_a_payment_after_the_expiry_goes_back_and_the_buyer_is_told(
        self, stripe: StripeServer, database: str
    ):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        expired = changed(completed, status="expired", payment_status="unpaid")
        expired |= {"id": "evt_2", "type": "checkout.session.expired"}
        assert await hears(stripe, expired) == [Outcome.ENDED]
        assert await balance_of(buyer) == (COINS, 0)
        assert await hears(stripe, completed, completed) == [Outcome.TOO_LATE, Outcome.NOTHING_NEW]
        assert await status_of(buyer) is Status.REFUNDING
        async with transaction() as session:
            assert await history_repository.coins_spent(session, buyer.user_id) == 0

        await payments.look_at_what_waits(now=utc_now())
        assert [refund["amount"] for refund in stripe.refunds] == [(PRICE - COINS) * 100]
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        assert letters_queued(database) == []
        told = ask(
            database,
            "select args->>'name' from procrastinate_jobs where task_name = 'send_mail'",
        )
        assert told == [("payment_returned",)]
        assert await the_books_are_clean()

    async def test_two_expiries_end_it_once(self, stripe: StripeServer, database: str):
        buyer, bought = await an_order(COINS)
        stripe.expire((await payment_of(bought)).checkout_id)
        expired = newest(stripe, "checkout.session.expired")
        another = expired | {"id": "evt_2"}
        said = await hears(stripe, expired, expired, another)
        assert said == [Outcome.ENDED, Outcome.NOTHING_NEW, Outcome.NOTHING_NEW]
        assert await status_of(buyer) is Status.EXPIRED
        assert len(events_kept(database)) == 2

    async def test_a_refund_that_is_told_before_its_payment_gives_no_code(
        self, stripe: StripeServer, database: str
    ):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        stripe.refund_at_dashboard(completed["data"]["object"]["payment_intent"])
        refunded = newest(stripe, "charge.refunded")
        said = await hears(stripe, refunded, completed, refunded)
        assert said == [Outcome.RETURNED, Outcome.NOTHING_NEW, Outcome.NOTHING_NEW]
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        assert letters_queued(database) == []
        await payments.look_at_what_waits(now=utc_now())
        assert len(stripe.refunds) == 1
        assert await the_books_are_clean()

    async def test_a_refund_of_a_payment_that_never_named_its_money_happens_once(
        self, stripe: StripeServer, database: str
    ):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        await hears(stripe, changed(completed, payment_intent=None))
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
        await payments.return_money((await payment_of(bought)).id)
        refunded = newest(stripe, "charge.refunded")
        assert await hears(stripe, refunded) == [Outcome.NOTHING_NEW]
        (order,) = await orders_of(buyer)
        assert (order.status, order.refund_reason) == (Status.REFUNDED, "wrong game")
        assert await balance_of(buyer) == (COINS, 0)
        mails = "select args->>'name' from procrastinate_jobs where task_name = 'send_mail'"
        assert ask(database, mails) == [("purchase_refunded",)]
        assert await the_books_are_clean()

    async def test_every_order_of_everything_that_was_told_ends_the_same(self, stripe):
        chance = random.Random(5)
        for _ in range(12):
            buyer, bought = await an_order(COINS)
            told_before = len(stripe.events)
            completed = await is_paid_at(stripe, bought)
            stripe.refund_at_dashboard(completed["data"]["object"]["payment_intent"])
            news = stripe.events[told_before:] * 2
            await hears(stripe, *chance.sample(news, len(news)))
            assert await status_of(buyer) is Status.REFUNDED
            assert await balance_of(buyer) == (COINS, 0)
        assert await the_books_are_clean()


@pytest.fixture
async def paid(stripe: StripeServer) -> Thing:
    """What Stripe tells of an order that was paid just now."""
    _, bought = await an_order(COINS)
    return await is_paid_at(stripe, bought)


def a_signature(body: bytes, secret: str) -> str:
    now = int(time.time())
    mac = hmac.new(secret.encode(), f"{now}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={now},v1={mac}"


class TestForged:
    async def test_in_two_hundred_ways_all_are_refused_and_leave_no_row(
        self, stripe: StripeServer, paid: Thing, database: str
    ):
        forgeries = list(islice(stripe.forgeries(paid, rounds=10), 200))
        assert len(forgeries) == 200
        for forgery in forgeries:
            with pytest.raises(Forged):
                await webhook.receive(forgery.body, forgery.header or "")
        assert events_kept(database) == []
        assert alerts_raised(database) == []
        assert letters_queued(database) == []
        assert await hears(stripe, paid) == [Outcome.PAID]

    async def test_with_the_sandboxs_secret_where_stripe_takes_cards(self, stripe, paid, database):
        body, _ = stripe.signed(paid)
        with pytest.raises(Forged):
            await webhook.receive(body, sandbox.signature_of(body.decode()))
        assert events_kept(database) == []

    @pytest.mark.usefixtures("database")
    async def test_with_an_empty_secret_where_nobody_uses_stripe(self, monkeypatch):
        monkeypatch.setattr(type(settings()), "offers_test_payments", False)
        assert webhook.secret() == ""
        body = b'{"id": "evt_1", "type": "x", "data": {"object": {}}}'
        with pytest.raises(Forged):
            await webhook.receive(body, a_signature(body, ""))

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"null",
            b"7",
            b"[]",
            b'"evt_1"',
            b"{}",
            b"NaN",
            b'{"id": "evt_1", "type": "x"}',
            b'{"id": "evt_1", "type": "x", "data": []}',
            b'{"id": "evt_1", "type": "x", "data": {"object": []}}',
            b'{"id": "", "type": "x", "data": {"object": {}}}',
            b'{"id": "evt_1", "type": "", "data": {"object": {}}}',
            b'{"id": 7, "type": "x", "data": {"object": {}}}',
            b'{"id": "evt_1", "type": ["x"], "data": {"object": {}}}',
            b'{"id": "%s", "type": "x", "data": {"object": {}}}' % (b"x" * 256),
            b'{"id": "evt_1", "type": "x", "data": {"object": {}}',
            b"[" * 50_000 + b"]" * 50_000,
            b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
            b'{"id": "evt_1", "type": "x", "data": {"object": {"n": %s}}}' % (b"9" * 5000),
        ],
        ids=lambda body: body[:40].decode(),
    )
    @pytest.mark.usefixtures("cards_are_taken")
    def test_or_not_it_must_be_an_event(self, body: bytes):
        """Signed with the true secret: Stripe itself would have gone mad."""
        with pytest.raises(Forged):
            webhook.opened(body, a_signature(body, "whsec_of_ours"))

    @pytest.mark.usefixtures("cards_are_taken")
    def test_or_not_it_must_be_text(self):
        with pytest.raises(Forged):
            webhook.opened(b"\xff\xfe{}", a_signature(b"\xff\xfe{}", "whsec_of_ours"))

    @pytest.fixture
    def cards_are_taken(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("STRIPE_SECRET_KEY", "sk_test_1")
        monkeypatch.setenv("STRIPE_WEBHOOK_SECRET", "whsec_of_ours")
        settings.cache_clear()
        yield
        settings.cache_clear()


class TestWhatDoesNotFit:
    """Signed by Stripe, and still not what it should be: nothing moves, and somebody is called."""

    @pytest.mark.parametrize(
        ("changes", "outcome"),
        [
            ({"amount_total": 100}, Outcome.OTHER_AMOUNT),
            ({"amount_total": (PRICE - COINS) * 100 + 1}, Outcome.OTHER_AMOUNT),
            ({"currency": "nok"}, Outcome.OTHER_AMOUNT),
            ({"id": "cs_test_of_another"}, Outcome.OTHER_CHECKOUT),
        ],
        ids=str,
    )
    async def test_other_money_or_another_checkout(
        self, stripe: StripeServer, paid: Thing, database: str, changes, outcome: Outcome
    ):
        strange = changed(paid, **changes)
        said = await hears(stripe, strange, strange, strange)
        assert said == [outcome, Outcome.NOTHING_NEW, Outcome.NOTHING_NEW]
        assert alerts_raised(database) == [f"payment_{outcome}"], "one alert for one event"
        assert ask(database, "select status from purchases") == [("waiting",)]
        assert events_kept(database) == [("checkout.session.completed", outcome, True)]
        assert await hears(stripe, paid | {"id": "evt_true"}) == [Outcome.PAID]

    async def test_another_orders_name_delivers_neither(self, stripe: StripeServer, database: str):
        _, cheap = await an_order(COINS)
        _, dear = await an_order(0, "vbucks-13500")
        wanted = str((await payment_of(dear)).id)
        completed = await is_paid_at(stripe, cheap)
        names = {"client_reference_id": wanted, "metadata": {"payment_id": wanted}}
        assert await hears(stripe, changed(completed, **names)) == [Outcome.OTHER_CHECKOUT]
        half = changed(completed, client_reference_id=wanted)
        assert await hears(stripe, half | {"id": "evt_2"}) == [Outcome.OTHER_CHECKOUT]
        assert ask(database, "select distinct status from purchases") == [("waiting",)]
        assert letters_queued(database) == []

    async def test_orders_that_nobody_knows_are_kept_once(self, stripe, paid, database: str):
        ours, of_others = str(new_id()), str(uuid4())
        here = settings().origin
        strangers = [
            named_by(here, "COIN-1"),
            named_by(here, "x" * 200),
            named_by(here, of_others),
            named_by("https://another.example.com", ours),
            named_by(here, ours) | {"client_reference_id": None},
            named_by(here, str(new_id())) | {"client_reference_id": ours},
            {"client_reference_id": ours, "metadata": {"payment_id": ours}},
            {"client_reference_id": ours, "metadata": {"site": here}},
            {"client_reference_id": ours, "metadata": {}},
            {"client_reference_id": ours, "metadata": None},
        ]
        for number, names in enumerate(strangers):
            unknown = changed(paid, **names) | {"id": f"evt_{number}"}
            assert await hears(stripe, unknown, unknown) == [Outcome.NOT_OURS] * 2
        kept = len(strangers)
        assert events_kept(database) == [("checkout.session.completed", "not_ours", False)] * kept
        assert words_kept(database) == [{}] * kept
        assert alerts_raised(database) == []

    async def test_paid_for_an_order_from_after_a_restored_backup_calls_somebody_once(
        self, stripe, paid, database: str
    ):
        checkout, payment = "cs_live_b1", str(new_id())
        lost = changed(paid, id=checkout, **named_by(settings().origin, payment))
        unpaid = changed(lost, payment_status="unpaid") | {"id": "evt_1"}
        expired = changed(unpaid, status="expired") | {"id": "evt_2"}
        assert await hears(stripe, unpaid, expired) == [Outcome.NOT_OURS] * 2
        assert alerts_raised(database) == []
        assert await hears(stripe, lost, lost, again(lost)) == [Outcome.UNKNOWN] * 3
        told = "select alert_type, severity, times, params from security_alerts"
        said = {"said": checkout, "payment": payment}
        assert ask(database, told) == [("payment_unknown", "critical", 1, said)]
        assert ask(database, "select status from purchases") == [("waiting",)]
        assert letters_queued(database) == []
        assert words_kept(database) == [{}] * 4

    async def test_of_a_lost_order_calls_nobody_again_once_somebody_has_seen_to_it(
        self, stripe, paid, database: str
    ):
        lost = changed(paid, id="cs_live_b1", **named_by(settings().origin, str(new_id())))
        await hears(stripe, lost)
        with psycopg.connect(database) as connection:
            connection.execute("update security_alerts set resolved = true, resolved_at = now()")
        assert await hears(stripe, again(lost)) == [Outcome.UNKNOWN]
        assert alerts_raised(database) == ["payment_unknown"]

    async def test_kinds_that_mean_nothing_to_us_are_kept_once(self, stripe, paid, database: str):
        strange = [
            paid | {"id": f"evt_{len(kind)}", "type": kind}
            for kind in ("invoice.paid", "checkout.session.completed.twice", "x" * 255)
        ]
        assert await hears(stripe, *strange, *strange) == [Outcome.NOT_FOR_US] * 6
        assert {outcome for _, outcome, _ in events_kept(database)} == {"not_for_us"}
        assert words_kept(database) == [{}] * 3

    async def test_what_test_cards_paid_buys_nothing_where_things_cost_money(
        self, stripe: StripeServer, paid: Thing, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(type(settings()), "sells_for_money_alone", True)
        unsaid = {name: said for name, said in paid.items() if name != "livemode"}
        assert await hears(stripe, paid, unsaid | {"id": "evt_2"}) == [Outcome.NOT_FOR_US] * 2
        assert ask(database, "select status from purchases") == [("waiting",)]
        assert words_kept(database) == [{}] * 2
        assert await hears(stripe, paid | {"id": "evt_3", "livemode": True}) == [Outcome.PAID]

    async def test_a_declined_card_leaves_the_order_open(self, stripe: StripeServer, database: str):
        buyer, bought = await an_order(COINS)
        stripe.decline((await payment_of(bought)).checkout_id)
        await hears(stripe, *stripe.events)
        assert await status_of(buyer) is Status.WAITING
        assert await hears(stripe, await is_paid_at(stripe, bought)) == [Outcome.PAID]

    async def test_an_object_that_is_no_checkout_means_nothing(self, stripe, paid, database: str):
        said = await hears(stripe, changed(paid, object="subscription"))
        assert said == [Outcome.NOT_FOR_US]
        assert ask(database, "select status from purchases") == [("waiting",)]

    async def test_a_part_that_was_returned_by_hand_calls_somebody_once(
        self, stripe: StripeServer, paid: Thing, database: str
    ):
        await hears(stripe, paid)
        stripe.refund_at_dashboard(paid["data"]["object"]["payment_intent"], amount=100)
        partly = newest(stripe, "charge.refunded")
        assert (await hears(stripe, partly, partly))[0] is Outcome.PARTLY_RETURNED
        assert alerts_raised(database) == ["payment_partly_returned"]
        assert ask(database, "select status from purchases") == [("completed",)]

    async def test_of_somebody_who_was_forgotten_no_word_is_kept(
        self, stripe: StripeServer, database: str
    ):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        assert await hears(stripe, completed) == [Outcome.PAID]
        async with transaction() as session:
            await closing.close(session, buyer.user_id, is_silent=True, now=utc_now())
        assert await erasing.erase(
            buyer.user_id, is_urgent=True, is_silent=True, now=utc_now() + timedelta(days=31)
        )
        about = {
            "id": "dp_1",
            "object": "dispute",
            "payment_intent": completed["data"]["object"]["payment_intent"],
            "evidence": {"customer_name": "Maja Quillfern"},
        }
        told = {"id": "evt_dispute", "type": "charge.dispute.created", "data": {"object": about}}
        assert await hears(stripe, told) == [Outcome.DISPUTED]
        assert alerts_raised(database) == ["payment_disputed"]
        assert words_kept(database) == [{}] * 2

    async def test_paid_by_somebody_who_was_forgotten_is_kept_without_a_word(
        self, stripe: StripeServer, database: str
    ):
        """Whoever a restored backup brings back is forgotten while their checkout is open."""
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        async with transaction() as session:
            await closing.close(session, buyer.user_id, is_silent=True, now=utc_now())
        assert await erasing.erase(
            buyer.user_id, is_urgent=True, is_silent=True, now=utc_now() + timedelta(days=31)
        )
        assert await hears(stripe, completed) == [Outcome.PAID]
        assert words_kept(database) == [{}]

    async def test_a_dispute_calls_somebody_once(
        self, stripe: StripeServer, paid: Thing, database: str
    ):
        await hears(stripe, paid)
        money = paid["data"]["object"]["payment_intent"]
        about = {"id": "dp_1", "object": "dispute", "payment_intent": money}
        told = {"id": "evt_dispute", "type": "charge.dispute.created", "data": {"object": about}}
        assert (await hears(stripe, paid | told, paid | told))[0] is Outcome.DISPUTED
        assert alerts_raised(database) == ["payment_disputed"]

    async def test_a_refund_that_failed_at_the_bank_calls_somebody_once(
        self, stripe: StripeServer, paid: Thing, database: str
    ):
        await hears(stripe, paid)
        refund = stripe.refund_at_dashboard(paid["data"]["object"]["payment_intent"])
        await hears(stripe, newest(stripe, "charge.refunded"))
        stripe.fail_refund(refund["id"])
        failed = newest(stripe, "refund.failed")
        assert (await hears(stripe, failed, failed))[0] is Outcome.REFUND_FAILED
        assert alerts_raised(database) == ["payment_refund_failed"]


class TestAThousandOrders:
    """Paid, and each told five times in any order: about thirty seconds."""

    @pytest.mark.timeout(240)
    async def test_are_delivered_once_each_with_one_letter(
        self, database: str, stripe: StripeServer, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setitem(payments.GATEWAYS, "stripe", StripeAtHand(stripe))
        await stock(ORDERS)
        orders: list[Bought] = []
        buyers = [await a_buyer(f"Player{number}") for number in range(ORDERS // 2)]

        async def buys_two(buyer) -> None:
            for _ in range(2):
                orders.append(await buys(buyer, now=utc_now()))

        assert not any(await all_at_once(buys_two(buyer) for buyer in buyers))
        for session in stripe.sessions:
            stripe.pay(session["id"])
        news = stripe.events_of("checkout.session.completed") * DUPLICATES
        random.Random(20).shuffle(news)
        told = await all_at_once(hears(stripe, event) for event in news)
        said = [outcome for outcomes in told for outcome in outcomes]
        assert said.count(Outcome.PAID) == ORDERS
        assert said.count(Outcome.NOTHING_NEW) == ORDERS * (DUPLICATES - 1)
        letters = letters_queued(database)
        assert sorted(letters) == sorted(str(order.purchase_id) for order in orders)
        assert len(events_kept(database)) == ORDERS
        assert ask(
            database,
            "select status, count(*), count(distinct purchase_id) from gift_codes group by 1",
        ) == [("delivered", ORDERS, ORDERS)]
        assert await the_books_are_clean()
