"""Refunds: money first, then coins, each once; the code is worth nothing any more."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing
from rewards_app.features.payments import news
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.rules import Outcome, ProviderRefused
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import rules, service
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.rules import Status
from tests.ledger import spoil
from tests.paying import an_order, ask, hears, is_paid_at, newest, payment_of
from tests.shop import NOON, PRICE, a_buyer, balance_of, buys, orders_of, stock, the_books_are_clean
from tests.stripe_server import StripeServer

COINS = 26
ORE = (PRICE - COINS) * 100


async def refunds(purchase_id: UUID, reason: str = "wrong game", by: Actor | None = None) -> None:
    async with transaction() as session:
        await service.refund(session, by, purchase_id, reason, now=utc_now())


async def status_of(buyer: Actor) -> Status:
    (order,) = await orders_of(buyer)
    return order.status


async def a_delivered_order(stripe: StripeServer) -> tuple[Actor, Bought]:
    buyer, bought = await an_order(COINS)
    assert await hears(stripe, await is_paid_at(stripe, bought)) == [Outcome.PAID]
    return buyer, bought


def letters(database: str) -> list[str]:
    query = "select args->>'name' from procrastinate_jobs where task_name = 'send_mail' order by id"
    return [name for (name,) in ask(database, query)]


def codes(database: str) -> list[str]:
    return [status for (status,) in ask(database, "select status from gift_codes order by id")]


class TestCoinsAlone:
    async def test_come_back_at_once_and_the_code_is_withdrawn(self, database: str):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        bought = await buys(maja, PRICE)
        await refunds(bought.purchase_id)
        assert await balance_of(maja) == (PRICE, 0)
        assert await status_of(maja) is Status.REFUNDED
        assert codes(database) == ["withdrawn"]
        assert letters(database) == ["purchase_refunded"]

    async def test_count_as_a_refund_and_not_as_earned(self, database: str):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        await refunds((await buys(maja, PRICE)).purchase_id)
        entries = "select kind, amount from coin_entries order by number"
        assert ask(database, entries)[1:] == [("purchase", -PRICE), ("refund", PRICE)]
        assert ask(database, "select total from coin_balances") == [(PRICE,)]

    async def test_are_never_given_for_the_same_code_again(self, database: str):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        bought = await buys(maja, PRICE)
        await refunds(bought.purchase_id)
        with pytest.raises(rules.SoldOut):
            await buys(maja, PRICE)
        with pytest.raises(rules.UnknownPurchase):
            await service.code_of(maja, bought.purchase_id)


class TestPartlyByCard:
    async def test_the_money_goes_first_and_then_the_coins(self, stripe: StripeServer, database):
        buyer, bought = await a_delivered_order(stripe)
        await refunds(bought.purchase_id, "wrong game")
        assert await status_of(buyer) is Status.REFUNDING
        assert await balance_of(buyer) == (0, 0)
        assert await the_books_are_clean()
        await payments.return_money((await payment_of(bought)).id)
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        assert [refund["amount"] for refund in stripe.refunds] == [ORE]
        assert codes(database) == ["withdrawn"]
        assert letters(database) == ["purchase_refunded"]

    async def test_the_code_is_still_shown_to_nobody_while_it_is_on_its_way_back(self, stripe):
        buyer, bought = await a_delivered_order(stripe)
        await refunds(bought.purchase_id)
        with pytest.raises(rules.UnknownPurchase):
            await service.code_of(buyer, bought.purchase_id)

    async def test_names_who_did_it_and_why(self, stripe: StripeServer, database: str):
        admin = await a_buyer("Admin")
        _, bought = await a_delivered_order(stripe)
        await refunds(bought.purchase_id, "  the code \n was used ", by=admin)
        query = "select refund_reason, refunded_by from purchases"
        assert ask(database, query) == [("the code was used", admin.user_id)]


async def is_erased_at_last(buyer: Actor) -> None:
    """Their day has come, and three more in which their money was waited for."""
    async with transaction() as session:
        await closing.close(session, buyer.user_id, now=utc_now())
    later = utc_now() + timedelta(days=34)
    assert await erasing.erase_due(now=later) == {"erased": 1, "postponed": 0}


async def is_forgotten_again(buyer: Actor) -> None:
    """A restored backup had brought them back."""
    assert await erasing.forget_again([buyer.user_id], now=utc_now()) == erasing.Again(1, {})


class TestOfSomebodyWhoIsErasedMeanwhile:
    @pytest.mark.parametrize("is_erased", [is_erased_at_last, is_forgotten_again])
    async def test_the_coins_come_back_all_the_same(
        self, stripe: StripeServer, is_erased: Callable[[Actor], Awaitable[None]]
    ):
        buyer, bought = await a_delivered_order(stripe)
        await refunds(bought.purchase_id)
        await is_erased(buyer)
        assert await spent(buyer) == COINS
        await payments.return_money((await payment_of(bought)).id)
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        assert await spent(buyer) == 0
        assert await the_books_are_clean()

    @pytest.mark.parametrize("is_erased", [is_erased_at_last, is_forgotten_again])
    async def test_coins_that_were_never_taken_do_not(
        self, stripe: StripeServer, is_erased: Callable[[Actor], Awaitable[None]]
    ):
        """Paid too late: coins and code were free again before."""
        buyer, bought = await an_order(COINS)
        async with transaction() as session:
            await news.expire(session, (await payment_of(bought)).id, now=utc_now())
        await hears(stripe, await is_paid_at(stripe, bought))
        await is_erased(buyer)
        assert await spent(buyer) == 0
        await payments.return_money((await payment_of(bought)).id)
        assert await balance_of(buyer) == (COINS, 0)
        assert await the_books_are_clean()


async def spent(buyer: Actor) -> int:
    async with transaction() as session:
        return await service.coins_spent(session, buyer.user_id)


@pytest.mark.usefixtures("spoilt_books")
class TestWithoutACode:
    """As no order should be: its code is missing, and the stock has none to give instead."""

    async def test_coins_come_back_all_the_same(self, database: str):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        bought = await buys(maja, PRICE)
        spoil(database, "delete from gift_codes")
        await refunds(bought.purchase_id)
        assert await balance_of(maja) == (PRICE, 0)
        assert letters(database) == ["purchase_refunded"]
        assert await the_books_are_clean()

    async def test_money_and_coins_come_back_all_the_same(self, stripe: StripeServer, database):
        buyer, bought = await a_delivered_order(stripe)
        spoil(database, "delete from gift_codes")
        await refunds(bought.purchase_id)
        await payments.return_money((await payment_of(bought)).id)
        assert await balance_of(buyer) == (COINS, 0)
        assert letters(database) == ["purchase_refunded"]
        assert await the_books_are_clean()

    async def test_what_is_paid_is_returned_and_coins_that_were_aside_are_free(
        self, stripe: StripeServer, database
    ):
        buyer, bought = await an_order(COINS)
        spoil(database, "delete from gift_codes")
        assert await hears(stripe, await is_paid_at(stripe, bought)) == [Outcome.TOO_LATE]
        assert await balance_of(buyer) == (COINS, 0)
        await payments.return_money((await payment_of(bought)).id)
        assert await balance_of(buyer) == (COINS, 0)
        assert await status_of(buyer) is Status.REFUNDED
        assert letters(database) == ["payment_returned"]
        assert await the_books_are_clean()

    async def test_what_is_returned_by_hand_at_the_provider_brings_the_coins_back(
        self, stripe: StripeServer, database
    ):
        buyer, bought = await a_delivered_order(stripe)
        spoil(database, "delete from gift_codes")
        stripe.refund_at_dashboard((await payment_of(bought)).intent_id)
        assert await hears(stripe, newest(stripe, "charge.refunded")) == [Outcome.RETURNED]
        assert await balance_of(buyer) == (COINS, 0)
        assert letters(database) == ["purchase_refunded"]
        assert await the_books_are_clean()


class TestOnce:
    async def test_asked_twice_at_once(self, stripe: StripeServer, database: str):
        buyer, bought = await a_delivered_order(stripe)
        came = await asyncio.gather(
            *(refunds(bought.purchase_id) for _ in range(6)), return_exceptions=True
        )
        assert came.count(None) == 1
        assert sum(isinstance(one, rules.NotRefundable) for one in came) == 5
        payment_id = (await payment_of(bought)).id
        await asyncio.gather(
            *(payments.return_money(payment_id) for _ in range(4)), return_exceptions=True
        )
        await payments.return_money(payment_id)
        assert len(stripe.refunds) == 1
        assert await balance_of(buyer) == (COINS, 0)
        assert letters(database) == ["purchase_refunded"]

    async def test_coins_alone_asked_twice_at_once(self, database: str):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        bought = await buys(maja, PRICE)
        came = await asyncio.gather(
            *(refunds(bought.purchase_id) for _ in range(6)), return_exceptions=True
        )
        assert came.count(None) == 1
        assert await balance_of(maja) == (PRICE, 0)

    async def test_while_the_same_is_done_by_hand(self, stripe: StripeServer, database: str):
        """Neither waits for the other for ever, and the money goes back once."""
        for _ in range(5):
            buyer, bought = await a_delivered_order(stripe)
            payment = await payment_of(bought)
            stripe.refund_at_dashboard(payment.intent_id)
            told = hears(stripe, newest(stripe, "charge.refunded"))
            came = await asyncio.gather(refunds(bought.purchase_id), told, return_exceptions=True)
            assert came[1] == [Outcome.RETURNED]
            assert came[0] is None or isinstance(came[0], rules.NotRefundable)
            await payments.return_money(payment.id)
            assert await status_of(buyer) is Status.REFUNDED
            assert await balance_of(buyer) == (COINS, 0)
        assert len(stripe.refunds) == 5


class TestByHandAtTheProvider:
    async def test_brings_the_coins_back_and_withdraws_the_code(self, stripe, database: str):
        buyer, bought = await a_delivered_order(stripe)
        stripe.refund_at_dashboard((await payment_of(bought)).intent_id)
        refunded = newest(stripe, "charge.refunded")
        assert await hears(stripe, refunded, refunded) == [Outcome.RETURNED, Outcome.NOTHING_NEW]
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        assert codes(database) == ["withdrawn"]
        assert await the_books_are_clean()

    async def test_in_part_leaves_the_rest_to_refund_here(self, stripe: StripeServer, database):
        buyer, bought = await a_delivered_order(stripe)
        payment = await payment_of(bought)
        stripe.refund_at_dashboard(payment.intent_id, amount=100)
        partly = newest(stripe, "charge.refunded")
        assert await hears(stripe, partly) == [Outcome.PARTLY_RETURNED]
        await refunds(bought.purchase_id)
        await payments.return_money(payment.id)
        assert [refund["amount"] for refund in stripe.refunds] == [100, ORE - 100]
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        whole = newest(stripe, "charge.refunded")
        assert await hears(stripe, whole) == [Outcome.NOTHING_NEW]
        assert letters(database) == ["purchase_refunded"]
        assert await the_books_are_clean()

    async def test_leaves_nothing_to_refund(self, stripe: StripeServer):
        _, bought = await a_delivered_order(stripe)
        stripe.refund_at_dashboard((await payment_of(bought)).intent_id)
        await hears(stripe, newest(stripe, "charge.refunded"))
        with pytest.raises(rules.NotRefundable):
            await refunds(bought.purchase_id)


class TestAProviderThatRefuses:
    async def test_leaves_it_on_its_way_until_somebody_has_looked(self, stripe: StripeServer):
        buyer, bought = await a_delivered_order(stripe)
        payment = await payment_of(bought)
        await refunds(bought.purchase_id)
        stripe._books.payments[payment.intent_id]["status"] = "canceled"
        with pytest.raises(ProviderRefused):
            await payments.return_money(payment.id)
        assert await status_of(buyer) is Status.REFUNDING
        assert await balance_of(buyer) == (0, 0)
        stripe._books.payments[payment.intent_id]["status"] = "succeeded"
        # Stripe remembers a refusal under its key for a day; by hand it can be done at once.
        stripe.refund_at_dashboard(payment.intent_id)
        await hears(stripe, newest(stripe, "charge.refunded"))
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)


class TestWhatIsNotRefunded:
    async def test_an_order_that_waits(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        with pytest.raises(rules.NotRefundable):
            await refunds(bought.purchase_id)
        assert await status_of(buyer) is Status.WAITING

    async def test_an_order_that_was_cancelled(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        await service.cancel(buyer, bought.purchase_id)
        with pytest.raises(rules.NotRefundable):
            await refunds(bought.purchase_id)

    async def test_an_order_that_was_refunded(self, database: str):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        bought = await buys(maja, PRICE)
        await refunds(bought.purchase_id)
        with pytest.raises(rules.NotRefundable):
            await refunds(bought.purchase_id)
        assert await balance_of(maja) == (PRICE, 0)

    @pytest.mark.usefixtures("database")
    async def test_an_order_that_nobody_knows(self):
        with pytest.raises(rules.UnknownPurchase):
            await refunds(new_id())

    async def test_anything_without_a_reason(self, database: str):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        bought = await buys(maja, PRICE, now=NOON)
        unfit = {"": rules.ReasonMissing, "no": rules.ReasonMissing, "x" * 301: rules.ReasonTooLong}
        for reason, refusal in unfit.items():
            with pytest.raises(refusal):
                await refunds(bought.purchase_id, reason)
        assert await status_of(maja) is Status.COMPLETED
