"""Ads are started, paused, finished and left on a real database; each pays once or says why not."""

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import MOST_STATEMENTS, AsyncSession, transaction
from rewards_app.core.errors import DomainError, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.ads import finishing, history_repository, rules, service, standings
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.finishing import Finished
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.coins import service as coins
from rewards_app.models import Ad, AdView, Watcher
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    change,
    finishes,
    in_tab,
    starts,
    the_player,
    watches,
)
from tests.ledger import what_is_wrong

pytestmark = pytest.mark.usefixtures("database")
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MIDNIGHT = datetime(2026, 3, 15, tzinfo=NOON.tzinfo)
AT_ONCE = 20
"""All that the connections of one worker carry."""
COMPLETIONS = int(os.environ.get("COMPLETIONS", "200"))
"""`make promises` takes ten thousand."""


@pytest.fixture
async def ad(database: str) -> Ad:
    """Five seconds for fifteen coins."""
    return await an_ad()


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def emil(database: str) -> Actor:
    return await the_player("Emil")


@pytest.fixture
async def view(maja: Actor, ad: Ad) -> RunningAd:
    """Maja has started an ad of five seconds at noon."""
    return await starts(maja, ad)


@pytest.fixture
def rows(database: str) -> Callable[..., list[tuple[Any, ...]]]:
    """What is really in the database."""

    def ask(query: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(database) as connection:
            return connection.execute(query, values).fetchall()

    return ask


async def coins_of(player: Actor) -> int:
    return (await coins.balance_of(player.user_id)).balance


async def stands(player: Actor, *, now: datetime) -> standings.Standing:
    return await standings.standing(player.user_id, now=now)


async def tells(player: Actor, zone: str, *, now: datetime) -> None:
    async with transaction() as session:
        await standings.tell_time_zone(session, player, zone, now=now)


def was_paid(database: str, player: Actor, times: int) -> None:
    """As often as said, an hour ago: as the ad that this player watched then."""
    with psycopg.connect(database) as connection:
        connection.execute(
            "with watched as (insert into ad_views (id, account_id, ad_id, status, started_at,"
            " rewarded_at, required_seconds, reward_coins, expires_at, paused_ms, tab_hash,"
            " device_hash, day, price, holds_place, invalid_reason)"
            " select overlay(gen_random_uuid()::text placing left(id::text, 15) from 1 for 15)"
            "::uuid, account_id, ad_id, status, started_at, rewarded_at,"
            " required_seconds, reward_coins, expires_at, 0, tab_hash, '', day, 0, false, '' from"
            " (select * from"
            " ad_views where account_id = %s and status = 'rewarded' limit 1) as one,"
            " generate_series(1, %s) returning ad_id, day, reward_coins)"
            " update ad_days set impressions = impressions + known, completions = completions +"
            " known, rewards = rewards + coins from (select ad_id, day, count(*) as known,"
            " sum(reward_coins) as coins from watched group by ad_id, day)"
            " as counted where ad_days.ad_id = counted.ad_id and ad_days.day = counted.day"
            " and slot = (select min(slot) from ad_days one where one.ad_id = counted.ad_id"
            " and one.day = counted.day)",
            (player.user_id, times),
        )


async def takes_over(
    player: Actor, view: RunningAd, *, tab: str, now: datetime = NOON
) -> RunningAd:
    async with transaction() as session:
        return await service.take_over(session, player, view.view_id, in_tab(tab), now=now)


async def finishes_in(
    tab: str, player: Actor, view: RunningAd, *, is_repeated: bool = False, now: datetime
) -> Finished | None:
    """The page of that tab has the ad in sight, and says that it is over."""
    async with transaction() as session:
        return await finishing.finish_ad(
            session,
            player,
            view.view_id,
            client_seconds=view.seconds,
            is_repeated=is_repeated,
            shown_by=in_tab(tab),
            now=now,
        )


async def has_running(player: Actor, *, tab: str = "a", now: datetime = NOON) -> RunningAd | None:
    return await service.running_ad(player, in_tab(tab), now=now)


async def in_parallel(
    calls: Iterable[Awaitable[object]], *, at_once: int = AT_ONCE
) -> Counter[type[object]]:
    """How often each kind of outcome came; anything but a refusal fails the test."""
    slots = asyncio.Semaphore(at_once)

    async def outcome(call: Awaitable[object]) -> type[object]:
        async with slots:
            try:
                return type(await call)
            except DomainError as refusal:
                return type(refusal)

    return Counter(await asyncio.gather(*(outcome(call) for call in calls)))


class TestStarting:
    async def test_serves_the_ad_that_was_picked(self, maja: Actor):
        others = [await an_ad() for _ in range(5)]
        for wanted in others:
            assert (await starts(maja, wanted)).ad.id == wanted.id

    async def test_promises_its_length_and_its_reward(self, maja: Actor):
        running = await starts(maja, await an_ad(seconds=45, reward=50))
        assert (running.seconds, running.reward, running.watched_ms) == (45, 50, 0)

    async def test_pays_nothing_yet(self, maja: Actor, view: RunningAd):
        assert await coins_of(maja) == 0

    async def test_counts_for_no_days_limit(self, maja: Actor, view: RunningAd):
        assert (await stands(maja, now=NOON)).ads_today == 0

    async def test_needs_a_verified_age(self, ad: Ad):
        nils = await the_player("Nils", born=None)
        with pytest.raises(rules.AgeNotVerified):
            await starts(nils, ad)

    async def test_waits_for_no_connection_of_those_who_wait_for_it(
        self, maja: Actor, view: RunningAd, monkeypatch: pytest.MonkeyPatch
    ):
        """Pauses of the view that is locked have every other connection of this worker."""
        pauses: list[asyncio.Task[object]] = []

        async def locked_and_beset(session: AsyncSession, account_id: UUID) -> AdView | None:
            locked = await lock_running_view(session, account_id)
            for _ in range(MOST_STATEMENTS):
                pauses.append(
                    asyncio.create_task(service.pause(maja, view.view_id, in_tab("a"), now=NOON))
                )
            await asyncio.sleep(0.3)
            return locked

        lock_running_view = service.repository.lock_running_view
        monkeypatch.setattr(service.repository, "lock_running_view", locked_and_beset)
        assert (await starts(maja, now=NOON + SECOND)).view_id != view.view_id
        await asyncio.gather(*pauses)

    async def test_names_the_advertiser(self, maja: Actor):
        campaign = await a_campaign(await an_advertiser("Hexhaven"))
        assert (await starts(maja, await an_ad(campaign))).ad.advertiser == "Hexhaven"


class TestWhatIsServed:
    """What players may see; the campaign runs from noon for a day."""

    @pytest.fixture
    async def campaign(self, database: str):
        return await a_campaign(starts_at=NOON, ends_at=NOON + DAY)

    @pytest.fixture
    async def dated(self, campaign) -> Ad:
        return await an_ad(campaign)

    @pytest.mark.parametrize("at", [NOON, NOON + DAY - SECOND])
    async def test_is_an_ad_whose_campaign_runs(self, maja: Actor, dated: Ad, at: datetime):
        assert (await starts(maja, dated, now=at)).ad.id == dated.id

    @pytest.mark.parametrize("at", [NOON - SECOND, NOON + DAY])
    async def test_is_none_before_or_after_its_dates(self, maja: Actor, dated: Ad, at: datetime):
        with pytest.raises(rules.NoAdToShow):
            await starts(maja, dated, now=at)

    @pytest.mark.parametrize("status", ["draft", "paused", "completed"])
    async def test_is_none_of_a_campaign_that_does_not_run(self, maja, campaign, dated, status):
        await change(campaign, status=status)
        with pytest.raises(rules.NoAdToShow):
            await starts(maja, dated)

    @pytest.mark.parametrize("status", ["pending_review", "paused", "rejected"])
    async def test_is_no_ad_that_is_not_active(self, maja: Actor, ad: Ad, status: str):
        await change(ad, status=status)
        with pytest.raises(rules.NoAdToShow):
            await starts(maja, ad)

    @pytest.mark.parametrize("status", ["pending", "rejected"])
    async def test_is_none_of_a_company_that_is_not_approved(self, maja: Actor, status: str):
        company = await an_advertiser(status=status)
        with pytest.raises(rules.NoAdToShow):
            await starts(maja, await an_ad(await a_campaign(company)))

    async def test_is_another_ad_when_the_picked_one_is_not_eligible(self, maja: Actor, ad: Ad):
        gone = await an_ad(status="paused")
        assert (await starts(maja, gone)).ad.id == ad.id

    async def test_is_another_ad_when_the_picked_one_never_was(self, maja: Actor, ad: Ad):
        assert (await starts(maja, new_id())).ad.id == ad.id

    async def test_is_another_than_the_last_one_seen(self, maja: Actor, ad: Ad):
        other = await an_ad()
        for number in range(10):
            served = (await starts(maja, new_id(), now=NOON + number * SECOND)).ad.id
            ad, other = (other, ad) if served == ad.id else (ad, other)
            again = await starts(maja, None, now=NOON + number * SECOND + SECOND / 2)
            assert again.ad.id != served

    async def test_is_the_last_one_seen_for_want_of_others(self, maja: Actor, ad: Ad):
        await watches(maja, ad)
        assert (await starts(maja, None, now=NOON + MINUTE)).ad.id == ad.id

    async def test_is_nothing_in_an_empty_house(self, maja: Actor):
        with pytest.raises(rules.NoAdToShow):
            await starts(maja, None)

    async def test_a_running_ad_goes_on_when_there_is_no_other(self, maja, ad, view):
        await change(ad, status="paused")
        with pytest.raises(rules.NoAdToShow):
            await starts(maja, ad)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15


class TestFinishing:
    async def test_pays_exactly_on_time(self, maja: Actor, view: RunningAd):
        finished = await finishes(maja, view, now=NOON + 5 * SECOND)
        assert finished == Finished(coins=15, left_today=49)
        assert await coins_of(maja) == 15

    async def test_refuses_one_second_too_short(self, maja: Actor, view: RunningAd):
        with pytest.raises(rules.WatchedTooShort) as refusal:
            await finishes(maja, view, now=NOON + 4 * SECOND)
        assert refusal.value.params == {"count": 1}
        assert await coins_of(maja) == 0

    async def test_pays_the_rest_after_a_refusal_that_came_too_early(self, maja, view):
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 4 * SECOND)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15

    async def test_pays_once(self, maja: Actor, view: RunningAd):
        await finishes(maja, view, now=NOON + 5 * SECOND)
        with pytest.raises(rules.AlreadyRewarded):
            await finishes(maja, view, now=NOON + 6 * SECOND)
        assert await coins_of(maja) == 15

    async def test_writes_one_entry_that_names_the_view_and_the_ad(self, maja, view, rows):
        await finishes(maja, view, now=NOON + 5 * SECOND)
        assert rows("select amount, kind, cause, subject, balance_after from coin_entries") == [
            (15, "ad", f"ad:{view.view_id}", "Sit like a champion", 15)
        ]

    async def test_repeated_because_no_answer_came_is_no_refusal(self, maja, view, rows):
        paid = await finishes(maja, view, now=NOON + 5 * SECOND)
        again = await finishes(maja, view, now=NOON + 7 * SECOND, is_repeated=True)
        assert again == paid
        assert await coins_of(maja) == 15
        assert rows("select count(*) from fraud_signals") == [(0,)]

    async def test_repeated_pays_when_the_first_call_never_came(self, maja, view):
        assert (await finishes(maja, view, now=NOON + 5 * SECOND, is_repeated=True)).coins == 15

    async def test_repeated_refuses_what_was_never_paid(self, maja: Actor, view: RunningAd):
        await service.give_up(maja, view.view_id, now=NOON + SECOND)
        with pytest.raises(rules.ViewEnded):
            await finishes(maja, view, now=NOON + 5 * SECOND, is_repeated=True)

    async def test_refuses_after_its_time(self, maja: Actor, view: RunningAd):
        late = NOON + 5 * SECOND + rules.FINISH_WITHIN + SECOND
        with pytest.raises(rules.ViewExpired):
            await finishes(maja, view, now=late)
        with pytest.raises(rules.ViewEnded):
            await finishes(maja, view, now=late)
        assert await coins_of(maja) == 0

    async def test_refuses_what_was_given_up(self, maja: Actor, view: RunningAd):
        assert await service.give_up(maja, view.view_id, now=NOON + 5 * SECOND)
        with pytest.raises(rules.ViewEnded):
            await finishes(maja, view, now=NOON + 6 * SECOND)

    async def test_refuses_another_players_session(self, emil: Actor, maja, view: RunningAd):
        with pytest.raises(rules.UnknownView):
            await finishes(emil, view, now=NOON + 5 * SECOND)
        assert await coins_of(emil) == 0
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15

    async def test_refuses_a_session_that_was_made_up(self, maja: Actor):
        with pytest.raises(rules.UnknownView):
            await finishes(maja, new_id(), now=NOON)

    async def test_pays_what_was_promised_though_the_ad_has_changed(self, maja, ad, view):
        await change(ad, reward_coins=50, duration=60, status="paused", title="New")
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15

    async def test_counts_towards_what_was_ever_watched(self, maja: Actor, ad: Ad):
        await watches(maja, ad)
        await watches(maja, ad, now=NOON + MINUTE)
        today = await stands(maja, now=NOON + HOUR)
        assert (today.ads_today, today.coins_today) == (2, 30)
        assert (await coins.balance_of(maja.user_id)).ads == 2

    @pytest.mark.parametrize("claimed", [0, 1, 3600, 2**31 - 1])
    async def test_takes_no_notice_of_what_the_page_says_it_watched(self, maja, view, claimed):
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 4 * SECOND, client_seconds=claimed)
        finished = await finishes(maja, view, now=NOON + 5 * SECOND, client_seconds=claimed)
        assert finished.coins == 15

    async def test_in_another_tab_than_it_was_started_in_pays_too(self, maja, view):
        """Which tab asks is no secret and no proof: the session belongs to the player."""
        await takes_over(maja, view, tab="b")
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15


