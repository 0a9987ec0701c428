"""What the admin's page keeps of orders and stock, and what it never keeps."""

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import event
from structlog.testing import capture_logs

from rewards_app.core.access import LONGEST_SHEET, access_of
from rewards_app.core.actor import Actor
from rewards_app.core.database import engine, transaction
from rewards_app.core.errors import BadArguments, DoneNotShown, StorageAway
from rewards_app.core.state import AppState
from rewards_app.features.admin import orders_state
from rewards_app.features.admin.orders_state import OrderDeskState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.admin.stock_state import MOST_SHOWN, StockState
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import back_office, code_sheet, service, stock
from rewards_app.features.shop.rules import Status
from tests import paying
from tests.features.admin.test_audited import DOES
from tests.panel import followed
from tests.people import NOON
from tests.review import an_admin
from tests.shop import (
    GONE,
    THE_PACKAGE,
    a_buyer,
    balance_of,
    buys,
    orders_of,
    was_of_what_is_sold_no_more,
)
from tests.shop import stock as in_stock
from tests.states import at, calls, failing
from tests.stripe_server import StripeServer
from tests.tickets import answers, closes

pytestmark = pytest.mark.usefixtures("admin")


@pytest.fixture
async def desk(page: Any) -> OrderDeskState:
    (await page.get_state(AdminState)).tab = "orders"
    return await page.get_state(OrderDeskState)


@pytest.fixture
async def shelf(page: Any) -> StockState:
    (await page.get_state(AdminState)).tab = "stock"
    return await page.get_state(StockState)


async def an_order(name: str = "Maja") -> tuple[Actor, str]:
    await in_stock()
    buyer = await a_buyer(name, coins_owned=89)
    return buyer, str((await buys(buyer, 89)).purchase_id)


