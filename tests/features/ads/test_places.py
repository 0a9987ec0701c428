"""Places in campaigns' budgets: nobody gets one too many, and none is lost."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest

from rewards_app.core import jobs, live
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction, write
from rewards_app.core.errors import DomainError
from rewards_app.core.postgres import months
from rewards_app.core.postgres.months import AD_VIEWS, month_of
from rewards_app.features.ads import catalogue, places, rules, service, serving
from rewards_app.features.ads import jobs as ads_jobs
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.finishing import Finished
from rewards_app.features.ads.places import Invalidated
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.coins import service as coins
from rewards_app.models import Ad, AdCampaign
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    change,
    finishes,
    starts,
    the_player,
    the_players,
    were_watched,
)
from tests.crowds import all_at_once
from tests.figures import came_of
from tests.ledger import what_is_wrong
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
TODAY = platform_day(NOON)
BEFORE_MIDNIGHT = datetime(2026, 3, 14, 22, 59, 58, tzinfo=NOON.tzinfo)
"""In Stockholm, whose days count for everybody."""
AFTER_MIDNIGHT = BEFORE_MIDNIGHT + 5 * SECOND
BUDGET = 100_000
ONE_VIEW = BUDGET // 1000
"""What a view costs, in cents."""
AT_ONCE = 16

Ask = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def ask(database: str) -> Ask:
    """What is really in the database."""

    def ask(query: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(database) as connection:
            return connection.execute(query, values).fetchall()

    return ask


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def emil(database: str) -> Actor:
    return await the_player("Emil")


async def budgeted(places_a_day: int | None = None, **changes: object) -> AdCampaign:
    """A campaign of a thousand dollars, with so many places a day."""
    daily = None if places_a_day is None else places_a_day * ONE_VIEW
    known = {"budget_cents": BUDGET, "daily_budget_cents": daily, "set_aside_at": NOON - DAY}
    return await a_campaign(**known | changes)


async def nearly_spent(left: int) -> Ad:
    """An ad whose campaign has so many places left of its thousand."""
    ad = await an_ad(await budgeted())
    await were_watched(ad, 1000 - left, price=BUDGET, day=TODAY - 3 * DAY)
    return ad


async def told(calls: Any) -> Counter[type[object]]:
    """How often each kind of outcome came; anything but a refusal fails the test."""
    outcomes = await all_at_once(calls, room=AT_ONCE)
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, DomainError):
            raise outcome
    return Counter(type(outcome) for outcome in outcomes)


async def is_served(ad: Ad, *, now: datetime = NOON) -> bool:
    asked = serving.Wanted(ad.id, None, is_minor=False)
    async with transaction() as session:
        return ad.id in {one.id for one in await serving.choose(session, asked, now=now)}


async def is_ready(ad: Ad, ask: Ask) -> bool:
    """Among the servings, which are made ready before anybody asks."""
    return bool(ask("select 1 from ad_servings where ad_id = %s", ad.id))


async def invalidates(view_id: UUID, *, now: datetime = NOON + HOUR) -> Invalidated | None:
    async with transaction() as session:
        found = await places.invalidate(session, view_id, "A script watched.", now=now)
        if found:
            await serving.sync(session, found.campaign_id, now=now)
        return found


async def turns(ad: Ad, status: str, *, now: datetime = NOON) -> None:
    """The ad's campaign is paused, resumed or ended, as lifecycle and its company do it."""
    async with transaction() as session:
        await write(
            session,
            "update ad_campaigns set status = %(status)s where id = %(id)s returning id",
            {"status": status, "id": ad.campaign_id},
        )
        await serving.sync(session, ad.campaign_id, now=now)


async def folds(*, now: datetime) -> int:
    async with transaction() as session:
        return await places.fold_old_days(session, now=now)


def taken(ask: Ask, ad: Ad) -> int:
    return ask("select taken from ad_campaigns where id = %s", ad.campaign_id)[0][0]


def figures(ask: Ask, ad: Ad) -> tuple[int, int, int, int]:
    """Impressions, completions, clicks and spend."""
    query = """select sum(impressions)::int, sum(completions)::int, sum(clicks)::int,
        sum(spend)::bigint from ad_days where ad_id = %s"""
    impressions, completions, clicks, spend = ask(query, ad.id)[0]
    return impressions, completions, clicks, spend


