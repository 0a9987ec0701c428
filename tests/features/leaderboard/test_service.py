"""Boards on a real database: how they rank, who is beside whom, who does not compete."""

import random
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing, restrictions
from rewards_app.features.accounts import service as accounts
from rewards_app.features.accounts.restriction_rules import Kind as Restriction
from rewards_app.features.coins.rules import Kind
from rewards_app.features.guardians.rules import Status
from rewards_app.features.leaderboard import counting, repository, service
from rewards_app.features.leaderboard.boards import JUDGED_FOR_SECONDS, Boards, boards
from rewards_app.features.leaderboard.rules import BoardFigures, Period, Row, board_of
from tests.ads import SECOND, an_ad, finishes, starts, the_player, the_players, watches
from tests.boards import all_in, earns, ranked
from tests.guardians import has_consent, has_told, is_born
from tests.ledger import spoil
from tests.people import NOON, an_account

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


async def by_age(count: int) -> list[Actor]:
    """The oldest account first: those of one millisecond have no order of their own."""
    return sorted(await the_players(count), key=lambda player: player.user_id)


async def rank_of(player: Actor, period: Period = Period.MONTH) -> int | None:
    return (await service.standing(player.user_id, period=period, now=NOON)).rank


async def leaders(period: Period = Period.MONTH) -> list[Row]:
    return await repository.leaders_now(board_of(period, NOON), now=NOON)


async def figures(period: Period = Period.MONTH) -> BoardFigures:
    return await repository.figures(board_of(period, NOON))


async def suspend(player: Actor) -> None:
    async with transaction() as session:
        await restrictions.begin(
            session, player.user_id, Restriction.SUSPENDED, "Forged.", by=None, now=NOON
        )


async def readmit(player: Actor) -> None:
    async with transaction() as session:
        await restrictions.end(
            session, player.user_id, Restriction.SUSPENDED, "Mistaken.", by=None, now=NOON
        )


class TestWhoseNameWasReplaced:
    async def test_is_one_row_with_the_name_and_the_handle_of_now(self, database: str):
        nova = await an_account(name="Nova")
        await earns(nova.id, 100)
        await service.fold(now=NOON)
        async with transaction() as session:
            await accounts.replace_name(session, nova.id, now=NOON)
        [row] = await leaders()
        assert (row.name, row.handle) == ("player", f"player_{nova.id.hex[-9:]}")
        around = await service.around(nova.id, now=NOON)
        assert around
        assert around.own.handle == row.handle


