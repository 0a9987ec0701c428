"""A lost connection: a calm bar says so, and nothing typed or pressed is lost or done twice."""

import asyncio
import secrets
from dataclasses import dataclass

import pytest
from playwright.async_api import Locator, Page, WebSocket, WebSocketRoute, expect
from sqlmodel import func, select

from rewards_app.core.actor import Role
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import sessions
from rewards_app.models import SupportTicket
from tests import shop
from tests.browser.buying import in_the_shop
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person, an_email
from tests.browser.moments import Promised, shown, within
from tests.browser.pages import GOOD_PASSWORD, Auth, Screen, Shop
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_admin_people import at_the_directory
from tests.browser.test_advertiser_campaigns import (
    Company,
    at_the_campaigns,
    fills,
    fjord,  # noqa: F401 # pyright: ignore[reportUnusedImport]
)
from tests.browser.test_forum import Forum, a_title
from tests.browser.test_support import a_subject, at_support
from tests.browser.watching import Wire, a_film, at_the_ads, the_actor_behind
from tests.serving import Served
from tests.tickets import QUESTION
from tests.waiting import until

BACK_WITHIN = 30_000
AT_ONCE = 1.0
CLOSED_AT_FIRST = 3
WHOLE = '"visit_rx_state_":"0'
"""How the server says that a page is here, or here again."""
AWAY = ("ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED", "WebSocket", "Failed to load")
SHIFTS = """() => { window.shifted = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({ type: "layout-shift" }); }"""
NOTE_THE_BAR = """() => {
  const told = window.__reflex_otel, note = told.onSocketDisconnect;
  told.onSocketDisconnect = (...words) => {
    window.lostAt ??= performance.now();
    note(...words);
  };
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".connection-layer")?.textContent) return;
    observer.disconnect();
    window.saidAfter = performance.now() - window.lostAt;
  }).observe(document, { childList: true, subtree: true, characterData: true });
}"""
A_SECOND = 990
"""In milliseconds, for a timer that may be a little early."""


class Bar(Screen):
    """The bar of the lost connection."""

    @property
    def bar(self) -> Locator:
        return self.page.locator(".connection-layer")

    async def says_lost(self) -> None:
        await expect(self.bar).to_have_text(self.says["frame.reconnecting"])

    async def is_gone(self) -> None:
        await expect(self.bar).to_be_hidden(timeout=BACK_WITHIN)

    async def says_that_nothing_was_sent(self) -> None:
        await expect(self.bar).to_have_text(self.says["frame.not_sent"])


async def marks(page: Page) -> None:
    """What a reload would wipe out."""
    await page.evaluate("window.isTheSamePage = true")


async def is_the_same_page(page: Page) -> bool:
    return bool(await page.evaluate("window.isTheSamePage"))


async def tickets_of(person: Person) -> int:
    async with transaction() as session:
        counted = select(func.count()).where(SupportTicket.account_id == person.account_id)
        return (await session.exec(counted)).one()


async def orders_of(person: Person) -> int:
    return len(await shop.orders_of(await the_actor_behind(person)))


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def dies(served: Served) -> None:
    """As when the machine runs out of memory: nobody is told."""
    served.process.kill()
    await asyncio.to_thread(served.process.wait)


async def comes_back(served: Served) -> None:
    await asyncio.to_thread(served.start)


async def will_be_pressed_once_cut_off(button: Locator) -> None:
    """In the first moment, in which no bar is shown yet, however slow this machine is."""
    await _will_be_pressed_after(button, "onSocketDisconnect")


async def will_be_pressed_once_connected(button: Locator) -> None:
    """In the first moment, in which the page is not whole yet."""
    await _will_be_pressed_after(button, "onSocketConnect")


async def _will_be_pressed_after(button: Locator, told: str) -> None:
    """For the page no time goes by after it: on a slow machine it would be meant no more."""
    await button.evaluate(
        """(button, told) => {
          const note = window.__reflex_otel[told];
          window.__reflex_otel[told] = (...words) => {
            note(...words);
            setTimeout(() => {
              const pressed = Date.now();
              Date.now = () => pressed;
              button.click();
            }, 100);
            window.__reflex_otel[told] = note;
          };
        }""",
        told,
    )


