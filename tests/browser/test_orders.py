"""The orders: every one with its code for its owner alone, its receipt, and what can be done."""

import asyncio
from datetime import timedelta
from typing import LiteralString
from uuid import UUID

from playwright.async_api import expect

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.features.payments import news, sandbox
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.rules import Outcome
from rewards_app.features.shop.repository import PURPOSE
from tests.browser.buying import a_rich, bought, the_code_of
from tests.browser.chromium import Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Orders
from tests.browser.watching import the_actor_behind
from tests.tickets import ANSWER, answers


async def at_the_orders(visitor: Visitor, person: Person) -> Orders:
    await visitor.comes_with(person.session)
    screen = Orders(visitor.page)
    await screen.open()
    return screen


class TestTheHistory:
    async def test_says_what_will_be_there(self, come: Come, maja: Person):
        screen = await at_the_orders(await come(), maja)
        await expect(screen.heading("orders.empty_title")).to_be_visible()
        await screen.main.get_by_role("link", name="Go to the CoinShop").last.click()
        await screen.is_at("/shop")

    async def test_lists_the_newest_first_and_the_rest_on_demand(self, come: Come, maja: Person):
        actor = await a_rich(maja, 21 * 45 + 89)
        await bought(actor, 89, now=utc_now() - timedelta(hours=1))
        for _ in range(21):
            await bought(actor, 45, "robux-400")
        screen = await at_the_orders(await come(), maja)
        await expect(screen.rows).to_have_count(20)
        await expect(screen.row("1,000 V-Bucks")).to_have_count(0)

        await screen.button("orders.more").click()

        await expect(screen.rows).to_have_count(22)
        await expect(screen.rows.last).to_contain_text("1,000 V-Bucks")
        await expect(screen.button("orders.more")).to_have_count(0)

    async def test_says_what_became_of_each(self, come: Come, maja: Person):
        actor = await a_rich(maja, 89 + 100)
        await bought(actor, 89)
        await bought(actor, 100, "vbucks-2800")
        screen = await at_the_orders(await come(), maja)

        done, waiting = screen.row("1,000 V-Bucks"), screen.row("2,800 V-Bucks")

        await expect(done).to_contain_text("Completed")
        await expect(done).to_contain_text("COIN-")
        await expect(waiting).to_contain_text("Waiting for payment")
        await expect(waiting).to_contain_text("and 149 kr")
        await expect(waiting).to_contain_text("Open until")
        await expect(waiting).to_contain_text("Test payment")


class TestAWaitingOrder:
    async def test_is_cancelled_from_the_list(self, come: Come, maja: Person):
        actor = await a_rich(maja, 100)
        await bought(actor, 100, "vbucks-2800")
        screen = await at_the_orders(await come(), maja)
        row = screen.row("2,800 V-Bucks")
        await screen.has_coins(0)

        await screen.act(row, "shop.cancel_order").click()

        await screen.sees_toast("Order cancelled")
        await expect(row).to_contain_text("Cancelled")
        await screen.has_coins(100)

    async def test_leads_to_its_payment_and_changes_by_itself(self, come: Come, maja: Person):
        await bought(await the_actor_behind(maja), 0, "robux-400")
        visitor = await come()
        screen = await at_the_orders(visitor, maja)
        row = screen.row("400 Robux")
        async with visitor.context.expect_page() as opening:
            await row.get_by_role("link", name="Continue to payment").click()
        payment = await opening.value

        await payment.get_by_role("button", name="Pay 45 kr").click()

        await expect(row).to_contain_text("Completed")

    async def test_waits_calmly_for_who_comes_back_too_early(self, come: Come, maja: Person):
        order_id = await bought(await the_actor_behind(maja), 0, "robux-400")
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Orders(await visitor.open(f"/shop/orders?order={order_id}&came=paid"))
        await expect(screen.text("Confirming your payment…")).to_be_visible()
        await screen.button("orders.look_again").click()
        await expect(screen.text("Confirming your payment…")).to_be_visible()

    async def test_that_was_left_is_confirmed_by_nobody_and_cancelled_once(
        self, come: Come, maja: Person
    ):
        order_id = await bought(await the_actor_behind(maja), 0, "robux-400")
        await cannot_be_closed(order_id)
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Orders(await visitor.open(f"/shop/orders?order={order_id}&came=cancelled"))
        await screen.sees_toast("We cannot reach the card checkout to close it.")
        await expect(screen.text("Confirming your payment…")).to_have_count(0)
        await expect(screen.act(screen.row("400 Robux"), "shop.cancel_order")).to_be_visible()
        await screen.is_at(f"/shop/orders?order={order_id}")

    async def test_that_was_paid_too_late_says_that_the_money_goes_back(
        self, come: Come, maja: Person
    ):
        actor = await a_rich(maja, 100)
        order_id = await bought(actor, 100, "vbucks-2800")
        await is_paid_too_late(actor, UUID(order_id))
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Orders(await visitor.open(f"/shop/orders?order={order_id}&came=paid"))
        words = (
            "Your payment goes back to your card in full, and the coins you used are yours again."
        )
        await expect(screen.text(words)).to_be_visible()
        await screen.has_coins(100)

    async def test_that_a_bank_took_back_says_that_nothing_goes_back_from_us(
        self, come: Come, maja: Person
    ):
        actor = await a_rich(maja, 100)
        order_id = await bought(actor, 100, "vbucks-2800")
        await is_paid_too_late(actor, UUID(order_id))
        await is_taken_by_the_bank(order_id)
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Orders(await visitor.open(f"/shop/orders?order={order_id}&came=paid"))
        words = (
            "The card owner's bank took the money back: nothing goes back to the card from us."
            " The coins you used are yours again."
        )
        await expect(screen.text(words)).to_be_visible()


