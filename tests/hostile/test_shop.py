"""Codes and orders of others are out of reach, and no argument buys for less than the price."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest

from rewards_app.core.access import LONGEST_ENTRY
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from rewards_app.core.postgres import embedded
from rewards_app.features.shop import service
from rewards_app.features.shop.catalogue import CATALOGUE
from rewards_app.models import Account
from tests.ads import the_actor
from tests.beside import beside
from tests.hostile.client import ORDERS, PROBLEM, SHOP, TEST_PAYMENT, Answer, Tab
from tests.hostile.evidence import Vault
from tests.hostile.identities import IDENTITIES, VISITOR, Person, a_new_email, a_visitor, comes_in
from tests.ledger import what_is_wrong
from tests.paying import payment_of
from tests.people import an_account
from tests.serving import Served
from tests.shop import PRICE, THE_PACKAGE, buys, earns, stock

COINS = 26
KEPT_BY_THE_SHOP = (
    "purchases", "payments", "payment_events", "gift_codes", "test_checkouts", "support_tickets",
    "coin_entries", "coin_holds", "coin_balances",
)  # fmt: skip


@dataclass(frozen=True)
class Victim:
    """Maja has an order that was delivered, and one that waits to be paid."""

    delivered: UUID
    waiting: UUID
    checkout: str
    code: str


@pytest.fixture(scope="module")
async def victim(served: Served, vault: Vault) -> AsyncIterator[Victim]:
    async with beside(served):
        account = await an_account(a_new_email("victim"), name="Maja", now=utc_now())
        maja = the_actor(account)
        await earns(maja, PRICE + COINS, now=utc_now())
        await stock(2)
        delivered = await buys(maja, PRICE, now=utc_now())
        waiting = await buys(maja, COINS, now=utc_now())
        checkout = (await payment_of(waiting)).checkout_id
        code = await service.code_of(maja, delivered.purchase_id)
        assert checkout
    # What the reconciliation writes down of its looks would be no trace of an attack.
    vault.ask("update payments set look_at = now() + interval '1 day' where status = 'open'")
    yield Victim(delivered.purchase_id, waiting.purchase_id, checkout, code)
    async with beside(served):
        await service.cancel(maja, waiting.purchase_id)


@pytest.fixture(scope="module", autouse=True)
def _all_adds_up(served: Served) -> Iterator[None]:
    """Whatever was tried here, money, coins and codes of the running app are right at the end."""
    yield
    assert not what_is_wrong(embedded.url_of_running(served.data))


async def somebody_else(served: Served) -> Person:
    """Eva, with coins of her own."""
    email = a_new_email("eva")
    account: Account = await an_account(email, name="Eva", now=utc_now())
    await earns(the_actor(account), PRICE, now=utc_now())
    return Person(email, "Eva", await comes_in(await a_visitor(served), account.id))


@pytest.fixture
async def eva(beside: Served) -> Person:
    return await somebody_else(beside)


@pytest.fixture(scope="module")
async def eva_all_along(served: Served) -> Person:
    """For tests after which nothing has moved."""
    async with beside(served):
        return await somebody_else(served)


@pytest.fixture
async def nothing_moves(vault: Vault, eva: Person, victim: Victim) -> AsyncIterator[None]:
    """No order, payment, code, ticket or coin is new, gone or different."""
    before = vault.fingerprint(KEPT_BY_THE_SHOP)
    yield
    assert vault.fingerprint(KEPT_BY_THE_SHOP) == before


def tells_of(tab: Tab, victim: Victim) -> list[str]:
    said = tab.everything()
    secrets = (victim.code, victim.checkout, str(victim.delivered), str(victim.waiting))
    return [secret for secret in secrets if secret in said]


@pytest.mark.usefixtures("nothing_moves")
class TestOrdersOfOthers:
    """Asked for by somebody who knows their names, which nobody is told."""

    @pytest.fixture
    def eva(self, eva_all_along: Person) -> Person:
        return eva_all_along

    @pytest.mark.parametrize("handler", ["come_back", "look_again", "cancel", "load_more"])
    async def test_are_neither_shown_nor_moved(self, eva: Person, victim: Victim, handler: str):
        async with eva.browser.tab("/shop/orders") as tab:
            for order in (victim.delivered, victim.waiting):
                name = "before" if handler == "load_more" else "order_id"
                payload = {name: str(order)}
                if handler == "come_back":
                    payload |= {"has_cancelled": True}
                answer = await tab.call(f"{ORDERS}.{handler}", payload)
                assert answer.refused_as in ("shop.unknown_purchase", "")
                assert not tab.says("orders")
            assert victim.code not in tab.everything()
            assert victim.checkout not in tab.everything()

    async def test_are_not_shown_to_who_comes_back_from_their_checkout(self, eva, victim: Victim):
        for came in ("paid", "cancelled"):
            async with eva.browser.tab(f"/shop/orders?order={victim.waiting}&came={came}") as tab:
                await tab.call(f"{ORDERS}.load")
                assert not tab.says("orders")
                assert victim.checkout not in tab.everything()

    async def test_cannot_be_cancelled_in_the_shop(self, eva: Person, victim: Victim):
        async with eva.browser.tab("/shop") as tab:
            answer = await tab.call(f"{SHOP}.cancel", {"order_id": str(victim.waiting)})
            assert answer.refused_as == "shop.unknown_purchase"

    async def test_cannot_be_complained_about(self, eva: Person, victim: Victim):
        async with eva.browser.tab("/shop/orders") as tab:
            payload = {"order_id": str(victim.delivered), "product": "1000 V-Bucks"}
            await tab.call(f"{PROBLEM}.ask", payload)
            answer = await tab.call(f"{PROBLEM}.send", {"message": "The code does not work."})
            assert answer.refused_as == "shop.unknown_purchase"

    @pytest.mark.parametrize("handler", ["pay", "decline", "cancel"])
    async def test_have_test_payments_that_are_unknown(self, eva: Person, victim, handler: str):
        async with eva.browser.tab(f"/shop/test-payment?checkout={victim.checkout}") as tab:
            await tab.call(f"{TEST_PAYMENT}.load")
            assert not tab.says("checkout")
            answer = await tab.call(f"{TEST_PAYMENT}.{handler}", {"checkout_id": victim.checkout})
            assert answer.refused_as == "payments.unknown_test_checkout"

    @pytest.mark.parametrize("identity", IDENTITIES)
    async def test_give_no_code_and_no_receipt_over_http(
        self, beside: Served, victim: Victim, identity: str
    ):
        """Somebody who has looked at no code in this minute."""
        one = await a_visitor(beside)
        if identity != VISITOR:
            account = await an_account(a_new_email(identity), Role(identity), now=utc_now())
            one = await comes_in(one, account.id)
        for order in (victim.delivered, victim.waiting, new_id()):
            for what in ("code", "receipt.pdf"):
                answer = await one.get(f"/orders/{order}/{what}")
                assert (answer.status_code, answer.json()) == (404, {"error": "not found"})

    async def test_are_in_nothing_that_a_shopper_is_ever_told(self, eva: Person, victim: Victim):
        for path in ("/shop", "/shop/orders", "/shop/test-payment", "/", "/watch"):
            async with eva.browser.tab(path) as tab:
                for load in (f"{SHOP}.load", f"{ORDERS}.load", f"{ORDERS}.refresh"):
                    await tab.call(load)
                assert tells_of(tab, victim) == []


HALF = "\ud800" * 36
BAD_ORDERS = ["", "x", "0" * 36, "0" * 4000, "' or 1=1 --", "../../etc", HALF, 7, None, [], {}]
BAD_COINS = [-1, -(2**63), 10**6 + 1, 10**30, 1.5, "26", None, True, [], {}, "NaN"]


async def purchases(tab: Tab, **changes: Any) -> Answer:
    asked = {
        "currency_id": "vbucks",
        "package_id": THE_PACKAGE,
        "coins": PRICE,
        "attempt": str(new_id()),
    }
    return await tab.call(f"{SHOP}.purchase", asked | changes)


@pytest.mark.usefixtures("nothing_moves")
class TestArguments:
    @pytest.fixture
    def eva(self, eva_all_along: Person) -> Person:
        return eva_all_along

    @pytest.mark.parametrize("coins", BAD_COINS, ids=repr)
    async def test_coins_that_are_no_count_are_refused(self, eva: Person, coins: Any):
        async with eva.browser.tab("/shop") as tab:
            for answer in (
                await purchases(tab, coins=coins),
                await tab.call(f"{SHOP}.use_coins", {"coins": coins}),
            ):
                assert answer.refused_as == "bad_arguments"
                assert answer.is_refusal

    @pytest.mark.parametrize(
        ("changes", "refusal"),
        [
            ({"coins": PRICE + 1}, "shop.not_that_many_coins"),
            ({"coins": PRICE - 1}, "shop.below_card_minimum"),
            ({"package_id": "vbucks-13500", "coins": 999}, "coins.not_enough"),
            ({"package_id": "robux-400", "coins": 45}, "shop.no_package"),
            ({"currency_id": "robux"}, "shop.no_package"),
            ({"currency_id": "", "package_id": ""}, "shop.no_package"),
            ({"package_id": "vbucks-1000\n"}, "shop.no_package"),
        ],
        ids=str,
    )
    async def test_another_price_is_no_offer_of_ours(self, eva: Person, changes, refusal: str):
        async with eva.browser.tab("/shop") as tab:
            assert (await purchases(tab, **changes)).refused_as == refusal

    async def test_who_was_thanked_for_nothing_finds_the_first_package(self, eva: Person):
        async with eva.browser.tab("/profile") as tab:
            answer = await tab.call(f"{SHOP}.shop_on")
            assert not answer.refused_as
            assert tab.says("package_id") == CATALOGUE[0].packages[0].id

    @pytest.mark.parametrize("price", ["price", "price_kr", "to_pay", "amount", "account_id"])
    async def test_an_argument_that_no_page_sends_is_refused(self, eva: Person, price: str):
        async with eva.browser.tab("/shop") as tab:
            assert (await purchases(tab, **{price: 0})).refused_as == "bad_arguments"

    @pytest.mark.parametrize("order", BAD_ORDERS, ids=lambda order: repr(order)[:20])
    async def test_what_is_no_order_is_refused(self, eva: Person, order: Any):
        async with eva.browser.tab("/shop/orders") as tab:
            for handler in (f"{ORDERS}.cancel", f"{ORDERS}.look_again", f"{SHOP}.cancel"):
                answer = await tab.call(handler, {"order_id": order})
                assert answer.refused_as == "bad_arguments"
            assert (await purchases(tab, attempt=order)).refused_as == "bad_arguments"

    @pytest.mark.parametrize(
        "message", ["x" * (LONGEST_ENTRY + 1), f"The code {chr(0)} is wrong", 7, None, HALF]
    )
    async def test_what_is_no_message_is_refused(self, eva: Person, message: Any):
        async with eva.browser.tab("/shop/orders") as tab:
            answer = await tab.call(f"{PROBLEM}.send", {"message": message})
            assert answer.refused_as == "bad_arguments"


class TestPressedAgain:
    """By the same button, whose order is there already: it is never passed over in silence."""

    async def test_for_what_is_still_being_opened_it_is_said(self, eva: Person, vault: Vault):
        attempt = str(new_id())
        async with eva.browser.tab("/shop") as tab:
            await purchases(tab, coins=COINS, attempt=attempt)
            order = tab.says("opened")["id"]
            vault.ask(
                "update payments set status = 'opening', checkout_url = null where subject_id = %s",
                order,
            )
            answer = await purchases(tab, coins=COINS, attempt=attempt)
            assert answer.refused_as == "shop.still_opening"
            assert tab.says("notice")["title"] == "errors.title"
            await tab.call(f"{SHOP}.cancel", {"order_id": order})

    async def test_for_what_is_over_it_is_said_and_the_next_one_is_new(self, eva: Person):
        attempt = str(new_id())
        async with eva.browser.tab("/shop") as tab:
            await purchases(tab, coins=COINS, attempt=attempt)
            await tab.call(f"{SHOP}.cancel", {"order_id": tab.says("opened")["id"]})
            answer = await purchases(tab, coins=COINS, attempt=attempt)
            assert answer.refused_as == "shop.failed"
            assert tab.says("attempt") not in ("", attempt)
            assert tab.says("balance") == PRICE


class TestTheWebhook:
    async def test_of_the_running_app_believes_nobody(self, served: Served, vault: Vault):
        before = vault.one("select count(*) from payment_events")
        event = {
            "id": "evt_forged",
            "type": "checkout.session.completed",
            "data": {"object": {"object": "checkout.session"}},
        }
        headers = ["", "t=1,v1=0", "t=9999999999,v1=" + "0" * 64, "v1=", "t=,v1="]
        async with httpx.AsyncClient(base_url=served.url, verify=False) as http:
            for header in headers:
                answer = await http.post(
                    "/webhooks/stripe",
                    content=json.dumps(event),
                    headers={"Stripe-Signature": header},
                )
                assert answer.status_code == 400
            large = await http.post("/webhooks/stripe", content=b"x" * 300_000)
            assert large.status_code == 413
        assert vault.one("select count(*) from payment_events") == before


class TestManyTabs:
    async def test_that_buy_at_once_spend_the_coins_once(self, eva: Person, vault: Vault):
        async with AsyncExitStack() as house:
            tabs = [await house.enter_async_context(eva.browser.tab("/shop")) for _ in range(6)]
            await asyncio.gather(*(purchases(tab) for tab in tabs))
        query = (
            "select count(*) from purchases join accounts on accounts.id = account_id"
            " where email = %s"
        )
        assert vault.one(query, eva.email) == 1

    async def test_are_never_told_a_gift_code(self, eva: Person, vault: Vault, beside: Served):
        async with eva.browser.tab("/shop") as tab:
            await purchases(tab)
            await tab.call(f"{SHOP}.load")
            await tab.call(f"{ORDERS}.load")
            (order,) = tab.says("orders")
            assert order["status"] == "completed"
            fetched = await eva.browser.get(f"/orders/{order['id']}/code")
            assert fetched.status_code == 200
            assert fetched.json()["code"] not in tab.everything()
