"""Counting refusals: a storm is told once a minute, and many callers cost no more than few."""

from collections.abc import Iterator

import pytest

from rewards_app.core import limits
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.watching import storms
from rewards_app.core.watching.storms import STORMS_FROM, Storm, What


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(storms, "time", clock)
    return clock


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Storm]]:
    heard: list[Storm] = []
    monkeypatch.setattr(storms, "_listeners", [heard.append])
    storms.forget()
    yield heard
    storms.forget()


def refused(times: int, who: str = "somebody") -> None:
    for _ in range(times):
        storms.note(What.DENIED, "shop_state.buy", who)


class TestAStorm:
    def test_begins_with_the_twentieth_refusal_within_a_minute(self, told: list[Storm]):
        refused(19)
        assert told == []
        refused(1)
        assert told == [Storm(What.DENIED, "shop_state.buy", ("somebody",), 20)]

    def test_of_a_hundred_thousand_is_told_once(self, told: list[Storm]):
        refused(100_000)
        assert len(told) == 1

    def test_is_told_again_each_minute_that_it_lasts(self, told: list[Storm], clock: Clock):
        for _ in range(3):
            refused(500)
            clock.now += storms.A_MINUTE
        assert len(told) == 3

    def test_is_none_when_a_page_is_refused_now_and_then(self, told: list[Storm], clock: Clock):
        for _ in range(100):
            refused(1)
            clock.now += 4
        assert told == []

    def test_is_counted_for_each_caller_alone(self, told: list[Storm]):
        for number in range(100):
            refused(19, who=str(number))
        assert told == []

    def test_remembers_no_more_callers_than_it_may(self):
        for number in range(storms.MOST_COUNTED + 100):
            refused(1, who=str(number))
        assert len(storms._counts) == storms.MOST_COUNTED


class TestALimit:
    async def test_tells_of_who_does_not_stop(self, told: list[Storm]):
        limits.forget_everything()
        limit = limits.parse("2/minute")
        for attempt in range(2 + STORMS_FROM[What.LIMITED]):
            assert not told
            try:
                await limits.spend(limit, "door", "192.0.2.7")
            except TooManyAttempts:
                assert attempt >= 2
        [storm] = told
        assert (storm.what, storm.who) == (What.LIMITED, ("door", "192.0.2.7"))
        assert storm.name == f"door, {limit}"

    async def test_that_refuses_nobody_is_no_storm(self, told: list[Storm]):
        limits.forget_everything()
        limit = limits.parse("2/minute")
        had_room = [await limits.spend_if_left(limit, "door", "192.0.2.9") for _ in range(100)]
        assert had_room == [True] * 2 + [False] * 98
        assert await limits.is_used_up(limit, "door", "192.0.2.9")
        assert told == []

    async def test_that_is_only_asked_counts_nothing(self, told: list[Storm]):
        limits.forget_everything()
        limit = limits.parse("1/minute")
        await limits.spend(limit, "door", "192.0.2.8")
        for _ in range(100):
            assert await limits.is_used_up(limit, "door", "192.0.2.8")
        assert told == []