class TestStanding:
    async def test_who_earned_nothing_has_no_rank(self, database: str):
        [player] = await the_players(1)
        await service.fold(now=NOON)
        standing = await service.standing(player.user_id, now=NOON)
        assert (standing.rank, standing.coins, standing.players) == (None, 0, 0)

    async def test_equals_share_a_rank_and_the_next_one_is_behind_both(self, database: str):
        players = await the_players(4)
        for player, amount in zip(players, (300, 200, 200, 5), strict=True):
            await earns(player.user_id, amount)
            await service.fold(now=NOON)
        for period in Period:
            assert [await rank_of(player, period) for player in players] == [1, 2, 2, 4]
            naive = ranked(database, board_of(period, NOON))
            assert [rank for _, rank, *_ in naive] == [1, 2, 2, 4]

    async def test_periods_count_what_was_earned_within_them(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 10, now=NOON - 40 * DAY)
        await earns(player.user_id, 200, now=NOON - 8 * DAY)
        await earns(player.user_id, 3000, now=NOON)
        await service.fold(now=NOON)
        found = {
            period: (await service.standing(player.user_id, period=period, now=NOON)).coins
            for period in Period
        }
        assert found == {Period.WEEK: 3000, Period.MONTH: 3200, Period.ALL: 3210}

    async def test_a_welcome_counts_as_coins_and_not_as_an_ad(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 100, Kind.WELCOME)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        standing = await service.standing(player.user_id, now=NOON)
        assert (standing.coins, standing.ads) == (115, 1)

    async def test_what_was_given_back_is_not_earned(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        await earns(player.user_id, 900, Kind.REFUND)
        await service.fold(now=NOON)
        assert (await service.standing(player.user_id, now=NOON)).coins == 15


class TestRanks:
    @pytest.mark.parametrize("highest", [4, 70, 5_000, 1_000_000])
    async def test_equal_the_aggregate_for_everybody_after_every_fold(
        self, database: str, highest: int
    ):
        chance = random.Random(highest)
        players = await the_players(25)
        moments = [NOON, NOON - 3 * DAY, NOON - 20 * DAY, NOON - 100 * DAY]
        for _ in range(4):
            for player in chance.choices(players, k=20):
                when = chance.choice(moments)
                await earns(player.user_id, chance.randint(1, highest), now=when)
            await service.fold(now=NOON)
            await self._compare(database)

    async def test_are_the_same_when_everything_is_made_anew(self, database: str):
        players = await the_players(12)
        for number, player in enumerate(players):
            await earns(player.user_id, 10 + number // 3)
        await service.fold(now=NOON)
        before = all_in(database, "select * from board_scores order by 1, 2")
        await service.rebuild(now=NOON)
        assert all_in(database, "select * from board_scores order by 1, 2") == before
        await self._compare(database)
        await earns(players[0].user_id, 500)
        await service.fold(now=NOON)
        await self._compare(database)

    async def _compare(self, database: str) -> None:
        for period in Period:
            naive = ranked(database, board_of(period, NOON))
            for account_id, rank, coins, ads in naive:
                found = await service.standing(account_id, period=period, now=NOON)
                assert (found.rank, found.coins, found.ads) == (rank, coins, ads)
                assert found.players == len(naive)
            assert [(row.account_id, row.rank) for row in await leaders(period)] == [
                (account_id, rank) for account_id, rank, *_ in naive
            ]
        async with transaction() as session:
            assert await counting.check(session, now=NOON) == 0


class TestLeaders:
    async def test_of_equals_the_older_account_comes_first(self, database: str):
        players = await by_age(5)
        for player in reversed(players):
            await earns(player.user_id, 15)
        await service.fold(now=NOON)
        assert [row.account_id for row in await leaders()] == [one.user_id for one in players]
        assert {row.rank for row in await leaders()} == {1}

    async def test_are_a_hundred_and_who_follows_them_at_most(self, database: str):
        for number, player in enumerate(await the_players(103)):
            await earns(player.user_id, 5 + number)
        await service.fold(now=NOON)
        found = await leaders()
        assert (len(found), found[0].coins, found[-1].rank) == (101, 107, 101)

    async def test_show_name_level_streak_and_ads(self, database: str):
        maja = await the_player("Maja")
        await earns(maja.user_id, 2500, now=NOON - 90 * DAY)
        await earns(maja.user_id, 15)
        await service.fold(now=NOON)
        [row] = await leaders()
        assert (row.name, row.level, row.ads, row.coins, row.streak) == ("Maja", 3, 1, 15, 1)
        assert row.is_public

    @pytest.mark.parametrize("consent", [None, Status.WITHDRAWN, Status.GIVEN])
    async def test_lead_to_no_profile_that_waits_for_a_guardian(
        self, database: str, consent: Status | None
    ):
        maja = await the_player("Maja")
        await earns(maja.user_id, 15)
        await service.fold(now=NOON)
        await is_born(maja, "2011-05-17")
        if consent:
            await has_consent(maja, consent)
        boards.forget()
        around = await service.around(maja.user_id, now=NOON)
        assert around
        [shown] = (await service.board(now=NOON)).rows
        is_open = consent is Status.GIVEN
        assert [one.is_public for one in (shown, around.own)] == [is_open] * 2

    async def test_ask_for_nobodys_age_twice_in_a_minute(self, database: str):
        clock = 100.0
        maja = await the_player("Maja")
        await earns(maja.user_id, 15)
        await service.fold(now=NOON)
        shared, rows = Boards(lambda: clock), await leaders()
        for told, is_open in ((21, True), (None, True)):
            await has_told(maja, sign_up_age=told)
            async with transaction() as session:
                [row] = await shared.as_others_open(session, rows, now=NOON)
            assert row.is_public is is_open
        clock += JUDGED_FOR_SECONDS
        async with transaction() as session:
            [row] = await shared.as_others_open(session, rows, now=NOON)
        assert not row.is_public

    async def test_lead_to_nobody_of_whose_age_nothing_is_known(self, database: str):
        maja = await the_player("Maja")
        await earns(maja.user_id, 15)
        await service.fold(now=NOON)
        await has_told(maja, sign_up_age=None)
        boards.forget()
        assert [row.is_public for row in (await service.board(now=NOON)).rows] == [False]


class TestAround:
    async def test_nobody_is_around_who_has_no_place(self, database: str):
        [player] = await the_players(1)
        await service.fold(now=NOON)
        assert await service.around(player.user_id, now=NOON) is None

    async def test_shows_who_is_just_above_and_just_below(self, database: str):
        players = await the_players(5)
        for player, amount in zip(players, (500, 400, 300, 200, 100), strict=True):
            await earns(player.user_id, amount)
        await service.fold(now=NOON)
        found = await service.around(players[2].user_id, now=NOON)
        assert found is not None
        assert [(row.rank, row.coins) for row in found.rows] == [(2, 400), (3, 300), (4, 200)]
        assert found.following == found.above

    async def test_among_equals_the_next_one_up_has_more(self, database: str):
        players = await by_age(4)
        for player, amount in zip(players, (90, 40, 40, 40), strict=True):
            await earns(player.user_id, amount)
        await service.fold(now=NOON)
        found = await service.around(players[2].user_id, now=NOON)
        assert found is not None
        assert [row.account_id for row in found.rows] == [one.user_id for one in players[1:]]
        assert {row.rank for row in found.rows} == {2}
        assert found.following is not None
        assert (found.following.rank, found.following.coins) == (1, 90)

    async def test_the_first_one_has_nobody_above(self, database: str):
        players = await the_players(2)
        await earns(players[0].user_id, 15)
        await earns(players[1].user_id, 10)
        await service.fold(now=NOON)
        found = await service.around(players[0].user_id, now=NOON)
        assert found is not None
        assert (found.above, found.following) == (None, None)
        assert [row.rank for row in found.rows] == [1, 2]


class TestFigures:
    async def test_count_players_and_their_ads(self, database: str):
        players = await the_players(2)
        for _ in range(3):
            await earns(players[0].user_id, 15)
        await earns(players[1].user_id, 15)
        await service.fold(now=NOON)
        found = await figures()
        assert (found.players, found.ads, found.average) == (2, 4, 2)

    async def test_of_a_period_that_has_just_begun_are_nothing(self, database: str):
        found = await figures(Period.WEEK)
        assert (found.players, found.ads, found.average) == (0, 0, 0)


class TestWhoCompetes:
    async def test_who_is_suspended_leaves_the_boards_and_others_move_up(self, database: str):
        first, second = await the_players(2)
        await earns(first.user_id, 300)
        await earns(second.user_id, 200)
        await service.fold(now=NOON)
        await suspend(first)
        await service.fold(now=NOON)
        assert [await rank_of(player) for player in (first, second)] == [None, 1]
        assert [row.account_id for row in await leaders()] == [second.user_id]
        assert (await figures()).players == 1

    async def test_whose_suspension_has_ended_is_back_with_all_coins(self, database: str):
        first, second = await the_players(2)
        await earns(first.user_id, 300)
        await earns(second.user_id, 200)
        await suspend(first)
        await service.fold(now=NOON)
        await readmit(first)
        await service.fold(now=NOON)
        assert [await rank_of(player) for player in (first, second)] == [1, 2]

    async def test_who_closes_their_account_leaves_the_boards_until_they_keep_it(
        self, database: str
    ):
        first, second = await the_players(2)
        await earns(first.user_id, 300)
        await earns(second.user_id, 200)
        await service.fold(now=NOON)
        async with transaction() as session:
            await closing.close(session, first.user_id, now=NOON)
        await service.fold(now=NOON)
        assert [row.account_id for row in await leaders()] == [second.user_id]
        assert (await figures()).players == 1
        async with transaction() as session:
            await closing.reopen(session, first.user_id, now=NOON)
        await service.fold(now=NOON)
        assert [await rank_of(player) for player in (first, second)] == [1, 2]

    async def test_what_a_suspended_account_still_gets_is_counted_and_not_shown(
        self, database: str
    ):
        [player] = await the_players(1)
        await suspend(player)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        assert await leaders() == []
        await readmit(player)
        await service.fold(now=NOON)
        assert [row.coins for row in await leaders()] == [30]

    async def test_whose_earning_is_paused_keeps_the_rank(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        async with transaction() as session:
            await restrictions.begin(
                session, player.user_id, Restriction.EARNING_PAUSED, "Signs.", by=None, now=NOON
            )
        await service.fold(now=NOON)
        assert await rank_of(player) == 1

    @pytest.mark.parametrize("role", [Role.COMPANY, Role.ADMIN])
    async def test_who_is_no_player_any_more_does_not_compete(self, database: str, role: Role):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        spoil(database, f"update accounts set role = '{role}'")
        await service.fold(now=NOON)
        assert await rank_of(player) is None
        await service.rebuild(now=NOON)
        assert (await rank_of(player), await leaders()) == (None, [])
        async with transaction() as session:
            assert await counting.check(session, now=NOON) == 0


class TestStreak:
    async def test_is_of_days_in_a_row(self, database: str):
        [player] = await the_players(1)
        for day in (5, 4, 2, 1, 0):
            await earns(player.user_id, 15, now=NOON - day * DAY)
            await service.fold(now=NOON - day * DAY)
        found = await service.streak(player.user_id, now=NOON)
        assert (found.days, found.best) == (3, 3)

    async def test_is_over_when_a_day_went_by_and_the_best_stays(self, database: str):
        [player] = await the_players(1)
        await self._watches_each_day(player.user_id, 2)
        for later, days in ((1, 2), (2, 0)):
            found = await service.streak(player.user_id, now=NOON + later * DAY)
            assert (found.days, found.best) == (days, 2)

    async def test_nobody_has_one_before_the_first_ad(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 15, Kind.WELCOME)
        await service.fold(now=NOON)
        assert (await service.streak(player.user_id, now=NOON)).best == 0

    async def test_follows_the_players_own_zone(self, database: str):
        """At 21 and at 23 o'clock of UTC it is the same day in Los Angeles, two in Stockholm."""
        players = await the_players(2)
        zones = ("America/Los_Angeles", "Europe/Stockholm")
        for player, zone in zip(players, zones, strict=True):
            self._lives_in(database, player.user_id, zone)
            for hour in (21, 23):
                when = NOON.replace(hour=hour)
                await earns(player.user_id, 15, now=when)
        await service.fold(now=NOON)
        days = [(await service.streak(one.user_id, now=NOON)).days for one in players]
        assert days == [1, 2]

    async def test_is_the_same_when_everything_is_made_anew(self, database: str):
        players = await the_players(3)
        zones = ("America/Havana", "Europe/Stockholm", "Asia/Kolkata")
        chance = random.Random(7)
        for player, zone in zip(players, zones, strict=True):
            self._lives_in(database, player.user_id, zone)
            for day in sorted(chance.sample(range(60), 45), reverse=True):
                when = NOON - day * DAY + timedelta(minutes=chance.randint(-700, 700))
                await earns(player.user_id, 15, now=when)
        await service.fold(now=NOON)
        folded = [await service.streak(one.user_id, now=NOON) for one in players]
        spoil(database, "delete from streaks")
        await service.rebuild(now=NOON)
        assert [await service.streak(one.user_id, now=NOON) for one in players] == folded

    async def test_goes_on_with_an_ad_that_was_over_before_midnight_and_paid_for_after_it(
        self, database: str
    ):
        """Also where the next day's ad is counted together with it."""
        players = await the_players(2)
        over_at = NOON.replace(hour=23, minute=58)
        for player in players:
            for day in range(5, 0, -1):
                await earns(player.user_id, 15, now=NOON - day * DAY)
            await service.fold(now=NOON - DAY)
            view = await starts(player, await an_ad(), now=over_at - 5 * SECOND)
            paid_at = over_at + timedelta(minutes=7)
            await finishes(player, view, heard_at=over_at, now=paid_at)
        await watches(players[1], await an_ad(), now=paid_at + HOUR)
        now = paid_at + 2 * HOUR
        await service.fold(now=now)
        folded = [await service.streak(one.user_id, now=now) for one in players]
        assert [(one.days, one.best) for one in folded] == [(6, 6), (7, 7)]
        spoil(database, "delete from streaks")
        await service.rebuild(now=now)
        assert [await service.streak(one.user_id, now=now) for one in players] == folded

    @pytest.mark.parametrize("kind", list(Restriction))
    async def test_goes_on_where_a_restriction_that_broke_it_is_lifted(
        self, database: str, kind: Restriction
    ):
        [player] = await the_players(1)
        await self._watches_each_day(player.user_id, 3)
        await self._restricted(player.user_id, NOON + HOUR, NOON + 4 * DAY, kind)
        for later, days in ((5, 3), (6, 0)):
            found = await service.streak(player.user_id, now=NOON + later * DAY)
            assert (found.days, found.best) == (days, 3)
        await earns(player.user_id, 15, now=NOON + 5 * DAY)
        await service.fold(now=NOON + 5 * DAY)
        assert (await service.streak(player.user_id, now=NOON + 5 * DAY)).days == 4

    async def test_that_was_over_before_a_restriction_stays_over(self, database: str):
        [player] = await the_players(1)
        await self._watches_each_day(player.user_id, 3)
        await self._restricted(player.user_id, NOON + 2 * DAY, NOON + 4 * DAY)
        assert (await service.streak(player.user_id, now=NOON + 4 * DAY)).days == 0
        await earns(player.user_id, 15, now=NOON + 4 * DAY + HOUR)
        await service.fold(now=NOON + 4 * DAY + HOUR)
        assert (await service.streak(player.user_id, now=NOON + 5 * DAY)).days == 1

    async def test_with_restrictions_is_the_same_when_everything_is_made_anew(self, database: str):
        players = await the_players(20)
        chance = random.Random(11)
        for number, player in enumerate(players):
            zones = ("America/Havana", "Europe/Stockholm", "Asia/Kolkata")
            self._lives_in(database, player.user_id, zones[number % 3])
            at = NOON - 12 * DAY
            while at < NOON:
                for _ in range(chance.randint(0, 4)):
                    await earns(player.user_id, 15, now=at)
                    at += chance.randint(1, 40) * HOUR
                await service.fold(now=at)
                lifted = at + chance.randint(1, 60) * HOUR
                await self._restricted(player.user_id, at, lifted)
                at = lifted + chance.randint(0, 30) * HOUR
        folded = [await service.streak(one.user_id, now=NOON) for one in players]
        spoil(database, "delete from streaks")
        await service.rebuild(now=NOON)
        assert [await service.streak(one.user_id, now=NOON) for one in players] == folded

    async def _restricted(
        self,
        account_id: UUID,
        begun_at: datetime,
        lifted_at: datetime,
        kind: Restriction = Restriction.SUSPENDED,
    ) -> None:
        async with transaction() as session:
            await restrictions.begin(session, account_id, kind, "bot", by=None, now=begun_at)
        async with transaction() as session:
            await restrictions.end(session, account_id, kind, "no bot", by=None, now=lifted_at)
        await service.fold(now=lifted_at)

    async def test_an_unknown_zone_does_not_stop_anybody(self, database: str):
        [player] = await the_players(1)
        self._lives_in(database, player.user_id, "")
        await earns(player.user_id, 15)
        await service.rebuild(now=NOON)
        assert (await service.streak(player.user_id, now=NOON)).days == 1

    async def _watches_each_day(self, account_id: UUID, days: int) -> None:
        for day in reversed(range(days)):
            await earns(account_id, 15, now=NOON - day * DAY)
        await service.fold(now=NOON)

    @staticmethod
    def _lives_in(database: str, account_id: UUID, zone: str) -> None:
        began: datetime = NOON - 400 * DAY
        spoil(
            database,
            "insert into watchers (account_id, time_zone, day_starts_at, day_ends_at)"
            f" values ('{account_id}', '{zone}', '{began}', '{began + DAY}')",
        )
