"""Boards on a real database: what is counted, how it ranks, and who is beside whom."""

from rewards_app.features.leaderboard import service
from rewards_app.features.leaderboard.rules import Period, board_of
from tests.ads import the_players
from tests.boards import earns, ranked
from tests.people import NOON


class TestStanding:
    async def test_a_player_who_earned_nothing_has_no_rank(self, database: str):
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
            found = [
                (await service.standing(player.user_id, period=period, now=NOON)).rank
                for player in players
            ]
            assert found == [1, 2, 2, 4]
            naive = ranked(database, board_of(period, NOON))
            assert [rank for _, rank, *_ in naive] == [1, 2, 2, 4]

    async def test_what_is_counted_once_is_not_counted_again(self, database: str):
        [player] = await the_players(1)
        for times in range(1, 4):
            await earns(player.user_id, 15)
            await service.fold(now=NOON)
            await service.fold(now=NOON)
            standing = await service.standing(player.user_id, now=NOON)
            assert (standing.coins, standing.ads) == (15 * times, times)
