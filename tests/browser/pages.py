"""The screens as people use them: by what they read there, in the language they chose."""

import json
import re
from collections.abc import AsyncIterator, Iterable

from playwright.async_api import Locator, Page, expect

from rewards_app.core.actor import Role
from rewards_app.features.support.rules import SHORTEST_APPEAL
from rewards_app.i18n.catalogues import interface
from tests.browser.chromium import becomes_true

GOOD_PASSWORD = "Brave-Lynx42-sings"
HIDE = """isHidden => {
  const say = (name, value) =>
    Object.defineProperty(document, name, { configurable: true, get: () => value });
  say("hidden", isHidden);
  say("visibilityState", isHidden ? "hidden" : "visible");
  document.dispatchEvent(new Event("visibilitychange"));
}"""
PURCHASES = ("shop.purchase_for", "shop.purchase_with_coins_other", "shop.sold_out")


class Screen:
    """What every screen has: bars, menus, toasts."""

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page = page
        self.language = language
        self.says = interface(language)

    def text(self, words: str) -> Locator:
        return self.page.get_by_text(words, exact=True).filter(visible=True)

    def heading(self, key: str) -> Locator:
        return self.page.get_by_role("heading", name=self.says[key], exact=True)

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=self.says[key], exact=True)

    def link(self, key: str) -> Locator:
        return self.page.get_by_role("link", name=self.says[key], exact=True)

    def field(self, key: str) -> Locator:
        return self.page.get_by_label(self.says[key], exact=True)

    @property
    def bars(self) -> Locator:
        return self.page.get_by_role("banner").first

    @property
    def body(self) -> Locator:
        """It stays whatever its page becomes; `main` may be another one then."""
        return self.page.locator("body")

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    @property
    def toast(self) -> Locator:
        return self.page.locator("[data-sonner-toast][data-visible=true]:not([data-removed=true])")

    async def choose_language(self, code: str) -> None:
        await self.field("frame.language").select_option(code)
        await self._is_in(code)
        self.language, self.says = code, interface(code)

    async def in_each_of(self, languages: Iterable[str]) -> AsyncIterator[str]:
        """The open page in one language after the other; the one that it is in comes first."""
        await self._is_in(self.language)
        for code in sorted(languages, key=lambda code: code != self.language):
            if code != self.language:
                await self.choose_language(code)
            await self.page.evaluate("document.fonts.ready.then(() => {})")
            yield code

    async def _is_in(self, language: str) -> None:
        await expect(self.page.locator("html")).to_have_attribute("lang", language)

    async def choose_theme(self, theme: str) -> None:
        await self.field("frame.theme").filter(visible=True).select_option(theme)

    async def is_at(self, path: str) -> None:
        address = re.compile(rf"^https?://[^/]+{re.escape(path.rstrip('/'))}/?$")
        await expect(self.page).to_have_url(address)

    async def has_coins(self, count: int) -> None:
        """As the bar says, in which another number stands right before this one."""
        balance = f"{count} {self.says['ui.coins_other']}"
        await expect(self.bars.get_by_role("link", name=balance, exact=True)).to_be_visible()

    async def sees_toast(self, title: str, text: str | None = None) -> None:
        await expect(self.toast).to_contain_text(title)
        if text:
            await expect(self.toast).to_contain_text(text)

    async def says_it_is_too_short(self, field: Locator, *, least: int = SHORTEST_APPEAL) -> None:
        """Beside the message, in the language of the page, also to who does not see it."""
        form = "one" if least == 1 else "other"
        words = self.says[f"errors.support.message_too_short_{form}"]
        words = words.replace("{{count}}", str(least))
        await expect(field).to_have_attribute("aria-invalid", "true")
        await expect(field).to_have_accessible_description(re.compile(f"^{re.escape(words)}"))

    async def hide(self, *, is_hidden: bool) -> None:
        """The tab goes behind another one, or comes back: headless browsers show all of them."""
        await self.page.evaluate(HIDE, is_hidden)


