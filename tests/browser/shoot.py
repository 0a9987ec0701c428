"""Pictures of every screen and state, to be looked at: `python -m tests.browser.shoot [FOLDER]`.

English on a phone and a desk, dark and light; German and Russian in the dark. Not a test.
"""

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Protocol

from playwright.async_api import Browser, expect

os.environ.setdefault("MODE", "development")

from rewards_app.core.clock import utc_now
from tests import people
from tests.beside import beside
from tests.browser.chromium import DESK, PHONE, Visitor, chromium, visitor
from tests.browser.pages import (
    GOOD_PASSWORD,
    AgePrompt,
    Auth,
    CookieBanner,
    Home,
    Shop,
    TestPayment,
    Watch,
)
from tests.serving import Served, serving

SIZES = {"desk": DESK, "phone": PHONE}
LOOKS = [("en", "dark"), ("en", "light"), ("de", "dark"), ("ru", "dark"), ("ru", "light")]


class Shoot(Protocol):
    async def __call__(self, name: str, full: bool = True) -> None: ...


async def strangers(one: Visitor, screen: Auth, shoot: Shoot) -> None:
    """What is there before anybody signs in."""
    await one.open("/landing")
    await shoot("landing")
    for name in ("login", "forgot", "reset&token=x"):
        await one.open(f"/auth?mode={name}")
        await expect(screen.main.get_by_role("heading")).to_be_visible()
        await shoot(f"auth-{name.partition('&')[0]}")
    for kind in ("player", "company", "admin"):
        await one.open(f"/auth?type={kind}")
        await expect(screen.main.get_by_role("heading")).to_be_visible()
        await shoot(f"auth-signup-{kind}")


async def cookies(one: Visitor, banner: CookieBanner, shoot: Shoot) -> None:
    """The banner over pages of every kind, closed and open."""
    for path in ("/landing", "/auth?mode=login"):
        await one.open(path)
        await expect(banner.region).to_be_visible()
        await shoot(f"cookies-{path[1:5]}", full=False)
    await banner.customize()
    await shoot("cookies-custom", full=False)
    await banner.button("consent.save").click()
    await expect(banner.toast).to_be_visible()
    await shoot("cookies-saved", full=False)


async def birthday(one: Visitor, prompt: AgePrompt, shoot: Shoot) -> None:
    """The age prompt from the question to the welcome."""
    await one.open("/")
    await expect(prompt.birth_date).to_be_visible()
    await shoot("age", full=False)
    await prompt.tell("")
    await expect(prompt.toast).to_be_visible()
    await shoot("age-refused", full=False)
    await prompt.tell(people.born_years_ago(14))
    await expect(prompt.yes(14)).to_be_visible()
    await shoot("age-sure", full=False)
    await prompt.yes(14).click()
    await expect(prompt.button("age.understood")).to_be_visible()
    await shoot("age-parents", full=False)
    await prompt.button("age.understood").click()
    await prompt.is_gone()
    await shoot("age-welcome", full=False)


async def people_who_try(one: Visitor, screen: Auth, shoot: Shoot, email: str) -> None:
    """Refusals, waiting and success on the way in."""
    await one.open("/auth?mode=login")
    await screen.sign_in(f"not-{email}", "wrong")
    await expect(screen.toast).to_be_visible()
    await shoot("auth-refused", full=False)
    await one.open("/auth")
    await screen.type_player_details()
    await screen.sign_up(email, "abcdefgh")
    await expect(screen.toast).to_be_visible()
    await shoot("auth-weak", full=False)
    await shoot("auth-weak-whole")
    await screen.sign_up(email)
    await expect(screen.heading("auth.sent_title")).to_be_visible()
    await shoot("auth-sent", full=False)
    await one.open("/auth?mode=login")
    await screen.sign_in(email, GOOD_PASSWORD)
    await expect(screen.heading("auth.unverified_title")).to_be_visible()
    await shoot("auth-unverified")
    await one.open("/auth?mode=verify&token=made-up")
    await expect(screen.heading("auth.verify_failed_title")).to_be_visible()
    await shoot("auth-verify-failed", full=False)


async def at_home(one: Visitor, screen: Home, shoot: Shoot, role: str) -> None:
    await expect(screen.main.get_by_role("definition").first).to_be_visible()
    await shoot(f"home-{role}")
    if role in ("company", "admin"):
        await measuring(one, shoot, role)
    if role == "admin":
        await administering(one, shoot)
    if role == "player":
        await one.open("/profile/statement")
        await expect(screen.main.get_by_role("definition").first).to_be_visible()
        await shoot("statement")
        watch = Watch(one.page)
        watch.says = screen.says
        await watching(one, watch, shoot)
        shop = Shop(one.page)
        shop.says = screen.says
        await shopping(one, shop, shoot)
        await one.open("/no-such-page")
        await shoot("not-found")
        await one.open("/")
        if await screen.button("frame.menu").is_visible():
            await screen.button("frame.menu").click()
            await shoot("drawer", full=False)


async def measuring(one: Visitor, shoot: Shoot, role: str) -> None:
    """The figures of a month and of a year, a day under the pointer, and all days as a table."""
    for period in ("1y", "30d"):
        await one.open(f"/analytics?period={period}")
        chart = one.page.locator(".chart svg").first
        await expect(chart).to_be_visible()
        await shoot(f"analytics-{period}-{role}")
    await chart.hover()
    await one.page.locator("summary").click()
    await shoot(f"analytics-table-{role}")