class TestOrders:
    async def test_are_listed_and_looked_into(self, desk: OrderDeskState):
        buyer, order_id = await an_order()
        await calls(OrderDeskState.load, desk)
        [row] = desk.orders
        assert (row["id"], row["who"], row["email"]) == (order_id, "Maja", buyer.email)
        await calls(OrderDeskState.look_into, desk, order_id=row["id"])
        assert [event["what"] for event in desk.story] == ["ordered", "delivered"]
        await calls(OrderDeskState.close, desk)
        assert (desk.order, desk.story) == ({}, [])

    async def test_are_searched_for_nothing_that_the_database_refuses(
        self, page: Any, desk: OrderDeskState
    ):
        _, order_id = await an_order()
        at(page, "/admin?tab=orders&search=%00Maja%1F")
        await calls(OrderDeskState.load, desk)
        assert [row["id"] for row in desk.orders] == [order_id]

    async def test_leave_the_field_to_who_types_while_they_are_loaded(self, desk: OrderDeskState):
        before = desk.round
        await calls(OrderDeskState.load, desk)
        assert desk.round == before
        await calls(OrderDeskState.find, desk, form={"search": "nobody"})
        await calls(OrderDeskState.load, desk)
        assert (desk.search, desk.round) == ("", before + 1)

    async def test_are_noted_in_the_log_once_for_each_look(self, desk: OrderDeskState):
        _, order_id = await an_order()
        await calls(OrderDeskState.load, desk)
        with capture_logs() as logged:
            await calls(OrderDeskState.look_into, desk, order_id=order_id)
            await calls(OrderDeskState.refresh, desk)
            assert [line["event"] for line in logged].count("order.looked_into") == 1
            await calls(OrderDeskState.close, desk)
            await calls(OrderDeskState.look_into, desk, order_id=order_id)
            assert [line["event"] for line in logged].count("order.looked_into") == 2

    async def test_show_what_was_bought_though_it_is_sold_no_more(self, desk: OrderDeskState):
        _, order_id = await an_order()
        await was_of_what_is_sold_no_more(UUID(order_id))
        await calls(OrderDeskState.load, desk)
        [row] = desk.orders
        assert (row["amount"], row["name"]) == (50, "Doubloons")
        await calls(OrderDeskState.look_into, desk, order_id=row["id"])
        assert desk.order["name"] == "Doubloons"

    async def test_are_searched_and_filtered(self, desk: OrderDeskState):
        _, of_maja = await an_order("Maja")
        await an_order("Emil")
        await calls(OrderDeskState.find, desk, form={"search": " maja "})
        assert [row["id"] for row in desk.orders] == [of_maja]
        await calls(OrderDeskState.choose_status, desk, status="refunded")
        assert desk.orders == []
        await calls(OrderDeskState.show_all, desk)
        assert len(desk.orders) == 2

    async def test_of_an_unknown_status_are_refused(self, desk: OrderDeskState):
        await calls(OrderDeskState.choose_status, desk, status="stolen")
        assert desk.refusal["code"] == BadArguments.code
        assert desk.status == ""

    async def test_come_in_pages_each_once(self, desk: OrderDeskState, monkeypatch):
        monkeypatch.setattr(back_office, "A_PAGE", 2)
        ids = [(await an_order(f"Player {number}"))[1] for number in range(5)]
        await calls(OrderDeskState.load, desk)
        before = desk.next_before
        await calls(OrderDeskState.load_more, desk, before=before)
        await calls(OrderDeskState.load_more, desk, before=before)
        assert [row["id"] for row in desk.orders] == ids[:0:-1]

    async def test_that_are_new_come_on_top_and_older_ones_stay(
        self, desk: OrderDeskState, monkeypatch
    ):
        monkeypatch.setattr(back_office, "A_PAGE", 2)
        ids = [(await an_order(f"Player {number}"))[1] for number in range(4)]
        await calls(OrderDeskState.load, desk)
        await calls(OrderDeskState.load_more, desk, before=desk.next_before)
        ids.append((await an_order("Emil"))[1])
        await calls(OrderDeskState.refresh, desk)
        assert [row["id"] for row in desk.orders] == ids[::-1]

    async def test_show_what_became_of_them_however_far_down_they_stand(
        self, desk: OrderDeskState, monkeypatch
    ):
        monkeypatch.setattr(back_office, "A_PAGE", 2)
        ids = [(await an_order(f"Player {number}"))[1] for number in range(4)][::-1]
        await calls(OrderDeskState.load, desk)
        await calls(OrderDeskState.load_more, desk, before=UUID(desk.next_before))
        async with transaction() as session:
            await service.refund(session, None, UUID(ids[3]), "Is used", now=NOON)
        await calls(OrderDeskState.refresh, desk)
        assert [row["id"] for row in desk.orders] == ids
        assert [row["status"] for row in desk.orders] == ["completed"] * 3 + ["refunded"]

    async def test_stay_where_they_are_when_one_is_refunded(
        self, desk: OrderDeskState, monkeypatch
    ):
        monkeypatch.setattr(back_office, "A_PAGE", 2)
        ids = [(await an_order(f"Player {number}"))[1] for number in range(4)][::-1]
        await calls(OrderDeskState.load, desk)
        await calls(OrderDeskState.load_more, desk, before=UUID(desk.next_before))
        await calls(OrderDeskState.look_into, desk, order_id=ids[2])
        await calls(OrderDeskState.refund, desk, form={"reason": "Does not work"})
        assert [row["id"] for row in desk.orders] == ids
        assert desk.orders[2]["status"] == "refunded"

    @pytest.mark.parametrize("refunded", range(3))
    async def test_that_leave_the_chosen_status_leave_the_list(
        self, desk: OrderDeskState, monkeypatch, refunded: int
    ):
        monkeypatch.setattr(back_office, "A_PAGE", 3)
        ids = [(await an_order(f"Player {number}"))[1] for number in range(5)][::-1]
        await calls(OrderDeskState.choose_status, desk, status="completed")
        gone = ids.pop(refunded)
        async with transaction() as session:
            await service.refund(session, None, orders_state.UUID(gone), "Is used", now=NOON)
        await calls(OrderDeskState.refresh, desk)
        while desk.next_before:
            await calls(OrderDeskState.load_more, desk, before=UUID(desk.next_before))
        assert [row["id"] for row in desk.orders] == ids

    async def test_show_that_their_ticket_was_answered(self, desk: OrderDeskState, page: Any):
        buyer, order_id = await an_order()
        async with transaction() as session:
            number = await service.report(
                session, buyer, UUID(order_id), "It is used already", now=NOON
            )
        await calls(OrderDeskState.load, desk)
        await calls(OrderDeskState.look_into, desk, order_id=order_id)
        sven = await an_admin("Sven")
        async with followed(page):
            await answers(sven, number)
        assert desk.order["ticket_status"] == "answered"
        async with followed(page):
            await closes(sven, number)
        assert (desk.order["ticket"], desk.orders[0]["ticket"]) == ("", "")

    async def test_are_left_alone_while_another_tab_is_open(self, desk: OrderDeskState, page: Any):
        await calls(OrderDeskState.load, desk)
        (await page.get_state(AdminState)).tab = "stock"
        await an_order()
        await calls(OrderDeskState.refresh, desk)
        assert desk.orders == []


