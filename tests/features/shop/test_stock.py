"""Gift codes come in by the sheet, whole or not at all, and each of them once for ever."""

import asyncio

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.sealed import fingerprint, unseal
from rewards_app.core.settings import settings
from rewards_app.features.payments import sandbox
from rewards_app.features.payments import service as payments
from rewards_app.features.privacy import resealing
from rewards_app.features.shop import books, rules, service, stock, stock_repository
from rewards_app.features.shop.buying import Bought
from rewards_app.features.shop.catalogue import PACKAGES
from rewards_app.features.shop.code_sheet import ImportedTwice
from rewards_app.models import GiftCode
from tests.keyring import FIRST, SECOND, keys
from tests.paying import ask, payment_of
from tests.shop import GONE, NOON, PRICE, THE_PACKAGE, a_buyer, buys
from tests.shop import stock as a_stock
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")


def a_sheet(*codes: str, package_id: str = THE_PACKAGE) -> str:
    return "\n".join(["package,code", *(f"{package_id},{code}" for code in codes)])


async def comes_in(text: str, *, is_demo: bool = False) -> stock.Imported:
    async with transaction() as session:
        return await stock.import_sheet(session, text, None, is_demo=is_demo, now=NOON)


async def levels() -> dict[str, stock.Level]:
    async with transaction() as session:
        return {level.package_id: level for level in await stock.levels(session)}


def problems(imported: stock.Imported) -> list[tuple[int, str]]:
    return [(problem.line, problem.code_key) for problem in imported.problems]


