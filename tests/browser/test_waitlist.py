"""Joining the waitlist, confirming by the mail, and moving ahead with a friend."""

import asyncio
import re
import time
from collections.abc import Iterator

import psycopg
import pytest
from playwright.async_api import Locator, Page, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from rewards_app.core.shared import FRESH_FOR_SECONDS
from rewards_app.features.waitlist import links
from rewards_app.features.waitlist.service import TELLING
from rewards_app.i18n.languages import CODES, address_of
from tests.beside import beside
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person, an_email
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import SPILLED
from tests.serving import Served
from tests.waitlist import somebody_waits

PLACE = re.compile(r"^Your place: ([\d,]+) of ([\d,]+)$")
SHIFTS = """() => { window.shifted = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({ type: "layout-shift" }); }"""
VIEWPORTS = pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])


class Front(Screen):
    """The front page with its form."""

    @property
    def email(self) -> Locator:
        return self.field("landing.your_email")

    @property
    def note(self) -> Locator:
        return self.page.locator("#waitlist-note")

    async def join(self, email: str) -> None:
        await self.email.fill(email)
        await self.button("landing.join_waitlist").click()

    async def has_joined(self) -> None:
        await expect(self.heading("landing.joined_title")).to_be_visible()


class Waiting(Screen):
    """Where the link of the mail leads."""

    async def place(self) -> tuple[int, int]:
        said = await self.page.get_by_text(PLACE).text_content()
        found = PLACE.match(said or "")
        assert found
        return int(found[1].replace(",", "")), int(found[2].replace(",", ""))

    async def own_link(self) -> str:
        return await self.page.locator("span.font-mono").text_content() or ""


async def all_is_sent(served: Served, email: str) -> None:
    """Whatever is to be mailed to this address was; what is still to be mailed waits in a queue."""
    waiting = """
        select 1 from procrastinate_jobs where status in ('todo', 'doing')
        and (task_name = %s or lower(args->>'recipient') = %s)
    """
    with psycopg.connect(served.database, autocommit=True) as connection:
        async with asyncio.timeout(20):
            while connection.execute(waiting, (TELLING, email)).fetchone():
                await asyncio.sleep(0.1)


def opened(served: Served) -> None:
    """The doors, so that whoever comes finds them open."""
    on_the_doors(served, "insert into opened_doors (id, opened_at) values (1, now())")


@pytest.fixture
def shut_again(served: Served) -> Iterator[None]:
    """Whoever comes after the test finds the waitlist."""
    yield
    on_the_doors(served, "delete from opened_doors")


def on_the_doors(served: Served, statement: str) -> None:
    with psycopg.connect(served.database, autocommit=True) as connection:
        connection.execute(statement)
    time.sleep(FRESH_FOR_SECONDS)


async def confirmed(visitor: Visitor, served: Served, email: str) -> Waiting:
    return await stands_in_line(visitor, served.letters.link_to(email))


async def at_the_link(visitor: Visitor, served: Served, email: str = "") -> Waiting:
    """Of the mail to somebody who has joined while nobody looked."""
    async with beside(served):
        entry = await somebody_waits(email, is_confirmed=False, at=utc_now())
        link = links.to_confirm(entry.id, entry.asked_at)
    return await stands_in_line(visitor, link)


async def stands_in_line(visitor: Visitor, link: str) -> Waiting:
    waiting = Waiting(await visitor.open(link.removeprefix(visitor.url)))
    await expect(waiting.heading("waitlist.title")).to_be_visible()
    return waiting


async def test_a_friend_moves_ahead_whoever_sent_them(come: Come, served: Served):
    async with beside(served):
        for _ in range(3):
            await somebody_waits(at=utc_now())
    maja, email = await come(), an_email("maja")
    front = Front(await maja.open("/"))
    await front.join(email)
    await front.has_joined()
    await expect(front.text(front.says["waitlist.each_friend"])).to_be_visible()
    waiting = await confirmed(maja, served, email)
    place, _ = await waiting.place()
    assert place >= 4
    await expect(waiting.text(waiting.says["waitlist.no_friends"])).to_be_visible()

    link = await waiting.own_link()
    friend, friends_email = await come(), an_email("friend")
    there = Front(await friend.open(link.removeprefix(maja.url)))
    await there.choose_language("sv")
    await there.join(friends_email)
    await there.has_joined()
    await maja.page.reload()
    assert (await waiting.place())[0] == place

    await friend.open(served.letters.link_to(friends_email).removeprefix(friend.url))
    await expect(friend.page.get_by_role("heading", name="Du står på listan")).to_be_visible()
    await maja.page.reload()
    await expect(
        waiting.text(waiting.says["waitlist.friends_one"].replace("{{shown}}", "1"))
    ).to_be_visible()
    assert (await waiting.place())[0] < place