class TestARefund:
    async def test_is_of_the_order_that_is_looked_into(self, desk: OrderDeskState):
        buyer, order_id = await an_order()
        await calls(OrderDeskState.load, desk)
        await calls(OrderDeskState.look_into, desk, order_id=order_id)
        await calls(OrderDeskState.refund, desk, form={"reason": "Does not work"})
        assert desk.notice["title"] == "admin.orders.refunded_title"
        assert (desk.order["status"], desk.order["reason"]) == ("refunded", "Does not work")
        assert desk.story[-1] == {"what": "refunded", "at": desk.story[-1]["at"], "by": "Linnea"}
        assert desk.orders[0]["status"] == "refunded"
        assert await balance_of(buyer) == (89, 0)

    async def test_that_a_bank_was_quicker_with_is_told_as_what_the_bank_took(
        self, desk: OrderDeskState, stripe: StripeServer
    ):
        _, bought = await paying.an_order()
        await paying.hears(stripe, await paying.is_paid_at(stripe, bought))
        await calls(OrderDeskState.look_into, desk, order_id=str(bought.purchase_id))
        await calls(OrderDeskState.refund, desk, form={"reason": "Does not work"})
        dispute = stripe.dispute((await paying.payment_of(bought)).intent_id)
        stripe.close_dispute(dispute["id"], "lost")
        await paying.hears(stripe, paying.newest(stripe, "charge.dispute.closed"))
        await calls(OrderDeskState.look_into, desk, order_id=str(bought.purchase_id))
        told = [event["what"] for event in desk.story]
        assert told == ["ordered", "paid", "delivered", "taken", "refunded"]

    async def test_of_who_is_forgotten_promises_nobody_a_mail(self, desk: OrderDeskState):
        buyer, order_id = await an_order()
        assert await erasing.forget_again([buyer.user_id], now=NOON) == erasing.Again(1, {})
        await calls(OrderDeskState.look_into, desk, order_id=order_id)
        await calls(OrderDeskState.refund, desk, form={"reason": "Does not work"})
        assert desk.order["status"] == "refunded"
        assert desk.notice["text"] == "admin.orders.refunded_gone_text"

    async def test_of_nothing_does_nothing(self, desk: OrderDeskState):
        buyer, _ = await an_order()
        await calls(OrderDeskState.refund, desk, form={"reason": "Does not work"})
        assert (await orders_of(buyer))[0].status is Status.COMPLETED

    async def test_without_a_reason_is_refused_beside_its_form(self, desk: OrderDeskState):
        buyer, order_id = await an_order()
        await calls(OrderDeskState.look_into, desk, order_id=order_id)
        await calls(OrderDeskState.refund, desk, form={"reason": "  "})
        assert desk.refusal["code"] == "shop.reason_missing"
        assert not desk.is_busy
        assert (await orders_of(buyer))[0].status is Status.COMPLETED

    async def test_for_too_long_a_reason_is_refused_beside_it(self, desk: OrderDeskState):
        buyer, order_id = await an_order()
        await calls(OrderDeskState.look_into, desk, order_id=order_id)
        declared = access_of(OrderDeskState.refund.fn)
        assert declared
        pasted = declared.checked({"form": {"reason": "x" * 19_000}})
        await calls(OrderDeskState.refund, desk, **pasted)
        assert desk.refusal["params"] == {"field": "reason", "most": 300}
        assert not desk.is_busy
        assert (await orders_of(buyer))[0].status is Status.COMPLETED

    async def test_by_somebody_else_is_seen(self, desk: OrderDeskState):
        _, order_id = await an_order()
        await calls(OrderDeskState.load, desk)
        await calls(OrderDeskState.look_into, desk, order_id=order_id)
        async with transaction() as session:
            await service.refund(session, None, orders_state.UUID(order_id), "Is used", now=NOON)
        await calls(OrderDeskState.refresh, desk)
        assert (desk.order["status"], desk.order["reason"]) == ("refunded", "Is used")


@pytest.fixture
async def lost_once_done(admin: Actor) -> AsyncIterator[set[str]]:
    """The database goes away as soon as what she does has left its line in the audit log."""
    done: set[str] = set()

    def hears(_: Any, __: Any, statement: str, values: Any, *___: Any) -> None:
        if "committed" in done:
            raise StorageAway
        is_line = statement.lower().startswith("insert into audit_entries")
        if is_line and admin.user_id in values.values():
            done.add("written")

    def is_kept(_: Any) -> None:
        if "written" in done:
            done.add("committed")

    listeners = [("before_cursor_execute", hears), ("commit", is_kept)]
    for name, listener in listeners:
        event.listen(engine().sync_engine, name, listener)
    yield done
    for name, listener in listeners:
        event.remove(engine().sync_engine, name, listener)