@pytest.mark.parametrize("knows_the_start", [True, False])
class TestWhatTheFinishKnows:
    """A state that has started the ad knows it; another one asks. Both come to the same end."""

    @pytest.fixture
    def asked(self, view: RunningAd, knows_the_start: bool):
        return view if knows_the_start else view.view_id

    async def test_pays_on_time(self, maja: Actor, asked):
        assert await finishes(maja, asked, now=NOON + 5 * SECOND) == Finished(15, 49)

    async def test_refuses_what_is_too_short(self, maja: Actor, asked):
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, asked, now=NOON + 4 * SECOND)

    async def test_says_how_much_is_missing_with_a_pause_since_then(self, maja, view, asked):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + SECOND)
        await service.resume(maja, view.view_id, in_tab("a"), now=NOON + 3 * SECOND)
        with pytest.raises(rules.WatchedTooShort) as refusal:
            await finishes(maja, asked, now=NOON + 4 * SECOND)
        assert refusal.value.params == {"count": 3}

    async def test_leaves_out_a_pause_since_then(self, maja: Actor, view: RunningAd, asked):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + SECOND)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, asked, now=NOON + 5 * SECOND)
        await service.resume(maja, view.view_id, in_tab("a"), now=NOON + 5 * SECOND)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, asked, now=NOON + 8 * SECOND)
        assert (await finishes(maja, asked, now=NOON + 9 * SECOND)).coins == 15

    async def test_refuses_what_was_left_since_then(self, maja: Actor, view: RunningAd, asked):
        await service.give_up(maja, view.view_id, now=NOON + SECOND)
        with pytest.raises(rules.ViewEnded):
            await finishes(maja, asked, now=NOON + 5 * SECOND)

    async def test_refuses_what_was_paid_since_then(self, maja: Actor, asked):
        await finishes(maja, asked, now=NOON + 5 * SECOND)
        with pytest.raises(rules.AlreadyRewarded):
            await finishes(maja, asked, now=NOON + 6 * SECOND)
        assert await coins_of(maja) == 15

    async def test_refuses_another_player(self, emil: Actor, asked):
        with pytest.raises(rules.UnknownView):
            await finishes(emil, asked, now=NOON + 5 * SECOND)

    async def test_counts_for_the_new_day_when_the_old_one_has_ended(
        self, maja, ad, knows_the_start
    ):
        await watches(maja, ad)
        late = await starts(maja, ad, now=MIDNIGHT - 2 * SECOND)
        asked = late if knows_the_start else late.view_id
        assert (await finishes(maja, asked, now=MIDNIGHT + 3 * SECOND)).left_today == 49


