"""Admins find an order and refund it, and bring gift codes in; players see it live."""

import asyncio
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.access import LONGEST_SHEET
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import service as accounts
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.events_repository import Told, store_event
from rewards_app.features.payments.rules import Outcome
from rewards_app.features.shop import service, stock
from tests import shop
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Orders, Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import LANGUAGES, is_no_wider_than_its_window
from tests.browser.watching import the_actor_behind
from tests.serving import Served, text_of

REASON = "The code did not work, sorry about that"


class Desk(Screen):
    """The orders of everybody."""

    async def open(self) -> None:
        await self.page.goto("/admin?tab=orders")
        await expect(self.rows.first).to_be_visible()

    @property
    def rows(self) -> Locator:
        return self.page.get_by_role("table", name=self.says["admin.tabs.orders"]).locator(
            "tbody tr"
        )

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog", name=re.compile("V-Bucks|Robux|COD Points"))

    @property
    def reason(self) -> Locator:
        return self.field("admin.orders.reason")

    async def search(self, text: str) -> None:
        await self.field("admin.orders.search").fill(text)
        await self.button("admin.orders.find").click()

    async def look_into(self, product: str) -> None:
        await self.rows.get_by_role("button", name=re.compile(f"^{product}")).first.click()
        await expect(self.dialog).to_be_visible()

    def decision(self, words: str) -> Locator:
        return self.dialog.get_by_role("button", name=words, exact=True)


class Shelf(Screen):
    """The stock of gift codes."""

    async def open(self) -> None:
        await self.page.goto("/admin?tab=stock")
        await expect(self.sheet).to_be_visible()

    @property
    def sheet(self) -> Locator:
        return self.field("codes.sheet")

    @property
    def file(self) -> Locator:
        return self.page.locator("input[type=file]")

    @property
    def problems(self) -> Locator:
        return self.page.get_by_role("list", name=self.says["codes.problems_label"])

    def level(self, product: str) -> Locator:
        return self.page.get_by_role("row").filter(has_text=product)

    async def bring_in(self) -> None:
        await self.button("codes.import").click()


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def at_the_desk(visitor: Visitor, admin: Person) -> Desk:
    await visitor.comes_with(admin.session)
    desk = Desk(visitor.page)
    await desk.open()
    return desk


async def at_the_shelf(visitor: Visitor, admin: Person) -> Shelf:
    await visitor.comes_with(admin.session)
    shelf = Shelf(visitor.page)
    await shelf.open()
    return shelf


async def an_order_of(person: Person, coins: int = 89) -> service.Order:
    """1,000 V-Bucks, completed where the coins are enough, else waiting to be paid."""
    await shop.stock()
    actor = await the_actor_behind(person)
    await shop.earns(actor, coins, now=utc_now())
    await shop.buys(actor, coins, now=utc_now())
    return (await shop.orders_of(actor))[0]


async def paid_by_test(visitor: Visitor, order: service.Order) -> None:
    """The player pays what is left on the test payment page."""
    assert order.checkout_url
    # Made beside the app, whose port this program does not know.
    address = urlsplit(order.checkout_url)
    page = await visitor.another_tab(f"{address.path}?{address.query}")
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await expect(page).to_have_url(re.compile("/shop/orders"))


class TestOrders:
    async def test_are_found_by_code_email_and_name(
        self, come: Come, a_person: MakePerson, linnea: Person
    ):
        name = f"Ziggy {new_id().hex[-6:]}"
        ziggy = await a_person(name=name)
        order = await an_order_of(ziggy)
        desk = await at_the_desk(await come(), linnea)
        for typed in (order.purchase_code.lower(), ziggy.email[:20], name[:8].lower()):
            await desk.search(typed)
            await expect(desk.rows.filter(has_text=order.purchase_code)).to_be_visible()
            await desk.search("nobody at all")
            await expect(desk.heading("admin.orders.not_found")).to_be_visible()
            await desk.button("admin.orders.show_all").click()
            await expect(desk.field("admin.orders.search")).to_have_value("")
            await expect(desk.rows.first).to_be_visible()
        await desk.search(name)
        await desk.field("admin.orders.status").select_option("refunded")
        await expect(desk.heading("admin.orders.not_found")).to_be_visible()

    async def test_that_are_made_meanwhile_come_by_themselves(
        self, come: Come, maja: Person, linnea: Person
    ):
        await an_order_of(maja)
        desk = await at_the_desk(await come(), linnea)
        await desk.search(maja.email)
        await expect(desk.rows).to_have_count(1)
        visitor = await come()
        await visitor.comes_with(maja.session)
        waiting = await an_order_of(maja, 29)
        # What this program announces, nobody carries: the player's own press does.
        await paid_by_test(visitor, waiting)
        await expect(desk.rows).to_have_count(2)
        await expect(desk.rows.first).to_contain_text("Completed")