class TestManyAtOnce:
    async def test_two_hundred_starts_take_the_last_five_places_of_a_budget(self, ask: Ask):
        ad = await nearly_spent(5)
        players = await the_players(200)
        assert await told(starts(one, ad) for one in players) == {
            RunningAd: 5,
            rules.NoAdToShow: 195,
        }
        assert taken(ask, ad) == 1000
        assert not await is_ready(ad, ask)

    async def test_two_hundred_starts_take_the_five_places_of_a_day(self, ask: Ask):
        ad = await an_ad(await budgeted(5))
        players = await the_players(200)
        outcomes = await told(starts(one, ad) for one in players)
        assert outcomes == {RunningAd: 5, rules.NoAdToShow: 195}
        assert taken(ask, ad) == 5
        assert not await is_ready(ad, ask)

    async def test_who_comes_too_late_for_one_ad_is_served_another(self):
        ads = [await an_ad(await budgeted(5)) for _ in range(10)]
        free = await an_ad()
        views = await all_at_once(
            (starts(one, ads[0]) for one in await the_players(100)), room=AT_ONCE
        )
        served = Counter(view.ad.id for view in views if isinstance(view, RunningAd))
        assert sum(served.values()) == 100
        assert served[free.id] == 50
        assert {served[ad.id] for ad in ads} == {5}

    async def test_who_comes_too_late_for_all_that_was_offered_is_served_what_is_left(
        self, database: str
    ):
        """A campaign of many ads is paused while its last place is waited for."""
        campaign = await budgeted(1)
        ads = [await an_ad(campaign) for _ in range(16)]
        free = await an_ad()
        with psycopg.connect(database) as pausing:
            pausing.execute(
                "update ad_campaigns set status = 'paused' where id = %s", [campaign.id]
            )
            players = await the_players(6)
            coming = [asyncio.create_task(starts(player, ads[0])) for player in players]
            await asyncio.sleep(0.5)
            assert not any(one.done() for one in coming)
        assert {view.ad.id for view in await asyncio.gather(*coming)} == {free.id}

    async def test_fifty_finish_at_once_and_each_is_paid_and_charged_once(
        self, ask: Ask, database: str
    ):
        ad = await an_ad(await budgeted(50))
        players = await the_players(60)
        views = await all_at_once((starts(one, ad) for one in players), room=AT_ONCE)
        runners = [
            (player, view)
            for player, view in zip(players, views, strict=True)
            if isinstance(view, RunningAd)
        ]
        assert len(runners) == 50
        twice = [
            finishes(player, view, now=NOON + 5 * SECOND)
            for player, view in runners
            for _ in range(2)
        ]
        assert await told(twice) == {Finished: 50, rules.AlreadyRewarded: 50}
        assert figures(ask, ad) == (50, 50, 0, 50 * BUDGET)
        assert ask("select sum(amount) from coin_entries") == [(50 * 15,)]
        assert not what_is_wrong(database)

    async def test_nobody_gets_more_than_the_budget_while_places_come_and_go(
        self, ask: Ask, database: str
    ):
        ad = await nearly_spent(8)

        async def lives(player: Actor, number: int) -> object:
            view = await starts(player, ad)
            if number % 3 == 0:
                return await service.give_up(player, view.view_id, now=NOON + SECOND)
            return await finishes(player, view, now=NOON + 5 * SECOND)

        outcomes = await told(
            lives(player, number) for number, player in enumerate(await the_players(120))
        )
        left = 8 - outcomes[Finished]
        assert taken(ask, ad) == 1000 - left
        later = await told(starts(one, ad) for one in await the_players(10))
        assert later[RunningAd] == left
        assert not what_is_wrong(database)

    async def test_of_two_campaigns_never_stand_in_each_others_way(self, database: str):
        """Whoever finds one full tries the other, while others do it the other way round."""
        ads = [await an_ad(await budgeted(3)) for _ in range(2)]
        players = await the_players(24)
        chance = random.Random(7)

        async def tries(player: Actor, ad: Ad, now: datetime) -> object:
            view = await starts(player, ad, now=now)
            await asyncio.sleep(chance.random() / 50)
            if chance.random() < 0.8:
                return await service.give_up(player, view.view_id, now=now + SECOND)
            return await finishes(player, view, now=now + 5 * SECOND)

        seen: Counter[type[object]] = Counter()
        for number in range(12):
            now = NOON + number * DAY
            crossing = [
                tries(player, ads[at % 2], now=now + (at % 5) * SECOND)
                for at, player in enumerate(players)
            ]
            sweeps = [service.sweep(now=now) for _ in range(3)]
            turned = [turns(ads[0], status, now=now) for status in ("paused", "active")]
            seen += await told([*crossing[:12], *turned, *sweeps, *crossing[12:]])
            await turns(ads[0], "active", now=now)
        assert seen[rules.NoAdToShow] > 0
        assert seen[bool] > 0
        assert not what_is_wrong(database)


