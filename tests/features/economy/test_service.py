"""The economy's figures are what views, entries and balances add up to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing
from rewards_app.features.ads import places
from rewards_app.features.ads.days import PLATFORM_CALENDAR, platform_day, start_of
from rewards_app.features.ads.funding import PARTS_A_COIN, Funding
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.economy.figures import SharedEconomy
from rewards_app.features.economy.rules import Flow, Period
from rewards_app.features.economy.service import COUNT_EVERY, Books, Economy
from rewards_app.features.privacy import erasing
from rewards_app.models import Ad
from tests.ads import NOON, SECOND, a_campaign, an_ad, finishes, starts, the_player, were_watched
from tests.figures import came_of
from tests.shop import a_buyer, buys, stock

DAY = timedelta(days=1)
TODAY = platform_day(NOON)
HALF = 71_250
"""A price that covers half of fifteen coins."""


async def economy(period: Period = Period.MONTH, *, now: datetime = NOON) -> Economy:
    return await Books().economy(period, now=now)


@asynccontextmanager
async def broken(database: str) -> AsyncIterator[None]:
    """The ledger cannot be read."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("alter table coin_entries rename to nowhere")
        yield
        connection.execute("alter table nowhere rename to coin_entries")


def recounted(database: str, first: date, last: date) -> Flow:
    """From the views and entries themselves, one by one."""
    with psycopg.connect(database) as connection:
        views = connection.execute(
            """select view.ad_id, view.day, view.reward_coins, view.price, view.invalid_at,
                campaign.budget_cents
            from ad_views view join ads on ads.id = view.ad_id
                join ad_campaigns campaign on campaign.id = ads.campaign_id
            where view.status = 'rewarded'"""
        ).fetchall()
        entries = connection.execute(
            "select created_at, kind, amount from coin_entries where kind <> 'ad'"
        ).fetchall()
    flow, by_ad_and_day = Flow(), {}
    for ad_id, day, reward, price, invalid_at, budget in views:
        if first <= day <= last:
            paid = 0 if invalid_at else price
            spend, rewards = by_ad_and_day.get((ad_id, day), (0, 0))
            by_ad_and_day[ad_id, day] = spend + paid, rewards + reward
            house = 0 if budget else reward
            flow += Flow(spend=paid, rewards=reward, house_rewards=house)
    for spend, rewards in by_ad_and_day.values():
        flow += Flow(funded=min(spend, rewards * PARTS_A_COIN))
    for created_at, kind, amount in entries:
        if first <= platform_day(created_at) <= last:
            name = {"welcome": "otherwise", "purchase": "spent", "refund": "refunded"}[kind]
            flow += replace(Flow(), **{name: abs(amount)})
    return flow


@pytest.fixture
async def ads(database: str) -> dict[str, Ad]:
    """A covered one, one that covers half, one of the house; watched on many days."""
    made = {
        "covered": await an_ad(await a_campaign(budget_cents=300_000), title="Covered"),
        "half": await an_ad(await a_campaign(budget_cents=HALF), title="=Half"),
        "house": await an_ad(await a_campaign(budget_cents=None), title="House"),
    }
    for number, ad in enumerate(made.values()):
        for ago in (0, 1, 6, 7, 13, 29, 30, 59, 60, 89, 90, 179, 180):
            await came_of(ad, TODAY - ago * DAY, impressions=4 + number, completions=1 + ago % 3)
    return made