async def is_lost_with_the_line(wire: Wire, button: Locator) -> None:
    """What is pressed is sent, and never comes."""
    wire.is_deaf = True
    await button.evaluate("button => button.click()")
    await wire.cut()
    await Bar(button.page).says_lost()
    wire.is_deaf = False
    wire.mend()


def free_again(button: Locator) -> Promised:
    return shown(button, "false", "element.ariaBusy === 'true'")


async def says_unsure(screen: Screen) -> None:
    await screen.sees_toast(screen.says["frame.back"], screen.says["frame.unsure"])


async def says_unsent(bar: Bar) -> None:
    await bar.is_gone()
    await bar.sees_toast(bar.says["frame.back"], bar.says["frame.unsent"])


@dataclass
class Asking:
    """Maja in front of a question that she has typed."""

    visitor: Visitor
    wire: Wire
    screen: Screen
    bar: Bar
    subject: str

    @property
    def send(self) -> Locator:
        return self.screen.button("support.form.send")

    async def sends(self) -> None:
        await self.send.click()

    async def will_send_once_cut_off(self) -> None:
        await will_be_pressed_once_cut_off(self.send)


async def asking(come: Come, maja: Person, *, is_wired: bool = True) -> Asking:
    visitor = await come()
    visitor.bears(*AWAY)
    wire = await Wire.of(visitor) if is_wired else Wire()
    support = await at_support(visitor, maja)
    subject = a_subject()
    await support.field("support.form.subject").fill(subject)
    await support.field("support.form.message").fill(QUESTION)
    await marks(visitor.page)
    return Asking(visitor, wire, support, Bar(visitor.page), subject)


class TestTheBar:
    @pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
    async def test_comes_after_a_second_and_goes_by_itself(
        self, come: Come, maja: Person, viewport: dict[str, int]
    ):
        visitor = await come(viewport=viewport)
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        await visitor.comes_with(maja.session)
        bar = Bar(await visitor.open("/support"))
        heading = bar.page.get_by_role("heading", level=1)
        await expect(heading).to_be_visible()
        await marks(bar.page)
        # Letters of a font that has just come are wider: that is no doing of the bar.
        await bar.page.evaluate("document.fonts.ready")
        assert await comes_to_rest(bar.page)
        await bar.page.evaluate(SHIFTS)
        await bar.page.evaluate(NOTE_THE_BAR)

        await wire.cut()
        await bar.says_lost()
        assert await bar.page.evaluate("window.saidAfter") >= A_SECOND
        await expect(bar.bar.get_by_role("status")).to_be_visible()
        await expect(heading).to_be_in_viewport()
        wire.mend()

        await bar.is_gone()
        assert await is_the_same_page(bar.page)
        assert await bar.page.evaluate("window.shifted") == 0

    async def test_stays_until_what_is_pressed_is_done_again(self, come: Come, maja: Person):
        """There is a connection before the server has said that the page is whole."""
        asked = await asking(come, maja)
        await asked.wire.cut()
        await asked.bar.says_lost()
        asked.wire.kept_back = WHOLE
        await will_be_pressed_once_connected(asked.send)
        asked.wire.mend()
        await asked.bar.says_that_nothing_was_sent()
        asked.wire.says_the_rest()
        await asked.bar.is_gone()
        assert await tickets_of(maja) == 0
        await asked.sends()
        found = asked.visitor.page.get_by_role("listitem").filter(has_text=asked.subject)
        await expect(found).to_be_visible()
        assert await tickets_of(maja) == 1

    async def test_says_that_the_device_is_offline(self, come: Come, maja: Person):
        asked = await asking(come, maja, is_wired=False)
        page, bar = asked.visitor.page, asked.bar
        await asked.visitor.context.set_offline(True)
        await expect(bar.bar).to_have_text(bar.says["frame.offline"])
        await asked.sends()
        await bar.says_that_nothing_was_sent()
        await asked.visitor.context.set_offline(False)
        await bar.is_gone()
        assert await tickets_of(maja) == 0
        await expect(asked.screen.field("support.form.subject")).to_have_value(asked.subject)
        await asked.sends()
        await expect(page.get_by_role("listitem").filter(has_text=asked.subject)).to_be_visible()
        assert await tickets_of(maja) == 1

    async def test_axe_finds_nothing_in_it(self, come: Come, maja: Person):
        visitor = await one_following_the_system(come)
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        await visitor.comes_with(maja.session)
        bar = Bar(await visitor.open("/support"))
        await expect(bar.page.get_by_role("heading", level=1)).to_be_visible()
        await wire.cut()
        await bar.says_lost()
        await has_no_violations(bar.page)
        wire.mend()

    @pytest.mark.parametrize("language", ["de", "ru"])
    async def test_speaks_the_chosen_language(self, come: Come, maja: Person, language: str):
        visitor = await come(stored={"language": language}, viewport=PHONE)
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        await visitor.comes_with(maja.session)
        page = await visitor.open("/support")
        await expect(page.locator("html")).to_have_attribute("lang", language)
        bar = Bar(page, language)
        await wire.cut()
        await bar.says_lost()
        box = await bar.bar.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        wire.mend()