class TestWhoComesTooLate:
    async def test_keeps_no_campaign_from_others_while_they_wait_for_the_next_one(
        self, maja: Actor, emil: Actor, database: str
    ):
        one, other = await an_ad(await budgeted()), await an_ad(await budgeted())
        are_late = asyncio.Barrier(2)

        async def tries(player: Actor, first: Ad, second: Ad, now: datetime) -> list[bool]:
            async with transaction() as session:
                found = [await has_begun(session, player, first, now)]
                await are_late.wait()
                return [*found, await has_begun(session, player, second, now)]

        with psycopg.connect(database) as quicker:
            # Both wait for their first campaign; then it is there for the other one alone.
            dates: LiteralString = "update ad_campaigns set {} = %s where id = %s"
            quicker.execute(dates.format("starts_at"), [NOON + HOUR, one.campaign_id])
            quicker.execute(dates.format("ends_at"), [NOON + HOUR, other.campaign_id])
            late = [
                asyncio.create_task(tries(maja, one, other, NOON)),
                asyncio.create_task(tries(emil, other, one, NOON + HOUR)),
            ]
            await are_waiting(database, len(late))
        assert await asyncio.gather(*late) == [[False, True], [False, True]]


async def has_begun(session: AsyncSession, player: Actor, ad: Ad, now: datetime) -> bool:
    shown = await catalogue.shown(session, ad.id)
    assert shown
    view = service._new_view(player.user_id, shown, tab="a", device="", now=now)
    return await places.begin(session, view, AgeGroup.FROM_25, now=now) is not None


