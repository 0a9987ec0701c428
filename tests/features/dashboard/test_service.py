"""What the homes show, counted on a real database."""

from datetime import timedelta
from itertools import pairwise
from uuid import uuid4

import psycopg
import pytest

from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.accounts import closing, restrictions
from rewards_app.features.accounts.restriction_rules import Kind as RestrictionKind
from rewards_app.features.ads.rules import ADS_A_SITTING
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.dashboard import service
from rewards_app.features.dashboard.rules import Platform
from rewards_app.features.privacy import erasing
from tests.ads import NOON, SECOND, an_ad, the_actor, the_player, the_players, watches
from tests.people import an_account
from tests.shop import PRICE, a_buyer, stock
from tests.shop import buys as orders
from tests.states import failing

pytestmark = pytest.mark.usefixtures("database")
LATER = NOON + timedelta(days=31)
# 14 March 2026: Stockholm is an hour ahead of UTC, its midnight is at 23:00.
MIDNIGHT = NOON.replace(hour=23) - timedelta(days=1)


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def counted(*, now=NOON + timedelta(hours=1)) -> Platform:
    return await service.PlatformCount().count(now)


async def buys(account_id, amount: int) -> None:
    async with transaction() as session:
        held = await coins.hold(session, account_id, amount, f"order:{uuid4()}", now=NOON)
        await coins.settle(session, held, subject="800 Robux", now=NOON)


async def earns(account_id, amount: int) -> None:
    async with transaction() as session:
        await coins.credit(session, account_id, amount, Kind.WELCOME, f"w:{uuid4()}", now=NOON)


class TestPlatform:
    async def test_is_all_zero_and_has_no_top_player_where_nobody_is(self):
        assert await counted() == Platform(players=0, ads_today=0, coins=0, rewards=0)

    async def test_counts_players_and_moderators_only(self):
        for role in Role:
            await an_account(f"{role}@example.com", role)
        assert (await counted()).players == 2

    async def test_counts_nobody_who_leaves_or_is_forgotten(self):
        leaving = await an_account()
        forgotten = await an_account("carl@example.com", Role.COMPANY)
        await an_account("emil@example.com")
        for account in (leaving, forgotten):
            async with transaction() as session:
                await closing.close(session, account.id, now=NOON)
        await erasing.erase(forgotten.id, now=LATER)
        assert (await counted()).players == 1
        async with transaction() as session:
            census = await service.census(session, now=NOON)
        assert census == service.Census(
            players=1, companies=0, admins=0, newcomers=1, open_sessions=0
        )

    async def test_counts_ads_coins_and_rewards_of_everybody(self):
        maja, emil = await the_player("Maja"), await the_player("Emil")
        ad = await an_ad(reward=20)
        await watches(maja, ad)
        await watches(maja, ad, now=NOON + timedelta(minutes=1))
        await watches(emil, ad)
        await earns(emil.user_id, 100)
        await stock(1)
        await orders(emil, PRICE)
        assert await counted() == Platform(2, 3, 160, 1, top_name="Maja", top_ads=2)

    async def test_are_reckoned_from_the_coins_where_orders_alone_cannot_be_counted(
        self, monkeypatch
    ):
        emil = await the_player("Emil")
        await earns(emil.user_id, 1_999)
        monkeypatch.setattr(service.shop, "completed", failing(TimeoutError))
        found = await counted()
        assert (found.rewards, found.are_rewards_estimated) == (2, True)

    async def test_are_not_reckoned_where_nothing_can_be_counted(self, monkeypatch):
        monkeypatch.setattr(service.shop, "completed", failing(StorageAway))
        with pytest.raises(StorageAway):
            await counted()

    async def test_looks_at_all_orders_when_one_has_changed_or_within_30_seconds(self):
        await stock(1)
        emil, clock = await a_buyer("Emil", coins_owned=PRICE), Clock()
        one, other = (service.PlatformCount(clock) for _ in range(2))
        for counting in (one, other):
            assert (await counting.count(NOON)).rewards == 0
        await orders(emil, PRICE)
        clock.seconds = 29.9
        one.note_order()
        assert [(await counting.count(NOON)).rewards for counting in (one, other)] == [1, 0]
        clock.seconds = 30.0
        assert (await other.count(NOON)).rewards == 1

    async def test_counts_many_orders_for_a_fiftieth_of_the_time_at_most(self, monkeypatch):
        clock, counted_at = Clock(), []

        async def takes_half_a_second() -> int:
            counted_at.append(clock.seconds)
            clock.seconds += 0.5
            return len(counted_at)

        monkeypatch.setattr(service.shop, "completed", takes_half_a_second)
        counting = service.PlatformCount(clock)
        for _ in range(120):
            counting.note_order()
            await counting.count(NOON)
            clock.seconds += 1
        gaps = [later - earlier for earlier, later in pairwise(counted_at)]
        assert gaps == [25.5] * len(gaps)
        assert len(gaps) > 2

    async def test_counts_orders_anew_where_that_failed(self, monkeypatch):
        clock = Clock()
        counting = service.PlatformCount(clock)
        await counting.count(NOON)
        counting.note_order()
        with monkeypatch.context() as away:
            away.setattr(service.shop, "completed", failing(StorageAway))
            with pytest.raises(StorageAway):
                await counting.count(NOON)
        await stock(1)
        await orders(await a_buyer("Emil", coins_owned=PRICE), PRICE)
        assert (await counting.count(NOON)).rewards == 1

    async def test_ads_of_today_begin_at_midnight_in_stockholm(self):
        maja = await the_player("Maja")
        ad = await an_ad(seconds=5)
        await watches(maja, ad, now=MIDNIGHT - 6 * SECOND)
        assert (await counted(now=MIDNIGHT - SECOND)).ads_today == 1
        assert (await counted(now=MIDNIGHT)).ads_today == 0
        await watches(maja, ad, now=MIDNIGHT + SECOND)
        assert (await counted(now=NOON)).ads_today == 1

    async def test_the_top_player_is_one_who_plays(self, database: str):
        maja, chief = await the_player("Maja"), await the_player("Chief")
        ad = await an_ad()
        await watches(maja, ad)
        await watches(chief, ad)
        await watches(chief, ad, now=NOON + timedelta(minutes=1))
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("update accounts set role = 'admin' where id = %s", (chief.user_id,))
        assert (await counted()).top_name == "Maja"

    @pytest.mark.usefixtures("spoilt_books")
    @pytest.mark.parametrize("bots", [25, 1001])
    async def test_the_top_player_is_found_behind_any_number_who_are_suspended(
        self, database: str, bots: int
    ):
        maja, ahead = await the_player("Maja"), await the_players(bots)
        await watches(maja, await an_ad())
        with psycopg.connect(database) as connection:
            writing = connection.cursor()
            writing.executemany(
                "insert into coin_balances (account_id, total, balance, held, ads)"
                " values (%s, 0, 0, 0, 100)",
                [(bot.user_id,) for bot in ahead],
            )
            writing.executemany(
                "insert into account_restrictions (id, account_id, kind, reason, is_automatic,"
                " begun_at, end_reason) values (%s, %s, 'suspended', 'Bots', false, %s, '')",
                [(new_id(), bot.user_id, NOON) for bot in ahead],
            )
        assert (await counted()).top_name == "Maja"

    async def test_the_top_player_is_nobody_who_is_suspended(self):
        maja, emil = await the_player("Maja"), await the_player("Emil")
        ad = await an_ad()
        for minutes in range(2):
            await watches(maja, ad, now=NOON + timedelta(minutes=minutes))
        await watches(emil, ad)
        async with transaction() as session:
            await restrictions.begin(
                session, maja.user_id, RestrictionKind.SUSPENDED, "Bots", by=None, now=NOON
            )
        assert (await counted()).top_name == "Emil"
        async with transaction() as session:
            await restrictions.end(
                session, maja.user_id, RestrictionKind.SUSPENDED, "It was her", by=None, now=NOON
            )
        assert (await counted()).top_name == "Maja"


