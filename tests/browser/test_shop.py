"""The shop: what things cost, the slider, and buying with coins, by card and with both."""

import asyncio
import re
import time
from email.message import EmailMessage

import pytest
from playwright.async_api import expect

from rewards_app.core import live
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.payments import news
from rewards_app.i18n import languages
from tests import shop
from tests.browser.buying import bought, in_the_shop, live_in, sold_out, the_code_of
from tests.browser.chromium import PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Orders, Shop, tab_to
from tests.browser.watching import Wire, the_actor_behind, watches_all_of_today
from tests.guardians import is_born
from tests.paying import payment_of
from tests.people import born_years_ago
from tests.serving import Served, text_of
from tests.waiting import until

CATALOGUE = {
    "V-Bucks": [("1,000", 89), ("2,800", 249), ("5,000", 449), ("13,500", 999)],
    "Robux": [("400", 45), ("800", 89), ("1,700", 179), ("4,500", 449)],
    "COD Points": [("500", 49), ("1,100", 99), ("2,400", 199), ("5,000", 399)],
    "Valorant Points": [("475", 59), ("1,000", 119), ("2,050", 239), ("5,350", 599)],
}
"""As the specification lists it: amount and price."""
DOLLARS = {
    89: 8, 249: 24, 449: 43, 999: 95, 45: 4, 179: 17, 49: 5, 99: 9, 199: 19, 399: 38,
    59: 6, 119: 11, 239: 23, 599: 57,
}  # fmt: skip
"""What each price is at the rate of the specification, rounded."""
TWO_LINES = 30
NO_POPUPS = "window.open = () => null"
FALLING = """() => {
  window.fellFor = new Promise((tell) => {
    let begun;
    const look = () => {
      const canvas = document.querySelector("canvas");
      const now = performance.now();
      const drawn = canvas?.width
        ? canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data
        : [];
      if (drawn.some((value) => value > 0)) begun ??= now;
      else if (begun !== undefined) return tell((now - begun) / 1000);
      setTimeout(look, 100);
    };
    look();
  });
}"""
"""For how many seconds pieces of paper are seen."""


def letter_to(served: Served, email: str, *, within: float = 20) -> EmailMessage:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if letters := served.letters.to(email):
            return letters[0]
        time.sleep(0.1)
    raise AssertionError(f"no letter to {email}")