async def test_what_was_typed_stays_when_it_is_refused(come: Come, served: Served):
    visitor, email = await come(), an_email("maja")
    front = Front(await visitor.open("/"))
    for typed in ("maja", ""):
        await front.join(typed)
        await front.sees_toast("Invalid email address", "Please enter a valid email address")
        await expect(front.note).to_have_text("Please enter a valid email address")
        await expect(front.email).to_have_value(typed)
        await expect(front.email).to_have_attribute("aria-invalid", "true")
    await front.join(email)
    await front.has_joined()
    await asyncio.to_thread(served.letters.link_to, email)

    again = Front(await (await come()).open("/"))
    await again.join(email.upper())
    await again.sees_toast("Email already registered", "You've already signed up!")
    await expect(again.note).to_have_text("You've already signed up!")
    await expect(again.email).to_have_value(email.upper())
    await all_is_sent(served, email)
    assert len(served.letters.to(email)) == 1
    assert served.letters.to(email.upper()) == []


async def test_an_address_that_was_mistyped_is_put_right(come: Come, served: Served):
    visitor, mistyped, meant = await come(), an_email("maya"), an_email("maja")
    front = Front(await visitor.open("/"))
    await front.join(mistyped)
    await front.has_joined()
    await expect(front.main).to_contain_text(f"We sent a mail to {mistyped}:")
    await visitor.page.reload()
    await front.has_joined()

    await tab_to(visitor.page, front.button("landing.use_another"))
    await visitor.page.keyboard.press("Enter")
    await expect(front.email).to_be_focused()
    await expect(front.email).to_have_value(mistyped)
    await front.email.fill(meant)
    await visitor.page.keyboard.press("Enter")

    await front.has_joined()
    await expect(front.main).to_contain_text(f"We sent a mail to {meant}:")
    await asyncio.to_thread(served.letters.link_to, meant)


async def test_it_works_by_keyboard_alone(come: Come):
    visitor = await come()
    front = Front(await visitor.open("/"))
    await tab_to(visitor.page, front.email)
    await expect(front.email).to_have_attribute("autocomplete", "email")
    await visitor.page.keyboard.type(an_email("maja"))
    await visitor.page.keyboard.press("Enter")
    await front.has_joined()


async def test_sent_before_it_is_alive_nothing_leaves_the_page(come: Come):
    visitor = await come(java_script_enabled=False)
    await visitor.page.goto("/")
    field = visitor.page.locator("#waitlist-email")
    await field.fill("maja@example.com")
    await field.press("Enter")
    assert "maja" not in visitor.page.url
    await expect(field).to_have_value("maja@example.com")


@VIEWPORTS
@pytest.mark.parametrize("language", CODES)
async def test_nothing_moves_and_nothing_is_cut_in_any_language(
    come: Come, language: str, viewport: dict[str, int]
):
    visitor = await come(viewport=viewport)
    front = Front(await visitor.open(address_of(language)), language)
    below = front.link("landing.join")
    features = front.page.get_by_role("heading", name=front.says["landing.watch_title"])
    await expect(
        front.page.locator("dl, p", has_text=front.says["landing.no_figures"])
        .or_(front.page.locator("dl"))
        .first
    ).to_be_visible()
    # Letters of a font that has just come are wider: that is no answer of ours.
    await front.page.evaluate("document.fonts.ready")
    await front.page.evaluate(SHIFTS)
    before = [await below.bounding_box(), await features.bounding_box()]
    await front.join("maja")
    await expect(front.note).to_have_text(front.says["errors.joining.invalid_email"])
    assert [await below.bounding_box(), await features.bounding_box()] == before
    assert await front.page.evaluate(SPILLED) == []
    await front.join(an_email("maja"))
    await front.has_joined()
    assert [await below.bounding_box(), await features.bounding_box()] == before
    assert await front.page.evaluate(SPILLED) == []
    # What trembles by less than a pixel is no move.
    assert await front.page.evaluate("window.shifted") < 0.001
    assert not re.search(r"\b(landing|waitlist|errors)\.\w+", await said_on(front.page))