class TestAPlace:
    """Of a campaign with one a day: who has it shuts the others out."""

    @pytest.fixture
    async def ad(self, database: str) -> Ad:
        return await an_ad(await budgeted(1))

    @pytest.fixture
    async def view(self, maja: Actor, ad: Ad) -> RunningAd:
        return await starts(maja, ad)

    async def test_is_taken_when_the_view_begins(self, emil, ad, view, ask: Ask):
        assert not await is_ready(ad, ask)
        with pytest.raises(rules.NoAdToShow):
            await starts(emil, ad)

    async def test_is_free_as_soon_as_its_player_has_left(self, maja, emil, ad, view, ask: Ask):
        await service.give_up(maja, view.view_id, now=NOON + SECOND)
        assert await is_ready(ad, ask)
        assert (await starts(emil, ad)).ad.id == ad.id

    @pytest.mark.parametrize("budget", [BUDGET, None], ids=["paid", "free"])
    async def test_is_free_however_many_were_left_behind(
        self, ask: Ask, monkeypatch: pytest.MonkeyPatch, budget: int | None
    ):
        monkeypatch.setattr(places, "SWEPT_AT_ONCE", 2)
        ad = await an_ad(await a_campaign(budget_cents=budget, set_aside_at=NOON - DAY))
        for player in await the_players(5):
            await starts(player, ad)
        await service.sweep(now=NOON + DAY)
        assert ask("select count(*) from ad_views where status = 'running'") == [(0,)]
        assert taken(ask, ad) == 0

    async def test_is_free_once_however_often_its_player_leaves(self, maja, ad, view, ask: Ask):
        for _ in range(3):
            await service.give_up(maja, view.view_id, now=NOON + SECOND)
            await service.give_back_place(view.view_id, now=NOON + SECOND)
            await service.sweep(now=NOON + SECOND)
        assert taken(ask, ad) == 0

    async def test_is_kept_for_who_can_still_finish(self, maja, ad, view, ask: Ask):
        last = NOON + 5 * SECOND + rules.FINISH_WITHIN
        assert await service.sweep(now=last + MINUTE) == 0
        assert taken(ask, ad) == 1
        assert (await finishes(maja, view, now=last)).coins == 15

    async def test_is_free_a_minute_after_its_view_has_run_out(self, maja, emil, ad, view, ask):
        later = NOON + 5 * SECOND + rules.FINISH_WITHIN + MINUTE + SECOND
        assert await service.sweep(now=later) == 1
        assert taken(ask, ad) == 0
        assert ask("select status, refusal from ad_views") == [("expired", "ads.view_expired")]
        assert (await starts(emil, ad, now=later)).ad.id == ad.id
        with pytest.raises(rules.ViewEnded):
            await finishes(maja, view, now=later)

    @pytest.mark.parametrize("budget", [BUDGET, None], ids=["paid", "free"])
    async def test_is_kept_for_a_minute_where_nobody_could_finish(
        self, ask: Ask, maja: Actor, monkeypatch: pytest.MonkeyPatch, budget: int | None
    ):
        """The database was away since the last sweep: pages ask on, and are paid first."""
        await starts(maja, await an_ad(await a_campaign(budget_cents=budget, set_aside_at=NOON)))
        back = NOON + HOUR
        for now, status in [(NOON, "running"), (back, "running"), (back + MINUTE, "expired")]:
            monkeypatch.setattr(jobs, "utc_now", lambda now=now: now)
            monkeypatch.setattr(ads_jobs, "utc_now", lambda now=now: now)
            await jobs._written_down(ads_jobs.SWEEP)(timestamp=0)
            assert ask("select status from ad_views") == [(status,)]

    async def test_of_an_ad_that_costs_nothing_ends_as_well(self, maja, ask: Ask):
        view = await starts(maja, await an_ad())
        ended = NOON + timedelta(seconds=view.seconds) + rules.FINISH_WITHIN + places.GRACE
        await service.sweep(now=ended)
        assert ask("select status from ad_views") == [("running",)]
        await service.sweep(now=ended + SECOND)
        assert ask("select status, refusal from ad_views") == [("expired", "ads.view_expired")]
        assert ask("select * from running_views") == []

    @pytest.mark.parametrize("budget", [BUDGET, None], ids=["paid", "free"])
    async def test_of_a_view_that_has_run_out_is_told_to_the_pages_of_its_player(
        self, maja, monkeypatch: pytest.MonkeyPatch, budget: int | None
    ):
        await starts(maja, await an_ad(await budgeted(budget_cents=budget)))
        heard: list[tuple[str, str]] = []
        monkeypatch.setattr(live, "announce", lambda *what: heard.append(what))
        await service.sweep(now=NOON + MINUTE)
        assert (service.GIVEN_UP, str(maja.user_id)) not in heard
        await service.sweep(now=NOON + DAY)
        assert (service.GIVEN_UP, str(maja.user_id)) in heard

    @pytest.mark.parametrize("budget", [BUDGET, None], ids=["paid", "free"])
    async def test_of_a_view_that_was_refused_before_leaves_the_reason_as_it_is(
        self, maja, ask: Ask, budget: int | None
    ):
        view = await starts(maja, await an_ad(await budgeted(budget_cents=budget)))
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 2 * SECOND)
        await service.sweep(now=NOON + DAY)
        kept = ask("select status, refusal, missing_seconds from ad_views")
        assert kept == [("expired", "ads.watched_too_short", 3)]

    async def test_is_free_when_its_player_began_something_else(self, maja, ad, view, ask: Ask):
        other = await an_ad()
        await starts(maja, other, now=NOON + SECOND)
        await service.sweep(now=NOON + MINUTE)
        assert taken(ask, ad) == 0
        assert await is_ready(ad, ask)

    async def test_is_free_when_the_view_was_refused_for_good(self, maja, ad, view, ask: Ask):
        late = NOON + 5 * SECOND + rules.FINISH_WITHIN + SECOND
        with pytest.raises(rules.ViewExpired):
            await finishes(maja, view, now=late)
        await service.sweep(now=late)
        assert taken(ask, ad) == 0

    async def test_is_used_up_by_who_finishes(self, maja, ad, view, ask: Ask):
        await finishes(maja, view, now=NOON + 5 * SECOND)
        await service.give_back_place(view.view_id, now=NOON + HOUR)
        await service.sweep(now=NOON + HOUR)
        assert taken(ask, ad) == 1
        assert ask("select holds_place from ad_views") == [(False,)]

    async def test_is_for_one_of_finishing_leaving_and_sweeping(self, maja, ask: Ask, database):
        ad = await an_ad(await budgeted())
        players = await the_players(15)
        views = [await starts(player, ad) for player in players]
        end = NOON + 5 * SECOND + rules.FINISH_WITHIN
        await told(
            act
            for player, view in zip(players, views, strict=True)
            for act in (
                finishes(player, view, now=end),
                service.give_up(player, view.view_id, now=end),
                places.give_back(view.view_id, now=end + 2 * MINUTE),
            )
        )
        paid = ask("select count(*) from ad_views where status = 'rewarded'")[0][0]
        assert taken(ask, ad) == paid
        assert not what_is_wrong(database)

    async def test_is_needed_for_no_ad_of_the_house(self, maja: Actor, ask: Ask):
        ad = await an_ad(await a_campaign())
        view = await starts(maja, ad)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        assert (taken(ask, ad), figures(ask, ad)) == (0, (1, 1, 0, 0))


