"""Everybody can use it: what axe checks on every screen, and a keyboard instead of a mouse."""

from typing import Any, Literal

import pytest
from axe_playwright_python.async_playwright import DEFAULT_OPTIONS
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.async_api import Page, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.admin import tabs as admin_tabs
from rewards_app.features.advertiser import tabs as company_tabs
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.models import AdvertiserMember
from tests.ads import an_advertiser
from tests.browser.buying import a_rich, bought, in_the_shop
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person, an_email
from tests.browser.desks import something_waits
from tests.browser.pages import AgePrompt, Auth, CookieBanner, Home, Orders, Screen, tab_to
from tests.browser.stillness import comes_to_rest
from tests.shop import stock

# The badge of the framework's free edition is not ours to change.
EVERYTHING = {"exclude": [["a[href^='https://reflex.dev']"]]}
ABOUT_COLOURS = {
    "runOnly": {"type": "tag", "values": ["cat.color"]},
    # Named by a tag, it would come, too: AAA, which axe leaves out by itself.
    "rules": {"color-contrast-enhanced": {"enabled": False}},
}
SHARED = ["/settings", "/security", "/gdpr", "/support"]
AT_WORK = {
    Role.ADMIN: [f"/admin?tab={tab.key}" for tab in admin_tabs.TABS]
    + ["/admin/waitlist", "/advertiser", "/campaigns", "/analytics", "/security", "/gdpr"],
    Role.COMPANY: [f"/advertiser?tab={tab.key}" for tab in company_tabs.TABS]
    + ["/campaigns", "/analytics", *SHARED],
    Role.MODERATOR: ["/forum/moderation", *SHARED],
}
FOR_VISITORS = ["/landing", "/auth?mode=login", "/auth", "/auth?type=company", "/auth?mode=forgot"]


async def has_no_violations(page: Page, *sizes: dict[str, int]) -> None:
    """In both themes: the page follows the system, and the system changes its mind. At each of
    these sizes, of which the last one stays; or as it is.

    Colours are all in which the themes differ, as a house rule says: in the second one nothing but
    the rules about them can find anything new.
    """
    found = []
    for size in sizes or [None]:
        if size:
            await page.set_viewport_size(size)
        found += [await _violations(page, "dark", DEFAULT_OPTIONS)]
        found += [await _violations(page, "light", DEFAULT_OPTIONS | ABOUT_COLOURS)]
    assert not any(found), "\n".join(found)


async def _violations(page: Page, scheme: Literal["dark", "light"], rules: dict[str, Any]) -> str:
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await expect(page.locator("html")).to_have_css("color-scheme", scheme)
    if not await page.evaluate("Boolean(window.axe)"):
        await page.evaluate(AXE_SCRIPT)
    told = await page.evaluate("([context, rules]) => axe.run(context, rules)", [EVERYTHING, rules])
    results = AxeResults(told)
    if not results.violations_count:
        return ""
    language, width = await page.evaluate("[document.documentElement.lang, innerWidth]")
    return f"{page.url} ({language}, {scheme}, {width}px): {results.generate_report()}"


async def one_following_the_system(come: Come, **options: object) -> Visitor:
    # Our policy forbids the script that axe brings along.
    return await come(bypass_csp=True, stored={"theme": "system"}, **options)


async def at_work(a_person: MakePerson, role: Role) -> str:
    """The session of somebody of this role who has something to do; a company was let in."""
    person = await a_person(role)
    if role is Role.ADMIN:
        await something_waits(a_person)
    if role is Role.COMPANY:
        company = await an_advertiser("Fjord Audio")
        owner = AdvertiserMember(
            account_id=person.account_id, advertiser_id=company.id, role="owner"
        )
        async with transaction() as session:
            session.add(owner)
    return person.session


