"""The figures on the front page: true, counted once for all, and unknown where they are."""

import asyncio

import pytest

from rewards_app.features.accounts import service as accounts
from rewards_app.features.landing.figures import Counted, PublicFigures
from tests.ads import an_ad, the_player, watches


class Clock:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.usefixtures("database")
class TestTheFigures:
    async def test_of_an_empty_house_are_nothing(self):
        assert await Counted().fresh() == PublicFigures(0, 0, 0)

    async def test_count_players_and_what_they_watched(self):
        await watches(await the_player("Maja"), await an_ad())
        await the_player("Emil")
        assert await Counted().fresh() == PublicFigures(players=2, ads=1, rewards=0)

    async def test_are_counted_once_for_all_who_ask_and_anew_after_a_while(self, monkeypatch):
        times, players = 0, accounts.players

        async def counting() -> int:
            nonlocal times
            times += 1
            return await players()

        monkeypatch.setattr(accounts, "players", counting)
        clock = Clock()
        counted = Counted(clock)
        await asyncio.gather(*(counted.fresh() for _ in range(100)))
        clock.seconds += 29.9
        await counted.fresh()
        assert times == 1
        clock.seconds += 0.1
        await counted.fresh()
        assert times == 2

    async def test_that_cannot_be_counted_are_unknown_until_they_can_again(self, monkeypatch):
        async def breaks() -> int:
            raise RuntimeError("x")

        clock = Clock()
        counted = Counted(clock)
        with monkeypatch.context() as broken:
            broken.setattr(accounts, "players", breaks)
            assert await counted.fresh() is None
        clock.seconds += 30
        assert await counted.fresh() == PublicFigures(0, 0, 0)