class TestPauses:
    async def test_do_not_count_as_watched(self, maja: Actor, view: RunningAd):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + 2 * SECOND)
        await service.resume(maja, view.view_id, in_tab("a"), now=NOON + MINUTE)
        with pytest.raises(rules.WatchedTooShort) as refusal:
            await finishes(maja, view, now=NOON + MINUTE + 2 * SECOND)
        assert refusal.value.params == {"count": 1}
        assert (await finishes(maja, view, now=NOON + MINUTE + 3 * SECOND)).coins == 15

    async def test_add_up(self, maja: Actor, view: RunningAd):
        for second in (1, 11, 21):
            await service.pause(maja, view.view_id, in_tab("a"), now=NOON + second * SECOND)
            await service.resume(maja, view.view_id, in_tab("a"), now=NOON + (second + 9) * SECOND)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 31 * SECOND)
        assert (await finishes(maja, view, now=NOON + 32 * SECOND)).coins == 15

    async def test_are_rounded_so_that_nobody_gains_by_many_of_them(self, maja, view):
        a_blink = timedelta(microseconds=1)
        for number in range(20):
            at = NOON + number * 2 * a_blink
            await service.pause(maja, view.view_id, in_tab("a"), now=at)
            await service.resume(maja, view.view_id, in_tab("a"), now=at + a_blink)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 5 * SECOND)

    async def test_begun_twice_begin_once(self, maja: Actor, view: RunningAd):
        assert await service.pause(maja, view.view_id, in_tab("a"), now=NOON + SECOND)
        assert not await service.pause(maja, view.view_id, in_tab("a"), now=NOON + 4 * SECOND)
        running = await has_running(maja, now=NOON + MINUTE)
        assert running
        assert (running.is_paused, running.watched_ms) == (True, 1000)

    async def test_ended_twice_end_once(self, maja: Actor, view: RunningAd):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + SECOND)
        assert await service.resume(maja, view.view_id, in_tab("a"), now=NOON + 2 * SECOND)
        assert not await service.resume(maja, view.view_id, in_tab("a"), now=NOON + 3 * SECOND)
        assert (await finishes(maja, view, now=NOON + 6 * SECOND)).coins == 15

    async def test_that_go_on_refuse_the_end(self, maja: Actor, view: RunningAd):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + 4 * SECOND)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + MINUTE)

    async def test_after_everything_was_watched_take_nothing_away(self, maja, view):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + 5 * SECOND)
        assert (await finishes(maja, view, now=NOON + MINUTE)).coins == 15

    async def test_of_another_player_change_nothing(self, maja: Actor, emil, view: RunningAd):
        assert not await service.pause(emil, view.view_id, in_tab("a"), now=NOON + SECOND)
        assert not await service.give_up(emil, view.view_id, now=NOON + SECOND)
        assert not await service.leave(emil, view.view_id, in_tab("a"), now=NOON + SECOND)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15

    async def test_do_not_keep_a_view_alive_for_ever(self, maja: Actor, view: RunningAd):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + 4 * SECOND)
        await service.resume(maja, view.view_id, in_tab("a"), now=NOON + HOUR)
        with pytest.raises(rules.ViewExpired):
            await finishes(maja, view, now=NOON + HOUR + SECOND)