class TestImporting:
    async def test_puts_every_code_on_the_shelf(self):
        imported = await comes_in(a_sheet("GIFT-0001", "GIFT-0002", "GIFT-0003"))
        assert (imported.count, imported.problems) == (3, ())
        assert (await levels())[THE_PACKAGE].free == 3

    async def test_a_thousand_and_one_codes_come_in_at_once(self, database: str):
        imported = await comes_in(a_sheet(*(f"GIFT-{number:05}" for number in range(1001))))
        assert imported.count == 1001
        assert ask(database, "select count(distinct fingerprint) from gift_codes") == [(1001,)]

    async def test_keeps_them_sealed_and_sells_what_was_brought_in(self, database: str):
        await comes_in(a_sheet("GIFT-0001"))
        ((kept,),) = ask(database, "select code from gift_codes")
        assert "GIFT" not in kept
        assert unseal(kept) == "GIFT-0001"
        maja = await a_buyer(coins_owned=PRICE)
        bought = await buys(maja, PRICE)
        assert await service.code_of(maja, bought.purchase_id) == "GIFT-0001"

    async def test_brings_in_nothing_where_one_line_is_wrong(self):
        imported = await comes_in(f"{a_sheet('GIFT-0001')}\nno-such-package,GIFT-0002")
        assert imported.count == 0
        assert [line for line, _ in problems(imported)] == [3]
        assert (await levels())[THE_PACKAGE].free == 0

    async def test_names_the_lines_that_are_in_stock_already(self):
        await comes_in(a_sheet("GIFT-0001", "GIFT-0002"))
        imported = await comes_in(a_sheet("GIFT-0003", "GIFT-0002", "GIFT-0001"))
        in_stock = "codes.problems.in_stock"
        assert (imported.count, problems(imported)) == (0, [(3, in_stock), (4, in_stock)])
        assert (await levels())[THE_PACKAGE].free == 2

    async def test_knows_a_code_again_that_was_sold_long_ago(self):
        await comes_in(a_sheet("GIFT-0001"))
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        assert (await comes_in(a_sheet("GIFT-0001"))).count == 0

    async def test_knows_a_code_again_of_another_package(self):
        await comes_in(a_sheet("GIFT-0001"))
        assert (await comes_in(a_sheet("GIFT-0001", package_id="robux-400"))).count == 0

    @pytest.mark.parametrize("again", ["gift-0001", "GIFT0001", "Gift 0001"])
    async def test_knows_a_code_again_in_another_writing(self, database: str, again: str):
        await comes_in(a_sheet("GIFT-0001"))
        in_stock = (2, "codes.problems.in_stock")
        assert problems(await comes_in(a_sheet(again))) == [in_stock]
        with keys(SECOND, settings().secret):
            assert problems(await comes_in(a_sheet(again))) == [in_stock]
        assert statuses(database) == {"GIFT-0001": "free"}

    @pytest.mark.parametrize("again", ["gift-0001", "GIFT-0001"])
    async def test_knows_what_an_earlier_version_brought_in(self, database: str, again: str):
        await comes_in(a_sheet("GIFT-0001"))
        marked_as_before(database)
        assert problems(await comes_in(a_sheet(again))) == [(2, "codes.problems.in_stock")]

    async def test_sells_one_of_two_that_an_earlier_version_took_for_different(self, database: str):
        await comes_in(a_sheet("GIFT-0001", "OTHER-0002"))
        marked_as_before(database)
        second = GiftCode(
            package_id=THE_PACKAGE, code="gift0001", fingerprint=fingerprint("gift0001")
        )
        async with transaction() as session:
            await stock_repository.add_codes(session, [second])
        for _ in range(2):
            await stock.mark_anew(now=NOON)
        found = statuses(database)
        assert found.pop("OTHER-0002") == "free"
        assert sorted(found.values()) == ["free", "withdrawn"]
        assert (await comes_in(a_sheet("Gift 0001"))).count == 0
        assert (await comes_in(a_sheet("GIFT-0003"))).count == 1

    async def test_sells_none_of_two_that_are_one_code_once_somebody_has_it(self, database: str):
        await comes_in(a_sheet("GIFT-0001"))
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        marked_as_before(database)
        second = GiftCode(
            package_id=THE_PACKAGE, code="gift0001", fingerprint=fingerprint("gift0001")
        )
        async with transaction() as session:
            await stock_repository.add_codes(session, [second])
        await stock.mark_anew(now=NOON)
        assert statuses(database) == {"GIFT-0001": "delivered", "gift0001": "withdrawn"}

    async def test_of_the_same_sheet_by_two_at_once_counts_once(self, database: str):
        sheet = a_sheet(*(f"GIFT-{number:04}" for number in range(50)))
        came = await asyncio.gather(*(comes_in(sheet) for _ in range(4)), return_exceptions=True)
        counts = [one.count for one in came if isinstance(one, stock.Imported)]
        assert sorted(counts)[-1] == sum(counts) == 50
        refused = [one for one in came if not isinstance(one, stock.Imported)]
        assert all(isinstance(one, ImportedTwice) for one in refused)
        assert ask(database, "select count(*) from gift_codes") == [(50,)]

    async def test_of_the_same_codes_in_another_order_at_once_counts_once(self, database: str):
        codes = [f"GIFT-{number:04}" for number in range(1500)]
        sheets = [a_sheet(*codes), a_sheet(*reversed(codes))]
        with psycopg.connect(database) as holding:
            holding.execute("lock table gift_codes in share mode")
            coming = [asyncio.create_task(comes_in(sheet)) for sheet in sheets]
            await are_waiting(database, 2)
        came = await asyncio.gather(*coming, return_exceptions=True)
        assert sorted(type(one).__name__ for one in came) == ["Imported", "ImportedTwice"]
        assert ask(database, "select count(*) from gift_codes") == [(1500,)]


class TestLevels:
    async def test_name_every_package_even_without_codes(self):
        assert list(await levels()) == list(PACKAGES)

    async def test_tell_last_of_what_is_sold_no_more_and_lies_here_still(self):
        await a_stock(2, GONE)
        found = await levels()
        assert list(found) == [*PACKAGES, GONE]
        assert (found[GONE].free, found[GONE].is_sold) == (2, False)

    async def test_call_nobody_to_bring_in_what_is_sold_no_more(self):
        await a_stock(1, GONE)
        await a_stock(1)
        found = (await levels()).values()
        assert [one.package_id for one in found if stock.is_running_low(one)] == [THE_PACKAGE]
        assert not stock.Level(GONE, 0, 0, 1, 0, 0).is_sold_out

    async def test_count_what_became_of_each(self):
        await a_stock(3)
        await comes_in(a_sheet("GIFT-0001"), is_demo=True)
        maja = await a_buyer(coins_owned=PRICE)
        await buys(maja, PRICE)
        await buys(maja)
        level = (await levels())[THE_PACKAGE]
        assert (level.free, level.reserved, level.delivered, level.demo) == (2, 1, 1, 1)


