"""kill -9 at every step of a purchase or a top-up: in the end both sides have it, or neither."""

import asyncio
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
import time_machine

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.advertiser import books
from rewards_app.features.coins import service as coins
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import books as shop_books
from tests.faults.purchasing import COINS, DOLLARS, KILLED, OF_COMPANIES, STORIES
from tests.ledger import EVERYTHING, what_is_wrong
from tests.paying import ask, hears, letters_queued
from tests.serving import PROJECT
from tests.shop import PRICE
from tests.stripe_server import StripeServer

WITHIN = timedelta(seconds=60)
"""Until the next look of the reconciliation everything is paid or released."""
LATER = timedelta(hours=1)
FEWEST_STEPS = {
    "pays by card": 12,
    "pays with coins": 4,
    "cancels": 6,
    "is refunded": 8,
    "is found paid": 6,
    "pays too late": 8,
    "tops up": 12,
    "has a top-up returned": 2,
}


@dataclass(frozen=True)
class Life:
    story: str
    step: int
    ended: int
    buyer: str

    @property
    def was_killed(self) -> bool:
        return self.ended == KILLED


async def lives() -> AsyncIterator[Life]:
    """Each is looked at before the next begins."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.purchasing"),
        cwd=PROJECT,
        env=dict(os.environ),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )
    assert process.stdin
    assert process.stdout
    async for line in process.stdout:
        if line.startswith(b"{"):
            life = Life(**json.loads(line))
            if life.ended not in (0, KILLED):
                break
            yield life
            process.stdin.write(b"\n")
    _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()[-3000:]


async def a_minute_passes() -> None:
    """And then the reconciliation looks, once."""
    with time_machine.travel(utc_now(), tick=True) as clock:
        clock.shift(WITHIN)
        await payments.look_at_what_waits(now=utc_now())


async def an_hour_passes() -> None:
    """The reconciliation looks as often as it does in an hour, and nobody else does anything."""
    with time_machine.travel(utc_now(), tick=True) as clock:
        for _ in range(4):
            clock.shift(LATER / 4)
            await payments.look_at_what_waits(now=utc_now())


async def stripe_tells_again(stripe: StripeServer, *, since: int = 0) -> None:
    """As it does for days, until it is answered that we know."""
    happened = stripe.events[since:]
    for kind in ("checkout.session.completed", "charge.refunded"):
        await hears(stripe, *(event for event in happened if event["type"] == kind))


def can_still_be_paid(stripe: StripeServer, database: str, life: Life) -> bool:
    """Nothing was lost: the buyer was led to a checkout, or could have been, and it waits."""
    query = """
        select checkout_id from payments where account_id = %s and status = 'open'
            and (exists (select from purchases where id = subject_id and status = 'waiting')
                or exists (select from top_ups where id = subject_id and status = 'waiting'))"""
    return any(
        stripe.session(checkout_id)["status"] == "open"
        for (checkout_id,) in ask(database, query, life.buyer)
    )


def what_became_of(database: str, life: Life) -> tuple:
    query = OF_A_COMPANY if life.story in OF_COMPANIES else OF_A_BUYER
    return ask(database, query.replace("%(who)s", f"'{life.buyer}'"))[0]


OF_A_BUYER = """
        select coalesce(min(purchases.status), 'nothing'), coalesce(sum(charged), 0),
            coalesce(sum(charged) filter (where returned_at is not null), 0),
            (select count(*) from gift_codes where purchase_id = any(array_agg(purchases.id))
                and gift_codes.status = 'delivered'),
            (select balance from coin_balances where account_id = %(who)s),
            (select held from coin_balances where account_id = %(who)s)
        from purchases left join payments on subject_id = purchases.id
        where purchases.account_id = %(who)s"""
OF_A_COMPANY = """
        select coalesce(min(top_ups.status), 'nothing'), coalesce(sum(charged), 0),
            coalesce(sum(charged) filter (where returned_at is not null), 0),
            count(invoice_number),
            (select balance / 100000 from advertisers where account_id = %(who)s)
        from top_ups left join payments on subject_id = top_ups.id
        where top_ups.account_id = %(who)s"""


ORE = (PRICE - COINS) * 100
CENTS = DOLLARS * 100
NOTHING_PAID = ("nothing", "failed", "expired")
NOTHING_MOVED = {(status, 0, 0, 0, COINS, 0) for status in NOTHING_PAID}
DELIVERED = ("completed", ORE, 0, 1, 0, 0)
REFUNDED = ("refunded", ORE, ORE, 0, COINS, 0)
ENDS = {
    "pays by card": NOTHING_MOVED | {DELIVERED},
    "pays with coins": {("nothing", 0, 0, 0, PRICE, 0), ("completed", 0, 0, 1, 0, 0)},
    "cancels": {(status, 0, 0, 0, COINS, 0) for status in ("expired", "cancelled")},
    "is refunded": {DELIVERED, REFUNDED},
    "is found paid": {DELIVERED},
    "pays too late": {REFUNDED},
    "tops up": {(status, 0, 0, 0, 0) for status in NOTHING_PAID}
    | {("paid", CENTS, 0, 1, left) for left in (DOLLARS, DOLLARS // 2)},
    "has a top-up returned": {("returned", CENTS, CENTS, 1, 0)},
}
"""Status, charged, returned, codes given, coins to spend, coins held: one of these and no other.
Of a company: status, charged, returned, invoices, dollars in its balance."""
ONLY_STRIPE_KNOWS = {"pays too late", "has a top-up returned"}
"""It was over on our side: whether somebody paid, or has the money back, Stripe tells."""


async def the_books_are_clean(database: str) -> None:
    assert not what_is_wrong(database, EVERYTHING)
    async with transaction() as session:
        assert (await shop_books.check(session)).is_clean
        assert (await coins.check(session)).is_clean
        assert (await books.check(session)).is_clean


async def both_sides_have_it(
    stripe: StripeServer, database: str, charged: int, when: object
) -> None:
    await the_books_are_clean(database)
    kept, returned = sum_of_money(database)
    assert kept + returned == charged, when
    assert returned == sum(one["amount"] for one in stripe.refunds), when
    assert sorted(letters_queued(database)) == purchases_with_a_code(database), when


@pytest.mark.timeout(400)
class TestKills:
    async def test_at_every_step_leave_money_coins_and_code_together(
        self, stripe: StripeServer, database: str
    ):
        killed, ends = Counter[str](), defaultdict[str, set[tuple]](set)
        lived = dict[Life, tuple]()
        told_before = 0
        async for life in lives():
            charged = sum(one["amount_received"] for one in stripe.payments)
            stripe_has_told = bool(life.step % 2)
            if stripe_has_told:
                await stripe_tells_again(stripe, since=told_before)
            await a_minute_passes()
            if stripe_has_told or life.story not in ONLY_STRIPE_KNOWS:
                end = what_became_of(database, life)
                is_settled = end in ENDS[life.story]
                assert is_settled or can_still_be_paid(stripe, database, life), (life, end)
            await an_hour_passes()
            await stripe_tells_again(stripe, since=told_before)
            await payments.look_at_what_waits(now=utc_now())
            end = what_became_of(database, life)
            assert end in ENDS[life.story], (life, end)
            await both_sides_have_it(stripe, database, charged, life)
            lived[life] = end
            ends[life.story].add(end)
            killed[life.story] += life.was_killed
            told_before = len(stripe.events)
        await stripe_tells_again(stripe)
        await both_sides_have_it(stripe, database, charged, "told of everything once more")
        assert {life: what_became_of(database, life) for life in lived} == lived
        for story, fewest in FEWEST_STEPS.items():
            print(f"{story}: killed at each of {killed[story]} steps; {sorted(ends[story])}")
            assert killed[story] >= fewest
            assert len(ends[story]) > 1 or len(ENDS[story]) == 1, "some died early, one lived"
        assert killed.keys() == STORIES.keys()


def purchases_with_a_code(database: str) -> list[str]:
    """Those that were delivered, even if they were refunded since."""
    query = "select purchase_id::text from gift_codes where status in ('delivered', 'withdrawn')"
    return sorted(purchase for (purchase,) in ask(database, query))


def sum_of_money(database: str) -> tuple[int, int]:
    """What we have of all buyers, and what we gave back."""
    query = """select coalesce(sum(charged) filter (where returned_at is null), 0),
        coalesce(sum(charged) filter (where returned_at is not null), 0) from payments"""
    return ask(database, query)[0]
