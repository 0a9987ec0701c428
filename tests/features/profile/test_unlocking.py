"""Achievements are unlocked once, told once, celebrated once; whatever else happens they stay."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from rewards_app.core import tabs
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.ads import standings
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.leaderboard import service as leaderboard
from rewards_app.features.profile import service as profile
from rewards_app.features.profile import shelf, unlocking
from rewards_app.features.profile.achievements import Achievement
from rewards_app.features.profile.unlocking import Lookout
from rewards_app.features.shell import service as frame
from rewards_app.models import AdView, ForumWriter, Streak, UnlockedAchievement
from tests.ads import an_ad, the_player, the_players, watches
from tests.paying import ask
from tests.people import NOON, a_browser
from tests.shop import PRICE, a_buyer, buys, earns, stock

pytestmark = pytest.mark.usefixtures("database")


async def check(*players: Actor) -> list[tuple[UUID, Achievement]]:
    async with transaction() as session:
        return await unlocking.check(session, [one.user_id for one in players], now=NOON)


async def celebrated(player: Actor) -> list[Achievement]:
    async with transaction() as session:
        return await unlocking.celebrate(session, player.user_id, now=NOON)


async def keep(*rows: object) -> None:
    async with transaction() as session:
        session.add_all(rows)


class TestUnlocking:
    async def test_begins_with_the_first_ad(self):
        maja = await the_player()
        assert await check(maja) == []
        await watches(maja, await an_ad())
        assert await check(maja) == [(maja.user_id, Achievement.FIRST_WATCH)]

    async def test_happens_once_and_is_told_once(self, database: str):
        maja = await the_player()
        await watches(maja, await an_ad())
        await asyncio.gather(*(check(maja) for _ in range(8)))
        assert await check(maja) == []
        assert ask(database, "select kind, link, params->'name' from notifications") == [
            ("achievement", "/profile#achievements", ["achievements.first_watch"])
        ]

    async def test_counts_a_package_that_was_bought_with_coins(self):
        maja = await a_buyer(coins_owned=PRICE)
        await stock(1)
        await buys(maja, PRICE)
        assert (maja.user_id, Achievement.FIRST_REWARD) in await check(maja)

    async def test_waits_for_a_package_that_is_not_paid_yet(self):
        maja = await a_buyer(coins_owned=PRICE)
        await stock(1)
        await buys(maja, PRICE - 30)
        assert await check(maja) == []

    async def test_counts_the_best_streak_though_it_is_over(self):
        maja = await the_player()
        await keep(
            Streak(
                account_id=maja.user_id,
                days=1,
                best=7,
                day_starts_at=NOON,
                day_ends_at=NOON,
                holds_until=NOON,
            )
        )
        assert await check(maja) == [(maja.user_id, Achievement.SEVEN_IN_A_ROW)]

    async def test_counts_topics_and_replies_together(self):
        maja = await the_player()
        await keep(ForumWriter(account_id=maja.user_id, posts=4, replies=6))
        assert await check(maja) == [(maja.user_id, Achievement.VOICE_OF_THE_ARENA)]

    async def test_counts_the_level_by_what_was_ever_earned(self):
        maja = await the_player()
        await earns(maja, 14_000)
        assert await check(maja) == [(maja.user_id, Achievement.LIVING_LEGEND)]

    async def test_comes_with_the_third_game_at_once(self):
        maja = await the_player()
        for game in ("fortnite", "roblox", "valorant"):
            async with transaction() as session:
                await shelf.add(session, maja, {"game": game}, now=NOON)
        assert await celebrated(maja) == [Achievement.SQUAD_READY]

    @pytest.mark.usefixtures("spoilt_books")
    async def test_counts_fifty_ads_of_today(self):
        maja = await the_player()
        ad = await an_ad()
        await watches(maja, ad)
        await keep(*(_watched(maja, ad.id) for _ in range(48)))
        assert (maja.user_id, Achievement.FULL_HOUSE) not in await check(maja)
        await keep(_watched(maja, ad.id))
        assert (maja.user_id, Achievement.FULL_HOUSE) in await check(maja)

    @pytest.mark.usefixtures("spoilt_books")
    @pytest.mark.parametrize(("days", "since"), [(1, None), (60, NOON)], ids=["lately", "long ago"])
    async def test_counts_fifty_ads_of_the_last_day_though_it_is_over(
        self, days: int, since: datetime | None
    ):
        """Nobody looked in its last second, or the worker that would have was gone."""
        maja = await the_player()
        ad = await an_ad()
        await watches(maja, ad)
        await keep(*(_watched(maja, ad.id) for _ in range(49)))
        async with transaction() as session:
            new = await unlocking.check(
                session, [maja.user_id], since=since, now=NOON + timedelta(days=days)
            )
        assert (maja.user_id, Achievement.FULL_HOUSE) in new

    @pytest.mark.usefixtures("spoilt_books")
    async def test_counts_fifty_ads_of_a_day_that_the_frame_ends_for_another_zone(
        self, database: str
    ):
        maja, ad = await the_player(), await an_ad()
        async with transaction() as session:
            await standings.tell_time_zone(session, maja, "Europe/Stockholm", now=NOON)
        await watches(maja, ad)
        await keep(*(_watched(maja, ad.id) for _ in range(49)))
        async with transaction() as session:
            await standings.tell_time_zone(session, maja, "America/Los_Angeles", now=NOON)
        await frame.bar(maja.user_id, now=NOON + timedelta(days=60))
        query = "select achievement from unlocked_achievements where account_id = %s"
        assert (Achievement.FULL_HOUSE.value,) in ask(database, query, maja.user_id)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_counts_fifty_ads_of_yesterday_though_the_first_of_today_comes_before_any_look(
        self, database: str
    ):
        maja, ad = await the_player(), await an_ad()
        await watches(maja, ad)
        await keep(*(_watched(maja, ad.id) for _ in range(49)))
        tomorrow = NOON + timedelta(days=1)
        await frame.bar(maja.user_id, now=tomorrow)
        await watches(maja, ad, now=tomorrow)
        query = "select achievement from unlocked_achievements where account_id = %s"
        assert (Achievement.FULL_HOUSE.value,) in ask(database, query, maja.user_id)

    async def test_is_looked_for_by_the_frame_once_a_day(self):
        """With its first page; those after it ask for no more than they show."""
        maja = await the_player()
        await watches(maja, await an_ad())
        tomorrow = NOON + timedelta(days=1)
        assert not (await standings.standing(maja.user_id, now=NOON)).is_new_day
        assert (await standings.standing(maja.user_id, now=tomorrow)).is_new_day
        await frame.bar(maja.user_id, now=tomorrow)
        assert not (await standings.standing(maja.user_id, now=tomorrow)).is_new_day

    @pytest.mark.usefixtures("spoilt_books")
    async def test_counts_no_day_of_a_zone_that_was_told_later(self):
        """Thirty ads before a midnight and thirty after it make no day of sixty elsewhere."""
        maja = await the_player()
        ad = await an_ad()
        midnight = NOON.replace(hour=0) + timedelta(days=1)
        for minute in (-1, 1):
            at = midnight + timedelta(minutes=minute)
            await watches(maja, ad, now=at)
            await keep(*(_watched(maja, ad.id, at=at) for _ in range(29)))
        async with transaction() as session:
            await standings.tell_time_zone(session, maja, "America/Los_Angeles", now=at)
        for later in (timedelta(0), timedelta(days=2)):
            async with transaction() as session:
                new = await unlocking.check(session, [maja.user_id], now=at + later)
                own = await profile.own_profile(session, maja, now=at + later)
            assert (maja.user_id, Achievement.FULL_HOUSE) not in new
            [best] = [
                one.progress
                for one in own.achievements
                if one.achievement == Achievement.FULL_HOUSE
            ]
            assert best < DAILY_LIMIT

    async def test_looks_at_many_players_at_once_and_tells_them_apart(self):
        players = await the_players(20)
        await watches(players[3], await an_ad())
        assert await check(*players) == [(players[3].user_id, Achievement.FIRST_WATCH)]

    async def test_takes_nothing_back(self):
        maja = await the_player()
        for game in ("fortnite", "roblox", "valorant"):
            async with transaction() as session:
                made = await shelf.add(session, maja, {"game": game}, now=NOON)
        async with transaction() as session:
            await shelf.remove(session, maja, made, now=NOON)
        async with transaction() as session:
            kept = await session.get(UnlockedAchievement, (maja.user_id, "squad_ready"))
        assert kept is not None


def _watched(player: Actor, ad_id: UUID, *, at: datetime = NOON) -> AdView:
    return AdView(
        account_id=player.user_id,
        ad_id=ad_id,
        status="rewarded",
        started_at=at,
        required_seconds=5,
        reward_coins=15,
        expires_at=at,
        rewarded_at=at,
        ended_at=at,
        tab_hash="",
        day=at.date(),
    )


class TestTheMoment:
    async def test_comes_once_whichever_tab_asks(self):
        maja = await the_player()
        await watches(maja, await an_ad())
        await check(maja)
        assert await unlocking.waiting(maja.user_id) == 1
        told = await asyncio.gather(*(celebrated(maja) for _ in range(5)))
        assert sorted(map(len, told)) == [0, 0, 0, 0, 1]
        assert await unlocking.waiting(maja.user_id) == 0

    async def test_waits_for_the_next_visit(self):
        maja = await the_player()
        await watches(maja, await an_ad())
        await check(maja)
        assert await celebrated(maja) == [Achievement.FIRST_WATCH]
        assert await celebrated(maja) == []

    async def test_is_nobody_elses(self):
        maja, eva = await the_players(2)
        await watches(maja, await an_ad())
        await check(maja, eva)
        assert await celebrated(eva) == []
        assert await unlocking.waiting(maja.user_id) == 1


@pytest.fixture
def no_tabs() -> Iterator[None]:
    tabs.keep_only(())
    yield
    tabs.keep_only(())


@pytest.mark.usefixtures("no_tabs")
class TestTheLookout:
    async def test_looks_at_those_with_an_open_tab_soon_and_once_more(self):
        maja, eva = await the_players(2)
        tabs.remember(a_browser("maja"), maja)
        lookout = Lookout(swept_at=0.0)
        await lookout.note(str(maja.user_id))
        await lookout.note(str(eva.user_id))
        later = max(lookout.later.values())
        assert lookout.take(1.0) == [maja.user_id]
        assert lookout.take(2.0) == []
        lookout.swept_at = later
        assert lookout.take(later + 0.1) == [maja.user_id]
        assert lookout.take(later + 0.2) == []

    async def test_sweeps_over_everybody_whose_tab_is_open(self):
        maja, eva = await the_players(2)
        for player in (maja, eva):
            tabs.remember(a_browser(str(player.user_id)), player)
        assert Lookout().take(0.0) == sorted([maja.user_id, eva.user_id])

    async def test_unlocks_what_it_finds(self):
        maja = await the_player()
        await watches(maja, await an_ad())
        await leaderboard.fold(now=NOON)
        await unlocking.look_at([maja.user_id])
        assert await celebrated(maja) == [Achievement.FIRST_WATCH]
