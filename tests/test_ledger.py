"""What all other tests rest on: each promise about coins and views names the row that breaks it."""

import pytest

from tests import ledger
from tests.ads import NOON, SECOND, an_ad, the_player, watches

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
