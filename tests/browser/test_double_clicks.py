"""Whoever presses twice means it once: a form does its work once, and nobody is told otherwise."""

import re

from playwright.async_api import Page, WebSocket, expect

from rewards_app.core.database import lookup_all
from tests.browser.conftest import Come, Person, an_email
from tests.browser.pages import GOOD_PASSWORD, Auth
from tests.browser.test_support import Support, at_support

TICKETS = "select number from support_tickets where account_id = %(account)s"
SIGN_IN = re.compile(r"auth_state\.sign_in\b")


def sent_by(page: Page) -> list[str]:
    """What the page tells the server from now on."""
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda said: sent.append(str(said)))

    page.on("websocket", listen)
    return sent


async def tickets_of(person: Person) -> int:
    return len(await lookup_all(TICKETS, {"account": person.account_id}))


async def test_a_message_is_sent_once(come: Come, maja: Person):
    support: Support = await at_support(await come(), maja)
    await support.field("support.form.subject").fill("Twice")
    await support.field("support.form.message").fill("My coins from yesterday are missing.")
    await support.button("support.form.send").dblclick()
    await expect(support.text(support.says["support.sent_title"])).to_be_visible()
    await support.page.reload()
    await expect(support.ticket("Twice")).to_have_count(1)
    assert await tickets_of(maja) == 1


async def test_who_signs_up_is_not_told_of_themselves(come: Come):
    visitor = await come()
    screen = Auth(await visitor.open("/auth?type=company"))
    await screen.field("auth.email").fill(email := an_email("maja"))
    await screen.field("auth.password").fill(GOOD_PASSWORD)
    await screen.button("auth.create_account").dblclick()
    await screen.is_sent_to(email)
    await expect(screen.page.locator("[data-sonner-toast]")).to_have_count(0)


async def test_who_was_refused_may_try_the_same_again(come: Come, maja: Person):
    visitor = await come()
    sent = sent_by(visitor.page)
    screen = Auth(await visitor.open("/auth?mode=login"))
    for tries in (1, 2):
        await screen.sign_in(maja.email, "Wrong-Password-1")
        await expect(screen.page.locator("[data-sonner-toast]").first).to_be_visible()
        await screen.page.wait_for_timeout(500)
        assert sum(bool(SIGN_IN.search(one)) for one in sent) == tries
