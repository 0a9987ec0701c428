"""The life of a session as its owner sees it."""

import asyncio

import pytest
from playwright.async_api import Page, Request, expect

from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import sessions
from tests.browser.chromium import Visitor, becomes_true
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, led_to, within
from tests.browser.overheard import sent_by
from tests.browser.pages import Auth, Home
from tests.browser.watching import Wire, a_film, at_the_ads
from tests.people import a_browser, signed_in
from tests.serving import Served
from tests.waiting import until


async def test_signing_out_in_one_tab_takes_the_other_tab_along(come: Come, a_person: MakePerson):
    visitor = await come()
    await visitor.comes_with((await a_person()).session)
    here = Home(await visitor.open("/"))
    there = Home(await visitor.another_tab("/"))

    async with within(FRESH, led_to(there.page, "/landing")):
        await here.sign_out()

    await there.is_at("/landing")
    # What the page was asked when the session ended is answered before this is.
    await there.choose_language("sv")
    await expect(there.toast).to_have_count(0)
    await visitor.open("/")
    await expect(here.page.get_by_role("heading", level=1)).to_contain_text("Av gamers,")


async def test_whose_session_was_ended_from_elsewhere_is_told_in_every_tab(
    come: Come, a_person: MakePerson
):
    maja = await a_person()
    visitor = await come()
    await visitor.comes_with(maja.session)
    here = Home(await visitor.open("/"))
    there = Home(await visitor.another_tab("/profile"))

    both = [led_to(tab.page, "/landing") for tab in (here, there)]
    # No toast is seen for long: who looked in one tab after the other might miss the second one's.
    async with asyncio.TaskGroup() as looking, within(FRESH, *both):
        for tab in (here, there):
            looking.create_task(
                tab.sees_toast("Signed out", "You were signed out here. Please sign in again.")
            )
        async with transaction() as session:
            await sessions.end_all(session, maja.account_id, now=utc_now())

    for tab in (here, there):
        await tab.is_at("/landing")


async def is_marked(page: Page) -> None:
    """Its document will be told from one that took its place."""
    await page.evaluate("window.isTheSameDocument = true")


async def is_the_same(page: Page) -> bool:
    return bool(await page.evaluate("window.isTheSameDocument"))


async def test_signing_in_in_one_tab_takes_the_visitors_in_others_along(
    come: Come, a_person: MakePerson
):
    visitor = await come()
    maja = await a_person()
    here = Home(visitor.page)
    form, front = [Home(await visitor.another_tab("/auth?mode=login")) for _ in range(2)]
    await Auth(form.page).field("auth.email").fill("half-typed@exam")
    await front.link("auth.back_home").click()
    await front.is_at("/")
    reading, going_back = [Home(await visitor.another_tab("/")) for _ in range(2)]
    for tab in (reading, going_back):
        await tab.link("frame.privacy").click()
        await expect(tab.heading("legal.privacy.title")).to_be_visible()
        await is_marked(tab.page)

    await Auth(await visitor.open("/auth?mode=login")).sign_in(maja.email, maja.password)

    for tab in (here, form, front):
        await tab.welcomes("Maja")
        await tab.is_at("/")
        await is_marked(tab.page)
    for tab in (reading, going_back):
        await tab.is_at("/privacy")
        assert await is_the_same(tab.page)
    await reading.bars.get_by_role("link", name="WatchCoins").click()
    await reading.welcomes("Maja")
    await going_back.page.go_back()
    await going_back.welcomes("Maja")
    # They told of the session, too: nobody who has it is taken along.
    for tab in (here, form, front):
        assert await is_the_same(tab.page)
    await here.sign_out()
    for tab in (form, front, reading, going_back):
        await tab.is_at("/landing")