class TestAxe:
    async def test_finds_nothing_on_the_screens_of_visitors(self, come: Come):
        """At a desk; test_every_page.py goes through all of them on the phone."""
        visitor = await one_following_the_system(come, viewport=DESK)
        for path in FOR_VISITORS:
            page = await visitor.open(path)
            await expect(page.get_by_role("heading", level=1)).to_be_visible()
            await has_no_violations(page)

    async def test_finds_nothing_on_a_refused_form_and_when_the_mail_was_sent(self, come: Come):
        visitor = await one_following_the_system(come)
        screen = Auth(await visitor.open("/auth?type=company"))
        await screen.sign_up(email := an_email("maja"), "weak")
        await screen.sees_toast("Weak password")
        await has_no_violations(screen.page)
        await screen.sign_up(email)
        await screen.is_sent_to(email)
        await has_no_violations(screen.page)

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.COMPANY, Role.ADMIN])
    async def test_finds_nothing_at_home_and_where_nothing_is(
        self, come: Come, a_person: MakePerson, role: Role
    ):
        visitor = await one_following_the_system(come)
        visitor.bears("status of 404")
        await visitor.comes_with((await a_person(role)).session)
        home = Home(await visitor.open("/"))
        await expect(home.heading_of(role, "Maja")).to_be_visible()
        await has_no_violations(home.page)
        await has_no_violations(await visitor.open("/no-such-page"))

    async def test_finds_nothing_on_a_statement(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/profile/statement"))
        await expect(screen.heading("statement.empty")).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)
        async with transaction() as session:
            await coins.credit(
                session, maja.account_id, 15, Kind.WELCOME, f"w:{maja.account_id}", now=utc_now()
            )
        await visitor.open("/profile/statement")
        await expect(screen.heading("statement.entries")).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)

    async def test_finds_nothing_from_the_shop_to_the_thanks(self, come: Come, maja: Person):
        await stock(1, "vbucks-2800")
        screen = await in_the_shop(
            await one_following_the_system(come, viewport=PHONE), maja, coins=186
        )
        await has_no_violations(screen.page, DESK, PHONE)
        await screen.choose("2,800 V-Bucks")
        payment = await screen.buy_by_card()
        await has_no_violations(payment.page, DESK, PHONE)
        await payment.button("test_payment.decline").click()
        await expect(payment.page.get_by_role("alert")).to_be_visible()
        await has_no_violations(payment.page, DESK, PHONE)
        await has_no_violations(screen.page, DESK, PHONE)
        await payment.pay()
        await Orders(payment.page).thanks_for("2,800 V-Bucks")
        await has_no_violations(payment.page, DESK, PHONE)
        await screen.thanks_for("2,800 V-Bucks")
        await has_no_violations(screen.page, DESK, PHONE)

    async def test_finds_nothing_on_orders(self, come: Come, maja: Person):
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(maja.session)
        screen = Orders(visitor.page)
        await screen.open()
        await expect(screen.heading("orders.empty_title")).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)
        actor = await a_rich(maja, 189)
        await bought(actor, 89)
        order_id = await bought(actor, 100, "vbucks-2800")
        await visitor.open(f"/shop/orders?order={order_id}&came=paid")
        await expect(screen.text(screen.says["orders.confirming"])).to_be_visible()
        await screen.act(screen.row("1,000 V-Bucks"), "orders.show_code").click()
        await expect(screen.code).to_have_attribute("aria-busy", "false")
        await has_no_violations(screen.page, DESK, PHONE)
        await screen.act(screen.row("1,000 V-Bucks"), "orders.wrong").click()
        await expect(screen.problem).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)

    @pytest.mark.parametrize("role", AT_WORK, ids=str)
    async def test_finds_nothing_where_people_work(
        self, come: Come, a_person: MakePerson, role: Role
    ):
        """At rest, with whatever the other tests have left; dialogs are with their own tests."""
        visitor = await one_following_the_system(come)
        await visitor.comes_with(await at_work(a_person, role))
        for path in AT_WORK[role]:
            page = await visitor.open(path)
            await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
            if "?tab=" in path:
                # The stored page shows the tab before.
                here = page.locator(f'a[aria-current=page][href="{path}"]')
                await expect(here.first).to_be_attached()
            assert await comes_to_rest(page)
            await has_no_violations(page)

    async def test_finds_nothing_in_an_open_drawer(self, come: Come, a_person: MakePerson):
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with((await a_person()).session)
        home = Home(await visitor.open("/"))
        await home.button("frame.menu").click()
        await expect(home.drawer).to_be_visible()
        await has_no_violations(home.page)

    @pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
    async def test_finds_nothing_in_the_cookie_banner(self, come: Come, viewport: dict[str, int]):
        visitor = await one_following_the_system(come, viewport=viewport, has_chosen_cookies=False)
        banner = CookieBanner(await visitor.open("/landing"))
        await expect(banner.region).to_be_visible()
        await has_no_violations(banner.page)
        await banner.customize()
        await expect(banner.switch("analytics")).to_be_visible()
        await has_no_violations(banner.page)

    async def test_finds_nothing_in_the_age_prompt(self, come: Come, a_person: MakePerson):
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with((await a_person(born=None)).session)
        prompt = AgePrompt(await visitor.open("/"))
        await expect(prompt.dialog).to_be_visible()
        await has_no_violations(prompt.page, DESK, PHONE)
        for size in (DESK, PHONE):
            await prompt.tell("")
            await prompt.sees_toast("Enter your birth date")
            await has_no_violations(prompt.page, size)

    async def test_finds_nothing_among_the_components(self, come: Come):
        visitor = await one_following_the_system(come)
        await has_no_violations(await visitor.open("/dev/components"))