class TestOurOwnClock:
    """It may be set while an ad runs: then nothing is paid early, and nothing is lost."""

    async def test_set_back_pays_nothing_early(self, maja: Actor, view: RunningAd):
        with pytest.raises(rules.WatchedTooShort) as refusal:
            await finishes(maja, view, now=NOON - HOUR + 5 * SECOND)
        assert refusal.value.params == {"count": 3600}

    async def test_set_back_and_right_again_pays_in_the_end(self, maja: Actor, view: RunningAd):
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON - HOUR + 5 * SECOND)
        assert (await finishes(maja, view, now=NOON + 6 * SECOND)).coins == 15

    async def test_ahead_at_the_start_and_right_at_the_end_pays_nothing_early(self, maja, ad):
        view = await starts(maja, ad, now=NOON + HOUR)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 5 * SECOND)
        assert (await finishes(maja, view, now=NOON + HOUR + 5 * SECOND)).coins == 15

    async def test_ahead_at_the_start_holds_nobody_up(self, maja: Actor, ad: Ad):
        await starts(maja, ad, now=NOON + HOUR)
        assert (await watches(maja, ad, now=NOON)).coins == 15

    async def test_set_back_after_a_payment_pays_nothing_until_it_is_right(self, maja, ad):
        await watches(maja, ad, now=NOON)
        view = await starts(maja, ad, now=NOON - 5 * SECOND)
        with pytest.raises(rules.TooQuick):
            await finishes(maja, view, now=NOON)
        assert await coins_of(maja) == 15
        assert (await finishes(maja, view, now=NOON + 10 * SECOND)).coins == 15

    async def test_set_back_refuses_what_was_watched_to_its_end_and_counts_it_so_once(
        self, maja: Actor, ad: Ad, rows
    ):
        counted = "select sum(completions)::int, sum(refused)::int from ad_days"
        await watches(maja, ad, now=NOON)
        view = await starts(maja, ad, now=NOON - 5 * SECOND)
        for _ in range(2):
            with pytest.raises(rules.TooQuick):
                await finishes(maja, view, now=NOON)
            assert rows(counted) == [(1, 1)]
        await finishes(maja, view, now=NOON + 10 * SECOND)
        assert rows(counted) == [(2, 0)]

    async def test_set_back_refuses_it_for_good_when_its_player_leaves(self, maja, ad: Ad, rows):
        await watches(maja, ad, now=NOON)
        view = await starts(maja, ad, now=NOON - 5 * SECOND)
        with pytest.raises(rules.TooQuick):
            await finishes(maja, view, now=NOON)
        await service.give_up(maja, view.view_id, now=NOON)
        assert rows("select sum(refused)::int from ad_days") == [(1,)]

    async def test_set_back_in_a_pause_ends_the_pause(self, maja: Actor, view: RunningAd):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + SECOND)
        await service.resume(maja, view.view_id, in_tab("a"), now=NOON - HOUR)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON - HOUR + 10 * SECOND)

    @pytest.mark.parametrize("hours", [-24, -1, 1, 24])
    async def test_is_the_only_one_that_counts(self, maja: Actor, view: RunningAd, hours: int):
        """A browser whose clock was set so far counts other seconds than we do."""
        claimed = max(0, 5 + hours * 3600)
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 4 * SECOND, client_seconds=claimed)
        finished = await finishes(maja, view, now=NOON + 5 * SECOND, client_seconds=claimed)
        assert finished.coins == 15


class TestTheDailyLimit:
    """Fifty a day. The day of somebody whose browser told nothing is that of UTC."""

    @pytest.fixture
    def fifty(self, forty_nine: Actor, database: str) -> Actor:
        """Maja has been paid for all ads of this day."""
        was_paid(database, forty_nine, 1)
        return forty_nine

    @pytest.fixture
    async def forty_nine(self, maja: Actor, ad: Ad, database: str) -> Actor:
        await watches(maja, ad, now=NOON - HOUR)
        was_paid(database, maja, rules.DAILY_LIMIT - 2)
        return maja

    async def test_lets_the_fiftieth_be_watched(self, forty_nine: Actor, ad: Ad):
        assert await watches(forty_nine, ad) == Finished(coins=15, left_today=0)

    async def test_holds_when_the_fiftieth_is_finished_while_another_is_started(
        self, forty_nine: Actor, ad: Ad, rows
    ):
        """One of them comes first: the other must see what it did."""
        at = NOON
        for _ in range(15):
            view = await has_running(forty_nine, now=at) or await starts(forty_nine, ad, now=at)
            at += 5 * SECOND
            told = await in_parallel(
                [finishes(forty_nine, view, now=at), starts(forty_nine, ad, now=at)]
            )
            if told[Finished]:
                break
        assert (told[Finished], told[rules.DailyLimitReached]) == (1, 1)
        assert rows("select count(*) from ad_views where status = 'running'") == [(0,)]

    async def test_refuses_the_start_of_the_fifty_first(self, fifty: Actor, ad: Ad):
        with pytest.raises(rules.DailyLimitReached):
            await starts(fifty, ad)
        assert (await stands(fifty, now=NOON)).left_today == 0

    async def test_ends_at_midnight(self, fifty: Actor, ad: Ad):
        with pytest.raises(rules.DailyLimitReached):
            await starts(fifty, ad, now=MIDNIGHT - SECOND)
        assert (await watches(fifty, ad, now=MIDNIGHT)).left_today == 49

    async def test_of_one_player_is_no_other_players(self, fifty: Actor, emil: Actor, ad: Ad):
        assert (await watches(emil, ad)).left_today == 49

    async def test_refuses_at_the_end_what_came_over_it_meanwhile(
        self, forty_nine: Actor, ad: Ad, database: str, rows
    ):
        """No way leads there but a clock that was set: the last line of defence still holds."""
        view = await starts(forty_nine, ad)
        was_paid(database, forty_nine, 1)
        with pytest.raises(rules.DailyLimitAtFinish):
            await finishes(forty_nine, view.view_id, now=NOON + 5 * SECOND)
        assert rows("select status, refusal from ad_views where id = %s", view.view_id) == [
            ("refused", "ads.daily_limit_at_finish")
        ]
        assert rows("select sum(refused)::int from ad_days") == [(1,)]

    async def test_counts_an_ad_for_the_day_in_which_it_ended(self, forty_nine: Actor, ad: Ad):
        view = await starts(forty_nine, ad, now=MIDNIGHT - 2 * SECOND)
        finished = await finishes(forty_nine, view, now=MIDNIGHT + 3 * SECOND)
        assert finished.left_today == 49
        assert (await stands(forty_nine, now=MIDNIGHT + 3 * SECOND)).ads_today == 1
        # Nothing was started since, and it is another day again.
        assert (await stands(forty_nine, now=MIDNIGHT + DAY)).ads_today == 0