def marked_as_before(database: str) -> None:
    """By how each is written, as every version did that compared writings alone."""
    for code_id, code in ask(database, "select id, code from gift_codes"):
        mark = fingerprint(unseal(code))
        ask(
            database,
            "update gift_codes set fingerprint = %s where id = %s returning id",
            mark,
            code_id,
        )


async def withholds(*marks: str) -> tuple[int, int]:
    """How many codes are sold no more, and how many marks are of none."""
    async with transaction() as session:
        done = await stock.withhold(session, marks, now=NOON)
    return done.count, done.unknown


async def withholds_next(most: int | None) -> int:
    async with transaction() as session:
        return await stock.withhold_next(session, most, now=NOON)


def statuses(database: str) -> dict[str, str]:
    """What became of each code, by its words."""
    kept = ask(database, "select code, status from gift_codes order by id")
    return {unseal(code): status for code, status in kept}


class TestWithholding:
    """After a restored backup: what is free in it may be somebody's."""

    async def test_what_was_given_away_is_listed_by_marks_in_which_nobody_reads_a_code(self):
        await comes_in(a_sheet("GIFT-0001", "GIFT-0002"))
        assert await stock.given() == []
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        [mark] = await stock.given()
        assert stock.MARK.fullmatch(mark)
        assert "GIFT" not in mark

    @pytest.mark.usefixtures("spoilt_books")
    async def test_a_code_on_the_list_is_never_sold_again(self, database: str):
        first, second = await a_stock(2)
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        given = await stock.given()
        taken_back(database)
        assert await withholds(*given) == (1, 0)
        assert statuses(database) == {first: "withdrawn", second: "free"}
        maja = await a_buyer("Nils", coins_owned=2 * PRICE)
        bought = await buys(maja, PRICE)
        assert await service.code_of(maja, bought.purchase_id) == second
        with pytest.raises(rules.SoldOut):
            await buys(maja, PRICE)
        assert await stock.given() == [*given, *(await stock.given())[1:]]

    async def test_a_code_that_was_refunded_is_on_the_list(self, database: str):
        await a_stock(1)
        buyer = await a_buyer(coins_owned=PRICE)
        bought = await buys(buyer, PRICE)
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "does not work", now=NOON)
        assert statuses(database).popitem()[1] == "withdrawn"
        assert len(await stock.given()) == 1

    @pytest.mark.usefixtures("spoilt_books")
    async def test_a_list_of_before_another_key_is_known(self, database: str):
        with keys(FIRST):
            await a_stock(1)
            await buys(await a_buyer(coins_owned=PRICE), PRICE)
            given = await stock.given()
            taken_back(database)
        with keys(SECOND, FIRST):
            assert await withholds(*given) == (1, 0)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_a_list_of_two_keys_is_known_to_whoever_has_either(self, database: str):
        with keys(FIRST):
            await a_stock(1)
            await buys(await a_buyer(coins_owned=PRICE), PRICE)
            [before] = await stock.given()
        with keys(SECOND, FIRST):
            [line] = await stock.given()
            assert before in line.split()
            await resealing.reseal()
        with keys(SECOND):
            taken_back(database)
            assert await withholds(line, "0" * 64) == (1, 1)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_a_list_of_an_earlier_version_is_known(self, database: str):
        await a_stock(1)
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        marked_as_before(database)
        given = await stock.given()
        taken_back(database)
        await stock.mark_anew(now=NOON)
        assert await withholds(*given) == (1, 0)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_twice_is_done_once_and_what_is_not_here_is_counted(self, database: str):
        await a_stock(1)
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        given = await stock.given()
        taken_back(database)
        assert await withholds(*given, "0" * 64) == (1, 1)
        assert await withholds(*given, "0" * 64) == (0, 1)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_what_came_in_later_is_withheld_once_it_is_here_again(self, database: str):
        await comes_in(a_sheet("GIFT-0001"))
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        given = await stock.given()
        taken_back(database, imported=True)
        assert await withholds(*given) == (0, 1)
        await comes_in(a_sheet("GIFT-0001"))
        assert await withholds(*given) == (1, 0)

    async def test_a_code_that_waits_for_its_buyer_is_theirs_and_never_free_again(
        self, database: str
    ):
        [code] = await a_stock(1)
        buyer = await a_buyer()
        bought = await buys(buyer)
        mark = ask(database, "select fingerprint from gift_codes")[0][0]
        assert await withholds(mark) == (1, 0)
        assert statuses(database) == {code: "reserved"}
        await is_looked_at(buyer, bought, is_paid=False)
        assert statuses(database) == {code: "withdrawn"}
        assert ask(database, "select purchase_id from gift_codes") == [(None,)]

    async def test_a_code_that_waits_for_its_buyer_is_delivered_once_it_is_paid(
        self, database: str
    ):
        [code] = await a_stock(1)
        buyer = await a_buyer()
        bought = await buys(buyer)
        assert await withholds_next(None) == 1
        await is_looked_at(buyer, bought, is_paid=True)
        assert await service.code_of(buyer, bought.purchase_id) == code

    async def test_without_a_list_those_go_that_would_be_sold_next(self, database: str):
        codes = await a_stock(4)
        others = await a_stock(1, "robux-400")
        assert await withholds_next(2) == 3
        found = statuses(database)
        assert [found[code] for code in codes] == ["withdrawn", "withdrawn", "free", "free"]
        assert found[others[0]] == "withdrawn"

    async def test_without_any_number_nothing_stays_in_stock(self, database: str):
        await a_stock(4)
        await a_stock(2, "robux-400")
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        assert await withholds_next(None) == 5
        assert not any(level.free for level in (await levels()).values())
        assert sorted(statuses(database).values()) == ["delivered", *["withdrawn"] * 5]

    async def test_leaves_the_books_right(self, database: str):
        await a_stock(3)
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        await buys(await a_buyer("Nils"))
        await withholds_next(None)
        async with transaction() as session:
            assert (await books.check(session)).is_clean

    async def test_is_written_down_by_package(self, database: str):
        await a_stock(2)
        await withholds_next(1)
        assert await withholds() == (0, 0)
        told = "select action, after from audit_entries"
        after = {"codes": 1, "packages": [f"{THE_PACKAGE}: 1"]}
        assert ask(database, told) == [("codes_withheld", after)]

    @pytest.mark.parametrize(
        "wrong", ["status = 'free'", "is_withheld = false", "status = 'delivered'"]
    )
    async def test_a_withheld_code_cannot_become_anything_else_by_itself(
        self, database: str, wrong: str
    ):
        await a_stock(1)
        await withholds_next(None)
        with pytest.raises(psycopg.errors.CheckViolation):
            ask(database, f"update gift_codes set {wrong}")