class TestALinkToAnotherProgram:
    """The page stays, although its browser has told it that it is left."""

    async def test_leaves_the_page_its_connection(self, come: Come, maja: Person):
        visitor = await come()
        sockets: list[WebSocket] = []
        visitor.page.on("websocket", lambda socket: sockets.append(socket))
        await at_support(visitor, maja)
        await marks(visitor.page)

        await visitor.page.locator("a[href^='mailto:']").first.click()

        await until(lambda: len(sockets) >= 2, within=10)
        await visitor.page.wait_for_timeout(3000)
        assert await is_the_same_page(visitor.page)
        assert not sockets[-1].is_closed()


class TestWhatIsPressed:
    async def test_in_a_blip_is_done_once(self, come: Come, maja: Person):
        asked = await asking(come, maja)
        await asked.will_send_once_cut_off()
        await asked.wire.cut()
        asked.wire.mend()
        found = asked.visitor.page.get_by_role("listitem").filter(has_text=asked.subject)
        await expect(found).to_be_visible()
        said = asked.bar.toast.filter(has_text=asked.bar.says["frame.back"])
        await expect(said).to_have_count(0)
        assert await tickets_of(maja) == 1

    async def test_while_the_bar_is_shown_is_said_not_to_be_sent(self, come: Come, maja: Person):
        asked = await asking(come, maja)
        await asked.wire.cut()
        await asked.bar.says_lost()
        await asked.sends()
        await asked.bar.says_that_nothing_was_sent()
        asked.wire.mend()
        await asked.bar.is_gone()
        await asked.visitor.page.wait_for_timeout(1000)
        assert await tickets_of(maja) == 0
        await asked.sends()
        found = asked.visitor.page.get_by_role("listitem").filter(has_text=asked.subject)
        await expect(found).to_be_visible()
        assert await tickets_of(maja) == 1

    async def test_right_before_may_not_have_come(self, come: Come, maja: Person):
        asked = await asking(come, maja)
        await is_lost_with_the_line(asked.wire, asked.send)
        await says_unsure(asked.screen)
        assert await tickets_of(maja) == 0
        await asked.sends()
        found = asked.visitor.page.get_by_role("listitem").filter(has_text=asked.subject)
        await expect(found).to_be_visible()

    async def test_is_answered_by_what_comes_with_the_page_when_it_is_back(
        self, come: Come, maja: Person
    ):
        """Also where nothing was ever told in this tab before."""
        asked = await asking(come, maja)
        asked.wire.is_mute = True
        await asked.sends()
        async with asyncio.timeout(10):
            while not await tickets_of(maja):
                await asyncio.sleep(0.05)
        await asked.wire.cut()
        await asked.bar.says_lost()
        asked.wire.is_mute = False
        asked.wire.mend()
        await asked.bar.sees_toast(asked.bar.says["support.sent_title"])
        await asked.bar.is_gone()
        said = asked.bar.toast.filter(has_text=asked.bar.says["frame.back"])
        await expect(said).to_have_count(0)
        assert await tickets_of(maja) == 1


