"""Top Players: periods in the address, ranks that move while one looks, one's own place."""

import random
import re
from math import ceil
from typing import Literal

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.leaderboard import service
from tests.ads import the_players
from tests.boards import earns
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, comes_to_show, gone, within
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import WIDTHS, spilled
from tests.browser.watching import a_film

OWN = "element.querySelector('[data-own]')?.innerText"
OWN_ROW = "element.querySelector('#rankings [data-row][aria-current=true]')?.innerText"
CUT = """() => {
  const edge = document.querySelector(".ranks-frame").getBoundingClientRect().right;
  return [...document.querySelectorAll("#rankings td")]
    .filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().right > edge + 1)
    .map((cell) => cell.textContent);
}"""
"""Cells of the rankings that reach beyond their panel, which hides them."""
WATCH_MOVES = """() => {
  window.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...all) {
    if (this.dataset.row) window.moved += 1;
    return animate.apply(this, all);
  };
}"""


class Board(Screen):
    async def open(self, period: str = "") -> None:
        await self.page.goto(f"/leaderboard?period={period}" if period else "/leaderboard")
        await self.is_ready()

    async def is_ready(self) -> None:
        await expect(self.heading("leaderboard.title")).to_be_visible()
        await expect(self.page.locator("ol > li[data-place]").first).to_be_visible()

    @property
    def periods(self) -> Locator:
        return self.page.get_by_role("navigation", name=self.says["leaderboard.period"])

    def period(self, key: str) -> Locator:
        return self.periods.get_by_role("link", name=self.says[f"leaderboard.periods.{key}"])

    @property
    def podium(self) -> Locator:
        return self.page.locator("ol > li[data-place]")

    @property
    def rows(self) -> Locator:
        return self.page.locator("#rankings [data-row]")

    @property
    def own(self) -> Locator:
        return self.page.locator("[data-own]")


async def on_the_board(visitor: Visitor, person: Person) -> Board:
    await visitor.comes_with(person.session)
    board = Board(visitor.page)
    await board.open()
    return board


async def pays(person: Person, amount: int) -> None:
    await earns(person.account_id, amount, now=utc_now())
    await live.tell_now()


async def a_crowd(count: int = 8) -> None:
    """Others who have earned more than anybody here does."""
    for player in await the_players(count, now=utc_now()):
        await earns(player.user_id, random.randint(400_000, 500_000), now=utc_now())
    await live.tell_now()


def where_nobody_is() -> int:
    """All tests share one board: so many coins that nobody else stands in between."""
    return random.randint(1_000, 300_000)


async def test_the_period_is_in_the_address_and_month_is_the_usual_one(
    come: Come, a_person: MakePerson
):
    maja = await a_person()
    await a_crowd()
    await pays(maja, 15)
    board = await on_the_board(await come(), maja)
    await expect(board.period("month")).to_have_attribute("aria-current", "page")
    await expect(board.heading("leaderboard.rankings_month")).to_be_visible()
    for key in ("week", "all", "month"):
        await board.period(key).click()
        await expect(board.period(key)).to_have_attribute("aria-current", "page")
        await expect(board.page).to_have_url(re.compile(rf"period={key}$"))
        await expect(board.heading(f"leaderboard.rankings_{key}")).to_be_visible()
    await board.page.go_back()
    await expect(board.heading("leaderboard.rankings_all")).to_be_visible()
    await board.page.reload()
    await expect(board.period("all")).to_have_attribute("aria-current", "page")
    await board.open("<script>")
    await expect(board.period("month")).to_have_attribute("aria-current", "page")


async def test_a_player_climbs_while_they_look(come: Come, a_person: MakePerson):
    maja, emil = await a_person(), await a_person(name="Emil")
    await a_crowd()
    low = where_nobody_is()
    await pays(maja, low + 20)
    await pays(emil, low + 33)
    board = await on_the_board(await come(), maja)
    own = board.rows.filter(has_text="Maja").and_(board.page.locator("[aria-current=true]"))
    await comes_to_show(board.body, "Maja", OWN_ROW)
    await expect(own).to_have_count(1)
    before = await own.text_content()
    await comes_to_show(board.body, f"Emil has {low + 33:,}", OWN)
    await expect(board.own).to_contain_text("13\u00a0coins to rank")

    async with within(FRESH, gone(board.own, f"{low + 33:,}")):
        await pays(maja, 14)

    await expect(own).to_contain_text(f"{low + 34:,}")
    assert await own.text_content() != before


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_rows_glide_to_their_places_unless_somebody_wants_no_motion(
    come: Come, a_person: MakePerson, motion: Literal["no-preference", "reduce"]
):
    maja, emil = await a_person(), await a_person(name="Emil")
    await a_crowd()
    low = where_nobody_is()
    await pays(maja, low + 20)
    await pays(emil, low + 25)
    board = await on_the_board(await come(), maja)
    await board.page.emulate_media(reduced_motion=motion)
    await comes_to_show(board.body, f"Emil has {low + 25:,}", OWN)
    await board.page.evaluate(WATCH_MOVES)
    async with within(FRESH, gone(board.own, f"{low + 25:,}")):
        await pays(maja, 6)
    await expect(board.rows.filter(has_text=f"{low + 26:,}")).to_have_count(1)
    assert bool(await board.page.evaluate("window.moved")) is (motion == "no-preference")


