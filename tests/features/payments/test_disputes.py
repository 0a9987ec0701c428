"""Money that a card owner's bank takes back: it never goes back twice, and somebody knows."""

from pathlib import Path

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.payments import news, rules, webhook
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.rules import Outcome, ProviderRefused
from rewards_app.features.shop import back_office, service
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.rules import Status
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import text
from tests.ads import the_actor
from tests.paying import (
    again,
    an_order,
    ask,
    changed,
    hears,
    is_paid_at,
    letters_queued,
    newest,
    payment_of,
)
from tests.people import an_account
from tests.shop import PRICE, balance_of, orders_of, the_books_are_clean
from tests.stripe.objects import Thing
from tests.stripe_server import StripeServer

COINS = 26
SHOP_MANUAL = Path(__file__).parents[3] / "docs/shop.md"


async def a_delivered_order(stripe: StripeServer) -> tuple:
    buyer, bought = await an_order(COINS)
    assert await hears(stripe, await is_paid_at(stripe, bought)) == [Outcome.PAID]
    return buyer, bought


async def is_disputed(stripe: StripeServer, bought: Bought, **how: object) -> Thing:
    """By the card's owner; what Stripe tells of it, and nobody has heard yet."""
    stripe.dispute((await payment_of(bought)).intent_id, **how)  # pyright: ignore
    return newest(stripe, "charge.dispute.created")


def is_decided(stripe: StripeServer, begun: Thing, status: str) -> Thing:
    stripe.close_dispute(begun["data"]["object"]["id"], status)
    return newest(stripe, "charge.dispute.closed")


async def refunds(bought: Bought) -> None:
    async with transaction() as session:
        await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())


async def refunds_are_offered(bought: Bought) -> bool:
    admin = the_actor(await an_account(f"{new_id()}@example.com", Role.ADMIN))
    async with transaction() as session:
        return not (await back_office.story(session, admin, bought.purchase_id)).is_contested


async def status_of(buyer) -> Status:
    (order,) = await orders_of(buyer)
    return order.status


def alerts_raised(database: str) -> list[str]:
    found = ask(database, "select alert_type from security_alerts order by created_at, id")
    return [kind for (kind,) in found]


def letters(database: str) -> list[tuple]:
    """Each by its name, with what it says of coins and money that come back."""
    query = """select args->>'name', args->'params'->>'back' from procrastinate_jobs
        where task_name = 'send_mail' order by id"""
    return ask(database, query)


class TestAnOrderThatIsDisputed:
    async def test_is_not_refunded_as_well(self, stripe: StripeServer, database: str):
        buyer, bought = await a_delivered_order(stripe)
        assert await refunds_are_offered(bought)
        begun = await is_disputed(stripe, bought)
        for told in (begun, is_decided(stripe, begun, "lost")):
            await hears(stripe, told)
            assert not await refunds_are_offered(bought)
            with pytest.raises(rules.Contested):
                await refunds(bought)
        assert await status_of(buyer) is Status.COMPLETED
        assert (await service.code_of(buyer, bought.purchase_id)).startswith("CODE-")
        assert stripe.refunds == []
        audited = ask(
            database, "select count(*) from audit_entries where action = 'order_refunded'"
        )
        assert audited == [(0,)]

    async def test_can_be_refunded_once_the_bank_has_left_it_with_us(self, stripe: StripeServer):
        for is_inquiry, status in ((False, "won"), (True, "warning_closed")):
            buyer, bought = await a_delivered_order(stripe)
            begun = await is_disputed(stripe, bought, is_inquiry=is_inquiry)
            said = await hears(stripe, begun, is_decided(stripe, begun, status))
            assert said == [Outcome.DISPUTED, Outcome.DISPUTE_WON]
            assert await refunds_are_offered(bought)
            await refunds(bought)
            await payments.return_money((await payment_of(bought)).id)
            assert await status_of(buyer) is Status.REFUNDED
            [order] = await orders_of(buyer)
            assert not order.was_taken

    async def test_may_be_told_of_in_any_order(self, stripe: StripeServer):
        _, bought = await a_delivered_order(stripe)
        begun = await is_disputed(stripe, bought)
        won = is_decided(stripe, begun, "won")
        said = await hears(stripe, won, begun, won, begun)
        assert said == [Outcome.DISPUTE_WON, Outcome.DISPUTED] + [Outcome.NOTHING_NEW] * 2
        await refunds(bought)

    async def test_and_disputed_again_is_not_refunded_either(self, stripe: StripeServer):
        _, bought = await a_delivered_order(stripe)
        begun = await is_disputed(stripe, bought)
        await hears(stripe, begun, is_decided(stripe, begun, "won"))
        await hears(stripe, await is_disputed(stripe, bought))
        with pytest.raises(rules.Contested):
            await refunds(bought)

    async def test_can_still_be_refunded_by_hand_while_the_bank_only_asks(self, stripe):
        buyer, bought = await a_delivered_order(stripe)
        await hears(stripe, await is_disputed(stripe, bought, is_inquiry=True))
        stripe.refund_at_dashboard((await payment_of(bought)).intent_id)
        assert await hears(stripe, newest(stripe, "charge.refunded")) == [Outcome.RETURNED]
        assert await status_of(buyer) is Status.REFUNDED


