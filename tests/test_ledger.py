"""What all other tests rest on: each promise about coins, money and views names what breaks it."""

import psycopg
import pytest

from rewards_app.core.clock import utc_now
from rewards_app.features.advertiser import jobs
from rewards_app.features.leaderboard import service as boards
from tests import ledger
from tests.ads import NOON, SECOND, a_campaign, an_ad, the_player, watches
from tests.companies import a_company, asks, payment_of
from tests.companies import is_paid_at as is_topped_up_at
from tests.paying import an_order, hears, is_paid_at, newest
from tests.shop import PRICE, a_buyer, buys, stock
from tests.stripe_server import StripeServer

SPOILT = {
    "update coin_balances set balance = balance + 1": [
        "a balance is not what its entries and holds add up to"
    ],
    "update coin_balances set ads = ads + 1": ["a count of paid ads is not that of their entries"],
    "update coin_entries set balance_after = balance_after + 1": [
        "an entry does not follow from the one before"
    ],
    "update coin_entries set cause = left(cause, -4) || 'ffff'": [
        "a rewarded view has no entry, or another amount",
        "an ad's entry has no rewarded view",
    ],
    "update ad_views set reward_coins = reward_coins + 1": [
        "a rewarded view has no entry, or another amount"
    ],
    "delete from ad_views": ["an ad's entry has no rewarded view"],
    "update coin_entries set kind = 'purchase', cause = 'purchase' || substr(cause, 3)": [
        "a balance is not what its entries and holds add up to",
        "a count of paid ads is not that of their entries",
        "a rewarded view has no entry, or another amount",
        "coins were taken or returned for no purchase",
    ],
}


@pytest.mark.usefixtures("spoilt_books")
@pytest.mark.parametrize("statement", SPOILT)
async def test_what_is_spoilt_is_named(database: str, statement: str):
    maja, ad = await the_player("Maja"), await an_ad()
    for minutes in (0, 5):
        await watches(maja, ad, now=NOON + minutes * 60 * SECOND)
    assert ledger.what_is_wrong(database) == {}
    ledger.spoil(database, statement)
    wrong = ledger.what_is_wrong(database, ledger.COINS | ledger.VIEWS | ledger.PURCHASES)
    assert list(wrong) == SPOILT[statement]


