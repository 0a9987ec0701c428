"""Paying by card through Stripe's own API and signatures, on an app with two workers."""

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import Browser, Page, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from tests import people, shop
from tests.beside import beside
from tests.browser.buying import a_rich, the_code_of
from tests.browser.chromium import Visitor, visitor
from tests.browser.conftest import Person, an_email
from tests.browser.pages import Orders, Shop
from tests.browser.test_advertiser_company import Company
from tests.browser.watching import the_actor_behind
from tests.companies import a_company
from tests.serving import Served
from tests.stripe.webhooks import Delivery
from tests.stripe_server import StripeServer

PRODUCT = "1,000 V-Bucks"
COINS = 40


@pytest.fixture
async def maja(two_workers: Served) -> AsyncIterator[Person]:
    """A player with some coins, in front of a shop that has a code for her."""
    async with beside(two_workers):
        email = an_email("Maja")
        account = await people.an_account(email, name="Maja", now=utc_now())
        session = await people.signed_in(account.id, people.a_browser(), now=utc_now())
        person = Person("Maja", email, people.PASSWORD, session, account.id)
        await a_rich(person, COINS)
        await shop.stock(1)
        yield person


@pytest.fixture
async def freja(two_workers: Served) -> AsyncIterator[Person]:
    """The owner of a company."""
    async with beside(two_workers):
        email = an_email("Freja")
        account = await people.an_account(email, Role.COMPANY, name="Freja", now=utc_now())
        session = await people.signed_in(account.id, people.a_browser(), now=utc_now())
        person = Person("Freja", email, people.PASSWORD, session, account.id)
        await a_company(owner=await the_actor_behind(person))
        yield person


@pytest.fixture
async def guest(a_chromium: Browser, two_workers: Served, maja: Person) -> AsyncIterator[Visitor]:
    async with visitor(a_chromium, two_workers.url) as one:
        await one.comes_with(maja.session)
        yield one
    assert not one.troubles


@pytest.fixture
def usual_delivery(cards: StripeServer) -> Iterator[None]:
    yield
    cards.delivery = Delivery()


async def at_the_checkout(guest: Visitor) -> tuple[Shop, Page]:
    screen = Shop(guest.page)
    await screen.open()
    async with guest.context.expect_page() as opening:
        await screen.buy()
    checkout = await opening.value
    await expect(checkout.get_by_role("heading", name="49.00 kr")).to_be_visible()
    return screen, checkout