class TestADisputeThatIsLost:
    async def test_leaves_a_completed_order_and_calls_somebody_once(self, stripe, database: str):
        buyer, bought = await a_delivered_order(stripe)
        begun = await is_disputed(stripe, bought)
        lost = is_decided(stripe, begun, "lost")
        said = await hears(stripe, begun, lost, lost)
        assert said == [Outcome.DISPUTED, Outcome.DISPUTE_LOST, Outcome.NOTHING_NEW]
        assert alerts_raised(database) == ["payment_disputed", "payment_dispute_lost"]
        assert await status_of(buyer) is Status.COMPLETED
        assert await balance_of(buyer) == (0, 0)
        assert await the_books_are_clean()

    async def test_ends_a_refund_that_was_on_its_way(self, stripe: StripeServer, database: str):
        buyer, bought = await a_delivered_order(stripe)
        await refunds(bought)
        begun = await is_disputed(stripe, bought)
        await hears(stripe, begun)
        payment = await payment_of(bought)
        with pytest.raises(ProviderRefused):
            await payments.return_money(payment.id)
        assert await status_of(buyer) is Status.REFUNDING
        assert await hears(stripe, is_decided(stripe, begun, "lost")) == [Outcome.RETURNED]
        assert await status_of(buyer) is Status.REFUNDED
        assert await balance_of(buyer) == (COINS, 0)
        await payments.return_money(payment.id)
        assert stripe.refunds == []
        assert letters_queued(database) == [str(bought.purchase_id)]
        money = written.kronor((PRICE - COINS) * 100, "en")
        back = [text("back.coins", "en", count=COINS), text("back.taken", "en", money=money)]
        assert letters(database) == [("purchase_taken", " ".join(back))]
        [order] = await orders_of(buyer)
        assert order.was_taken, "the order says so too"
        assert await the_books_are_clean()

    async def test_of_what_was_paid_too_late_is_told_as_taken_and_not_as_paid_back(
        self, stripe: StripeServer, database: str
    ):
        buyer, bought = await an_order(COINS)
        completed = await is_paid_at(stripe, bought)
        async with transaction() as session:
            await news.expire(session, (await payment_of(bought)).id, now=utc_now())
        assert await hears(stripe, completed) == [Outcome.TOO_LATE]
        begun = await is_disputed(stripe, bought)
        said = await hears(stripe, begun, is_decided(stripe, begun, "lost"))
        assert said == [Outcome.DISPUTED, Outcome.RETURNED]
        assert await balance_of(buyer) == (COINS, 0)
        assert letters(database) == [("payment_taken", None)]

    async def test_of_what_went_back_before_calls_somebody(self, stripe, database: str):
        """Returned and taken: that money is gone twice."""
        buyer, bought = await a_delivered_order(stripe)
        await refunds(bought)
        await payments.return_money((await payment_of(bought)).id)
        begun = await is_disputed(stripe, bought)
        said = await hears(stripe, begun, is_decided(stripe, begun, "lost"))
        assert said == [Outcome.DISPUTED, Outcome.DISPUTE_LOST]
        assert await balance_of(buyer) == (COINS, 0)

    async def test_of_a_part_leaves_the_rest_on_its_way(self, stripe: StripeServer):
        buyer, bought = await a_delivered_order(stripe)
        await refunds(bought)
        begun = await is_disputed(stripe, bought, amount=100)
        assert await hears(stripe, is_decided(stripe, begun, "lost")) == [Outcome.DISPUTE_LOST]
        assert await status_of(buyer) is Status.REFUNDING

    async def test_and_won_in_the_end_calls_somebody_again(self, stripe, database: str):
        buyer, bought = await a_delivered_order(stripe)
        lost = is_decided(stripe, await is_disputed(stripe, bought), "lost")
        said = await hears(stripe, lost, again(changed(lost, status="won")))
        assert said == [Outcome.DISPUTE_LOST, Outcome.DISPUTE_WON]
        assert alerts_raised(database) == ["payment_dispute_lost", "payment_disputed"]
        assert await status_of(buyer) is Status.COMPLETED
        assert not await refunds_are_offered(bought)


async def test_an_end_that_nobody_knows_calls_somebody(stripe: StripeServer, database: str):
    _, bought = await a_delivered_order(stripe)
    closed = is_decided(stripe, await is_disputed(stripe, bought), "prevented")
    assert await hears(stripe, closed) == [Outcome.DISPUTED]
    assert alerts_raised(database) == ["payment_disputed"]


def test_the_manual_asks_stripe_for_every_kind_that_means_something():
    manual = SHOP_MANUAL.read_text()
    unasked = {kind for kind in webhook.EVENTS if f"`{kind}`" not in manual}
    assert unasked == {"charge.refund.updated"}, "which Stripe also tells as `refund.updated`"