class TestARefund:
    async def test_gives_coins_and_money_back_and_the_player_sees_it_at_once(
        self, come: Come, served: Served, maja: Person, linnea: Person
    ):
        order = await an_order_of(maja, 29)
        player = await come()
        await player.comes_with(maja.session)
        await paid_by_test(player, order)
        orders = Orders(player.page)
        await orders.open()
        await expect(orders.row("1,000 V-Bucks")).to_contain_text("Completed")
        actor = await the_actor_behind(maja)
        async with transaction() as session:
            await service.report(
                session, actor, order.id, "It says <b>used</b> already", now=utc_now()
            )

        desk = await at_the_desk(await come(), linnea)
        await desk.search(order.purchase_code)
        await desk.look_into("1,000 V-Bucks")
        await expect(desk.dialog).to_contain_text("It says <b>used</b> already")
        await expect(desk.dialog).to_contain_text(
            "29\u00a0coins go back to Maja, 60\u00a0kr to their card; the code is withdrawn."
        )
        await desk.reason.fill(REASON)
        await desk.decision("Refund 60\u00a0kr and 29\u00a0coins").click()
        await desk.sees_toast("Refund under way")
        await expect(desk.reason).to_be_hidden()
        await expect(desk.dialog).to_contain_text("Refunded by Linnea", timeout=20_000)

        row = orders.row("1,000 V-Bucks")
        await expect(row).to_contain_text("Refunded", timeout=20_000)
        await expect(row).to_contain_text(REASON)
        await expect(orders.bars).to_contain_text("29")
        await self._is_mailed(served, maja)

    async def _is_mailed(self, served: Served, person: Person) -> None:
        for _ in range(200):
            for letter in served.letters.to(person.email):
                if "Refund for" in letter["Subject"]:
                    assert "60\u00a0kr" in text_of(letter)
                    return
            await asyncio.sleep(0.1)
        raise AssertionError("no letter on the refund")

    async def test_is_not_offered_while_a_bank_decides_about_the_money(
        self, come: Come, maja: Person, linnea: Person
    ):
        order = await an_order_of(maja, 29)
        player = await come()
        await player.comes_with(maja.session)
        await paid_by_test(player, order)
        payment = await payments.of_subject(service.PURPOSE, order.id)
        assert payment
        told = Told(str(new_id()), "charge.dispute.created", "{}")
        async with transaction() as session:
            await store_event(session, told, payment.id, Outcome.DISPUTED, now=utc_now())

        desk = await at_the_desk(await come(), linnea)
        await desk.search(order.purchase_code)
        await desk.look_into("1,000 V-Bucks")
        await expect(desk.dialog).to_contain_text(desk.says["admin.orders.contested"])
        await expect(desk.reason).to_have_count(0)

    async def test_needs_a_reason_and_leaves_what_was_typed(
        self, come: Come, maja: Person, linnea: Person
    ):
        order = await an_order_of(maja)
        desk = await at_the_desk(await come(), linnea)
        await desk.search(order.purchase_code)
        await desk.look_into("1,000 V-Bucks")
        await desk.decision("Refund 89\u00a0coins").click()
        # The browser itself asks for it.
        assert await desk.reason.evaluate("field => field.matches(':invalid')")
        await desk.reason.fill("     ")
        await desk.decision("Refund 89\u00a0coins").click()
        await expect(desk.dialog).to_contain_text("Say why")
        assert (await shop.orders_of(await the_actor_behind(maja)))[0].status == "completed"

    async def test_is_made_with_the_keyboard_alone(self, come: Come, maja: Person, linnea: Person):
        order = await an_order_of(maja)
        desk = await at_the_desk(await come(), linnea)
        page = desk.page
        await tab_to(page, desk.field("admin.orders.search"), at_most=40)
        await page.keyboard.type(order.purchase_code)
        await page.keyboard.press("Enter")
        await expect(desk.rows).to_have_count(1)
        await tab_to(page, desk.rows.get_by_role("button"))
        await page.keyboard.press("Enter")
        await expect(desk.dialog).to_be_visible()
        await tab_to(page, desk.reason)
        await page.keyboard.type(REASON)
        await tab_to(page, desk.decision("Refund 89\u00a0coins"))
        await page.keyboard.press("Enter")
        await expect(desk.dialog).to_contain_text("Refunded by Linnea")
        await page.keyboard.press("Escape")
        await expect(desk.dialog).to_be_hidden()

    async def test_that_somebody_else_made_meanwhile_shows_itself(
        self, come: Come, a_person: MakePerson, maja: Person, linnea: Person
    ):
        order = await an_order_of(maja)
        desks = [
            await at_the_desk(await come(), admin)
            for admin in (linnea, await a_person(Role.ADMIN, name="Sven"))
        ]
        for desk in desks:
            await desk.search(order.purchase_code)
            await desk.look_into("1,000 V-Bucks")
        first, second = desks
        await first.reason.fill(REASON)
        await first.decision("Refund 89\u00a0coins").click()
        await expect(second.dialog).to_contain_text("Refunded by Linnea")
        await expect(second.reason).to_be_hidden()


