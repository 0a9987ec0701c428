"""A player's home, and what the homes of all have in common."""

import asyncio
import re
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest
from playwright.async_api import Locator, Page, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import embedded
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from tests.browser.chromium import Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import SOON, comes_to_show, notes_what_it_shows, this_moment
from tests.browser.pages import GOOD_PASSWORD, Auth, Home
from tests.serving import Served

A_MILLION = 1_000_000


class Dashboard(Home):
    def figure(self, key: str) -> Locator:
        """The number beside its label."""
        return (
            self.main.locator("dl > div")
            .filter(has=self.page.get_by_text(self.says[key], exact=True))
            .locator("dd")
        )

    async def opens(self) -> None:
        await self.page.goto("/")
        await expect(self.heading("home.your_day")).to_be_visible()
        await expect(self.figure("home.level")).to_be_visible()
        await expect(self.figure("home.platform_coins")).to_have_text(re.compile(r"\d"))

    async def says_after_a_moment(self, words: str) -> None:
        """Long enough for an answer that should not come."""
        await self.page.wait_for_timeout(1_000)
        await expect(self.text(words)).to_be_visible()

    async def says_all_coins(self, amount: int) -> None:
        figure = self.figure("home.platform_coins")
        await comes_to_show(figure, all_coins(amount), within=SOON)
        await expect(figure).to_have_text(all_coins(amount))


def all_coins(amount: int) -> str:
    """As long as the number is, whatever others have earned in the served app before."""
    return f"{amount:,}" if amount <= A_MILLION else f"{amount / A_MILLION:.1f}M"


async def at_home(visitor: Visitor, person: Person) -> Dashboard:
    await visitor.comes_with(person.session)
    dashboard = Dashboard(visitor.page)
    await dashboard.opens()
    return dashboard


async def earns(person: Person, amount: int, kind: Kind = Kind.WELCOME) -> int:
    """Coins that come while nobody looks; all coins that were ever given out."""
    async with transaction() as session:
        await coins.credit(
            session, person.account_id, amount, kind, f"test:{uuid4()}", now=utc_now()
        )
    await live.tell_now()
    return await coins.distributed()