@VIEWPORTS
@pytest.mark.usefixtures("shut_again")
async def test_once_the_doors_are_open_the_way_in_stands_in_the_forms_place(
    come: Come, served: Served, viewport: dict[str, int]
):
    early, visitor = await come(viewport=viewport), await come(viewport=viewport)
    before = {one: await places(await at_the_front(early, one)) for one in CODES}
    await asyncio.to_thread(opened, served)
    for language in CODES:
        front = await at_the_front(visitor, language)
        await expect(front.heading("waitlist.opened_title"), language).to_be_visible()
        await expect(front.email).to_have_count(0)
        assert await places(front) == before[language], language
        assert await front.page.evaluate(SPILLED) == [], language
        assert front.says["landing.waitlist_note"] not in await said_on(front.page)
    await front.link("landing.join").click()
    await expect(front.page).to_have_url(f"{visitor.url}/auth?mode=signup")


async def at_the_front(visitor: Visitor, language: str) -> Front:
    front = Front(await visitor.open(address_of(language)), language)
    figures = front.page.locator("dl").or_(front.text(front.says["landing.no_figures"]))
    await expect(figures.first).to_be_visible()
    await front.page.evaluate("document.fonts.ready")
    return front


async def places(front: Front) -> object:
    features = front.page.get_by_role("heading", name=front.says["landing.watch_title"])
    return await features.bounding_box(), await front.link("landing.for_companies").bounding_box()


async def said_on(page: Page) -> str:
    return await page.locator("body").inner_text()


async def test_the_page_of_the_link_speaks_every_language(come: Come, served: Served):
    email = an_email("maja")
    waiting = await at_the_link(await come(), served, email)
    for stage in ("title", "opened_title"):
        for language in CODES:
            await waiting.choose_language(language)
            await expect(waiting.heading(f"waitlist.{stage}"), language).to_be_visible()
            said = await said_on(waiting.page)
            assert not re.search(r"\b(waitlist|errors)\.\w+", said), language
            for width in (360, 768, 1440):
                await waiting.page.set_viewport_size({"width": width, "height": 900})
                assert await waiting.page.evaluate(SPILLED) == [], f"{language} at {width}"
        is_told(served, email)
        await waiting.page.reload()


async def test_who_was_told_that_the_doors_are_open_is_led_in(come: Come, served: Served):
    visitor = await come()
    waiting = await told_that_the_doors_are_open(visitor, served)
    await waiting.page.reload()
    await expect(waiting.heading("waitlist.opened_title")).to_be_visible()
    await expect(waiting.page.get_by_text(PLACE)).to_be_hidden()
    await waiting.link("waitlist.opened_action").click()
    await expect(waiting.page).to_have_url(f"{visitor.url}/auth?mode=signup")


async def test_who_has_come_in_since_is_led_home(come: Come, served: Served, maja: Person):
    visitor = await come()
    waiting = await told_that_the_doors_are_open(visitor, served)
    await visitor.comes_with(maja.session)
    await waiting.page.reload()
    await expect(waiting.heading("waitlist.opened_title")).to_be_visible()
    await expect(waiting.link("waitlist.opened_action")).to_have_count(0)
    await waiting.link("waitlist.to_home").click()
    await expect(waiting.page).to_have_url(f"{visitor.url}/")


async def told_that_the_doors_are_open(visitor: Visitor, served: Served) -> Waiting:
    email = an_email("maja")
    waiting = await at_the_link(visitor, served, email)
    is_told(served, email)
    return waiting


def is_told(served: Served, email: str) -> None:
    """Their letter that the doors are open has left."""
    told = "update waitlist set notified = true, notified_at = now() where email = %s"
    with psycopg.connect(served.database, autocommit=True) as connection:
        connection.execute(told, (email,))


async def test_a_bad_link_leads_back_to_the_form(come: Come):
    visitor = await come()
    waiting = Waiting(await visitor.open("/waitlist?token=made-up"))
    await expect(waiting.heading("waitlist.over_title")).to_be_visible()
    await waiting.link("waitlist.to_form").click()
    await expect(Front(visitor.page).email).to_be_visible()


async def test_the_own_link_is_copied_and_shared_where_that_is_possible(come: Come, served: Served):
    visitor = await come(permissions=["clipboard-read", "clipboard-write"])
    await visitor.context.add_init_script(
        "navigator.share = async (what) => { window.shared = what; }"
    )
    waiting = await at_the_link(visitor, served)
    link = await waiting.own_link()
    assert re.fullmatch(rf"{re.escape(visitor.url)}/\?friend=[2-9a-z]{{10}}", link)
    await waiting.button("waitlist.copy_link").click()
    assert await waiting.page.evaluate("navigator.clipboard.readText()") == link
    await waiting.button("waitlist.share").click()
    assert (await waiting.page.evaluate("window.shared"))["url"] == link


