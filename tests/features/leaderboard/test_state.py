"""What the page keeps of a board: the podium, the ranking, and the player's own place."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.errors import StorageAway
from rewards_app.core.gate import current_actor
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.leaderboard import service
from rewards_app.features.leaderboard.boards import Boards, boards
from rewards_app.features.leaderboard.rules import board_of
from rewards_app.features.leaderboard.state import LeaderboardState
from tests.ads import an_ad, the_player, the_players
from tests.boards import earns
from tests.states import a_page

pytestmark = pytest.mark.usefixtures("noon")
"""No month ends while it is looked at."""


@pytest.fixture
async def shown(database: str) -> LeaderboardState:
    state = await a_page().get_state(LeaderboardState)
    state.period = "month"
    return state


@pytest.fixture(autouse=True)
def acting() -> Iterator[None]:
    before = current_actor.set(None)
    boards.forget()
    yield
    current_actor.reset(before)


async def ranked(count: int) -> list[Actor]:
    """So many players, the first one leading, each with a coin less than the one before."""
    players = await the_players(count)
    for place, player in enumerate(players):
        await earns(player.user_id, 1000 - place, now=utc_now())
    await service.fold(now=utc_now())
    return players


async def looks(shown: LeaderboardState, player: Actor) -> None:
    boards.forget()
    current_actor.set(player)
    await LeaderboardState.refresh.fn(shown)


def ranks(rows: list[dict[str, int]]) -> list[int]:
    return [row["rank"] for row in rows]


class TestRows:
    async def test_an_empty_board_has_nobody(self, shown: LeaderboardState):
        [player] = await the_players(1)
        await service.fold(now=utc_now())
        await looks(shown, player)
        assert (shown.podium, shown.ranking, shown.near, shown.own) == ([], [], [], {})
        assert shown.is_loaded
        assert not shown.is_away

    async def test_three_stand_on_the_podium_and_the_others_below(self, shown: LeaderboardState):
        players = await ranked(5)
        await looks(shown, players[3])
        assert (ranks(shown.podium), ranks(shown.ranking)) == ([1, 2, 3], [4, 5])
        assert [row["is_own"] for row in shown.ranking] == [True, False]
        assert (shown.near, shown.has_gap) == ([], False)

    async def test_who_is_far_below_sees_their_own_place_with_its_neighbours(
        self, shown: LeaderboardState
    ):
        players = await ranked(32)
        await looks(shown, players[28])
        assert (len(shown.ranking), shown.has_more) == (22, True)
        assert (ranks(shown.near), shown.has_gap) == ([28, 29, 30], True)
        assert [row["is_own"] for row in shown.near] == [False, True, False]

    async def test_who_is_just_below_is_not_shown_twice(self, shown: LeaderboardState):
        players = await ranked(30)
        await looks(shown, players[25])
        assert (ranks(shown.near), shown.has_gap) == ([26, 27], False)

    async def test_nobody_is_left_out_before_a_neighbour_who_is_next(self, shown: LeaderboardState):
        players = await ranked(30)
        await looks(shown, players[26])
        assert (ranks(shown.near), shown.has_gap) == ([26, 27, 28], False)

    async def test_the_whole_hundred_is_shown_when_it_is_asked_for(self, shown: LeaderboardState):
        players = await ranked(32)
        await looks(shown, players[28])
        await LeaderboardState.show_all.fn(shown)
        assert (len(shown.ranking), shown.near, shown.has_more) == (29, [], False)
        await looks(shown, players[28])
        assert len(shown.ranking) == 29

    async def test_everybody_is_offered_unless_more_than_a_hundred_play(
        self, shown: LeaderboardState
    ):
        [leading, *_] = await ranked(100)
        await looks(shown, leading)
        assert (shown.has_more, shown.can_show_all) == (True, True)
        [one_more] = await the_players(1)
        await earns(one_more.user_id, 15, now=utc_now())
        await service.fold(now=utc_now())
        await looks(shown, leading)
        assert (shown.has_more, shown.can_show_all) == (True, False)

    async def test_whoever_is_left_out_among_equals_is_a_gap(self, shown: LeaderboardState):
        for place, leader in enumerate(await the_players(98)):
            await earns(leader.user_id, 1000 - place, now=utc_now())
        equals = sorted(await the_players(8), key=lambda player: player.user_id)
        for player in equals:
            await earns(player.user_id, 15, now=utc_now())
        await service.fold(now=utc_now())
        await looks(shown, equals[0])
        await LeaderboardState.show_all.fn(shown)
        found = list[tuple[int, bool]]()
        for player in equals[2:6]:
            await looks(shown, player)
            found.append((len(shown.near), shown.has_gap))
        assert found == [(2, False), (3, False), (3, True), (3, True)]
        assert ranks(shown.near) == [99, 99, 99]
        assert (len(shown.ranking), shown.has_more) == (97, False)

    async def test_tell_nobody_which_account_they_are(self, shown: LeaderboardState):
        players = await ranked(4)
        await looks(shown, players[0])
        sent = repr((shown.podium, shown.ranking, shown.own))
        assert not any(str(player.user_id) in sent for player in players)


class TestOwnPlace:
    async def test_says_what_leads_to_the_next_rank(self, shown: LeaderboardState):
        await an_ad(seconds=30, reward=10)
        first, second = await the_players(2)
        await earns(first.user_id, 100, now=utc_now())
        await earns(second.user_id, 75, now=utc_now())
        await service.fold(now=utc_now())
        await looks(shown, second)
        own = shown.own
        assert (own["rank"], own["players"], own["percent"]) == (2, 2, 100)
        assert (own["next_rank"], own["missing"], own["next_coins"]) == (1, 25, 100)
        assert (own["ads"], own["minutes"], own["days"]) == (3, 2, 0)

    async def test_counts_the_breaks_of_the_young(self, shown: LeaderboardState):
        """As the shop does for the same coins."""
        await an_ad(seconds=30, reward=10)
        [first] = await the_players(1)
        emil = await the_player("Emil", born="2011-05-17")
        await earns(first.user_id, 475, now=utc_now())
        await earns(emil.user_id, 75, now=utc_now())
        await service.fold(now=utc_now())
        await looks(shown, emil)
        assert (shown.own["ads"], shown.own["minutes"]) == (40, 20 + 2 * 60)

    async def test_is_reached_tomorrow_past_todays_limit(self, shown: LeaderboardState):
        """As the shop says of the same ads."""
        await an_ad(seconds=30, reward=10)
        first, second = await the_players(2)
        await earns(first.user_id, 10 * DAILY_LIMIT + 20, now=utc_now())
        await earns(second.user_id, 15, now=utc_now())
        await service.fold(now=utc_now())
        await looks(shown, second)
        assert (shown.own["ads"], shown.own["days"]) == (DAILY_LIMIT + 1, 1)

    async def test_promises_no_ads_where_there_are_none(self, shown: LeaderboardState):
        players = await ranked(2)
        await looks(shown, players[1])
        assert (shown.own["missing"], shown.own["ads"]) == (1, 0)

    async def test_who_leads_has_nobody_to_reach(self, shown: LeaderboardState):
        players = await ranked(2)
        await looks(shown, players[0])
        assert (shown.own["rank"], shown.own["next_rank"], shown.own["missing"]) == (1, 0, 0)

    async def test_shows_the_streak(self, shown: LeaderboardState):
        players = await ranked(1)
        await looks(shown, players[0])
        assert shown.streak == {"days": 1, "best": 1}


class TestTrouble:
    async def test_a_board_that_cannot_be_read_says_so_and_shows_nobody(
        self, shown: LeaderboardState, monkeypatch: pytest.MonkeyPatch
    ):
        players = await ranked(2)
        await looks(shown, players[0])

        async def away(*_: object, **__: object) -> None:
            raise RuntimeError

        with monkeypatch.context() as patched:
            patched.setattr(service, "board", away)
            await looks(shown, players[0])
        assert (shown.is_away, shown.podium, shown.own) == (True, [], {})
        await looks(shown, players[0])
        assert not shown.is_away
        assert len(shown.podium) == 2


class TestBoards:
    async def test_are_read_once_a_second_for_all_who_look(self, database: str):
        clock = 100.0
        shared = Boards(lambda: clock)
        [player] = await the_players(1)
        name = board_of(service.Period.MONTH, utc_now())
        await earns(player.user_id, 15, now=utc_now())
        assert (await shared.of(name, now=utc_now())).rows == []
        await service.fold(now=utc_now())
        clock += 0.9
        assert (await shared.of(name, now=utc_now())).rows == []
        clock += 0.2
        assert [row.coins for row in (await shared.of(name, now=utc_now())).rows] == [15]

    async def test_are_read_anew_when_they_have_changed(self, database: str):
        shared = Boards(lambda: 100.0)
        [player] = await the_players(1)
        name = board_of(service.Period.MONTH, utc_now())
        await earns(player.user_id, 15, now=utc_now())
        assert (await shared.of(name, now=utc_now())).rows == []
        await service.fold(now=utc_now())
        await shared.note_change()
        board = await shared.of(name, now=utc_now())
        assert [row.coins for row in board.rows] == [15]
        assert await shared.of(name, now=utc_now()) is board

    async def test_are_read_anew_when_they_changed_while_they_were_read(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        shared = Boards(lambda: 100.0)
        [player] = await the_players(1)
        name = board_of(service.Period.MONTH, utc_now())
        await earns(player.user_id, 15, now=utc_now())
        read = shared._read

        async def read_in_the_moment(*args: Any, **kwargs: Any) -> service.Board:
            board = await read(*args, **kwargs)
            await service.fold(now=utc_now())
            await shared.note_change()
            return board

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(shared, "_read", read_in_the_moment)
            assert (await shared.of(name, now=utc_now())).rows == []
        assert [row.coins for row in (await shared.of(name, now=utc_now())).rows] == [15]

    async def test_that_cannot_be_read_are_asked_for_once_a_second(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        clock, asked = 100.0, 0
        shared = Boards(lambda: clock)

        async def away(*_: Any, **__: Any) -> service.Board:
            nonlocal asked
            asked += 1
            await asyncio.sleep(0)
            raise StorageAway

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(shared, "_read", away)
            told = [shared.of("m:2026-03", now=utc_now()) for _ in range(40)]
            refused = await asyncio.gather(*told, return_exceptions=True)
        assert ({type(one) for one in refused}, asked) == ({StorageAway}, 1)
        clock += 1
        assert (await shared.of("m:2026-03", now=utc_now())).name == "m:2026-03"

    async def test_a_new_period_is_read_at_once(self, database: str):
        shared = Boards(lambda: 100.0)
        assert (await shared.of("m:2026-03", now=utc_now())).name == "m:2026-03"
        assert (await shared.of("m:2026-04", now=utc_now())).name == "m:2026-04"