class TestWhoeverRuns:
    """Has a place, and is paid whatever becomes of the ad meanwhile."""

    @pytest.mark.parametrize("status", ["paused", "rejected", "pending_review"])
    async def test_is_paid_though_the_ad_is_served_no_more(self, maja, ask: Ask, status: str):
        ad = await an_ad(await budgeted())
        view = await starts(maja, ad)
        await change(ad, status=status)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15
        assert figures(ask, ad) == (1, 1, 0, BUDGET)

    @pytest.mark.parametrize("status", ["paused", "completed"])
    async def test_is_paid_though_the_campaign_stops(self, maja, ask: Ask, status: str):
        ad = await an_ad(await budgeted())
        view = await starts(maja, ad)
        await turns(ad, status)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15
        assert figures(ask, ad) == (1, 1, 0, BUDGET)

    async def test_is_paid_though_the_company_was_rejected(self, maja: Actor, ask: Ask):
        company = await an_advertiser()
        ad = await an_ad(await budgeted(advertiser_id=company.id))
        view = await starts(maja, ad)
        await change(company, status="rejected")
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15
        assert figures(ask, ad) == (1, 1, 0, BUDGET)


class TestOverMidnight:
    async def test_a_view_counts_for_the_day_on_which_it_began(self, maja: Actor, ask: Ask):
        ad = await an_ad(await budgeted())
        view = await starts(maja, ad, now=BEFORE_MIDNIGHT)
        await finishes(maja, view, now=AFTER_MIDNIGHT)
        await service.click(maja, view.view_id, now=AFTER_MIDNIGHT + HOUR)
        assert figures(ask, ad) == (1, 1, 1, BUDGET)
        assert ask("select distinct day from ad_days") == [(TODAY,)]

    async def test_the_new_day_has_all_its_places(self, maja, emil, ask: Ask):
        ad = await an_ad(await budgeted(1))
        await starts(maja, ad, now=BEFORE_MIDNIGHT)
        await service.sweep(now=AFTER_MIDNIGHT)
        assert await is_ready(ad, ask)
        assert (await starts(emil, ad, now=AFTER_MIDNIGHT)).ad.id == ad.id
        assert not await is_served(ad, now=AFTER_MIDNIGHT)

    async def test_who_leaves_a_view_of_yesterday_frees_no_place_of_today(self, maja, emil):
        ad = await an_ad(await budgeted(1))
        old = await starts(maja, ad, now=BEFORE_MIDNIGHT)
        await service.sweep(now=AFTER_MIDNIGHT)
        await starts(emil, ad, now=AFTER_MIDNIGHT)
        await service.give_up(maja, old.view_id, now=AFTER_MIDNIGHT + SECOND)
        assert not await is_served(ad, now=AFTER_MIDNIGHT)

    async def test_who_comes_while_another_begins_the_day_gets_the_ad_all_the_same(
        self, maja: Actor, emil: Actor, database: str
    ):
        """Although there is another one that could be had without waiting."""
        ad, _ = [await an_ad(await budgeted(5)) for _ in range(2)]
        await starts(maja, ad, now=BEFORE_MIDNIGHT)
        async with transaction() as session:
            assert await has_begun(session, await the_player("Nina"), ad, AFTER_MIDNIGHT)
            late = asyncio.create_task(starts(emil, ad, now=AFTER_MIDNIGHT))
            await are_waiting(database)
        assert (await late).ad.id == ad.id

    async def test_who_comes_by_a_slower_clock_takes_a_place_of_the_day_that_has_begun(
        self, maja: Actor, emil: Actor, ask: Ask
    ):
        ad = await an_ad(await budgeted(5))
        await starts(emil, ad, now=AFTER_MIDNIGHT)
        late = await starts(maja, ad, now=BEFORE_MIDNIGHT)
        begun = platform_day(AFTER_MIDNIGHT)
        assert ask("select distinct day from ad_views") == [(begun,)]
        assert ask("select distinct day from ad_days") == [(begun,)]
        assert ask("select taken_today from ad_campaigns") == [(2,)]
        await service.give_up(maja, late.view_id, now=BEFORE_MIDNIGHT)
        assert ask("select taken_today from ad_campaigns") == [(1,)]

    async def test_a_clock_that_goes_back_buys_no_second_day(self, maja, emil, ask: Ask):
        ad = await an_ad(await budgeted(1))
        await starts(maja, ad, now=AFTER_MIDNIGHT)
        await service.sweep(now=BEFORE_MIDNIGHT)
        with pytest.raises(rules.NoAdToShow):
            await starts(emil, ad, now=BEFORE_MIDNIGHT)
        assert ask("select taken_today from ad_campaigns") == [(1,)]

    async def test_a_clock_that_was_a_month_ahead_costs_no_other_day_its_places(
        self, maja: Actor, emil: Actor
    ):
        ad = await an_ad(await budgeted(1))
        await starts(maja, ad, now=AFTER_MIDNIGHT + 20 * DAY)
        await service.sweep(now=AFTER_MIDNIGHT)
        assert (await starts(emil, ad, now=AFTER_MIDNIGHT)).ad.id == ad.id
        assert not await is_served(ad, now=AFTER_MIDNIGHT)

    async def test_a_clock_that_was_a_month_ahead_gives_no_day_its_places_anew(
        self, maja: Actor, emil: Actor, ask: Ask
    ):
        """One that was watched to its end, and one that runs, are the day's two."""
        ad = await an_ad(await budgeted(2))
        nina, otto, olga = await the_players(3)
        await finishes(maja, await starts(maja, ad, now=NOON), now=NOON + MINUTE)
        await starts(emil, ad, now=NOON)

        async def wants_one(player: Actor, now: datetime) -> None:
            async with transaction() as session:
                await serving.sync(session, now=now)
            await starts(player, ad, now=now)

        await wants_one(nina, NOON + 20 * DAY)
        with pytest.raises(rules.NoAdToShow):
            await wants_one(otto, NOON + MINUTE)
        await wants_one(olga, NOON + 20 * DAY)
        for now in (NOON + MINUTE, NOON + 20 * DAY):
            with pytest.raises(rules.NoAdToShow):
                await wants_one(otto, now)
        assert ask("select count(*) from ad_views group by day order by day") == [(2,), (2,)]

    async def test_many_at_once_whose_clocks_differ_take_no_more_than_each_day_has(self, ask: Ask):
        ad = await an_ad(await budgeted(3))
        days = (NOON, NOON + 2 * DAY, NOON + 4 * DAY)
        players = await the_players(30)
        await all_at_once(
            starts(player, ad, now=days[number % 3]) for number, player in enumerate(players)
        )
        assert max(ask("select count(*) from ad_views group by day")) == (3,)