class TestStripe:
    async def test_takes_the_rest_of_the_price_and_the_code_arrives(
        self, guest: Visitor, maja: Person, cards: StripeServer
    ):
        screen, checkout = await at_the_checkout(guest)
        await checkout.get_by_role("button", name="Pay").click()
        code = await screen.thanks_for(PRODUCT)
        assert code == await the_code_of(maja)
        assert cards.newest_session["amount_total"] == 4900
        # The other tab is back at our own page, and says the same.
        await checkout.wait_for_url(f"{guest.url}/shop/orders**")
        assert await Orders(checkout).thanks_for(PRODUCT) == code

    @pytest.mark.usefixtures("usual_delivery")
    async def test_that_loses_its_webhook_is_asked_when_the_player_comes_back(
        self, guest: Visitor, maja: Person, cards: StripeServer
    ):
        _, checkout = await at_the_checkout(guest)
        cards.delivery = Delivery(is_lost=True)
        await checkout.get_by_role("button", name="Pay").click()
        assert await Orders(checkout).thanks_for(PRODUCT) == await the_code_of(maja)

    async def test_that_is_left_gives_the_coins_back(
        self, guest: Visitor, maja: Person, cards: StripeServer
    ):
        _, checkout = await at_the_checkout(guest)
        await checkout.get_by_role("button", name="Back").click()
        orders = Orders(checkout)
        await expect(orders.row(PRODUCT)).to_contain_text("Cancelled")
        assert cards.newest_session["status"] == "expired"
        assert await shop.balance_of(await the_actor_behind(maja)) == (COINS, 0)

    async def test_that_takes_days_is_under_way_and_leads_to_no_checkout_any_more(
        self, guest: Visitor, cards: StripeServer
    ):
        screen, _ = await at_the_checkout(guest)
        orders = Orders(await guest.context.new_page())
        await orders.open()
        order = orders.row(PRODUCT)
        again = order.get_by_role("link", name=orders.says["shop.continue"])
        await expect(again).to_be_visible()
        cards.promise_to_pay(cards.newest_session["id"])
        await orders.act(order, "shop.cancel_order").click()
        await orders.sees_toast("Error occurred", "Your payment is on its way; it can take days.")
        await expect(order).to_contain_text(orders.says["orders.under_way"])
        await expect(again).to_have_count(0)
        await expect(order).not_to_contain_text("Open until")
        # The shop's own page, which led there, hears of it, too.
        await expect(screen.summary).to_contain_text(screen.says["orders.under_way"])
        await expect(screen.pay_link).to_have_count(0)

    async def test_that_takes_days_shows_a_top_up_as_under_way(
        self, guest: Visitor, freja: Person, cards: StripeServer
    ):
        await guest.comes_with(freja.session)
        screen = Company(guest.page)
        await screen.settings()
        await screen.button("billing.top_up").click()
        await screen.field("billing.amount").fill("100")
        await screen.button("billing.to_checkout").click()
        await expect(guest.page.get_by_role("heading", name="100.00")).to_be_visible()
        session = cards.newest_session
        cards.promise_to_pay(session["id"])
        await guest.page.goto(session["success_url"])
        top_ups = screen.panel("billing.top_ups")
        await expect(top_ups).to_contain_text(screen.says["orders.under_way"])
        await expect(top_ups.get_by_role("link")).to_have_count(0)

    async def test_that_is_away_fails_the_purchase_and_keeps_the_coins(
        self, guest: Visitor, maja: Person, cards: StripeServer
    ):
        screen = Shop(guest.page)
        await screen.open()
        cards.is_away = True
        try:
            await screen.buy()
            await screen.sees_toast(
                "Purchase Failed", "Failed to complete purchase. Please try again."
            )
        finally:
            cards.is_away = False
        assert await shop.balance_of(await the_actor_behind(maja)) == (COINS, 0)
        # The very next press buys.
        async with guest.context.expect_page() as opening:
            await screen.buy()
        await expect((await opening.value).get_by_role("heading", name="49.00 kr")).to_be_visible()

    async def test_that_is_slow_has_not_failed_and_leads_to_the_checkout_in_the_end(
        self, guest: Visitor, cards: StripeServer
    ):
        await guest.page.clock.install()
        screen = Shop(guest.page)
        await screen.open()
        with cards.hesitating():
            await screen.buy()
            await guest.page.clock.fast_forward("00:30")
            await expect(screen.toast).to_have_count(0)
            await guest.page.clock.fast_forward("00:06")
            await screen.sees_toast(
                screen.says["errors.title"], screen.says["errors.shop.no_answer"]
            )
        await expect(screen.pay_link).to_be_visible()

    async def test_that_is_away_fails_a_companys_top_up_and_the_next_press_pays(
        self, guest: Visitor, freja: Person, cards: StripeServer
    ):
        await guest.comes_with(freja.session)
        screen = Company(guest.page)
        await screen.settings()
        cards.is_away = True
        try:
            await screen.button("billing.top_up").click()
            await screen.field("billing.amount").fill("100")
            await screen.button("billing.to_checkout").click()
            await screen.sees_toast("Top-up Failed", "The card checkout could not be opened.")
        finally:
            cards.is_away = False
        await screen.button("billing.to_checkout").click()
        await expect(guest.page.get_by_role("heading", name="$100.00")).to_be_visible()