class TestAPurchase:
    """The button is a part of our own: what it tells the server carries no press with it."""

    async def test_in_a_blip_is_made_when_the_page_is_whole_again(self, come: Come, maja: Person):
        wire, screen = await self.about_to_buy(come, maja)
        await will_be_pressed_once_cut_off(screen.purchase)
        await wire.cut()
        wire.mend()
        await screen.thanks_for("1,000 V-Bucks")
        assert wire.position_of("shop_state.purchase") > wire.position_of(WHOLE)
        assert await orders_of(maja) == 1

    async def test_while_the_bar_is_shown_is_said_not_to_be_made(self, come: Come, maja: Person):
        wire, screen = await self.about_to_buy(come, maja)
        bar = Bar(screen.page)
        await wire.cut()
        await bar.says_lost()
        await screen.buy()
        await bar.says_that_nothing_was_sent()
        await expect(screen.purchase).not_to_have_attribute("aria-busy", "true")
        wire.mend()
        await bar.is_gone()
        await screen.page.wait_for_timeout(1000)
        assert await orders_of(maja) == 0
        await screen.buy()
        await screen.thanks_for("1,000 V-Bucks")

    async def test_right_before_can_be_made_again_at_once(self, come: Come, maja: Person):
        """Nobody answers any more: the button does not wait for it."""
        wire, screen = await self.about_to_buy(come, maja)
        async with within(AT_ONCE, free_again(screen.purchase)):
            await is_lost_with_the_line(wire, screen.purchase)
            await says_unsure(screen)
        assert await orders_of(maja) == 0
        await screen.buy()
        await screen.thanks_for("1,000 V-Bucks")
        assert await orders_of(maja) == 1

    async def about_to_buy(self, come: Come, maja: Person) -> tuple[Wire, Shop]:
        await shop.stock(1, shop.THE_PACKAGE)
        visitor = await come()
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        screen = await in_the_shop(visitor, maja, coins=shop.PRICE)
        await expect(screen.purchase).to_have_text("Purchase with 89 coins")
        return wire, screen


class TestAnAd:
    async def test_that_may_not_have_begun_can_be_begun_again_at_once(
        self, come: Come, maja: Person
    ):
        film = await a_film(seconds=5)
        visitor = await come()
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        watch = await at_the_ads(visitor, maja)
        start = watch.ad(film.title)
        async with within(AT_ONCE, free_again(start)):
            await is_lost_with_the_line(wire, start)
            await says_unsure(watch)
        await watch.start(film.title)
        await watch.is_rewarded()