class TestThePeriod:
    @pytest.mark.parametrize("period", list(Period))
    async def test_is_what_a_recount_finds_and_so_is_the_one_before(
        self, ads, database: str, period: Period
    ):
        await stock(3)
        buyer = await a_buyer("Maja", coins_owned=189)
        await buys(buyer, 89)
        async with transaction() as session:
            await coins.credit(session, buyer.user_id, 20, Kind.WELCOME, "welcome:again", now=NOON)
        found = await economy(period)
        assert found.now == recounted(database, found.span.first, found.span.last)
        before = found.span.before
        assert found.before == recounted(database, before.first, before.last)
        assert found.now.spent == 89

    async def test_is_the_sum_of_its_days(self, ads):
        found = await economy()
        assert [day for day, _ in found.by_day] == found.span.days
        assert sum((flow for _, flow in found.by_day), Flow()) == found.now

    async def test_without_anything_is_nothing(self, database: str):
        found = await economy(Period.WEEK)
        assert (found.now, found.before, found.gaps) == (Flow(), Flow(), [])
        assert found.outstanding.coins == 0

    async def test_counts_a_view_that_turned_out_invalid_as_unfunded(self, database: str):
        ad = await an_ad(await a_campaign(budget_cents=300_000))
        maja = await the_player()
        view = await starts(maja, ad)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        assert (await economy()).now.unfunded == 0
        async with transaction() as session:
            await places.invalidate(session, view.view_id, "A script watched.", now=NOON)
        assert (await economy()).now.unfunded == 15 * PARTS_A_COIN

    @pytest.mark.parametrize("minute", [-1, 0])
    async def test_has_its_entries_on_the_platforms_days(self, database: str, minute: int):
        """Midnight in Stockholm, which is another moment than that of UTC."""
        midnight = start_of(PLATFORM_CALENDAR.zone, TODAY - 6 * DAY)
        maja = await the_player()
        async with transaction() as session:
            at = midnight + timedelta(minutes=minute)
            await coins.credit(session, maja.user_id, 20, Kind.WELCOME, "welcome:x", now=at)
        found = await economy(Period.WEEK)
        assert (found.now.otherwise, found.before.otherwise) == (
            (20, 0) if minute == 0 else (0, 20)
        )


class TestGaps:
    async def test_are_the_ads_that_cost_the_house_most(self, ads):
        found = await economy()
        assert [gap.title for gap in found.gaps] == ["House", "=Half"]
        house, half = found.gaps
        assert (house.is_house, half.is_house) == (True, False)
        assert house.flow.unfunded == house.flow.worth
        assert sum(gap.flow.unfunded for gap in found.gaps) == found.now.unfunded

    async def test_are_ten_at_most(self, database: str):
        for number in range(12):
            ad = await an_ad(title=f"House {number}")
            await were_watched(ad, 1, price=0, day=TODAY)
        assert len((await economy()).gaps) == 10


class TestTheSetting:
    async def test_tells_how_many_ads_it_decides_on(self, ads):
        found = await economy()
        assert found.funding is Funding.WARN
        assert (found.shown.covered, found.shown.uncovered) == (2, 1)

    async def test_that_is_enforced_tells_how_many_it_holds_back(self, ads, monkeypatch, settle):
        settle("enforce")
        found = await economy()
        assert found.funding is Funding.ENFORCE
        assert (found.shown.covered, found.shown.uncovered) == (2, 1)


@pytest.fixture
def settle(monkeypatch: pytest.MonkeyPatch) -> Any:
    from rewards_app.core.settings import settings

    def set_to(value: str) -> None:
        monkeypatch.setenv("REWARD_FUNDING", value)
        settings.cache_clear()

    yield set_to
    monkeypatch.undo()
    settings.cache_clear()