class Auth(Screen):
    """The auth screen in all its modes."""

    async def sign_in(self, email: str, password: str) -> None:
        await self.field("auth.email").fill(email)
        await self.field("auth.password").fill(password)
        await self.button("auth.sign_in").click()

    async def type_player_details(self, name: str = "Maja") -> None:
        await self.field("auth.name").fill(name)
        await self.field("auth.phone_country").select_option("SE")
        await self.field("auth.phone").fill("070-174 06 05")
        await self.field("auth.age").fill("21")
        await self.field("auth.gender").select_option("Female")
        await self.field("auth.country").select_option("SE")

    async def sign_up(self, email: str, password: str = GOOD_PASSWORD) -> None:
        """Email, password and the button; a player's details are typed before."""
        await self.field("auth.email").fill(email)
        await self.field("auth.password").fill(password)
        await self.button("auth.create_account").click()

    async def names_of_fields(self) -> list[str]:
        await expect(self.button("auth.create_account")).to_be_visible()
        return await self.main.locator("input, select").evaluate_all(
            "fields => fields.map(field => field.name)"
        )

    async def open_sign_in(self) -> None:
        await self.link("auth.to_sign_in").click()

    async def choose_new_password(self, password: str) -> None:
        await self.field("auth.new_password").fill(password)
        await self.button("auth.save_password").click()

    async def is_sent_to(self, email: str) -> None:
        await expect(self.heading("auth.sent_title")).to_be_visible()
        await expect(self.page.get_by_text(email)).to_be_visible()

    async def follows(self, link: str) -> None:
        """Open a mailed link and read that it worked."""
        await self.page.goto(link)
        await expect(self.heading("auth.verified_title")).to_be_visible()


class Home(Screen):
    """Home of whoever is signed in."""

    async def welcomes(self, name: str) -> None:
        await expect(self.page.get_by_role("heading", level=1)).to_have_text(
            self.says["home.welcome"].replace("{{name}}", name)
        )

    @property
    def drawer(self) -> Locator:
        return self.page.get_by_role("dialog", name=self.says["frame.menu"])

    async def sign_out(self) -> None:
        """Until the document is there that the session ends with: the page may be there before."""
        await self.page.evaluate("window.isSignedIn = true")
        await self.button("frame.log_out").filter(visible=True).click()
        await becomes_true(self.page, "!window.isSignedIn")
        await self.is_at("/landing")

    def heading_of(self, role: Role, name: str) -> Locator:
        """What the home of this role begins with."""
        words = "Overview" if role is Role.ADMIN else f"Welcome, {name}!"
        return self.page.get_by_role("heading", name=words, exact=True)


class AgePrompt(Screen):
    """The question that stands before everything else."""

    @property
    def dialog(self) -> Locator:
        return self.page.locator("#age-prompt")

    @property
    def birth_date(self) -> Locator:
        return self.field("age.birth_date")

    async def tell(self, birth_date: str) -> None:
        await self.birth_date.fill(birth_date)
        await self.button("age.verify").click()

    def yes(self, years: int) -> Locator:
        """Asked of whoever is not grown up by what they typed."""
        words = self.says["age.right"].replace("{{years}}", str(years))
        return self.dialog.get_by_role("button", name=words, exact=True)

    async def is_gone(self) -> None:
        await expect(self.dialog).to_be_hidden()

    async def answer(self, birth_date: str = "1998-05-17") -> None:
        """Say when somebody grown up was born, and go on."""
        await self.tell(birth_date)
        await self.is_gone()


class CookieBanner(Screen):
    """The question about cookies, and what the browser keeps of the answer."""

    @property
    def region(self) -> Locator:
        return self.page.get_by_role("region", name=self.says["consent.title"], exact=True)

    def switch(self, name: str) -> Locator:
        return self.page.get_by_role("switch", name=self.says[f"consent.{name}"], exact=True)

    async def customize(self) -> None:
        await self.region.get_by_text(self.says["consent.customize"], exact=True).click()

    async def stored(self) -> dict[str, bool] | None:
        return await self.page.evaluate("JSON.parse(localStorage.getItem('cookie-consent'))")

    async def is_gone(self) -> None:
        await expect(self.region).to_be_hidden()


REWARDS = """completed => {
  if (window.rewardsSeen) return window.rewardsSeen;
  const seen = (window.rewardsSeen = []);
  let wasShown = false;
  const look = () => {
    const player = document.querySelector("#ad-player");
    const isShown = Boolean(player?.checkVisibility() && player.textContent.includes(completed));
    if (isShown && !wasShown) seen.push("");
    if (isShown && seen.length) seen[seen.length - 1] = player.textContent;
    wasShown = isShown;
  };
  const all = { attributes: true, characterData: true, childList: true, subtree: true };
  new MutationObserver(look).observe(document, all);
  look();
  return seen;
}"""