async def test_more_than_todays_ads_reach_the_next_rank_tomorrow(come: Come, a_person: MakePerson):
    maja, emil = await a_person(), await a_person(name="Emil")
    await a_film()
    usual_ad = (await service.board(now=utc_now())).usual_ad
    assert usual_ad
    low, missing = where_nobody_is(), ceil(usual_ad[0] * DAILY_LIMIT * 3 / 2)
    await pays(maja, low)
    await pays(emil, low + missing)
    board = await on_the_board(await come(), maja)
    await comes_to_show(board.body, "true", rf"/\d\sads, tomorrow\./.test({OWN})")


async def test_a_newcomer_sees_what_puts_them_on_the_board(come: Come, a_person: MakePerson):
    await a_crowd()
    maja = await a_person()
    board = await on_the_board(await come(), maja)
    await expect(board.text(board.says["leaderboard.unranked"])).to_be_visible()
    await board.link("leaderboard.watch_ads").first.click()
    await board.is_at("/watch")


async def test_ones_own_rank_stays_in_sight_on_a_phone(come: Come, a_person: MakePerson):
    maja = await a_person()
    await a_crowd(12)
    await pays(maja, 15)
    board = await on_the_board(await come(viewport=PHONE), maja)
    bar = board.page.get_by_role("complementary", name=board.says["leaderboard.own_month"])
    for position in (0, 500, 100_000):
        await board.page.evaluate(f"window.scrollTo(0, {position})")
        await expect(bar).to_be_in_viewport(ratio=1)


async def test_whoever_moves_by_keyboard_reaches_periods_and_players(
    come: Come, a_person: MakePerson
):
    maja = await a_person()
    await a_crowd()
    board = await on_the_board(await come(), maja)
    await tab_to(board.page, board.period("all"))
    await board.page.keyboard.press("Enter")
    await expect(board.period("all")).to_have_attribute("aria-current", "page")


async def test_a_name_is_only_ever_text(come: Come, a_person: MakePerson):
    evil = '<img src=x onerror="document.title=1">'
    mallory = await a_person(name=evil)
    await a_crowd(4)
    await pays(mallory, 600_000)
    board = await on_the_board(await come(), mallory)
    await expect(board.podium.filter(has_text=evil)).to_have_count(1)
    await expect(board.main.locator("img[src=x]")).to_have_count(0)


@pytest.mark.parametrize("role", [Role.COMPANY, Role.ADMIN])
async def test_is_for_players_only(come: Come, a_person: MakePerson, role: Role):
    visitor = await come()
    await visitor.comes_with((await a_person(role)).session)
    screen = Screen(await visitor.open("/leaderboard"))
    await expect(screen.heading("not_found.text")).to_be_visible()


async def test_fits_every_width(come: Come, a_person: MakePerson):
    maja = await a_person(name="Maximiliane von Hohenstaufen-Lange")
    await a_crowd()
    await pays(maja, 450_000)
    board = await on_the_board(await come(), maja)
    async for language in board.in_each_of(["en", "de", "ru", "pl"]):
        assert await spilled(board.page) == [], language
        for width in WIDTHS:
            await board.page.set_viewport_size({"width": width, "height": 900})
            assert await board.page.evaluate(CUT) == [], f"{language} {width}px"


async def test_keeps_nobody_out(come: Come, a_person: MakePerson):
    maja = await a_person()
    await a_crowd()
    await pays(maja, 15)
    visitor = await one_following_the_system(come, viewport=PHONE)
    board = await on_the_board(visitor, maja)
    await has_no_violations(board.page, DESK, PHONE)


async def test_home_leads_there(come: Come, a_person: MakePerson):
    maja = await a_person()
    visitor = await come()
    await visitor.comes_with(maja.session)
    screen = Screen(await visitor.open("/"))
    await screen.main.get_by_role("link", name=screen.says["home.to_leaderboard"]).click()
    await screen.is_at("/leaderboard")
    await expect(screen.heading("leaderboard.title")).to_be_visible()
