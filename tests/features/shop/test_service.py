"""Orders as their players see them, and what they may do about them."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.payments.rules import Outcome
from rewards_app.features.payments.stripe_gateway import StripeGateway
from rewards_app.features.shop import purse, rules, service, watching_rules
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.rules import Status
from rewards_app.features.support.rules import MessageTooLong, MessageTooShort
from tests.ads import an_ad, watches
from tests.guardians import is_born
from tests.paying import an_order, ask, hears, is_paid_at, newest
from tests.review import an_admin
from tests.shop import NOON, PRICE, a_buyer, balance_of, buys, orders_of, stock
from tests.stripe_server import StripeServer
from tests.tickets import answers, closes

COINS = 26


@pytest.fixture
async def maja(database: str) -> Actor:
    await stock(5)
    return await a_buyer("Maja", coins_owned=2 * PRICE)


@pytest.fixture
async def eva(database: str) -> Actor:
    return await a_buyer("Eva", coins_owned=2 * PRICE)


async def purse_of(buyer: Actor, *, now: datetime = NOON):
    async with transaction() as session:
        return await purse.purse_of(session, buyer, now=now)


class TestThePurse:
    async def test_has_what_can_be_spent_and_what_is_in_stock(self, maja: Actor):
        await buys(maja, COINS)
        purse = await purse_of(maja)
        assert purse.balance == 2 * PRICE - COINS
        assert purse.in_stock == {"vbucks-1000"}

    async def test_counts_in_the_players_own_money(self, maja: Actor, database: str):
        assert (await purse_of(maja)).money.code == "SEK"
        ask(database, "update accounts set country = 'DE' returning id")
        assert (await purse_of(maja)).money.code == "EUR"

    async def test_knows_what_an_ad_pays_and_how_many_are_left_today(self, maja: Actor):
        assert (await purse_of(maja)).earning == watching_rules.Earning(15, 30, 50)
        await watches(maja, await an_ad(reward=20, seconds=10))
        earning = (await purse_of(maja)).earning
        assert (earning.coins_an_ad, earning.seconds_an_ad) == (20, 10)
        assert earning.left_today == 49

    async def test_knows_how_many_ads_the_young_may_watch_before_a_break(
        self, maja: Actor, database: str
    ):
        await watches(maja, ad := await an_ad())
        assert (await purse_of(maja)).earning.left_in_sitting is None
        await is_born(maja, "2010-01-01")
        assert (await purse_of(maja)).earning.left_in_sitting == 14
        for number in range(1, 15):
            await watches(maja, ad, now=NOON + timedelta(minutes=number))
        assert (await purse_of(maja, now=NOON + timedelta(minutes=73))).earning.left_in_sitting == 0
        rested = NOON + timedelta(minutes=74)
        assert (await purse_of(maja, now=rested)).earning.left_in_sitting == 15


class TestTheHistory:
    async def test_has_the_newest_first_and_comes_in_pages(self, maja: Actor):
        made = [
            await buys(maja, 0 if n else PRICE, now=NOON + timedelta(seconds=n)) for n in range(3)
        ]
        expected = [one.purchase_id for one in reversed(made)]
        async with transaction() as session:
            first = await service.orders(session, maja, limit=2)
            rest = await service.orders(session, maja, before=first.next_before, limit=2)
            assert await service.order_count(session, maja) == 3
        assert [order.id for order in first.shown] == expected[:2]
        assert [order.id for order in rest.shown] == expected[2:]
        assert rest.next_before is None

    async def test_says_what_was_paid_and_how(self, maja: Actor):
        await buys(maja, COINS)
        (order,) = await orders_of(maja)
        assert (order.product_name, order.coins, order.to_pay_kr) == ("1000 V-Bucks", 26, 63)
        assert rules.PURCHASE_CODE.fullmatch(order.purchase_code)
        assert order.status is Status.WAITING
        assert order.checkout_url
        assert order.is_test
        assert not order.was_completed

    async def test_says_no_more_where_to_pay_once_it_has_ended(self, maja: Actor):
        bought = await buys(maja, COINS)
        await service.cancel(maja, bought.purchase_id)
        (order,) = await orders_of(maja)
        assert (order.checkout_url, order.expires_at) == (None, None)
        assert not order.was_paid

    async def test_knows_of_money_that_came_too_late(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        ended = completed["data"]["object"] | {"status": "expired", "payment_status": "unpaid"}
        expired = {"id": "evt_2", "type": "checkout.session.expired", "data": {"object": ended}}
        await hears(stripe, completed | expired, completed)
        (order,) = await orders_of(buyer)
        assert order.status is Status.REFUNDING
        assert (order.was_completed, order.was_paid) == (False, True)

    async def test_has_nobody_elses(self, maja: Actor, eva: Actor):
        await buys(maja, PRICE)
        assert await orders_of(eva) == []

    async def test_never_has_a_gift_code(self, maja: Actor):
        bought = await buys(maja, PRICE)
        code = await service.code_of(maja, bought.purchase_id)
        assert code not in repr(await orders_of(maja))

    async def test_keeps_the_reason_of_a_refund(self, maja: Actor):
        bought = await buys(maja, PRICE)
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "wrong game", now=NOON)
        (order,) = await orders_of(maja)
        assert (order.refund_reason, order.was_completed) == ("wrong game", True)


class TestTheCode:
    async def test_is_its_owners(self, maja: Actor, eva: Actor):
        bought = await buys(maja, PRICE)
        assert (await service.code_of(maja, bought.purchase_id)).startswith("CODE-")
        with pytest.raises(rules.UnknownPurchase):
            await service.code_of(eva, bought.purchase_id)

    async def test_is_nobodys_while_the_order_is_unpaid(self, maja: Actor):
        bought = await buys(maja, COINS)
        with pytest.raises(rules.UnknownPurchase):
            await service.code_of(maja, bought.purchase_id)

    async def test_of_no_order_is_unknown(self, maja: Actor):
        with pytest.raises(rules.UnknownPurchase):
            await service.code_of(maja, new_id())

    async def test_lies_sealed(self, maja: Actor, database: str):
        bought = await buys(maja, PRICE)
        code = await service.code_of(maja, bought.purchase_id)
        assert code not in str(ask(database, "select code, fingerprint from gift_codes"))


async def cancels(buyer: Actor, bought: Bought, *, comes_back: bool) -> None:
    """By the order's own button, or by that of the checkout."""
    if comes_back:
        await service.come_back(buyer, bought.purchase_id, has_cancelled=True)
    else:
        await service.cancel(buyer, bought.purchase_id)


