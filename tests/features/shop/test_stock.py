"""Gift codes come in by the sheet, whole or not at all, and each of them once for ever."""

import asyncio

import pytest

from rewards_app.core.database import transaction
from rewards_app.core.sealed import unseal
from rewards_app.features.shop import service, stock
from rewards_app.features.shop.catalogue import PACKAGES
from rewards_app.features.shop.code_sheet import ImportedTwice
from tests.paying import ask
from tests.shop import NOON, PRICE, THE_PACKAGE, a_buyer, buys
from tests.shop import stock as a_stock

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
        came = await asyncio.gather(*map(comes_in, sheets), return_exceptions=True)
        assert sorted(type(one).__name__ for one in came) == ["Imported", "ImportedTwice"]
        assert ask(database, "select count(*) from gift_codes") == [(1500,)]


class TestLevels:
    async def test_name_every_package_even_without_codes(self):
        assert list(await levels()) == list(PACKAGES)

    async def test_count_what_became_of_each(self):
        await a_stock(3)
        await comes_in(a_sheet("GIFT-0001"), is_demo=True)
        maja = await a_buyer(coins_owned=PRICE)
        await buys(maja, PRICE)
        await buys(maja)
        level = (await levels())[THE_PACKAGE]
        assert (level.free, level.reserved, level.delivered, level.demo) == (2, 1, 1, 1)