HIDDEN_SOON = f"""() => new MutationObserver((_, observer) => {{
  if (!document.querySelector("#ad-player [role=progressbar]")?.checkVisibility()) return;
  observer.disconnect();
  setTimeout({HIDE}, 500, true);
}}).observe(document, {{ attributes: true, childList: true, subtree: true }})"""
"""By the page's own clock: however slow this machine is, the ad is not over before."""


class Watch(Screen):
    """The watch page: figures, ads, the player, the report."""

    async def open(self) -> None:
        await self.page.goto("/watch")
        await self.is_ready()

    async def is_ready(self) -> None:
        await expect(self.ads.first).to_be_visible()

    @property
    def ads(self) -> Locator:
        return self.main.locator("button[data-ad]")

    @property
    def player(self) -> Locator:
        return self.page.locator("#ad-player")

    @property
    def progress(self) -> Locator:
        return self.player.get_by_role("progressbar")

    @property
    def report(self) -> Locator:
        return self.page.locator("#ad-report")

    @property
    def outcomes(self) -> Locator:
        return self.page.locator("#credited li")

    def ad(self, title: str) -> Locator:
        """The first of the ad's three buttons."""
        name = f"{self.says['watch.watch']} {title}"
        return self.main.get_by_role("button", name=name, exact=True).first

    def flag(self, title: str) -> Locator:
        name = self.says["watch.report_title"].replace("{{title}}", title)
        return self.main.get_by_role("button", name=name, exact=True).first

    def figure(self, key: str) -> Locator:
        """A tile, by its label."""
        return self.main.locator("div").filter(has_text=self.says[key]).last.locator("..")

    async def start(self, title: str) -> None:
        await self.page.evaluate(f"{self._rewards}.length = 0")
        await self.ad(title).click()
        await expect(self.progress).to_be_visible()

    async def start_and_hide(self, title: str) -> None:
        """It is seen for half a second."""
        await self.page.evaluate(HIDDEN_SOON)
        await self.start(title)
        await expect(self.player).to_contain_text("Paused")

    async def length(self) -> float:
        """How much of the bar is filled, once the frame that is being painted has been."""
        return await self.progress.locator("div").evaluate(
            """bar => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(
              () => seen(new DOMMatrix(getComputedStyle(bar).transform).a))))"""
        )

    async def is_rewarded(self, coins: int = 15, *, within: float = 15) -> None:
        """The page remembers it: the player closes three seconds later."""
        seen = f"{self._rewards}.some((words) => words.includes('+{coins}'))"
        await becomes_true(self.page, seen, within=within)
        await self.page.evaluate(f"{self._rewards}.length = 0")

    @property
    def _rewards(self) -> str:
        """What was read in the player with each reward since it was last asked for."""
        return f"({REWARDS})({json.dumps(self.says['watch.completed'])})"

    async def is_closed(self, *, within: float = 10) -> None:
        await expect(self.player).to_be_hidden(timeout=1000 * within)

    async def reward_is_shown_for(self) -> tuple[float, int, float]:
        """Seconds from the coins until the page asks for its player's end, by its own clock; how
        many of them fly, and for how many milliseconds."""
        seconds, coins, lasts = await self.page.evaluate(
            """completed => new Promise((tell) => {
              let rewarded, closing, coins = 0, lasts = 0;
              const { send } = WebSocket.prototype;
              WebSocket.prototype.send = function (words) {
                if (String(words).includes("watch_state.close")) closing ??= performance.now();
                return send.call(this, words);
              };
              new MutationObserver((_, observer) => {
                const player = document.querySelector("#ad-player");
                const isOpen = player?.checkVisibility() ?? false;
                if (isOpen && player.textContent.includes(completed))
                  rewarded ??= performance.now();
                const flying = [...player?.querySelectorAll(".burst > .coin") ?? []];
                coins = Math.max(coins, flying.length);
                const falls = flying.flatMap((coin) => coin.getAnimations());
                const ends = falls.map((fall) => fall.effect.getComputedTiming().endTime);
                lasts = Math.max(lasts, ...ends);
                if (rewarded === undefined || isOpen) return;
                observer.disconnect();
                tell([((closing ?? performance.now()) - rewarded) / 1000, coins, lasts]);
              }).observe(document, { attributes: true, childList: true, subtree: true });
            })""",
            self.says["watch.completed"],
        )
        return seconds, coins, lasts


async def tab_to(
    page: Page, target: Locator, *, at_most: int = 30, is_before: bool = False
) -> None:
    """Press Tab until `target` has the focus, as somebody without a mouse does; or back to it."""
    for _ in range(at_most):
        await page.keyboard.press("Shift+Tab" if is_before else "Tab")
        if await target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{at_most} Tabs did not reach {target}")