async def administering(one: Visitor, shoot: Shoot) -> None:
    """The orders, one that could be refunded, and the stock with a sheet that is refused."""
    await one.open("/admin?tab=orders")
    rows = one.page.get_by_role("table").locator("tbody").get_by_role("button")
    await expect(rows.first).to_be_visible()
    await shoot("admin-orders")
    await rows.last.click()
    reason = one.page.locator("#order textarea")
    await expect(reason).to_be_visible()
    await shoot("admin-order", full=False)
    await reason.scroll_into_view_if_needed()
    await shoot("admin-refund", full=False)
    await one.open("/admin?tab=stock")
    await one.page.locator("textarea[name=sheet]").fill("package,code\nnothing,AAAA-1111")
    await one.page.locator("form:has(textarea) button[type=submit]").click()
    await expect(one.page.get_by_role("alert").get_by_role("list")).to_be_visible()
    await shoot("admin-stock")


async def watching(one: Visitor, watch: Watch, shoot: Shoot) -> None:
    """The ads, one that runs, its reward, and a report."""
    await watch.open()
    await shoot("watch")
    await watch.ads.nth(PING_8_MS).click()
    await expect(watch.progress).to_be_visible()
    await shoot("watch-player", full=False)
    await one.page.emulate_media(reduced_motion="no-preference")
    await watch.is_rewarded(5)
    await shoot("watch-reward", full=False)
    await one.page.emulate_media(reduced_motion="reduce")
    await watch.is_closed()
    await watch.flag("Drift One").click()
    await expect(watch.report).to_be_visible()
    await shoot("watch-report", full=False)


async def shopping(one: Visitor, shop: Shop, shoot: Shoot) -> None:
    """The shop, a purchase by card in its two tabs, a declined card, and the orders."""
    await shop.open()
    await shoot("shop")
    await shoot("shop-top", full=False)
    await shop.packages.nth(2).get_by_role("radio").check()
    await shop.slider.press("Home")
    async with one.context.expect_page() as opening:
        await shop.purchase.click()
    payment = TestPayment(await opening.value)
    payment.says = shop.says
    await payment.is_ready()
    await shoot("shop-opened", full=False)
    shop.page, one.page = one.page, payment.page
    await payment.button("test_payment.decline").click()
    await expect(payment.page.get_by_role("alert")).to_be_visible()
    await shoot("test-payment")
    await payment.main.get_by_role("button").first.click()
    await expect(payment.page.get_by_role("group", name=shop.says["shop.code"])).to_be_visible()
    await shoot("orders-paid")
    await payment.page.close()
    one.page = shop.page
    await expect(shop.code).to_be_visible()
    await shoot("shop-done", full=False)
    await one.open("/shop/test-payment?checkout=unknown")
    await expect(shop.heading("test_payment.over_title")).to_be_visible()
    await shoot("test-payment-over")


PING_8_MS = 7
"""The shortest of the demo's ads, by its place."""


async def one_look(
    browser: Browser, served: Served, folder: Path, size: str, language: str, theme: str
) -> None:
    stored = {"language": language, "theme": theme}

    def shooting(one: Visitor) -> Shoot:
        async def shoot(name: str, full: bool = True) -> None:
            await one.page.wait_for_timeout(400)
            file = folder / f"{name}-{size}-{language}-{theme}.png"
            await one.page.screenshot(path=file, full_page=full)

        return shoot

    async with visitor(browser, served.url, viewport=SIZES[size], stored=stored) as one:
        await strangers(one, Auth(one.page, language), shooting(one))
        email = f"maja-{size}-{language}-{theme}@example.com"
        await people_who_try(one, Auth(one.page, language), shooting(one), email)
    async with visitor(
        browser, served.url, viewport=SIZES[size], stored=stored, has_chosen_cookies=False
    ) as one:
        await cookies(one, CookieBanner(one.page, language), shooting(one))
    async with visitor(browser, served.url, viewport=SIZES[size], stored=stored) as one:
        born_unknown = f"teen-{size}-{language}-{theme}@example.com"
        await one.comes_with(await unverified(served, born_unknown))
        await birthday(one, AgePrompt(one.page, language), shooting(one))
    for role in ("player", "company", "admin"):
        async with visitor(browser, served.url, viewport=SIZES[size], stored=stored) as one:
            account = served.accounts[role]
            await one.open("/auth?mode=login")
            await Auth(one.page, language).sign_in(account["email"], account["password"])
            await at_home(one, Home(one.page, language), shooting(one), role)
    if language == "en" and theme == "dark":
        async with visitor(browser, served.url, viewport=SIZES[size], stored=stored) as one:
            await one.open("/dev/components")
            await shooting(one)("components")
            await one.context.route_web_socket(re.compile("/_event"), lambda _: None)
            await one.page.goto("/")
            await shooting(one)("loading", full=False)
            await one.page.goto("/auth?mode=login")
            await shooting(one)("auth-opening", full=False)


async def unverified(served: Served, email: str) -> str:
    """The session of somebody who has not told their age."""
    async with beside(served):
        account = await people.an_account(email, born=None, now=utc_now())
        return await people.signed_in(account.id, people.a_browser(), now=utc_now())


async def main(folder: Path) -> None:
    with serving(Path(tempfile.mkdtemp(prefix="rewards-shoot-"))) as served:
        async with chromium() as browser:
            for size in SIZES:
                for language, theme in LOOKS:
                    await one_look(browser, served, folder, size, language, theme)
    print(folder)


if __name__ == "__main__":
    target = Path(
        sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="rewards-pictures-")
    )
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(target))