async def cannot_be_closed(order_id: str) -> None:
    """Its provider knows of no such checkout."""
    query: LiteralString = (
        "update payments set checkout_id = %(lost)s where subject_id = %(id)s returning id"
    )
    async with transaction() as session:
        await rows(session, query, {"id": order_id, "lost": f"cs_test_{order_id}"})


async def is_taken_by_the_bank(order_id: str) -> None:
    """In place of the refund of what came too late, which is awaited."""
    query: LiteralString = (
        "update payments set refund_id = 'dispute:dp_' || id"
        " where subject_id = %(id)s and refund_id is not null returning id"
    )
    async with asyncio.timeout(30):
        while True:
            async with transaction() as session:
                if await rows(session, query, {"id": order_id}):
                    return
            await asyncio.sleep(0.1)


async def is_paid_too_late(buyer: Actor, order_id: UUID) -> None:
    """At the sandbox, whose news comes after the order has ended."""
    payment = await payments.of_subject(PURPOSE, order_id)
    assert payment
    assert payment.checkout_id
    async with transaction() as session:
        await sandbox.pay(session, buyer, payment.checkout_id, loses_webhook=True, now=utc_now())
        await news.expire(session, payment.id, now=utc_now())
    found = await sandbox.SandboxGateway().find(payment.checkout_id)
    assert await news.take_news(found, now=utc_now()) is Outcome.TOO_LATE


class TestACode:
    async def test_is_shown_and_hidden_again(self, come: Come, maja: Person):
        await bought(await a_rich(maja, 89), 89)
        screen = await at_the_orders(await come(), maja)
        row = screen.row("1,000 V-Bucks")

        await screen.act(row, "orders.show_code").click()
        await expect(screen.code).to_have_text(await the_code_of(maja))
        await screen.act(row, "orders.hide_code").click()
        await expect(screen.code).to_have_count(0)

    async def test_stays_with_its_order_when_another_one_comes(self, come: Come, maja: Person):
        actor = await a_rich(maja, 89 + 45)
        await bought(actor, 89)
        screen = await at_the_orders(await come(), maja)
        first = screen.row("1,000 V-Bucks")
        code = await the_code_of(maja)
        await screen.act(first, "orders.show_code").click()
        await expect(first).to_contain_text(code)

        await bought(actor, 45, "robux-400")
        await live.tell_now()

        await expect(screen.rows).to_have_count(2)
        await expect(first).to_contain_text(code)
        await expect(screen.act(screen.row("400 Robux"), "orders.show_code")).to_be_visible()
        await expect(screen.code).to_have_count(1)

    async def test_is_its_owners_alone(self, come: Come, maja: Person, a_person: MakePerson):
        order_id = await bought(await a_rich(maja, 89), 89)
        owner, someone_else, stranger = await come(), await come(), await come()
        await owner.comes_with(maja.session)
        await someone_else.comes_with((await a_person(name="Nils")).session)
        for path in (f"/orders/{order_id}/code", f"/orders/{order_id}/receipt.pdf"):
            answers = [
                (await one.context.request.get(path)).status
                for one in (owner, someone_else, stranger)
            ]
            assert answers == [200, 404, 404], path

    async def test_comes_with_a_receipt(self, come: Come, maja: Person):
        await bought(await a_rich(maja, 89), 89)
        screen = await at_the_orders(await come(accept_downloads=True), maja)
        async with screen.page.expect_download() as downloading:
            await screen.row("1,000 V-Bucks").get_by_role("link", name="Receipt (PDF)").click()
        file = await downloading.value
        assert file.suggested_filename.startswith("WatchCoins-COIN-")
        assert (await file.path()).read_bytes().startswith(b"%PDF")


class TestSomethingIsWrong:
    async def test_opens_a_ticket_with_a_number_that_leads_to_the_answer(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        await bought(await a_rich(maja, 89), 89)
        screen = await at_the_orders(await come(), maja)
        row = screen.row("1,000 V-Bucks")
        await screen.act(row, "orders.wrong").click()

        await screen.problem.get_by_label("What happened?").fill(
            "The game says\nthat the code was used."
        )
        await screen.problem.get_by_role("button", name="Send").click()

        await screen.sees_toast("Thank you", "is open. We answer by mail.")
        await expect(screen.problem).to_be_hidden()
        await expect(row).to_contain_text("Waiting for us")
        await expect(screen.act(row, "orders.wrong")).to_have_count(0)

        ticket = row.get_by_role("link", name="Ticket #")
        number = int((await ticket.inner_text()).rpartition("#")[2])
        linnea = await the_actor_behind(await a_person(Role.ADMIN, name="Linnea"))
        await answers(linnea, number, now=utc_now())
        await live.tell_now()

        await expect(row).to_contain_text("Answered")
        await ticket.click()
        await screen.is_at(f"/support?ticket={number}")
        await expect(screen.text(ANSWER)).to_be_visible()

    async def test_asks_for_words_and_keeps_what_was_typed(self, come: Come, maja: Person):
        await bought(await a_rich(maja, 89), 89)
        screen = await at_the_orders(await come(), maja)
        await screen.act(screen.row("1,000 V-Bucks"), "orders.wrong").click()
        field = screen.problem.get_by_label("What happened?")

        for typed in ("", " \n "):
            await field.fill(typed)
            await screen.problem.get_by_role("button", name="Send").click()

            await screen.says_it_is_too_short(field, least=1)
            await expect(field).to_have_value(typed)