class TestAnInvalidView:
    @pytest.fixture
    async def ad(self, database: str) -> Ad:
        return await an_ad(await budgeted(1))

    @pytest.fixture
    async def paid(self, maja: Actor, ad: Ad) -> RunningAd:
        view = await starts(maja, ad)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        return view

    async def test_costs_the_company_nothing(self, ad, paid, ask: Ask):
        found = await invalidates(paid.view_id)
        assert found
        assert (found.price, found.is_place_free) == (BUDGET, True)
        assert figures(ask, ad) == (1, 0, 0, 0)
        assert taken(ask, ad) == 0

    async def test_leaves_the_player_the_coins(self, maja: Actor, paid):
        await invalidates(paid.view_id)
        assert (await coins.balance_of(maja.user_id)).balance == 15

    async def test_leaves_its_place_to_another(self, emil, ad, paid, ask: Ask):
        assert not await is_ready(ad, ask)
        await invalidates(paid.view_id)
        assert (await starts(emil, ad)).ad.id == ad.id

    async def test_is_credited_once(self, ad, paid, ask: Ask):
        outcomes = await all_at_once(invalidates(paid.view_id) for _ in range(10))
        assert len([one for one in outcomes if one]) == 1
        assert await invalidates(paid.view_id) is None
        assert taken(ask, ad) == 0

    async def test_of_a_settled_campaign_frees_no_place(self, ad, paid, ask: Ask):
        campaign = ask("select id from ad_campaigns where id = %s", ad.campaign_id)[0][0]
        async with transaction() as session:
            owner = await session.get_one(AdCampaign, campaign)
            owner.status, owner.ended_at, owner.settled_at = "completed", NOON, NOON
        found = await invalidates(paid.view_id)
        assert found
        assert (found.price, found.is_place_free) == (BUDGET, False)
        assert (taken(ask, ad), figures(ask, ad)) == (1, (1, 0, 0, 0))

    async def test_was_rewarded_before(self, maja: Actor, ad: Ad):
        running = await starts(maja, ad)
        assert await invalidates(running.view_id) is None

    async def test_of_the_house_has_no_price_to_give_back(self, maja: Actor, ask: Ask):
        ad = await an_ad()
        view = await starts(maja, ad)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        found = await invalidates(view.view_id)
        assert found
        assert (found.price, found.is_place_free) == (0, False)
        assert figures(ask, ad) == (1, 0, 0, 0)