class TestAPlayersOwnDay:
    async def test_is_that_of_their_zone_when_it_was_told_before_the_first_ad(self, maja, ad):
        await tells(maja, "Asia/Kathmandu", now=NOON)
        await watches(maja, ad, now=NOON)
        today = await stands(maja, now=NOON)
        assert (today.time_zone, today.ads_today) == ("Asia/Kathmandu", 1)
        assert today.day_ends_at == datetime(2026, 3, 14, 18, 15, tzinfo=NOON.tzinfo)
        assert (await stands(maja, now=today.day_ends_at)).ads_today == 0

    async def test_can_be_told_again_until_the_first_ad(self, maja: Actor):
        await tells(maja, "Asia/Kathmandu", now=NOON)
        await tells(maja, "Asia/Tokyo", now=NOON)
        today = await stands(maja, now=NOON)
        assert today.time_zone == "Asia/Tokyo"
        assert today.day_ends_at == datetime(2026, 3, 14, 15, tzinfo=NOON.tzinfo)

    async def test_stays_until_its_midnight_when_the_zone_changes_later(self, maja, ad):
        await watches(maja, ad, now=NOON)
        await tells(maja, "Asia/Tokyo", now=NOON)
        assert (await stands(maja, now=NOON)).time_zone == "Asia/Tokyo"
        assert (await stands(maja, now=NOON)).day_ends_at == MIDNIGHT
        assert (await stands(maja, now=MIDNIGHT - SECOND)).ads_today == 1

    async def test_of_the_new_zone_begins_there_and_lasts_a_day_at_least(self, maja, ad):
        await watches(maja, ad, now=NOON)
        await tells(maja, "Asia/Tokyo", now=NOON)
        first = await stands(maja, now=MIDNIGHT)
        assert first.ads_today == 0
        assert first.day_ends_at == datetime(2026, 3, 16, 15, tzinfo=NOON.tzinfo)

    async def test_buys_no_second_day_by_a_change_of_zone(self, maja: Actor, ad: Ad):
        for number in range(rules.DAILY_LIMIT):
            await watches(maja, ad, now=NOON + number * MINUTE)
        for zone in ("Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"):
            await tells(maja, zone, now=NOON + HOUR)
            with pytest.raises(rules.DailyLimitReached):
                await starts(maja, ad, now=MIDNIGHT - SECOND)

    async def test_that_changed_while_an_ad_ran_counts_it_where_it_ended(self, maja, ad):
        await watches(maja, ad, now=NOON)
        view = await starts(maja, ad, now=MIDNIGHT - 2 * SECOND)
        await tells(maja, "Asia/Tokyo", now=MIDNIGHT - SECOND)
        assert (await finishes(maja, view, now=MIDNIGHT + 3 * SECOND)).left_today == 49

    @pytest.mark.parametrize("zone", ["", "Mars/Olympus", "utc\0", "x" * 500])
    async def test_is_of_no_zone_that_does_not_exist(self, maja: Actor, zone: str):
        with pytest.raises(rules.UnknownZone):
            await tells(maja, zone, now=NOON)

    async def test_of_a_player_who_never_came_ends_with_that_of_utc(self, maja: Actor):
        today = standings.Standing(0, 0, "", MIDNIGHT)
        assert await stands(maja, now=NOON) == today


class TestSittings:
    """Who is under 18 rests an hour after fifteen ads."""

    @pytest.fixture
    async def nils(self, database: str) -> Actor:
        return await the_player("Nils", born="2010-06-01")

    async def sits(self, player: Actor, ad: Ad, ads: int = rules.ADS_A_SITTING) -> None:
        """The last one starts at noon."""
        for number in reversed(range(ads)):
            await watches(player, ad, now=NOON - number * MINUTE)

    async def test_end_after_fifteen_ads(self, nils: Actor, ad: Ad):
        await self.sits(nils, ad)
        with pytest.raises(rules.SittingIsOver) as refusal:
            await starts(nils, ad, now=NOON + MINUTE)
        assert refusal.value.params == {"count": 59, "age": 18, "ads": 15}

    async def test_have_room_for_the_fifteenth(self, nils: Actor, ad: Ad):
        await self.sits(nils, ad, rules.ADS_A_SITTING - 1)
        assert (await watches(nils, ad, now=NOON + MINUTE)).coins == 15

    async def test_count_only_ads_that_were_paid(self, nils: Actor, ad: Ad):
        for number in range(rules.ADS_A_SITTING + 1):
            await starts(nils, ad, now=NOON - HOUR / 2 + number * SECOND)
        assert (await watches(nils, ad)).coins == 15

    async def test_begin_anew_an_hour_after_the_last_start(self, nils: Actor, ad: Ad):
        await self.sits(nils, ad)
        with pytest.raises(rules.SittingIsOver) as refusal:
            await starts(nils, ad, now=NOON + HOUR - SECOND)
        assert refusal.value.params == {"count": 1, "age": 18, "ads": 15}
        assert (await watches(nils, ad, now=NOON + HOUR)).coins == 15

    async def test_begun_anew_have_room_for_fifteen_more(self, nils: Actor, ad: Ad):
        await self.sits(nils, ad)
        for number in range(rules.ADS_A_SITTING):
            await watches(nils, ad, now=NOON + HOUR + number * MINUTE)
        with pytest.raises(rules.SittingIsOver):
            await starts(nils, ad, now=NOON + 2 * HOUR - MINUTE)

    async def test_are_not_prolonged_by_asking_in_vain(self, nils: Actor, ad: Ad):
        await self.sits(nils, ad)
        for minute in (10, 30, 59):
            with pytest.raises(rules.SittingIsOver):
                await starts(nils, ad, now=NOON + minute * MINUTE)
        assert (await watches(nils, ad, now=NOON + HOUR)).coins == 15

    async def test_do_not_end_at_midnight(self, nils: Actor, ad: Ad):
        for number in range(rules.ADS_A_SITTING):
            await watches(nils, ad, now=MIDNIGHT - (rules.ADS_A_SITTING - number) * MINUTE)
        with pytest.raises(rules.SittingIsOver):
            await starts(nils, ad, now=MIDNIGHT + MINUTE)

    async def test_are_for_nobody_of_eighteen(self, ad: Ad):
        wilma = await the_player("Wilma", born="2008-03-14")
        await self.sits(wilma, ad)
        assert (await watches(wilma, ad, now=NOON + MINUTE)).coins == 15

    async def test_are_for_whoever_turns_eighteen_tomorrow(self, ad: Ad):
        wilma = await the_player("Wilma", born="2008-03-15")
        await self.sits(wilma, ad)
        with pytest.raises(rules.SittingIsOver):
            await starts(wilma, ad, now=NOON + MINUTE)

    async def test_end_with_the_birthday_in_the_players_own_zone(self, ad: Ad):
        """At 18:30 in Greenwich it is already tomorrow in Nepal, and tomorrow she is 18."""
        wilma = await the_player("Wilma", born="2008-03-15")
        await tells(wilma, "Asia/Kathmandu", now=NOON)
        evening = datetime(2026, 3, 14, 18, 20, tzinfo=NOON.tzinfo)
        for number in range(rules.ADS_A_SITTING):
            await watches(wilma, ad, now=evening - (rules.ADS_A_SITTING - number) * MINUTE)
        assert await standings.left_in_sitting(wilma.user_id, now=evening) is None
        assert (await watches(wilma, ad, now=evening)).coins == 15