WAITS_FOR_A_PLACE = "update ad_views set status = 'running', rewarded_at = null, holds_place = true"
BREAKS = {
    "a balance is not what its entries and holds add up to": (
        "delete from coin_balances",
        "delete from coin_entries",
        "update coin_holds set status = 'held'",
        "update coin_balances set total = 0",
    ),
    "a balance is below zero": (
        "alter table coin_balances drop constraint nothing_is_negative;"
        " update coin_balances set balance = -1",
    ),
    "a count of paid ads is not that of their entries": (
        "delete from coin_entries where kind = 'ad'",
    ),
    "an entry does not follow from the one before": (
        "update coin_entries set amount = amount + 1",
    ),
    "a rewarded view has no entry, or another amount": (
        "delete from coin_entries where kind = 'ad'",
    ),
    "an ad's entry has no rewarded view": (
        "update ad_views set status = 'given_up', rewarded_at = null",
    ),
    "an order is not what its money, its code and its coins tell": (
        "delete from payments where purpose = 'purchase'",
        "update payments set charged = null where purpose = 'purchase'",
        "delete from gift_codes",
        "delete from coin_entries where kind = 'purchase'",
        "delete from coin_holds",
        "update purchases set status = 'refunded'",
    ),
    "coins were taken or returned for no purchase": ("delete from purchases",),
    "money was asked for no purchase, or from somebody else": (
        "delete from purchases",
        "update payments set account_id = gen_random_uuid()",
    ),
    "what is secret lies open": ("update gift_codes set code = 'CODE-1'",),
    "a day's figures are not what its views add up to": (
        "delete from ad_days",
        "update ad_days set spend = spend + 1",
        "delete from ad_views",
    ),
    "a day's figures are another company's": ("update ad_days set advertiser_id = campaign_id",),
    "a campaign's places are not those of its views": (
        "update ad_campaigns set taken = taken + 1",
        "delete from ad_views",
    ),
    "more places of a day were taken than were counted": (
        "update ad_campaigns set taken_today = 0",
    ),
    "a company pays more than its budget": ("update ad_campaigns set budget_cents = 1",),
    "a view has another price than its campaign": ("update ad_views set price = price + 1",),
    "a place waits in a campaign that has none": (
        f"{WAITS_FOR_A_PLACE}; update ad_campaigns set budget_cents = null",
        f"{WAITS_FOR_A_PLACE}; update ad_campaigns set settled_at = now()",
    ),
    "servings have gaps": ("update ad_servings set position = position + 1",),
    "a company has something else than its entries add up to": (
        "update advertisers set balance = balance + 1",
        "delete from advertiser_entries",
    ),
    "a company's entry does not follow from the one before": (
        "update advertiser_entries set balance_after = balance_after + 1",
    ),
    "a top-up is not what its payment and its entries tell": (
        "delete from advertiser_entries where kind = 'top_up'",
        "delete from advertiser_entries where kind = 'returned'",
        "delete from advertiser_entries where kind in ('top_up', 'returned')",
        "update advertiser_entries set advertiser_id = gen_random_uuid()",
        "update payments set charged = null where status = 'paid'",
        "update payments set status = 'paid' where status = 'returned'",
        "update top_ups set status = 'waiting', invoice_number = null where status = 'paid'",
        "update top_ups set status = 'expired', invoice_number = null",
        "update top_ups set returned_cents = 1",
        "delete from payments where purpose = 'top_up'",
    ),
    "invoices have gaps": (
        "update invoice_numbers set last = last + 1",
        "update top_ups set invoice_number = 9 where invoice_number = 1",
    ),
    "a company's money moved for nothing that is there": (
        "delete from top_ups",
        "delete from ad_campaigns",
        "update advertiser_entries set kind = 'credited' where kind = 'set_aside'",
    ),
    "a campaign's budget is not what its entries tell": (
        "delete from advertiser_entries where kind = 'set_aside'",
        "update ad_campaigns set budget_cents = budget_cents + 1",
        "update ad_campaigns set settled_at = now()",
    ),
    "a board is not what the counted entries add up to": (
        "delete from board_scores",
        "update board_scores set ads = ads + 1",
        "delete from coin_entries",
    ),
    "a step of a board has others than its scores": (
        "delete from board_steps",
        "update board_steps set players = players + 1",
    ),
    "a board's sums are not those of its scores": (
        "delete from boards",
        "update boards set coins = coins + 1",
    ),
}
"""By promise: what breaks it, each alone."""


async def much_happens(stripe: StripeServer) -> None:
    """Of everything that a promise is about there is something."""
    company = await a_company()
    kept, returned = await asks(company), await asks(company)
    for begun in (kept, returned):
        await hears(stripe, await is_topped_up_at(stripe, begun))
    intent = (await payment_of(returned)).intent_id
    assert intent
    stripe.refund_at_dashboard(intent)
    await hears(stripe, newest(stripe, "charge.refunded"))
    campaign = await a_campaign(
        advertiser_id=company.id, status="draft", budget_cents=5_000, daily_budget_cents=500
    )
    ad = await an_ad(campaign)
    await jobs.start_what_waited(str(company.id))
    await watches(await the_player("Maja", now=utc_now()), ad, now=utc_now())
    _, order = await an_order()
    await hears(stripe, await is_paid_at(stripe, order))
    await stock(1)
    await buys(await a_buyer("Liam", coins_owned=PRICE, now=utc_now()), PRICE, now=utc_now())
    await boards.fold(now=utc_now())


class TestEveryPromise:
    def test_has_something_that_breaks_it(self):
        assert set(BREAKS) == set(ledger.EVERYTHING)

    async def test_is_broken_by_each_of_them(self, stripe: StripeServer, database: str):
        await much_happens(stripe)
        assert ledger.what_is_wrong(database, ledger.EVERYTHING) == {}
        missed = [
            (promise, statement)
            for promise, statements in BREAKS.items()
            for statement in statements
            if not is_broken(database, promise, statement)
        ]
        assert missed == []


def is_broken(database: str, promise: str, statement: str) -> bool:
    """Where this was done, which is undone at once."""
    with psycopg.connect(database) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(statement)
        wrong = ledger.broken_promises(connection, {promise: ledger.EVERYTHING[promise]})
        connection.rollback()
    return promise in wrong
