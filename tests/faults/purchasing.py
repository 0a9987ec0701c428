"""A process that buys, is paid, is refunded, tops up, and dies at one step of it.

Run by test_purchase_kills.py as a process of its own. It loads the app once, then forks a child for
each life. A step is whatever others can see of us: a commit, and a request to the provider; a
child may die right before and right after each, as from kill -9: nothing is closed or rolled back.

It prints a line for each life: its story, its step, and whether it died there; the last one of each
story lived to its end. Who started it answers each line, once they have seen what was left behind.
"""

import asyncio
import faulthandler
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import stripe
from sqlalchemy.dialects.postgresql.psycopg import AsyncAdapt_psycopg_connection

from rewards_app.core import database
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.advertiser import jobs as company_jobs
from rewards_app.features.advertiser import top_up_repository, top_ups
from rewards_app.features.payments import service as payments
from rewards_app.features.payments import stripe_gateway, webhook
from rewards_app.features.shop import service
from rewards_app.features.shop.buying import Bought
from tests.ads import a_campaign, an_ad
from tests.companies import a_company
from tests.paying import payment_of
from tests.shop import PRICE, a_buyer, buys, stock
from tests.stripe.webhooks import signature

COINS = 26
DOLLARS = 100
OF_COMPANIES = {"tops up", "has a top-up returned"}
KILLED = 9
LONGEST = 60.0
"""Seconds that a life may take: one that hangs says where, and ends as a defect."""


class Steps:
    """Counts what others can see of this process, and ends it at one of them."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.taken = 0

    def take(self) -> None:
        self.taken += 1
        if self.taken == self.last:
            os._exit(KILLED)

    def around(self, act: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def watched(*arguments: Any, **options: Any) -> Any:
            self.take()
            done = await act(*arguments, **options)
            self.take()
            return done

        return watched

    def watch(self) -> None:
        """Every way in which this process commits, and every request of Stripe's package."""
        commit = AsyncAdapt_psycopg_connection.commit

        def commit_in_steps(connection: Any) -> None:
            self.take()
            commit(connection)
            self.take()

        AsyncAdapt_psycopg_connection.commit = commit_in_steps  # pyright: ignore
        database._rows_of = self.around(database._rows_of)  # pyright: ignore
        stripe.HTTPXClient.request_async = self.around(stripe.HTTPXClient.request_async)


async def pays_at(opened: Bought | top_ups.Begun) -> None:
    """Whoever is asked pays as soon as they see where."""
    assert opened.checkout_url
    async with httpx.AsyncClient(verify=False) as browser:
        answer = await browser.post(f"{opened.checkout_url.partition('#')[0]}/pay")
    assert answer.has_redirect_location, "it leads back once it is paid"


async def asks_stripe(path: str) -> dict[str, Any]:
    """Beside the app: what Stripe has written down."""
    async with httpx.AsyncClient(headers=_bearer(), verify=False) as stripe_itself:
        return (await stripe_itself.get(f"{settings().stripe_api_base}/v1/{path}")).json()


async def tells_stripe(path: str, **form: str) -> None:
    async with httpx.AsyncClient(headers=_bearer(), verify=False) as stripe_itself:
        answer = await stripe_itself.post(f"{settings().stripe_api_base}/v1/{path}", data=form)
    answer.raise_for_status()


def _bearer() -> dict[str, str]:
    return {"Authorization": f"Bearer {settings().stripe_secret_key.get_secret_value()}"}


async def hears(event: dict[str, Any]) -> None:
    """Received by this process as its webhook would."""
    body = json.dumps(event).encode()
    secret = settings().stripe_webhook_secret.get_secret_value()
    await webhook.receive(body, signature(body, secret, int(utc_now().timestamp())))


async def hears_newest(kind: str) -> None:
    told = await asks_stripe(f"events?type={kind}&limit=1")
    await hears(told["data"][0])


async def hears_that_it_expired(bought: Bought) -> None:
    """Too early: it can still be paid."""
    checkout = await asks_stripe(f"checkout/sessions/{(await payment_of(bought)).checkout_id}")
    about = checkout | {"status": "expired"}
    kind = "checkout.session.expired"
    await hears({"id": f"evt_{bought.purchase_id}", "type": kind, "data": {"object": about}})


async def a_paid_purchase(buyer: Actor) -> Bought:
    bought = await buys(buyer, COINS, now=utc_now())
    await pays_at(bought)
    await hears_newest("checkout.session.completed")
    return bought


Act = Callable[[], Awaitable[None]]


async def pays_by_card(buyer: Actor) -> Act:
    async def act() -> None:
        await a_paid_purchase(buyer)

    return act