class TestABirthday:
    """Whatever follows from being 18 does so with the day where the player is."""

    @pytest.fixture
    async def wilma(self, database: str) -> Actor:
        return await the_player("Wilma", born="2008-03-14")

    async def is_grown_up(self, player: Actor, *, now: datetime) -> set[bool]:
        """By what is listed for them, by their breaks, and by whom their view is counted for."""
        await starts(player, None, now=now)
        left = await standings.left_in_sitting(player.user_id, now=now)
        async with transaction() as session:
            watcher = await session.get_one(Watcher, player.user_id)
        return {
            not await service.is_minor(player, now=now),
            left is None,
            watcher.age_group != AgeGroup.UNDER_18,
        }

    @pytest.mark.parametrize(
        ("zone", "begins"),
        [
            ("Pacific/Kiritimati", datetime(2026, 3, 13, 10, tzinfo=UTC)),
            ("Asia/Kathmandu", datetime(2026, 3, 13, 18, 15, tzinfo=UTC)),
            ("Europe/London", datetime(2026, 3, 14, tzinfo=UTC)),
            ("America/Los_Angeles", datetime(2026, 3, 14, 7, tzinfo=UTC)),
        ],
    )
    async def test_begins_with_their_own_day(
        self, wilma: Actor, ad: Ad, zone: str, begins: datetime
    ):
        await tells(wilma, zone, now=NOON - 2 * DAY)
        assert await self.is_grown_up(wilma, now=begins - SECOND) == {False}
        assert await self.is_grown_up(wilma, now=begins) == {True}

    async def test_begins_with_the_day_of_the_house_where_no_zone_was_told(
        self, wilma: Actor, ad: Ad
    ):
        begins = datetime(2026, 3, 13, 23, tzinfo=UTC)
        assert await self.is_grown_up(wilma, now=begins - SECOND) == {False}
        assert await self.is_grown_up(wilma, now=begins) == {True}

    async def test_begins_by_the_new_zone_once_that_has_taken_over(self, wilma: Actor, ad: Ad):
        await tells(wilma, "America/Los_Angeles", now=NOON - 2 * DAY)
        await starts(wilma, ad, now=NOON - 2 * DAY)
        await tells(wilma, "Pacific/Kiritimati", now=NOON - 2 * DAY)
        takes_over = datetime(2026, 3, 13, 7, tzinfo=UTC)
        begins = takes_over + 3 * HOUR
        for moment, is_minor in ((begins - SECOND, True), (begins, False)):
            assert await service.is_minor(wilma, now=moment) is is_minor
        assert await self.is_grown_up(wilma, now=begins) == {True}

    async def test_begins_by_the_old_zone_until_then(self, wilma: Actor, ad: Ad):
        await tells(wilma, "America/Los_Angeles", now=NOON - DAY)
        await starts(wilma, ad, now=NOON - DAY)
        await tells(wilma, "Pacific/Kiritimati", now=NOON - DAY)
        takes_over = datetime(2026, 3, 14, 7, tzinfo=UTC)
        assert await self.is_grown_up(wilma, now=takes_over - SECOND) == {False}
        assert await self.is_grown_up(wilma, now=takes_over) == {True}


class TestHaste:
    """Each start is an impression of somebody's ad: no more are made than anybody could watch."""

    async def starts_all(self, player: Actor, ad: Ad, *, every: timedelta, times: int) -> None:
        """The last one starts at noon."""
        for number in reversed(range(times)):
            await starts(player, ad, now=NOON - number * every)

    async def is_refused(self, player: Actor, ad: Ad, *, now: datetime, minutes: int) -> None:
        with pytest.raises(TooManyAttempts) as refusal:
            await starts(player, ad, now=now)
        assert refusal.value.params == {"count": minutes}

    async def test_is_refused_for_the_rest_of_a_minute(self, maja: Actor, ad: Ad, rows):
        await self.starts_all(maja, ad, every=SECOND, times=rules.STARTS_A_MINUTE)
        for second in (1, 40):
            await self.is_refused(maja, ad, now=NOON + second * SECOND, minutes=1)
        assert rows("select sum(impressions)::int from ad_days") == [(rules.STARTS_A_MINUTE,)]
        first = NOON - (rules.STARTS_A_MINUTE - 1) * SECOND
        assert await starts(maja, ad, now=first + MINUTE)

    async def test_is_refused_for_the_rest_of_a_day(self, maja, ad, monkeypatch):
        monkeypatch.setattr(history_repository, "STARTS_A_DAY", 25)
        await self.starts_all(maja, ad, every=MINUTE, times=25)
        await self.is_refused(maja, ad, now=NOON + HOUR, minutes=22 * 60 + 36)
        await self.is_refused(maja, ad, now=NOON + DAY - 25 * MINUTE, minutes=1)
        assert await starts(maja, ad, now=NOON + DAY - 24 * MINUTE)

    async def test_that_is_refused_lets_the_ad_that_runs_go_on(self, maja: Actor, ad: Ad):
        await self.starts_all(maja, ad, every=SECOND, times=rules.STARTS_A_MINUTE - 1)
        last = await starts(maja, ad)
        with pytest.raises(TooManyAttempts):
            await starts(maja, ad, now=NOON + SECOND)
        assert (await finishes(maja, last, now=NOON + 5 * SECOND)).coins == 15

    async def test_of_one_player_is_no_other_players(self, maja: Actor, emil: Actor, ad: Ad):
        await self.starts_all(maja, ad, every=SECOND, times=rules.STARTS_A_MINUTE)
        assert await starts(emil, ad)

    async def test_under_a_clock_that_was_ahead_does_not_count(self, maja: Actor, ad: Ad):
        await self.starts_all(maja, ad, every=SECOND, times=rules.STARTS_A_MINUTE)
        assert await starts(maja, ad, now=NOON - HOUR)

    async def test_of_many_at_once_in_one_tab_is_counted_one_by_one(self, maja, ad, rows):
        outcomes = await in_parallel(starts(maja, ad) for _ in range(rules.STARTS_A_MINUTE + 10))
        assert outcomes == {RunningAd: rules.STARTS_A_MINUTE, TooManyAttempts: 10}
        assert rows("select sum(impressions)::int from ad_days") == [(rules.STARTS_A_MINUTE,)]