class TestThePackages:
    async def test_are_those_of_the_specification(self, come: Come, maja: Person):
        screen = await in_the_shop(await come(), maja)
        for name, packages in CATALOGUE.items():
            await screen.choose_currency(name)
            for place, (amount, price) in enumerate(packages):
                card = screen.packages.nth(place)
                await expect(card).to_contain_text(f"{amount} {name}")
                await expect(card).to_contain_text(f"{price} kr")
            await expect(screen.packages.nth(1)).to_contain_text("Popular")
            await expect(screen.packages.nth(3)).to_contain_text("Best value")
            await expect(screen.packages.filter(has_text="Popular")).to_have_count(1)
            await expect(screen.packages.filter(has_text="Best value")).to_have_count(1)

    async def test_carry_their_flags_in_one_line_in_every_language(self, come: Come, maja: Person):
        screen = await in_the_shop(await come(viewport=PHONE), maja)
        async for language in screen.in_each_of(languages.CODES):
            for width in (360, 390):
                await screen.page.set_viewport_size(PHONE | {"width": width})
                for flag in ("shop.popular", "shop.best_value"):
                    where = f"{language} {width}px: {screen.says[flag]}"
                    box = await screen.packages.get_by_text(screen.says[flag]).bounding_box()
                    assert box, where
                    assert box["height"] < TWO_LINES, where

    async def test_say_what_coins_leave_to_pay(self, come: Come, maja: Person):
        await shop.stock(1, "vbucks-2800")
        screen = await in_the_shop(await come(), maja, coins=186)
        whole, partly = screen.packages.nth(0), screen.packages.nth(1)
        await expect(whole).to_contain_text("Yours for coins alone")
        await expect(whole).to_contain_text("−100%")
        for words in ("249 kr", "63 kr", "−75%", "186 of 249 coins"):
            await expect(partly).to_contain_text(words)

    async def test_are_shown_in_the_money_of_the_country_too(self, come: Come, maja: Person):
        await live_in(maja, "US")
        screen = await in_the_shop(await come(), maja)
        for name, packages in CATALOGUE.items():
            await screen.choose_currency(name)
            for place, (_, price) in enumerate(packages):
                card = screen.packages.nth(place)
                await expect(card).to_contain_text(f"{price} kr")
                await expect(card).to_contain_text(f"about ${DOLLARS[price]}")
        await screen.choose_currency("V-Bucks")
        await expect(screen.price).to_contain_text("about $8")
        await screen.pays("about $8")
        await expect(screen.summary).to_contain_text("Charged in Swedish kronor.")

    async def test_say_what_they_cost_in_that_money_also_where_coins_pay_for_all_of_it(
        self, come: Come, maja: Person
    ):
        await live_in(maja, "US")
        screen = await in_the_shop(await come(), maja, coins=89)
        await expect(screen.packages.first.get_by_role("deletion")).to_contain_text("89 kr")
        await expect(screen.packages.first).to_contain_text("about $8")
        await expect(screen.price).to_contain_text("about $8")
        await screen.pays("0 kr")

    async def test_on_a_phone_say_it_beside_the_button_too(self, come: Come, maja: Person):
        await live_in(maja, "US")
        screen = await in_the_shop(await come(viewport=PHONE), maja)
        await screen.choose("2,800 V-Bucks")
        await expect(screen.purchase.locator("..")).to_contain_text("about $24")

    async def test_are_never_nothing_in_that_money_where_kronor_are_due(
        self, come: Come, maja: Person
    ):
        await live_in(maja, "US")
        screen = await in_the_shop(await come(), maja, coins=86)
        await screen.pays("3 kr")
        await expect(screen.summary).to_contain_text("about $8")
        await expect(screen.summary).not_to_contain_text("about $0")

    async def test_are_kronor_and_nothing_else_where_people_count_in_them(
        self, come: Come, maja: Person
    ):
        await live_in(maja, "SE")
        screen = await in_the_shop(await come(), maja)
        await expect(screen.packages.first).to_contain_text("89 kr")
        await expect(screen.packages.first).not_to_contain_text("about")
        await expect(screen.main).not_to_contain_text("≈")

    async def test_say_that_they_are_free_tomorrow_beside_the_button_too(
        self, come: Come, maja: Person
    ):
        await watches_all_of_today(maja)
        screen = await in_the_shop(await come(timezone_id="UTC"), maja)
        await screen.choose("13,500 V-Bucks")
        for place in (screen.packages.last, screen.summary):
            await expect(place).to_contain_text("ads, free tomorrow")

    async def test_say_when_they_are_sold_out(self, come: Come, maja: Person):
        async with sold_out("valorant-5350"):
            screen = await in_the_shop(await come(), maja)
            await screen.choose_currency("Valorant Points")
            await expect(screen.packages.nth(3)).to_contain_text("Sold out")
            await screen.choose("5,350 Valorant Points")
            await expect(screen.summary).to_contain_text("Sold out right now")

            await screen.buy()

            await screen.sees_toast("Purchase Failed", "This package is sold out right now.")
            assert len(screen.page.context.pages) == 1


class TestTheButton:
    async def test_waits_until_what_was_chosen_is_what_it_buys(self, come: Come, maja: Person):
        visitor = await come()
        wire = await Wire.of(visitor)
        screen = await in_the_shop(visitor, maja)
        await screen.pays("89 kr")

        wire.kept_back = '"package_id_rx_state_"'
        await screen.packages.nth(1).get_by_role("radio").check()
        await expect(screen.purchase).to_have_attribute("aria-disabled", "true")
        await screen.purchase.click(force=True)
        assert not any("shop_state.purchase" in words for words in wire.words)
        wire.says_the_rest()

        await screen.pays("249 kr")
        await expect(screen.purchase).not_to_have_attribute("aria-disabled", "true")
        await (await screen.buy_by_card()).is_ready()