class TestWhatIsDoneAndCannotBeShown:
    @pytest.mark.parametrize("handler", DOES)
    async def test_is_never_told_as_failed(
        self, handler: str, admin: Actor, page: Any, lost_once_done: set[str]
    ):
        scenario, _ = DOES[handler]
        await scenario(page, admin)
        app = await page.get_state(AppState)
        assert "committed" in lost_once_done
        is_told_as_done = app.notice["style"] == "default"
        assert is_told_as_done or app.notice["text"] == DoneNotShown().text_key
        assert not app.is_busy


class TestStock:
    async def test_counts_what_is_left(self, shelf: StockState):
        await in_stock(4)
        await calls(StockState.load, shelf)
        first = shelf.levels[0]
        assert (first["package_id"], first["free"], first["is_low"]) == (THE_PACKAGE, 4, True)
        assert (shelf.free, shelf.running_low, shelf.sold_out) == (4, 1, 15)

    async def test_of_what_is_sold_no_more_stands_below_and_is_never_sold_out(
        self, shelf: StockState
    ):
        await in_stock(4, GONE)
        await calls(StockState.load, shelf)
        last = shelf.levels[-1]
        assert (last["package_id"], last["is_sold"], last["free"]) == (GONE, False, 4)
        assert (shelf.free, shelf.running_low, shelf.sold_out) == (4, 0, 16)

    async def test_of_a_good_sheet_comes_in_and_the_page_may_forget_it(self, shelf: StockState):
        await calls(StockState.bring_in, shelf, sheet=f"package,code\n{THE_PACKAGE},AAAA-1111")
        assert (shelf.imported, shelf.problem_count, shelf.free) == (1, 0, 1)
        first = shelf.done
        await calls(StockState.bring_in, shelf, sheet=f"package,code\n{THE_PACKAGE},BBBB-2222")
        assert shelf.done not in ("", first)

    async def test_that_came_in_is_told_so_where_the_page_cannot_show_it(
        self, shelf: StockState, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(stock, "levels", failing(StorageAway))
        await calls(StockState.bring_in, shelf, sheet=f"package,code\n{THE_PACKAGE},AAAA-1111")
        assert (shelf.imported, shelf.notice["text"]) == (1, "errors.done_not_shown")

    async def test_of_a_bad_sheet_stays_outside_line_by_line(self, shelf: StockState):
        sheet = f"package,code\n{THE_PACKAGE},AAAA-1111\nnothing,CCCC-3333\n{THE_PACKAGE},=SUM"
        await calls(StockState.bring_in, shelf, sheet=sheet)
        assert (shelf.imported, shelf.done, shelf.free) == (0, "", 0)
        assert [problem["line"] for problem in shelf.problems] == [3, 4]

    async def test_shows_the_first_of_many_problems_and_counts_all(self, shelf: StockState):
        await calls(StockState.bring_in, shelf, sheet="package,code\n" + "x\n" * 1000)
        assert (len(shelf.problems), shelf.problem_count) == (MOST_SHOWN, 1000)

    async def test_keeps_no_code_in_the_page(self, shelf: StockState, page: Any):
        sheet = f"package,code\n{THE_PACKAGE},SECRET-1111\nnothing,SECRET-2222"
        await calls(StockState.bring_in, shelf, sheet=sheet)
        await calls(StockState.bring_in, shelf, sheet=f"package,code\n{THE_PACKAGE},SECRET-3333")
        kept = json.dumps([page.dict(), vars(shelf)], default=str)
        assert "SECRET" not in kept

    async def test_takes_half_a_million_characters_and_not_one_more(self):
        access = access_of(StockState.bring_in.fn)
        assert access
        assert LONGEST_SHEET == code_sheet.MOST_CHARACTERS
        assert access.checked({"sheet": "x" * LONGEST_SHEET})
        for bad in ("x" * (LONGEST_SHEET + 1), "a\0b", "\ud800", 5, None):
            with pytest.raises(BadArguments):
                access.checked({"sheet": bad})
        assert access.checked({"sheet": "package\tcode\r\nvbucks-1000\tAAAA-1111\r\n"})
