"""The proof that money, coins and code of every purchase moved together, or not at all."""

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.shop import books
from rewards_app.features.shop.book_rules import Books, Moved
from rewards_app.features.shop.rules import Status
from tests.ledger import spoil, what_is_wrong
from tests.paying import ask
from tests.shop import PRICE, a_buyer, buys, stock

COINS, ORE = 26, 6300
DELIVERED = Moved(coins_taken=COINS, charged_ore=ORE, codes_delivered=1)
TAKEN_BACK = Moved(
    coins_taken=COINS, coins_returned=COINS, charged_ore=ORE, returned_ore=ORE, codes_withdrawn=1
)
RIGHT = {
    Status.WAITING: [Moved(coins_held=COINS, codes_reserved=1)],
    Status.COMPLETED: [DELIVERED],
    Status.CANCELLED: [Moved()],
    Status.EXPIRED: [Moved()],
    Status.FAILED: [Moved()],
    Status.REFUNDING: [DELIVERED, Moved(charged_ore=ORE)],
    Status.REFUNDED: [
        TAKEN_BACK,
        TAKEN_BACK._replace(codes_withdrawn=0),
        Moved(charged_ore=ORE, returned_ore=ORE),
    ],
}
EVERY_RIGHT = [(status, moved) for status, all_right in RIGHT.items() for moved in all_right]


def are_balanced(status: Status, moved: Moved, coins: int = COINS) -> bool:
    return Books("COIN-1", status, PRICE, coins, moved).is_balanced


class TestBooks:
    def test_are_told_for_every_status(self):
        assert set(RIGHT) == set(Status)

    @pytest.mark.parametrize(("status", "moved"), EVERY_RIGHT)
    def test_are_balanced_when_all_moved_together(self, status: Status, moved: Moved):
        assert are_balanced(status, moved)

    @pytest.mark.parametrize(("status", "moved"), EVERY_RIGHT)
    @pytest.mark.parametrize("what", Moved._fields)
    def test_are_wrong_when_one_thing_is_elsewhere(self, status: Status, moved: Moved, what: str):
        there = getattr(moved, what)
        for elsewhere in {0, 1, 2, there - 1, there + 1, COINS, ORE, PRICE * 100} - {there}:
            strange = moved._replace(**{what: elsewhere})
            is_too_late = status is Status.REFUNDING and moved == Moved(charged_ore=ORE)
            if strange not in RIGHT[status] and not (is_too_late and what == "charged_ore"):
                assert not are_balanced(status, strange), strange

    @pytest.mark.parametrize("status", Status)
    def test_are_wrong_when_what_moved_is_that_of_another_status(self, status: Status):
        for moved in {moved for _, moved in EVERY_RIGHT} - set(RIGHT[status]):
            assert not are_balanced(status, moved), moved

    def test_of_coins_alone_know_no_money(self):
        given = Moved(coins_taken=PRICE, codes_delivered=1)
        assert are_balanced(Status.COMPLETED, given, PRICE)
        back = Moved(coins_taken=PRICE, coins_returned=PRICE, codes_withdrawn=1)
        assert are_balanced(Status.REFUNDED, back, PRICE)
        assert not are_balanced(Status.REFUNDING, given, PRICE)
        assert not are_balanced(Status.WAITING, Moved(coins_held=PRICE, codes_reserved=1), PRICE)

    def test_of_money_that_came_too_late_take_any_amount_that_went_back_whole(self):
        assert are_balanced(Status.REFUNDING, Moved(charged_ore=7))
        assert not are_balanced(Status.REFUNDING, Moved())
        assert are_balanced(Status.REFUNDED, Moved(charged_ore=7, returned_ore=7))
        assert not are_balanced(Status.REFUNDED, Moved(charged_ore=7, returned_ore=6))
        assert not are_balanced(Status.REFUNDED, Moved())


SPOILING = {
    "a code that is given twice over": "update gift_codes set status = 'free', purchase_id = null",
    "a code that was taken away": "update gift_codes set status = 'withdrawn'",
    "coins that were more": "update purchases set coins_spent = coins_spent - 1",
    "coins that were never taken": "delete from coin_entries where kind = 'purchase'",
    "coins that are still held": "update coin_holds set status = 'held'",
    "an order that is not what it was": "update purchases set status = 'cancelled'",
    "an order that waits again": "update purchases set status = 'waiting'",
}


class TestChecking:
    async def test_finds_nothing_in_an_honest_shop(self, database: str):
        await stock(2)
        maja = await a_buyer(coins_owned=PRICE + COINS)
        await buys(maja, PRICE)
        await buys(maja, COINS)
        async with transaction() as session:
            audit = await books.check(session)
        assert (audit.purchases, audit.is_clean) == (2, True)
        assert not what_is_wrong(database)

    @pytest.mark.usefixtures("spoilt_books")
    @pytest.mark.parametrize("statement", SPOILING.values(), ids=SPOILING)
    async def test_finds_what_was_changed_behind_its_back_and_calls_somebody(
        self, database: str, statement: str
    ):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        await buys(maja, PRICE)
        ((code,),) = ask(database, "select purchase_code from purchases")
        spoil(database, statement)
        async with transaction() as session:
            audit = await books.check_and_alert(session, now=utc_now())
        assert [book.purchase_code for book in audit.wrong] == [code]
        ((kind, severity, said, params),) = ask(
            database, "select alert_type, severity, description, params from security_alerts"
        )
        assert (kind, severity) == ("purchase_difference", "critical")
        assert code in said
        assert params == {"code": code, "status": [f"orders.status.{audit.wrong[0].status}"]}
        assert what_is_wrong(database), "the tests' own promises notice, too"