class TestTheSlider:
    async def test_begins_with_all_coins_that_the_package_takes(self, come: Come, maja: Person):
        screen = await in_the_shop(await come(), maja, coins=100)
        await expect(screen.slider).to_have_value("89")
        await screen.choose("2,800 V-Bucks")
        await expect(screen.slider).to_have_value("100")
        await screen.pays("149 kr")

    async def test_obeys_the_keyboard(self, come: Come, maja: Person):
        await shop.stock(1)
        screen = await in_the_shop(await come(), maja, coins=89)
        await screen.slider.focus()
        keyboard = screen.page.keyboard

        await keyboard.press("Home")
        await screen.pays("89 kr")
        await keyboard.press("ArrowRight")
        await screen.pays("88 kr")
        await expect(screen.slider).to_have_attribute(
            "aria-valuetext", re.compile(r"1 of 89\scoins")
        )
        await keyboard.press("PageUp")
        await expect(screen.slider).not_to_have_value("1")
        await keyboard.press("End")
        await expect(screen.purchase).to_have_text("Purchase with 89 coins")

    async def test_follows_the_finger_and_tells_the_server_now_and_then(
        self, come: Come, maja: Person
    ):
        visitor = await come()
        said: list[float] = []
        visitor.page.on(
            "websocket",
            lambda line: line.on(
                "framesent",
                lambda frame: said.append(time.monotonic()) if "use_coins" in str(frame) else None,
            ),
        )
        screen = await in_the_shop(visitor, maja, coins=89)
        box = await screen.slider.bounding_box()
        assert box
        middle = box["y"] + box["height"] / 2
        await screen.page.mouse.move(box["x"] + box["width"] - 14, middle)
        await screen.page.mouse.down()
        began = time.monotonic()
        for step in range(40):
            await screen.page.mouse.move(box["x"] + box["width"] * (1 - step / 60), middle)
        held = await screen.slider.input_value()
        await screen.page.mouse.up()
        took = time.monotonic() - began

        assert int(held) < 60
        await expect(screen.slider).to_have_value(held)
        await screen.pays(f"{89 - int(held)} kr")
        assert 1 <= len(said) <= 10 * took + 3

    async def test_offers_a_press_where_a_card_would_pay_too_little(self, come: Come, maja: Person):
        await shop.stock(1)
        screen = await in_the_shop(await come(), maja, coins=87)
        await expect(screen.summary).to_contain_text("A card pays no less than 3 kr.")
        await screen.buy()
        await screen.sees_toast("Purchase Failed", "A card pays no less than 3 kr.")

        await screen.summary.get_by_role("button", name="Use 1 coin fewer").click()

        await screen.pays("3 kr")
        await expect(screen.summary).not_to_contain_text("A card pays no less than 3 kr.")


class TestWithCoinsAlone:
    async def test_the_code_is_shown_and_mailed(self, come: Come, maja: Person, served: Served):
        await shop.stock(1)
        visitor = await come()
        await visitor.page.emulate_media(reduced_motion="no-preference")
        screen = await in_the_shop(visitor, maja, coins=100)
        await expect(screen.purchase).to_have_text("Purchase with 89 coins")
        await expect(screen.summary).to_contain_text("11 coins stay in your balance.")

        await screen.buy()

        code = await screen.thanks_for("1,000 V-Bucks")
        assert code == await the_code_of(maja)
        await expect(screen.page.locator("canvas")).to_have_count(1)
        await expect(screen.summary).to_contain_text(f"Also mailed to {maja.email}")
        await screen.has_coins(11)
        letter = await asyncio.to_thread(letter_to, served, maja.email)
        assert code in text_of(letter)
        kinds = [part.get_content_type() for part in letter.walk()]
        assert "application/pdf" in kinds
        await expect(screen.main).to_contain_text("COIN-")

    async def test_pieces_of_paper_fall_for_five_seconds(self, come: Come, maja: Person):
        await shop.stock(1)
        visitor = await come()
        await visitor.page.emulate_media(reduced_motion="no-preference")
        screen = await in_the_shop(visitor, maja, coins=89)
        # By the page's own clock, from before they come.
        await screen.page.evaluate(FALLING)
        await screen.buy()
        await screen.thanks_for("1,000 V-Bucks")
        assert 3.5 <= await screen.page.evaluate("window.fellFor") <= 6.5

    async def test_the_code_is_copied_without_permission_too(self, come: Come, maja: Person):
        await shop.stock(1)
        visitor = await come()
        await visitor.context.add_init_script(
            "navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))"
        )
        screen = await in_the_shop(visitor, maja, coins=89)
        await screen.buy()
        code = await screen.thanks_for("1,000 V-Bucks")

        # It says so for two seconds: whoever looks afterwards may come too late.
        await asyncio.gather(
            expect(screen.button("ui.copied")).to_be_visible(),
            screen.button("shop.copy_code").click(),
        )
        assert (await screen.page.evaluate("getSelection().toString()")).strip() == code
        await expect(screen.button("shop.copy_code")).to_be_visible()

    async def test_two_presses_buy_once(self, come: Come, maja: Person):
        await shop.stock(3)
        screen = await in_the_shop(await come(), maja, coins=200)
        await screen.purchase.dblclick(delay=5)
        await screen.thanks_for("1,000 V-Bucks")
        await screen.has_coins(111)
        assert len(await shop.orders_of(await the_actor_behind(maja))) == 1

    async def test_two_tabs_spend_the_same_coins_once(self, come: Come, maja: Person):
        await shop.stock(3)
        visitor = await come()
        here = await in_the_shop(visitor, maja, coins=89)
        there = Shop(await visitor.another_tab("/shop"))
        await expect(there.purchase).to_have_text("Purchase with 89 coins")

        await asyncio.gather(here.buy(), there.buy())

        await here.has_coins(0)
        await there.has_coins(0)
        await here.page.wait_for_timeout(500)
        completed = await shop.orders_of(await the_actor_behind(maja))
        assert [(order.status, order.coins) for order in completed if order.to_pay_kr == 0] == [
            ("completed", 89)
        ]

    async def test_and_a_keyboard(self, come: Come, maja: Person):
        await shop.stock(1)
        screen = await in_the_shop(await come(), maja, coins=89)
        keyboard = screen.page.keyboard
        await tab_to(screen.page, screen.page.get_by_role("radio", name="V-Bucks").first)
        await keyboard.press("Tab")
        await keyboard.press("ArrowRight")
        await expect(screen.summary).to_contain_text("2,800 V-Bucks")
        await keyboard.press("ArrowLeft")
        await expect(screen.purchase).to_have_text("Purchase with 89 coins")
        await tab_to(screen.page, screen.purchase)
        await keyboard.press("Enter")

        await screen.thanks_for("1,000 V-Bucks")
        await tab_to(screen.page, screen.button("shop.shop_on"))
        await keyboard.press("Enter")
        await expect(screen.slider).to_be_visible()

    async def test_and_a_phone(self, come: Come, maja: Person):
        await shop.stock(1)
        screen = await in_the_shop(await come(viewport=PHONE), maja, coins=89)
        await expect(screen.purchase).to_be_in_viewport()

        await screen.buy()

        assert await screen.thanks_for("1,000 V-Bucks") == await the_code_of(maja)
        await expect(screen.code).to_be_in_viewport()


