"""Whoever presses twice means it once: a form does its work once, and nobody is told otherwise."""

import re

from playwright.async_api import Page, WebSocket, expect

from rewards_app.core.clock import utc_now
from rewards_app.core.database import lookup_all
from tests.browser.buying import a_rich, bought
from tests.browser.conftest import Come, Person, an_email
from tests.browser.pages import GOOD_PASSWORD, Auth, Orders
from tests.browser.test_forum import Forum, a_title, place
from tests.browser.test_support import Support, at_support
from tests.browser.watching import the_actor_behind
from tests.forum import a_topic

TICKETS = "select number from support_tickets where account_id = %(account)s"
SIGN_IN = re.compile(r"auth_state\.sign_in\b")
REPLY = re.compile(r"reply_state\.send\b")
PROBLEM = re.compile(r"problem_state\.send\b")


def sent_by(page: Page) -> list[str]:
    """What the page tells the server from now on."""
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda said: sent.append(str(said)))

    page.on("websocket", listen)
    return sent


def times(what: re.Pattern[str], sent: list[str]) -> int:
    return sum(bool(what.search(one)) for one in sent)


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
        assert times(SIGN_IN, sent) == tries


class TestAFormOfOurOwn:
    """What it sends carries no trace of the press."""

    async def test_with_a_reply_is_sent_once(self, come: Come, maja: Person):
        topic = await a_topic(await the_actor_behind(maja), title=a_title(), now=utc_now())
        visitor = await come()
        sent = sent_by(visitor.page)
        await visitor.comes_with(maja.session)
        forum = Forum(await visitor.open(place(topic)))
        await forum.reply.fill("At the lighthouse")
        await forum.main.get_by_role(
            "button", name=forum.says["forum.reply"], exact=True
        ).dblclick()
        await expect(forum.said("At the lighthouse")).to_have_count(1)
        await forum.sees_toast(forum.says["forum.posted.title"])
        assert times(REPLY, sent) == 1

    async def test_with_a_problem_is_sent_once(self, come: Come, maja: Person):
        await bought(await a_rich(maja, 89), 89)
        visitor = await come()
        sent = sent_by(visitor.page)
        await visitor.comes_with(maja.session)
        screen = Orders(visitor.page)
        await screen.open()
        await screen.act(screen.row("1,000 V-Bucks"), "orders.wrong").click()
        await screen.problem.get_by_label("What happened?").fill("The code was used.")
        await screen.problem.get_by_role("button", name="Send").dblclick()
        await screen.sees_toast("Thank you", "is open. We answer by mail.")
        assert times(PROBLEM, sent) == 1
