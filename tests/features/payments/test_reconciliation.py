"""What nobody told us is asked for: soon, then less and less often, until it is settled."""

from datetime import timedelta

import pytest
import time_machine

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.payments import rules, stripe_gateway
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.rules import Outcome, ProviderAway, ProviderRefused
from rewards_app.features.payments.stripe_gateway import StripeGateway
from rewards_app.features.shop import rules as shop
from rewards_app.features.shop import service
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.rules import Status
from rewards_app.i18n import catalogues
from tests.paying import (
    an_order,
    ask,
    hears,
    is_paid_at,
    letters_queued,
    mails_queued,
    newest,
    payment_of,
)
from tests.shop import PRICE, a_buyer, balance_of, buys, orders_of, stock, the_books_are_clean
from tests.stripe_server import StripeServer

COINS = 26
DUE = (PRICE - COINS) * 100
MINUTE = timedelta(minutes=1)


@pytest.fixture
def clock():
    """Time goes on as ever, and jumps when the test says so."""
    with time_machine.travel(utc_now(), tick=True) as traveller:
        yield traveller


async def looks(clock, after: timedelta) -> int:
    clock.shift(after)
    return await payments.look_at_what_waits(now=utc_now())


async def status_of(buyer: Actor) -> Status:
    (order,) = await orders_of(buyer)
    return order.status