class TestTheKeyboard:
    async def test_alone_signs_in_from_the_landing_page(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        visitor = await come()
        screen = Auth(await visitor.open("/landing"))
        keyboard = visitor.page.keyboard

        await tab_to(visitor.page, screen.link("frame.sign_in"))
        await keyboard.press("Enter")
        await expect(screen.heading("auth.login")).to_be_visible()
        await tab_to(visitor.page, screen.field("auth.email"))
        await keyboard.type(maja.email)
        await keyboard.press("Tab")
        await keyboard.type(maja.password)
        await keyboard.press("Enter")

        await Home(visitor.page).welcomes("Maja")

    async def test_alone_chooses_cookies_and_goes_on(self, come: Come):
        visitor = await come(has_chosen_cookies=False)
        banner = CookieBanner(await visitor.open("/landing"))
        keyboard = visitor.page.keyboard
        await expect(banner.region).to_be_visible()

        await tab_to(visitor.page, banner.region.locator("summary"))
        await keyboard.press("Enter")
        await tab_to(visitor.page, banner.switch("analytics"))
        await keyboard.press("Space")
        await keyboard.press("Enter")

        await banner.sees_toast("Cookie settings saved")
        await banner.is_gone()
        assert (await banner.stored() or {})["analytics"] is True
        await expect(banner.main).to_be_focused()

    async def test_alone_tells_an_age_or_leaves(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person(born=None)).session)
        prompt = AgePrompt(await visitor.open("/"))
        await expect(prompt.birth_date).to_be_focused()
        await visitor.page.keyboard.press("Escape")
        await visitor.page.keyboard.press("Escape")
        await expect(prompt.dialog).to_be_visible()

        await tab_to(visitor.page, prompt.dialog.get_by_role("button", name="Log out"))
        await visitor.page.keyboard.press("Enter")
        await prompt.is_at("/landing")

    @pytest.mark.parametrize("path", ["/landing", "/auth?mode=login"])
    async def test_skips_to_the_content_first(self, come: Come, path: str):
        visitor = await come()
        screen = Screen(await visitor.open(path))
        heading = screen.page.get_by_role("heading", level=1)
        await expect(heading).to_be_visible()
        before = await heading.text_content()

        await screen.page.keyboard.press("Tab")
        await expect(screen.link("frame.skip")).to_be_focused()
        await expect(screen.link("frame.skip")).to_be_in_viewport()
        await screen.page.keyboard.press("Enter")

        await expect(screen.main).to_be_focused()
        await expect(heading).to_have_text(before or "")