class TestWhatIsKnown:
    async def test_outstanding_coins_are_added_up_once_a_minute(self, database: str):
        books, maja = Books(), await the_player()
        assert (await books.economy(Period.WEEK, now=NOON)).outstanding.coins == 0
        async with transaction() as session:
            await coins.credit(session, maja.user_id, 20, Kind.WELCOME, "welcome:x", now=NOON)
        soon = await books.economy(Period.WEEK, now=NOON + COUNT_EVERY - SECOND)
        assert (soon.outstanding.coins, soon.counted_at) == (0, NOON)
        later = await books.economy(Period.WEEK, now=NOON + COUNT_EVERY)
        assert (later.outstanding.coins, later.counted_at) == (20, NOON + COUNT_EVERY)

    async def test_held_coins_are_still_outstanding(self, database: str):
        maja = await the_player()
        async with transaction() as session:
            await coins.credit(session, maja.user_id, 50, Kind.WELCOME, "welcome:x", now=NOON)
            hold = await coins.hold(session, maja.user_id, 30, "purchase:x", now=NOON)
        known = (await economy()).outstanding
        assert (known.free, known.held, known.coins) == (20, 30, 50)
        async with transaction() as session:
            await coins.release(session, hold, now=NOON)

    async def test_coins_of_who_was_forgotten_are_nobodys_to_spend(self, database: str):
        maja, emil = await the_player(), await the_player("Emil")
        for who in (maja, emil):
            async with transaction() as session:
                await coins.credit(
                    session, who.user_id, 20, Kind.WELCOME, f"welcome:{who.name}", now=NOON
                )
        async with transaction() as session:
            await closing.close(session, maja.user_id, is_silent=True, now=NOON)
        assert (await economy()).outstanding.coins == 40
        assert await erasing.erase(maja.user_id, is_silent=True, now=NOON + 31 * DAY)
        assert (await economy()).outstanding.coins == 20

    async def test_days_that_are_over_are_read_once_and_today_is_read_again(self, database: str):
        books, maja = Books(), await the_player()
        for number, day in enumerate([TODAY - 40 * DAY, TODAY - 2 * DAY, TODAY]):
            at = datetime.combine(day, time(10), NOON.tzinfo)
            async with transaction() as session:
                await coins.credit(
                    session, maja.user_id, 10, Kind.WELCOME, f"welcome:{number}", now=at
                )
            for period in Period:
                known = await books.economy(period, now=at + SECOND)
                assert known == replace(
                    await economy(period, now=at + SECOND),
                    counted_at=known.counted_at,
                    outstanding=known.outstanding,
                )

    @pytest.mark.parametrize(
        ("before", "lost", "after"),
        [
            (Period.MONTH, Period.QUARTER, Period.MONTH),
            (None, Period.QUARTER, Period.WEEK),
            (Period.QUARTER, Period.WEEK, Period.MONTH),
        ],
    )
    async def test_what_could_not_be_read_is_read_the_next_time(
        self, database: str, before: Period | None, lost: Period, after: Period
    ):
        books, maja = Books(), await the_player()
        for number, ago in enumerate((1, 40, 150)):
            at = datetime.combine(TODAY - ago * DAY, time(10), NOON.tzinfo)
            async with transaction() as session:
                cause = f"welcome:{number}"
                await coins.credit(session, maja.user_id, 10, Kind.WELCOME, cause, now=at)
        if before:
            await books.economy(before, now=NOON)
        later = NOON + DAY
        async with broken(database):
            with pytest.raises(DBAPIError):
                await books.economy(lost, now=later)
        for period in (after, lost, Period.QUARTER):
            known, true = (
                await books.economy(period, now=later),
                await economy(period, now=later),
            )
            assert (known.by_day, known.before) == (true.by_day, true.before)

    async def test_a_view_of_long_ago_that_was_paid_back_shows_within_a_minute(self, database: str):
        ad, books = await an_ad(await a_campaign(budget_cents=300_000)), Books()
        await were_watched(ad, 1, price=300_000, day=TODAY - 5 * DAY)
        assert (await books.economy(Period.WEEK, now=NOON)).now.spend == 300_000
        with psycopg.connect(database) as connection:
            found = connection.execute("select id from ad_views").fetchone()
        assert found
        async with transaction() as session:
            await places.invalidate(session, found[0], "A script watched.", now=NOON)
        later = await books.economy(Period.WEEK, now=NOON + COUNT_EVERY)
        assert (later.now.spend, later.now.unfunded) == (0, 15 * PARTS_A_COIN)
        assert later.gaps[0].flow.unfunded == 15 * PARTS_A_COIN

    async def test_is_counted_once_for_all_who_look(self, database: str):
        now, asked = 0.0, []

        class CountedBooks(Books):
            async def economy(self, period: Period, *, now: datetime) -> Economy:
                asked.append(period)
                return await super().economy(period, now=now)

        shared = SharedEconomy(CountedBooks(), clock=lambda: now)
        first = await shared.of(Period.WEEK)
        assert await shared.of(Period.WEEK) is first
        await shared.of(Period.MONTH)
        assert asked == [Period.WEEK, Period.MONTH]
        now = 10.0
        assert await shared.of(Period.WEEK) is not first