class TestOneAdAtATime:
    async def test_the_same_tab_gives_the_first_one_up(self, maja, ad, view, rows):
        second = await starts(maja, ad, now=NOON + SECOND)
        with pytest.raises(rules.ViewEnded):
            await finishes(maja, view, now=NOON + 5 * SECOND)
        assert (await finishes(maja, second, now=NOON + 6 * SECOND)).coins == 15
        assert rows("select status from ad_views order by started_at") == [
            ("given_up",),
            ("rewarded",),
        ]

    async def test_another_tab_is_refused(self, maja: Actor, ad: Ad, view: RunningAd):
        with pytest.raises(rules.AlreadyWatching):
            await starts(maja, ad, tab="b", now=NOON + SECOND)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15

    async def test_another_tab_may_start_when_the_first_has_finished(self, maja, ad, view):
        await finishes(maja, view, now=NOON + 5 * SECOND)
        assert await starts(maja, ad, tab="b", now=NOON + 5 * SECOND)

    async def test_another_tab_may_start_when_the_first_gave_up(self, maja, ad, view):
        await service.give_up(maja, view.view_id, now=NOON + SECOND)
        assert await starts(maja, ad, tab="b", now=NOON + SECOND)

    async def test_another_tab_may_start_when_the_first_is_too_late(self, maja, ad, view, rows):
        late = NOON + 5 * SECOND + rules.FINISH_WITHIN + SECOND
        await starts(maja, ad, tab="b", now=late)
        assert rows("select status, refusal from ad_views order by started_at") == [
            ("expired", "ads.view_expired"),
            ("running", None),
        ]

    async def test_that_was_refused_before_it_was_too_late_keeps_its_reason(
        self, maja, ad, view, rows
    ):
        with pytest.raises(rules.WatchedTooShort):
            await finishes(maja, view, now=NOON + 2 * SECOND)
        await starts(maja, ad, now=NOON + HOUR)
        assert rows("select status, refusal from ad_views order by started_at") == [
            ("expired", "ads.watched_too_short"),
            ("running", None),
        ]

    async def test_two_players_do_not_wait_for_each_other(self, maja, emil, ad, view):
        assert await starts(emil, ad)

    async def test_giving_up_twice_changes_nothing(self, maja: Actor, view: RunningAd):
        assert await service.give_up(maja, view.view_id, now=NOON + SECOND)
        assert not await service.give_up(maja, view.view_id, now=NOON + 2 * SECOND)

    async def test_giving_up_takes_no_reward_back(self, maja: Actor, view: RunningAd):
        await finishes(maja, view, now=NOON + 5 * SECOND)
        assert not await service.give_up(maja, view.view_id, now=NOON + 6 * SECOND)
        assert await coins_of(maja) == 15


class TestTakingOver:
    async def test_goes_on_where_our_clock_says(self, maja: Actor, view: RunningAd):
        there = await takes_over(maja, view, tab="b", now=NOON + 3 * SECOND)
        assert (there.watched_ms, there.is_here) == (3000, True)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15

    async def test_takes_the_ad_from_the_tab_before(self, maja: Actor, view: RunningAd):
        await takes_over(maja, view, tab="b", now=NOON + SECOND)
        before = await has_running(maja, tab="a", now=NOON + SECOND)
        assert before
        assert not before.is_here

    async def test_ends_a_pause(self, maja: Actor, view: RunningAd):
        await service.pause(maja, view.view_id, in_tab("a"), now=NOON + 2 * SECOND)
        there = await takes_over(maja, view, tab="b", now=NOON + MINUTE)
        assert (there.watched_ms, there.is_paused) == (2000, False)

    async def test_lets_the_tab_before_neither_pause_nor_leave_it(self, maja, view):
        await takes_over(maja, view, tab="b", now=NOON + SECOND)
        assert not await service.pause(maja, view.view_id, in_tab("a"), now=NOON + 2 * SECOND)
        assert not await service.leave(maja, view.view_id, in_tab("a"), now=NOON + 3 * SECOND)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15

    @pytest.mark.parametrize("is_paid", [False, True])
    @pytest.mark.parametrize("is_repeated", [False, True])
    async def test_is_no_offence_of_the_tab_before_that_has_not_heard_of_it(
        self, maja, view, rows, is_paid: bool, is_repeated: bool
    ):
        await takes_over(maja, view, tab="b", now=NOON + SECOND)
        if is_paid:
            await finishes(maja, view, now=NOON + 5 * SECOND)
        at = NOON + (6 if is_paid else 4) * SECOND
        assert await finishes_in("a", maja, view, is_repeated=is_repeated, now=at) is None
        assert rows("select count(*) from fraud_signals") == [(0,)]
        assert rows("select refusal from ad_views") == [(None,)]
        assert await coins_of(maja) == (15 if is_paid else 0)

    async def test_makes_the_new_tab_answer_for_the_ad(self, maja, view, rows):
        await takes_over(maja, view, tab="b", now=NOON + SECOND)
        with pytest.raises(rules.WatchedTooShort):
            await finishes_in("b", maja, view, now=NOON + 4 * SECOND)
        assert rows("select rule from fraud_signals") == [("early_completion",)]

    async def test_lets_the_tab_before_pay_for_it_once(self, maja, view, rows):
        await takes_over(maja, view, tab="b", now=NOON + SECOND)
        at = NOON + 5 * SECOND
        assert await finishes_in("a", maja, view, now=at) == Finished(coins=15, left_today=49)
        assert await finishes_in("a", maja, view, now=at) is None
        assert await coins_of(maja) == 15
        assert rows("select count(*) from coin_entries") == [(1,)]

    async def test_lets_the_tab_before_end_no_pause(self, maja: Actor, view: RunningAd):
        await takes_over(maja, view, tab="b", now=NOON + SECOND)
        assert await service.pause(maja, view.view_id, in_tab("b"), now=NOON + 2 * SECOND)
        assert not await service.resume(maja, view.view_id, in_tab("a"), now=NOON + MINUTE)
        assert await service.resume(maja, view.view_id, in_tab("b"), now=NOON + MINUTE)

    @pytest.mark.parametrize("tab", ["a", "b"])
    async def test_lets_any_tab_give_it_up(self, maja: Actor, view: RunningAd, tab: str):
        await takes_over(maja, view, tab=tab, now=NOON + SECOND)
        assert await service.give_up(maja, view.view_id, now=NOON + 2 * SECOND)

    async def test_lets_its_own_tab_leave_it(self, maja: Actor, view: RunningAd):
        await takes_over(maja, view, tab="b", now=NOON + SECOND)
        assert await service.leave(maja, view.view_id, in_tab("b"), now=NOON + 2 * SECOND)
        with pytest.raises(rules.ViewEnded):
            await finishes(maja, view, now=NOON + 5 * SECOND)

    async def test_refuses_what_is_too_late(self, maja: Actor, view: RunningAd):
        with pytest.raises(rules.ViewEnded):
            await takes_over(maja, view, tab="b", now=NOON + HOUR)

    async def test_refuses_what_is_over(self, maja: Actor, view: RunningAd):
        await finishes(maja, view, now=NOON + 5 * SECOND)
        with pytest.raises(rules.ViewEnded):
            await takes_over(maja, view, tab="b", now=NOON + 6 * SECOND)

    async def test_refuses_another_players_ad(self, emil: Actor, view: RunningAd):
        with pytest.raises(rules.ViewEnded):
            await takes_over(emil, view, tab="b")

    async def test_refuses_another_ad_than_the_one_that_runs(self, maja, ad, view):
        await starts(maja, ad, now=NOON + SECOND)
        with pytest.raises(rules.ViewEnded):
            await takes_over(maja, view, tab="b", now=NOON + SECOND)