async def pays_with_coins(buyer: Actor) -> Act:
    async def act() -> None:
        await buys(buyer, PRICE, now=utc_now())

    return act


async def cancels(buyer: Actor) -> Act:
    bought = await buys(buyer, COINS, now=utc_now())

    async def act() -> None:
        await service.cancel(buyer, bought.purchase_id)

    return act


async def is_refunded(buyer: Actor) -> Act:
    bought = await a_paid_purchase(buyer)

    async def act() -> None:
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "wrong game", now=utc_now())
        await payments.return_money((await payment_of(bought)).id)

    return act


async def is_found_paid(buyer: Actor) -> Act:
    """Its webhook was lost, and the reconciliation asks."""
    bought = await buys(buyer, COINS, now=utc_now())
    await pays_at(bought)

    async def act() -> None:
        await payments.look((await payment_of(bought)).id)

    return act


async def pays_too_late(buyer: Actor) -> Act:
    """Ended on our side, and paid at Stripe all the same: the money goes back by itself."""
    bought = await buys(buyer, COINS, now=utc_now())
    await hears_that_it_expired(bought)
    await pays_at(bought)

    async def act() -> None:
        await hears_newest("checkout.session.completed")
        await payments.return_money((await payment_of(bought)).id)

    return act


async def a_paid_top_up(owner: Actor) -> top_ups.Begun:
    begun = await top_ups.begin(owner, str(DOLLARS), new_id(), language="en", now=utc_now())
    await pays_at(begun)
    await hears_newest("checkout.session.completed")
    return begun


async def tops_up(owner: Actor) -> Act:
    """And what has waited for the money begins."""

    async def act() -> None:
        begun = await a_paid_top_up(owner)
        paid = await top_up_repository.find(begun.top_up_id)
        assert paid
        await company_jobs.start_what_waited(str(paid.advertiser_id))

    return act


async def has_a_top_up_returned(owner: Actor) -> Act:
    """By whoever sits at Stripe's dashboard."""
    begun = await a_paid_top_up(owner)
    paid = await payments.of_subject(top_up_repository.PURPOSE, begun.top_up_id)
    assert paid
    await tells_stripe("refunds", payment_intent=str(paid.intent_id))

    async def act() -> None:
        await hears_newest("charge.refunded")

    return act


STORIES: dict[str, tuple[int, Callable[[Actor], Awaitable[Act]]]] = {
    "pays by card": (COINS, pays_by_card),
    "pays with coins": (PRICE, pays_with_coins),
    "cancels": (COINS, cancels),
    "is refunded": (COINS, is_refunded),
    "is found paid": (COINS, is_found_paid),
    "pays too late": (COINS, pays_too_late),
    "tops up": (0, tops_up),
    "has a top-up returned": (0, has_a_top_up_returned),
}
"""The coins that the buyer begins with, what nobody dies of, and then the act that is walked."""


async def live(story: str, buyer: Actor, last: int) -> None:
    act = await STORIES[story][1](buyer)
    Steps(last).watch()
    await act()
    # No tidying up: Python 3.11's `wait_for` may swallow the cancelling that would be awaited.
    os._exit(0)


async def prepared(story: str) -> Actor:
    """Who acts, and what for, made before anything is counted; no connection is left open."""
    acts = await (a_companys_owner() if story in OF_COMPANIES else a_buyer_before_stock(story))
    await database.dispose_engine()
    return acts


async def a_buyer_before_stock(story: str) -> Actor:
    buyer = await a_buyer(coins_owned=STORIES[story][0], now=utc_now())
    await stock(1)
    return buyer


async def a_companys_owner() -> Actor:
    """Of one with a campaign that waits for money."""
    company = await a_company()
    campaign = await a_campaign(advertiser_id=company.id, status="draft", budget_cents=DOLLARS * 50)
    await an_ad(campaign)
    return company.owner


def end_of(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def lives(story: str) -> Iterator[dict[str, object]]:
    """One that dies at each step of the story, and the last one, which comes to its end."""
    ended, last = KILLED, 0
    while ended == KILLED:
        last += 1
        buyer = asyncio.run(prepared(story))
        child = os.fork()
        if child == 0:
            faulthandler.dump_traceback_later(LONGEST, exit=True)
            asyncio.run(live(story, buyer, last))
        ended = end_of(child)
        yield {"story": story, "step": last, "ended": ended, "buyer": str(buyer.user_id)}


def main() -> None:
    # It reads certificates for longer than a life takes steps: all of them inherit it.
    stripe_gateway._client()
    for story in STORIES:
        for life in lives(story):
            print(json.dumps(life), flush=True)
            assert life["ended"] in (0, KILLED), "this life has met a defect"
            sys.stdin.readline()


if __name__ == "__main__":
    main()