class TestFolding:
    LATER = NOON + 3 * DAY

    @pytest.fixture
    async def ad(self, database: str) -> Ad:
        return await an_ad(await budgeted())

    @pytest.fixture
    async def watched(self, ad: Ad) -> list[tuple[Actor, RunningAd]]:
        """Twenty views of one day, in whatever slots they fell."""
        players = await the_players(20)
        views = [await starts(player, ad) for player in players]
        for player, view in zip(players, views, strict=True):
            await finishes(player, view, now=NOON + 5 * SECOND)
        return list(zip(players, views, strict=True))

    async def test_leaves_one_row_with_the_same_figures(self, ad, watched, ask: Ask):
        assert await folds(now=self.LATER) == 1
        assert ask("select slot, impressions, completions, spend from ad_days") == [
            (0, 20, 20, 20 * BUDGET)
        ]

    async def test_keeps_what_was_refused_at_its_end(self, ad: Ad, ask: Ask, database: str):
        await came_of(ad, TODAY, impressions=3, refused=2)
        with psycopg.connect(database) as connection:
            connection.execute("update ad_days set slot = 3")
        assert await folds(now=self.LATER) == 1
        assert ask("select slot, impressions, refused from ad_days") == [(0, 3, 2)]

    async def test_leaves_yesterday_and_today_alone(self, ad, watched, ask: Ask):
        before = ask("select * from ad_days order by slot")
        assert await folds(now=NOON + DAY) == 0
        assert ask("select * from ad_days order by slot") == before

    async def test_counts_clicks_that_come_at_the_same_time(self, ad, watched, ask: Ask):
        await told(
            [
                folds(now=self.LATER),
                *(service.click(player, view.view_id, now=self.LATER) for player, view in watched),
                folds(now=self.LATER),
            ]
        )
        assert figures(ask, ad) == (20, 20, 20, 20 * BUDGET)
        await folds(now=self.LATER)
        assert ask("select slot, clicks from ad_days") == [(0, 20)]

    async def test_adds_to_a_first_row_that_somebody_makes_meanwhile(
        self, ad: Ad, watched, ask: Ask, database: str
    ):
        """What is folded has no row of slot 0; a late click is about to make one."""
        [(owner,)] = ask("select advertiser_id from ad_campaigns")
        row = f"""insert into ad_days (ad_id, day, slot, campaign_id, advertiser_id, impressions,
            completions, clicks, spend, rewards)
            values ('{ad.id}', '{TODAY}', %s, '{ad.campaign_id}', '{owner}', %s, %s, 0, %s, %s)"""
        with psycopg.connect(database, autocommit=True) as beside:
            beside.execute("truncate ad_days")
            for slot in (3, 5):
                beside.execute(row, (slot, 9, 9, 9 * BUDGET, 9 * 15))  # pyright: ignore
        with psycopg.connect(database) as clicking:
            clicking.execute(row, (0, 2, 2, 2 * BUDGET, 2 * 15))  # pyright: ignore
            folding = asyncio.create_task(folds(now=self.LATER))
            await asyncio.sleep(0.3)
            assert not folding.done()
        await folding
        assert ask("select slot, impressions, spend, rewards from ad_days") == [
            (0, 20, 20 * BUDGET, 20 * 15)
        ]


