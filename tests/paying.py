"""Paying by card: the app speaks to the tests' Stripe, whose news reach the webhook."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import psycopg

from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.payments import service as payments
from rewards_app.features.payments import stripe_gateway, webhook
from rewards_app.features.payments.rules import Outcome
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.repository import PURPOSE
from tests.shop import THE_PACKAGE, a_buyer, buys, stock
from tests.stripe.objects import Thing
from tests.stripe_server import StripeServer


@contextmanager
def cards_by(stripe: StripeServer) -> Iterator[None]:
    """The settings of an installation that takes cards, by this Stripe."""
    known = {
        "STRIPE_SECRET_KEY": stripe.api_key,
        "STRIPE_WEBHOOK_SECRET": stripe.webhook_secret,
        "STRIPE_API_BASE": stripe.url,
    }
    os.environ.update(known)
    _read_again()
    try:
        yield
    finally:
        for name in known:
            os.environ.pop(name, None)
        _read_again()


def _read_again() -> None:
    settings.cache_clear()
    stripe_gateway._client.cache_clear()


async def an_order(coins_used: int = 26, package_id: str = THE_PACKAGE) -> tuple:
    """A buyer with just so many coins, and the order that waits for the rest, made now."""
    await stock(1, package_id)
    buyer = await a_buyer(coins_owned=coins_used)
    return buyer, await buys(buyer, coins_used, package_id, now=utc_now())


async def payment_of(bought: Bought | UUID) -> payments.DuePayment:
    purchase_id = bought.purchase_id if isinstance(bought, Bought) else bought
    found = await payments.of_subject(PURPOSE, purchase_id)
    assert found is not None
    return found


async def is_paid_at(stripe: StripeServer, bought: Bought) -> Thing:
    """The buyer pays; what Stripe then tells, and nobody has heard yet."""
    checkout_id = (await payment_of(bought)).checkout_id
    assert checkout_id
    stripe.pay(checkout_id)
    return newest(stripe, "checkout.session.completed")


def newest(stripe: StripeServer, kind: str) -> Thing:
    return stripe.events_of(kind)[-1]


def changed(event: Thing, **changes: object) -> Thing:
    """The event with something else about its object."""
    return event | {"data": {"object": event["data"]["object"] | changes}}


def again(event: Thing) -> Thing:
    """The same told by another event."""
    return event | {"id": f"evt_{new_id().hex}"}


async def hears(stripe: StripeServer, *events: Thing) -> list[Outcome]:
    """Our webhook is told, signed at this moment; what came of each."""
    return [await webhook.receive(*stripe.signed(event)) for event in events]


def ask(database: str, query: str, *values: object) -> list[tuple]:
    """What the database has, asked beside the app."""
    with psycopg.connect(database, autocommit=True) as connection:
        return connection.execute(query, values).fetchall()  # pyright: ignore


def mails_queued(database: str) -> list[str]:
    query = "select args->>'name' from procrastinate_jobs where task_name = 'send_mail' order by id"
    return [name for (name,) in ask(database, query)]


def letters_queued(database: str) -> list[str]:
    """The purchases whose code is to be mailed."""
    query = "select args->>'purchase_id' from procrastinate_jobs where task_name = 'shop.send_code'"
    return [purchase for (purchase,) in ask(database, query)]