class TestALostWebhook:
    async def test_is_made_good_and_delivers_once(self, stripe, clock, database: str):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        assert await looks(clock, 2 * MINUTE) == 1
        assert await status_of(buyer) is Status.COMPLETED
        assert await looks(clock, 60 * MINUTE) == 0
        assert await hears(stripe, completed) == [Outcome.NOTHING_NEW]
        assert letters_queued(database) == [str(bought.purchase_id)]

    @pytest.mark.parametrize("minutes", [0, 1, 5, 14, 22, 29])
    async def test_is_made_good_within_a_minute_whenever_it_was_paid(
        self, stripe, clock, minutes: int
    ):
        buyer, bought = await an_order(COINS)
        await looks(clock, timedelta(seconds=59))
        for _ in range(minutes):
            await looks(clock, MINUTE)
        assert await status_of(buyer) is Status.WAITING
        await is_paid_at(stripe, bought)
        await looks(clock, MINUTE)
        assert await status_of(buyer) is Status.COMPLETED

    async def test_is_not_waited_for_once_the_player_comes_back(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        await is_paid_at(stripe, bought)
        await service.come_back(buyer, bought.purchase_id, has_cancelled=False)
        assert await status_of(buyer) is Status.COMPLETED

    async def test_of_a_payment_that_has_ended_otherwise_returns_the_money(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        await is_paid_at(stripe, bought)
        with pytest.raises(shop.AlreadyPaid):
            await service.cancel(buyer, bought.purchase_id)
        assert await status_of(buyer) is Status.COMPLETED


class TestNobodyPays:
    async def test_an_expired_checkout_gives_coins_and_code_back(self, stripe, clock, database):
        buyer, _ = await an_order(COINS)
        await looks(clock, rules.CHECKOUT_LASTS + 2 * MINUTE)
        assert await status_of(buyer) is Status.EXPIRED
        assert await balance_of(buyer) == (COINS, 0)
        assert ask(database, "select count(*) from gift_codes where status = 'free'") == [(1,)]

    async def test_an_open_checkout_is_left_open_until_its_time_is_over(self, stripe, clock):
        buyer, _ = await an_order(COINS)
        for _ in range(6):
            await looks(clock, 5 * MINUTE)
            assert await status_of(buyer) is Status.WAITING
        await looks(clock, 3 * MINUTE)
        assert await status_of(buyer) is Status.EXPIRED

    async def test_one_that_the_provider_leaves_open_is_closed(self, stripe, clock, database):
        """Its clock is behind ours: who pays there now would be too late."""
        buyer, _ = await an_order(COINS)
        ask(database, "update payments set expires_at = now() - interval '1 hour' returning id")
        await looks(clock, 2 * MINUTE)
        assert stripe.newest_session["status"] == "expired"
        assert await status_of(buyer) is Status.EXPIRED


class TestAWayOfPayingThatTakesDays:
    async def test_is_waited_for_long_after_its_checkout_is_over(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        stripe.promise_to_pay((await payment_of(bought)).checkout_id)
        for after in (MINUTE, 60 * MINUTE, 24 * 60 * MINUTE):
            await looks(clock, after)
            assert await status_of(buyer) is Status.WAITING
        assert (await balance_of(buyer))[0] == 0

    async def test_is_told_to_its_payer_who_has_nothing_left_to_pay(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        (order,) = await orders_of(buyer)
        assert (order.is_under_way, bool(order.checkout_url)) == (False, True)
        stripe.promise_to_pay((await payment_of(bought)).checkout_id)
        await service.look_again(buyer, bought.purchase_id)
        (order,) = await orders_of(buyer)
        assert (order.status, order.is_under_way) == (Status.WAITING, True)
        assert (order.checkout_url, order.expires_at) == (None, None)

    async def test_cannot_be_cancelled_and_says_why(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        stripe.promise_to_pay((await payment_of(bought)).checkout_id)
        with pytest.raises(shop.PaymentUnderWay):
            await service.cancel(buyer, bought.purchase_id)
        (order,) = await orders_of(buyer)
        assert (order.status, order.is_under_way) == (Status.WAITING, True)

    async def test_is_noticed_by_the_job_where_nobody_comes_back(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        stripe.promise_to_pay((await payment_of(bought)).checkout_id)
        await looks(clock, 2 * MINUTE)
        (order,) = await orders_of(buyer)
        assert order.is_under_way

    async def test_and_arrives_is_no_more_under_way_than_one_that_was_refused(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        checkout = (await payment_of(bought)).checkout_id
        promised = stripe.promise_to_pay(checkout)
        await service.look_again(buyer, bought.purchase_id)
        arrived = newest(stripe, "checkout.session.completed") | {
            "id": "evt_arrived",
            "type": "checkout.session.async_payment_succeeded",
            "data": {"object": promised | {"payment_status": "paid"}},
        }
        assert await hears(stripe, arrived) == [Outcome.PAID]
        (order,) = await orders_of(buyer)
        assert (order.status, order.is_under_way) == (Status.COMPLETED, False)

    async def test_and_was_refused_in_the_end_gives_everything_back_without_a_word_from_stripe(
        self, stripe, clock, database: str
    ):
        buyer, bought = await an_order(COINS)
        checkout = (await payment_of(bought)).checkout_id
        stripe.promise_to_pay(checkout)
        await looks(clock, 2 * MINUTE)
        stripe.break_the_promise(checkout)
        for _ in range(2):
            await looks(clock, 24 * 60 * MINUTE)
        assert await status_of(buyer) is Status.FAILED
        assert mails_queued(database) == ["payment_refused"]
        assert await balance_of(buyer) == (COINS, 0)
        assert ask(database, "select count(*) from gift_codes where purchase_id is null") == [(1,)]
        assert await the_books_are_clean()

    async def test_and_was_refused_before_anybody_looked_has_failed_too(
        self, stripe, clock, database: str
    ):
        buyer, bought = await an_order(COINS)
        checkout = (await payment_of(bought)).checkout_id
        stripe.promise_to_pay(checkout)
        stripe.break_the_promise(checkout)
        await looks(clock, 24 * 60 * MINUTE)
        assert await status_of(buyer) is Status.FAILED
        assert mails_queued(database) == ["payment_refused"]

    async def test_and_was_refused_is_no_cancellation_by_whom_it_kept_from_cancelling(
        self, stripe, clock, database: str
    ):
        buyer, bought = await an_order(COINS)
        checkout = (await payment_of(bought)).checkout_id
        stripe.promise_to_pay(checkout)
        with pytest.raises(shop.PaymentUnderWay):
            await service.cancel(buyer, bought.purchase_id)
        stripe.break_the_promise(checkout)
        await looks(clock, 24 * 60 * MINUTE)
        assert await status_of(buyer) is Status.FAILED
        assert mails_queued(database) == ["payment_refused"]

    async def test_and_was_refused_can_be_cancelled_at_once(self, stripe, clock):
        buyer, bought = await an_order(COINS)
        checkout = (await payment_of(bought)).checkout_id
        stripe.promise_to_pay(checkout)
        stripe.break_the_promise(checkout)
        await service.cancel(buyer, bought.purchase_id)
        assert await status_of(buyer) is Status.CANCELLED
        assert await balance_of(buyer) == (COINS, 0)


class TestAnOpenerThatDied:
    async def test_before_its_checkout_was_kept_gives_everything_back(
        self, stripe: StripeServer, clock, database: str
    ):
        buyer, bought = await an_order(COINS)
        await dies_before_it_is_kept(database, bought)
        assert await looks(clock, timedelta(seconds=50)) == 0
        assert await status_of(buyer) is Status.WAITING
        await looks(clock, timedelta(seconds=20))
        assert await status_of(buyer) is Status.FAILED
        assert await balance_of(buyer) == (COINS, 0)

    async def test_is_paid_back_what_somebody_paid_there_all_the_same(
        self, stripe: StripeServer, clock, database: str
    ):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        await dies_before_it_is_kept(database, bought)
        await looks(clock, 2 * MINUTE)
        assert await hears(stripe, completed) == [Outcome.TOO_LATE]
        await looks(clock, 2 * MINUTE)
        assert len(stripe.refunds) == 1
        assert await status_of(buyer) is Status.REFUNDED

    async def test_only_slept_and_then_shows_nobody_where_to_pay(
        self, stripe: StripeServer, clock, monkeypatch: pytest.MonkeyPatch
    ):
        opens = StripeGateway.open

        async def opens_slowly(self, asked):
            opened = await opens(self, asked)
            await looks(clock, 2 * MINUTE)
            return opened

        monkeypatch.setattr(StripeGateway, "open", opens_slowly)
        await stock(1)
        buyer = await a_buyer(coins_owned=COINS)
        with pytest.raises(shop.PurchaseFailed):
            await buys(buyer, COINS, now=utc_now())
        assert stripe.newest_session["status"] == "expired"
        assert await status_of(buyer) is Status.FAILED
        assert await balance_of(buyer) == (COINS, 0)


async def dies_before_it_is_kept(database: str, bought: Bought) -> None:
    query = (
        "update payments set status = 'opening', checkout_id = null, checkout_url = null,"
        " look_at = created_at + interval '60 seconds' where subject_id = %s returning id"
    )
    assert ask(database, query, bought.purchase_id)


class TestAProviderThatIsAway:
    async def test_changes_nothing_and_is_asked_again_later(self, stripe, clock, database: str):
        buyer, bought = await an_order(COINS)
        await is_paid_at(stripe, bought)
        clock.shift(rules.CHECKOUT_LASTS)
        stripe.is_away = True
        waits = []
        for _ in range(4):
            await looks(clock, 20 * MINUTE)
            ((next_look,),) = ask(database, "select look_at from payments")
            waits.append(next_look - utc_now())
            assert await status_of(buyer) is Status.WAITING
            assert await balance_of(buyer) == (0, COINS)
        assert waits == sorted(waits)
        assert timedelta(0) < waits[0] <= waits[-1] <= rules.LONGEST_BETWEEN_LOOKS
        stripe.is_away = False
        await looks(clock, 20 * MINUTE)
        assert await status_of(buyer) is Status.COMPLETED

    @pytest.mark.parametrize("failure", [ProviderAway, ProviderRefused, RuntimeError])
    async def test_keeps_nobody_else_waiting(self, stripe, clock, monkeypatch, failure: type):
        """Nor does one that breaks in a way that nobody has foreseen."""
        orders = [await an_order(COINS) for _ in range(3)]
        for _, bought in orders:
            await is_paid_at(stripe, bought)
        broken = (await payment_of(orders[0][1])).checkout_id
        finds = StripeGateway.find

        async def finds_all_but_one(self, checkout_id: str):
            if checkout_id == broken:
                raise failure
            return await finds(self, checkout_id)

        monkeypatch.setattr(StripeGateway, "find", finds_all_but_one)
        await looks(clock, 2 * MINUTE)
        states = [await status_of(buyer) for buyer, _ in orders]
        assert states == [Status.WAITING, Status.COMPLETED, Status.COMPLETED]
        monkeypatch.setattr(StripeGateway, "find", finds)
        await looks(clock, 2 * MINUTE)
        assert await status_of(orders[0][0]) is Status.COMPLETED

    async def test_that_takes_no_cards_any_more_keeps_nobody_else_waiting(
        self, stripe: StripeServer, clock, monkeypatch: pytest.MonkeyPatch
    ):
        """The keys were taken out of the settings while an order was open."""
        buyer, _ = await an_order(COINS)
        for name in ("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"):
            monkeypatch.delenv(name)
        settings.cache_clear()
        stripe_gateway._client.cache_clear()
        eva, _ = await an_order(COINS)
        await looks(clock, rules.CHECKOUT_LASTS + 2 * MINUTE)
        assert await status_of(eva) is Status.EXPIRED
        assert await status_of(buyer) is Status.WAITING


class TestARefundThatWasInterrupted:
    async def test_is_finished_once(self, stripe: StripeServer, clock, database: str):
        buyer, bought = await an_order(COINS)
        await hears(stripe, await is_paid_at(stripe, bought))
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
        stripe.swallows_answers = 2
        payment = await payment_of(bought)
        with pytest.raises(ProviderAway):
            await payments.return_money(payment.id)
        assert await status_of(buyer) is Status.REFUNDING
        assert len(stripe.refunds) == 1

        await looks(clock, 2 * MINUTE)
        await payments.return_money(payment.id)
        assert await status_of(buyer) is Status.REFUNDED
        assert len(stripe.refunds) == 1
        assert await balance_of(buyer) == (COINS, 0)
        assert await the_books_are_clean()

    async def test_is_finished_by_what_stripe_tells(self, stripe: StripeServer, clock):
        buyer, bought = await an_order(COINS)
        await hears(stripe, await is_paid_at(stripe, bought))
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
        stripe.swallows_answers = 2
        with pytest.raises(ProviderAway):
            await payments.return_money((await payment_of(bought)).id)
        assert await hears(stripe, newest(stripe, "charge.refunded")) == [Outcome.RETURNED]
        assert await status_of(buyer) is Status.REFUNDED
        assert await looks(clock, 60 * MINUTE) == 0


async def an_order_that_stripe_never_decides(stripe: StripeServer) -> None:
    await an_order(COINS)
    stripe.is_away = True


async def a_refund_that_stripe_never_makes(stripe: StripeServer) -> None:
    _, bought = await an_order(COINS)
    await hears(stripe, await is_paid_at(stripe, bought))
    async with transaction() as session:
        await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
    stripe._books.payments[(await payment_of(bought)).intent_id]["status"] = "canceled"


class TestWhatNobodySettles:
    @pytest.mark.parametrize(
        "begin", [an_order_that_stripe_never_decides, a_refund_that_stripe_never_makes]
    )
    async def test_calls_somebody_once_after_a_day(self, stripe, clock, database: str, begin):
        await begin(stripe)
        clock.shift(rules.CHECKOUT_LASTS)
        ask(database, f"update payments set looks = {rules.LOOKS_OF_A_DAY - 1} returning id")
        called: list[list[tuple]] = []
        for _ in range(3):
            assert await looks(clock, 20 * MINUTE) == 1
            called.append(ask(database, "select alert_type from security_alerts"))
        assert called == [[], [("payment_unsettled",)], [("payment_unsettled",)]]

    async def test_calls_somebody_once_where_the_first_call_was_lost(
        self, stripe, clock, database: str
    ):
        """The worker counted its look, and died before it called."""
        await an_order_that_stripe_never_decides(stripe)
        ask(database, f"update payments set looks = {rules.LOOKS_OF_A_DAY + 1} returning id")
        for _ in range(3):
            await looks(clock, 20 * MINUTE)
            # Whoever looks into it is called no second time.
            ask(database, "update security_alerts set resolved = true returning id")
        assert ask(database, "select alert_type from security_alerts") == [("payment_unsettled",)]

    async def test_calls_nobody_for_a_bank_that_takes_its_days_until_they_are_over(
        self, stripe, clock, database: str
    ):
        _, bought = await an_order(COINS)
        stripe.promise_to_pay((await payment_of(bought)).checkout_id)
        ask(database, f"update payments set looks = {rules.LOOKS_OF_A_DAY} returning id")
        for days in (1, 13):
            await looks(clock, days * 24 * 60 * MINUTE)
            assert ask(database, "select alert_type from security_alerts") == []
        await looks(clock, 24 * 60 * MINUTE)
        assert ask(database, "select alert_type from security_alerts") == [("payment_unsettled",)]

    async def test_on_its_way_calls_somebody_where_stripe_knows_it_no_more(
        self, stripe, clock, database: str
    ):
        buyer, bought = await an_order(COINS)
        stripe.promise_to_pay((await payment_of(bought)).checkout_id)
        await looks(clock, 2 * MINUTE)
        stripe._books.sessions.clear()
        ask(database, f"update payments set looks = {rules.LOOKS_OF_A_DAY + 50} returning id")
        await looks(clock, 20 * MINUTE)
        assert ask(database, "select alert_type from security_alerts") == [("payment_unsettled",)]
        assert await status_of(buyer) is Status.WAITING
        await looks(clock, 20 * MINUTE)
        assert await status_of(buyer) is Status.EXPIRED

    async def test_ends_where_stripe_does_not_know_it(self, stripe, clock, database: str):
        """It was opened with another key. Somebody was called, and coins and code come back."""
        buyer, _ = await an_order(COINS)
        stripe._books.sessions.clear()
        ask(database, f"update payments set looks = {rules.LOOKS_OF_A_DAY} returning id")
        for ended in (False, True):
            await looks(clock, 20 * MINUTE)
            assert ask(database, "select alert_type from security_alerts") == [
                ("payment_unsettled",)
            ]
            assert (await status_of(buyer) is Status.EXPIRED) is ended
        assert await balance_of(buyer) == (COINS, 0)
        assert ask(database, "select status from gift_codes") == [("free",)]
        assert await the_books_are_clean()

    async def test_is_told_with_the_key_of_where_the_payment_stands(
        self, stripe, clock, database: str
    ):
        await a_refund_that_stripe_never_makes(stripe)
        ask(database, f"update payments set looks = {rules.LOOKS_OF_A_DAY} returning id")
        await looks(clock, 20 * MINUTE)
        ((said,),) = ask(database, "select params -> 'status' from security_alerts")
        assert said == ["alerts.payments.returning"]

    @pytest.mark.parametrize("status", rules.UNSETTLED)
    def test_has_its_words_wherever_the_payment_stands(self, status: rules.Status):
        assert f"alerts.payments.{status}" in catalogues.interface("en")

    def test_a_day_of_looks_is_about_a_day(self):
        now = begun = utc_now()
        for done in range(rules.LOOKS_OF_A_DAY):
            now = rules.next_look(done, expires_at=begun, now=now)
        assert timedelta(hours=23) < now - begun < timedelta(hours=26)


class TestAnotherAmount:
    """Stripe itself says, asked by us, that something else was paid."""

    async def test_is_given_back_whole(self, stripe: StripeServer, clock, database: str):
        buyer, bought = await an_order(COINS)
        amount = DUE + 100
        stripe._books.sessions[(await payment_of(bought)).checkout_id]["amount_total"] = amount
        await is_paid_at(stripe, bought)
        await looks(clock, 2 * MINUTE)
        assert await status_of(buyer) is Status.REFUNDING
        assert await balance_of(buyer) == (COINS, 0)
        assert ask(database, "select charged, status from payments") == [(amount, "returning")]
        assert ask(database, "select alert_type from security_alerts") == [
            ("payment_other_amount",)
        ]
        await looks(clock, 2 * MINUTE)
        assert await status_of(buyer) is Status.REFUNDED
        assert [refund["amount"] for refund in stripe.refunds] == [amount]

    async def test_than_its_payment_has_is_no_answer(
        self, stripe: StripeServer, clock, database: str
    ):
        buyer, bought = await an_order(COINS)
        await is_paid_at(stripe, bought)
        stripe.nonsense = "other amount"
        await looks(clock, 2 * MINUTE)
        assert ask(database, "select charged, status from payments") == [(None, "open")]
        stripe.nonsense = None
        await looks(clock, 2 * MINUTE)
        assert await status_of(buyer) is Status.COMPLETED
        assert ask(database, "select charged, status from payments") == [(DUE, "paid")]
        assert not ask(database, "select alert_type from security_alerts")
        assert not stripe.refunds