class TestTheRunningAd:
    async def test_is_none_before_the_first(self, maja: Actor):
        assert await has_running(maja) is None

    async def test_is_what_was_started(self, maja: Actor, view: RunningAd):
        assert await has_running(maja) == view

    async def test_is_none_when_it_is_too_late_to_finish(self, maja: Actor, view: RunningAd):
        last = NOON + 5 * SECOND + rules.FINISH_WITHIN
        assert await has_running(maja, now=last)
        assert await has_running(maja, now=last + SECOND) is None

    async def test_is_shown_though_its_ad_is_served_no_more(self, maja, ad, view):
        await change(ad, status="paused")
        assert await has_running(maja)

    async def test_has_never_been_watched_for_less_than_nothing(self, maja, view):
        running = await has_running(maja, now=NOON - HOUR)
        assert running
        assert running.watched_ms == 0


class TestAtTheSameTime:
    @pytest.mark.timeout(240 + COMPLETIONS / 10)
    async def test_hundreds_of_completions_pay_once(self, maja, view, database, rows):
        at = NOON + 5 * SECOND
        outcomes = await in_parallel(finishes(maja, view, now=at) for _ in range(COMPLETIONS))
        assert outcomes == {Finished: 1, rules.AlreadyRewarded: COMPLETIONS - 1}
        assert await coins_of(maja) == 15
        assert rows("select count(*) from coin_entries") == [(1,)]
        assert not what_is_wrong(database)

    async def test_fifty_repeated_completions_all_hear_of_one_payment(self, maja, view):
        at = NOON + 5 * SECOND
        outcomes = await in_parallel(
            finishes(maja, view, now=at, is_repeated=True) for _ in range(50)
        )
        assert outcomes == {Finished: 50}
        assert await coins_of(maja) == 15

    async def test_twenty_starts_in_twenty_tabs_make_one_running_ad(self, maja, ad, rows):
        outcomes = await in_parallel(starts(maja, ad, tab=str(n)) for n in range(20))
        assert outcomes == {RunningAd: 1, rules.AlreadyWatching: 19}
        assert rows("select status from ad_views") == [("running",)]

    async def test_twenty_starts_in_one_tab_leave_one_running_ad(self, maja, ad, rows):
        outcomes = await in_parallel(starts(maja, ad) for _ in range(20))
        assert outcomes == {RunningAd: 20}
        assert rows("select count(*) from ad_views where status = 'running'") == [(1,)]

    async def test_finishing_and_starting_the_next_never_stand_in_each_others_way(
        self, maja, ad, view, database
    ):
        """They lock the same rows, so they must take them in the same order."""
        at, outcomes = NOON, Counter[type[object]]()
        for _ in range(40):
            at += 5 * SECOND
            outcomes += await in_parallel([finishes(maja, view, now=at), starts(maja, ad, now=at)])
            view = await has_running(maja, now=at) or await starts(maja, ad, now=at)
        assert outcomes[RunningAd] == 40
        assert outcomes[Finished] + outcomes[rules.ViewEnded] == 40
        assert not what_is_wrong(database)

    async def test_finishing_and_pausing_and_leaving_tell_the_truth(self, maja, ad, rows):
        for number in range(30):
            at = NOON + number * MINUTE
            view = await starts(maja, ad, now=at)
            end = at + 5 * SECOND
            told = await in_parallel(
                [
                    finishes(maja, view, now=end, is_repeated=True),
                    service.pause(maja, view.view_id, in_tab("a"), now=end),
                    service.resume(maja, view.view_id, in_tab("a"), now=end),
                    service.give_up(maja, view.view_id, now=end),
                ]
            )
            status = rows("select status from ad_views where id = %s", view.view_id)[0][0]
            assert (status == "rewarded") == (told[Finished] == 1), (status, told)
            assert (status == "given_up") == (told[rules.ViewEnded] == 1), (status, told)

    async def test_many_players_are_each_paid_what_they_watched(self, ad: Ad, database):
        players = [await the_player(f"Player{n}") for n in range(20)]

        async def watches_three(player: Actor) -> Finished:
            for number in range(2):
                await watches(player, ad, now=NOON + number * MINUTE)
            return await watches(player, ad, now=NOON + 2 * MINUTE)

        assert await in_parallel(map(watches_three, players)) == {Finished: 20}
        assert {await coins_of(player) for player in players} == {45}
        assert not what_is_wrong(database)


class TestClicks:
    async def test_lead_where_the_advertiser_wants(self, maja: Actor, view: RunningAd):
        address = await service.click(maja, view.view_id, now=NOON)
        assert address == "https://northlight.example/chairs"

    async def test_are_counted_once_a_view(self, maja: Actor, view: RunningAd, rows):
        await service.click(maja, view.view_id, now=NOON)
        await service.click(maja, view.view_id, now=NOON + SECOND)
        assert rows("select clicked_at from ad_views") == [(NOON,)]

    async def test_of_another_player_lead_nowhere(self, emil: Actor, view: RunningAd, rows):
        assert await service.click(emil, view.view_id, now=NOON) is None
        assert rows("select clicked_at from ad_views") == [(None,)]

    @pytest.mark.parametrize("status", ["pending_review", "rejected"])
    async def test_lead_nowhere_that_nobody_has_approved(self, maja, ad: Ad, view, rows, status):
        await change(ad, status=status, click_url="https://evil.example/")
        assert await service.click(maja, view.view_id, now=NOON) is None
        assert rows("select clicked_at from ad_views") == [(None,)]

    async def test_tell_the_companys_site_where_they_come_from_if_it_wants(self, maja: Actor):
        campaign = await a_campaign(await an_advertiser(tags_links=True), name="Winter")
        view = await starts(maja, await an_ad(campaign, title="Rise"))
        address = await service.click(maja, view.view_id, now=NOON)
        assert address == (
            "https://northlight.example/chairs?utm_source=watchcoins&utm_medium=rewarded"
            "&utm_campaign=Winter&utm_content=Rise"
        )

    async def test_of_a_paused_ad_lead_on(self, maja: Actor, ad: Ad, view: RunningAd):
        await change(ad, status="paused")
        assert await service.click(maja, view.view_id, now=NOON)

    @pytest.mark.parametrize("address", ["", "javascript:alert(1)", "https://a:b@evil.example"])
    async def test_lead_to_no_unsafe_place(self, maja: Actor, address: str):
        view = await starts(maja, await an_ad(click_url=address))
        assert await service.click(maja, view.view_id, now=NOON) is None