class TestOwnDay:
    async def test_is_all_zero_and_level_one_for_a_newcomer(self):
        maja = await the_player("Maja")
        day = await service.own_day(maja, now=NOON)
        assert day == service.OwnDay(0, 50, 0, 0, 0, 1, 0, None)

    async def test_tells_ads_coins_total_and_how_far_the_level_is(self):
        maja = await the_player("Maja")
        await earns(maja.user_id, 2_370)
        await buys(maja.user_id, 500)
        await watches(maja, await an_ad(reward=15))
        day = await service.own_day(maja, now=NOON + timedelta(minutes=1))
        assert day == service.OwnDay(
            ads_today=1,
            left_today=49,
            coins_today=15,
            ads_watched=1,
            total=2_385,
            level=3,
            into_level=385,
            rests_until=None,
        )

    async def test_tells_who_is_under_18_until_when_they_rest(self):
        nils, ad = await the_player("Nils", born="2010-06-01"), await an_ad()
        for number in range(ADS_A_SITTING):
            await watches(nils, ad, now=NOON + number * timedelta(minutes=1))
        last = NOON + timedelta(minutes=ADS_A_SITTING - 1)
        day = await service.own_day(nils, now=last + timedelta(minutes=1))
        assert day.rests_until == last + timedelta(hours=1)
        assert (await service.own_day(nils, now=last + timedelta(hours=1))).rests_until is None


class TestPasswordAge:
    async def test_counts_from_the_last_change(self):
        maja = the_actor(await an_account(now=NOON))
        age = await service.password_age(maja, now=NOON + timedelta(days=176))
        assert age
        assert (age.days_remaining, age.is_warning, age.needs_rotation) == (4, True, False)

    async def test_is_over_after_the_rotation(self):
        maja = the_actor(await an_account(now=NOON))
        age = await service.password_age(maja, now=NOON + timedelta(days=180))
        assert age
        assert age.needs_rotation

    async def test_is_nothing_where_a_provider_signs_in(self):
        maja = await the_player("Maja")
        assert await service.password_age(maja, now=NOON + timedelta(days=400)) is None

    async def test_is_nothing_where_passwords_stay(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(settings(), "password_rotation_days", 0)
        maja = the_actor(await an_account(now=NOON))
        assert await service.password_age(maja, now=NOON + timedelta(days=400)) is None