class TestWhatIsTyped:
    """It is there afterwards, and can be sent."""

    async def test_into_a_topic_is_posted_afterwards(self, come: Come, maja: Person):
        visitor = await come()
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        await visitor.comes_with(maja.session)
        forum = Forum(await visitor.open("/forum"))
        title = a_title()
        await forum.begins(title, "We meet at the lighthouse at eight.")
        await self.goes_and_comes(wire, forum.page)
        await expect(forum.page.locator("#post-title")).to_have_value(title)
        await forum.dialog.get_by_role("button", name=forum.says["forum.form.post"]).click()
        await expect(forum.card(title)).to_be_visible()

    async def test_into_a_new_campaign_is_kept(self, come: Come, fjord: Company):  # noqa: F811
        visitor = await come()
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        screen = await at_the_campaigns(visitor, fjord)
        form = await screen.plan()
        name = f"Winter {secrets.token_hex(3)}"
        await fills(form, name=name)
        await self.goes_and_comes(wire, screen.page)
        await expect(form).to_be_visible()
        await expect(form.locator("[name=name]")).to_have_value(name)

    async def test_as_an_admins_reason_is_kept_with_the_person(
        self, come: Come, maja: Person, linnea: Person
    ):
        visitor = await come()
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        directory = await at_the_directory(visitor, linnea)
        await directory.look_into(maja)
        await directory.dialog.get_by_label(directory.says["admin.people.new_role"]).select_option(
            "moderator"
        )
        await expect(directory.dialog).to_contain_text("moderates the community")
        reason = directory.reason_for("role")
        await reason.fill("She helps in the community")
        await self.goes_and_comes(wire, directory.page)
        await expect(directory.dialog).to_be_visible()
        await expect(reason).to_have_value("She helps in the community")
        await directory.dialog.get_by_role("button", name="Change role to Moderator").click()
        await expect(directory.rows.first).to_contain_text("Moderator")

    async def goes_and_comes(self, wire: Wire, page: Page) -> None:
        bar = Bar(page)
        await marks(page)
        await wire.cut()
        await bar.says_lost()
        wire.mend()
        await bar.is_gone()
        assert await is_the_same_page(page)


class TestAServerThatForgotEverything:
    """One that was killed is back."""

    async def test_was_sent_nothing_and_all_that_was_typed_is_there(
        self, come: Come, maja: Person, served: Served
    ):
        visitor = await come()
        visitor.bears(*AWAY)
        auth = Auth(await visitor.open("/auth?type=player"))
        await auth.type_player_details()
        email = an_email("maja")
        await auth.field("auth.email").fill(email)
        await auth.field("auth.password").fill(GOOD_PASSWORD)
        await marks(auth.page)
        asked = await asking(come, maja)
        await asked.will_send_once_cut_off()

        await dies(served)
        await Bar(auth.page).says_lost()
        await comes_back(served)

        await asyncio.gather(says_unsent(asked.bar), Bar(auth.page).is_gone())
        assert await tickets_of(maja) == 0
        assert await is_the_same_page(asked.visitor.page)
        await expect(asked.screen.field("support.form.subject")).to_have_value(asked.subject)
        await expect(asked.screen.field("support.form.message")).to_have_value(QUESTION)

        assert await is_the_same_page(auth.page)
        await expect(auth.field("auth.name")).to_have_value("Maja")
        await expect(auth.field("auth.gender")).to_have_value("Female")
        await auth.button("auth.create_account").click()
        await auth.is_sent_to(email)


class TestASocketThatIsClosedBeforeItsFirstWord:
    """As a proxy does whose server is not there yet."""

    async def test_is_opened_again_at_once(self, come: Come, maja: Person):
        visitor = await come()
        visitor.bears(*AWAY)
        opened: list[WebSocketRoute] = []

        async def carry(line: WebSocketRoute) -> None:
            opened.append(line)
            if len(opened) <= CLOSED_AT_FIRST:
                await line.close()
            else:
                line.connect_to_server()

        await visitor.context.route_web_socket(lambda url: "/_event" in url, carry)
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/support"))
        await expect(screen.main.get_by_role("heading", level=1)).to_be_visible(timeout=8000)
        assert len(opened) == CLOSED_AT_FIRST + 1


class TestASessionThatEnded:
    async def test_leads_to_sign_in_with_a_word_why(self, come: Come, maja: Person):
        visitor = await come()
        visitor.bears(*AWAY)
        wire = await Wire.of(visitor)
        await visitor.comes_with(maja.session)
        bar = Bar(await visitor.open("/profile"))
        await expect(bar.main).to_contain_text("Maja")
        await wire.cut()
        await bar.says_lost()
        async with transaction() as session:
            await sessions.end(session, digest(maja.session), now=utc_now())
        wire.mend()
        await expect(bar.button("auth.sign_in")).to_be_visible(timeout=BACK_WITHIN)
        await bar.sees_toast(
            bar.says["errors.session_ended_title"], bar.says["errors.session_ended"]
        )