PARAMETER = re.compile(r"%\((\w+)\)s")


def plan_of(database: str, query: str) -> str:
    """As a connection plans it that plans once, whatever is asked later."""
    names = list(dict.fromkeys(PARAMETER.findall(query)))
    numbered = PARAMETER.sub(lambda found: f"${names.index(found[1]) + 1}", query)
    with psycopg.connect(database) as connection:
        plan = connection.execute(f"explain (generic_plan) {numbered.replace('%%', '%')}")  # pyright: ignore
        text = "\n".join(line for (line,) in plan.fetchall())
        # An index has another name in each month.
        for part, whole in connection.execute(
            "select inhrelid::regclass::text, inhparent::regclass::text from pg_inherits"
        ):
            text = re.sub(rf"\b{part}\b", whole, text) if "idx" in part or "key" in part else text
        return text


@pytest.mark.usefixtures("spoilt_books")
class TestPlans:
    """After a long history, whatever share of it still waited when statistics were made."""

    @pytest.fixture(params=["none", "most"])
    async def history(self, request: pytest.FixtureRequest, database: str) -> str:
        ad = await an_ad(await budgeted())
        [player] = await the_players(1)
        waits = request.param == "most"
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "insert into ad_views (id, account_id, ad_id, status, started_at, rewarded_at,"
                " required_seconds, reward_coins, expires_at, paused_ms, tab_hash, device_hash,"
                " day, price, holds_place, invalid_reason)"
                " select overlay(gen_random_uuid()::text placing"
                " left(first_id_since(now())::text, 15) from 1 for 15)::uuid,"
                " %s, %s, 'given_up', %s, null, 5, 15, %s, 0, '', '', %s,"
                " 0, %s and n %% 10 > 0, '' from generate_series(1, 20000) n",
                (player.user_id, ad.id, NOON, NOON, TODAY, waits),
            )
            connection.execute("vacuum analyze ad_views")
            connection.execute("update ad_views set holds_place = false where holds_place")
        return database

    def test_a_place_is_given_back_by_its_views_key(self, history: str):
        plan = plan_of(history, places.LEAVE)
        assert "ad_views_pkey" in plan
        assert "ix_ad_views_places" not in plan

    def test_what_was_left_behind_is_found_without_reading_the_history(self, history: str):
        plan = plan_of(history, places.LEFT_BEHIND)
        assert "ix_ad_views_places" in plan
        assert f"Seq Scan on {months.name_of(AD_VIEWS, month_of(utc_now()))}" not in plan