async def is_kept_unread(code: str) -> None:
    """As a version did that compared writings alone."""
    kept = GiftCode(package_id=THE_PACKAGE, code=code, fingerprint=fingerprint(code))
    async with transaction() as session:
        await stock_repository.add_codes(session, [kept])


async def releases(*codes: str) -> stock.Released:
    async with transaction() as session:
        return await stock.release(session, a_sheet(*codes), now=NOON)


class TestReleasing:
    """The supplier says which of the withheld codes nobody used."""

    async def test_sells_those_of_the_sheet_again_in_any_writing(self, database: str):
        await comes_in(a_sheet("GIFT-0001", "GIFT-0002"))
        await withholds_next(None)
        assert await releases("gift0002", "GIFT-0009") == stock.Released(1, 0, 1, ())
        assert statuses(database) == {"GIFT-0001": "withdrawn", "GIFT-0002": "free"}
        buyer = await a_buyer(coins_owned=PRICE)
        bought = await buys(buyer, PRICE)
        assert await service.code_of(buyer, bought.purchase_id) == "GIFT-0002"

    @pytest.mark.usefixtures("spoilt_books")
    @pytest.mark.parametrize("is_guessed_first", [False, True])
    async def test_leaves_what_a_list_named_that_somebody_may_use_yet(
        self, database: str, is_guessed_first: bool
    ):
        await comes_in(a_sheet("GIFT-0001", "GIFT-0002"))
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        given = await stock.given()
        taken_back(database)
        if is_guessed_first:
            await withholds_next(None)
        await withholds(*given)
        await withholds_next(None)
        assert await releases("GIFT-0001", "GIFT-0002") == stock.Released(1, 1, 0, ())
        assert sorted(statuses(database).values()) == ["free", "withdrawn"]
        assert await withholds(*given) == (0, 0)

    async def test_leaves_what_somebody_had_and_what_is_on_sale(self, database: str):
        await comes_in(a_sheet("GIFT-0001", "GIFT-0002", "GIFT-0003"))
        await buys(await a_buyer(coins_owned=PRICE), PRICE)
        bought = await buys(await a_buyer("Nils", coins_owned=PRICE), PRICE)
        async with transaction() as session:
            await service.refund(session, None, bought.purchase_id, "does not work", now=NOON)
        before = statuses(database)
        assert sorted(before.values()) == ["delivered", "free", "withdrawn"]
        assert await releases(*before) == stock.Released(0, 3, 0, ())
        assert statuses(database) == before

    @pytest.mark.usefixtures("spoilt_books")
    async def test_leaves_what_was_withheld_and_reached_its_buyer_nonetheless(self, database: str):
        [code] = await a_stock(1)
        buyer = await a_buyer()
        bought = await buys(buyer)
        await withholds_next(None)
        await is_looked_at(buyer, bought, is_paid=True)
        assert await releases(code) == stock.Released(0, 1, 0, ())
        assert (await levels())[THE_PACKAGE].withheld == 0
        ask(database, "update gift_codes set status = 'withdrawn' returning id")
        assert await releases(code) == stock.Released(0, 1, 0, ())
        assert statuses(database) == {code: "withdrawn"}
        assert (await levels())[THE_PACKAGE].withheld == 0

    async def test_of_one_that_waits_for_its_buyer_frees_it_once_they_leave_it(self, database: str):
        [code] = await a_stock(1)
        buyer = await a_buyer()
        bought = await buys(buyer)
        await withholds_next(None)
        assert await releases(code) == stock.Released(1, 0, 0, ())
        assert statuses(database) == {code: "reserved"}
        await is_looked_at(buyer, bought, is_paid=False)
        assert statuses(database) == {code: "free"}

    async def test_of_a_code_that_is_here_twice_sells_one(self, database: str):
        for code in ("GIFT-0001", "gift0001"):
            await is_kept_unread(code)
        await withholds_next(None)
        assert (await releases("GIFT-0001")).count == 1
        assert sorted(statuses(database).values()) == ["free", "withdrawn"]
        assert await releases("GIFT-0001") == stock.Released(0, 1, 0, ())

    async def test_of_a_sheet_with_a_bad_line_releases_nothing(self, database: str):
        [code] = await a_stock(1)
        await withholds_next(None)
        done = await releases(code, "x")
        assert (done.count, [one.line for one in done.problems]) == (0, [3])
        assert statuses(database) == {code: "withdrawn"}

    async def test_is_written_down_and_the_books_are_right(self, database: str):
        [code] = await a_stock(1)
        assert (await levels())[THE_PACKAGE].withheld == 0
        await withholds_next(None)
        assert (await levels())[THE_PACKAGE].withheld == 1
        await releases(code)
        assert (await levels())[THE_PACKAGE].withheld == 0
        told = "select action, after from audit_entries order by number"
        after = {"codes": 1, "packages": [f"{THE_PACKAGE}: 1"]}
        assert ask(database, told) == [("codes_withheld", after), ("codes_released", after)]
        async with transaction() as session:
            assert (await books.check(session)).is_clean


def taken_back(database: str, *, imported: bool = False) -> None:
    """As an older backup has them: what was sold is free, or was not even there."""
    sold = "where purchase_id is not null"
    gone = f"delete from gift_codes {sold}"
    free = f"update gift_codes set status = 'free', purchase_id = null {sold}"
    with psycopg.connect(database) as connection:
        connection.execute(gone if imported else free)


async def is_looked_at(buyer: Actor, bought: Bought, *, is_paid: bool) -> None:
    """Its time is over; whether the buyer paid in time."""
    payment = await payment_of(bought)
    if is_paid:
        async with transaction() as session:
            checkout = payment.checkout_id or ""
            await sandbox.pay(session, buyer, checkout, loses_webhook=True, now=NOON)
    await payments.look(payment.id)