class TestGiftCodes:
    async def test_come_in_from_a_file_once_each_line_is_right(
        self, come: Come, linnea: Person, tmp_path: Path
    ):
        shelf = await at_the_shelf(await come(), linnea)
        code = f"CODE-{new_id().hex[-12:]}"
        bad = tmp_path / "bad.csv"
        bad.write_text(f"package,code\ncod-5000,{code}\nnothing,XXXX-1\ncod-5000,=1+1\n")
        await shelf.file.set_input_files(bad)
        # At once: what is being read is waited for.
        await shelf.bring_in()
        await expect(shelf.problems.get_by_role("listitem")).to_have_text(
            [
                re.compile("Line\u00a03.*The shop sells no package of this name."),
                re.compile("Line\u00a04.*The code begins like a formula"),
            ]
        )
        # What was typed is still there, to be put right.
        await expect(shelf.sheet).to_have_value(re.compile(code))
        async with transaction() as session:
            before = {level.package_id: level.free for level in await stock.levels(session)}
        good = tmp_path / "good.csv"
        good.write_text(f"\ufeffPackage;Code\r\ncod-5000;{code}\r\n", "utf-8")
        await shelf.file.set_input_files(good)
        await shelf.bring_in()
        await expect(shelf.text("1 code imported")).to_be_visible()
        await expect(shelf.problems).to_be_hidden()
        await expect(shelf.sheet).to_have_value("")
        await expect(shelf.level("5,000 COD Points").get_by_role("cell").nth(1)).to_have_text(
            str(before["cod-5000"] + 1)
        )
        await shelf.sheet.fill(f"package,code\ncod-5000,{code}")
        await shelf.bring_in()
        await expect(shelf.problems).to_contain_text("This code was brought in before.")

    async def test_that_are_too_many_or_unreadable_never_leave_the_browser(
        self, come: Come, linnea: Person, tmp_path: Path
    ):
        visitor = await come()
        shelf = await at_the_shelf(visitor, linnea)
        sent: list[str] = []
        visitor.page.on("websocket", lambda socket: sent.append(socket.url))
        await shelf.sheet.evaluate(
            "(field, text) => { field.value = text; }", "x" * (LONGEST_SHEET + 1)
        )
        await shelf.bring_in()
        await expect(shelf.problems).to_contain_text("more than 500,000 characters")
        unprintable = tmp_path / "unprintable.csv"
        unprintable.write_text("package,code\ncod-5000,AAAA\x07BBBB\n")
        await shelf.file.set_input_files(unprintable)
        await shelf.bring_in()
        await expect(shelf.problems).to_contain_text("Line\u00a02")
        foreign = tmp_path / "foreign.csv"
        foreign.write_bytes("package,code\ncod-5000,ÅÄÖ-1234".encode("latin-1"))
        await shelf.file.set_input_files(foreign)
        await shelf.bring_in()
        await expect(shelf.problems).to_contain_text("UTF-8")
        # The socket that was there before is there still: no large message has closed it.
        assert sent == []

    async def test_that_came_in_are_not_told_beside_what_is_wrong_with_the_next_sheet(
        self, come: Come, linnea: Person, tmp_path: Path
    ):
        shelf = await at_the_shelf(await come(), linnea)
        imported = shelf.text("1 code imported")
        foreign = tmp_path / "foreign.csv"
        foreign.write_bytes("package,code\ncod-5000,ÅÄÖ-1234".encode("latin-1"))
        for _ in range(2):
            await shelf.sheet.fill(f"package,code\ncod-5000,CODE-{new_id().hex[-12:]}")
            await shelf.bring_in()
            await expect(imported).to_be_visible()
            await expect(shelf.problems).to_be_hidden()
            await shelf.file.set_input_files(foreign)
            await expect(shelf.problems).to_contain_text("UTF-8")
            await expect(imported).to_be_hidden()

    async def test_come_in_by_the_largest_sheet_that_fits(self, come: Come, linnea: Person):
        """Almost half a million characters in one message of the socket."""
        shelf = await at_the_shelf(await come(), linnea)
        mark = new_id().hex[-10:]
        lines = [f"robux-4500,{mark}-{number:05}-{'Ä' * 30}" for number in range(8_000)]
        text = "\n".join(["package,code", *lines])
        assert LONGEST_SHEET * 0.9 < len(text) <= LONGEST_SHEET
        await shelf.sheet.evaluate("(field, text) => { field.value = text; }", text)
        await shelf.bring_in()
        await expect(shelf.text("8,000 codes imported")).to_be_visible(timeout=30_000)


