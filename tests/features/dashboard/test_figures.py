"""Everybody's figures are counted once for all who ask, and at most once a second."""

import asyncio
from datetime import datetime

import pytest

from rewards_app.features.dashboard.figures import SharedFigures
from rewards_app.features.dashboard.rules import Platform

QUIET = Platform(players=4, ads_today=0, coins=0, rewards=0)
BUSY = Platform(players=4, ads_today=1, coins=15, rewards=0, top_name="Maja", top_ads=1)


class Counting:
    """A count that says what it is told to say, and a clock that is wound by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.answer: Platform | Exception = QUIET
        self.times = 0
        self.figures = SharedFigures(self._count, clock=lambda: self.seconds)

    async def _count(self, _now: datetime) -> Platform:
        self.times += 1
        await asyncio.sleep(0)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def counting() -> Counting:
    return Counting()


class TestCounting:
    async def test_is_done_once_for_all_who_ask_at_once(self, counting: Counting):
        answers = await asyncio.gather(*(counting.figures.fresh() for _ in range(500)))
        assert (set(answers), counting.times) == ({QUIET}, 1)

    async def test_is_not_done_again_while_nothing_changes(self, counting: Counting):
        await counting.figures.fresh()
        counting.seconds += 29.9
        await counting.figures.fresh()
        assert counting.times == 1

    async def test_is_done_every_30_seconds_all_the_same(self, counting: Counting):
        await counting.figures.fresh()
        counting.seconds += 30
        await counting.figures.fresh()
        assert counting.times == 2

    async def test_happens_at_most_once_a_second_whatever_changes(self, counting: Counting):
        for _ in range(41):
            counting.figures.note_change()
            await counting.figures.fresh()
            counting.seconds += 0.125
        assert counting.times == 6

    async def test_sees_what_changed_while_it_was_done(self, counting: Counting):
        first = asyncio.create_task(counting.figures.fresh())
        await asyncio.sleep(0)
        counting.figures.note_change()
        await first
        counting.answer = BUSY
        counting.seconds += 1
        assert await counting.figures.fresh() == BUSY


class TestEditions:
    async def test_a_count_that_finds_the_same_is_no_news(self, counting: Counting):
        await counting.figures.fresh()
        counting.figures.note_change()
        counting.seconds += 1
        await counting.figures.fresh()
        assert (counting.times, counting.figures.edition) == (2, 1)

    async def test_another_figure_is_news(self, counting: Counting):
        await counting.figures.fresh()
        counting.answer = BUSY
        counting.figures.note_change()
        counting.seconds += 1
        await counting.figures.fresh()
        assert counting.figures.edition == 2


class TestAFailure:
    async def test_is_known_to_whoever_asks(self, counting: Counting):
        counting.answer = OSError("gone")
        assert await counting.figures.fresh() is None

    async def test_is_tried_again_after_a_second_and_not_before(self, counting: Counting):
        counting.answer = OSError("gone")
        await counting.figures.fresh()
        counting.answer = BUSY
        counting.seconds += 0.9
        assert await counting.figures.fresh() is None
        counting.seconds += 0.1
        assert await counting.figures.fresh() == BUSY

    async def test_that_is_over_is_news_even_with_the_same_figures(self, counting: Counting):
        await counting.figures.fresh()
        counting.answer = OSError("gone")
        counting.figures.note_change()
        counting.seconds += 1
        await counting.figures.fresh()
        counting.answer = QUIET
        counting.seconds += 1
        assert await counting.figures.fresh() == QUIET
        assert counting.figures.edition == 2