class TestByCard:
    async def test_partly_paid_the_code_comes_to_both_tabs(self, come: Come, maja: Person):
        await shop.stock(1, "vbucks-2800")
        screen = await in_the_shop(await come(), maja, coins=186)
        await screen.choose("2,800 V-Bucks")
        await expect(screen.purchase).to_have_text("Purchase for 63 kr")

        payment = await screen.buy_by_card()
        assert await payment.page.evaluate("opener") is None
        await expect(screen.heading("shop.opened_title")).to_be_visible()
        await screen.has_coins(0)
        await expect(payment.main).to_contain_text("63 kr")
        await payment.pay()

        there = Orders(payment.page)
        assert await there.thanks_for("2,800 V-Bucks") == await the_code_of(maja)
        assert await screen.thanks_for("2,800 V-Bucks") == await the_code_of(maja)
        await expect(screen.page.locator("canvas")).to_have_count(0)

    async def test_fully_paid_without_a_coin(self, come: Come, maja: Person):
        await shop.stock(1, "robux-400")
        screen = await in_the_shop(await come(), maja)
        await screen.choose_currency("Robux")
        await expect(screen.slider).to_be_disabled()
        await expect(screen.purchase).to_have_text("Purchase for 45 kr")

        await (payment := await screen.buy_by_card()).pay()

        assert await Orders(payment.page).thanks_for("400 Robux") == await the_code_of(maja)

    async def test_a_declined_card_can_try_again(self, come: Come, maja: Person):
        await shop.stock(1, "robux-400")
        screen = await in_the_shop(await come(), maja)
        await screen.choose_currency("Robux")
        payment = await screen.buy_by_card()

        await payment.button("test_payment.decline").click()
        await expect(payment.page.get_by_role("alert")).to_contain_text("The card was declined")
        await payment.pay()

        await Orders(payment.page).thanks_for("400 Robux")

    async def test_cancelled_there_the_coins_come_back(self, come: Come, maja: Person):
        await shop.stock(1, "vbucks-2800")
        screen = await in_the_shop(await come(), maja, coins=186)
        await screen.choose("2,800 V-Bucks")
        payment = await screen.buy_by_card()

        await payment.button("test_payment.cancel").click()

        await expect(payment.page.get_by_role("heading", level=2).first).to_have_text(
            "2,800 V-Bucks: the order is cancelled"
        )
        await screen.has_coins(186)
        await expect(screen.purchase).to_have_text("Purchase for 63 kr")

    async def test_cancelled_here_the_coins_come_back(self, come: Come, maja: Person):
        await shop.stock(1, "vbucks-2800")
        screen = await in_the_shop(await come(), maja, coins=186)
        await screen.choose("2,800 V-Bucks")
        payment = await screen.buy_by_card()

        await screen.summary.get_by_role("button", name="Cancel the order").click()

        await screen.sees_toast("Order cancelled", "Nothing was charged, and your coins are back.")
        await screen.has_coins(186)
        await expect(screen.purchase).to_have_text("Purchase for 63 kr")
        await payment.pay()
        await expect(payment.heading("test_payment.over_title")).to_be_visible()

    async def test_what_ended_unpaid_says_so_here_too(self, come: Come, maja: Person):
        await shop.stock(1, "robux-400")
        screen = await in_the_shop(await come(), maja)
        await screen.choose_currency("Robux")
        await (await screen.buy_by_card()).page.close()
        (order,) = await shop.orders_of(await the_actor_behind(maja))
        payment = await payment_of(order.id)

        async with transaction() as session:
            await news.expire(session, payment.id, now=utc_now())
        await live.tell_now()

        ended = screen.summary.get_by_role("heading", name="400 Robux: the time to pay is over")
        await expect(ended).to_be_visible()
        await expect(screen.summary).to_contain_text("You have paid nothing for it.")
        await expect(screen.purchase).to_have_count(0)
        await screen.button("shop.shop_on").click()
        await expect(screen.purchase).to_have_text("Purchase for 45 kr")

    async def test_waits_for_a_guardian_where_one_is_needed(self, come: Come, maja: Person):
        young = await the_actor_behind(maja)
        await is_born(young, born_years_ago(14))
        screen = await in_the_shop(await come(), maja, coins=89)
        await expect(screen.purchase).to_have_text("Purchase with 89 coins")
        await screen.choose("2,800 V-Bucks")
        await expect(screen.summary).to_contain_text("Parental consent required")
        await expect(screen.purchase).to_have_count(0)

        await screen.summary.get_by_role("link", name="Ask for consent").click()

        await screen.is_at("/gdpr")

    async def test_a_lost_message_of_the_provider_changes_nothing(self, come: Come, maja: Person):
        await shop.stock(1, "robux-400")
        screen = await in_the_shop(await come(), maja)
        await screen.choose_currency("Robux")
        payment = await screen.buy_by_card()

        await payment.lose_webhook()
        await payment.pay()

        assert await Orders(payment.page).thanks_for("400 Robux") == await the_code_of(maja)

    @pytest.mark.parametrize("is_closed_tab", [False, True], ids=["blocked", "closed"])
    async def test_goes_on_by_a_link_where_there_is_no_tab(
        self, come: Come, maja: Person, is_closed_tab: bool
    ):
        await shop.stock(1, "robux-400")
        visitor = await come()
        if not is_closed_tab:
            await visitor.context.add_init_script(NO_POPUPS)
        screen = await in_the_shop(visitor, maja)
        await screen.choose_currency("Robux")
        if is_closed_tab:
            await (await screen.buy_by_card()).page.close()
        else:
            await screen.buy()

        await expect(screen.heading("shop.opened_title")).to_be_visible()
        await expect(screen.pay_link).to_have_attribute("rel", "noopener")
        async with visitor.context.expect_page() as opening:
            await screen.pay_link.click()

        await expect((await opening.value).get_by_role("main")).to_contain_text("45 kr")

    async def test_a_refused_purchase_closes_its_tab(self, come: Come, maja: Person):
        actor = await the_actor_behind(maja)
        for _ in range(3):
            await bought(actor, 0, "robux-400")
        await shop.stock(1, "robux-400")
        visitor = await come()
        screen = await in_the_shop(visitor, maja)
        await screen.choose_currency("Robux")
        chosen, other = (screen.packages.nth(place).get_by_role("radio") for place in (0, 1))
        # As where the server was away when it was pressed.
        await other.evaluate("radio => { radio.checked = true; }")

        async with visitor.context.expect_page() as opening:
            await screen.buy()
        tab = await opening.value

        await screen.sees_toast("Purchase Failed", "3 orders wait to be paid already.")
        await expect(chosen).to_be_checked()
        await until(tab.is_closed, within=10)
        assert visitor.context.pages == [screen.page]


class TestATestPayment:
    async def test_is_its_own_payers_alone(self, come: Come, maja: Person, a_person: MakePerson):
        await shop.stock(1, "robux-400")
        screen = await in_the_shop(await come(), maja)
        await screen.choose_currency("Robux")
        payment = await screen.buy_by_card()
        someone_else = await come()
        await someone_else.comes_with((await a_person(name="Nils")).session)

        page = await someone_else.open(payment.page.url)

        await expect(page.get_by_role("heading", level=1)).to_have_text(
            "There is nothing to pay here"
        )
        await expect(page.get_by_role("link", name="Go to your orders")).to_be_visible()