class TestTheWayIn:
    async def test_is_in_the_navigation_of_admins_alone(
        self, come: Come, maja: Person, linnea: Person
    ):
        admin, player = await come(), await come()
        await admin.comes_with(linnea.session)
        screen = Screen(await admin.open("/"))
        # What waits stands beside its name.
        await screen.page.get_by_role("link", name=re.compile("^Admin")).first.click()
        await expect(screen.heading("admin.title")).to_be_visible()
        await screen.link("admin.tabs.stock").click()
        await expect(admin.page).to_have_url(re.compile(r"/admin/?\?tab=stock$"))
        await expect(screen.heading("codes.import_title")).to_be_visible()
        await admin.page.go_back()
        await expect(screen.heading("admin.advertisers.processed")).to_be_visible()

        await player.comes_with(maja.session)
        player.bears("status of 404")
        shown = Screen(await player.open("/admin"))
        await expect(shown.text(shown.says["not_found.text"])).to_be_visible()
        await expect(shown.page.get_by_text("COIN-")).to_have_count(0)

    async def test_closes_when_somebody_is_no_admin_any_more(self, come: Come, linnea: Person):
        visitor = await come()
        desk = await at_the_desk(visitor, linnea)
        async with transaction() as session:
            await accounts.promote(session, linnea.email, Role.PLAYER, now=utc_now())
        await expect(desk.heading("admin.denied_title")).to_be_visible()
        await expect(desk.page.get_by_text("COIN-")).to_have_count(0)


class TestEverybody:
    async def test_axe_finds_nothing(self, come: Come, maja: Person, linnea: Person):
        order = await an_order_of(maja)
        visitor = await one_following_the_system(come, viewport=PHONE)
        desk = await at_the_desk(visitor, linnea)
        await has_no_violations(desk.page, DESK, PHONE)
        await desk.search(order.purchase_code)
        await desk.look_into("1,000 V-Bucks")
        await has_no_violations(desk.page, DESK, PHONE)
        await desk.page.keyboard.press("Escape")
        shelf = Shelf(desk.page)
        await shelf.open()
        await shelf.sheet.fill("package,code\nnothing,AAAA-1111")
        await shelf.bring_in()
        await expect(shelf.problems).to_be_visible()
        await has_no_violations(shelf.page, DESK, PHONE)

    async def test_nothing_is_wider_than_a_small_phone(
        self, come: Come, maja: Person, linnea: Person
    ):
        await an_order_of(maja)
        visitor = await come(viewport={"width": 360, "height": 780})
        await visitor.comes_with(linnea.session)
        screen = Screen(visitor.page)
        for path in ("/admin?tab=orders", "/admin?tab=stock"):
            page = await visitor.open(path)
            await expect(page.get_by_role("table")).to_be_visible()
            async for language in screen.in_each_of(LANGUAGES):
                assert await is_no_wider_than_its_window(page), f"{path} in {language}"
