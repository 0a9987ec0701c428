"""Whoever presses twice means it once: a form does its work once, and nobody is told otherwise."""

import re
from datetime import timedelta

from playwright.async_api import Locator, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import lookup_all
from tests.browser.buying import a_rich, bought
from tests.browser.conftest import Come, MakePerson, Person, an_email
from tests.browser.overheard import sent_by
from tests.browser.pages import GOOD_PASSWORD, Auth, Orders
from tests.browser.test_admin_security import at_the_alarms, is_raised
from tests.browser.test_forum import Forum, a_title, place
from tests.browser.test_second_factor import shows_the_password
from tests.browser.test_support import Support, at_support
from tests.browser.watching import Wire, the_actor_behind
from tests.factors import an_app
from tests.forum import a_topic
from tests.waiting import until

TICKETS = "select number from support_tickets where account_id = %(account)s"
SIGN_IN = re.compile(r"auth_state\.sign_in\b")
REPLY = re.compile(r"reply_state\.send\b")
CODE = re.compile(r"\.answer_code\b")
IS_DONE = '"is_busy_rx_state_":false'
PROBLEM = re.compile(r"problem_state\.send\b")


def times(what: re.Pattern[str], sent: list[str]) -> int:
    return sum(bool(what.search(one)) for one in sent)


async def tickets_of(person: Person) -> int:
    return len(await lookup_all(TICKETS, {"account": person.account_id}))


async def presses_twice(button: Locator) -> None:
    """Both at one time, however long the machine takes between them."""
    await button.page.clock.set_fixed_time(utc_now())
    await button.dblclick()


async def test_a_message_is_sent_once(come: Come, maja: Person):
    support: Support = await at_support(await come(), maja)
    await support.field("support.form.subject").fill("Twice")
    await support.field("support.form.message").fill("My coins from yesterday are missing.")
    await presses_twice(support.button("support.form.send"))
    await expect(support.text(support.says["support.sent_title"])).to_be_visible()
    await support.page.reload()
    await expect(support.ticket("Twice")).to_have_count(1)
    assert await tickets_of(maja) == 1


async def test_who_signs_up_is_not_told_of_themselves(come: Come):
    visitor = await come()
    screen = Auth(await visitor.open("/auth?type=company"))
    await screen.field("auth.email").fill(email := an_email("maja"))
    await screen.field("auth.password").fill(GOOD_PASSWORD)
    await presses_twice(screen.button("auth.create_account"))
    await screen.is_sent_to(email)
    await expect(screen.page.locator("[data-sonner-toast]")).to_have_count(0)


async def test_who_was_refused_may_try_the_same_again(come: Come, maja: Person):
    visitor = await come()
    sent = sent_by(visitor.page)
    screen = Auth(await visitor.open("/auth?mode=login"))
    for tries in (1, 2):
        await screen.sign_in(maja.email, "Wrong-Password-1")
        await until(lambda tries=tries: times(SIGN_IN, sent) >= tries, within=10)
        await expect(screen.page.locator("[data-sonner-toast]").first).to_be_visible()
        await expect(screen.button("auth.sign_in")).not_to_have_attribute("aria-busy", "true")
        await screen.page.wait_for_timeout(500)
        assert times(SIGN_IN, sent) == tries


async def test_who_presses_enter_while_it_is_looked_at_has_tried_once(come: Come, maja: Person):
    await an_app(maja.account_id, now=utc_now() - timedelta(minutes=5))
    visitor = await come()
    wire = await Wire.of(visitor)
    screen = await shows_the_password(visitor, maja)
    code = screen.field("auth.second_code")
    await code.fill("000000")
    wire.kept_back = IS_DONE

    # However long the machine takes, they come while an answer may be on its way.
    await screen.page.clock.set_fixed_time(first := utc_now())
    await code.press("Enter")
    await expect(screen.button("auth.sign_in")).to_have_attribute("aria-busy", "true")
    for number in (1, 2, 3):
        await screen.page.clock.set_fixed_time(first + number * timedelta(milliseconds=600))
        await code.press("Enter")

    await screen.page.wait_for_timeout(500)
    assert times(CODE, wire.words) == 1
    wire.says_the_rest()
    await expect(screen.toast).to_contain_text(screen.says["errors.factors.wrong_code"])
    await screen.page.wait_for_timeout(500)
    await screen.page.clock.set_fixed_time(utc_now() + timedelta(minutes=1))
    await code.press("Enter")
    await until(lambda: times(CODE, wire.words) >= 2, within=10)
    await screen.page.wait_for_timeout(1000)
    assert times(CODE, wire.words) == 2


class TestAButton:
    """What moved to where it was, when it had done its work, was not meant."""

    async def test_leaves_the_next_alert_to_be_looked_at(self, come: Come, a_person: MakePerson):
        people = [await a_person(name=name) for name in ("Maja Twice", "Otto Twice", "Ola Twice")]
        for person in people:
            await is_raised(person)
        alarms = await at_the_alarms(await come(), await a_person(Role.ADMIN, name="Linnea"))
        newest, *others = (alarms.row(f"buy_{person.name}") for person in reversed(people))
        # The server is quick: all of that is one double click.
        await alarms.page.clock.set_fixed_time(utc_now())
        button = await newest.get_by_role("button").bounding_box()
        assert button
        place = button["x"] + button["width"] / 2, button["y"] + button["height"] / 2
        await alarms.page.mouse.click(*place)
        await alarms.sees_toast("Alert resolved successfully")
        await expect(newest).to_have_count(0)
        await alarms.page.mouse.down(click_count=2)
        await alarms.page.mouse.up(click_count=2)
        await alarms.page.wait_for_timeout(1000)
        for other in others:
            await expect(other).to_be_visible()
        # Later, it is meant.
        await alarms.page.clock.set_fixed_time(utc_now() + timedelta(seconds=1))
        await others[0].get_by_role("button").click()
        await expect(others[0]).to_have_count(0)
        await expect(others[1]).to_be_visible()


class TestAFormOfOurOwn:
    """What it sends carries no trace of the press."""

    async def test_with_a_reply_is_sent_once(self, come: Come, maja: Person):
        topic = await a_topic(await the_actor_behind(maja), title=a_title(), now=utc_now())
        visitor = await come()
        sent = sent_by(visitor.page)
        await visitor.comes_with(maja.session)
        forum = Forum(await visitor.open(place(topic)))
        await forum.reply.fill("At the lighthouse")
        await presses_twice(
            forum.main.get_by_role("button", name=forum.says["forum.reply"], exact=True)
        )
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
        await presses_twice(screen.problem.get_by_role("button", name="Send"))
        await screen.sees_toast("Thank you", "is open. We answer by mail.")
        assert times(PROBLEM, sent) == 1