class TestCancelling:
    async def test_closes_the_checkout_first(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        await service.cancel(buyer, bought.purchase_id)
        assert stripe.newest_session["status"] == "expired"
        assert [order.status for order in await orders_of(buyer)] == [Status.CANCELLED]
        assert await balance_of(buyer) == (COINS, 0)

    async def test_of_what_was_paid_meanwhile_delivers_it(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        await is_paid_at(stripe, bought)
        with pytest.raises(rules.AlreadyPaid):
            await service.cancel(buyer, bought.purchase_id)
        assert [order.status for order in await orders_of(buyer)] == [Status.COMPLETED]

    async def test_of_what_the_webhook_told_of_meanwhile_says_that_it_was_paid(
        self, stripe: StripeServer, monkeypatch
    ):
        buyer, bought = await an_order(COINS)
        closes = StripeGateway.close

        async def closes_after_the_news(self, checkout_id: str):
            await hears(stripe, await is_paid_at(stripe, bought))
            return await closes(self, checkout_id)

        monkeypatch.setattr(StripeGateway, "close", closes_after_the_news)
        with pytest.raises(rules.AlreadyPaid):
            await service.cancel(buyer, bought.purchase_id)
        assert [order.status for order in await orders_of(buyer)] == [Status.COMPLETED]

    async def test_whose_end_the_webhook_tells_first_is_no_expiry(
        self, stripe: StripeServer, monkeypatch
    ):
        buyer, bought = await an_order(COINS)
        closes = StripeGateway.close

        async def closes_and_the_news_are_quicker(self, checkout_id: str):
            found = await closes(self, checkout_id)
            await hears(stripe, newest(stripe, "checkout.session.expired"))
            return found

        monkeypatch.setattr(StripeGateway, "close", closes_and_the_news_are_quicker)
        await service.cancel(buyer, bought.purchase_id)
        assert [order.status for order in await orders_of(buyer)] == [Status.CANCELLED]
        assert await balance_of(buyer) == (COINS, 0)

    async def test_while_stripe_is_away_changes_nothing(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        stripe.is_away = True
        with pytest.raises(rules.CannotCancelNow):
            await service.cancel(buyer, bought.purchase_id)
        assert [order.status for order in await orders_of(buyer)] == [Status.WAITING]
        assert await balance_of(buyer) == (0, COINS)

    async def test_of_a_payment_that_takes_its_time_is_not_possible(self, stripe, monkeypatch):
        """Complete, but the money is not here yet: nobody knows how that ends."""
        buyer, bought = await an_order(COINS)
        closes = StripeGateway.close

        async def closes_what_is_under_way(self, checkout_id: str):
            return replace(await closes(self, checkout_id), is_expired=False)

        monkeypatch.setattr(StripeGateway, "close", closes_what_is_under_way)
        with pytest.raises(rules.CannotCancelNow):
            await service.cancel(buyer, bought.purchase_id)
        assert [order.status for order in await orders_of(buyer)] == [Status.WAITING]

    async def test_of_what_was_paid_otherwise_than_agreed_says_that_it_goes_back(
        self, stripe: StripeServer, monkeypatch
    ):
        buyer, bought = await an_order(COINS)
        closes = StripeGateway.close

        async def finds_another_amount(self, checkout_id: str):
            await is_paid_at(stripe, bought)
            return replace(await closes(self, checkout_id), amount=100)

        monkeypatch.setattr(StripeGateway, "close", finds_another_amount)
        with pytest.raises(rules.GoesBack):
            await service.cancel(buyer, bought.purchase_id)
        (order,) = await orders_of(buyer)
        assert (order.status, order.was_paid) == (Status.REFUNDING, True)
        assert await balance_of(buyer) == (COINS, 0)

    async def test_again_and_again_of_what_stays_undecided_is_limited_as_looking_is(
        self, stripe: StripeServer
    ):
        buyer, bought = await an_order(COINS)
        stripe.nonsense = "wrong object"
        for turn in range(10):
            with pytest.raises(rules.CannotCancelNow):
                await cancels(buyer, bought, comes_back=turn % 2 == 1)
        asked_before = len(stripe.requests)
        for comes_back in (False, True):
            with pytest.raises(TooManyAttempts):
                await cancels(buyer, bought, comes_back=comes_back)
        with pytest.raises(TooManyAttempts):
            await service.look_again(buyer, bought.purchase_id)
        assert len(stripe.requests) == asked_before

    async def test_of_what_is_known_to_be_under_way_asks_nobody(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        stripe.promise_to_pay(stripe.newest_session["id"])
        await service.look_again(buyer, bought.purchase_id)
        asked_before = len(stripe.requests)
        for turn in range(12):
            with pytest.raises(rules.PaymentUnderWay):
                await cancels(buyer, bought, comes_back=turn % 2 == 1)
        assert len(stripe.requests) == asked_before

    async def test_twice_is_refused(self, maja: Actor):
        bought = await buys(maja, COINS)
        await service.cancel(maja, bought.purchase_id)
        with pytest.raises(rules.NotWaiting):
            await service.cancel(maja, bought.purchase_id)
        assert await balance_of(maja) == (2 * PRICE, 0)

    async def test_of_an_order_of_another_is_refused(self, maja: Actor, eva: Actor):
        bought = await buys(maja, COINS)
        for act in (service.cancel, service.look_again):
            with pytest.raises(rules.UnknownPurchase):
                await act(eva, bought.purchase_id)
        assert [order.status for order in await orders_of(maja)] == [Status.WAITING]

    async def test_of_a_purchase_with_coins_alone_is_refused(self, maja: Actor):
        bought = await buys(maja, PRICE)
        with pytest.raises(rules.UnknownPurchase):
            await service.cancel(maja, bought.purchase_id)


class TestComingBack:
    async def test_from_a_paid_checkout_delivers_without_waiting_for_news(self, stripe):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        await service.come_back(buyer, bought.purchase_id, has_cancelled=False)
        assert [order.status for order in await orders_of(buyer)] == [Status.COMPLETED]
        assert await hears(stripe, completed) == [Outcome.NOTHING_NEW]

    async def test_from_a_cancelled_one_gives_the_coins_back(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        await service.come_back(buyer, bought.purchase_id, has_cancelled=True)
        assert await balance_of(buyer) == (COINS, 0)

    async def test_saying_that_it_was_paid_pays_nothing(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        await service.come_back(buyer, bought.purchase_id, has_cancelled=False)
        assert [order.status for order in await orders_of(buyer)] == [Status.WAITING]

    async def test_to_an_order_of_another_does_nothing(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        await is_paid_at(stripe, bought)
        asked_before = len(stripe.requests)
        stranger = await a_buyer("Eva")
        for has_cancelled in (True, False):
            await service.come_back(stranger, bought.purchase_id, has_cancelled=has_cancelled)
        assert [order.status for order in await orders_of(buyer)] == [Status.WAITING]
        assert len(stripe.requests) == asked_before

    async def test_while_stripe_is_away_waits_for_news(self, stripe: StripeServer):
        buyer, bought = await an_order(COINS)
        stripe.is_away = True
        await service.come_back(buyer, bought.purchase_id, has_cancelled=False)
        assert [order.status for order in await orders_of(buyer)] == [Status.WAITING]

    async def test_again_and_again_is_limited(self, maja: Actor):
        bought = await buys(maja, COINS, now=utc_now())
        for _ in range(10):
            await service.look_again(maja, bought.purchase_id)
        with pytest.raises(TooManyAttempts):
            await service.look_again(maja, bought.purchase_id)


async def reports(buyer: Actor, purchase_id, message: str = "The code does not work.") -> int:
    async with transaction() as session:
        return await service.report(session, buyer, purchase_id, message, now=utc_now())


class TestSomethingIsWrong:
    async def test_opens_a_ticket_that_names_the_order(self, maja: Actor, database: str):
        bought = await buys(maja, PRICE)
        number = await reports(maja, bought.purchase_id)
        (order,) = await orders_of(maja)
        assert order.ticket == number == 1001
        subject = f"1000 V-Bucks · {order.purchase_code}"
        assert ask(database, "select subject, message, status from support_tickets") == [
            (subject, "The code does not work.", "open")
        ]

    async def test_said_twice_stays_one_ticket(self, maja: Actor, database: str):
        bought = await buys(maja, PRICE)
        first, again = [await reports(maja, bought.purchase_id) for _ in range(2)]
        assert first == again
        assert ask(database, "select count(*) from support_tickets") == [(1,)]

    async def test_stays_with_the_order_as_it_stands_until_it_is_closed(self, maja: Actor):
        bought = await buys(maja, PRICE)
        number = await reports(maja, bought.purchase_id)
        linnea = await an_admin()
        stands = []
        for deed in (None, answers, closes):
            if deed:
                await deed(linnea, number, now=utc_now())
            (order,) = await orders_of(maja)
            stands.append((order.ticket, order.ticket_status))
        assert stands == [(number, "open"), (number, "answered"), (None, "")]

    async def test_with_an_order_of_another_is_refused(self, maja: Actor, eva: Actor, database):
        bought = await buys(maja, PRICE)
        with pytest.raises(rules.UnknownPurchase):
            await reports(eva, bought.purchase_id)
        assert ask(database, "select count(*) from support_tickets") == [(0,)]

    async def test_is_said_twenty_times_an_hour_in_one_ticket(self, maja: Actor):
        bought = await buys(maja, PRICE)
        for turn in range(21):
            await reports(maja, bought.purchase_id, f"It does not work {turn}.")
        with pytest.raises(TooManyAttempts):
            await reports(maja, bought.purchase_id)

    async def test_opens_five_tickets_an_hour(self, maja: Actor, database: str):
        bought = await buys(maja, PRICE)
        for _ in range(5):
            await reports(maja, bought.purchase_id)
            ask(database, "update support_tickets set status = 'closed' returning id")
        with pytest.raises(TooManyAttempts):
            await reports(maja, bought.purchase_id)
        assert ask(database, "select count(*) from support_tickets") == [(5,)]

    async def test_must_be_said_in_some_words(self, maja: Actor):
        bought = await buys(maja, PRICE)
        for message in ("", " \n  "):
            with pytest.raises(MessageTooShort):
                await reports(maja, bought.purchase_id, message)
        with pytest.raises(MessageTooLong):
            await reports(maja, bought.purchase_id, "x" * 2001)


class TestFindingByCode:
    async def test_takes_it_however_it_is_typed(self, maja: Actor):
        bought = await buys(maja, PRICE)
        (order,) = await orders_of(maja)
        async with transaction() as session:
            for typed in (order.purchase_code, f" {order.purchase_code.lower()}\n"):
                found = await service.find_by_code(session, typed)
                assert found
                assert found.id == bought.purchase_id
            assert await service.find_by_code(session, "COIN-1") is None