@VIEWPORTS
@pytest.mark.usefixtures("shut_again")
async def test_axe_finds_nothing_once_the_doors_are_open(
    come: Come, served: Served, viewport: dict[str, int]
):
    await asyncio.to_thread(opened, served)
    visitor = await one_following_the_system(come, viewport=viewport)
    front = Front(await visitor.open("/"))
    await expect(front.heading("waitlist.opened_title")).to_be_visible()
    await has_no_violations(front.page)
    await tab_to(visitor.page, front.link("landing.join"))


@VIEWPORTS
async def test_axe_finds_nothing(come: Come, served: Served, viewport: dict[str, int]):
    visitor = await one_following_the_system(come, viewport=viewport)
    front = Front(await visitor.open("/"))
    await front.join("maja")
    await expect(front.note).to_have_text("Please enter a valid email address")
    await has_no_violations(front.page)
    await front.join(email := an_email("maja"))
    await front.has_joined()
    await has_no_violations(front.page)
    waiting = await confirmed(visitor, served, email)
    await has_no_violations(waiting.page)
    await visitor.open("/waitlist")
    await expect(waiting.heading("waitlist.over_title")).to_be_visible()
    await has_no_violations(waiting.page)


async def test_a_member_may_open_the_link_too(come: Come, served: Served, maja: Person):
    visitor = await come()
    await visitor.comes_with(maja.session)
    await at_the_link(visitor, served)


async def test_a_member_with_a_bad_link_is_led_home_and_not_to_the_form(come: Come, maja: Person):
    member = await come()
    await member.comes_with(maja.session)
    waiting = Waiting(await member.open("/waitlist?token=made-up"))
    await expect(waiting.heading("waitlist.over_title")).to_be_visible()
    await expect(waiting.link("waitlist.to_form")).to_have_count(0)
    await waiting.link("waitlist.to_home").click()
    await member.page.wait_for_url(f"{member.url}/")


@pytest.mark.usefixtures("shut_again")
async def test_an_admin_sends_the_letter_that_the_doors_are_open(
    come: Come, served: Served, a_person: MakePerson
):
    front = Front(await (await come()).open("/"))
    await expect(front.note).to_have_text(front.says["landing.waitlist_note"])
    told, silent = (f"{name}-{new_id().hex[-8:]}@example.com" for name in ("told", "silent"))
    linnea = await a_person(Role.ADMIN, name="Linnea")
    await somebody_waits(told, at=utc_now())
    await somebody_waits(silent, is_confirmed=False, at=utc_now())
    visitor = await come()
    await visitor.comes_with(linnea.session)
    page = await visitor.open("/admin/waitlist")
    await expect(page.get_by_role("row").filter(has_text=silent)).to_contain_text("Obekräftad")
    await expect(page.get_by_role("link", name="Exportera CSV")).to_have_accessible_description(
        "Obekräftade adresser är inte med i filen och kan inte markeras som notifierade."
    )
    await page.get_by_role("button", name="Skicka öppningsmejl").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Mottagare:")
    await expect(dialog).to_contain_text("Startsidan säger sedan att dörrarna är öppna")
    await dialog.get_by_role("button", name="Avbryt").click()
    await expect(dialog).to_be_hidden()
    await page.get_by_role("button", name="Skicka öppningsmejl").click()
    await dialog.get_by_role("button", name="Skicka öppningsmejl").click()
    await Screen(page).sees_toast("Mejlen skickas")
    await expect(page.get_by_role("button", name=f"Notifierad: {told}")).to_be_visible()
    await expect(page.get_by_text("Att meddela: 0")).to_be_visible()
    assert "/auth?mode=signup" in await asyncio.to_thread(served.letters.link_to, told)
    await all_is_sent(served, silent)
    assert served.letters.to(silent) == []
    await front.join(late := an_email("late"))
    await expect(front.heading("waitlist.opened_title")).to_be_visible()
    await expect(front.email).to_have_count(0)
    assert served.letters.to(late) == []


@VIEWPORTS
async def test_axe_finds_nothing_on_the_admins_list(
    come: Come, a_person: MakePerson, viewport: dict[str, int]
):
    await somebody_waits(at=utc_now())
    await somebody_waits(is_confirmed=False, at=utc_now())
    visitor = await one_following_the_system(come, viewport=viewport)
    await visitor.comes_with((await a_person(Role.ADMIN, name="Linnea")).session)
    page = await visitor.open("/admin/waitlist")
    await expect(page.get_by_text("Obekräftad", exact=True).first).to_be_visible()
    await has_no_violations(page)
    await page.get_by_role("button", name="Skicka öppningsmejl").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await has_no_violations(page)