class Shop(Screen):
    """The shop: currencies, packages, the summary with its slider, and what came of a purchase."""

    async def open(self) -> None:
        await self.page.goto("/shop")
        await expect(self.slider).to_be_visible()

    @property
    def summary(self) -> Locator:
        return self.page.get_by_role("region", name=self.says["shop.summary"], exact=True)

    @property
    def slider(self) -> Locator:
        return self.page.get_by_role("slider", name=self.says["shop.apply_coins"])

    @property
    def purchase(self) -> Locator:
        """The one button that buys: in the summary, on a phone in the bar."""
        beginnings = {self.says[key].partition("{{")[0].strip() for key in PURCHASES}
        name = re.compile(f"^({'|'.join(beginnings)})")
        return self.main.get_by_role("button", name=name).filter(visible=True)

    @property
    def packages(self) -> Locator:
        return self.page.get_by_role("group", name=self.says["shop.package"]).locator("label")

    @property
    def code(self) -> Locator:
        return self.page.get_by_role("group", name=self.says["shop.code"], exact=True)

    @property
    def pay_link(self) -> Locator:
        return self.summary.get_by_role("link", name=self.says["shop.continue"], exact=True)

    async def choose_currency(self, name: str) -> None:
        currencies = self.page.get_by_role("group", name=self.says["shop.currency"])
        await currencies.get_by_role("radio", name=name).check()
        await expect(self.packages.first).to_contain_text(name)

    async def choose(self, product: str) -> None:
        """2,800 V-Bucks, of the chosen currency."""
        await self.packages.filter(has_text=f"{product}").get_by_role("radio").check()
        await expect(self.summary.get_by_role("heading", name=product)).to_be_visible()

    async def pays(self, amount: str) -> None:
        """What the summary says is left to pay, once the server has worked it out."""
        await expect(self.summary.locator("dl > div").last).to_contain_text(amount)

    @property
    def price(self) -> Locator:
        """What the chosen package costs without a coin."""
        return self.summary.locator("dl > div").first

    async def buy(self) -> None:
        await self.purchase.click()

    async def buy_by_card(self) -> "TestPayment":
        async with self.page.context.expect_page() as opening:
            await self.purchase.click()
        payment = TestPayment(await opening.value)
        await payment.is_ready()
        return payment

    async def thanks_for(self, product: str, *, within: float = 15) -> str:
        """The gift code that is shown."""
        return await thanked_for(self, product, within=within)


class TestPayment(Screen):
    """The sandbox's checkout in a tab of its own."""

    __test__ = False

    async def is_ready(self) -> None:
        await expect(self.heading("test_payment.title")).to_be_visible()

    async def pay(self) -> None:
        await self.main.get_by_role("button", name=re.compile("^Pay ")).click()

    async def lose_webhook(self) -> None:
        await self.page.get_by_role("switch", name=self.says["test_payment.lose_webhook"]).check()


class Orders(Screen):
    """All orders of a player."""

    async def open(self) -> None:
        await self.page.goto("/shop/orders")
        await expect(self.heading("orders.title")).to_be_visible()

    @property
    def rows(self) -> Locator:
        return self.main.get_by_role("listitem")

    def row(self, product: str) -> Locator:
        return self.rows.filter(has_text=product)

    def act(self, row: Locator, key: str) -> Locator:
        """A button of one order."""
        return row.get_by_role("button", name=re.compile(f"^{re.escape(self.says[key])}"))

    @property
    def problem(self) -> Locator:
        return self.page.get_by_role("dialog", name=self.says["orders.wrong"])

    @property
    def code(self) -> Locator:
        return self.page.get_by_role("group", name=self.says["shop.code"], exact=True)

    async def thanks_for(self, product: str, *, within: float = 15) -> str:
        return await thanked_for(self, product, within=within)


def thanks_of(screen: Shop | Orders, product: str) -> Locator:
    words = screen.says["shop.yours"].replace("{{product}}", product)
    return screen.page.get_by_role("heading", name=words)


async def thanked_for(screen: Shop | Orders, product: str, *, within: float) -> str:
    await expect(thanks_of(screen, product)).to_be_visible(timeout=1000 * within)
    await expect(screen.code.first).not_to_be_empty()
    await expect(screen.code.first).to_have_attribute("aria-busy", "false")
    return (await screen.code.first.inner_text()).strip()