class TestAPlayersHome:
    async def test_leads_a_newcomer_to_the_first_ad(self, come: Come, a_person: MakePerson):
        home = await at_home(await come(), await a_person())
        await home.welcomes("Maja")
        for key, value in (("ads", "0 of 50"), ("coins_today", "0"), ("level", "1")):
            await expect(home.figure(f"home.{key}")).to_have_text(value)
        await expect(home.text("0 of 1,000 to level 2")).to_be_visible()

        await home.link("home.first_ad").click()

        await home.is_at("/watch")

    async def test_shows_how_far_a_player_is(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        await earns(maja, 2_385)
        home = await at_home(await come(), maja)
        await expect(home.figure("home.level")).to_have_text("3")
        await expect(home.figure("home.total")).to_contain_text("2,385")
        bar = home.main.get_by_role("progressbar", name="385 of 1,000 to level 4")
        await expect(bar).to_have_attribute("aria-valuenow", "385")

    async def test_leads_to_the_statement_and_to_the_pages_that_are_there(
        self, come: Come, a_person: MakePerson
    ):
        home = await at_home(await come(), await a_person())
        ways = home.main.get_by_role("navigation").get_by_role("link")
        paths = [await way.get_attribute("href") for way in await ways.all()]
        assert paths == ["/watch", "/shop", "/profile", "/leaderboard"]
        for path in paths:
            answer = await home.page.request.get(f"{path}/", max_redirects=0)
            assert answer.status == 200, path
        await home.link("home.statement").click()
        await home.is_at("/profile/statement")

    async def test_is_in_the_language_that_was_chosen(self, come: Come, a_person: MakePerson):
        home = await at_home(await come(), await a_person())
        await home.choose_language("ru")
        await expect(home.heading("home.your_day")).to_be_visible()
        await expect(home.figure("home.platform_players")).to_be_visible()


class TestLive:
    async def test_coins_of_one_are_on_every_home_within_two_seconds(
        self, come: Come, a_person: MakePerson
    ):
        maja, emil = await a_person(), await a_person(name="Emil")
        hers, his = await at_home(await come(), maja), await at_home(await come(), emil)
        other = Dashboard(await hers.page.context.new_page())
        await other.opens()
        homes = (hers, his, other)
        of_all = [await notes_what_it_shows(one.figure("home.platform_coins")) for one in homes]
        totals = [await notes_what_it_shows(one.figure("home.total")) for one in (hers, other)]
        levels = [await notes_what_it_shows(one.figure("home.level")) for one in (hers, other)]

        # Enough to be seen among millions.
        total = await earns(maja, 101_015)
        earned_at = this_moment()

        for noted, words in (
            *((one, all_coins(total)) for one in of_all),
            *((one, "101,015") for one in totals),
            *((one, "102") for one in levels),
        ):
            await noted.showed(words, within=SOON, since=earned_at)
        await expect(his.figure("home.level")).to_have_text("1")

    async def test_a_newcomer_is_counted_on_open_homes(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        await earns(maja, 15)
        home = await at_home(await come(), maja)
        players = home.figure("home.platform_players")
        with psycopg.connect(embedded.url_of_running(served.data)) as connection:
            row = connection.execute(
                "select count(*) from accounts"
                " where role in ('player', 'moderator') and closed_at is null"
            ).fetchone()
        assert row
        await expect(players).to_have_text(f"{row[0]:,}")
        stranger = await come()
        await stranger.open("/auth")
        screen = Auth(stranger.page)
        await screen.type_player_details()
        noted = await notes_what_it_shows(players)
        await screen.sign_up(f"newcomer-{uuid4().hex[:8]}@example.com")
        await expect(screen.heading("auth.sent_title")).to_be_visible()
        signed_up_at = this_moment()
        await noted.showed(f"{row[0] + 1:,}", within=SOON, since=signed_up_at)


class TestFiguresThatCannotBeCounted:
    async def test_are_sample_data_where_a_home_opens_and_heal_by_themselves(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja, emil = await a_person(), await a_person(name="Emil")
        total = await earns(maja, 15)
        hers = await at_home(await come(), maja)
        await hers.says_all_coins(total)
        url = embedded.url_of_running(served.data)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("alter table coin_entries rename to coin_entries_away")
            try:
                said_before = len(served.log.read_text())
                live.announce(coins.CHANGED, str(maja.account_id))
                await live.tell_now()
                while "figures.not_counted" not in served.log.read_text()[said_before:]:
                    await asyncio.sleep(0.1)
                his = await at_home(await come(), emil)
                await expect(his.text(his.says["home.sample"])).to_be_visible()
                await his.says_all_coins(127_500)
                for key, value in (
                    ("players", "1,250"),
                    ("ads_today", "8,450"),
                    ("rewards", "159"),
                ):
                    await expect(his.figure(f"home.platform_{key}")).to_have_text(value)
                await expect(his.text("Most ads watched: 847")).to_be_visible()
                await expect(his.main.get_by_text("187 players online")).to_be_visible()
                await hers.says_all_coins(total)
                await expect(hers.text(hers.says["home.sample"])).to_be_hidden()
                noted = await notes_what_it_shows(his.figure("home.platform_coins"))
            finally:
                connection.execute("alter table coin_entries_away rename to coin_entries")
                mended_at = this_moment()
        await noted.showed(all_coins(total), within=4, since=mended_at)
        await expect(his.text(his.says["home.sample"])).to_be_hidden()
        await expect(his.main.get_by_text("187 players online")).to_be_hidden()


def ages(served: Served, account_id: UUID, days: int) -> None:
    """The password of the account was chosen so many days ago."""
    with psycopg.connect(embedded.url_of_running(served.data), autocommit=True) as connection:
        connection.execute(
            "update accounts set password_changed_at = %s where id = %s",
            (utc_now() - timedelta(days=days, hours=-1), account_id),
        )


class TestThePasswordBanner:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY, Role.ADMIN])
    async def test_warns_on_every_home_and_mails_a_link(
        self, come: Come, a_person: MakePerson, served: Served, role: Role
    ):
        maja = await a_person(role)
        ages(served, maja.account_id, 176)
        visitor = await come()
        await visitor.comes_with(maja.session)
        home = Home(await visitor.open("/"))
        await expect(home.text("Your password expires in 5 days")).to_be_visible()

        await home.button("password.mail_link").click()

        await home.sees_toast("Check your email", maja.email)
        await expect(home.button("password.mail_link_again")).to_be_visible()
        link = await asyncio.to_thread(served.letters.link_to, maja.email)
        assert "mode=reset" in link
        if role is not Role.PLAYER:
            # What the link does is the same for everybody.
            return

        screen = Auth(visitor.page)
        await visitor.page.goto(link)
        await screen.choose_new_password(GOOD_PASSWORD)
        await screen.sees_toast("Password saved")
        again = await come()
        await Auth(await again.open("/auth?mode=login")).sign_in(maja.email, GOOD_PASSWORD)
        await expect(Home(again.page).heading_of(role, "Maja")).to_be_visible()

    async def test_says_when_the_password_has_expired(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        ages(served, maja.account_id, 181)
        home = await at_home(await come(), maja)
        await expect(home.text("Your password has expired")).to_be_visible()

    async def test_is_not_there_before_the_last_week(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        ages(served, maja.account_id, 170)
        home = await at_home(await come(), maja)
        await expect(home.main).to_have_attribute("aria-busy", "false")
        await expect(home.button("password.mail_link")).to_be_hidden()

    async def test_looks_again_after_a_day_on_a_page_that_stays_open(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        ages(served, maja.account_id, 176)
        visitor = await come()
        await visitor.page.add_init_script(A_CLOCK_TO_SET)
        home = await at_home(visitor, maja)
        await expect(home.text("Your password expires in 5 days")).to_be_visible()
        ages(served, maja.account_id, 179)

        await days_later(visitor.page, 0.9)
        await home.says_after_a_moment("Your password expires in 5 days")
        await days_later(visitor.page, 1.1)

        await expect(home.text("Your password expires in 2 days")).to_be_visible()


A_CLOCK_TO_SET = """
const now = Date.now, repeat = window.setInterval, minutely = [];
let ahead = 0;
Date.now = () => now() + ahead;
window.setInterval = (call, every, ...rest) => {
  // Whoever tells the other tabs is the watch for idleness, which would end the session.
  if (every === 60_000 && !String(call).includes("postMessage")) minutely.push(call);
  return repeat(call, every, ...rest);
};
window.wakeUp = (later) => {
  ahead = later;
  minutely.forEach((call) => call());
  ahead = 0;
};
"""
"""The computer wakes up with a later clock.

Only the banner sees it: the socket would take itself for dead, and the page ask anew.
"""


async def days_later(page: Page, days: float) -> None:
    await page.evaluate("later => wakeUp(later)", days * 24 * 3600 * 1000)