async def test_a_visitor_who_is_told_of_a_session_that_is_none_looks_once(come: Come):
    visitor = await come()
    page = await visitor.open("/auth?mode=login")
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))

    await page.evaluate("new BroadcastChannel('sign-ins').postMessage('begun')")

    await expect(page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")
    await page.wait_for_timeout(2000)
    looks = [request.url for request in asked if request.is_navigation_request()]
    assert looks == [f"{visitor.url}/"]


async def at_home(visitor: Visitor, person: Person) -> Home:
    """In a browser whose clock the test moves on."""
    await visitor.comes_with(person.session)
    await visitor.page.clock.install()
    home = Home(await visitor.open("/"))
    await home.welcomes(person.name)
    return home


async def test_half_an_hour_without_activity_ends_the_session(come: Come, a_person: MakePerson):
    visitor = await come()
    home = await at_home(visitor, await a_person())

    await visitor.page.clock.fast_forward("31:00")

    await home.sees_toast(
        "Session Expired", "Your session has expired due to inactivity. Please log in again."
    )
    await home.is_at("/landing")
    await visitor.open("/")
    await expect(home.page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")


async def test_whether_somebody_is_there_is_looked_at_every_minute(
    come: Come, a_person: MakePerson
):
    visitor = await come()
    home = await at_home(visitor, await a_person())
    await visitor.page.clock.fast_forward("29:50")

    await visitor.page.clock.fast_forward("00:40")
    await visitor.page.wait_for_timeout(1000)
    await home.welcomes("Maja")
    await visitor.page.clock.fast_forward("00:20")

    await home.is_at("/landing")


async def test_a_tab_that_wakes_up_hears_first_of_what_was_done_in_others(
    come: Come, a_person: MakePerson
):
    visitor = await come()
    home = await at_home(visitor, await a_person())

    # What the other tab says comes as soon as this one is awake.
    await visitor.page.evaluate(
        """() => {
          const says = () => new BroadcastChannel("activity").postMessage("active");
          setTimeout(says, 30 * 60 * 1000);
        }"""
    )
    await visitor.page.clock.fast_forward("31:00")
    await visitor.page.wait_for_timeout(300)
    await visitor.page.clock.fast_forward("00:05")

    await visitor.page.wait_for_timeout(1000)
    await home.welcomes("Maja")
    await visitor.open("/")
    await home.welcomes("Maja")


async def on_a_line(come: Come, a_person: MakePerson) -> tuple[Visitor, Person, Home, Wire]:
    """At home, on a connection that can be cut, in a browser whose clock the test moves on."""
    visitor = await come()
    visitor.bears("WebSocket", "ERR_CONNECTION_REFUSED")
    wire = await Wire.of(visitor)
    maja = await a_person()
    return visitor, maja, await at_home(visitor, maja), wire


async def loses_it(home: Home, wire: Wire) -> None:
    await wire.cut()
    await expect(home.text(home.says["frame.reconnecting"])).to_be_visible()


async def test_half_an_hour_without_activity_or_a_connection_takes_away_what_was_shown(
    come: Come, a_person: MakePerson
):
    visitor, _, home, wire = await on_a_line(come, a_person)
    await loses_it(home, wire)

    await visitor.page.clock.fast_forward("29:00")
    await home.welcomes("Maja")
    await visitor.page.clock.fast_forward("02:00")

    await home.is_at("/landing")
    assert "Maja" not in await visitor.page.content()
    # The server's own clock was not moved on: to it the session is alive until it hears of this.
    wire.mend()
    await home.sees_toast(
        "Session Expired", "Your session has expired due to inactivity. Please log in again."
    )
    await home.is_at("/landing")
    await visitor.open("/")
    await expect(home.page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")


@pytest.mark.parametrize(("before", "cut_off_for"), [("29:50", "00:59"), ("00:10", "31:00")])
async def test_a_page_that_slept_ends_no_session_that_has_begun_meanwhile(
    come: Come, a_person: MakePerson, before: str, cut_off_for: str
):
    visitor, maja, home, wire = await on_a_line(come, a_person)
    await visitor.page.clock.fast_forward(before)
    await home.welcomes("Maja")
    await loses_it(home, wire)
    async with transaction() as session:
        await sessions.end(session, digest(maja.session), now=utc_now())
    await visitor.comes_with(await signed_in(maja.account_id, a_browser(), now=utc_now()))

    await visitor.page.clock.fast_forward(cut_off_for)
    await visitor.page.wait_for_timeout(1500)
    wire.mend()

    await expect(home.text(home.says["frame.reconnecting"])).to_be_hidden(timeout=20_000)
    await home.welcomes("Maja")
    # Had the page ended it, the server would have heard so by then.
    await visitor.page.wait_for_timeout(2000)
    await expect(home.toast.filter(has_text="Session Expired")).to_have_count(0)
    await visitor.open("/")
    await home.welcomes("Maja")


async def test_who_was_signed_out_without_a_connection_is_told_when_they_come_back(
    come: Come, a_person: MakePerson
):
    visitor, maja, home, wire = await on_a_line(come, a_person)
    await loses_it(home, wire)
    await visitor.page.clock.fast_forward("31:00")
    await home.is_at("/landing")
    async with transaction() as session:
        await sessions.end(session, digest(maja.session), now=utc_now())
    await visitor.page.close()
    wire.mend()

    later = Home(await visitor.another_tab("/"))

    await later.sees_toast(
        "Session Expired", "Your session has expired due to inactivity. Please log in again."
    )
    await later.page.reload()
    await expect(later.page.get_by_role("heading", level=1)).to_contain_text("By Gamers,")
    await later.page.wait_for_timeout(1000)
    await expect(later.toast).to_have_count(0)


NOTES_SCROLLING = """() => {
  window.hasScrolled = new Promise((tell) =>
    addEventListener("scroll", () => tell(), { once: true, passive: true, capture: true }));
}"""
KEPT = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
"""As when it is come back to, and the browser has kept it as it was left."""


@pytest.mark.parametrize("is_member", [True, False])
async def test_a_members_page_that_the_browser_has_kept_is_asked_for_anew(
    come: Come, a_person: MakePerson, is_member: bool
):
    visitor = await come()
    if is_member:
        await visitor.comes_with((await a_person()).session)
    page = await visitor.open("/leaderboard")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await page.wait_for_timeout(1000)
    await page.evaluate("window.isTheSamePage = true")

    await page.evaluate(KEPT)

    if is_member:
        await becomes_true(page, "!window.isTheSamePage")
    else:
        await page.wait_for_timeout(1000)
        assert await page.evaluate("window.isTheSamePage")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()


async def presses_the_mouse(page: Page) -> None:
    await page.mouse.click(5, 5)


async def presses_a_key(page: Page) -> None:
    await page.keyboard.press("Shift")


async def scrolls(page: Page) -> None:
    """What has scrolled is said with the next picture."""
    await page.evaluate(NOTES_SCROLLING)
    await page.mouse.wheel(0, 200)
    await page.evaluate("hasScrolled")


async def touches(page: Page) -> None:
    await page.dispatch_event("body", "touchstart")


async def test_activity_keeps_the_session(come: Come, a_person: MakePerson):
    visitor = await come()
    said = sent_by(visitor.page)
    home = await at_home(visitor, await a_person())
    clock = visitor.page.clock

    await clock.fast_forward("20:00")
    for acts in (presses_the_mouse, presses_a_key, scrolls, touches):
        await acts(home.page)
        await clock.fast_forward("20:00")
        # Who is found silent has two seconds left: what is done next comes too late for them.
        await clock.fast_forward("00:05")
        await home.page.wait_for_timeout(300)
        assert not any("end_idle" in words for words in said), acts.__name__

    await home.page.wait_for_timeout(1000)
    await home.welcomes("Maja")
    await visitor.open("/")
    await home.welcomes("Maja")


async def test_who_comes_back_is_told_of_at_once(come: Come, a_person: MakePerson):
    """By the next look at the clock their half hour could be over."""
    visitor = await come()
    said = sent_by(visitor.page)
    home = await at_home(visitor, await a_person())

    def told() -> int:
        return sum("still_here" in words for words in said)

    await presses_the_mouse(home.page)
    await visitor.page.clock.fast_forward("01:01")
    await until(lambda: told() == 1, within=15)

    await visitor.page.clock.fast_forward("28:00")
    await presses_a_key(home.page)

    await until(lambda: told() == 2, within=15)


async def in_two_tabs(come: Come, a_person: MakePerson) -> tuple[Visitor, Home, Home]:
    """Of one browser, whose clock the test moves on."""
    visitor = await come()
    await visitor.comes_with((await a_person()).session)
    await visitor.context.clock.install()
    here = Home(await visitor.open("/"))
    there = Home(await visitor.another_tab("/"))
    await there.welcomes("Maja")
    return visitor, here, there


async def test_two_tabs_do_not_keep_each_other_signed_in(come: Come, a_person: MakePerson):
    visitor, here, there = await in_two_tabs(come, a_person)
    await here.page.mouse.click(5, 5)

    for _ in range(5):
        await visitor.context.clock.fast_forward("10:00")

    # By the server's word, or by the page that is found again: nothing of hers is shown.
    for tab in (here, there):
        heading = tab.page.get_by_role("heading", level=1)
        await expect(heading).to_contain_text("By Gamers,", timeout=20_000)


async def test_activity_in_one_tab_keeps_the_other(come: Come, a_person: MakePerson):
    visitor, here, there = await in_two_tabs(come, a_person)

    for _ in range(5):
        await here.page.mouse.click(5, 5)
        await visitor.context.clock.fast_forward("10:00")

    await there.welcomes("Maja")
    await visitor.open("/")
    await here.welcomes("Maja")


async def test_a_restart_of_the_server_signs_nobody_out_and_loses_no_ad(
    come: Come, a_person: MakePerson, served: Served
):
    visitor, player = await come(), await come()
    visitor.bears("ERR_CONNECTION_REFUSED", "WebSocket")
    player.bears("ERR_CONNECTION_REFUSED", "WebSocket", "Failed to load resource")
    await visitor.comes_with((await a_person()).session)
    home = Home(await visitor.open("/"))
    await home.welcomes("Maja")
    film = await a_film()
    watch = await at_the_ads(player, await a_person())
    await watch.start(film.title)

    await asyncio.to_thread(served.stop)
    await expect(home.text(home.says["frame.reconnecting"])).to_be_visible(timeout=20_000)
    await asyncio.to_thread(served.start)
    await asyncio.gather(
        expect(home.text(home.says["frame.reconnecting"])).to_be_hidden(timeout=20_000),
        watch.is_rewarded(within=30),
    )

    await watch.is_closed()
    await home.welcomes("Maja")
    await visitor.open("/")
    await home.welcomes("Maja")
